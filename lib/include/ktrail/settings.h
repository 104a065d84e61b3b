/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* settings.h - the settings of an instance: one by one, and all as rows to walk and search */
#ifndef KTRAIL_SETTINGS_H
#define KTRAIL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/tracefs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== tracer, clock, options, sizes and limits of an instance ==== */

/*
 * Each setter remembers the former value (kt_instance_close() restores it) and
 * returns 0 or a negative errno: -EINVAL with the nearest or the possible
 * names for an unknown one, "not available" as in ktrail/tracefs.h, or the error
 * of the kernel. Source: Linux, Documentation/trace/ftrace.rst.
 */

/* tracing_on: does the ring buffer accept events? */
int kt_instance_set_tracing(struct kt_instance *inst, bool on, struct kt_err *err);
int kt_instance_is_tracing(const struct kt_instance *inst, struct kt_err *err);	/* 0, 1 */

/* current_tracer; "nop": only events. Results: new (free), names of available_tracers */
int   kt_instance_set_tracer(struct kt_instance *inst, const char *name, struct kt_err *err);
char *kt_instance_tracer(const struct kt_instance *inst, struct kt_err *err);
int   kt_instance_tracers(const struct kt_instance *inst, struct kt_names *out,
			  struct kt_err *err);

/* trace_clock. Changing it empties the buffer. The result is new (free). */
int   kt_instance_set_clock(struct kt_instance *inst, const char *name, struct kt_err *err);
char *kt_instance_clock(const struct kt_instance *inst, struct kt_err *err);
int   kt_instance_clocks(const struct kt_instance *inst, struct kt_names *out,
			 struct kt_err *err);
/* The time on the clock now, in its units; nanoseconds are exact to the microsecond. -1: unknown */
int64_t kt_instance_now(struct kt_instance *inst);
/*
 * Nanoseconds from the beginning of 1970 to this clock's zero: added to a time of the clock, it
 * gives the time of day. -1: the clock does not count nanoseconds
 */
int64_t kt_instance_wall(struct kt_instance *inst);
/* One line on the unit and use of a clock; NULL for an unknown one. */
const char *kt_clock_help(const char *name);

/*
 * options/NAME. A name that begins with "no" and is not itself an option means: off.
 * Returns 0, or 1 if it changed in the other buffers, too, since the options of a tracer are
 * common to all buffers (Linux up to 6.18); closing @inst restores it there as well.
 */
int kt_instance_set_option(struct kt_instance *inst, const char *name, bool on,
			   struct kt_err *err);
int kt_instance_is_option(const struct kt_instance *inst, const char *name,
			  struct kt_err *err);		/* 0, 1 */
/* The options in trace_options, in its order, then those of other tracers; with "no" before
 * options that are off. */
int kt_instance_options(const struct kt_instance *inst, struct kt_names *out,
			struct kt_err *err);

/**
 * kt_instance_set_buffer_size - set the trace capacity of a CPU
 * @cpu: CPU number, or -1 for all
 * @kb:  KiB per CPU; whole pages, so a little more may fit
 *
 * If the CPUs have different sizes, each is remembered. -ENODEV: there is no such CPU.
 * -ENOMEM: too large for this machine; the kernel keeps the former size.
 */
int kt_instance_set_buffer_size(struct kt_instance *inst, int cpu, uint64_t kb,
				struct kt_err *err);
/**
 * kt_instance_buffer_size - KiB per CPU of the buffer; before its first use, the size it will have
 * @cpu: CPU number, or -1 for "all, if they are equal"
 *
 * -EXDEV: @cpu is -1 and the CPUs have different sizes. -ENODEV: there is no such CPU.
 */
int64_t kt_instance_buffer_size(const struct kt_instance *inst, int cpu, struct kt_err *err);
int kt_instance_set_subbuf_size(struct kt_instance *inst, uint64_t kb, struct kt_err *err);
/* The fill level of a CPU's buffer at which a waiting reader wakes; 0: at any event */
int kt_instance_set_buffer_percent(struct kt_instance *inst, unsigned int percent,
				   struct kt_err *err);
/* CPUs that have a buffer here, each "cpuN" of per_cpu/, sorted by number; new (free) */
int kt_instance_cpus(const struct kt_instance *inst, int **cpus, struct kt_err *err);

/* tracing_cpumask: a kernel hex mask ("ff", "-1" for all) */
int kt_instance_set_cpumask(struct kt_instance *inst, const char *hex, struct kt_err *err);

/*
 * Restrict tracing to processes: for events, and for function tracers
 * @pids: decimal, separated by white space; "" for no restriction
 *
 * Without function tracing in the kernel, the second does nothing and succeeds.
 */
int kt_instance_set_event_pids(struct kt_instance *inst, const char *pids, struct kt_err *err);
int kt_instance_set_function_pids(struct kt_instance *inst, const char *pids,
				  struct kt_err *err);

enum kt_function_list {
	KT_FUNCTIONS_FILTER,		/* set_ftrace_filter: trace only these */
	KT_FUNCTIONS_NOTRACE,		/* set_ftrace_notrace: do not trace these */
	KT_FUNCTIONS_GRAPH,		/* set_graph_function: these and their callees */
	KT_FUNCTIONS_GRAPH_NOTRACE,	/* set_graph_notrace */
};
const char *kt_function_list_file(enum kt_function_list list);

/**
 * kt_instance_add_functions - add to a function list
 * @pattern: a name, a glob in the kernel's syntax, or a regular expression if
 *           it begins with '^' or ends with '$'; "mod:MODULE" or
 *           "mod:MODULE:GLOB"; "path:kernel/sched" by source file, folder or
 *           glob, if debug information is available; or a filter command such as
 *           "schedule:traceoff:3"
 * @module:  NULL, or only functions of this module
 *
 * Returns 0, or
 *   -ENOENT  nothing matches, the message has the nearest name; no debug
 *            information for a path
 *   -EINVAL  an invalid regular expression
 * or not available: no function tracing here. The kernel selects by name, so
 * all functions of that name are selected.
 */
int kt_instance_add_functions(struct kt_instance *inst, enum kt_function_list list,
			      const char *pattern, const char *module, struct kt_err *err);
/**
 * kt_function_namesakes - names in a list that several functions share
 * @text: result, new (free): "2 names are those of 5 functions: …", NULL if there are none
 *
 * A function selected by its file ("path:") thus also selects functions of the
 * same name in other files. 0 or a negative errno.
 */
int kt_function_namesakes(const struct kt_instance *inst, enum kt_function_list list, char **text,
			  struct kt_err *err);
bool kt_is_function_path(const char *pattern);	/* "path:…" */
/* Remove the functions that @pattern would add. */
int kt_instance_remove_functions(struct kt_instance *inst, enum kt_function_list list,
				 const char *pattern, const char *module, struct kt_err *err);
/* The number of traceable functions that match @pattern; 0 for commands. Errors as above. */
int kt_instance_count_functions(struct kt_instance *inst, const char *pattern, const char *module,
				struct kt_err *err);
/* Empty the list: no restriction. Does nothing if it is empty. */
int kt_instance_clear_functions(struct kt_instance *inst, enum kt_function_list list,
				struct kt_err *err);

/* ==== parameters and results of the latency tracers ==== */

/*
 * Source: Linux, Documentation/trace/{ftrace,hwlat_detector,osnoise-tracer,
 * timerlat-tracer}.rst
 */
struct kt_tracer_param {
	const char *tracers;		/* separated by spaces; a "*" at the end means a family */
	const char *name;		/* our name for it */
	const char *file;		/* its file in tracefs */
	const char *help;		/* with the unit */
	int read_only;			/* 1: a result */
};

/* Ends with a zeroed entry. */
extern const struct kt_tracer_param kt_tracer_params[];

/* Does this tracer have the parameter? */
int kt_tracer_has_param(const char *tracer, const struct kt_tracer_param *param);
/* One line on a tracer; NULL: unknown. */
const char *kt_tracer_help(const char *tracer);
/**
 * kt_param_widens - can this value be set before other parameters of its pair?
 *
 * A window of time must be at least as long as the measurement in it. A longer
 * window, or a shorter measurement, is valid for any value of the other. So
 * set these first if several are set. False for other parameters.
 */
int kt_param_widens(const struct kt_instance *inst, const char *tracer, const char *name,
		    const char *value);
/* Does its "trace" show a saved longest latency instead of the content of the buffer? True for
 * the tracers irqsoff, wakeup and their variants. */
bool kt_instance_shows_max(const struct kt_instance *inst);
/**
 * kt_instance_set_param - set a parameter of a tracer
 *
 * -EINVAL: no such parameter, with the list of parameters; a result can only be
 * set to 0.
 */
int kt_instance_set_param(struct kt_instance *inst, const char *tracer, const char *name,
			  const char *value, struct kt_err *err);

/* ==== select events of the running kernel by name ==== */

/*
 * Forms of event names: "sched:sched_switch", "sched/sched_switch", "sched"
 * (all of a system), "sched_switch" (in any system), "all"; '*', '?' and '['
 * match as in the shell. A name without system that matches both a system and
 * events selects both.
 */

/* All events as "system:event", in the kernel's order. 0, or not available. */
int kt_event_names(struct kt_names *out, struct kt_err *err);
/* The events of the system ftrace, sorted: tracers write them. They cannot be enabled, and the
 * kernel does not list them. 0, or not available. */
int kt_ftrace_event_names(struct kt_names *out, struct kt_err *err);
/* All systems except ftrace, sorted. */
int kt_system_names(struct kt_names *out, struct kt_err *err);

/**
 * kt_selection_find - the events in the kernel that match
 * @text: names in the forms above, separated by commas
 * @dirs: receives folders of the instance: "events", "events/sched",
 *        "events/sched/sched_switch"; none is inside another
 *
 * Returns the number of folders, or
 *   -ENOENT  none; the message has the nearest name
 */
int kt_selection_find(const struct kt_instance *inst, const char *text, struct kt_names *dirs,
		      struct kt_err *err);
/* The same, with systems and "all" expanded: only "events/SYSTEM/EVENT". */
int kt_selection_find_each(const struct kt_instance *inst, const char *text,
			   struct kt_names *dirs, struct kt_err *err);

/**
 * kt_instance_enable_events - enable or disable events
 *
 * Returns 0, or -ENOENT as above, or the error of the kernel.
 */
int kt_instance_enable_events(struct kt_instance *inst, const char *text, bool on,
			      struct kt_err *err);

/* Remove all events or all triggers from the instance; writes only where something is set. */
int kt_instance_clear_events(struct kt_instance *inst, struct kt_err *err);
int kt_instance_clear_triggers(struct kt_instance *inst, struct kt_err *err);

/* ==== filters and triggers of live events, checked before they are set ==== */

/* A filter or a trigger of an event */
struct kt_event_note {
	char *event;		/* "sched:sched_switch" */
	char *text;		/* as shown by the kernel: "prev_prio < 100", "traceoff:count=2" */
};

struct kt_event_notes {
	size_t nr;
	struct kt_event_note *at;
};
void kt_event_notes_fini(struct kt_event_notes *notes);

/* @events: names as above; NULL: all. 0; -ENOENT: no such event; not available */
int kt_filters_read(const struct kt_instance *inst, const char *events,
		    struct kt_event_notes *out, struct kt_err *err);
int kt_triggers_read(const struct kt_instance *inst, const char *events,
		     struct kt_event_notes *out, struct kt_err *err);

/**
 * kt_filter_set - check a filter and set it on events
 * @filter: the kernel's syntax; NULL: remove the filter
 *
 * With several events, those that lack a field are left alone, unless all do.
 * Returns the number of events, or -ENOENT: no such event, -EINVAL: the filter is
 * wrong, with an excerpt and the nearest field.
 */
int kt_filter_set(struct kt_instance *inst, const char *events, const char *filter,
		  struct kt_err *err);

/**
 * kt_trigger_add - check a trigger and add it to events
 * @trigger: "COMMAND[:ARGUMENTS][:COUNT] [if FILTER]", the kernel's syntax
 *
 * Returns as above. -ENOTSUP: this kernel does not have the command; the message
 * names CONFIG_.
 */
int kt_trigger_add(struct kt_instance *inst, const char *events, const char *trigger,
		   struct kt_err *err);
/* @pattern: for the trigger's text as listed; NULL: all. Returns the number of removed triggers. */
int kt_trigger_remove(struct kt_instance *inst, const char *events, const char *pattern,
		      struct kt_err *err);
/* After the kernel refused such a removal with -EBUSY: add the users of the triggers' variables to
 * @err, if that is the reason. */
void kt_trigger_explain(const struct kt_instance *inst, const char *events, const char *pattern,
			struct kt_err *err);

/* ==== the settings of an instance as rows to walk, search and change ==== */

/*
 * A tree: tracing, tracer, clock, buffer size, events (system, event), options, functions.
 * Rows are its unfolded nodes, or the results of a search, best first. Every change uses
 * the setters of the instance, so it is checked, journaled, and undone when
 * the instance closes. Values are read from the kernel when a row is first shown, after each
 * change, and by kt_control_refresh(). For one thread.
 */
struct kt_control;

enum kt_control_kind {
	KT_CONTROL_TRACING,		/* on or off */
	KT_CONTROL_TRACER,		/* unfolds to the tracers; one of them is on */
	KT_CONTROL_CLOCK,		/* unfolds to the clocks; one of them is on */
	KT_CONTROL_BUFFER,		/* a size */
	KT_CONTROL_EVENTS, KT_CONTROL_OPTIONS, KT_CONTROL_FUNCTIONS,	/* these unfold */
	KT_CONTROL_SYSTEM,
	KT_CONTROL_EVENT,		/* on or off, filter, triggers */
	KT_CONTROL_OPTION,		/* on or off */
	KT_CONTROL_TRACER_NAME, KT_CONTROL_CLOCK_NAME,	/* one of the choices */
	KT_CONTROL_FUNCTION,		/* on: it is in a list of functions */
};

enum kt_control_state {
	KT_CONTROL_PLAIN,		/* cannot be switched */
	KT_CONTROL_OFF, KT_CONTROL_ON,
	KT_CONTROL_PARTLY,		/* some of its children are on */
};

struct kt_control_row {
	enum kt_control_kind kind;
	enum kt_control_state state;
	unsigned int depth;
	const char *system;		/* of an event; else "" */
	const char *name;		/* "sched_switch"; all strings: borrowed until the next call
					 * other than those for rows */
	const char *value;		/* "nop", "if prev_prio < 100"; may be "" */
	bool folds, open;		/* it has children; they are shown */
	size_t id;			/* identifies the setting, whichever rows are shown */
};

/* @inst: borrowed, must live longer. New (kt_control_close), NULL: -ENOMEM. */
struct kt_control *kt_control_open(struct kt_instance *inst, struct kt_err *err);
void kt_control_close(struct kt_control *c);

/*
 * The kernel refuses to change tracer, clock or sub-buffer size while another process reads the
 * buffer (-EBUSY). @pause(true) is called before such a change, @pause(false) after it.
 */
void kt_control_set_pause(struct kt_control *c, void (*pause)(void *data, bool on), void *data);

size_t kt_control_nr_rows(const struct kt_control *c);
/* Reads the filter and triggers of an event when it is first shown. False: no such row */
bool   kt_control_row(struct kt_control *c, size_t i, struct kt_control_row *row);
/* The row of the setting @id, SIZE_MAX if it has none */
size_t kt_control_find(const struct kt_control *c, size_t id);
/* Unfold the parents of the setting @id. Returns its row. */
size_t kt_control_reveal(struct kt_control *c, size_t id);

/* Fold or unfold. Functions are read when they are first unfolded or searched. 0, -EINVAL
 * (it has no children), or the reason why the kernel has no functions: not available. */
int kt_control_fold(struct kt_control *c, size_t i, bool open, struct kt_err *err);

/*
 * Choose the list that toggling a found function changes: that of row @i, such as
 * set_graph_notrace; set_ftrace_filter if the row belongs to no list.
 */
void   kt_control_choose_list(struct kt_control *c, size_t i);
/* The row of that list; SIZE_MAX while searching */
size_t kt_control_list_row(const struct kt_control *c);

/**
 * kt_control_search - show the settings that match
 * @text: words; a name must contain all letters of each word in order; NULL or "":
 *        show the tree again
 *
 * Searches events, options, tracers, clocks and functions; 100,000 names take a few
 * milliseconds. Returns the number of matches; rows are the best KT_CONTROL_FOUND of them.
 */
size_t kt_control_search(struct kt_control *c, const char *text);
#define KT_CONTROL_FOUND 500

/*
 * Changes: 0, or the error of the instance's setter. The rows may change.
 *
 * toggle: switch on or off; select a tracer or clock; for a system, switch all of its events.
 * set: the filter of an event or of a system's events ("": none), the size of the buffer
 *      (KiB for each CPU, or "8M"), the name of a tracer or a clock.
 * add_trigger, remove_triggers: for an event or a system's events
 */
int kt_control_toggle(struct kt_control *c, size_t i, struct kt_err *err);
int kt_control_set(struct kt_control *c, size_t i, const char *text, struct kt_err *err);
int kt_control_add_trigger(struct kt_control *c, size_t i, const char *trigger,
			   struct kt_err *err);
int kt_control_remove_triggers(struct kt_control *c, size_t i, struct kt_err *err);
/* The current value in the form of kt_control_set(): new (free); NULL: nothing to set */
char *kt_control_text(const struct kt_control *c, size_t i);
/* Undo all changes made here, now. */
int kt_control_restore(struct kt_control *c, struct kt_err *err);

/*
 * Read the values again, and everything if the list of events has changed. With @all, always read
 * everything, including functions and options. Unfolded rows stay; a search ends.
 */
int kt_control_refresh(struct kt_control *c, bool all, struct kt_err *err);
/* A line about a row: the fields of an event, the unit of a clock; new (free), may be "" */
char *kt_control_about(struct kt_control *c, size_t i);

/* ---- its writes to tracefs, oldest first ---- */

struct kt_control_write {
	const char *line;		/* "echo 1 > events/sched/enable"; borrowed */
	const char *refused;		/* NULL: it succeeded; else the reason of the failure */
};
size_t kt_control_nr_writes(const struct kt_control *c);
struct kt_control_write kt_control_write(const struct kt_control *c, size_t i);

#ifdef __cplusplus
}
#endif
#endif
