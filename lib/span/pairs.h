/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pairs.h - which events begin and end a span */
#ifndef SPAN_PAIRS_H
#define SPAN_PAIRS_H

#include <ktrail/span.h>

enum pair_flag {
	PAIR_CPU     = 1 << 0,	/* both ends happen on one CPU */
	PAIR_TASK    = 1 << 1,	/* … in one task */
	PAIR_WAKEUP  = 1 << 2,	/* sched_wakeup of the task whose pid is the key ends it, too */
	PAIR_CAN_RUN = 1 << 3,	/* begins only where prev_state says that the task could run */
	PAIR_CANNOT  = 1 << 4,	/* … that it could not */
	PAIR_UNBEGUN = 1 << 5,	/* an end alone says that it has lasted since before the trace */
	PAIR_WHOLE   = 1 << 6,	/* one event for both ends: @value is how many ns it took */
	PAIR_PREFIX  = 1 << 7,	/* names are beginnings; the key is the first field of its own */
	PAIR_NO_STACK = 1 << 8,	/* a stack recorded with the beginning is about something else */
	PAIR_WAKING  = 1 << 9,	/* as PAIR_WAKEUP, of sched_waking */
};

#define PAIR_KEYS 2

struct pair_end {
	const char *system, *name;	/* system NULL: any */
	const char *key[PAIR_KEYS];	/* fields; NULL: none */
};

/* Strings are borrowed: static, or kept by struct pairs */
struct pair {
	enum kt_span_kind kind;
	unsigned int flags;		/* enum pair_flag */
	uint32_t family;		/* pairs of one family replace each other's beginnings */
	size_t   index;			/* for the one that made it */
	struct pair_end from, to;
	const char *owner, *value;	/* fields of @from; NULL: the current task, the first key */
	const char *result;		/* field of @to, or NULL */
};

/* Of a pair that a caller named: NULL: all of its events. Borrowed */
struct pair_filters {
	struct kt_filter *from, *to;
};

struct pairs {
	struct pair *at;
	size_t nr;
	struct pair_filters *filters;	/* by the index of pairs that a caller named; or NULL */
	char **owned;			/* texts that the pairs borrow */
	size_t nr_owned;
};

void pairs_fini(struct pairs *p);
/* 0 or -ENOMEM */
int  pairs_add(struct pairs *p, const struct pair *pair);
/* A copy of @text that lives as long as @p; NULL: no memory */
char *pairs_keep(struct pairs *p, const char *text);

/* What is known of Linux, of the kinds in @kinds */
int  pairs_add_known(struct pairs *p, unsigned int kinds);
/* What a caller named, by indices from 0 on; -EINVAL, -ENOMEM */
int  pairs_add_user(struct pairs *p, const struct kt_pair *user, size_t index, struct kt_err *err);
/*
 * Do events and fields of @pair exist in the trace? @what it is for is told first:
 * "hook 'a,b/c,d'". -ENOENT, with the nearest name.
 */
int  pairs_check(struct kt_trace *t, const struct pair *pair, const char *what,
		 struct kt_err *err);

#endif
