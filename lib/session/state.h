/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state.h - how settings stand in a state */
#ifndef SESSION_STATE_H
#define SESSION_STATE_H

#include <ktrail/instance.h>
#include <ktrail/session.h>

enum state_form {
	STATE_FILE,		/* one value, "file = value" */
	STATE_LIST,		/* a line for each word or line; none: empty */
};

struct state_file {
	const char *name;
	enum state_form form;
	const char *boot;	/* values at boot, by kernel, or NULL: not known */
};

/* Files of each buffer, and those that the machine has once; end with { 0 } */
extern const struct state_file state_buffer_files[];
extern const struct state_file state_machine_files[];

/* 0 or -ENOMEM; copies */
struct kt_state_section *state_add_section(struct kt_state *state, const char *name);
int state_add_line(struct kt_state_section *s, const char *key, const char *value, size_t len);

/* The section, or NULL */
const struct kt_state_section *state_find(const struct kt_state *state, const char *name);
bool state_has(const struct kt_state_section *s, const char *key, const char *value);
/* The value of the only line of that key, or NULL */
const char *state_value(const struct kt_state_section *s, const char *key);

/* state_read.c: add what is set in @inst, and in the machine */
int state_read_buffer(const struct kt_instance *inst, struct kt_state_section *s,
		      struct kt_err *err);
int state_read_machine(const struct kt_instance *top, struct kt_state_section *s,
		       struct kt_err *err);

/* state_rv.c: add a line "rv" for each monitor that is on; 0 or -ENOMEM */
int state_read_rv(const struct kt_instance *top, struct kt_state_section *s);
/* "rv/monitors/MONITOR/FILE" of the first @len bytes */
void state_rv_path(char path[512], const char *monitor, size_t len, const char *file);

/* A change of settings that can be taken back until it is kept */
struct state_change;

enum state_flag {
	STATE_DRY      = 1 << 0,	/* write nothing, see state_change_notes */
	STATE_ONLY_ADD = 1 << 1,	/* probes that are not named stay: they may be anybody's */
};

/**
 * state_change_open - make the machine's settings those of @state, for now
 * @state: borrowed until close
 * @now:   as in kt_state_apply(); borrowed until this returns
 * @flags: enum state_flag
 * @notes: as in kt_state_apply(); borrowed until this returns
 *
 * New (state_change_close), or NULL: refused, and all is as it was.
 */
struct state_change *state_change_open(const struct kt_state *state,
					     const struct kt_state *now, unsigned int flags,
					     struct kt_names *notes, struct kt_err *err);
void state_change_keep(struct state_change *c);	/* what is set stays */
/* Puts back, unless it was kept: the first failure. NULL is fine. */
int state_change_close(struct state_change *c, struct kt_err *err);
/* The open handle of a section, "buffer" or "instance NAME"; borrowed. NULL: not in the state */
struct kt_instance *state_change_instance(const struct state_change *c, const char *section);
/* Of a dry change: what was to be written so far, through the handles above as well, as lines of
 * shell. Borrowed until the next call */
const char *state_change_notes(struct state_change *c);

#endif
