/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* chrome.c - the JSON trace events of chrome://tracing: slices on tracks, and instants */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/keymap.h"
#include "base/put.h"
#include "export/export.h"
#include "export/value.h"
#include "latency/handlers.h"

/*
 * The format has processes with threads, and slices on a thread must be nested. Spans that are
 * not nested in each other get separate processes, whose threads are CPUs or tasks.
 */
enum process { CPUS = 1, INTERRUPTS, STATES, TASKS, NR_PROCESSES };

static const char *const process_names[NR_PROCESSES] = {
	[CPUS] = "CPUs", [INTERRUPTS] = "interrupts", [STATES] = "states of tasks",
	[TASKS] = "tasks",
};

#define IDLE_TID   (1u << 23)		/* of CPU 0's idle task: above all pids */
#define JS_INT_MAX (1ull << 53)		/* JavaScript's numbers are exact up to here */

struct chrome {
	struct keymap tracks;		/* tracks that have a name */
	struct handlers handlers;
	bool more;			/* an event was written: a comma precedes the next */
};

struct plan {
	bool shown;			/* slices show it: no instant is needed */
	bool handler;			/* carries the name of an interrupt */
	struct str head;		/* its name and category, as JSON */
	struct str *keys;		/* of its fields, as JSON */
};

/* ---- pieces ---- */

static void begin_event(struct export *x)
{
	struct chrome *c = x->state;

	str_addn(&x->text, c->more ? ",\n" : "\n", 1 + c->more);
	c->more = true;
}

/* Microseconds; times of a counter are shown as if they were ns */
static char *put_time(char *p, uint64_t ns)
{
	p = num_put_u64(p, ns / 1000);
	*p++ = '.';
	return num_put_three(p, ns % 1000);
}

/*
 * Half a nanosecond shorter. Readers add it to the start in floating point, and the sum may pass
 * the start of the next slice: some then nest that slice, and leave one open.
 */
static char *put_duration(char *p, uint64_t ns)
{
	if (!ns)
		return put_lit(p, "0");
	p = put_time(p, ns - 1);
	*p++ = '5';
	return p;
}

#define PLACE_MAX (4 * NUM_MAX + 64)

static char *put_place(char *p, unsigned int process, unsigned int tid)
{
	p = num_put_u64(put_lit(p, ",\"pid\":"), process);
	return num_put_u64(put_lit(p, ",\"tid\":"), tid);
}

/* Times and track: everything before the arguments. @duration: NULL for an instant */
static void add_when(struct str *s, uint64_t ts, const uint64_t *duration, unsigned int process,
		     unsigned int tid)
{
	char *p = put_room(s, PLACE_MAX);

	if (!p)
		return;
	p = put_time(put_lit(p, ",\"ts\":"), ts);
	if (duration)
		p = put_duration(put_lit(p, ",\"dur\":"), *duration);
	put_done(s, put_place(p, process, tid));
}

static void add_number(struct str *s, const char *key, int64_t value)
{
	char *p;

	str_add(s, key);
	p = put_room(s, NUM_MAX);
	if (p)
		put_done(s, num_put_i64(p, value));
}

static void add_quoted(struct str *s, const char *key, const char *text)
{
	str_add(s, key);
	json_quote(s, text, strlen(text));
}

/* ---- tracks ---- */

static unsigned int process_id(size_t file, enum process process)
{
	return file * 10 + process;
}

static void name_process(struct export *x, size_t file, enum process process)
{
	struct str name = STR_INIT;

	str_add(&name, process_names[process]);
	if (kt_trace_nr_files(x->trace) > 1)
		str_addf(&name, " of %s",
			 str_base_name(kt_file_info(kt_trace_file(x->trace, file))->path));
	begin_event(x);
	add_number(&x->text, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":",
		   process_id(file, process));
	add_quoted(&x->text, ",\"args\":{\"name\":", name.buf);
	str_add(&x->text, "}}");
	str_fini(&name);
	begin_event(x);
	add_number(&x->text, "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":",
		   process_id(file, process));
	add_number(&x->text, ",\"args\":{\"sort_index\":", process_id(file, process));
	str_add(&x->text, "}}");
}

static void name_thread(struct export *x, size_t file, enum process process, unsigned int tid)
{
	char text[64];

	begin_event(x);
	add_number(&x->text, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":",
		   process_id(file, process));
	add_number(&x->text, ",\"tid\":", tid);
	if (process == CPUS || process == INTERRUPTS) {
		snprintf(text, sizeof(text), "CPU %u", tid);
	} else if (tid >= IDLE_TID) {
		snprintf(text, sizeof(text), "swapper/%u", tid - IDLE_TID);
	} else {
		add_quoted(&x->text, ",\"args\":{\"name\":", export_comm(x, file, tid));
		str_add(&x->text, "}}");
		return;
	}
	add_quoted(&x->text, ",\"args\":{\"name\":", text);
	str_add(&x->text, "}}");
}

static int need_name(struct export *x, size_t file, enum process process, uint64_t tid,
		     bool *is_new)
{
	struct chrome *c = x->state;
	uint64_t key = (uint64_t)process_id(file, process) << 33 | tid;

	*is_new = keymap_get(&c->tracks, key) == KEYMAP_NONE;
	return *is_new ? keymap_put(&c->tracks, key, 1) : 0;
}

/* Tracks get their names when they first occur. 0 or -ENOMEM */
static int name_track(struct export *x, size_t file, enum process process, unsigned int tid)
{
	bool is_new;
	int ret = need_name(x, file, process, tid, &is_new);

	if (ret < 0 || !is_new)
		return ret;
	name_thread(x, file, process, tid);
	ret = need_name(x, file, process, 1ull << 32, &is_new);
	if (ret == 0 && is_new)
		name_process(x, file, process);
	return ret;
}

static unsigned int tid_of(int pid, int cpu)
{
	return pid ? (unsigned int)pid : IDLE_TID + (unsigned int)cpu;
}

/* ---- slices ---- */

struct slice {
	size_t file;
	enum process process;
	unsigned int tid;
	const char *name, *category;
	uint64_t begin, end;
	bool unbegun, unfinished, gap;
};

/* Writes a slice up to its arguments, to which the caller may append */
static int begin_slice(struct export *x, const struct slice *s, struct kt_err *err)
{
	uint64_t duration = s->end > s->begin ? s->end - s->begin : 0;
	struct str *out = &x->text;

	if (name_track(x, s->file, s->process, s->tid) < 0)
		return kt_err_no_memory(err);
	begin_event(x);
	add_quoted(out, "{\"ph\":\"X\",\"name\":", s->name);
	add_quoted(out, ",\"cat\":", s->category);
	add_when(out, s->begin, &duration, process_id(s->file, s->process), s->tid);
	str_add(out, ",\"args\":{");
	if (s->unbegun)
		str_add(out, "\"begin\":\"not recorded\",");
	if (s->unfinished)
		str_add(out, "\"end\":\"not recorded\",");
	if (s->gap)
		str_add(out, "\"lost\":\"events were lost within\",");
	x->done.spans++;
	return 0;
}

static void end_slice(struct export *x)
{
	if (x->text.len && x->text.buf[x->text.len - 1] == ',')
		x->text.len--;
	str_add(&x->text, "}}");
}

#define STATE "sleeps (?)"

static const char *state_name(const struct kt_span *span, char text[sizeof(STATE)])
{
	if (span->kind == KT_SPAN_RUN)
		return "running";
	if (span->kind == KT_SPAN_WAIT)
		return "woken, waits for a CPU";
	if (span->kind == KT_SPAN_PREEMPTED)
		return "preempted";
	strcpy(text, STATE);
	*strchr(text, '?') = kt_task_state_letter(span->value);
	return text;
}

static bool is_dead(const struct kt_span *span)
{
	char state = kt_task_state_letter(span->value);

	return span->kind == KT_SPAN_BLOCKED && (state == 'X' || state == 'Z');
}

/* The track of a span; false: it is not shown */
static bool place_span(const struct kt_span *span, struct slice *s)
{
	switch (span->kind) {
	case KT_SPAN_RUN: case KT_SPAN_PREEMPTED: case KT_SPAN_BLOCKED: case KT_SPAN_WAIT:
		s->process = STATES;
		s->tid = span->pid;
		return span->pid > 0 && !is_dead(span);
	case KT_SPAN_IRQ: case KT_SPAN_SOFTIRQ: case KT_SPAN_NMI:
		s->process = INTERRUPTS;
		s->tid = span->end.cpu;
		return true;
	default:
		s->process = TASKS;
		s->tid = tid_of(span->pid, span->end.cpu);
		return true;
	}
}

static int put_span(struct export *x, const struct kt_span *span, struct kt_err *err)
{
	char name[256], state[sizeof(STATE)];
	struct slice s = {
		.file = span->file, .category = kt_span_kind_name(span->kind),
		.begin = span->begin.ts, .end = span->end.ts,
		.unbegun = span->flags & KT_SPAN_UNBEGUN,
		.unfinished = span->flags & KT_SPAN_UNFINISHED, .name = name,
	};
	const struct chrome *c = x->state;
	int ret;

	/* A span across a loss may be two and would overlap others: the loss is shown instead. */
	if (span->flags & KT_SPAN_CUT || !place_span(span, &s))
		return 0;
	if (s.process == STATES)
		s.name = state_name(span, state);
	else
		latency_name_subject(x->trace, &c->handlers, span, name, sizeof(name));
	/* It never returns: a slice up to the end of the trace would cover a dead task. */
	if (span->kind == KT_SPAN_SYSCALL && s.unfinished &&
	    (strcmp(name, "exit_group") == 0 || strcmp(name, "exit") == 0))
		s.end = s.begin;
	ret = begin_slice(x, &s, err);
	if (ret < 0)
		return ret;
	if (span->kind == KT_SPAN_SYSCALL && !s.unfinished)
		add_number(&x->text, "\"ret\":", (int64_t)span->result);
	end_slice(x);
	if (span->kind != KT_SPAN_RUN)
		return 0;
	/* The same span on the track of the CPU */
	s.process = CPUS;
	s.tid = span->end.cpu;
	s.name = export_comm(x, span->file, span->pid);
	ret = begin_slice(x, &s, err);
	if (ret == 0) {
		add_number(&x->text, "\"pid\":", span->pid);
		end_slice(x);
	}
	return ret;
}

static int put_call(struct export *x, const struct kt_call *call, struct kt_err *err)
{
	const struct kt_source *src = kt_stream_source(kt_trace_stream(x->trace),
						       call->end.source);
	struct slice s = {
		.file = call->file, .process = TASKS, .name = kt_call_name(x->trace, call),
		.tid = tid_of(call->pid, src ? src->cpu : 0), .category = "function",
		.begin = call->begin.ts, .end = call->end.ts,
		.unbegun = call->flags & KT_CALL_UNBEGUN,
		.unfinished = call->flags & KT_CALL_UNFINISHED,
		.gap = call->flags & KT_CALL_GAP,
	};
	int ret;

	/* The function tracer records no ends: its calls are instants. */
	if (call->kind != KT_CALL_FUNCTION || call->flags & KT_CALL_UNTIMED)
		return 0;
	ret = begin_slice(x, &s, err);
	if (ret < 0)
		return ret;
	if (call->flags & KT_CALL_RETVAL)
		str_addf(&x->text, "\"ret\":\"0x%" PRIx64 "\",", call->retval);
	end_slice(x);
	return 0;
}

/* ---- instants: all other events ---- */

/* Do slices show it? A word that ends with '*' is a prefix. */
static bool shown_by_slices(const struct kt_event *ev)
{
	static const char *const words[] = {
		"sched:sched_switch", "irq:irq_handler_*", "irq:softirq_e*", "irq_vectors:*_entry",
		"irq_vectors:*_exit", "raw_syscalls:*", "syscalls:*", "ftrace:funcgraph_*",
		"ftrace:fgraph_*", "workqueue:workqueue_execute_*", "lock:contention_*",
		"nmi:nmi_handler",
	};
	size_t i, len;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *name = strchr(words[i], ':') + 1, *star = strchr(name, '*');

		len = name - 1 - words[i];
		if (strlen(ev->system) != len || memcmp(ev->system, words[i], len) != 0)
			continue;
		if (!star ? strcmp(ev->name, name) == 0 :
		    strncmp(ev->name, name, star - name) == 0 && str_ends(ev->name, star + 1))
			return true;
	}
	return false;
}

static int plan(struct export *x, struct export_event *ev, struct kt_err *err)
{
	struct plan *p = calloc(1, sizeof(*p));
	bool failed;
	size_t i;

	(void)x;
	if (!p)
		return kt_err_no_memory(err);
	ev->plan = p;
	p->shown = shown_by_slices(ev->ev);
	p->handler = strcmp(ev->ev->name, "irq_handler_entry") == 0;
	p->head = (struct str)STR_INIT;
	p->keys = calloc(ev->ev->nr_fields + 1, sizeof(*p->keys));
	if (!p->keys)
		return kt_err_no_memory(err);
	add_quoted(&p->head, "{\"ph\":\"i\",\"s\":\"t\",\"name\":", ev->ev->name);
	add_quoted(&p->head, ",\"cat\":", ev->ev->system);
	failed = p->head.failed;
	for (i = 0; i < ev->ev->nr_fields; i++) {
		p->keys[i] = (struct str)STR_INIT;
		add_quoted(&p->keys[i], i ? "," : "", ev->ev->fields[i].name);
		str_addc(&p->keys[i], ':');
		failed |= p->keys[i].failed;
	}
	return failed ? kt_err_no_memory(err) : 0;
}

static void no_plan(struct export_event *ev)
{
	struct plan *p = ev->plan;
	size_t i;

	for (i = 0; p && p->keys && i < ev->ev->nr_fields; i++)
		str_fini(&p->keys[i]);
	if (p) {
		str_fini(&p->head);
		free(p->keys);
	}
	free(p);
}

static void add_value(struct export *x, const struct export_record *r, const struct kt_field *f)
{
	const struct kt_event *ev = r->ev->ev;
	struct kt_blob bytes = { .data = "" };
	struct str value = STR_INIT;
	uint64_t v;

	if (f->flags & KT_FIELD_STRING && f->flags & KT_FIELD_DYNAMIC && f->nr_elems) {
		value_put(&value, ev, f, r->rec);
		json_quote(&x->text, value.buf, value.len);
		x->text.failed |= value.failed;
		str_fini(&value);
	} else if (f->flags & KT_FIELD_STRING) {
		kt_field_bytes(ev, f, r->rec, &bytes);
		json_quote(&x->text, bytes.data, bytes.size);
	} else if (value_type_of(f) != VALUE_TEXT && !(f->flags & KT_FIELD_POINTER) &&
		   value_number(ev, f, r->rec, &v) == 0 &&
		   (v < JS_INT_MAX || (f->flags & KT_FIELD_SIGNED && -v < JS_INT_MAX))) {
		value_put(&x->text, ev, f, r->rec);
	} else {
		str_addc(&x->text, '"');
		value_put(&x->text, ev, f, r->rec);
		str_addc(&x->text, '"');
	}
}

static int event(struct export *x, const struct export_record *r, struct kt_err *err)
{
	struct chrome *c = x->state;
	const struct plan *p = r->ev->plan;
	unsigned int tid = tid_of(r->pid, r->src->cpu);
	size_t i;

	if (p->handler)
		handlers_note(&c->handlers, r->ev->ev, r->rec);
	if (p->shown)
		return 0;
	if (name_track(x, r->ev->file, TASKS, tid) < 0)
		return kt_err_no_memory(err);
	begin_event(x);
	str_addn(&x->text, p->head.buf, p->head.len);
	add_when(&x->text, r->rec->ts, NULL, process_id(r->ev->file, TASKS), tid);
	add_number(&x->text, ",\"args\":{\"cpu\":", r->src->cpu);
	str_addc(&x->text, ',');
	for (i = 0; i < r->ev->ev->nr_fields; i++) {
		str_addn(&x->text, p->keys[i].buf, p->keys[i].len);
		add_value(x, r, &r->ev->ev->fields[i]);
	}
	end_slice(x);
	return 0;
}

static int lost(struct export *x, const struct kt_record *rec, struct kt_err *err)
{
	const struct kt_source *src = kt_trace_source(x->trace, rec);

	if (name_track(x, src->file_index, CPUS, src->cpu) < 0)
		return kt_err_no_memory(err);
	begin_event(x);
	str_add(&x->text, "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"lost\",\"name\":\"");
	if (rec->lost == KT_LOST_UNKNOWN)
		str_add(&x->text, "events were lost\"");
	else
		str_addf(&x->text, "%u events were lost\"", rec->lost);
	add_when(&x->text, rec->ts, NULL, process_id(src->file_index, CPUS), src->cpu);
	str_addc(&x->text, '}');
	return 0;
}

/* ---- the document ---- */

static int begin(struct export *x, struct kt_err *err)
{
	(void)err;
	str_add(&x->text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	return 0;
}

static int end(struct export *x, struct kt_err *err)
{
	(void)err;
	str_add(&x->text, "\n]}\n");
	return 0;
}

static void fini(struct export *x)
{
	struct chrome *c = x->state;

	keymap_fini(&c->tracks);
	handlers_fini(&c->handlers);
}

const struct export_format export_chrome = {
	.is = { "chrome", "JSON trace events: chrome://tracing, ui.perfetto.dev, speedscope",
		".json", KT_EXPORT_PACKED },
	.state_size = sizeof(struct chrome),
	.spans = 1u << KT_SPAN_RUN | 1u << KT_SPAN_PREEMPTED | 1u << KT_SPAN_BLOCKED |
		 1u << KT_SPAN_WAIT | 1u << KT_SPAN_IRQ | 1u << KT_SPAN_SOFTIRQ |
		 1u << KT_SPAN_NMI | 1u << KT_SPAN_SYSCALL | 1u << KT_SPAN_WORK |
		 1u << KT_SPAN_LOCK,
	.begin = begin, .plan = plan, .event = event, .lost = lost, .span = put_span,
	.call = put_call, .end = end, .no_plan = no_plan, .fini = fini,
};
