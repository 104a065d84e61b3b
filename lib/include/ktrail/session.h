/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* session.h - many settings at once: saved, applied, printed for the next boot */
#ifndef KTRAIL_SESSION_H
#define KTRAIL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>
#include <ktrail/names.h>
#include <ktrail/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== the whole tracefs configuration as a small text ==== */

/* One line of a state: "key = value". Keys may repeat: one line for each event, filter, pid … */
struct kt_state_line {
	char *key;		/* a file of tracefs, or "options", "event",
				 * "filter", "trigger", "probe" */
	char *value;		/* as it is written to the kernel; one line */
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

/**
 * kt_state_read - what is set now
 * @instance: NULL: everything. "" for the top buffer or a name: only that buffer
 *
 * New (kt_state_destroy), or NULL: not available, -ENOENT: no such instance.
 */
struct kt_state *kt_state_read(const char *instance, struct kt_err *err);
/* Only the sections that @like has, without the instances that there are not: of everything it can
 * be a small part, and each buffer is three files an event. */
struct kt_state *kt_state_read_like(const struct kt_state *like, struct kt_err *err);
/* From a text. New, or NULL: -EINVAL names the line, -ENOMEM */
struct kt_state *kt_state_parse(const char *text, struct kt_err *err);
void kt_state_destroy(struct kt_state *state);

/* As text, without head line; new (free), NULL: no memory */
char *kt_state_text(const struct kt_state *state);
/* Take out what every kernel has at boot: what remains was set since. */
void kt_state_hide_defaults(struct kt_state *state);

/* Take out the sections that @other lacks. */
void kt_state_keep_sections(struct kt_state *state, const struct kt_state *other);

/**
 * kt_state_diff - from @a to @b
 *
 * Lines "-key = value" and "+key = value" under the names of their sections.
 * New (free), "" if they are the same; NULL: no memory.
 */
char *kt_state_diff(const struct kt_state *a, const struct kt_state *b);

/**
 * kt_state_apply - make the machine's settings those of @state
 * @now:   what kt_state_read() has just read, so that it is not read again, which is
 *         three files an event; NULL: nothing was read
 * @notes: gets what was left alone and why, one sentence each
 *
 * Sections that are not in @state are left alone. In a buffer, lists that are
 * not named become empty (events, filters, triggers, pids, functions), other
 * files that are not named stay. Missing instances are created. Probes that are
 * not named go, unless a buffer without section here uses them. Only what
 * differs is written. After a refusal all is put back as it was.
 *
 * Returns the number of writes, or a negative errno; the message names file,
 * value and what the kernel says.
 */
int kt_state_apply(const struct kt_state *state, const struct kt_state *now,
		   struct kt_names *notes, struct kt_err *err);

/* ==== a tracing session: buffers and what is to be traced into each ==== */

/* Plain data: filled by kt_setup_add_event() and its like or by hand, strings are owned (free). */
struct kt_setup_event {
	char *name;			/* as in ktrail/selection.h */
	bool  off;			/* keep it out, though an earlier one lets it in */
	char *filter;			/* NULL: none */
	struct kt_names triggers;
	bool  late;			/* result of apply: something of it waits for start */
};

struct kt_setup_function {
	enum kt_function_list list;
	char *pattern;
	char *module;			/* NULL: any */
};

struct kt_setup_buffer {
	char *name;			/* "" for the top buffer */
	bool  used;			/* something was asked of it */
	bool  remove;			/* delete this instance */
	char *tracer;			/* NULL: as it is; so with the next two */
	char *clock;
	char *cpumask;			/* kernel hex, "-1": all CPUs */
	uint64_t buffer_kb;		/* per CPU; 0: as it is; so with the next */
	uint64_t subbuf_kb;
	int   buffer_percent;		/* -1: as it is */
	bool  func_stack;		/* stack trace on each function; needs a function filter */
	struct kt_names options;	/* "stacktrace", "nooverwrite" */
	struct kt_setup_event *events;
	size_t nr_events;
	struct kt_setup_function *functions;
	size_t nr_functions;
	struct kt_instance *inst;	/* open between kt_setup_open and kt_setup_close */
	bool  of_session;		/* … and borrowed from the session's change */
};

struct kt_setup {
	struct kt_setup_buffer **buffers;	/* [0] is the top buffer, always there */
	size_t nr_buffers;
	bool  temporary;	/* instances that we create go when it ends */
	bool  keep_before;	/* do not clear what is set before starting */
	bool  own_trace;	/* it begins at kt_setup_start(): until then nothing is traced,
				   with @keep_before neither */
	bool  starts;		/* kt_setup_start() follows: events of programs wait for it */
	bool  ignore_missing;	/* an event that this kernel lacks is not an error */
	bool  no_functions;	/* option function-trace off */
	bool  no_ftrace;	/* … and ftrace_enabled off for everybody */
	bool  dry;		/* change nothing: kt_setup_notes */
	bool  follow;		/* children of @pids too */
	char *pids;		/* only these processes; NULL: all */
	char *hidden_pids;	/* not these; NULL: none. Not available before 5.7: then ignored */
	int   graph_depth;	/* -1: as it is */
	unsigned int cmdlines_size;	/* 0: as it is */
	int   dump_on_oops;	/* at boot only: 0 no, 1 all CPUs, 2 the one that crashes */
	struct kt_names boot_probes;	/* at boot only: lines of dynamic_events */
	struct kt_names boot_params;	/* … parameters of the kernel, "name" or "name=value" */
	size_t nr_missing;	/* result: events that ignore_missing passed over */
	const struct kt_state *session;		/* set this first; borrowed, NULL: none */
	struct kt_names session_notes;		/* result: as of kt_state_apply(),
						 * on functions and options */
	struct state_change *change;		/* open as the buffers are */
};

/* 0 or -ENOMEM. kt_setup_fini() closes as kt_setup_close() does, and frees. */
int  kt_setup_init(struct kt_setup *setup);
void kt_setup_fini(struct kt_setup *setup);

/* The buffer of this name, made if need be; borrowed. NULL: no memory. */
struct kt_setup_buffer *kt_setup_buffer(struct kt_setup *setup, const char *name);
/* All copy. 0 or -ENOMEM. */
int kt_setup_add_event(struct kt_setup_buffer *buf, const char *name, bool off);
int kt_setup_add_function(struct kt_setup_buffer *buf, enum kt_function_list list,
			  const char *pattern, const char *module);
/* More words for @pids or @hidden_pids: pass the address of the member. */
int kt_setup_add_pids(char **list, const char *pids);
/* For the last event. -EINVAL: there is none. */
int kt_setup_add_filter(struct kt_setup_buffer *buf, const char *filter);
int kt_setup_add_trigger(struct kt_setup_buffer *buf, const char *trigger);
/* Is there a tracer or an event? A session without traces nothing. */
bool kt_setup_traces(const struct kt_setup *setup);

/**
 * kt_setup_open - take hold of the buffers that are used, create what is missing
 * kt_setup_apply - make the kernel's settings those of the session
 * kt_setup_start - let the buffers take events
 *
 * Apply turns tracing off first (with @keep_before: if @own_trace) and leaves it. In this order, as
 * trace-cmd has it: tracing off; unless @keep_before all events, filters, triggers and the
 * trace itself cleared (but triggers stay where synthetic events are asked for:
 * they make them); clock, functions, CPU mask, events, sizes, tracer,
 * options, depth. Function filters are touched only when the session uses a
 * tracer or names functions. A file that this kernel does not offer stops only
 * what needs it.
 *
 * A program writes its events (user_events) as soon as they are on, so with
 * @starts that comes behind tracing on, and its first ones are not lost.
 *
 * A session is set before all this. It decides everything of its buffers, so
 * of those only the trace is cleared. Those where it traces something start,
 * its others are left as it says.
 *
 * Each returns 0 or a negative errno with the buffer named in the message.
 * After a failure close: it rolls back.
 */
int kt_setup_open(struct kt_setup *setup, struct kt_err *err);
int kt_setup_apply(struct kt_setup *setup, struct kt_err *err);
int kt_setup_start(struct kt_setup *setup, struct kt_err *err);
int kt_setup_stop(struct kt_setup *setup, struct kt_err *err);

/* Of a dry session: what was to be written, as lines of shell; new (free), NULL: no memory. */
char *kt_setup_notes(const struct kt_setup *setup);
/* What is set and created stays. */
void kt_setup_keep(struct kt_setup *setup);
/* Put everything back, last buffer first; the first failure. The session stays for another open. */
int kt_setup_close(struct kt_setup *setup, struct kt_err *err);

/* ==== a tracing session that begins with the kernel ==== */

/**
 * kt_boot_check - are the names of a session known to this kernel?
 * @notes: gets a sentence for each that is not
 *
 * The session may be for another kernel, so this is advice. 0 or -ENOMEM.
 */
int kt_boot_check(const struct kt_setup *setup, struct kt_names *notes);

/**
 * kt_boot_add_state - a saved state as part of a session that begins with the kernel
 * @state: best without what is so at boot anyway, see kt_state_hide_defaults()
 * @notes: gets a sentence for each line that cannot be said at boot
 *
 * 0 or -ENOMEM.
 */
int kt_boot_add_state(struct kt_setup *setup, const struct kt_state *state, struct kt_names *notes);

/**
 * kt_boot_config - a session as a bootconfig file
 *
 * New (free), or NULL: -EINVAL: a name or text that cannot be written there,
 * -ENOTSUP: what the kernel cannot set at boot, -ENOMEM.
 * Source: Linux 5.6 and later, Documentation/trace/boottime-trace.rst.
 */
char *kt_boot_config(const struct kt_setup *setup, struct kt_err *err);

/**
 * kt_boot_cmdline - a session as parameters of the kernel's command line
 *
 * New (free), or NULL: -ENOTSUP: it cannot say that (filters, settings of an
 * instance besides its events); a bootconfig can. -ENOMEM.
 * Source: Linux, Documentation/admin-guide/kernel-parameters.txt.
 */
char *kt_boot_cmdline(const struct kt_setup *setup, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
