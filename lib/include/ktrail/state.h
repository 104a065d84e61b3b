/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state.h - the whole tracefs configuration as a small text */
#ifndef KTRAIL_STATE_H
#define KTRAIL_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>
#include <ktrail/names.h>

#ifdef __cplusplus
extern "C" {
#endif

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
/* Take out what every kernel has at boot: what remains was set by somebody. */
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

/* The same, for those who go on from there: all can be taken back until it is kept. */
struct kt_state_change;

enum kt_state_flag {
	KT_STATE_DRY      = 1 << 0,	/* write nothing, see kt_state_change_notes() */
	KT_STATE_ONLY_ADD = 1 << 1,	/* probes that are not named stay: they may be anybody's */
};

/**
 * kt_state_change_open - make the machine's settings those of @state, for now
 * @state: borrowed until close
 * @now:   as in kt_state_apply(); borrowed until this returns
 * @flags: enum kt_state_flag
 * @notes: as in kt_state_apply(); borrowed until this returns
 *
 * New (kt_state_change_close), or NULL: refused, and all is as it was.
 */
struct kt_state_change *kt_state_change_open(const struct kt_state *state,
					     const struct kt_state *now, unsigned int flags,
					     struct kt_names *notes, struct kt_err *err);
void kt_state_change_keep(struct kt_state_change *c);	/* what is set stays */
/* Puts back, unless it was kept: the first failure. NULL is fine. */
int kt_state_change_close(struct kt_state_change *c, struct kt_err *err);

/* The open handle of a section, "buffer" or "instance NAME"; borrowed. NULL: not in the state */
struct kt_instance *kt_state_change_instance(const struct kt_state_change *c, const char *section);
unsigned int kt_state_change_writes(const struct kt_state_change *c);
/* Of a dry change: what was to be written so far, through the handles above as well, as lines of
 * shell. Borrowed until the next call */
const char *kt_state_change_notes(struct kt_state_change *c);

#ifdef __cplusplus
}
#endif
#endif
