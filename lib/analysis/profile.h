/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile.h - what the files of a profile share */
#ifndef ANALYSIS_PROFILE_H
#define ANALYSIS_PROFILE_H

#include <ktrail/profile.h>

#include "base/str.h"
#include "base/keymap.h"

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

/* ---- profile_hooks.c ---- */

/* A hook that can never match would be a silent mistake: -ENOENT, with the nearest name.
 * The spans of @hooks are the last ones of @spans. */
int hooks_check(struct kt_trace *t, const struct spans *spans, const char *const *hooks,
		struct kt_err *err);

/* ---- profile_kind.c: events as spans see them ---- */

/* One end of a span, in the terms of one event of one file */
struct use {
	uint32_t span;
	bool     is_start;
	const struct kt_field *match, *pid, *value;
};

enum kind_role {
	ROLE_COUNT, ROLE_UNUSED, ROLE_STACK, ROLE_GRAPH_EXIT, ROLE_FUNCTION, ROLE_SYSCALL_ENTER,
	ROLE_SYSCALL_EXIT,
};

/* What an event means */
struct kind {
	const struct kt_event *event;
	enum kind_role role;
	const char *name;		/* of its row, borrowed */
	const struct kt_field *value, *calltime, *rettime;
	struct use *uses;		/* ends before starts */
	size_t nr_uses;
};

struct kinds {
	struct kind *at;
	size_t nr;
	struct keymap of;	/* by address of the event */
};

/* Valid until the next call, NULL: no memory */
const struct kind *kinds_get(struct kinds *k, const struct spans *spans,
			     const struct kt_event *ev);
void kinds_fini(struct kinds *k);

/* ---- profile_stack.c: times and the stacks they were spent with ---- */

void time_add(struct kt_profile_time *t, uint64_t ns, uint64_t ts);
/* One more stack, which @ns were spent with; each of its frames is counted. 0 or -ENOMEM */
int  stacks_add(const struct kt_profile_frame **list, struct kt_symbols *syms,
		const uint64_t *frames, size_t nr, uint64_t ns, uint64_t ts);
void stacks_sort(const struct kt_profile_frame **list);
void stacks_free(const struct kt_profile_frame *list);

#endif
