/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pairs.h - the events that begin and end a span */
#ifndef SPAN_PAIRS_H
#define SPAN_PAIRS_H

#include <ktrail/span.h>

enum pair_flag {
	PAIR_CPU     = 1 << 0,	/* both ends occur on one CPU */
	PAIR_TASK    = 1 << 1,	/* both ends occur in one task */
	PAIR_WAKEUP  = 1 << 2,	/* sched_wakeup of the task whose pid is the key also ends it */
	PAIR_CAN_RUN = 1 << 3,	/* begins only if prev_state says that the task could run */
	PAIR_CANNOT  = 1 << 4,	/* begins only if prev_state says that it could not run */
	PAIR_UNBEGUN = 1 << 5,	/* an end without a begin means that it began before the trace */
	PAIR_WHOLE   = 1 << 6,	/* one event for both ends: @value is its duration in ns */
	PAIR_PREFIX  = 1 << 7,	/* names are prefixes; the key is the event's first own field */
	PAIR_NO_STACK = 1 << 8,	/* a stack recorded with the begin belongs to something else */
	PAIR_WAKING  = 1 << 9,	/* like PAIR_WAKEUP, for sched_waking */
	PAIR_LEAVES  = 1 << 10,	/* sched_switch from the task whose pid is the key: it has run */
	/* A pair that has only @to, which does not end the open span of its family: */
	PAIR_FORGETS = 1 << 11,	/* the open span does not count */
	PAIR_SWITCHES = 1 << 12, /* another task may end the open span */
};

#define PAIR_KEYS 2

struct pair_end {
	const char *system, *name;	/* system NULL: any */
	const char *key[PAIR_KEYS];	/* fields; NULL: none */
};

/* Strings are borrowed: static, or owned by struct pairs */
struct pair {
	enum kt_span_kind kind;
	unsigned int flags;		/* enum pair_flag */
	uint32_t family;		/* a begin replaces another one of the same family */
	size_t   index;			/* chosen by the creator */
	struct pair_end from, to;
	const char *owner, *value;	/* fields of @from; NULL: the current task, the first key */
	const char *result;		/* field of @to, or NULL */
};

/* For a pair of the caller; NULL: all of its events. Borrowed */
struct pair_filters {
	struct kt_filter *from, *to;
};

struct pairs {
	struct pair *at;
	size_t nr;
	struct pair_filters *filters;	/* by the index of the caller's pairs; or NULL */
	char **owned;			/* strings that the pairs borrow */
	size_t nr_owned;
};

void pairs_fini(struct pairs *p);
/* 0 or -ENOMEM */
int  pairs_add(struct pairs *p, const struct pair *pair);
/* A copy of @text that lives as long as @p; NULL: no memory */
char *pairs_keep(struct pairs *p, const char *text);

/* The known pairs of Linux, of the kinds in @kinds */
int  pairs_add_known(struct pairs *p, unsigned int kinds);
/* The caller's pairs, with indices from 0 on; -EINVAL, -ENOMEM */
int  pairs_add_user(struct pairs *p, const struct kt_pair *user, size_t index, struct kt_err *err);
/*
 * Do the events and fields of @pair exist in the trace? @what begins the message:
 * "hook 'a,b/c,d'". -ENOENT, with the nearest name.
 */
int  pairs_check(struct kt_trace *t, const struct pair *pair, const char *what,
		 struct kt_err *err);

#endif
