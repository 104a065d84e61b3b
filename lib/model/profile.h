/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile.h - which events begin and end a span of time, and how to name it */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <ktrail/profile.h>

#include "base/str.h"

enum span_flag {
	SPAN_CPU = 1,		/* both ends happen on one CPU */
	SPAN_TASK = 2,		/* … in one task */
	SPAN_IRQ = 4,		/* with global_irqs it belongs to its CPU */
	SPAN_GLOBAL = 8,	/* it always does */
};

enum span_value { VALUE_HEX, VALUE_NUMBER, VALUE_STATE, VALUE_SOFTIRQ, VALUE_NONE };

/* Order in a task's list */
enum span_rank { RANK_SWITCH, RANK_WAKEUP, RANK_FUNCTION, RANK_PAIR, RANK_COUNT };

struct span {
	char *start_system, *start, *start_field, *start_pid;	/* pid: NULL: the current task */
	char *end_system, *end, *end_field;
	char *value_field;	/* NULL: start_field */
	bool  wakeup_ends;	/* sched_wakeup of the matching pid ends it, too */
	unsigned int flags;	/* enum span_flag */
	enum span_value value;
	enum span_rank rank;
};

struct spans {
	struct span *at;
	size_t nr;
};

/* The pairs that are known and those of @hooks; fields and names are owned. */
int  spans_init(struct spans *s, const char *const *hooks, struct kt_err *err);
void spans_fini(struct spans *s);

void span_add_value(struct str *s, enum span_value kind, uint64_t value);

#endif
