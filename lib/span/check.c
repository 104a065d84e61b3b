/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* check.c - do the events and fields of a pair exist in the trace? */
#include "span/pairs.h"

#include <errno.h>
#include <string.h>

#include <ktrail/base.h>

#include "base/suggest.h"
#include "format/events.h"

static int no_such_event(struct kt_trace *t, const char *what, const struct pair_end *end,
			 struct kt_err *err)
{
	struct kt_names names = { 0 };
	char hint[SUGGEST_SIZE];
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(t); file++) {
		const struct kt_events *evs = kt_trace_events(t, file);

		for (i = 0; i < evs->nr_slots; i++)
			if (!end->system || strcmp(evs->slots[i].source.system, end->system) == 0)
				kt_names_addn(&names, evs->slots[i].name, evs->slots[i].name_len);
	}
	kt_err_set(err, -ENOENT, "%s: the trace has no event '%s%s%s'%s", what,
		   end->system ? end->system : "", end->system ? ":" : "", end->name,
		   suggest_one(end->name, suggest_from(&names), hint));
	kt_names_fini(&names);
	return -ENOENT;
}

static int no_such_field(const char *what, const struct kt_event *ev, const char *field,
			 struct kt_err *err)
{
	struct kt_names names = { 0 };
	char hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; i < ev->nr_fields; i++)
		kt_names_add(&names, ev->fields[i].name);
	for (i = 0; i < ev->nr_common; i++)
		kt_names_add(&names, ev->common[i].name);
	kt_err_set(err, -ENOENT, "%s: %s has no field '%s'%s", what, ev->name, field,
		   suggest_one(field, suggest_from(&names), hint));
	kt_names_fini(&names);
	return -ENOENT;
}

/* Does a file have the event, and the event the fields? */
static int check_end(struct kt_trace *t, const char *what, const struct pair_end *end,
		     const char *owner, struct kt_err *err)
{
	const char *const fields[] = { end->key[0], end->key[1], owner };
	const char *missing = NULL;
	const struct kt_event *ev, *some = NULL;
	size_t i, k;

	for (i = 0; i < kt_trace_nr_files(t); i++) {
		ev = kt_events_by_name(kt_trace_events(t, i), end->system, end->name);
		if (!ev)
			continue;
		for (k = 0; k < 3 && (!fields[k] || kt_event_field(ev, fields[k])); k++)
			;
		if (k == 3)
			return 0;
		some = ev;
		missing = fields[k];
	}
	return some ? no_such_field(what, some, missing, err) : no_such_event(t, what, end, err);
}

int pairs_check(struct kt_trace *t, const struct pair *pair, const char *what, struct kt_err *err)
{
	int ret = check_end(t, what, &pair->from, pair->owner, err);

	return ret < 0 ? ret : check_end(t, what, &pair->to, pair->result, err);
}
