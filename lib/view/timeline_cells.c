/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timeline_cells.c - the effect of spans and records on the columns of a row */
#include "view/model_priv.h"
#include "view/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TASK_UNINTERRUPTIBLE 0x02	/* in prev_state, of any kernel */
#define TASK_IS_DEAD         0x30	/* EXIT_DEAD and EXIT_ZOMBIE */

static void vote(struct timeline_cell *c, float ns, int pid)
{
	if (c->weight > 0 && c->pid != pid && c->weight >= ns) {
		c->weight -= ns;
		return;
	}
	c->weight = c->pid != pid ? ns - c->weight : ns + c->weight;
	c->pid = pid;
}

/* Nothing is known of this file's rows before it begins and after it ends. */
static struct kt_window known_part(const struct kt_timeline *t, size_t file)
{
	const struct kt_window *f = &t->model->of_file[file];
	struct kt_window w = t->part;

	if (!kt_model_knows_span(t->model))
		return w;
	if (f->from > w.from)
		w.from = f->from;
	if (f->until < t->model->found.until && f->until < w.until)
		w.until = f->until;
	return w;
}

static void add_span(struct kt_timeline *t, struct timeline_row *r, uint64_t from, uint64_t until,
		     enum share share, int pid)
{
	size_t i;

	if (from < t->part.from)
		from = t->part.from;
	if (until > t->part.until + 1)
		until = t->part.until + 1;
	if (!r || from > until)
		return;
	for (i = timeline_column_of(t, from); from <= until && i < t->nr_columns; i++) {
		uint64_t end = t->window.from + (i + 1) * t->width;
		uint64_t to = until < end ? until : end;
		/* A span without duration still gets a share. */
		float ns = to > from ? (float)(to - from) : 1;

		r->cells[i].ns[share] += ns;
		if (share < SHARE_IRQ)
			vote(&r->cells[i], ns, pid);
		if (to == until)
			break;
		from = end;
	}
}

static void note_wait(struct kt_timeline *t, struct timeline_row *r, const struct kt_span *s)
{
	uint64_t ns = s->end.ts - s->begin.ts;

	if (s->flags || t->sampled || s->end.ts < t->window.from)
		return;
	if (ns > r->longest.until - r->longest.from)
		r->longest = (struct kt_timeline_wait){
			s->begin.ts, s->end.ts, s->file, s->pid, s->end.cpu, s->end.pid,
		};
}

/* The meaning of a span for its task */
static enum share share_of(const struct kt_span *s)
{
	switch (s->kind) {
	case KT_SPAN_RUN:       return SHARE_RUN;
	case KT_SPAN_WAIT:      return SHARE_WAIT;
	case KT_SPAN_PREEMPTED: return SHARE_PREEMPTED;
	case KT_SPAN_BLOCKED:
		if (s->value & TASK_IS_DEAD)
			return SHARE_ENDED;
		return s->value & TASK_UNINTERRUPTIBLE ? SHARE_BLOCKED : SHARE_IDLE;
	case KT_SPAN_SOFTIRQ:   return SHARE_SOFTIRQ;
	case KT_SPAN_NMI:       return SHARE_NMI;
	default:                return SHARE_IRQ;
	}
}

/* The first event of a task: before it, the task slept, or did not exist. */
static void note_first(struct kt_timeline *t, struct timeline_row *task, const struct kt_span *s)
{
	uint64_t from = known_part(t, s->file).from;
	bool is_first = task->known != t->part_nr;
	bool is_new;

	task->known = t->part_nr;
	if (!is_first || s->kind != KT_SPAN_WAIT || !s->begin.event)
		return;
	is_new = strcmp(s->begin.event->name, "sched_wakeup_new") == 0;
	add_span(t, task, from, s->begin.ts, is_new ? SHARE_ENDED : SHARE_IDLE, s->pid);
}

static uint64_t within(const struct kt_window *w, uint64_t from, uint64_t until)
{
	from = from > w->from ? from : w->from;
	until = until <= w->until ? until : w->until + 1;
	return until > from ? until - from : 0;
}

int timeline_take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_timeline *t = data;
	enum share share = share_of(s);
	struct kt_window part = known_part(t, s->file);
	uint64_t from = s->flags & KT_SPAN_UNBEGUN ? part.from : s->begin.ts;
	unsigned int lasts = s->flags & (KT_SPAN_UNFINISHED | KT_SPAN_CUT);
	uint64_t until = lasts == KT_SPAN_UNFINISHED ? part.until + 1 : s->end.ts;
	struct timeline_row *task = NULL;

	(void)err;
	/* The task ran in between, or its events were lost: the length of the wait is not known. */
	if (share == SHARE_WAIT && lasts == (KT_SPAN_UNFINISHED | KT_SPAN_CUT))
		return 0;
	if (share == SHARE_RUN || share >= SHARE_IRQ)
		add_span(t, timeline_row_of(t, s->file, true, s->begin.cpu), from, until,
			 share == SHARE_RUN && !s->pid ? SHARE_IDLE : share, s->pid);
	if (s->pid)
		task = timeline_row_of(t, s->file, false, s->pid);
	if (!task || t->failed)
		return t->failed ? -ENOMEM : 0;
	note_first(t, task, s);
	/* sched_waking woke it; the wait restarted when its CPU recorded sched_wakeup. */
	if (share == SHARE_WAIT && task->woken && task->woken < from)
		from = task->woken;
	task->woken = s->kind == KT_SPAN_BLOCKED && !s->flags ? until : 0;
	add_span(t, task, from, until, share, s->pid);
	if (share == SHARE_RUN)
		task->pub.run += within(&t->part, from, until);
	if (share == SHARE_WAIT || share == SHARE_PREEMPTED) {
		task->pub.wait += within(&t->part, from, until);
		note_wait(t, task, s);
	}
	return 0;
}

/* A new task did not exist before. */
static void note_fork(struct kt_timeline *t, const struct kt_event *ev,
		      const struct kt_record *rec, size_t file)
{
	const struct kt_field *child = kt_event_field(ev, "child_pid");
	struct timeline_row *task;
	uint64_t pid;

	if (!child || kt_field_u64(ev, child, rec, &pid) < 0 || !pid)
		return;
	task = timeline_row_of(t, file, false, (int)pid);
	if (!task || task->known == t->part_nr)
		return;
	task->known = t->part_nr;
	add_span(t, task, known_part(t, file).from, rec->ts, SHARE_ENDED, (int)pid);
}

static void note_event(const struct kt_timeline *t, struct timeline_row *r,
		       const struct kt_record *rec, int pid)
{
	struct timeline_cell *c = &r->cells[timeline_column_of(t, rec->ts)];

	c->events++;
	c->lost |= rec->lost && r->pub.is_cpu;
	if (!c->weight)
		c->pid = pid;
}

void timeline_note_record(struct kt_timeline *t, const struct kt_event *ev,
			  const struct kt_record *rec)
{
	const struct kt_source *src =
		kt_stream_source(kt_trace_stream(kt_model_trace(t->model)), rec->source);
	struct timeline_row *cpu, *task = NULL;
	int pid = ev ? kt_record_pid(ev->events, rec) : -1;

	if (ev && strcmp(ev->name, "sched_process_fork") == 0)
		note_fork(t, ev, rec, src->file_index);
	if (rec->ts < t->window.from)
		return;
	if (pid > 0)
		task = timeline_row_of(t, src->file_index, false, pid);
	if (task)
		note_event(t, task, rec, pid);
	cpu = timeline_row_of(t, src->file_index, true, src->cpu);	/* rows may have moved */
	if (cpu)
		note_event(t, cpu, rec, pid);
}

/* ---- cells to show ---- */

static struct kt_timeline_cell show(const struct timeline_cell *c)
{
	static const enum kt_timeline_state states[] = {
		[SHARE_IDLE] = KT_TIMELINE_IDLE, [SHARE_RUN] = KT_TIMELINE_RUN,
		[SHARE_WAIT] = KT_TIMELINE_WAIT, [SHARE_PREEMPTED] = KT_TIMELINE_PREEMPTED,
		[SHARE_BLOCKED] = KT_TIMELINE_BLOCKED, [SHARE_ENDED] = KT_TIMELINE_ENDED,
	};
	/* Of equal shares, the most interesting one */
	static const enum share order[] = { SHARE_WAIT, SHARE_PREEMPTED, SHARE_BLOCKED, SHARE_RUN,
					    SHARE_IDLE, SHARE_ENDED };
	struct kt_timeline_cell s = { .pid = c->pid, .events = c->events, .lost = c->lost };
	float all = 0, most = 0, irq = 0, longest = 0;
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		all += c->ns[order[i]];
		if (c->ns[order[i]] > most) {
			most = c->ns[order[i]];
			s.state = (uint8_t)states[order[i]];
		}
	}
	for (i = SHARE_IRQ; i < SHARES; i++) {
		irq += c->ns[i];
		if (c->ns[i] > longest) {
			longest = c->ns[i];
			s.over = (uint8_t)(KT_TIMELINE_IRQ + i - SHARE_IRQ);
		}
	}
	if (irq > 0)
		s.irq = (uint8_t)(irq >= all ? 255 : 1 + irq * 254 / all);
	return s;
}

struct kt_timeline_cell *timeline_show_cells(const struct kt_timeline *t,
					     const struct timeline_row *r)
{
	struct kt_timeline_cell *cells = calloc(t->nr_columns, sizeof(*cells));
	size_t i;

	for (i = 0; cells && i < t->nr_columns; i++) {
		cells[i] = show(&r->cells[i]);
		/* Between its events, a task is assumed to stay in its calls. */
		if (i && cells[i].state == KT_TIMELINE_UNKNOWN && !cells[i].events)
			cells[i].pid = cells[i - 1].pid;
	}
	return cells;
}
