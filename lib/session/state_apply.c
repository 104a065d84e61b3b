/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state_apply.c - apply a state completely or not at all */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "session/job.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

static int make_job(struct job *j, const struct kt_state_section *want, const struct kt_state *read,
		    bool dry, struct kt_names *notes, struct kt_err *err)
{
	*j = (struct job){ .want = want, .notes = notes, .err = err };
	j->inst = kt_instance_open(state_instance(want),
				   KT_INSTANCE_CREATE | (dry ? KT_INSTANCE_DRY : 0), err);
	if (!j->inst)
		return err->code;
	j->now = read && !instance_is_new(j->inst) ? state_find(read, want->name) : NULL;
	if (j->now)
		return 0;
	j->now = &j->read;
	return (state_is_machine(want) ? state_read_machine : state_read_buffer)(j->inst, &j->read,
										  err);
}

struct state_change {
	struct job *jobs;
	size_t nr;
	unsigned int flags;	/* enum state_flag */
	struct str text;	/* of a dry change */
	struct kt_err err;	/* the error of the jobs */
};

/* Append what the dry handles have noted since the last call: one list in the order of the
 * writes */
static void collect(struct state_change *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const char *text = kt_instance_notes(c->jobs[i].inst);

		str_add(&c->text, text + c->jobs[i].noted);
		c->jobs[i].noted = strlen(text);
	}
}

static int apply_section(struct job *j)
{
	return state_is_machine(j->want) ? job_apply_machine(j) : job_apply_buffer(j);
}

/* Add probes first, since buffers may use them, and remove probes last, since buffers may use them
 * until then. */
static int apply_jobs(struct state_change *c)
{
	int (*const passes[])(struct job *) = { job_add_probes, apply_section, job_drop_probes };
	size_t p, i, nr = c->flags & STATE_ONLY_ADD ? 2 : 3;
	int ret = 0;

	for (p = 0; p < nr; p++) {
		for (i = 0; ret == 0 && i < c->nr; i++)
			if (passes[p] == apply_section || state_is_machine(c->jobs[i].want))
				ret = passes[p](&c->jobs[i]);
		collect(c);
	}
	return ret;
}

/* The buffer opened last is restored first. */
int state_change_close(struct state_change *c, struct kt_err *err)
{
	int ret, first = 0;

	while (c && c->nr--) {
		ret = kt_instance_close(c->jobs[c->nr].inst, err);
		if (ret < 0 && !first)
			first = ret;
		state_section_fini(&c->jobs[c->nr].read);
	}
	if (c) {
		str_fini(&c->text);
		free(c->jobs);
	}
	free(c);
	return first;
}

static void give_up(struct state_change *c, struct kt_err *err)
{
	struct kt_err first = c->err;

	state_change_close(c, &first);
	if (err)
		*err = first;
}

struct state_change *state_change_open(const struct kt_state *state,
					     const struct kt_state *now, unsigned int flags,
					     struct kt_names *notes, struct kt_err *err)
{
	struct state_change *c = calloc(1, sizeof(*c));
	int ret = 0;

	if (c)
		c->jobs = calloc(state->nr ? state->nr : 1, sizeof(*c->jobs));
	if (!c || !c->jobs) {
		free(c);
		kt_err_no_memory(err);
		return NULL;
	}
	c->text = (struct str)STR_INIT;
	c->flags = flags;
	while (ret == 0 && c->nr < state->nr) {
		ret = make_job(&c->jobs[c->nr], &state->sections[c->nr], now, flags & STATE_DRY,
			       notes, &c->err);
		c->nr++;
	}
	if (ret == 0)
		ret = apply_jobs(c);
	if (ret == 0)
		return c;
	give_up(c, err);
	return NULL;
}

void state_change_keep(struct state_change *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		kt_instance_keep(c->jobs[i].inst);
}

struct kt_instance *state_change_instance(const struct state_change *c, const char *section)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (strcmp(c->jobs[i].want->name, section) == 0)
			return c->jobs[i].inst;
	return NULL;
}

static unsigned int nr_writes(const struct state_change *c)
{
	unsigned int writes = 0;
	size_t i;

	for (i = 0; i < c->nr; i++)
		writes += c->jobs[i].writes + instance_is_new(c->jobs[i].inst);
	return writes;
}

const char *state_change_notes(struct state_change *c)
{
	collect(c);
	return c->text.buf;
}

int kt_state_apply(const struct kt_state *state, const struct kt_state *now,
		   struct kt_names *notes, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	struct state_change *c = state_change_open(state, now, 0, notes, &mine);
	int writes;

	if (!c)
		return ctl_pass(err, &mine);
	writes = (int)nr_writes(c);
	state_change_keep(c);
	state_change_close(c, NULL);
	return writes;
}
