/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* control.h - the settings of an instance as rows that a person walks, searches and changes */
#ifndef KTRAIL_CONTROL_H
#define KTRAIL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A tree: tracing, tracer, clock, buffer size, events (system, event), options, functions.
 * Rows are what is unfolded of it, or what a search has found, best first. Every change goes
 * through the setters of the instance, so it is checked, journaled, and put back when
 * the instance closes. What the kernel has is read when a row is first shown, after each
 * change, and by kt_control_refresh(). One thread.
 */
struct kt_control;

enum kt_control_kind {
	KT_CONTROL_TRACING,		/* on or off */
	KT_CONTROL_TRACER,		/* unfolds to the tracers, one of which is on */
	KT_CONTROL_CLOCK,		/* the same with clocks */
	KT_CONTROL_BUFFER,		/* a size */
	KT_CONTROL_EVENTS, KT_CONTROL_OPTIONS, KT_CONTROL_FUNCTIONS,	/* unfold */
	KT_CONTROL_SYSTEM,
	KT_CONTROL_EVENT,		/* on or off, filter, triggers */
	KT_CONTROL_OPTION,		/* on or off */
	KT_CONTROL_TRACER_NAME, KT_CONTROL_CLOCK_NAME,	/* one of the choices */
	KT_CONTROL_FUNCTION,		/* in one of the lists of functions or not */
};

enum kt_control_state {
	KT_CONTROL_PLAIN,		/* cannot be switched */
	KT_CONTROL_OFF, KT_CONTROL_ON,
	KT_CONTROL_PARTLY,		/* some of what is inside is on */
};

struct kt_control_row {
	enum kt_control_kind kind;
	enum kt_control_state state;
	unsigned int depth;
	const char *system;		/* of an event: its system; else "" */
	const char *name;		/* "sched_switch"; all strings: borrowed until the next call
					 * that is not about rows */
	const char *value;		/* "nop", "if prev_prio < 100"; may be "" */
	bool folds, open;		/* it can be unfolded; it is */
	size_t id;			/* the same for the same setting, whatever rows there are */
};

/* @inst: borrowed, must live longer. New (kt_control_close), NULL: -ENOMEM. */
struct kt_control *kt_control_open(struct kt_instance *inst, struct kt_err *err);
void kt_control_close(struct kt_control *c);

/*
 * The kernel refuses another tracer, clock or size of sub-buffers while another process reads the
 * buffer (-EBUSY). @pause(true) is called before such a change, @pause(false) after it.
 */
void kt_control_set_pause(struct kt_control *c, void (*pause)(void *data, bool on), void *data);

size_t kt_control_nr_rows(const struct kt_control *c);
/* Reads the filter and triggers of an event when it is first shown. False: no such row */
bool   kt_control_row(struct kt_control *c, size_t i, struct kt_control_row *row);
/* The row of the setting @id, SIZE_MAX if it is not among them */
size_t kt_control_find(const struct kt_control *c, size_t id);
/* Unfold what the setting @id is in. Returns its row. */
size_t kt_control_reveal(struct kt_control *c, size_t id);

/* Fold or unfold. Functions are read when they are first unfolded or searched. 0, -EINVAL
 * (it does not fold), or why the kernel has none: not available. */
int kt_control_fold(struct kt_control *c, size_t i, bool open, struct kt_err *err);

/*
 * Functions that are found are switched in the list of which row @i is, set_graph_notrace and the
 * like; of another row, in set_ftrace_filter.
 */
void   kt_control_choose_list(struct kt_control *c, size_t i);
/* The row of that list; SIZE_MAX while searching */
size_t kt_control_list_row(const struct kt_control *c);

/**
 * kt_control_search - rows are what matches from here on
 * @text: words, of which each must be in the name with all letters in this order; NULL or "":
 *        all again
 *
 * Events, options, tracers, clocks and functions; a few milliseconds for 100,000 names.
 * Returns how many match; the rows are the best KT_CONTROL_FOUND of them.
 */
size_t kt_control_search(struct kt_control *c, const char *text);
#define KT_CONTROL_FOUND 500

/*
 * Changes: 0, or what the setter of the instance says. The rows may be others afterwards.
 *
 * toggle: on and off; of a choice, choose it; of a system, all of its events.
 * set: the filter of an event or of a system's events ("": none), the size of the buffer
 *      (KiB for each CPU, or "8M"), the name of a tracer or a clock.
 * add_trigger, remove_triggers: of an event or of a system's events
 */
int kt_control_toggle(struct kt_control *c, size_t i, struct kt_err *err);
int kt_control_set(struct kt_control *c, size_t i, const char *text, struct kt_err *err);
int kt_control_add_trigger(struct kt_control *c, size_t i, const char *trigger,
			   struct kt_err *err);
int kt_control_remove_triggers(struct kt_control *c, size_t i, struct kt_err *err);
/* What kt_control_set() would be given to change nothing: new (free); NULL: nothing to set */
char *kt_control_text(const struct kt_control *c, size_t i);
/* Put back all that was changed here, now. */
int kt_control_restore(struct kt_control *c, struct kt_err *err);

/* Read again what is on. With @all, which events and options there are too. */
int kt_control_refresh(struct kt_control *c, bool all, struct kt_err *err);
/* A line about a row: the fields of an event, what a clock counts; new (free), may be "" */
char *kt_control_about(struct kt_control *c, size_t i);

/* ---- what was written, oldest first ---- */

struct kt_control_write {
	const char *line;		/* "echo 1 > events/sched/enable"; borrowed */
	const char *refused;		/* NULL: it was done; else why it was not */
};
size_t kt_control_nr_writes(const struct kt_control *c);
struct kt_control_write kt_control_write(const struct kt_control *c, size_t i);

#ifdef __cplusplus
}
#endif
#endif
