/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* find.c - the state of a task, or the system call, at a given moment */
#include <ktrail/why.h>

#include <errno.h>
#include <stdlib.h>

#define FIRST_NS  100000000ull		/* read before and after the moment at first, … */
#define GROWS     10			/* … and this many times more if that is not enough */

static const unsigned int states = 1u << KT_SPAN_RUN | 1u << KT_SPAN_PREEMPTED |
				   1u << KT_SPAN_BLOCKED | 1u << KT_SPAN_WAIT;

struct kt_why_find {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_why_moment moment;
	struct kt_window span;		/* of the trace */
	uint64_t around;		/* ns to read before and after the moment */
	struct kt_spans *spans;		/* of this window; NULL: no memory */
	uint64_t woken;			/* first wakeup: since then it waits; 0: it does not */
	struct kt_why_opts found;
	enum kt_span_kind kind;		/* of @found */
	bool   is_found, is_whole;	/* is_whole: both ends were in the window */
};

struct kt_window kt_why_find_window(const struct kt_why_find *f)
{
	uint64_t ts = f->moment.ts;

	return (struct kt_window){
		ts - f->span.from > f->around ? ts - f->around : f->span.from,
		f->span.until - ts > f->around ? ts + f->around : f->span.until,
	};
}

static bool is_of_task(const struct kt_why_find *f, const struct kt_span *s)
{
	return s->file == f->moment.file && s->pid == f->moment.pid;
}

/* sched_wakeup follows sched_waking and would begin the wait a second time. */
static int take_begin(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_why_find *f = data;

	(void)err;
	if (s->kind == KT_SPAN_WAIT && is_of_task(f, s) && !f->woken)
		f->woken = s->begin.ts;
	return 0;
}

static int take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_why_find *f = data;
	uint64_t from = s->begin.ts, ts = f->moment.ts;

	(void)err;
	if (!is_of_task(f, s) || (f->is_found && f->is_whole))
		return 0;
	if (s->kind == KT_SPAN_WAIT && f->woken)
		from = f->woken;
	if (s->kind != KT_SPAN_BLOCKED)
		f->woken = 0;
	if (s->flags & KT_SPAN_CUT)
		return 0;
	if (ts < from || ts > s->end.ts)
		return 0;
	/* If one state ends at the moment and another begins, the second one counts. */
	f->is_found = true;
	f->is_whole = !s->flags && (ts < s->end.ts || s->kind == KT_SPAN_SYSCALL);
	f->kind = s->kind;
	f->found = (struct kt_why_opts){ .file = s->file, .pid = s->pid, .from = from,
					 .until = s->end.ts };
	return f->is_whole ? -ECANCELED : 0;
}

static struct kt_analysis *spans_of(struct kt_analysis *a)
{
	return kt_spans_analysis(((struct kt_why_find *)a)->spans);
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	return spans_of(a)->record(spans_of(a), ev, rec, err);
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	spans_of(a)->lost(spans_of(a), rec);
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	int ret = spans_of(a)->finish(spans_of(a), err);

	return ret == -ECANCELED ? 0 : ret;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	spans_of(a)->types(spans_of(a), file, bits);
}

static int begin(struct kt_why_find *f, struct kt_err *err)
{
	const struct kt_spans_opts o = {
		.kinds = f->moment.is_syscall ? 1u << KT_SPAN_SYSCALL : states,
		.sink = take_span, .began = take_begin, .data = f,
	};

	kt_spans_destroy(f->spans);
	f->woken = 0;
	f->is_found = f->is_whole = false;
	f->spans = kt_spans_create(f->trace, &o, err);
	return f->spans ? 0 : -ENOMEM;
}

int kt_why_find_result(struct kt_why_find *f, struct kt_why_opts *o, enum kt_span_kind *kind,
		       struct kt_err *err)
{
	struct kt_window w = kt_why_find_window(f);
	int ret;

	if (!f->is_whole && (w.from > f->span.from || w.until < f->span.until)) {
		f->around *= GROWS;
		ret = begin(f, err);
		return ret < 0 ? ret : 0;
	}
	if (!f->is_found)
		return kt_err_set(err, -ENOENT, "what task %d did then is not in this trace",
				  f->moment.pid);
	*o = f->found;
	*kind = f->kind;
	return 1;
}

struct kt_why_find *kt_why_find_create(struct kt_trace *t, const struct kt_why_moment *moment,
				       const struct kt_window *span, struct kt_err *err)
{
	struct kt_why_find *f;

	if (moment->ts < span->from || moment->ts > span->until) {
		kt_err_set(err, -EINVAL, "that moment is not in this trace");
		return NULL;
	}
	f = calloc(1, sizeof(*f));
	if (!f) {
		kt_err_no_memory(err);
		return NULL;
	}
	f->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .finish = finish, .types = types,
	};
	f->trace = t;
	f->moment = *moment;
	f->span = *span;
	f->around = FIRST_NS;
	if (begin(f, err) == 0)
		return f;
	kt_why_find_destroy(f);
	return NULL;
}

void kt_why_find_destroy(struct kt_why_find *f)
{
	if (!f)
		return;
	kt_spans_destroy(f->spans);
	free(f);
}

struct kt_analysis *kt_why_find_analysis(struct kt_why_find *f)
{
	return &f->analysis;
}
