/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.c - `ktrail latency`: distributions of durations */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd/args/input.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "latency.h"

#define TOP_OF_ALL 5		/* rows of each kind when no kind was named */
#define TOP        20

static int take_kinds(void *args, const char *value, struct kt_err *err)
{
	return subjects_take(&((struct latency_args *)args)->subjects, value, err);
}

static int take_step(struct latency_args *a, const char *value, struct kt_err *err)
{
	if (a->nr_steps == KT_LATENCY_STEPS - 1)
		return cmd_misuse(err, "at most %d events in a chain", KT_LATENCY_STEPS);
	a->steps[a->nr_steps++] = value;
	return 0;
}

static int take_from(void *args, const char *value, struct kt_err *err)
{
	struct latency_args *a = args;

	if (a->nr_steps)
		return cmd_misuse(err, "--from comes once, before --via");
	return take_step(a, value, err);
}

static int take_via(void *args, const char *value, struct kt_err *err)
{
	struct latency_args *a = args;

	if (!a->nr_steps)
		return cmd_misuse(err, "--via comes after --from");
	return take_step(a, value, err);
}

/* Also for the commands that measure some kinds only */
#define SHARED_OPTS \
	OPT_STR ('i', "input", struct latency_args, input, "file", \
		"read this file instead of trace.dat"), \
	CHOOSE_OPTS_OF("only of these tasks", RARE) \
	OPT_STR (0, "sort", struct latency_args, sort, "by", \
		 "max, total, count, avg, p50, p90 …"), \
	OPT_U64 (0, "top", struct latency_args, top, "n", "print n rows of each kind; 0: all"), \
	OPT_U64 (0, "worst", struct latency_args, worst, "n", "list the n longest of each kind"), \
	OPT_BOOL(0, "hist", struct latency_args, hist, "print a histogram of each kind"), \
	OPT_BOOL(0, "map", struct latency_args, map, \
		 "print a heat map over the time of the trace"), \
	OPT_STR (0, "svg", struct latency_args, svg, "file", \
		 "write heat maps as a picture", RARE), \
	OPT_BOOL(0, "wide", struct latency_args, wide, "print all columns, however wide", RARE), \
	OPT_BOOL(0, "json", struct latency_args, json, "print JSON"),

static const struct cmd_opt opts[] = {
	OPT_CALL('k', "kind", take_kinds, "kinds",
		 "only these: irq,'syscall read'; see `-k help`"),
	OPT_CALL(0, "from", take_from, "event", "begin at this event: 'EVENT' or 'EVENT: expr'"),
	OPT_CALL(0, "via", take_via, "event", "then this event; may be repeated", RARE),
	OPT_STR (0, "to", struct latency_args, to, "event", "end at this event"),
	OPT_STR (0, "key", struct latency_args, key, "fields",
		 "fields that join them: pid=next_pid, dev,sector"),
	OPT_BOOL(0, "by-key", struct latency_args, by_key, "print a row for each key", RARE),
	SHARED_OPTS
	OPT_END
};

/* ---- rows in order ---- */

static const char *const sorts[] = {
	"max", "total", "count", "avg", "p50", "p90", "p99", "p99.9", "name", NULL
};

static uint64_t value_of(const struct kt_latency_row *r, const char *by)
{
	if (strcmp(by, "total") == 0)
		return r->sum;
	if (strcmp(by, "count") == 0)
		return r->count;
	if (strcmp(by, "avg") == 0)
		return r->count ? r->sum / r->count : 0;
	if (strcmp(by, "p50") == 0)
		return r->p50;
	if (strcmp(by, "p90") == 0)
		return r->p90;
	if (strcmp(by, "p99") == 0)
		return r->p99;
	return strcmp(by, "p99.9") == 0 ? r->p999 : r->max;
}

static int compare(const void *x, const void *y, void *by)
{
	const struct kt_latency_row *a = x, *b = y;
	uint64_t va = value_of(a, by), vb = value_of(b, by);

	if (strcmp(by, "name") != 0 && va != vb)
		return va < vb ? 1 : -1;
	return strcmp(a->name, b->name);
}

bool latency_part(const struct latency_args *a, const struct kt_latency_table *table,
		  enum kt_latency_kind kind, struct latency_part *part)
{
	size_t all = kt_latency_table_nr(table), i;
	struct kt_latency_row row;

	*part = (struct latency_part){ .kind = kind };
	part->rows = calloc(all + 1, sizeof(*part->rows));
	if (!part->rows)
		return false;
	for (i = 0; i < all; i++) {
		kt_latency_table_row(table, i, &row);
		if (row.kind != kind)
			continue;
		part->cut += row.cut;
		if (row.count)
			part->rows[part->nr++] = row;
	}
	qsort_r(part->rows, part->nr, sizeof(*part->rows), compare, (void *)a->sort);
	part->shown = a->top && a->top < part->nr ? a->top : part->nr;
	return true;
}

/* ---- measuring ---- */

static bool counts(void *data, const struct kt_record *rec)
{
	const struct latency_args *a = data;

	return choose_lets_pass(&a->choose, a->trace, rec);
}

static bool chosen(void *data, size_t file, int pid)
{
	const struct latency_args *a = data;

	return choose_has_task(&a->choose, a->trace, file, pid);
}

void latency_add_options(struct str *line, enum kt_latency_kind kind)
{
	const char *const *events;

	for (events = kt_latency_kind_events(kind); *events; events++)
		str_addf(line, "%s%s", **events == '-' ? " " : " -e ", *events);
}

/* Kinds that were named but have no events in the trace: suggest what to record */
static int check_recorded(const struct latency_args *a, struct kt_trace *t, struct kt_err *err)
{
	struct str line = STR_INIT;
	unsigned int kind;
	int ret;

	for (kind = 0; kind < KT_LATENCY_PAIR; kind++)
		if (a->subjects.wanted & 1u << kind && !kt_latency_kind_is_recorded(t, kind))
			break;
	if (kind == KT_LATENCY_PAIR)
		return 0;
	latency_add_options(&line, kind);
	ret = kt_err_set(err, -ENODATA, "%s has no events of '%s': record them with `%s record%s`",
			 a->input, kt_latency_kind_name(kind), cmd_program, line.buf);
	str_fini(&line);
	return ret;
}

static unsigned int all_recorded(struct kt_trace *t)
{
	unsigned int kinds = 0, kind;

	for (kind = 0; kind < KT_LATENCY_PAIR; kind++)
		if (kt_latency_kind_is_recorded(t, kind))
			kinds |= 1u << kind;
	return kinds;
}

static int prepare(struct latency_args *a, struct kt_trace *t, struct kt_err *err)
{
	int ret;

	/* Such a command needs only one of its kinds. */
	if (a->is_preset && a->subjects.wanted & all_recorded(t))
		a->subjects.wanted &= all_recorded(t);
	ret = check_recorded(a, t, err);
	if (ret < 0)
		return ret;
	a->trace = t;
	a->opts = (struct kt_latency_opts){
		.kinds = a->subjects.wanted ? a->subjects.wanted : all_recorded(t),
		.by_key = a->by_key,
		.subjects = a->subjects.at, .nr_subjects = a->subjects.nr,
		.map = a->map || a->svg ? &a->window : NULL, .worst = a->worst, .data = a,
	};
	ret = !a->subjects.pair ? 0 :
	      kt_latency_subject_steps(a->subjects.pair, t, &a->opts.steps, &a->opts.nr_steps, err);
	if (ret < 0)
		return ret;
	ret = choose_prepare(t, &a->choose, err);
	if (ret < 0)
		return ret;
	if (choose_chooses(&a->choose))
		a->opts.counts = counts;
	if (a->choose.pids || a->choose.comms)
		a->opts.chosen = chosen;
	ret = a->map || a->svg ? choose_find_span(kt_trace_stream(t), &a->window, err) : 0;
	return ret < 0 ? ret : 0;
}

static int nothing(const struct latency_args *a, struct kt_err *err)
{
	char asked[80];

	if (*choose_asked(&a->choose, asked, sizeof(asked)))
		return kt_err_set(err, -ENODATA, "nothing%s in %s can be measured", asked,
				  a->input);
	return kt_err_set(err, -ENODATA, "nothing in %s can be measured: it has neither "
			  "scheduling nor interrupts, system calls or the like", a->input);
}

static int measure(struct kt_trace *t, struct latency_args *a, struct kt_err *err)
{
	struct kt_latency_table *table;
	int ret = prepare(a, t, err);

	if (ret < 0)
		return ret;
	table = kt_latency_table_create(t, &a->opts, err);
	if (!table)
		return kt_err_code(err, -ENOMEM);
	ret = choose_run(t, &a->choose, 0,
			 (struct kt_analysis *[]){ kt_latency_table_analysis(table) }, 1, err);
	if (ret < 0)
		goto out;
	if (!a->json && !a->subjects.wanted && !kt_latency_table_nr(table)) {
		ret = latency_print_report(t);
		if (ret == -ENODATA)
			nothing(a, err);
		goto out;
	}
	ret = a->json ? latency_print_json(a, table) : latency_print(a, table);
	if (ret == 0 && a->svg)
		ret = latency_write_svg(a, table, err);
out:
	kt_latency_table_destroy(table);
	return ret == -EPIPE ? 0 : ret;
}

static int check_words(struct latency_args *a, int argc, char **argv, struct kt_err *err)
{
	int ret = input_choose(&a->input, argc, argv, err);

	if (ret < 0)
		return ret;
	ret = cmd_sort(a->sort, sorts, err);
	if (ret < 0)
		return ret;
	ret = 0;
	if (!a->nr_steps != !a->to)
		return cmd_misuse(err, "--from and --to go together");
	if (a->to) {
		a->steps[a->nr_steps++] = a->to;
		ret = subjects_add(&a->subjects,
				   kt_latency_subject_pair(a->steps, a->nr_steps, a->key, err),
				   err);
	}
	if (a->top == UINT64_MAX)
		a->top = a->subjects.wanted ? TOP : TOP_OF_ALL;
	return ret;
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct latency_args *a = data;
	struct kt_trace *t;
	int ret = check_words(a, argc, argv, err);

	if (ret < 0)
		return ret;
	if (a->subjects.list)
		return subjects_list(err);
	t = input_open(a->input, err);
	ret = t ? measure(t, a, err) : kt_err_code(err, -ENOMEM);
	kt_trace_destroy(t);
	return ret;
}

static int init(void *data)
{
	struct latency_args *a = data;

	a->choose.command = "latency";
	a->choose.by_end = a->choose.by_task = true;
	a->sort = "max";
	a->top = UINT64_MAX;
	return 0;
}

static void fini(void *data)
{
	struct latency_args *a = data;

	subjects_fini(&a->subjects);
	choose_fini(&a->choose);
}

static const struct cmd_rule rules[] = {
	{ .options = "key by-key via to", .with = "from" },
	{ .options = "by-key", .with = "key" },
	RULE_END
};

const struct cmd cmd_latency = {
	.name      = "latency",
	.summary   = "show how long waits, interrupts, system calls and the like took",
	.words     = "[<file>]",
	.examples  = "  ktrail latency                                all that was recorded\n"
		     "  ktrail latency -k 'wakeup prio<100' --worst 5 real-time tasks that waited\n"
		     "  ktrail latency -k syscall --sort total        like strace -c\n"
		     "  ktrail latency --from block_rq_insert --to block_rq_issue "
		     "--key dev,sector\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct latency_args),
	.options_anywhere = true,
	.paged     = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};

/* ---- the same for some kinds, under names known from other tools ---- */

static const struct cmd_opt preset_opts[] = {
	SHARED_OPTS
	OPT_END
};

static int init_preset(void *data, const char *command, unsigned int kinds)
{
	struct latency_args *a = data;

	init(a);
	a->choose.command = command;
	a->subjects.wanted = kinds;
	a->is_preset = true;
	a->sort = "total";
	return 0;
}

#define PRESET(command, kinds, about, shown)						\
static int init_##command(void *data)							\
{											\
	return init_preset(data, #command, kinds);					\
}											\
const struct cmd cmd_##command = {							\
	.name = #command, .summary = about, .words = "[<file>]", .examples = shown,	\
	.opts = preset_opts,							\
	.args_size = sizeof(struct latency_args), .paged = true,			\
	.options_anywhere = true,							\
	.init = init_##command, .run = run, .fini = fini,				\
}

#define KIND(name) (1u << KT_LATENCY_##name)

PRESET(irq, KIND(IRQ) | KIND(SOFTIRQ) | KIND(SOFTIRQ_WAIT) | KIND(NMI) | KIND(WORK) |
	    KIND(WORK_WAIT),
       "show how long interrupts, softirqs and work items took",
       "  ktrail irq                    all that was recorded\n"
       "  ktrail irq --worst 3          and the longest\n"
       "  ktrail irq --cpu 1 --hist     of one CPU, with histograms\n");
PRESET(lock, KIND(LOCK),
       "show which locks were contended, and for how long",
       "  ktrail lock                   by total wait\n"
       "  ktrail lock --worst 3         and what to look at\n");
PRESET(syscalls, KIND(SYSCALL),
       "show how often system calls were made, how long they took, which failed",
       "  ktrail syscalls --comm make   of one program\n"
       "  ktrail syscalls --sort max    the longest first\n");
