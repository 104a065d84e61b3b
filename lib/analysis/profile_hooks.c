/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile_hooks.c - do the hooks of a profile name events and fields of the trace? */
#include "analysis/profile.h"

#include <errno.h>
#include <string.h>

#include <ktrail/names.h>
#include <ktrail/trace.h>

#include "base/suggest.h"
#include "format/events.h"

static int no_such_event(struct kt_trace *t, const char *hook, const char *system,
			 const char *name, struct kt_err *err)
{
	struct kt_names names = { 0 };
	char hint[SUGGEST_SIZE];
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(t); file++) {
		const struct kt_events *evs = kt_trace_events(t, file);

		for (i = 0; i < evs->nr_slots; i++)
			if (!system || strcmp(evs->slots[i].source.system, system) == 0)
				kt_names_addn(&names, evs->slots[i].name, evs->slots[i].name_len);
	}
	kt_err_set(err, -ENOENT, "hook '%s': the trace has no event '%s%s%s'%s", hook,
		   system ? system : "", system ? ":" : "", name,
		   suggest_one(name, suggest_from(&names), hint));
	kt_names_fini(&names);
	return -ENOENT;
}

static int no_such_field(const char *hook, const struct kt_event *ev, const char *field,
			 struct kt_err *err)
{
	struct kt_names names = { 0 };
	char hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; i < ev->nr_fields; i++)
		kt_names_add(&names, ev->fields[i].name);
	for (i = 0; i < ev->nr_common; i++)
		kt_names_add(&names, ev->common[i].name);
	kt_err_set(err, -ENOENT, "hook '%s': %s has no field '%s'%s", hook, ev->name, field,
		   suggest_one(field, suggest_from(&names), hint));
	kt_names_fini(&names);
	return -ENOENT;
}

/* One end of a hook: the event is in some file, and there it has the fields */
static int check_end(struct kt_trace *t, const char *hook, const char *system, const char *name,
		     const char *const fields[2], struct kt_err *err)
{
	const struct kt_event *ev, *some = NULL;
	const char *missing = NULL;
	size_t i;
	int k;

	for (i = 0; i < kt_trace_nr_files(t); i++) {
		ev = kt_events_by_name(kt_trace_events(t, i), system, name);
		if (!ev)
			continue;
		for (k = 0; k < 2 && (!fields[k] || kt_event_field(ev, fields[k])); k++)
			;
		if (k == 2)
			return 0;
		some = ev;
		missing = fields[k];
	}
	return some ? no_such_field(hook, some, missing, err)
		    : no_such_event(t, hook, system, name, err);
}

int hooks_check(struct kt_trace *t, const struct spans *spans, const char *const *hooks,
		struct kt_err *err)
{
	size_t nr = 0, i;
	int ret = 0;

	while (hooks && hooks[nr])
		nr++;
	for (i = 0; i < nr && ret == 0; i++) {
		const struct span *s = &spans->at[spans->nr - nr + i];

		ret = check_end(t, hooks[i], s->start_system, s->start,
				(const char *const[]){ s->start_field, s->start_pid }, err);
		if (ret == 0)
			ret = check_end(t, hooks[i], s->end_system, s->end,
					(const char *const[]){ s->end_field, NULL }, err);
	}
	return ret;
}
