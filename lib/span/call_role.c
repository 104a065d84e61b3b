/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* call_role.c - find the events that enter and leave a call */
#include "span/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "format/events.h"

static void ftrace_role(struct call_role *r)
{
	const struct kt_event *ev = r->event;

	if (strcmp(ev->name, "funcgraph_entry") == 0 ||
	    strcmp(ev->name, "fgraph_retaddr_entry") == 0) {
		r->act = CALL_GRAPH_ENTRY;
	} else if (strcmp(ev->name, "funcgraph_exit") == 0) {
		r->act = CALL_GRAPH_EXIT;
		r->retval = kt_event_field(ev, "retval");
		r->from = kt_event_field(ev, "calltime");
		r->to = kt_event_field(ev, "rettime");
	} else if (strcmp(ev->name, "function") == 0) {
		r->act = CALL_FUNCTION;
		r->func = kt_event_field(ev, "ip");
		r->depth = kt_event_field(ev, "parent_ip");
	}
	if (r->act == CALL_GRAPH_ENTRY || r->act == CALL_GRAPH_EXIT) {
		r->func = kt_event_field(ev, "func");
		r->depth = kt_event_field(ev, "depth");
	}
	if (!r->func || !r->depth)
		r->act = CALL_NOTHING;
}

static void syscall_role(struct call_role *r)
{
	const struct kt_event *ev = r->event;
	bool raw = strcmp(ev->system, "raw_syscalls") == 0;

	r->kind = KT_CALL_SYSCALL;
	if (str_starts(ev->name, raw ? "sys_enter" : "sys_enter_"))
		r->act = CALL_SYSCALL_ENTRY;
	else if (str_starts(ev->name, raw ? "sys_exit" : "sys_exit_"))
		r->act = CALL_SYSCALL_EXIT;
	r->name = raw ? "system call" : ev->name + (r->act == CALL_SYSCALL_ENTRY ? 10 : 9);
	r->retval = kt_event_field(ev, "ret");
	if (raw)
		r->from = kt_event_field(ev, "id");
}

static void irq_role(struct call_role *r)
{
	static const struct {
		const char *name;
		enum call_act act;
		enum kt_call_kind kind;
	} events[] = {
		{ "irq_handler_entry", CALL_IRQ_ENTRY, KT_CALL_IRQ },
		{ "irq_handler_exit", CALL_IRQ_EXIT, KT_CALL_IRQ },
		{ "softirq_entry", CALL_IRQ_ENTRY, KT_CALL_SOFTIRQ },
		{ "softirq_exit", CALL_IRQ_EXIT, KT_CALL_SOFTIRQ },
	};
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (strcmp(r->event->name, events[i].name) == 0) {
			r->act = events[i].act;
			r->kind = events[i].kind;
		}
	r->name = r->kind == KT_CALL_IRQ ? "interrupt" : "softirq";
}

static const struct ending {
	const char *text;
	bool is_end;
} endings[] = {
	{ "_entry", false }, { "_enter", false }, { "_begin", false }, { "_start", false },
	{ "_exit", true }, { "_end", true }, { "_return", true }, { "_done", true },
};

/* The ending of a name that marks a begin or an end; NULL: it has none */
static const struct ending *ending_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (str_ends(name, endings[i].text))
			return &endings[i];
	return NULL;
}

bool calls_is_pair(const char *begin, const char *end)
{
	const struct ending *b = ending_of(begin), *e = ending_of(end);
	size_t len = strlen(begin) - (b ? strlen(b->text) : 0);

	return b && e && !b->is_end && e->is_end && strlen(end) - strlen(e->text) == len &&
	       strncmp(begin, end, len) == 0;
}

/* job_entry and job_exit: synthetic events named by a user */
static void synthetic_role(struct call_role *r)
{
	const struct ending *e = ending_of(r->event->name);

	if (!e)
		return;
	r->act = e->is_end ? CALL_NAMED_EXIT : CALL_NAMED_ENTRY;
	r->name = r->event->name;
	r->retval = kt_event_field(r->event, "ret");
}

/* local_timer_entry and so on: interrupts with their own vectors on x86 */
static void vector_role(struct call_role *r)
{
	const struct ending *e = ending_of(r->event->name);

	if (!e)
		return;
	r->act = e->is_end ? CALL_IRQ_EXIT : CALL_IRQ_ENTRY;
	r->kind = KT_CALL_IRQ;
	r->name = r->event->name;
}

/* The field with the return value of a return probe: "ret", or its only own field */
static const struct kt_field *returned(const struct kt_event *ev)
{
	const unsigned int no_number = KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE |
				       KT_FIELD_STRING;
	const struct kt_field *f = kt_event_field(ev, "ret"), *only = NULL;
	size_t i, nr = 0;

	for (i = 0; i < ev->nr_fields; i++)
		if (!str_starts(ev->fields[i].name, "__probe_") && nr++ == 0)
			only = &ev->fields[i];
	if (!f && nr == 1)
		f = only;
	return f && !(f->flags & no_number) ? f : NULL;
}

/* A probe on a function's entry has its place in __probe_ip, a return probe in __probe_func */
static void probe_role(struct call_role *r)
{
	r->func = kt_event_field(r->event, "__probe_func");
	r->act = r->func ? CALL_PROBE_EXIT : CALL_NOTHING;
	r->retval = r->func ? returned(r->event) : NULL;
	if (r->func)
		return;
	r->func = kt_event_field(r->event, "__probe_ip");
	if (r->func)
		r->act = CALL_PROBE_ENTRY;
}

static bool is_wanted(const struct kt_calls_opts *opts, const char *system, const char *name,
		      const struct kt_blob *format)
{
	static const char probed[] = "__probe_";

	if (strcmp(system, "ftrace") == 0)
		return str_starts(name, "funcgraph_") || str_starts(name, "fgraph_retaddr") ||
		       strcmp(name, "function") == 0;
	if (strcmp(system, "syscalls") == 0 || strcmp(system, "raw_syscalls") == 0)
		return !opts->no_syscalls;
	if (strcmp(system, "irq") == 0)
		return !opts->no_interrupts;
	if (strcmp(system, "sched") == 0)
		return !opts->no_switches && strcmp(name, "sched_switch") == 0;
	return memmem(format->data, format->size, probed, strlen(probed));
}

void call_roles_types(const struct kt_calls_opts *opts, const struct kt_trace *t, size_t file,
		      uint64_t bits[KT_ANALYSIS_WORDS])
{
	const struct kt_events *evs = kt_trace_events(t, file);
	char name[256];
	size_t i;

	for (i = 0; i < evs->nr_slots; i++) {
		const struct event_slot *slot = &evs->slots[i];

		if (event_slot_name(slot, name, sizeof(name)) &&
		    is_wanted(opts, slot->source.system, name, &slot->source.format))
			bits[slot->id / 64] |= 1ull << slot->id % 64;
	}
}

static void find_role(struct call_role *r, const struct kt_calls_opts *opts)
{
	const struct kt_event *ev = r->event;

	r->kind = KT_CALL_FUNCTION;
	if (strcmp(ev->system, "ftrace") == 0)
		ftrace_role(r);
	else if (!opts->no_syscalls && (strcmp(ev->system, "syscalls") == 0 ||
					strcmp(ev->system, "raw_syscalls") == 0))
		syscall_role(r);
	else if (strcmp(ev->system, "irq") == 0 && !opts->no_interrupts)
		irq_role(r);
	else if (strcmp(ev->system, "irq_vectors") == 0 && !opts->no_interrupts)
		vector_role(r);
	else if (strcmp(ev->system, "synthetic") == 0)
		synthetic_role(r);
	else if (strcmp(ev->system, "sched") == 0 && strcmp(ev->name, "sched_switch") == 0 &&
		 !opts->no_switches) {
		r->kind = KT_CALL_OFF_CPU;
		r->from = kt_event_field(ev, "prev_pid");
		r->to = kt_event_field(ev, "next_pid");
		r->act = r->from && r->to ? CALL_SWITCH : CALL_NOTHING;
	} else {
		probe_role(r);
	}
}

const struct call_role *call_roles_get(struct call_roles *roles, const struct kt_calls_opts *opts,
				       const struct kt_event *ev)
{
	bool is_new;
	struct call_role *r = keymap_element(&roles->of, (uintptr_t)ev, (void **)&roles->at,
					     &roles->nr, sizeof(*r), &is_new);

	if (!r || !is_new)
		return r;
	r->event = ev;
	find_role(r, opts);
	return r;
}

void call_roles_fini(struct call_roles *roles)
{
	free(roles->at);
	keymap_fini(&roles->of);
	*roles = (struct call_roles){ 0 };
}

uint64_t calls_function_at(struct kt_symbols *syms, uint64_t addr)
{
	struct kt_symbol sym;

	return kt_symbols_find(syms, addr, &sym) > 0 ? sym.addr : addr;
}
