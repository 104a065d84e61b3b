/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* roles.h - the role of an event in pairs */
#ifndef SPAN_ROLES_H
#define SPAN_ROLES_H

#include "base/keymap.h"
#include "span/pairs.h"

/* An end of a pair, for one event of one file */
struct use {
	uint32_t pair;
	bool     is_begin, leaves;	/* @leaves: PAIR_LEAVES */
	const struct kt_field *key[PAIR_KEYS];
	const struct kt_field *owner;
	const struct kt_field *value;	/* for an end: the result */
};

struct role {
	const struct kt_event *event;
	bool is_stack;			/* a kernel stack, which belongs to the previous event */
	struct use *uses;		/* ends before beginnings */
	size_t nr_uses;
};

struct roles {
	struct role *at;
	size_t nr;
	struct keymap of;		/* by address of the event */
};

/* Valid until the next call; NULL: no memory */
const struct role *roles_get(struct roles *r, const struct pairs *pairs,
			     const struct kt_event *ev);
void roles_fini(struct roles *r);

/* Can an event of that name be an end of @pair, or a wakeup that ends it? */
bool role_is_of(const struct pair *pair, const char *system, const char *name);

#endif
