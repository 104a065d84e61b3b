/* SPDX-License-Identifier: GPL-2.0-or-later */
/* buffer.c - `ktrail buffer`: sizes and state of the ring buffer of each CPU */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>
#include <ktrail/status.h>

#include "base/json.h"
#include "base/units.h"
#include "cmd/args/noun.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"

struct args {
	struct noun n;		/* first: NOUN_OPTS */
	const char *cpu;
	const char *subbuf, *percent;
};

static const struct cmd_opt opts[] = {
	NOUN_OPTS,
	OPT_STR('c', "cpu", struct args, cpu, "cpu", "only this CPU"),
	OPT_STR(0, "subbuf-size", struct args, subbuf, "kb",
		"set: the size of a sub-buffer"),
	OPT_STR(0, "percent", struct args, percent, "n",
		"set: how full a buffer is when a reader wakes"),
	OPT_END
};

/* -1: all CPUs. */
static int parse_cpu(const struct args *a, int *cpu, struct kt_err *err)
{
	*cpu = -1;
	if (!a->cpu)
		return 0;
	if (!*a->cpu || strlen(a->cpu) > 5 || a->cpu[strspn(a->cpu, "0123456789")])
		return cmd_misuse(err, "'%s' is not a CPU number", a->cpu);
	*cpu = atoi(a->cpu);
	return 0;
}

/* ---- show ---- */

/* Values that only one CPU's stats contain */
struct cpu_row {
	int cpu;
	int64_t kb;
	struct kt_cpu_stats stats;
};

static int read_row(const struct noun *n, int cpu, struct cpu_row *r, struct kt_err *err)
{
	r->cpu = cpu;
	r->kb = kt_instance_buffer_size(n->inst, cpu, err);
	return r->kb < 0 ? (int)r->kb : kt_cpu_stats_read(n->inst, cpu, &r->stats, err);
}

static void add_to_columns(struct columns *c, const struct cpu_row *r)
{
	char text[32];

	columns_addf(c, "%d", r->cpu);
	columns_add(c, units_format_size(r->kb * 1024, text));
	columns_addf(c, "%" PRIu64, r->stats.sum.entries);
	columns_add(c, units_format_size(r->stats.sum.bytes, text));
	columns_addf(c, "%" PRIu64, r->stats.sum.overrun + r->stats.sum.commit_overrun +
		     r->stats.sum.dropped);
	columns_addf(c, "%" PRIu64, r->stats.sum.read);
	if (r->stats.has_age && r->stats.sum.entries)
		columns_add(c, units_format_time(r->stats.age_ns, text));
	else
		columns_add(c, "-");
}

static void add_to_json(struct json *j, const struct cpu_row *r)
{
	json_open(j, NULL, '{');
	json_int(j, "cpu", r->cpu);
	json_int(j, "kb", r->kb);
	json_uint(j, "entries", r->stats.sum.entries);
	json_uint(j, "bytes", r->stats.sum.bytes);
	json_uint(j, "overrun", r->stats.sum.overrun);
	json_uint(j, "commit_overrun", r->stats.sum.commit_overrun);
	json_uint(j, "dropped", r->stats.sum.dropped);
	json_uint(j, "read", r->stats.sum.read);
	if (r->stats.has_age && r->stats.sum.entries)
		json_uint(j, "oldest_age_ns", r->stats.age_ns);
	json_close(j, '}');
}

static void print_common(const struct noun *n)
{
	static const struct { const char *file, *text; } files[] = {
		{ "buffer_subbuf_size_kb", "sub-buffers of %s KiB" },
		{ "buffer_percent", "readers wake at %s %%" },
	};
	bool any = false;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char *value = kt_instance_read(n->inst, files[i].file, NULL);

		if (value) {
			fputs(any ? ", " : "", stdout);
			printf(files[i].text, value);
			any = true;
		}
		free(value);
	}
	if (any)
		putchar('\n');
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	struct columns c = { .head = "CPU>|SIZE>|EVENTS>|FILLED>|LOST>|READ>|OLDEST>" };
	const struct args *a = args;
	struct json j = JSON_INIT;
	int *cpus = NULL, nr, i, cpu, ret;
	struct cpu_row row;

	ret = noun_check_words(argc, argv, 0, "", err);
	if (ret == 0)
		ret = parse_cpu(a, &cpu, err);
	if (ret < 0)
		return ret;
	nr = kt_instance_cpus(a->n.inst, &cpus, err);
	if (nr < 0)
		return nr;
	if (nr > 0 && cpu >= 0) {
		cpus[0] = cpu;
		nr = 1;
	}
	json_open(&j, NULL, '[');
	for (i = 0; i < nr; i++) {
		ret = read_row(&a->n, cpus[i], &row, err);
		if (ret < 0)
			goto out;
		if (a->n.json)
			add_to_json(&j, &row);
		else
			add_to_columns(&c, &row);
	}
	json_close(&j, ']');
	ret = a->n.json ? json_print(&j) : columns_print(&c, NULL);
	if (ret == 0 && !a->n.json)
		print_common(&a->n);
out:
	columns_fini(&c);
	str_fini(&j.text);
	free(cpus);
	return ret;
}

/* ---- set ---- */

static int set_subbuf(const struct args *a, struct kt_err *err)
{
	uint64_t bytes;

	if (units_parse_size(a->subbuf, 1024, &bytes, NULL) < 0 || bytes < 1024)
		return cmd_misuse(err, "--subbuf-size: '%s' is not a size", a->subbuf);
	return kt_instance_set_subbuf_size(a->n.inst, bytes / 1024, err);
}

static int set_percent(const struct args *a, struct kt_err *err)
{
	uint64_t percent;

	if (units_parse_u64(a->percent, &percent, NULL) < 0 || percent > 100)
		return cmd_misuse(err, "--percent: '%s' is not 0 to 100", a->percent);
	return kt_instance_set_buffer_percent(a->n.inst, percent, err);
}

static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	uint64_t bytes = 0;
	int cpu, ret;

	if (!argc && !a->subbuf && !a->percent)
		return cmd_misuse(err, "the size is missing");
	ret = parse_cpu(a, &cpu, err);
	if (ret < 0)
		return ret;
	if (argc > 1)
		return cmd_misuse(err, "unexpected argument '%s'", argv[1]);
	if (argc && units_parse_size(argv[0], 1024, &bytes, err) < 0)
		return CMD_MISUSE;
	if (argc && bytes < 1024)
		return cmd_misuse(err, "'%s' is less than one KiB", argv[0]);
	ret = a->subbuf ? set_subbuf(a, err) : 0;
	if (ret == 0 && a->percent)
		ret = set_percent(a, err);
	return ret < 0 || !argc ? ret :
	       kt_instance_set_buffer_size(a->n.inst, cpu, bytes / 1024, err);
}

/* ---- drain ---- */

/* Print what trace_pipe has now, without waiting for more: this removes it from the buffer. */
static int drain(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	char file[64] = "trace_pipe", buf[65536], *path;
	int cpu, fd, ret;
	ssize_t got;

	ret = noun_check_words(argc, argv, 0, "", err);
	if (ret == 0)
		ret = parse_cpu(a, &cpu, err);
	if (ret < 0)
		return ret;
	if (cpu >= 0)
		snprintf(file, sizeof(file), "per_cpu/cpu%d/trace_pipe", cpu);
	path = kt_instance_path(a->n.inst, file);
	fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	if (fd < 0) {
		ret = kt_err_set(err, path ? -errno : -ENOMEM, "cannot read %s: %s", file,
				 errno == ENOENT && cpu >= 0 ? "there is no such CPU"
							     : strerror(errno));
		free(path);
		return ret;
	}
	free(path);
	while (ret == 0 && (got = read(fd, buf, sizeof(buf))) > 0)
		ret = safe_write(buf, got, isatty(STDOUT_FILENO));
	if (ret == 0 && got < 0 && errno != EAGAIN)
		ret = kt_err_set(err, -errno, "cannot read %s: %s", file, strerror(errno));
	close(fd);
	return ret == -EPIPE ? 0 : ret;
}

static const struct verb verbs[] = {
	{ "show", "list", "", "show the size and content of each CPU's buffer", show },
	{ "set", NULL, "[<size>]",
	  "size of a CPU's buffer, or of all", set },
	{ "drain", "read", "", "print the events in the buffer and remove them", drain },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

static const struct cmd_rule rules[] = {
	VERB_RULE_JSON
	{ .options = "subbuf-size percent", .with = "@set" },
	RULE_END
};

const struct cmd cmd_buffer = {
	.name      = "buffer",
	.summary   = "show, resize and drain the ring buffers",
	.verbs     = verbs,
	.examples  =
		"  ktrail buffer                  content, losses and age for each CPU\n"
		     "  ktrail buffer set 64M -B disk\n"
		     "  ktrail buffer set 4M -c 3       CPU 3 only\n"
		     "  ktrail buffer drain -c 0       print the events of CPU 0, remove them\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
