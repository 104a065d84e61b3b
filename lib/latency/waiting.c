/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* waiting.c - where in the kernel a task sleeps */
#include "latency/waiting.h"

#include "base/str.h"

/* Functions of the scheduler, and those that wait, do not show the reason. */
static bool is_waiting_itself(const char *function)
{
	static const char *const begins[] = { "__schedule", "schedule", "preempt_schedule",
		"__traceiter", "trace_event_raw", "io_schedule", "wait_for_completion",
		"__wait_for_common", "do_nanosleep", "futex_wait_queue", "rt_mutex_schedule",
		"bit_wait", "__wait_on_bit", "out_of_line_wait", "prepare_to_wait", NULL };
	size_t i;

	for (i = 0; begins[i]; i++)
		if (str_starts(function, begins[i]))
			return true;
	return false;
}

uint64_t waiting_function(struct kt_trace *t, const struct kt_span *s)
{
	struct kt_symbols *symbols = kt_trace_symbols(t, s->file);
	struct kt_symbol sym;
	uint64_t found = 0;
	size_t i;

	for (i = 0; i < s->nr_frames; i++) {
		if (kt_symbols_find(symbols, s->frames[i], &sym) <= 0)
			continue;
		found = sym.addr;
		if (!is_waiting_itself(sym.name))
			break;
	}
	return found;
}
