/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* replaced.c - list the events that are not printed by their print format */
#include "event/plugins.h"

#include <string.h>

#include "event/handlers.h"

static bool is_found(struct kt_events *evs, const char *file)
{
	struct kt_events_plugin info;
	size_t i;

	for (i = 0; kt_events_plugin(evs, i, &info); i++)
		if (info.replaced && strcmp(strrchr(info.path, '/') + 1, file) == 0)
			return true;
	return false;
}

static bool is_replaced(struct kt_events *evs, const struct kt_event *ev)
{
	size_t i;

	if (evs->opts.no_plugins)
		return false;
	if (to_event(ev)->tep->handler)
		return true;
	for (i = 0; i < nr_handlers; i++)
		if (strcmp(handlers[i].name, ev->name) == 0 &&
		    strcmp(handlers[i].system, ev->system) == 0)
			return *handlers[i].file ? is_found(evs, handlers[i].file) :
						!evs->opts.local_plugins;
	return false;
}

void kt_events_replaced(struct kt_events *evs, void (*tell)(const struct kt_event *ev))
{
	const struct kt_event *ev;
	bool ftrace, first = evs->file && kt_file_info(evs->file)->version == 6;
	size_t i, pass;

	/* In the order of the file: ours has ftrace's events first, version 7 has them last. */
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < kt_events_nr(evs); i++) {
			ev = kt_events_at(evs, i);
			ftrace = ev && strcmp(ev->system, "ftrace") == 0;
			if (ev && ftrace == (first == !pass) && is_replaced(evs, ev))
				tell(ev);
		}
}
