/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* workqueue.c - work by function and queue */
#include <ktrail/plugin.h>

/* The address of a work item connects its events. */
#define WORK "work {work|address}"

/* A work item without a preferred CPU has the number after the last possible CPU. */
static const struct kt_phrase phrases[] = {
	{ "workqueue/workqueue_queue_work",
	  "{function|symbol} queued on {workqueue}{!cpu=-1  for CPU {cpu}}, "
	  "asked for {req_cpu}, " WORK "{*}" },
	{ "workqueue/workqueue_queue_work", "{function|symbol} queued, " WORK "{*}" },
	{ "workqueue/workqueue_activate_work", "{function|symbol} is activated, " WORK "{*}" },
	{ "workqueue/workqueue_activate_work", WORK " is activated{*}" },
	{ "workqueue/workqueue_execute_start", "{function|symbol} begins, " WORK "{*}" },
	{ "workqueue/workqueue_execute_end", "{function|symbol} ends, " WORK "{*}" },
	{ "workqueue/workqueue_execute_end", WORK " ends{*}" },
	{ NULL, NULL },
};

static const char *const events[] = { "workqueue/*", NULL };

KT_PLUGIN(.name = "workqueue", .summary = "work by function and queue", .events = events,
	  .phrases = phrases);
