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

#endif
