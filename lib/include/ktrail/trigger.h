/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trigger.h - filters and triggers of live events: checked, listed, planned */
#ifndef KTRAIL_TRIGGER_H
#define KTRAIL_TRIGGER_H

#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>
#include <ktrail/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What hangs on an event: its filter, or one of its triggers */
struct kt_event_note {
	char *event;		/* "sched:sched_switch" */
	char *text;		/* as the kernel shows it: "prev_prio < 100", "traceoff:count=2" */
};

struct kt_event_notes {
	size_t nr;
	struct kt_event_note *at;
};
void kt_event_notes_fini(struct kt_event_notes *notes);

/* @events: which, as in ktrail/selection.h; NULL: all. 0; -ENOENT: no such event; not available */
int kt_filters_read(const struct kt_instance *inst, const char *events,
		    struct kt_event_notes *out, struct kt_err *err);
int kt_triggers_read(const struct kt_instance *inst, const char *events,
		     struct kt_event_notes *out, struct kt_err *err);

/**
 * kt_filter_plan - plan to filter events
 * @filter: the kernel's grammar; NULL: no filter any more
 *
 * With several events, those that lack a field are left alone, unless all do.
 * Returns how many events, or -ENOENT: no such event, -EINVAL: the filter is
 * wrong, with an excerpt and the nearest field.
 */
int kt_filter_plan(struct kt_plan *plan, const struct kt_instance *inst, const char *events,
		   const char *filter, struct kt_err *err);

/**
 * kt_trigger_plan_add - plan to put a trigger on events
 * @trigger: "COMMAND[:ARGUMENTS][:COUNT] [if FILTER]", the kernel's grammar
 *
 * Returns as above. -ENOTSUP: this kernel has no such command; the message
 * names CONFIG_.
 */
int kt_trigger_plan_add(struct kt_plan *plan, const struct kt_instance *inst, const char *events,
			const char *trigger, struct kt_err *err);
/* @pattern: of the trigger's text as listed; NULL: all. Returns how many triggers go, 0: none. */
int kt_trigger_plan_del(struct kt_plan *plan, const struct kt_instance *inst, const char *events,
			const char *pattern, struct kt_err *err);
/* The kernel refused such a removal, -EBUSY:
 * @err gets who uses which variable of them, if that is it. */
void kt_trigger_explain(const struct kt_instance *inst, const char *events, const char *pattern,
			struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
