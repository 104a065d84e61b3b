/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names.c - the row that a span belongs to, and the row's name */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "base/units.h"
#include "latency/latency.h"
#include "latency/waiting.h"
#include "plug/plug.h"

#define MEMBER_MAX 65536	/* from a symbol to a lock within it */

/* Like snprintf("%s"), which would take half of the time of a name */
static size_t copy_name(char *name, size_t size, const char *text)
{
	size_t len = strnlen(text, size - 1);

	memcpy(name, text, len);
	name[len] = '\0';
	return len;
}

void latency_format_task(struct kt_trace *t, size_t file, int pid, char *name, size_t size)
{
	const char *comm = kt_trace_comm_known(t, file, pid);
	size_t len = copy_name(name, size, comm ? comm : "<...>");
	char number[NUM_MAX + 2];

	number[0] = ':';
	*num_put_i64(number + 1, pid) = '\0';
	copy_name(name + len, size - len, number);
}

const char *kt_errno_name(int err)
{
	return plug_errno_name(err);
}

static const char *state_name(uint64_t state)
{
	static const struct {
		unsigned int flag;
		const char *name;
	} states[] = {
		{ 2, "uninterruptible" }, { 1, "interruptible" }, { 0x80, "idle" },
		{ 4, "stopped" }, { 8, "stopped by a tracer" }, { 0x40, "parked" },
	};
	size_t i;

	for (i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (state & states[i].flag)
			return states[i].name;
	return "other";
}

static void name_reason(const struct kt_latency_table *t, const struct kt_span *s, char *name,
			size_t size)
{
	uint64_t function = waiting_function(t->trace, s);
	struct kt_symbol sym;

	if (function && kt_symbols_find(kt_trace_symbols(t->trace, s->file), function, &sym) > 0)
		snprintf(name, size, "%s, %s", sym.name, state_name(s->value));
	else
		copy_name(name, size, state_name(s->value));
}

/* ---- */

/* From sys_enter_NAME, sys_exit_NAME, or the number; NULL: only the number is known */
static const char *call_of(const struct kt_span *s)
{
	const struct kt_event *ev = s->begin.event ? s->begin.event : s->end.event;

	if (ev && str_starts(ev->name, "sys_enter_"))
		return ev->name + strlen("sys_enter_");
	if (ev && str_starts(ev->name, "sys_exit_"))
		return ev->name + strlen("sys_exit_");
	return ev ? kt_syscall_name(ev->events, s->key[0]) : NULL;
}

/* Sectors of 512 bytes, as the next power of two */
static uint64_t size_class(uint64_t sectors)
{
	uint64_t size = 8;

	while (size < sectors && size < 1 << 20)
		size *= 2;
	return size;
}

static void name_function(struct kt_trace *t, const struct kt_span *s, uint64_t addr, char *name,
			  size_t size)
{
	struct kt_symbol sym;

	if (kt_symbols_find(kt_trace_symbols(t, s->file), addr, &sym) > 0)
		copy_name(name, size, sym.name);
	else
		snprintf(name, size, "0x%" PRIx64, addr);
}

/* A lock is a variable, or a member of one. */
static void name_address(struct kt_trace *t, const struct kt_span *s, uint64_t addr, char *name,
			 size_t size)
{
	struct kt_symbol sym;

	if (kt_symbols_find(kt_trace_symbols(t, s->file), addr, &sym) <= 0 ||
	    addr - sym.addr >= MEMBER_MAX)
		snprintf(name, size, "0x%" PRIx64, addr);
	else if (addr == sym.addr)
		copy_name(name, size, sym.name);
	else
		snprintf(name, size, "%s+0x%" PRIx64, sym.name, addr - sym.addr);
}

/* Source: Linux, include/trace/events/lock.h */
static void name_lock(struct kt_trace *t, const struct kt_span *s, char *name, size_t size)
{
	static const struct { unsigned int bits; const char *name; } kinds[] = {
		{ 0x02, "read " }, { 0x04, "write " }, { 0x08, "rt " }, { 0x10, "percpu " },
		{ 0x20, "mutex " }, { 0x01, "spin " },
	};
	size_t i, len = 0;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds) && !(s->value & kinds[i].bits); i++)
		;
	if (i < sizeof(kinds) / sizeof(*kinds))
		len = copy_name(name, size, kinds[i].name);
	name_address(t, s, s->key[0], name + len, size - len);
}

static void name_block(const struct kt_span *s, char *name, size_t size)
{
	char text[32];

	snprintf(name, size, "%u,%u up to %s", (unsigned int)(s->key[0] >> 20),
		 (unsigned int)(s->key[0] & 0xfffff),
		 units_format_size(size_class(s->value) * 512, text));
}

/* On x86 a vector is not the interrupt of that number. */
static bool is_vector(const struct kt_span *s)
{
	const struct kt_event *ev = s->begin.event ? s->begin.event : s->end.event;

	return ev && strcmp(ev->system, "irq_vectors") == 0;
}

/* "local_timer" of local_timer_entry */
static void name_vector(const struct kt_span *s, char *name, size_t size)
{
	const char *event = (s->begin.event ? s->begin.event : s->end.event)->name;
	const char *end = strrchr(event, '_');

	snprintf(name, size, "%.*s", end ? (int)(end - event) : (int)strlen(event), event);
}

static void name_numbered(const struct handlers *h, const struct kt_span *s, char *name,
			  size_t size)
{
	uint64_t n = s->key[0];

	if (s->kind == KT_SPAN_IRQ && is_vector(s))
		name_vector(s, name, size);
	else if (s->kind == KT_SPAN_IRQ && handlers_name(h, n))
		snprintf(name, size, "%" PRIu64 " %s", n, handlers_name(h, n));
	else if (s->kind != KT_SPAN_IRQ && kt_softirq_name(n))
		copy_name(name, size, kt_softirq_name(n));
	else
		snprintf(name, size, "%" PRIu64, n);
}

static void name_pair(const struct kt_latency_table *t, const struct kt_span *s, char *name,
		      size_t size)
{
	if (t->opts.by_key)
		snprintf(name, size, "%s %" PRIu64, t->steps[0].key, s->key[0]);
	else
		copy_name(name, size, t->pair_name);
}

void latency_name_subject(struct kt_trace *t, const struct handlers *h, const struct kt_span *s,
			  char *name, size_t size)
{
	const char *call;

	switch (s->kind) {
	case KT_SPAN_IRQ: case KT_SPAN_SOFTIRQ: case KT_SPAN_SOFTIRQ_WAIT:
		name_numbered(h, s, name, size);
		break;
	case KT_SPAN_NMI: case KT_SPAN_IRQS_OFF: case KT_SPAN_PREEMPT_OFF:
		snprintf(name, size, "CPU %d", s->end.cpu);
		break;
	case KT_SPAN_SYSCALL:
		call = call_of(s);
		if (call)
			copy_name(name, size, call);
		else
			snprintf(name, size, "call %" PRIu64, s->key[0]);
		break;
	case KT_SPAN_BLOCK_IO:
		name_block(s, name, size);
		break;
	case KT_SPAN_WORK: case KT_SPAN_WORK_WAIT:
		name_function(t, s, s->value, name, size);
		break;
	case KT_SPAN_TIMER:
		name_function(t, s, s->key[1], name, size);
		break;
	case KT_SPAN_LOCK:
		name_lock(t, s, name, size);
		break;
	case KT_SPAN_NET_TX: case KT_SPAN_NET_RX:
		copy_name(name, size, "all devices");
		break;
	default:
		latency_format_task(t, s->file, s->pid, name, size);
	}
}

void latency_name_span(const struct kt_latency_table *t, enum kt_latency_kind kind,
		       const struct kt_span *s, char *name, size_t size)
{
	if (kind == KT_LATENCY_SLEEP)
		name_reason(t, s, name, size);
	else if (kind == KT_LATENCY_PAIR)
		name_pair(t, s, name, size);
	else
		latency_name_subject(t->trace, &t->handlers, s, name, size);
}

uint64_t latency_key_of(const struct kt_latency_table *t, enum kt_latency_kind kind,
			const struct kt_span *s)
{
	uint64_t key = s->key[0];

	switch (kind) {
	case KT_LATENCY_WAKEUP: case KT_LATENCY_PREEMPTED: case KT_LATENCY_BLOCKED:
	case KT_LATENCY_RUN:
		key = (uint32_t)s->pid;
		break;
	case KT_LATENCY_IRQ:
		key |= (uint64_t)is_vector(s) << 32;
		break;
	case KT_LATENCY_SLEEP:
		key = waiting_function(t->trace, s) << 4 | (s->value & 15);
		break;
	case KT_LATENCY_NMI: case KT_LATENCY_IRQS_OFF: case KT_LATENCY_PREEMPT_OFF:
		key = (uint64_t)s->end.cpu;
		break;
	case KT_LATENCY_SYSCALL:
		key = keymap_mix((uintptr_t)(s->begin.event ? s->begin.event : s->end.event), key);
		break;
	case KT_LATENCY_BLOCK_IO:
		key = keymap_mix(key, size_class(s->value));
		break;
	case KT_LATENCY_WORK: case KT_LATENCY_WORK_WAIT:
		key = s->value;
		break;
	case KT_LATENCY_TIMER:
		key = s->key[1];
		break;
	case KT_LATENCY_NET_TX: case KT_LATENCY_NET_RX:
		key = 0;
		break;
	case KT_LATENCY_PAIR:
		key = t->opts.by_key ? keymap_mix(key, s->key[1]) : 0;
		break;
	default:
		break;
	}
	return keymap_mix(keymap_mix(s->file, (uint64_t)kind), key);
}
