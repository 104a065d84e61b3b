/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state.h - the settings in a state, and how they are applied, reset and written for boot */
#ifndef SESSION_STATE_H
#define SESSION_STATE_H

#include <ktrail/session.h>
#include <ktrail/tracefs.h>

enum state_form {
	STATE_FILE,		/* one value, "file = value" */
	STATE_LIST,		/* a line for each word or line; none: empty */
	STATE_STEP,		/* a file as well, which is written by a step of its own */
	STATE_OWN,		/* not one file: read and written by functions of its own */
};

/* Settings that a reset clears, and that a session clears before it starts */
enum clear {
	CLEAR_TRACER    = 1 << 0,
	CLEAR_EVENTS    = 1 << 1,
	CLEAR_FILTERS   = 1 << 2,
	CLEAR_TRIGGERS  = 1 << 3,
	CLEAR_FUNCTIONS = 1 << 4,
	CLEAR_GRAPHS    = 1 << 5,	/* the graph lists, shared by all buffers */
	CLEAR_PIDS      = 1 << 6,
	CLEAR_VALUES    = 1 << 7,	/* clock, CPUs, stack traces, longest latency */
	CLEAR_LIMITS    = 1 << 8,	/* shared by all buffers, too */
	CLEAR_TRACE     = 1 << 9,
	CLEAR_ERRORS    = 1 << 10,
	CLEAR_ALL       = (1 << 11) - 1,
};

/* One setting. The order of the rows is that of the lines in a state and in a boot configuration,
 * and that in which they are applied: sub-buffers before buffers, limits before limited values. */
struct state_row {
	const char *key;
	enum state_form form;
	const char *at_boot;			/* values of different kernels; with @clear only
						 * one, which a reset sets; NULL: not known */
	bool (*is_default)(char *value);	/* instead of @at_boot; may shorten the value */
	/* NULL: the value is written to the file as it is */
	int (*set)(struct kt_instance *inst, const char *value, struct kt_err *err);
	enum clear clear;			/* 0: a reset leaves it */
	/* NULL: a list becomes empty, a value becomes @at_boot */
	int (*reset)(struct kt_instance *inst, struct kt_err *err);
	/* Key of a bootconfig below "ftrace."; NULL: only @param, below "kernel." */
	const char *config;
	const char *param;			/* of the kernel's command line; NULL: none */
	bool in_kb;				/* in KiB: the value for boot needs a unit */
	bool with_tracer;			/* at boot it is set together with the tracer */
	/* The text for boot of a value. "": only the setting's name; NULL: omit it */
	const char *(*boot_value)(const char *value);
};

/* The settings of a buffer, and those of the machine; both end with { 0 } */
extern const struct state_row state_buffer_rows[];
extern const struct state_row state_machine_rows[];
/* The row of a key, or NULL */
const struct state_row *state_row(const struct state_row *rows, const char *key);

/* Copies @name. NULL: no memory */
struct kt_state_section *state_add_section(struct kt_state *state, const char *name);
int state_add_line(struct kt_state_section *s, const char *key, const char *value, size_t len);
__attribute__((format(printf, 3, 4)))
int state_addf(struct kt_state_section *s, const char *key, const char *fmt, ...);
void state_section_fini(struct kt_state_section *s);
bool state_is_machine(const struct kt_state_section *s);
/* The name in "instance NAME", or "" */
const char *state_instance(const struct kt_state_section *s);

/* The section, or NULL */
const struct kt_state_section *state_find(const struct kt_state *state, const char *name);
bool state_has(const struct kt_state_section *s, const char *key, const char *value);
/* The words of all lines of a key: for "options", each option. 0 or -ENOMEM */
int state_words(const struct kt_state_section *s, const char *key, struct kt_names *words);
/* Does this section make the buffer record events? */
bool state_traces(const struct kt_state_section *s);
/* Does it have a tracer or a list of functions? */
bool state_wants_functions(const struct kt_state_section *s);

/* state_read.c: add the value of a setting that is a file. @shown: a list as the kernel shows it,
 * with counts and modules, instead of how it is written. 0 or -ENOMEM */
int state_read_row(const struct kt_instance *inst, const struct state_row *row, bool shown,
		   struct kt_state_section *s);
/* Add the present settings of @inst, or of the machine */
int state_read_buffer(const struct kt_instance *inst, struct kt_state_section *s,
		      struct kt_err *err);
int state_read_machine(const struct kt_instance *top, struct kt_state_section *s,
		       struct kt_err *err);

/* A change of settings, undone at close unless it is kept */
struct state_change;

enum state_flag {
	STATE_DRY      = 1 << 0,	/* write nothing, see state_change_notes */
	STATE_ONLY_ADD = 1 << 1,	/* keep probes that are not in the state */
};

/**
 * state_change_open - make the machine's settings those of @state, for now
 * @state: borrowed until close
 * @now:   as in kt_state_apply(); borrowed until this returns
 * @flags: enum state_flag
 * @notes: as in kt_state_apply(); borrowed until this returns
 *
 * New (state_change_close), or NULL: refused, and all settings are unchanged.
 */
struct state_change *state_change_open(const struct kt_state *state,
					     const struct kt_state *now, unsigned int flags,
					     struct kt_names *notes, struct kt_err *err);
void state_change_keep(struct state_change *c);	/* the new settings stay */
/* Restores the former settings unless the change was kept. Returns the first failure. Accepts
 * NULL. */
int state_change_close(struct state_change *c, struct kt_err *err);
/* The open handle of a section, "buffer" or "instance NAME"; borrowed. NULL: not in the state */
struct kt_instance *state_change_instance(const struct state_change *c, const char *section);
/* For a dry change: the writes so far, including those through the handles above, as shell
 * commands. Borrowed until the next call */
const char *state_change_notes(struct state_change *c);

#endif
