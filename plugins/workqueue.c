/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* workqueue.c - work by function and queue */
#include <ktrail/plugin.h>

/* A work that may run anywhere asks for the CPU behind the last possible one. */
static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	uint64_t function, req_cpu, cpu;

	(void)self;
	if (host->field_u64(rec, "req_cpu", &req_cpu) < 0 || host->field_u64(rec, "cpu", &cpu) < 0 ||
	    host->field_u64(rec, "function", &function) < 0)
		return KT_PLUGIN_PASS;
	host->value(rec, out, "symbol", function);
	if (host->phrase(rec, out, " queued on {workqueue}") < 0)
		host->text(out, " queued", 7);
	if ((int32_t)cpu >= 0)
		host->print(out, " for CPU %d", (int)cpu);
	if (req_cpu == cpu)
		host->text(out, " (asked for)", 12);
	return 0;
}

static const struct kt_phrase phrases[] = {
	{ "workqueue/workqueue_activate_work", "{function|symbol} is activated" },
	{ "workqueue/workqueue_activate_work", "{work|symbol} is activated" },
	{ "workqueue/workqueue_execute_start", "{function|symbol} begins" },
	{ "workqueue/workqueue_execute_end", "{function|symbol} ends" },
	{ "workqueue/workqueue_execute_end", "{work|symbol} ends" },
	{ NULL, NULL },
};

static const char *const events[] = { "workqueue/*", NULL };

KT_PLUGIN(.name = "workqueue", .summary = "work by function and queue", .events = events,
	  .format = format, .phrases = phrases);
