/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile_kind.c - the meaning of an event that is not part of a pair */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/profile.h"
#include "base/array.h"

static void find_role(struct kind *k)
{
	const struct kt_event *ev = k->event;

	if (strcmp(ev->system, "ftrace") != 0)
		return;
	if (strcmp(ev->name, "kernel_stack") == 0) {
		k->role = ROLE_STACK;
	} else if (strcmp(ev->name, "funcgraph_exit") == 0) {
		k->value = kt_event_field(ev, "func");
		k->calltime = kt_event_field(ev, "calltime");
		k->rettime = kt_event_field(ev, "rettime");
		k->role = k->value && k->calltime && k->rettime ? ROLE_GRAPH_EXIT : ROLE_UNUSED;
	} else if (strcmp(ev->name, "function") == 0) {
		k->value = kt_event_field(ev, "ip");
		k->role = k->value ? ROLE_FUNCTION : ROLE_UNUSED;
	} else if (strcmp(ev->name, "user_stack") == 0 ||
		   strcmp(ev->name, "funcgraph_entry") == 0 ||
		   strcmp(ev->name, "fgraph_retaddr_entry") == 0) {
		k->role = ROLE_UNUSED;
	}
}

struct kind *kinds_get(struct kinds *kinds, const struct kt_event *ev, bool *is_new)
{
	uint32_t i = keymap_get(&kinds->of, (uintptr_t)ev);
	struct kind *k;

	*is_new = i == KEYMAP_NONE;
	if (!*is_new)
		return &kinds->at[i];
	if (!array_reserve(kinds->at, kinds->nr) ||
	    keymap_put(&kinds->of, (uintptr_t)ev, kinds->nr) < 0)
		return NULL;
	k = &kinds->at[kinds->nr++];
	*k = (struct kind){ .event = ev, .value = ev->nr_fields ? &ev->fields[0] : NULL };
	find_role(k);
	return k;
}

void kinds_fini(struct kinds *k)
{
	free(k->at);
	keymap_fini(&k->of);
}
