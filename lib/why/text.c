/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.c - a line of the reasons as text */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "why/why.h"

#define MEMBER_MAX 65536	/* from a symbol to a lock within it */

static void add_task(struct str *s, const struct kt_why *w, int pid)
{
	const char *comm = kt_trace_comm(w->trace, w->opts.file, pid);

	str_addf(s, "%s:%d", comm ? comm : "<...>", pid);
}

static bool add_function(struct str *s, const struct kt_why *w, uint64_t addr)
{
	struct kt_symbols *symbols = kt_trace_symbols(w->trace, w->opts.file);
	struct kt_symbol sym;

	if (!addr || kt_symbols_find(symbols, addr, &sym) <= 0)
		return false;
	str_add(s, sym.name);
	return true;
}

/* The last entry of a list has no flag. */
struct flag_word {
	uint64_t flag;
	const char *word;
};

/* The first word whose flag is set, or the last word */
static const char *word_of(const struct flag_word *list, uint64_t flags)
{
	while (list->flag && !(flags & list->flag))
		list++;
	return list->word;
}

static void add_state(struct str *s, const struct kt_why *w, const struct kt_why_line *l)
{
	static const struct flag_word states[] = {
		{ 2, "uninterruptible" }, { 1, "interruptible" }, { 0x80, "idle" },
		{ 0x30, "it had exited" }, { 0x40, "parked" }, { 8, "stopped by a tracer" },
		{ 0, "stopped" },
	};
	struct kt_symbol sym;

	str_add(s, "blocked");
	if (l->key == KT_WHY_NO_KEY)
		return;
	str_addf(s, ", %s", word_of(states, l->key));
	if (l->function && kt_symbols_find(kt_trace_symbols(w->trace, w->opts.file), l->function,
					   &sym) > 0)
		str_addf(s, ", in %s", sym.name);
	if (l->name)
		str_addf(s, ", system call %s", l->name);
}

/* An interrupt with a vector has a name and no number; without events it has neither. */
static void add_interrupt(struct str *s, const struct kt_why_line *l)
{
	if (l->key == KT_WHY_NO_KEY && l->name)
		str_addf(s, "interrupt %s", l->name);
	else if (l->key == KT_WHY_NO_KEY)
		str_add(s, "an interrupt");
	else
		str_addf(s, "interrupt %" PRIu64 "%s%s", l->key, l->name ? " " : "",
			 l->name ? l->name : "");
}

static void add_vector(struct str *s, uint64_t vector)
{
	if (vector == KT_WHY_NO_KEY)
		str_add(s, "a softirq");
	else if (kt_softirq_name(vector))
		str_addf(s, "softirq %s", kt_softirq_name(vector));
	else
		str_addf(s, "softirq %" PRIu64, vector);
}

/* If several intervals were added up, the CPU is not known. */
static void add_cpu(struct str *s, const char *what, int cpu)
{
	if (cpu >= 0)
		str_addf(s, "%s CPU %d", what, cpu);
}

/* ---- idle states and moves ---- */

static void add_idle(struct str *s, struct kt_why *w, const struct kt_why_line *l)
{
	char text[32];

	if (l->key == KT_WHY_NO_KEY && kt_events_by_name(kt_trace_events(w->trace, w->opts.file),
							 "power", "cpu_idle"))
		str_addf(s, "CPU %d was between an idle state and a task", l->cpu);
	else if (l->key == KT_WHY_NO_KEY)
		str_addf(s, "CPU %d was idle, or on its way out of it", l->cpu);
	else
		str_addf(s, "CPU %d was idle (state %" PRIu64 ")", l->cpu, l->key);
	if (l->delay)
		str_addf(s, ", left it after %s", units_format_time(l->delay, text));
}

static void add_unknown(struct str *s, const struct kt_why_line *l)
{
	char text[32];

	str_add(s, "unexplained");
	if (!(l->flags & KT_WHY_OLDER))
		return;
	if (l->flags & KT_WHY_AFTER_LOSS)
		str_add(s, ", events were lost before");
	else if (l->flags & KT_WHY_AT_START)
		str_add(s, ", no event of it since the trace began");
	else
		str_addf(s, ", no event of it in the %s before",
			 units_format_time(l->delay, text));
}

/* @how the wait began: "woken". The piece after a move names only the move. */
static void add_wait(struct str *s, const char *how, const struct kt_why_line *l)
{
	if (!(l->flags & KT_WHY_THEN))
		str_addf(s, "%s, ", how);
	if (l->from_cpu >= 0)
		str_addf(s, "moved from CPU %d to CPU %d, waited there", l->from_cpu, l->cpu);
	else if (l->cpu >= 0)
		str_addf(s, "waited for CPU %d", l->cpu);
	else
		str_addf(s, "waited for %s", l->from ? "a CPU" : "CPUs");
}

/* ---- what a sleep was for ---- */

/* Source: Linux, include/trace/events/lock.h */
static void add_lock(struct str *s, const struct kt_why *w, const struct kt_why_line *l)
{
	static const struct flag_word locks[] = {
		{ 0x20, "mutex " }, { 0x10, "percpu-rwsem " }, { 0x08, "rt-mutex " },
		{ 0x06, "rwsem " }, { 0x01, "spinlock " }, { 0, "lock " },
	};
	struct kt_symbol sym;

	str_add(s, word_of(locks, l->flags));
	if (kt_symbols_find(kt_trace_symbols(w->trace, w->opts.file), l->addr, &sym) > 0 &&
	    l->addr - sym.addr < MEMBER_MAX) {
		str_add(s, sym.name);
		if (l->addr != sym.addr)
			str_addf(s, "+0x%" PRIx64, l->addr - sym.addr);
	} else {
		str_addf(s, "0x%" PRIx64, l->addr);
	}
	if (l->flags & 0x06)
		str_add(s, l->flags & 0x02 ? ", to read" : ", to write");
}

/* Source: Linux, include/uapi/linux/futex.h */
static void add_futex(struct str *s, const struct kt_why_line *l)
{
	static const char *const ops[] = { "wait", [6] = "lock_pi", [9] = "wait_bitset",
					   [11] = "wait_requeue_pi", [13] = "lock_pi2" };
	uint64_t op = l->flags & 0x7f;

	str_addf(s, "slept on futex 0x%" PRIx64, l->addr);
	if (op < sizeof(ops) / sizeof(*ops) && ops[op])
		str_addf(s, ", %s", ops[op]);
}

/* A request may be older than the sleep. */
static void add_whole(struct str *s, const struct kt_why_line *l)
{
	char text[32];

	if (l->delay > l->ns)
		str_addf(s, ", %s in all", units_format_time(l->delay, text));
}

static void add_device(struct str *s, uint64_t dev)
{
	str_addf(s, "device %u,%u", (unsigned int)(dev >> 20), (unsigned int)(dev & 0xfffff));
}

static void add_request(struct str *s, const struct kt_why_line *l)
{
	const char *what = "request";
	char text[32];

	if (l->name && strchr(l->name, 'R'))
		what = "read";
	else if (l->name && strchr(l->name, 'W'))
		what = "write";
	str_addf(s, "%s of %s, ", what, units_format_size(l->flags * 512, text));
	add_device(s, l->key);
	str_addf(s, ", sector %" PRIu64, l->addr);
}

/* Other requests of the same device */
static void add_others(struct str *s, const struct kt_why_line *l)
{
	if (!l->count && !l->issued) {
		str_add(s, "the device had no other request");
		return;
	}
	str_addf(s, "of other requests, the device had %" PRIu64 " and got %" PRIu64
		 ", completed %" PRIu64, l->count, l->issued, l->completed);
}

static void add_timer(struct str *s, const struct kt_why *w, const struct kt_why_line *l)
{
	char text[32];

	str_add(s, "a timer expired");
	if (l->function) {
		str_add(s, ": ");
		if (!add_function(s, w, l->function))
			str_addf(s, "0x%" PRIx64, l->function);
	}
	if (l->key && l->key != KT_WHY_NO_KEY)
		str_addf(s, ", set for %s", units_format_time(l->key, text));
	if (l->flags & KT_WHY_TIMER_KNOWN && l->flags & KT_WHY_TIMER_JIFFIES)
		str_addf(s, ", %" PRIu64 " jiffies late", l->delay);
	else if (l->flags & KT_WHY_TIMER_KNOWN && l->delay)
		str_addf(s, ", %s late", units_format_time(l->delay, text));
	else if (l->flags & KT_WHY_TIMER_KNOWN)
		str_add(s, ", on time");
}

/* ---- subjects of lines ---- */

void text_add_subject(struct str *s, const struct kt_why *w, const struct kt_why_line *l)
{
	switch (l->kind) {
	case KT_WHY_IRQ: case KT_WHY_WAKER_IRQ:
		add_interrupt(s, l);
		break;
	case KT_WHY_SOFTIRQ: case KT_WHY_WAKER_SOFTIRQ:
		add_vector(s, l->key);
		break;
	case KT_WHY_NMI:
		str_add(s, "NMI");
		break;
	case KT_WHY_IDLE:
		str_add(s, "idle");
		break;
	case KT_WHY_UNKNOWN:
		str_add(s, "unexplained");
		break;
	case KT_WHY_LOCK:
		add_lock(s, w, l);
		break;
	case KT_WHY_IO_DEVICE:
		add_request(s, l);
		break;
	case KT_WHY_SPUN:
		if (w->opts.by_cpu || l->pid != w->opts.pid) {
			add_task(s, w, l->pid);
			str_addc(s, ' ');
		}
		str_add(s, "spinning for ");
		add_lock(s, w, l);
		break;
	default:
		add_task(s, w, l->pid);
	}
}

static void add_waker(struct str *s, const struct kt_why *w, const struct kt_why_line *l)
{
	char text[32];

	str_add(s, l->flags & KT_WHY_COMPLETED ? "completed by " : "woken by ");
	text_add_subject(s, w, l);
	str_addf(s, " on CPU %d at %s", l->cpu, units_format_moment(l->until, text));
	if (l->kind == KT_WHY_WAKER_TASK && l->flags & KT_WHY_RELEASED)
		str_add(s, ", which released it");
	if (l->kind == KT_WHY_WAKER_SOFTIRQ && l->pid > 0) {
		str_add(s, ", during ");
		add_task(s, w, l->pid);
	}
}

static void add_hop(struct str *s, const struct kt_why_line *l)
{
	char text[32];

	str_addf(s, "itself woken at %s; ", units_format_moment(l->from, text));
	str_addf(s, "it waited %s for CPUs, ", units_format_time(l->delay, text));
	str_addf(s, "ran %s", units_format_time(l->ran, text));
}

/* ---- lines ---- */

static void add_spun(struct str *s, const struct kt_why *w, const struct kt_why_line *l)
{
	add_task(s, w, l->pid);
	str_add(s, " spun for ");
	add_lock(s, w, l);
}

static void add_state_of_task(struct str *s, struct kt_why *w, const struct kt_why_line *l)
{
	switch (l->kind) {
	case KT_WHY_RAN:
		str_add(s, "ran");
		add_cpu(s, " on", l->cpu);
		break;
	case KT_WHY_PREEMPTED:
		add_wait(s, "preempted", l);
		break;
	case KT_WHY_WAITED:
		add_wait(s, "woken", l);
		break;
	case KT_WHY_BLOCKED:
		add_state(s, w, l);
		break;
	case KT_WHY_ABSENT:
		str_add(s, "did not exist yet, was created by ");
		add_task(s, w, (int)l->key);
		break;
	case KT_WHY_UNKNOWN:
		add_unknown(s, l);
		break;
	default:
		break;
	}
}

static void add_io(struct str *s, struct kt_why *w, const struct kt_why_line *l)
{
	char text[32];

	switch (l->kind) {
	case KT_WHY_IO_QUEUED:
		str_add(s, "in the queue of ");
		add_device(s, l->key);
		add_whole(s, l);
		break;
	case KT_WHY_IO_DEVICE:
		add_request(s, l);
		add_whole(s, l);
		break;
	case KT_WHY_IO_BEFORE:
		str_addf(s, "before, it was in the queue for %s",
			 units_format_time(l->delay, text));
		break;
	case KT_WHY_IO_OTHERS:
		add_others(s, l);
		break;
	case KT_WHY_IO_PAUSE:
		str_addf(s, "the device completed nothing for %s",
			 units_format_time(l->delay, text));
		str_addf(s, ", until %s", units_format_moment(l->until, text));
		break;
	case KT_WHY_IO_ISSUER:
		add_task(s, w, l->pid);
		str_add(s, ", which issued it, meanwhile:");
		break;
	default:
		break;
	}
}

static void add_what(struct str *s, struct kt_why *w, const struct kt_why_line *l)
{
	char text[32];

	switch (l->kind) {
	case KT_WHY_RAN: case KT_WHY_PREEMPTED: case KT_WHY_WAITED: case KT_WHY_BLOCKED:
	case KT_WHY_ABSENT: case KT_WHY_UNKNOWN:
		add_state_of_task(s, w, l);
		break;
	case KT_WHY_MORE:
		str_add(s, "shorter ones");
		break;
	case KT_WHY_HOLDER:
		add_task(s, w, l->pid);
		str_add(s, " ran there");
		break;
	case KT_WHY_IDLE:
		add_idle(s, w, l);
		break;
	case KT_WHY_IRQ: case KT_WHY_SOFTIRQ: case KT_WHY_NMI:
		text_add_subject(s, w, l);
		break;
	case KT_WHY_WAKER_TASK: case KT_WHY_WAKER_IRQ: case KT_WHY_WAKER_SOFTIRQ:
		add_waker(s, w, l);
		break;
	case KT_WHY_SPUN:
		add_spun(s, w, l);
		break;
	case KT_WHY_IO_QUEUED: case KT_WHY_IO_DEVICE: case KT_WHY_IO_BEFORE:
	case KT_WHY_IO_OTHERS: case KT_WHY_IO_PAUSE: case KT_WHY_IO_ISSUER:
		add_io(s, w, l);
		break;
	case KT_WHY_MOVED:
		str_addf(s, "queued on CPU %d, ran on CPU %d: when it was moved is not recorded",
			 l->from_cpu, l->cpu);
		break;
	case KT_WHY_LOCK:
		str_add(s, "slept for ");
		add_lock(s, w, l);
		str_addf(s, ", %s until it had it", units_format_time(l->delay, text));
		break;
	case KT_WHY_FUTEX:
		add_futex(s, l);
		break;
	case KT_WHY_TIMER:
		add_timer(s, w, l);
		break;
	case KT_WHY_CALLS:
		str_add(s, "functions that it called, by their own time:");
		break;
	case KT_WHY_CALLEE:
		str_add(s, l->name);
		break;
	case KT_WHY_CHAIN:
		str_addf(s, "most of it in %s", l->name);
		break;
	case KT_WHY_HOP:
		add_hop(s, l);
		break;
	}
}

const char *kt_why_text(struct kt_why *w, size_t i)
{
	const struct kt_why_line *l = kt_why_line(w, i);
	char text[32];

	if (!l)
		return NULL;
	str_reset(&w->text);
	add_what(&w->text, w, l);
	if (l->until && l->depth == 0)
		str_addf(&w->text, ", until %s", units_format_moment(l->until, text));
	if (l->count > 1)
		str_addf(&w->text, " (%" PRIu64 " times)", l->count);
	return w->text.failed ? NULL : w->text.buf;
}

bool kt_why_is_part(enum kt_why_kind kind)
{
	return kind <= KT_WHY_MORE;
}

const char *kt_why_kind_name(enum kt_why_kind kind)
{
	static const char *const names[] = {
		[KT_WHY_RAN] = "ran", [KT_WHY_PREEMPTED] = "preempted",
		[KT_WHY_WAITED] = "waited", [KT_WHY_BLOCKED] = "blocked",
		[KT_WHY_ABSENT] = "absent", [KT_WHY_UNKNOWN] = "unexplained",
		[KT_WHY_HOLDER] = "holder", [KT_WHY_IO_BEFORE] = "io-before",
		[KT_WHY_IO_OTHERS] = "io-others", [KT_WHY_IO_PAUSE] = "io-pause",
		[KT_WHY_IO_ISSUER] = "issuer",
		[KT_WHY_IDLE] = "idle", [KT_WHY_IRQ] = "irq", [KT_WHY_SOFTIRQ] = "softirq",
		[KT_WHY_NMI] = "nmi", [KT_WHY_SPUN] = "spun", [KT_WHY_IO_QUEUED] = "io-queued",
		[KT_WHY_IO_DEVICE] = "io", [KT_WHY_CALLEE] = "callee",
		[KT_WHY_MORE] = "shorter", [KT_WHY_MOVED] = "moved",
		[KT_WHY_LOCK] = "lock", [KT_WHY_FUTEX] = "futex", [KT_WHY_TIMER] = "timer",
		[KT_WHY_WAKER_TASK] = "waker", [KT_WHY_WAKER_IRQ] = "waker-irq",
		[KT_WHY_WAKER_SOFTIRQ] = "waker-softirq", [KT_WHY_CALLS] = "calls",
		[KT_WHY_HOP] = "hop", [KT_WHY_CHAIN] = "chain",
	};

	return names[kind];
}
