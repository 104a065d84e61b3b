/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* roles.c - the role of an event in pairs: which it begins, which it ends, by which fields */
#include "span/roles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"

static bool is_end(const struct pair *p, const struct pair_end *end, const char *system,
		   const char *name)
{
	if (!end->name || (end->system && strcmp(end->system, system) != 0))
		return false;
	/* The return from a signal handler has no event for its end: see name_sigreturn() */
	return p->flags & PAIR_PREFIX ? str_starts(name, end->name) &&
					strcmp(name, "sys_enter_rt_sigreturn") != 0 :
					strcmp(end->name, name) == 0;
}

static bool is_wakeup(const struct pair *p, const char *system, const char *name)
{
	return strcmp(system, "sched") == 0 &&
	       ((p->flags & PAIR_WAKEUP && strcmp(name, "sched_wakeup") == 0) ||
		(p->flags & PAIR_WAKING && strcmp(name, "sched_waking") == 0));
}

bool role_is_of(const struct pair *p, const char *system, const char *name)
{
	return is_end(p, &p->from, system, name) || is_end(p, &p->to, system, name) ||
	       is_wakeup(p, system, name);
}

static const struct kt_field *field(const struct kt_event *ev, const char *name)
{
	return name ? kt_event_field(ev, name) : NULL;
}

/* The event cannot be matched unless it has all fields of the key. */
static bool find_key(const struct kt_event *ev, const struct pair *p, const struct pair_end *end,
		     struct use *use)
{
	size_t i;

	if (p->flags & PAIR_PREFIX) {
		use->key[0] = ev->nr_fields ? &ev->fields[0] : NULL;
		return use->key[0];
	}
	for (i = 0; i < PAIR_KEYS; i++) {
		use->key[i] = field(ev, end->key[i]);
		if (end->key[i] && !use->key[i])
			return false;
	}
	return true;
}

static int add_use(struct role *r, const struct use *use)
{
	struct use *added = array_add(r->uses, r->nr_uses);

	if (!added)
		return -ENOMEM;
	*added = *use;
	return 0;
}

static int add_end(struct role *r, const struct pair *p, uint32_t i)
{
	const struct kt_event *ev = r->event;
	struct use use = { .pair = i, .value = field(ev, p->result) };

	if (p->flags & PAIR_WHOLE)
		return 0;
	if (is_wakeup(p, ev->system, ev->name)) {
		use.key[0] = field(ev, "pid");
		return use.key[0] ? add_use(r, &use) : 0;
	}
	if (p->flags & PAIR_LEAVES && strcmp(ev->name, "sched_switch") == 0) {
		struct use leaves = { .pair = i, .leaves = true, .key = { field(ev, "prev_pid") },
				      .value = field(ev, "prev_state") };

		if (leaves.key[0] && leaves.value && add_use(r, &leaves) < 0)
			return -ENOMEM;
	}
	if (!is_end(p, &p->to, ev->system, ev->name) || !find_key(ev, p, &p->to, &use))
		return 0;
	return add_use(r, &use);
}

static int add_begin(struct role *r, const struct pair *p, uint32_t i)
{
	const struct kt_event *ev = r->event;
	struct use use = {
		.pair = i, .is_begin = true, .owner = field(ev, p->owner),
		.value = field(ev, p->value),
	};

	if (!is_end(p, &p->from, ev->system, ev->name) || !find_key(ev, p, &p->from, &use) ||
	    (p->owner && !use.owner))
		return 0;
	if (!use.value)
		use.value = use.key[0];
	return add_use(r, &use);
}

static int find_uses(const struct pairs *pairs, struct role *r)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < pairs->nr && ret == 0; i++)
		ret = add_end(r, &pairs->at[i], i);
	for (i = 0; i < pairs->nr && ret == 0; i++)
		ret = add_begin(r, &pairs->at[i], i);
	return ret;
}

const struct role *roles_get(struct roles *roles, const struct pairs *pairs,
			     const struct kt_event *ev)
{
	bool is_new;
	struct role *r = keymap_element(&roles->of, (uintptr_t)ev, (void **)&roles->at, &roles->nr,
					sizeof(*r), &is_new);

	if (!r || !is_new)
		return r;
	r->event = ev;
	r->is_stack = strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, "kernel_stack") == 0;
	return find_uses(pairs, r) < 0 ? NULL : r;
}

void roles_fini(struct roles *roles)
{
	size_t i;

	for (i = 0; i < roles->nr; i++)
		free(roles->at[i].uses);
	free(roles->at);
	keymap_fini(&roles->of);
	*roles = (struct roles){ 0 };
}
