/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* session.h - many settings at once: saved, applied, printed for the next boot */
#ifndef KTRAIL_SESSION_H
#define KTRAIL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== the whole tracefs configuration as text ==== */

/* One line of a state: "key = value". Keys may repeat: one line for each event, filter, pid … */
struct kt_state_line {
	char *key;		/* a file of tracefs, or "options", "event",
				 * "filter", "trigger", "probe", "rv" */
	char *value;		/* as written to the kernel; one line */
};

struct kt_state_section {
	char *name;		/* "machine", "buffer", or "instance NAME" */
	size_t nr;
	struct kt_state_line *lines;
};

/* Documentation/ktrail-state.md describes the text */
struct kt_state {
	size_t nr;
	struct kt_state_section *sections;
};

/* Append a line with @key; copies. 0 or -ENOMEM */
int kt_state_add(struct kt_state_section *s, const char *key, const char *value);
/* The same, but replaces the first line with @key */
int kt_state_set(struct kt_state_section *s, const char *key, const char *value);
/* The first value of @key, borrowed, or NULL. @s may be NULL, here and below. */
const char *kt_state_value(const struct kt_state_section *s, const char *key);
/* Iterate over the values of @key: @i starts at 0. Borrowed; NULL after the last */
const char *kt_state_next(const struct kt_state_section *s, const char *key, size_t *i);

/**
 * kt_state_read - read the current settings
 * @instance: NULL: everything. "" for the top-level buffer or a name: only that buffer
 *
 * New (kt_state_destroy), or NULL: not available, -ENOENT: no such instance.
 */
struct kt_state *kt_state_read(const char *instance, struct kt_err *err);
/* Only the sections in @like, without instances that do not exist. This is faster than reading
 * everything, since each buffer has three files per event. */
struct kt_state *kt_state_read_like(const struct kt_state *like, struct kt_err *err);
/* Parse a text. New, or NULL: -EINVAL names the line, -ENOMEM */
struct kt_state *kt_state_parse(const char *text, struct kt_err *err);
void kt_state_destroy(struct kt_state *state);

/* As text, without the head line; new (free), NULL: no memory */
char *kt_state_text(const struct kt_state *state);
/* Remove all lines that have the kernel's default value: only changes since boot remain. */
void kt_state_hide_defaults(struct kt_state *state);

/* Remove the sections that @other lacks. */
void kt_state_keep_sections(struct kt_state *state, const struct kt_state *other);

/**
 * kt_state_diff - the differences from @a to @b
 *
 * Lines "-key = value" and "+key = value" under the names of their sections.
 * New (free), "" if they are equal; NULL: no memory.
 */
char *kt_state_diff(const struct kt_state *a, const struct kt_state *b);

/**
 * kt_state_apply - change the machine's settings to those of @state
 * @now:   the current settings from kt_state_read(), to avoid reading them again; NULL: not
 *         read yet
 * @notes: receives a sentence for each setting that was skipped, with the reason
 *
 * Sections that are not in @state are left alone. In a buffer, lists without a line
 * become empty (events, filters, triggers, pids, functions), other
 * files without a line stay. Missing instances are created. Probes without a
 * line are removed, unless a buffer without section here uses them. Only differences
 * are written. After a refusal all former values are restored.
 *
 * Returns the number of writes, or a negative errno; the message names file,
 * value and the kernel's error.
 */
int kt_state_apply(const struct kt_state *state, const struct kt_state *now,
		   struct kt_names *notes, struct kt_err *err);

/* ==== a tracing session: buffers, and what to trace into each ==== */

/*
 * The settings that a session wants for a buffer, or for the machine, are in a section as in a
 * saved state, with these differences: an event, also of a filter or trigger, may have any form
 * of ktrail/settings.h; "event = !NAME" excludes what an earlier line includes; a function
 * may have any form of kt_instance_add_functions(), and "PATTERN:mod:MODULE" is in that module;
 * set_graph_function and set_graph_notrace may be in a buffer. Settings without a line stay.
 */
struct kt_setup_buffer {
	char *name;			/* "" for the top-level buffer */
	bool  used;			/* the session has a setting for it */
	bool  remove;			/* delete this instance */
	bool  func_stack;		/* stack trace at each function; needs a function filter */
	struct kt_state_section wish;	/* without a name */
	struct kt_instance *inst;	/* open between kt_setup_open() and kt_setup_close() */
	bool  of_session;		/* @inst is borrowed from @change */
	bool  late;			/* result of apply: start will enable some of its events */
};

struct kt_setup {
	struct kt_setup_buffer **buffers;	/* [0]: the top-level buffer, which always exists */
	size_t nr_buffers;
	struct kt_state_section machine;	/* global settings; at boot also "probe",
						 * "sysctl/…" */
	bool  temporary;	/* remove the instances we create when it ends */
	bool  keep_before;	/* do not clear existing settings before starting */
	bool  own_trace;	/* tracing begins at kt_setup_start(): nothing is traced before,
				 * even with @keep_before */
	bool  starts;		/* kt_setup_start() will follow: it enables events of programs */
	bool  ignore_missing;	/* an event that this kernel lacks is not an error */
	bool  no_functions;	/* option function-trace off */
	bool  no_ftrace;	/* and ftrace_enabled off, which affects all buffers */
	bool  dry;		/* write nothing: see kt_setup_notes() */
	bool  follow;		/* also children of @pids */
	char *pids;		/* only these processes, in each buffer; NULL: all */
	size_t nr_missing;	/* result: events skipped by ignore_missing */
	const struct kt_state *session;		/* set this first; borrowed, NULL: none */
	struct kt_names session_notes;		/* result: sentences on skipped settings, as
						 * from kt_state_apply() */
	struct state_change *change;		/* open as long as the buffers are */
};

/* 0 or -ENOMEM. kt_setup_fini() closes like kt_setup_close(), and frees. */
int  kt_setup_init(struct kt_setup *setup);
void kt_setup_fini(struct kt_setup *setup);

/* The buffer of this name, created if needed; borrowed. NULL: no memory. */
struct kt_setup_buffer *kt_setup_buffer(struct kt_setup *setup, const char *name);
/* Add a line to its section; it is then used. 0 or -ENOMEM; copies, as all below */
int kt_setup_add(struct kt_setup_buffer *buf, const char *key, const char *value);
/* The same, but replaces the first line with @key */
int kt_setup_set(struct kt_setup_buffer *buf, const char *key, const char *value);
/* @off: exclude the event from what earlier lines include */
int kt_setup_add_event(struct kt_setup_buffer *buf, const char *name, bool off);
/* @module: NULL: any */
int kt_setup_add_function(struct kt_setup_buffer *buf, enum kt_function_list list,
			  const char *pattern, const char *module);
/* Add words to @pids: pass the address of the member. */
int kt_setup_add_pids(char **list, const char *pids);
/* For the last event; its filters are joined by &&. -EINVAL: there is no event. */
int kt_setup_add_filter(struct kt_setup_buffer *buf, const char *filter);
int kt_setup_add_trigger(struct kt_setup_buffer *buf, const char *trigger);
/* Does it have a tracer or an event? Otherwise the session traces nothing. */
bool kt_setup_traces(const struct kt_setup *setup);

/**
 * kt_setup_open - open the used buffers, and create missing ones
 * kt_setup_apply - change the kernel's settings to those of the session
 * kt_setup_start - let the buffers accept events
 *
 * Apply turns tracing off first (with @keep_before: only if @own_trace) and leaves it off. Then,
 * unless @keep_before, it clears all events, filters, triggers and the trace itself (but triggers
 * stay if synthetic events are enabled, since they generate these). Then each buffer gets its
 * clock, sizes, CPU mask, functions, processes, tracer, options, filters, triggers and events:
 * settings that fill the trace come last. Function filters are changed only if the session uses a
 * tracer or names functions. A file that this kernel lacks fails only the settings that need it.
 *
 * A program writes its events (user_events) as soon as they are enabled. So with
 * @starts they are enabled after tracing is on, and the first ones are not lost.
 *
 * @session is applied before all this. It decides all settings of its buffers, so only their
 * trace is cleared. Start switches on those of its buffers that have something to trace; the
 * others are left as @session says.
 *
 * Each returns 0 or a negative errno with the buffer named in the message.
 * After a failure call kt_setup_close(), which restores everything.
 */
int kt_setup_open(struct kt_setup *setup, struct kt_err *err);
int kt_setup_apply(struct kt_setup *setup, struct kt_err *err);
int kt_setup_start(struct kt_setup *setup, struct kt_err *err);
int kt_setup_stop(struct kt_setup *setup, struct kt_err *err);

/* The writes of a dry session as shell lines; new (free), NULL: no memory. */
char *kt_setup_notes(const struct kt_setup *setup);
/* Keep all settings and created instances. */
void kt_setup_keep(struct kt_setup *setup);
/* Restore everything, last buffer first; returns the first failure. The session can be reopened. */
int kt_setup_close(struct kt_setup *setup, struct kt_err *err);

/* ==== a tracing session that starts at boot ==== */

/**
 * kt_boot_check - does this kernel know all names of a session?
 * @notes: receives a sentence for each unknown name
 *
 * This is only a hint, since the session may be for another kernel. 0 or -ENOMEM.
 */
int kt_boot_check(const struct kt_setup *setup, struct kt_names *notes);

/**
 * kt_boot_add_state - add a saved state to a session that starts at boot
 * @state: should not include defaults, see kt_state_hide_defaults()
 * @notes: receives a sentence for each line that cannot be set at boot
 *
 * 0 or -ENOMEM.
 */
int kt_boot_add_state(struct kt_setup *setup, const struct kt_state *state, struct kt_names *notes);

/**
 * kt_boot_config - a session as a bootconfig file
 *
 * New (free), or NULL: -EINVAL: a name or text that cannot be expressed in it,
 * -ENOTSUP: a setting that the kernel cannot make at boot, -ENOMEM.
 * Source: Linux 5.6 and later, Documentation/trace/boottime-trace.rst.
 */
char *kt_boot_config(const struct kt_setup *setup, struct kt_err *err);

/**
 * kt_boot_cmdline - a session as parameters of the kernel's command line
 *
 * New (free), or NULL: -ENOTSUP: it cannot express that (filters, settings of an
 * instance other than its events), but a bootconfig can. -ENOMEM.
 * Source: Linux, Documentation/admin-guide/kernel-parameters.txt.
 */
char *kt_boot_cmdline(const struct kt_setup *setup, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
