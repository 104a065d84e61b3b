/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - the texts of calls: names, arguments, results, and notes on uncertain facts */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

#define WAKER_RECORDS 3000		/* before the end of a time off the CPU, at most */

const char *graph_name(const struct view *v, const struct kt_call *call)
{
	return kt_call_name(kt_model_trace(v->model), call);
}

void graph_task_name(const struct view *v, const struct kt_graph_task *task, char buf[64])
{
	if (task->pid == KT_GRAPH_CPU && task->cpu >= 0)
		snprintf(buf, 64, "CPU %d", task->cpu);
	else if (task->cpu >= 0)
		snprintf(buf, 64, "<idle>-0 of CPU %d", task->cpu);
	else
		snprintf(buf, 64, "%s-%d", kt_trace_comm_known(kt_model_trace(v->model), task->file,
							       task->pid), task->pid);
}

const char *graph_retval(const struct kt_call *call, char buf[32])
{
	int64_t value = (int64_t)call->retval;

	*buf = 0;
	if (!(call->flags & KT_CALL_RETVAL))
		return buf;
	/* The upper half of the register is undefined for functions that return an int. */
	if (call->retval >> 32 == 0 && (int32_t)value < 0 && (int32_t)value >= -4095)
		value = (int32_t)value;
	if (value >= -4095 && value <= 0xffff)
		snprintf(buf, 32, "= %" PRId64, value);
	else
		snprintf(buf, 32, "= 0x%" PRIx64, (uint64_t)value);
	return buf;
}

const char *graph_note(const struct view *v, const struct kt_call *call)
{
	const struct graph_state *st = v->state;
	bool lost = call->flags & KT_CALL_GAP;

	if (call->flags & KT_CALL_UNTIMED)
		return "";
	if (call->flags & KT_CALL_UNFINISHED) {
		if (call->end.ts < st->ends.last_ts)
			return "its end was not recorded";
		return st->ends.at_last ? "the trace ends inside this call"
					: "continues after the loaded part";
	}
	if (call->flags & KT_CALL_UNBEGUN) {
		if (call->begin.ts <= st->ends.from.ts || call->begin.ts <= v->app->span.from)
			return st->ends.at_first ? "began before the trace"
						 : "began before the loaded part";
		return lost ? "its beginning was lost" : "";
	}
	if (lost)
		return "events were lost inside";
	return call->flags & KT_CALL_AFTER_GAP ? "events were lost before it" : "";
}

/* ---- details from the record ---- */

/* "name(a=1, b=2) {" as "(a=1, b=2)", without the text after the last ')' */
static char *arguments(const char *info, size_t len)
{
	const char *from = memchr(info, '(', len), *to = memrchr(info, ')', len);

	return from && to && to > from + 1 ? strndup(from, (size_t)(to - from) + 1) : NULL;
}

static char *in_parens(const char *info, size_t len)
{
	char *text;

	/* "(ffffffffa0457344) file=0x… " of a probe: omit the place, which the name shows */
	if (len && *info == '(') {
		const char *end = memchr(info, ')', len);

		len -= end ? (size_t)(end - info) + 1 : 0;
		info = end ? end + 1 : info;
		while (len && *info == ' ')
			info++, len--;
	}
	if (!len || asprintf(&text, "(%.*s)", (int)len, info) < 0)
		return NULL;
	return text;
}

static const char *word_of(uint64_t state)
{
	if (!(state & 0xff))
		return "preempted";
	if (state & 1)
		return "sleeps";
	if (state & 2)
		return "blocked";
	if (state & 0x80)
		return "idle";
	return state & 0x30 ? "exits" : "stopped";
}

/* The task that got the CPU next, and the reason */
static char *off_cpu(const struct kt_event *ev, const struct kt_record *rec, const char *info,
		     size_t len)
{
	const struct kt_field *f = kt_event_field(ev, "prev_state");
	const char *to = memmem(info, len, "==> ", 4), *why;
	uint64_t state = 0;
	char *text;

	if (f)
		kt_field_u64(ev, f, rec, &state);
	why = f ? word_of(state) : "";
	len -= to ? (size_t)(to + 4 - info) : len;
	return asprintf(&text, ": %s%s%.*s%s", why, to && *why ? ", " : "", (int)len,
			to ? to + 4 : "", to ? " runs" : "") < 0 ? NULL : text;
}

static char *detail_of(const struct kt_call *call, const struct kt_event *ev,
		       const struct kt_record *rec, const char *info, size_t len)
{
	const char *line_end = memchr(info, '\n', len);

	len = line_end ? (size_t)(line_end - info) : len;
	if (call->kind == KT_CALL_OFF_CPU)
		return off_cpu(ev, rec, info, len);
	if (call->kind == KT_CALL_IRQ || call->kind == KT_CALL_SOFTIRQ)
		return len ? strndup(info, len) : NULL;
	if (strcmp(ev->system, "ftrace") == 0)
		return arguments(info, len);
	return in_parens(info, len);
}

/* Is it a wakeup of that task? */
static bool wakes(const struct kt_event *ev, const struct kt_record *rec, int pid)
{
	const struct kt_field *f;
	uint64_t value;

	if (strcmp(ev->name, "sched_waking") != 0 && strcmp(ev->name, "sched_wakeup") != 0)
		return false;
	f = kt_event_field(ev, "pid");
	return f && kt_field_u64(ev, f, rec, &value) == 0 && (int)value == pid;
}

/* Adds the waker to the details of a time off the CPU; takes @detail */
static char *add_waker(struct view *v, const struct kt_call *call, char *detail,
		       bool *complete)
{
	struct graph_state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	struct kt_record rec;
	char *longer = NULL;
	struct kt_task waker = { 0 };
	int left, ret;

	if (call->end.pos == UINT64_MAX ||
	    kt_reader_find(st->reader, call->end.source, call->end.pos, NULL) <= 0)
		return detail;
	for (left = WAKER_RECORDS; left > 0; left--) {
		const struct kt_event *ev;

		ret = kt_reader_prev(st->reader, &rec, NULL);
		*complete = ret >= 0;
		if (ret <= 0 || rec.ts < call->begin.ts)
			break;
		ev = kt_trace_event(t, &rec);
		if (!ev || !wakes(ev, &rec, call->pid))
			continue;
		/* sched_wakeup may come from another CPU: only sched_waking shows the waker. */
		waker = kt_trace_task(t, &rec);
		if (strcmp(ev->name, "sched_waking") == 0)
			break;
	}
	if (!waker.comm || asprintf(&longer, "%s, woken by %s-%d", detail ? detail : ":",
				    waker.comm, waker.pid) < 0)
		return detail;
	free(detail);
	return longer;
}

char *graph_detail(struct view *v, const struct kt_call *call, bool *complete)
{
	struct graph_state *st = v->state;
	const struct kt_event *ev;
	struct kt_record rec;
	struct kt_cells cells;
	char *detail;
	int ret;

	*complete = true;
	/* The function tracer names a caller in the record of its callee. */
	if (call->begin.pos == UINT64_MAX ||
	    (call->flags & KT_CALL_UNTIMED && call->flags & KT_CALL_UNBEGUN))
		return NULL;
	ret = kt_reader_find(st->reader, call->begin.source, call->begin.pos, NULL);
	if (ret > 0)
		ret = kt_reader_next(st->reader, &rec, NULL);
	*complete = ret >= 0;
	ev = ret > 0 ? kt_trace_event(kt_model_trace(v->model), &rec) : NULL;
	if (!ev || kt_text_cells(kt_model_text(v->model, false), &rec, NULL, st->out, &cells) < 0)
		return NULL;
	detail = detail_of(call, ev, &rec, kt_out_data(st->out) + cells.cell[KT_CELL_INFO].at,
			   cells.cell[KT_CELL_INFO].len);
	return call->kind == KT_CALL_OFF_CPU ? add_waker(v, call, detail, complete) : detail;
}
