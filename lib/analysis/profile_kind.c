/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile_kind.c - what an event means to a profile */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/profile.h"

static int add_use(struct kind *k, struct use use)
{
	struct use *grown = reallocarray(k->uses, k->nr_uses + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	k->uses = grown;
	k->uses[k->nr_uses++] = use;
	return 0;
}

static bool is_named(const struct kt_event *ev, const char *system, const char *name)
{
	return strcmp(ev->name, name) == 0 && (!system || strcmp(ev->system, system) == 0);
}

static const struct kt_field *field(const struct kt_event *ev, const char *name)
{
	return name ? kt_event_field(ev, name) : NULL;
}

static int find_uses(const struct spans *spans, struct kind *k)
{
	const struct kt_event *ev = k->event;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < spans->nr && ret == 0; i++) {
		const struct span *s = &spans->at[i];
		struct use use = { .span = i, .match = field(ev, s->end_field) };

		if (s->wakeup_ends && is_named(ev, "sched", "sched_wakeup"))
			use.match = field(ev, "pid");
		else if (!is_named(ev, s->end_system, s->end))
			continue;
		if (use.match)
			ret = add_use(k, use);
	}
	for (i = 0; i < spans->nr && ret == 0; i++) {
		const struct span *s = &spans->at[i];
		struct use use = {
			.span = i, .is_start = true, .match = field(ev, s->start_field),
			.pid = field(ev, s->start_pid), .value = field(ev, s->value_field),
		};

		if (!is_named(ev, s->start_system, s->start) || !use.match ||
		    (s->start_pid && !use.pid))
			continue;
		use.value = use.value ? use.value : use.match;
		ret = add_use(k, use);
	}
	return ret;
}

static void find_role(struct kind *k)
{
	const struct kt_event *ev = k->event;
	bool ftrace = strcmp(ev->system, "ftrace") == 0;

	if (ftrace && strcmp(ev->name, "kernel_stack") == 0) {
		k->role = ROLE_STACK;
	} else if (ftrace && strcmp(ev->name, "funcgraph_exit") == 0) {
		k->value = kt_event_field(ev, "func");
		k->calltime = kt_event_field(ev, "calltime");
		k->rettime = kt_event_field(ev, "rettime");
		k->role = k->value && k->calltime && k->rettime ? ROLE_GRAPH_EXIT : ROLE_UNUSED;
	} else if (ftrace && strcmp(ev->name, "function") == 0) {
		k->value = kt_event_field(ev, "ip");
		k->role = k->value ? ROLE_FUNCTION : ROLE_UNUSED;
	} else if (ftrace && (strcmp(ev->name, "user_stack") == 0 ||
			      strcmp(ev->name, "funcgraph_entry") == 0 ||
			      strcmp(ev->name, "fgraph_retaddr_entry") == 0)) {
		k->role = ROLE_UNUSED;
	} else if (strcmp(ev->system, "syscalls") == 0 && ev->nr_fields) {
		k->value = &ev->fields[0];
		k->role = str_starts(ev->name, "sys_enter_") ? ROLE_SYSCALL_ENTER :
			  str_starts(ev->name, "sys_exit_") ? ROLE_SYSCALL_EXIT : ROLE_COUNT;
	}
}

const struct kind *kinds_get(struct kinds *kinds, const struct spans *spans,
			     const struct kt_event *ev)
{
	uint32_t i = keymap_get(&kinds->of, (uintptr_t)ev);
	struct kind *k, *grown;

	if (i != KEYMAP_NONE)
		return &kinds->at[i];
	grown = reallocarray(kinds->at, kinds->nr + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	kinds->at = grown;
	if (keymap_put(&kinds->of, (uintptr_t)ev, kinds->nr) < 0)
		return NULL;
	k = &kinds->at[kinds->nr++];
	*k = (struct kind){ .event = ev, .name = ev->name };
	if (ev->nr_fields)
		k->value = &ev->fields[0];
	find_role(k);
	return find_uses(spans, k) < 0 ? NULL : k;
}

void kinds_fini(struct kinds *k)
{
	size_t i;

	for (i = 0; i < k->nr; i++)
		free(k->at[i].uses);
	free(k->at);
	keymap_fini(&k->of);
}
