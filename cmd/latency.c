/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.c - `ktrail latency`: how long things took, as distributions */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd.h"
#include "columns.h"
#include "input.h"
#include "latency.h"
#include "rules.h"

#define TOP_OF_ALL 5		/* rows of each kind when no kind was named */
#define TOP        20

static int take_kind(void *args, const char *value, struct kt_err *err)
{
	struct latency_args *a = args;
	const char *names[KT_LATENCY_KINDS + 1] = { NULL }, *near;
	char *copy = strdup(value), *rest = copy, *word;
	unsigned int kind;
	int ret = copy ? 0 : kt_err_set(err, -ENOMEM, "no memory for the options");

	for (kind = 0; kind < KT_LATENCY_PAIR; kind++)
		names[kind] = kt_latency_kind_name(kind);
	a->list_kinds |= strcmp(value, "help") == 0;
	while (ret == 0 && !a->list_kinds && (word = strsep(&rest, ","))) {
		for (kind = 0; kind < KT_LATENCY_PAIR && strcmp(word, names[kind]) != 0; kind++)
			;
		if (kind < KT_LATENCY_PAIR) {
			a->wanted |= 1u << kind;
			continue;
		}
		near = str_nearest(word, names);
		ret = near ? cmd_misuse(err, "'%s' is not a kind of latency; did you mean '%s'?",
					word, near)
			   : cmd_misuse(err, "'%s' is not a kind of latency; `-k help` lists them",
					word);
	}
	free(copy);
	return ret;
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

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct latency_args, input, "file", "read this, not trace.dat"),
	OPT_CALL('k', "kind", take_kind, "kinds", "only these: wakeup,irq …; `-k help` lists all"),
	OPT_CALL(0, "from", take_from, "event", "from this event: 'EVENT' or 'EVENT: expr' …"),
	OPT_CALL(0, "via", take_via, "event", "… then this one; may be repeated …"),
	OPT_STR (0, "to", struct latency_args, to, "event", "… until this one"),
	OPT_STR (0, "key", struct latency_args, key, "fields",
		 "that join them: pid, pid=next_pid, dev,sector"),
	OPT_BOOL(0, "by-key", struct latency_args, by_key, "a row for each key"),
	CHOOSE_OPTS
	OPT_STR (0, "sort", struct latency_args, sort, "by",
		 "max (default), total, count, avg, p50, p90 …"),
	OPT_U64 (0, "top", struct latency_args, top, "n", "so many rows of each kind; 0: all"),
	OPT_U64 (0, "worst", struct latency_args, worst, "n", "list the n longest of each kind"),
	OPT_BOOL(0, "hist", struct latency_args, hist, "show how they are distributed"),
	OPT_BOOL(0, "map", struct latency_args, map, "… and when, over the time of the trace"),
	OPT_BOOL(0, "json", struct latency_args, json, "print JSON"),
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

/* Kinds that were named, but of which the trace has nothing: what to record */
static int check_recorded(const struct latency_args *a, struct kt_trace *t, struct kt_err *err)
{
	const char *const *events;
	struct str line = STR_INIT;
	unsigned int kind;
	int ret;

	for (kind = 0; kind < KT_LATENCY_PAIR; kind++)
		if (a->wanted & 1u << kind && !kt_latency_kind_is_recorded(t, kind))
			break;
	if (kind == KT_LATENCY_PAIR)
		return 0;
	for (events = kt_latency_kind_events(kind); *events; events++)
		str_addf(&line, "%s%s", **events == '-' ? " " : " -e ", *events);
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
	int ret = check_recorded(a, t, err);

	if (ret == 0)
		ret = latency_make_pair(a, t, err);
	if (ret == 0)
		ret = choose_prepare(t, &a->choose, err);
	if (ret == 0 && a->map)
		ret = choose_find_span(kt_trace_stream(t), &a->window, err);
	if (ret < 0)
		return ret;
	a->trace = t;
	a->opts = (struct kt_latency_opts){
		.kinds = a->nr_steps ? 1u << KT_LATENCY_PAIR : 0, .steps = a->pair,
		.nr_steps = a->nr_steps, .by_key = a->by_key, .map = a->map ? &a->window : NULL,
		.worst = a->worst, .counts = choose_chooses(&a->choose) ? counts : NULL, .data = a,
	};
	a->opts.kinds |= a->wanted || a->nr_steps ? a->wanted : all_recorded(t);
	return 0;
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
	if (ret == 0 && !a->json && !kt_latency_table_nr(table))
		ret = kt_err_set(err, -ENODATA, "nothing in %s can be measured: it has neither "
				 "scheduling nor interrupts, system calls or the like", a->input);
	if (ret == 0)
		ret = a->json ? latency_print_json(a, table) : latency_print(a, table);
	kt_latency_table_destroy(table);
	return ret == -EPIPE ? 0 : ret;
}

static int check_words(struct latency_args *a, int argc, char **argv, struct kt_err *err)
{
	size_t i;
	int ret = input_choose(&a->input, argc, argv, err);

	if (ret < 0)
		return ret;
	for (i = 0; sorts[i] && strcmp(sorts[i], a->sort) != 0; i++)
		;
	if (!sorts[i])
		return cmd_misuse(err, "cannot sort by '%s': max, total, count, avg, p50, p90, "
				  "p99, p99.9 or name", a->sort);
	if (!a->nr_steps != !a->to)
		return cmd_misuse(err, "--from and --to go together");
	if (a->to)
		a->steps[a->nr_steps++] = a->to;
	if (a->top == UINT64_MAX)
		a->top = a->wanted || a->nr_steps ? TOP : TOP_OF_ALL;
	return 0;
}

static int list_kinds(struct kt_err *err)
{
	struct columns c = { .head = "KIND|WHAT IT MEASURES|EVENTS" };
	const char *const *events;
	unsigned int kind;

	for (kind = 0; kind < KT_LATENCY_PAIR; kind++) {
		struct str s = STR_INIT;

		for (events = kt_latency_kind_events(kind); *events; events++)
			str_addf(&s, "%s%s", s.len ? " " : "", *events);
		columns_add(&c, kt_latency_kind_name(kind));
		columns_add(&c, kt_latency_kind_title(kind));
		columns_add(&c, s.buf);
		str_fini(&s);
	}
	return columns_print(&c, NULL) < 0 ? kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct latency_args *a = data;
	struct kt_trace *t;
	int ret = check_words(a, argc, argv, err);

	if (ret < 0)
		return ret;
	if (a->list_kinds)
		return list_kinds(err);
	t = input_open(a->input, err);
	ret = t ? measure(t, a, err) : kt_err_code(err, -ENOMEM);
	latency_end_pair(a);
	kt_trace_destroy(t);
	return ret;
}

static int init(void *data)
{
	struct latency_args *a = data;

	a->choose.command = "latency";
	a->choose.by_end = true;
	a->sort = "max";
	a->top = UINT64_MAX;
	return 0;
}

static void fini(void *data)
{
	choose_fini(&((struct latency_args *)data)->choose);
}

static const struct cmd_rule rules[] = {
	{ .options = "key by-key via to", .with = "from" },
	{ .options = "by-key", .with = "key" },
	RULE_END
};

const struct cmd cmd_latency = {
	.name      = "latency",
	.summary   = "show how long waits, interrupts, system calls and the like took",
	.usage     = "[-k <kinds>] [--from <event> [--via <event>]… --to <event> [--key <fields>]] "
		     "[--top <n>] [--worst <n>] [--hist] [--map] [<options>] "
		     "[-i <file> | <file>]",
	.examples  = "  ktrail latency                              all that was recorded\n"
		     "  ktrail latency -k wakeup --worst 5          who waited longest for a CPU\n"
		     "  ktrail latency -k syscall --sort total      like strace -c\n"
		     "  ktrail latency --from block_rq_insert --to block_rq_issue "
		     "--key dev,sector\n",
	.opts      = opts,
	.rare      = "exclude by-key via comm cpu",
	.rules     = rules,
	.args_size = sizeof(struct latency_args),
	.paged     = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
