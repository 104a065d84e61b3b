/* SPDX-License-Identifier: GPL-2.0-or-later */
/* split.c - `ktrail split`: cut a trace file into smaller ones */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/base.h>
#include <ktrail/writer.h>

#include "base/units.h"
#include "cmd/args/dropin.h"
#include "cmd/args/level.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/print/progress.h"
#include "cmd/style.h"
#include "split.h"

struct args {
	const char *input, *output;
	struct split_plan plan;
	uint64_t seconds, ms, us;
	bool top;
	const char *new_name;		/* -b: of the top-level buffer */
	struct kt_names buffers;	/* -B */
	bool with_top;			/* -t */
	bool force;
};

static int add_buffer(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;

	return kt_names_add(&a->buffers, value) < 0 ? kt_err_no_memory(err) : 0;
}

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct args, input, "file", "read this file instead of trace.dat"),
	OPT_STR ('o', "output", struct args, output, "file",
		"write to this file, with -r to FILE.0001 …"),
	OUTPUT_FORCE(struct args, force),
	OPT_U64 ('s', NULL, struct args, seconds, "n", "n seconds in each part"),
	OPT_U64 ('m', NULL, struct args, ms, "n", "n milliseconds in each part"),
	OPT_U64 ('u', NULL, struct args, us, "n", "n microseconds in each part"),
	OPT_U64 ('e', NULL, struct args, plan.nr_events, "n", "n events in each part"),
	OPT_U64 ('p', NULL, struct args, plan.nr_pages, "n",
		"n sub-buffers of each CPU in each part"),
	OPT_BOOL('r', NULL, struct args, plan.repeat, "repeat until the end"),
	OPT_BOOL('c', NULL, struct args, plan.per_cpu, "count for each CPU separately"),
	OPT_INT ('C', NULL, struct args, plan.only_cpu, "cpu", "only this CPU"),
	OPT_CALL('B', NULL, add_buffer, "name", "only this buffer, as the top-level one"),
	OPT_BOOL('t', NULL, struct args, with_top, "with -B: the top-level buffer too"),
	OPT_BOOL(0, "top", struct args, top, "only the top-level buffer"),
	OPT_STR ('b', NULL, struct args, new_name, "name",
		"the name of the top-level buffer in the output"),
	OPT_LEVEL_IGNORED,
	OPT_END
};

/* Which buffers go into the parts */
static bool is_kept(const struct args *a, const struct kt_buffer *b)
{
	if (!*b->name)
		return a->top || a->with_top || !a->buffers.nr;
	return kt_names_has(&a->buffers, b->name) || (!a->top && !a->buffers.nr);
}

/* One buffer alone is the top-level one of its file, unless it is renamed */
static const char *name_of(const struct args *a, const struct kt_buffer *b)
{
	if (!*b->name)
		return a->new_name ? a->new_name : "";
	return a->buffers.nr == 1 && !a->top && !a->with_top ? "" : b->name;
}

static int write_buffer(const struct args *a, struct kt_writer *w, struct kt_file *in, size_t i,
			int index, const struct split_part *part, struct kt_copy *copy,
			struct kt_err *err)
{
	const struct kt_buffer *b = kt_file_buffer(in, i);
	size_t cpu, s;
	int ret = 0;

	for (cpu = 0; ret == 0 && cpu < b->nr_cpus; cpu++) {
		s = split_source(&a->plan, i, cpu);
		if (s == SIZE_MAX || part->from[s] >= part->to[s])
			continue;
		ret = kt_writer_begin_cpu(w, index, b->cpus[cpu].cpu, err);
		if (ret == 0)
			ret = kt_copy_range(w, in, i, cpu, part->from[s], part->to[s], copy,
					    err);
	}
	return ret;
}

static int write_part(const struct args *a, struct kt_file *in, const char *path,
		      const struct split_part *part, struct kt_copy *copy, struct kt_err *err)
{
	struct kt_writer_opts o = { 0 };
	const struct kt_buffer *b;
	struct kt_writer *w;
	int ret, index = 0;
	size_t i;

	kt_copy_opts(in, &o);
	w = kt_writer_create(path, &o, err);
	if (!w)
		return err->code;
	ret = kt_copy_meta(w, in, err);
	for (i = 0; ret >= 0 && (b = kt_file_buffer(in, i)); i++) {
		struct kt_writer_buffer wb = {
			.name = name_of(a, b), .clock = b->clock, .page_size = b->page_size,
			.nr_cpus = (uint32_t)kt_file_info(in)->nr_cpus,
		};

		if (is_kept(a, b) && !b->is_text)
			ret = kt_writer_add_buffer(w, &wb, err);
	}
	for (i = 0; ret >= 0 && (b = kt_file_buffer(in, i)); i++) {
		if (is_kept(a, b) && !b->is_text)
			ret = write_buffer(a, w, in, i, index++, part, copy, err);
		/* The text of a latency tracer cannot be divided: it goes to the first part. */
		else if (is_kept(a, b) && part == a->plan.parts)
			ret = kt_copy_text(w, in, i, name_of(a, b), copy, err);
	}
	if (ret >= 0)
		ret = kt_writer_finish(w, err);
	kt_writer_close(w);
	if (ret >= 0 && cmd_style->old_reports)
		dropin_tell_file(path);
	return ret;
}

/* Name of the @i-th part: new, NULL without memory */
static char *part_name(const struct args *a, size_t i)
{
	const char *base = a->output ? a->output : a->input;
	char *path;
	int ret;

	if (a->plan.repeat)
		ret = asprintf(&path, "%s.%04zu", base, i + 1);
	else
		ret = asprintf(&path, "%s%s", base, a->output ? "" : ".1");
	return ret < 0 ? NULL : path;
}

/* Check all names before the first part is written */
static int check_outputs(const struct args *a, struct kt_err *err)
{
	char *path;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < a->plan.nr_parts; i++) {
		path = part_name(a, i);
		ret = path ? output_check(path, a->force, err) : kt_err_no_memory(err);
		free(path);
	}
	return ret;
}

static int write_parts(struct args *a, struct kt_file *in, struct kt_err *err)
{
	struct kt_copy copy = {
		.progress = progress_of_copy, .progress_data = &a->plan.progress,
	};
	char *path;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < a->plan.nr_parts; i++) {
		path = part_name(a, i);
		ret = path ? write_part(a, in, path, &a->plan.parts[i], &copy, err)
			   : kt_err_no_memory(err);
		free(path);
	}
	progress_end(&a->plan.progress);
	for (i = 0; kt_file_damage(in, i); i++)
		fprintf(stderr, "%s split: %s\n", cmd_program, kt_file_damage(in, i));
	if (ret < 0)
		return ret;
	return i || copy.nr_damaged;
}

/* Seconds as report prints them, "1549.770211880", without rounding */
static int parse_seconds(const char *text, uint64_t *ns, struct kt_err *err)
{
	const char *dot = strchr(text, '.');
	unsigned long long s;
	uint64_t factor = 100000000;
	char *end;

	s = strtoull(text, &end, 10);
	if (end == text || *text == '-' || (*end && *end != '.') || s > UINT64_MAX / 1000000000)
		return cmd_misuse(err, "'%s' is not a time in seconds", text);
	*ns = s * 1000000000;
	for (dot = dot ? dot + 1 : end; *dot; dot++, factor /= 10) {
		if (*dot < '0' || *dot > '9')
			return cmd_misuse(err, "'%s' is not a time in seconds", text);
		*ns += (uint64_t)(*dot - '0') * factor;
	}
	return 0;
}

/* A word that is not a time is the input, as in all commands; trace-cmd's words are times */
static bool take_input(struct args *a, const char *word)
{
	bool is_input = !a->input && !cmd_style->old_words && word &&
			word[strspn(word, "0123456789.")];

	if (is_input)
		a->input = word;
	else if (!a->input)
		a->input = "trace.dat";
	return is_input;
}

static int check(struct args *a, int argc, char **argv, struct kt_err *err)
{
	struct split_plan *p = &a->plan;
	int ret = 0;

	p->length_ns = a->seconds * 1000000000 + a->ms * 1000000 +
		       a->us * 1000;
	if (p->nr_pages)
		p->per_cpu = true;
	if (p->repeat && !p->length_ns && !p->nr_events && !p->nr_pages)
		return cmd_misuse(err, "-r repeats one of -s, -m, -u, -e and -p: none is given");
	if (argc > 2)
		return cmd_misuse(err, "unexpected argument '%s' after the end", argv[2]);
	p->end_ns = UINT64_MAX;
	if (argc > 0)
		ret = parse_seconds(argv[0], &p->start_ns, err);
	if (ret)
		return ret;
	if (argc > 1)
		ret = parse_seconds(argv[1], &p->end_ns, err);
	if (ret)
		return ret;
	if (p->end_ns < p->start_ns)
		return cmd_misuse(err, "the end, %s, is before the start, %s", argv[1], argv[0]);
	return 0;
}

static int check_cpu(const struct args *a, struct kt_file *in, struct kt_err *err)
{
	int nr = kt_file_info(in)->nr_cpus;

	if (a->plan.only_cpu < nr)
		return 0;
	return kt_err_set(err, -ENOENT, "-C: no CPU %d in %s, only 0 to %d", a->plan.only_cpu,
			  a->input, nr - 1);
}

static bool has_text(const struct args *a, const struct kt_file *in)
{
	const struct kt_buffer *b;
	size_t i;

	for (i = 0; (b = kt_file_buffer(in, i)); i++)
		if (b->is_text && is_kept(a, b))
			return true;
	return false;
}

/* A part without events is probably a mistake; trace-cmd writes it. */
static int check_empty(const struct args *a, const struct kt_file *in, struct kt_err *err)
{
	const struct split_plan *p = &a->plan;
	size_t part, s;

	for (part = 0; part < p->nr_parts; part++)
		for (s = 0; s < p->nr_sources; s++)
			if (p->parts[part].from[s] < p->parts[part].to[s])
				return 0;
	if (cmd_style->old_words || has_text(a, in))
		return 0;
	return kt_err_set(err, -ENODATA, "%s has no events there: nothing is written", a->input);
}

static int check_buffers(const struct args *a, struct kt_file *in, struct kt_err *err)
{
	const struct kt_buffer *b;
	size_t i, j;

	for (i = 0; i < a->buffers.nr; i++) {
		for (j = 0; (b = kt_file_buffer(in, j)); j++)
			if (strcmp(b->name, a->buffers.names[i]) == 0)
				break;
		if (!b)
			return kt_err_set(err, -ENOENT, "%s has no buffer '%s'", a->input,
					  a->buffers.names[i]);
	}
	return 0;
}

static int make_plan(struct args *a, struct kt_file *in, struct kt_err *err)
{
	int ret;

	progress_begin(&a->plan.progress, "split");
	ret = split_plan(&a->plan, in, err);
	progress_end(&a->plan.progress);
	return ret;
}

static int split(struct args *a, struct kt_file *in, struct kt_err *err)
{
	int ret = check_buffers(a, in, err);

	if (ret < 0)
		return ret;
	ret = check_cpu(a, in, err);
	if (ret < 0)
		return ret;
	ret = make_plan(a, in, err);
	if (ret < 0)
		return ret;
	ret = check_empty(a, in, err);
	if (ret < 0)
		return ret;
	ret = check_outputs(a, err);
	return ret < 0 ? ret : write_parts(a, in, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	int taken = take_input(a, argc ? argv[0] : NULL);
	int ret = check(a, argc - taken, argv + taken, err);
	struct kt_file *in;

	if (ret < 0)
		return ret;
	in = kt_file_open(a->input, err);
	if (!in)
		return err->code;
	ret = split(a, in, err);
	split_plan_fini(&a->plan);	/* it points into the file */
	kt_file_close(in);
	return ret;
}

static int init(void *args)
{
	struct args *a = args;

	a->plan.only_cpu = -1;
	return 0;
}

static void fini(void *args)
{
	struct args *a = args;

	kt_names_fini(&a->buffers);
}

static const struct cmd_rule rules[] = {
	{ .options = "s m u e p", .alone = true, .always = true },
	{ .options = "top B", .alone = true, .always = true },
	{ .options = "r c", .with = "s m u e p" },
	{ .options = "t", .with = "B" },
	{ .options = "b", .with = "top" },
	RULE_END
};

const struct cmd cmd_split = {
	.name      = "split",
	.summary   = "cut a trace file into smaller files",
	.words     = "[<file>] [<start> [<end>]]",
	.examples  = "  ktrail split 1549.7 1550.2        the events between these times\n"
		     "  ktrail split x.dat -r -s 1         x.dat, a file for each second\n"
		     "  ktrail split -r -e 100000         parts of 100000 events\n"
		     "  ktrail split -B disk -o disk.dat   one buffer of several\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
