/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kinds.c - the kinds of latencies, and which of them a trace has */
#include <string.h>

#include "latency/latency.h"

static const char *const of_calls[] = { "-p function_graph", NULL };
static const char *const of_faults[] = { "-p function_graph -l handle_mm_fault", NULL };
static const char *const of_tracers[] = { "-p timerlat", NULL };
static const char *const none[] = { NULL };

#define SPAN(kind) .span = (kind)
#define NO_SPAN    .span = KT_SPAN_KINDS

static const struct {
	const char *name, *title, *noun;
	enum kt_span_kind span;			/* KT_SPAN_KINDS: not a span */
	const char *const *events;
} kinds[KT_LATENCY_KINDS] = {
	[KT_LATENCY_WAKEUP]       = { "wakeup", "wakeup → run, per task", "task",
				      SPAN(KT_SPAN_WAIT) },
	[KT_LATENCY_PREEMPTED]    = { "preempted", "preempted, per task", "task",
				      SPAN(KT_SPAN_PREEMPTED) },
	[KT_LATENCY_BLOCKED]      = { "blocked", "blocked → woken, per task", "task",
				      SPAN(KT_SPAN_BLOCKED) },
	[KT_LATENCY_SLEEP]        = { "sleep", "blocked → woken, per reason", "reason",
				      SPAN(KT_SPAN_BLOCKED) },
	[KT_LATENCY_RUN]          = { "run", "on a CPU at a stretch, per task", "task",
				      SPAN(KT_SPAN_RUN) },
	[KT_LATENCY_IRQ]          = { "irq", "interrupt handlers", "interrupt", SPAN(KT_SPAN_IRQ) },
	[KT_LATENCY_SOFTIRQ]      = { "softirq", "soft interrupts", "softirq",
				      SPAN(KT_SPAN_SOFTIRQ) },
	[KT_LATENCY_SOFTIRQ_WAIT] = { "softirq-wait", "soft interrupts: raised → run", "softirq",
				      SPAN(KT_SPAN_SOFTIRQ_WAIT) },
	[KT_LATENCY_NMI]          = { "nmi", "handlers of NMIs", "CPU", SPAN(KT_SPAN_NMI) },
	[KT_LATENCY_IRQS_OFF]     = { "irqs-off", "interrupts off, per CPU", "CPU",
				      SPAN(KT_SPAN_IRQS_OFF) },
	[KT_LATENCY_PREEMPT_OFF]  = { "preempt-off", "preemption off, per CPU", "CPU",
				      SPAN(KT_SPAN_PREEMPT_OFF) },
	[KT_LATENCY_SYSCALL]      = { "syscall", "system calls", "call", SPAN(KT_SPAN_SYSCALL) },
	[KT_LATENCY_BLOCK_IO]     = { "block", "block I/O, per device", "device, size",
				      SPAN(KT_SPAN_BLOCK_IO) },
	[KT_LATENCY_WORK_WAIT]    = { "work-wait", "work: queued → executed", "function",
				      SPAN(KT_SPAN_WORK_WAIT) },
	[KT_LATENCY_WORK]         = { "work", "work executed", "function", SPAN(KT_SPAN_WORK) },
	[KT_LATENCY_LOCK]         = { "lock", "contended locks, until taken", "lock",
				      SPAN(KT_SPAN_LOCK) },
	[KT_LATENCY_TIMER]        = { "timer", "timers: expired late by",
				      "function", SPAN(KT_SPAN_TIMER) },
	[KT_LATENCY_NET_TX]       = { "net-tx", "packets: queued → given to the device", "packets",
				      SPAN(KT_SPAN_NET_TX) },
	[KT_LATENCY_NET_RX]       = { "net-rx", "packets: received → consumed", "packets",
				      SPAN(KT_SPAN_NET_RX) },
	[KT_LATENCY_FAULT]        = { "fault", "page faults", "handler", NO_SPAN, of_faults },
	[KT_LATENCY_TRACER]       = { "tracer", "latency tracers, per CPU", "measured", NO_SPAN,
				      of_tracers },
	[KT_LATENCY_CALL]         = { "calls", "functions", "function", NO_SPAN, of_calls },
	[KT_LATENCY_PAIR]         = { "pair", "a pair of events", "events", SPAN(KT_SPAN_PAIR),
				      none },
};

const char *kt_latency_kind_name(enum kt_latency_kind kind)
{
	return kinds[kind].name;
}

const char *kt_latency_kind_title(enum kt_latency_kind kind)
{
	return kinds[kind].title;
}

const char *kt_latency_kind_noun(enum kt_latency_kind kind)
{
	return kinds[kind].noun;
}

const char *const *kt_latency_kind_events(enum kt_latency_kind kind)
{
	return kinds[kind].events ? kinds[kind].events : kt_span_kind_events(kinds[kind].span);
}

enum kt_span_kind latency_span_of(enum kt_latency_kind kind)
{
	return kinds[kind].span;
}

/* ---- what a trace has ---- */

static bool has_event(struct kt_trace *t, const char *system, const char *name)
{
	size_t file;

	for (file = 0; file < kt_trace_nr_files(t); file++)
		if (kt_events_by_name(kt_trace_events(t, file), system, name))
			return true;
	return false;
}

static bool has_system(struct kt_trace *t, const char *system)
{
	const struct kt_event *ev;
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(t); file++)
		for (i = 0; i < kt_events_nr(kt_trace_events(t, file)); i++) {
			ev = kt_events_at(kt_trace_events(t, file), i);
			if (ev && strcmp(ev->system, system) == 0)
				return true;
		}
	return false;
}

bool latency_has_event(struct kt_trace *t, const char *word)
{
	const char *colon = strchr(word, ':');
	char system[64];

	if (!colon)
		return has_event(t, NULL, word);
	if (colon - word >= (long)sizeof(system))
		return false;
	memcpy(system, word, (size_t)(colon - word));
	system[colon - word] = 0;
	return has_event(t, system, colon + 1);
}

/* Do both words have the same "system:"? */
static bool is_of_system(const char *word, const char *other)
{
	size_t len = strcspn(other, ":");

	return strncmp(word, other, len) == 0 && word[len] == other[len];
}

bool kt_latency_kind_is_recorded(struct kt_trace *t, enum kt_latency_kind kind)
{
	const char *const *events;
	size_t i;

	if (kind == KT_LATENCY_CALL || kind == KT_LATENCY_FAULT)
		return has_event(t, "ftrace", "funcgraph_exit");
	if (kind == KT_LATENCY_TRACER)
		return has_event(t, "ftrace", "timerlat") || has_event(t, "ftrace", "osnoise") ||
		       has_event(t, "ftrace", "hwlat");
	if (kind == KT_LATENCY_SYSCALL && has_system(t, "syscalls"))
		return true;
	/* Events of another system only add to this kind, or end it. */
	events = kt_latency_kind_events(kind);
	for (i = 0; events[i]; i++)
		if (is_of_system(events[i], events[0]) && latency_has_event(t, events[i]))
			return true;
	return false;
}
