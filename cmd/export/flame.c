/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame.c - `ktrail flame`: stacks and calls of a trace as a flame graph */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/export.h>
#include <ktrail/views.h>

#include "base/json.h"
#include "base/str.h"
#include "base/units.h"
#include "cmd/args/choose.h"
#include "cmd/args/input.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"
#include "cmd/print/pager.h"
#include "flame_top.h"

#define LEAST 1.0			/* percent: smaller frames are left out of the text */
#define DEEPEST 64			/* the text is not indented further */

struct args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *input, *output, *kind, *sort;
	bool folded, json, force, by_count;
	uint64_t least;			/* percent; UINT64_MAX: LEAST */
	uint64_t top;			/* UINT64_MAX: print a tree */
	enum flame_top_order order;	/* @sort */

	struct kt_trace *trace;
	struct kt_flame *flame;
	enum kt_flame_kind kind_shown;
	bool timed;			/* frames are times, not counts */
};

static const char *const kinds[] = { "calls", "stacks", "off-cpu", "wakeups", NULL };
static const char *const sorts[] = { "own", "total", "name", NULL };	/* enum flame_top_order */

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct args, input, "file", "read this file instead of trace.dat"),
	OPT_STR ('k', "kind", struct args, kind, "kind", "calls, stacks, off-cpu or wakeups"),
	OPT_STR ('o', "output", struct args, output, "file", "write this: NAME.svg, NAME.folded"),
	OPT_BOOL('f', "force", struct args, force, "replace an existing file"),
	CHOOSE_OPTS_OF("only these tasks", )
	OPT_BOOL(0, "count", struct args, by_count, "count calls instead of their time"),
	OPT_U64 (0, "least", struct args, least, "percent", "of the text: omit smaller frames"),
	OPT_U64 (0, "top", struct args, top, "n", "a list of functions instead, 0: all of them"),
	OPT_STR (0, "sort", struct args, sort, "by", "with --top: own, the default, total or name",
		 RARE),
	OPT_BOOL(0, "folded", struct args, folded, "print a line for each stack, for other tools"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_END
};

/* ---- the trace ---- */

static bool counts(void *data, const struct kt_record *rec)
{
	const struct args *a = data;

	return choose_lets_pass(&a->choose, a->trace, rec);
}

static bool chosen(void *data, size_t file, int pid)
{
	const struct args *a = data;

	return choose_has_task(&a->choose, a->trace, file, pid);
}

static int choose_kind(const struct args *a, enum kt_flame_kind *kind, struct kt_err *err)
{
	size_t i;

	*kind = kt_flame_guess_trace(a->trace);
	if (!a->kind)
		return 0;
	for (i = 0; kinds[i] && strcmp(kinds[i], a->kind) != 0; i++)
		;
	*kind = (enum kt_flame_kind)i;
	return kinds[i] ? 0 : cmd_misuse(err, "no kind '%s', only: calls stacks off-cpu wakeups",
					 a->kind);
}

/* Options that would help, by what is missing */
static int nothing(const struct args *a, enum kt_flame_kind kind, struct kt_err *err)
{
	static const char *const wanted[] = {
		"-p function_graph` or `-e raw_syscalls", "-T -e EVENT",
		"-T -e sched:sched_switch -e sched:sched_waking",
		"-T -e sched:sched_switch -e sched:sched_waking",
	};

	const char *what = kind == KT_FLAME_OFF_CPU ? "times off the CPU" :
			   kt_flame_kind_name(kind);
	char asked[80];

	if (*choose_asked(&a->choose, asked, sizeof(asked)))
		return kt_err_set(err, -ENODATA, "%s has no %s%s", a->input, what, asked);
	return kt_err_set(err, -ENODATA, "%s has no %s: record them with `%s record %s`",
			  a->input, what, cmd_program, wanted[kind]);
}

static uint64_t all_of(const struct args *a, const struct kt_flame_frame *f)
{
	return a->timed ? f->time : f->count;
}

static int read_trace(struct args *a, struct kt_err *err)
{
	struct kt_flame_opts o = { .window = { 0, UINT64_MAX }, .data = a };
	struct kt_flame_frame all;
	int ret = choose_kind(a, &o.kind, err);

	if (ret == 0)
		ret = choose_prepare(a->trace, &a->choose, err);
	if (ret < 0)
		return ret;
	if (a->choose.nr_windows)
		o.window = (struct kt_window){ a->choose.windows[0].from,
					       a->choose.windows[a->choose.nr_windows - 1].until };
	o.counts = choose_chooses(&a->choose) ? counts : NULL;
	o.chosen = a->choose.pids || a->choose.comms ? chosen : NULL;
	a->flame = kt_flame_create_for(a->trace, &o, err);
	if (!a->flame)
		return kt_err_code(err, -ENOMEM);
	ret = choose_run(a->trace, &a->choose, 0,
			 (struct kt_analysis *[]){ kt_flame_analysis(a->flame) }, 1, err);
	a->kind_shown = o.kind;
	a->timed = kt_flame_is_timed(a->flame) && !a->by_count;
	kt_flame_order(a->flame, !a->timed);
	kt_flame_frame(a->flame, 0, &all);
	if (ret < 0)
		return ret;
	if (!all_of(a, &all))
		return nothing(a, o.kind, err);
	if (kt_flame_is_full(a->flame))
		fprintf(stderr, "%s flame: too many different stacks: the rarest ones are added "
			"to their callers\n", cmd_program);
	return 0;
}

/* ---- forms of output ---- */

static uint64_t own_of(const struct args *a, const struct kt_flame_frame *f)
{
	return a->timed ? f->own_time : f->own_count;
}

static int add_folded(const struct args *a, struct str *s)
{
	struct kt_out *out = kt_out_create();
	struct kt_flame_frame f;
	uint32_t i;

	for (i = 1; out && kt_flame_frame(a->flame, i, &f); i++) {
		if (!own_of(a, &f))
			continue;
		kt_out_reset(out);
		kt_flame_path(a->flame, i, out);
		str_addn(s, kt_out_data(out), kt_out_len(out));
		str_addf(s, " %" PRIu64 "\n", own_of(a, &f));
	}
	kt_out_destroy(out);
	return out ? 0 : -ENOMEM;
}

static void add_text_line(const struct args *a, const struct kt_flame_frame *f, uint64_t whole,
			  unsigned int depth, struct str *s)
{
	char value[32];

	if (a->timed)
		units_format_time(all_of(a, f), value);
	else
		snprintf(value, sizeof(value), "%" PRIu64, all_of(a, f));
	str_addf(s, "%5.1f%% %9s %*s", 100.0 * (double)all_of(a, f) / (double)whole, value,
		 (int)(depth < DEEPEST ? depth : DEEPEST) + 1, "");
	str_add_escaped(s, f->name, strlen(f->name));
	str_addc(s, '\n');
}

/* The frame after @i, callers first; KT_FLAME_NONE at the end. @into: also those below @i */
static uint32_t next_frame(const struct args *a, uint32_t i, bool into, unsigned int *depth)
{
	struct kt_flame_frame f;

	kt_flame_frame(a->flame, i, &f);
	if (into && f.first != KT_FLAME_NONE) {
		++*depth;
		return f.first;
	}
	while (f.next == KT_FLAME_NONE && f.parent != KT_FLAME_NONE) {
		--*depth;
		kt_flame_frame(a->flame, f.parent, &f);
	}
	return f.next;
}

/* A line for each frame, below its caller; small ones are left out. */
static void add_text(const struct args *a, struct str *s)
{
	double least = a->least == UINT64_MAX ? LEAST : (double)a->least;
	struct kt_flame_frame f;
	unsigned int depth = 0;
	uint64_t whole;
	bool is_large;
	uint32_t i;

	kt_flame_frame(a->flame, 0, &f);
	whole = all_of(a, &f) ? all_of(a, &f) : 1;
	str_addf(s, "%6s %9s  %s\n", "SHARE", a->timed ? "TIME" : "COUNT", "TASK, CALLS");
	for (i = next_frame(a, 0, true, &depth); i != KT_FLAME_NONE;
	     i = next_frame(a, i, is_large, &depth)) {
		kt_flame_frame(a->flame, i, &f);
		is_large = (double)all_of(a, &f) * 100 >= least * (double)whole;
		if (is_large)
			add_text_line(a, &f, whole, depth, s);
	}
}

/* All frames, callers first, and the place of each in this order. New (free both), or NULL */
static struct kt_flame_frame *list_frames(const struct args *a, size_t *nr, uint32_t **place)
{
	size_t all = kt_flame_nr(a->flame);
	struct kt_flame_frame *list = calloc(all, sizeof(*list));
	unsigned int depth = 0;
	uint32_t i;

	*nr = 0;
	*place = calloc(all, sizeof(**place));
	for (i = 0; list && *place && i != KT_FLAME_NONE; i = next_frame(a, i, true, &depth)) {
		kt_flame_frame(a->flame, i, &list[*nr]);
		(*place)[i] = (uint32_t)(*nr)++;
	}
	return list && *place ? list : NULL;
}

static int print_json(const struct args *a)
{
	struct kt_flame_frame *list;
	struct json j = JSON_INIT;
	uint32_t *place;
	size_t nr, i;

	list = list_frames(a, &nr, &place);
	json_open(&j, NULL, '{');
	json_str(&j, "unit", a->timed ? "ns" : "count");
	json_open(&j, "frames", '[');
	for (i = 0; list && i < nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "name", list[i].name);
		if (i)
			json_uint(&j, "parent", place[list[i].parent]);
		json_uint(&j, "total", all_of(a, &list[i]));
		json_uint(&j, "own", own_of(a, &list[i]));
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	j.text.failed |= !list;
	free(place);
	free(list);
	return json_print(&j);
}

static int print_text(const struct args *a, struct kt_err *err)
{
	struct str s = STR_INIT;
	int ret = 0;

	if (a->folded)
		ret = add_folded(a, &s);
	else
		add_text(a, &s);
	if (s.failed || ret < 0)
		ret = kt_err_no_memory(err);
	if (ret == 0)
		ret = pager_write(NULL, s.buf, s.len);
	str_fini(&s);
	return ret == -EPIPE ? 0 : ret;
}

static char *note_of(const struct args *a, const struct kt_flame_frame *f, uint64_t whole)
{
	char all[32], own[32], *note;
	int len;

	if (a->timed)
		len = asprintf(&note, "%.2f%%, %s, itself %s, %" PRIu64 " times",
			       100.0 * (double)f->time / (double)whole,
			       units_format_time(f->time, all), units_format_time(f->own_time, own),
			       f->count);
	else
		len = asprintf(&note, "%.2f%%, %" PRIu64 " times, itself %" PRIu64,
			       100.0 * (double)f->count / (double)whole, f->count, f->own_count);
	return len < 0 ? NULL : note;
}

static char *draw(const struct args *a, struct kt_err *err)
{
	struct str title = STR_INIT;
	struct kt_picture_frame *frames;
	struct kt_flame_frame *list;
	uint32_t *place;
	uint64_t whole;
	char *svg = NULL;
	size_t nr, i;

	list = list_frames(a, &nr, &place);
	frames = calloc(nr + 1, sizeof(*frames));
	str_addf(&title, "%s: %s by %s", a->input, kt_flame_kind_name(a->kind_shown),
		 a->timed ? "time" : "count");
	whole = list && all_of(a, &list[0]) ? all_of(a, &list[0]) : 1;
	for (i = 0; list && frames && i < nr; i++)
		frames[i] = (struct kt_picture_frame){
			.name = list[i].name, .parent = i ? place[list[i].parent] : 0,
			.value = (double)all_of(a, &list[i]),
			.note = note_of(a, &list[i], whole),
		};
	if (list && frames && !title.failed)
		svg = kt_picture_flame(&(struct kt_picture_flame){
			.title = title.buf, .colour = KT_PICTURE_WARM, .frames = frames, .nr = nr,
		}, err);
	else
		kt_err_no_memory(err);
	for (i = 0; frames && i < nr; i++)
		free((char *)frames[i].note);
	str_fini(&title);
	free(frames);
	free(place);
	free(list);
	return svg;
}

static int write_output(const struct args *a, struct kt_err *err)
{
	char *svg = a->folded ? NULL : draw(a, err);
	struct str s = STR_INIT;
	int ret = a->folded || svg ? 0 : kt_err_code(err, -ENOMEM);

	if (ret == 0 && a->folded)
		ret = add_folded(a, &s);
	if (svg)
		str_add(&s, svg);
	free(svg);
	if (ret == 0)
		ret = s.failed ? -ENOMEM : output_put_text(a->output, &s);
	str_fini(&s);
	return ret < 0 ? kt_err_set(err, ret, "cannot write %s: %s", a->output, strerror(-ret)) : 0;
}

/* ---- the command ---- */

/* The name decides the form; traces are never replaced, other existing files only with -f. */
static int check_output(struct args *a, struct kt_err *err)
{
	int ret;

	if (!a->output)
		return 0;
	if (str_ends(a->output, ".folded") || str_ends(a->output, ".txt"))
		a->folded = true;
	else if (!a->folded && !str_ends(a->output, ".svg"))
		return cmd_misuse(err, "-o %s: a name that ends with .svg or .folded is expected",
				  a->output);
	ret = output_check(a->output, a->force, err);
	return ret < 0 ? ret : output_check_text(a->output, err);
}

static int put(struct args *a, struct kt_err *err)
{
	const struct flame_top top = { a->order, a->top, a->timed, a->json };
	int ret;

	if (a->output)
		return write_output(a, err);
	if (a->top != UINT64_MAX) {
		ret = flame_top_print(a->flame, &top);
		return ret == -ENOMEM ? kt_err_no_memory(err) : ret;
	}
	return a->json ? print_json(a) : print_text(a, err);
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct args *a = data;
	int ret = input_choose(&a->input, argc, argv, err);

	if (ret < 0)
		return ret;
	ret = cmd_sort(a->sort, sorts, err);
	if (ret < 0)
		return ret;
	a->order = (enum flame_top_order)ret;
	ret = check_output(a, err);
	if (ret < 0)
		return ret;
	a->trace = input_open(a->input, err);
	ret = a->trace ? read_trace(a, err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = put(a, err);
	kt_flame_destroy(a->flame);
	kt_trace_destroy(a->trace);
	return ret;
}

static int init(void *data)
{
	struct args *a = data;

	a->choose.command = "flame";
	a->choose.by_end = a->choose.by_task = true;
	a->least = a->top = UINT64_MAX;
	a->sort = "own";
	return 0;
}

static void fini(void *data)
{
	choose_fini(data);
}

static const struct cmd_rule rules[] = {
	{ .options = "folded json", .alone = true },
	{ .options = "json least top", .without = "output" },
	{ .options = "least", .without = "folded json top" },
	{ .options = "top", .without = "folded" },
	{ .options = "sort", .with = "top" },
	RULE_END
};

const struct cmd cmd_flame = {
	.name      = "flame",
	.summary   = "draw stacks and calls as a flame graph",
	.words     = "[<file>]",
	.examples  = "  ktrail flame                              a tree of what was recorded\n"
		     "  ktrail flame -o cpu.svg                   for a browser: zoom, search\n"
		     "  ktrail flame --top 20                     the functions that took longest\n"
		     "  ktrail flame -k off-cpu --comm make       where tasks slept and waited\n"
		     "  ktrail flame --folded | flamegraph.pl >x.svg\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.paged     = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
