/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.c - report -V: the files, plugins and overrides, in trace-cmd's words */
#include <stdio.h>

#include "report.h"

/* How far trace-cmd reads a file for an option: it prints messages on the way. */
static bool wants_formats(const struct report_args *a)
{
	return !a->show_endian && !a->show_page_size;
}

static bool wants_data(const struct report_args *a)
{
	return wants_formats(a) && !a->show_events && !a->check_events && !a->show_symbols &&
	       !a->show_printk && !a->show_formats && !a->event;
}

static void tell_replaced(const struct kt_event *ev)
{
	printf("overriding event (%d) %s:%s with new print handler\n", ev->id, ev->system,
	       ev->name);
}

static bool has_data(const struct kt_buffer *b, int cpu)
{
	size_t i;

	for (i = 0; i < b->nr_cpus; i++)
		if (b->cpus[i].cpu == cpu && b->cpus[i].size)
			return true;
	return false;
}

/* Of the top-level buffer */
static void tell_empty_cpus(const struct kt_file *f)
{
	const struct kt_buffer *b = kt_file_nr_buffers(f) ? kt_file_buffer(f, 0) : NULL;
	int cpu;

	for (cpu = 0; b && !*b->name && !b->is_text && cpu < kt_file_info(f)->nr_cpus; cpu++)
		if (!has_data(b, cpu))
			printf("CPU %d is empty\n", cpu);
}

void report_log_begin(struct kt_trace *t, const struct report_args *a)
{
	const struct kt_file *f = kt_trace_file(t, 0);
	struct kt_events *evs = kt_trace_events(t, 0);
	struct kt_events_plugin info;
	size_t i;

	printf("version = %d\n", kt_file_info(f)->version);
	/* In the old layout as trace-cmd, with the plugins that it would load */
	for (i = 0; kt_events_plugin(evs, i, &info); i++)
		if (info.loaded || (info.replaced && a->text.layout == KT_LAYOUT_3_1))
			printf("registering plugin: %s\n", info.path);
	if (wants_formats(a))
		kt_events_replaced(evs, tell_replaced);
	if (wants_data(a))
		tell_empty_cpus(f);
	fflush(stdout);
}
