/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* missing.c - events that would explain more and that the recording lacks */
#include <ktrail/latencies.h>

#include "why/why.h"

/* An option of `record`, and one event that it enables */
static const struct { const char *option, *system, *event; } options[MISSING_NR] = {
	[MISSING_IDLE]    = { "-e power:cpu_idle", "power", "cpu_idle" },
	[MISSING_IRQ]     = { "-e irq", "irq", "irq_handler_entry" },
	[MISSING_SOFTIRQ] = { "-e irq", "irq", "softirq_entry" },
	[MISSING_TIMER]   = { "-e timer", "timer", "hrtimer_expire_entry" },
	[MISSING_BLOCK]   = { "-e block", "block", "block_rq_complete" },
	[MISSING_LOCK]    = { "-e lock", "lock", "contention_begin" },
	[MISSING_MOVE]    = { "-e sched:sched_migrate_task", "sched", "sched_migrate_task" },
	[MISSING_SYSCALL] = { "-e raw_syscalls", "raw_syscalls", "sys_enter" },
	[MISSING_STACK]   = { .option = "-T" },
};

static bool is_missing(struct kt_why *w, unsigned int i)
{
	struct kt_events *evs = kt_trace_events(w->trace, w->opts.file);

	if (!(w->missing & 1u << i))
		return false;
	switch (i) {
	case MISSING_STACK:	/* every file has their format, even without stacks */
		return !w->has_stacks;
	case MISSING_SYSCALL:
		return !kt_latency_kind_is_recorded(w->trace, KT_LATENCY_SYSCALL);
	case MISSING_SOFTIRQ:
		if (is_missing(w, MISSING_IRQ))
			return false;	/* one option for both */
		break;
	}
	return !kt_events_by_name(evs, options[i].system, options[i].event);
}

const char *kt_why_missing(struct kt_why *w, size_t i)
{
	unsigned int k;

	for (k = 0; k < MISSING_NR; k++)
		if (is_missing(w, k) && i-- == 0)
			return options[k].option;
	return NULL;
}
