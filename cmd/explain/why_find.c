/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_find.c - find the intervals that `ktrail why` explains */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/capture.h>

#include "base/str.h"
#include "cmd/cmd.h"
#include "latency.h"
#include "why.h"

/* ---- the longest of a kind ---- */

/* The longest ones so far */
struct longest {
	struct why_args *args;
	struct kt_latency *at;
	size_t nr, room;
};

/* For these kinds, the activity of the CPU explains more than that of the task. */
static bool is_of_cpu(enum kt_latency_kind kind)
{
	switch (kind) {
	case KT_LATENCY_IRQ: case KT_LATENCY_SOFTIRQ: case KT_LATENCY_SOFTIRQ_WAIT:
	case KT_LATENCY_NMI: case KT_LATENCY_IRQS_OFF: case KT_LATENCY_PREEMPT_OFF:
	case KT_LATENCY_TIMER: case KT_LATENCY_TRACER:
		return true;
	default:
		return false;
	}
}

/* The subject of a latency; for queued work, the worker that began it late */
static int task_of(enum kt_latency_kind kind, const struct kt_latency *one)
{
	return kind == KT_LATENCY_WORK_WAIT ? one->holder : one->pid;
}

static int take_one(void *data, enum kt_latency_kind kind, uint64_t key,
		    const struct kt_latency *one)
{
	struct longest *l = data;
	struct why_args *a = l->args;
	uint64_t ns = one->until - one->from;
	size_t i = l->nr;

	(void)key;
	if (one->from >= one->until ||
	    !choose_has_task(&a->choose, a->trace, one->file, task_of(kind, one)) ||
	    (a->has_task && task_of(kind, one) != a->task))
		return 0;
	while (i && l->at[i - 1].until - l->at[i - 1].from < ns) {
		if (i < l->room)
			l->at[i] = l->at[i - 1];
		i--;
	}
	if (i < l->room)
		l->at[i] = *one;
	l->nr += l->nr < l->room;
	return 0;
}

/* choose_lets_pass() for the record that ends it */
static bool counts(void *data, const struct kt_record *rec)
{
	const struct longest *l = data;

	return choose_lets_pass(&l->args->choose, l->args->trace, rec);
}

/* The events of tasks explain more than those of the kind alone. */
static void add_events(struct str *line, enum kt_latency_kind kind)
{
	if (kind <= KT_LATENCY_RUN)
		str_add(line, " -e sched -e irq");
	else
		latency_add_options(line, kind);
}

static int none_found(const struct why_args *a, size_t nr, enum kt_latency_kind kind,
		      struct kt_err *err)
{
	const char *of = a->has_task ? " of that task" : "";
	struct str line = STR_INIT;
	char asked[80];
	int ret;

	add_events(&line, kind);
	choose_asked(&a->choose, asked, sizeof(asked));
	if (nr)
		ret = kt_err_set(err, -ENODATA, "%s has %zu of '%s'%s%s", a->input, nr,
				 kt_latency_subject_text(a->subject), of, asked);
	else if (*of || *asked || kind == KT_LATENCY_PAIR)
		ret = kt_err_set(err, -ENODATA, "%s has none of '%s'%s%s", a->input,
				 kt_latency_subject_text(a->subject), of, asked);
	else
		ret = kt_err_set(err, -ENODATA, "%s has none of '%s': record them with "
				 "`%s record%s`", a->input, kt_latency_subject_text(a->subject),
				 cmd_program, line.buf);
	str_fini(&line);
	return ret;
}

static int by_time(const void *a, const void *b)
{
	const struct kt_why_opts *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static int keep_longest(struct why_args *a, const struct longest *l, enum kt_latency_kind kind,
			struct kt_err *err)
{
	size_t i, first = (size_t)a->nth - 1;

	if (l->nr <= first)
		return none_found(a, l->nr, kind, err);
	a->found = calloc(l->nr - first, sizeof(*a->found));
	if (!a->found)
		return kt_err_no_memory(err);
	for (i = first; i < l->nr; i++)
		a->found[a->nr_found++] = (struct kt_why_opts){
			.file = l->at[i].file, .pid = task_of(kind, &l->at[i]),
			.from = l->at[i].from, .until = l->at[i].until,
			.by_cpu = is_of_cpu(kind), .cpu = l->at[i].cpu,
			.of_request = kind == KT_LATENCY_BLOCK_IO,
		};
	if (a->by_time)
		qsort(a->found, a->nr_found, sizeof(*a->found), by_time);
	return 0;
}

static int find_longest(struct why_args *a, struct kt_err *err)
{
	enum kt_latency_kind kind = kt_latency_subject_kind(a->subject);
	struct longest l = { .args = a, .room = (size_t)(a->nth - 1 + (a->top ? a->top : 1)) };
	struct kt_latency_opts o = {
		.kinds = 1u << kind, .subjects = &a->subject, .nr_subjects = 1,
		.each = take_one, .counts = choose_chooses(&a->choose) ? counts : NULL, .data = &l,
	};
	struct kt_latency_table *table;
	int ret = 0;

	if (kind == KT_LATENCY_PAIR)
		ret = kt_latency_subject_steps(a->subject, a->trace, &o.steps, &o.nr_steps, err);
	if (ret < 0)
		return ret;
	l.at = calloc(l.room, sizeof(*l.at));
	if (!l.at)
		return kt_err_no_memory(err);
	table = kt_latency_table_create(a->trace, &o, err);
	ret = table ? choose_run(a->trace, &a->choose, 0,
				 (struct kt_analysis *[]){ kt_latency_table_analysis(table) }, 1,
				 err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = keep_longest(a, &l, kind, err);
	kt_latency_table_destroy(table);
	free(l.at);
	return ret;
}

/* ---- the interval around a moment ---- */

static int keep(struct why_args *a, const struct kt_why_opts *o, struct kt_err *err)
{
	a->found = calloc(1, sizeof(*a->found));
	if (!a->found)
		return kt_err_no_memory(err);
	a->found[a->nr_found++] = *o;
	return 0;
}

static int run_pass(struct why_args *a, const struct kt_window *window, struct kt_analysis *one,
		    struct kt_err *err)
{
	struct choose around = { .command = "why", .windows = (struct kt_window *)window,
				 .nr_windows = 1 };

	return choose_run(a->trace, &around, 0, &one, 1, err);
}

/* The system call or state of the task. -ENOENT: unknown in the trace */
static int find_state(struct why_args *a, const struct kt_window *span, bool is_syscall,
		      struct kt_err *err)
{
	const struct kt_why_moment m = { .pid = a->task, .ts = a->moment,
					 .is_syscall = is_syscall };
	struct kt_why_find *f = kt_why_find_create(a->trace, &m, span, err);
	enum kt_span_kind kind;
	struct kt_why_opts o;
	struct kt_window w;
	int ret = f ? 0 : kt_err_code(err, -ENOMEM);

	while (ret == 0) {
		w = kt_why_find_window(f);
		ret = run_pass(a, &w, kt_why_find_analysis(f), err);
		if (ret == -ECANCELED) {	/* found */
			kt_err_clear(err);
			ret = 0;
		}
		if (ret == 0)
			ret = kt_why_find_result(f, &o, &kind, err);
	}
	kt_why_find_destroy(f);
	return ret < 0 ? ret : keep(a, &o, err);
}

static int find_at(struct why_args *a, const struct kt_window *span, struct kt_err *err)
{
	int ret = -ENOENT;

	if (kt_latency_kind_is_recorded(a->trace, KT_LATENCY_SYSCALL))
		ret = find_state(a, span, true, err);
	if (ret != -ENOENT)
		return ret;
	kt_err_clear(err);
	return find_state(a, span, false, err);
}

static int find_around(struct why_args *a, struct kt_err *err)
{
	struct kt_why_opts o;
	struct kt_window w;
	int ret;

	a->around = kt_why_around_create(a->trace, 0, a->moment, err);
	if (!a->around)
		return kt_err_code(err, -ENOMEM);
	w = kt_why_around_window(a->around);
	ret = run_pass(a, &w, kt_why_around_analysis(a->around), err);
	if (ret == 0 && kt_why_around_longest(a->around, &o))
		ret = keep(a, &o, err);
	return ret;
}

/* ---- */

/* @a->at is also a window of no length, which must not limit the pass over all. */
static int find_moment(struct why_args *a, const struct kt_window *span, struct kt_err *err)
{
	a->moment = a->choose.windows[0].from;
	if (a->moment < span->from || a->moment > span->until)
		return kt_err_set(err, -EINVAL, "%s is not in %s", a->at, a->input);
	return a->has_task ? find_at(a, span, err) : find_around(a, err);
}

/* Without other options, a capture's own cause is explained. 1; 0: not a capture */
static int find_cause(struct why_args *a, struct kt_err *err)
{
	struct kt_capture_note note;
	const struct kt_cause *c = note.causes;
	int ret;

	if (!a->unasked || kt_capture_read_note(kt_trace_file(a->trace, 0), &note) < 0 ||
	    !kt_latency_kind_is_recorded(a->trace, KT_LATENCY_WAKEUP))
		return 0;
	kt_latency_subject_destroy(a->subject);
	a->subject = NULL;
	a->worst = NULL;
	a->moment = c->at;
	if (c->pid > 0 && c->from < c->at)
		ret = keep(a, &(struct kt_why_opts){ .pid = c->pid, .from = c->from,
						     .until = c->at }, err);
	else
		ret = find_around(a, err);
	return ret < 0 ? ret : 1;
}

int why_find(struct why_args *a, struct kt_err *err)
{
	struct kt_window span, *w;
	int ret = choose_prepare(a->trace, &a->choose, err);

	if (ret == 0)
		ret = find_cause(a, err);
	if (ret)
		return ret < 0 ? ret : 0;
	if (a->subject)
		return find_longest(a, err);
	if (!kt_latency_kind_is_recorded(a->trace, KT_LATENCY_WAKEUP))
		return kt_err_set(err, -ENODATA, "%s has no events of tasks: record them with "
				  "`%s record -e sched -e irq`", a->input, cmd_program);
	ret = choose_find_span(kt_trace_stream(a->trace), &span, err);
	if (ret <= 0)
		return ret < 0 ? ret : kt_err_set(err, -ENODATA, "%s is empty", a->input);
	if (a->at)
		return find_moment(a, &span, err);
	w = &a->choose.windows[0];
	if (w->from < span.from)
		w->from = span.from;
	if (w->until > span.until)
		w->until = span.until;
	return keep(a, &(struct kt_why_opts){ .pid = a->task, .from = w->from,
					      .until = w->until }, err);
}

void why_find_end(struct why_args *a)
{
	kt_why_around_destroy(a->around);
	kt_latency_subject_destroy(a->subject);
	free(a->found);
}
