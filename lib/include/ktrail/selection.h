/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* selection.h - events of the running kernel: by name, their filters and triggers */
#ifndef KTRAIL_SELECTION_H
#define KTRAIL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== events of the running kernel, as the user names them ==== */

/*
 * How events are named: "sched:sched_switch", "sched/sched_switch", "sched"
 * (all of a system), "sched_switch" (in any system), "all"; '*', '?' and '['
 * match as in the shell. A name without system that fits both a system and
 * events means both.
 */

/* All events as "system:event", in the kernel's order. 0, or not available. */
int kt_event_names(struct kt_names *out, struct kt_err *err);
/* Those of the system ftrace, sorted: tracers write them, nobody enables them, and the kernel does
 * not list them. 0, or not available. */
int kt_ftrace_event_names(struct kt_names *out, struct kt_err *err);
/* All systems but ftrace, sorted. */
int kt_system_names(struct kt_names *out, struct kt_err *err);

/**
 * kt_selection_find - what the kernel has of it
 * @text: as the user wrote it; several with commas between them
 * @dirs: gets folders of the instance: "events", "events/sched",
 *        "events/sched/sched_switch"; none inside another
 *
 * Returns how many were found, or
 *   -ENOENT  none; the message has the nearest name
 */
int kt_selection_find(const struct kt_instance *inst, const char *text, struct kt_names *dirs,
		      struct kt_err *err);
/* The same, with systems and "all" spelled out: only "events/SYSTEM/EVENT". */
int kt_selection_find_each(const struct kt_instance *inst, const char *text,
			   struct kt_names *dirs, struct kt_err *err);

/**
 * kt_instance_enable_events - let events into the trace, or keep them out
 *
 * Returns 0, or -ENOENT as above, or what the kernel answered.
 */
int kt_instance_enable_events(struct kt_instance *inst, const char *text, bool on,
			      struct kt_err *err);

/**
 * kt_instance_set_filter - let only records through that match
 * @filter: the kernel's filter expression; "0" or "" removes the filter
 *
 * For a system the kernel sets it on those events that have the fields.
 * -EINVAL: the expression is wrong; the message quotes what the kernel says.
 */
int kt_instance_set_filter(struct kt_instance *inst, const char *text, const char *filter,
			   struct kt_err *err);
/* A trigger on each of the events; "!…" removes it again. */
int kt_instance_add_trigger(struct kt_instance *inst, const char *text, const char *trigger,
			    struct kt_err *err);

/*
 * Take away every event, trigger, or the filters of those events that @text
 * means ("all": of all), of the instance; nothing is touched where none is.
 */
int kt_instance_clear_events(struct kt_instance *inst, struct kt_err *err);
int kt_instance_clear_filters(struct kt_instance *inst, const char *text, struct kt_err *err);
int kt_instance_clear_triggers(struct kt_instance *inst, struct kt_err *err);

/* ==== filters and triggers of live events: checked, listed, planned ==== */

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

/* @events: which, named as above; NULL: all. 0; -ENOENT: no such event; not available */
int kt_filters_read(const struct kt_instance *inst, const char *events,
		    struct kt_event_notes *out, struct kt_err *err);
int kt_triggers_read(const struct kt_instance *inst, const char *events,
		     struct kt_event_notes *out, struct kt_err *err);

/**
 * kt_filter_set - filter events; the filter is checked first
 * @filter: the kernel's grammar; NULL: no filter any more
 *
 * With several events, those that lack a field are left alone, unless all do.
 * Returns how many events, or -ENOENT: no such event, -EINVAL: the filter is
 * wrong, with an excerpt and the nearest field.
 */
int kt_filter_set(struct kt_instance *inst, const char *events, const char *filter,
		  struct kt_err *err);

/**
 * kt_trigger_add - put a trigger on events; it is checked first
 * @trigger: "COMMAND[:ARGUMENTS][:COUNT] [if FILTER]", the kernel's grammar
 *
 * Returns as above. -ENOTSUP: this kernel has no such command; the message
 * names CONFIG_.
 */
int kt_trigger_add(struct kt_instance *inst, const char *events, const char *trigger,
		   struct kt_err *err);
/* @pattern: of the trigger's text as listed; NULL: all. Returns how many triggers go, 0: none. */
int kt_trigger_remove(struct kt_instance *inst, const char *events, const char *pattern,
		      struct kt_err *err);
/* The kernel refused such a removal, -EBUSY:
 * @err names the users of their variables, if that is the reason. */
void kt_trigger_explain(const struct kt_instance *inst, const char *events, const char *pattern,
			struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
