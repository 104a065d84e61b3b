/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* job.h - change a buffer, or the machine, to the wanted settings */
#ifndef SESSION_JOB_H
#define SESSION_JOB_H

#include "session/state.h"

struct job {
	struct kt_instance *inst;
	const struct kt_state_section *want;
	/* NULL: the present settings are not known. Then all of @want is written and nothing
	 * removed. */
	const struct kt_state_section *now;
	struct kt_state_section read;	/* for @now, unless the caller has set it; owned */
	struct kt_setup *setup;		/* @want comes from its options; NULL: from a saved state */
	struct kt_setup_buffer *buf;	/* @want is for this buffer; NULL: for the machine */
	struct kt_names *notes;
	unsigned int writes;
	size_t noted;			/* bytes of the handle's notes already collected */
	struct kt_err *err;		/* borrowed, never NULL */
};

/* Each returns 0 or a negative errno, here and below. */
int job_apply_buffer(struct job *j);
int job_apply_machine(struct job *j);

/* reset.c: @what: bits of enum clear */
int instance_clear(struct kt_instance *inst, unsigned int what, struct kt_err *err);

/* The text that, written to @file of this buffer, restores its present value; new (free). NULL: the
 * buffer does not have the file */
char *job_value(const struct kt_instance *inst, const char *file);

/* Shared by the files of a job */
__attribute__((format(printf, 2, 3)))
void job_note(struct job *j, const char *fmt, ...);
int job_write(struct job *j, const char *file, const char *value);
/* Set the file to the wanted value, if there is one. @row NULL: write the value unchanged */
int job_apply_value(struct job *j, const struct state_row *row, const char *file);
/* Apply the files and lists of these rows, except those with a separate step */
int job_apply_rows(struct job *j, const struct state_row *rows);
typedef int (*job_line_fn)(struct job *j, const char *value);
/* Call @one for each line of @key in @from that @without lacks; both may be NULL */
int job_each_missing(struct job *j, const char *key, const struct kt_state_section *from,
		     const struct kt_state_section *without, job_line_fn one);

/* job_events.c: apply one line of a state. Triggers that use variables of others ("dependent") are
 * added after these and removed before them. */
int job_enable(struct job *j, const char *value);
int job_disable(struct job *j, const char *value);
int job_set_filter(struct job *j, const char *value);
int job_drop_filter(struct job *j, const char *value);
int job_add_trigger(struct job *j, const char *value);
int job_add_dependent(struct job *j, const char *value);
int job_drop_trigger(struct job *j, const char *value);
int job_drop_dependent(struct job *j, const char *value);
/* Enable the events of programs that were postponed until tracing starts */
int job_enable_late(struct job *j);

/* job_machine.c: define the probes that are missing; remove those that are not wanted */
int job_add_probes(struct job *j);
int job_drop_probes(struct job *j);
/* Add a line "rv" for each monitor that is on. 0 or -ENOMEM */
int job_read_monitors(const struct kt_instance *top, struct kt_state_section *s);

#endif
