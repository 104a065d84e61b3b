/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* apply.c - apply the settings of a session, and restore the former ones */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/session.h>
#include <ktrail/settings.h>

#include "base/str.h"
#include "session/job.h"
#include "setting/setting.h"
#include "target/target.h"
#include "tracefs/tracefs.h"

typedef int (*buffer_fn)(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err);

/* Call @fn for each open buffer; an error names the instance it comes from. */
static int for_each_open(struct kt_setup *setup, buffer_fn fn, struct kt_err *err)
{
	struct kt_err local = { 0 };
	size_t i;
	int ret;

	if (!err)
		err = &local;
	for (i = 0; i < setup->nr_buffers; i++) {
		struct kt_setup_buffer *buf = setup->buffers[i];

		if (!buf->inst)
			continue;
		ret = fn(setup, buf, err);
		if (ret < 0)
			return *buf->name ? kt_err_wrap(err, ret, "instance '%s'", buf->name) : ret;
	}
	return 0;
}

/* Open the saved session and its buffers. Buffers without tracing are not handled further. */
static int open_session(struct kt_setup *setup, struct kt_err *err)
{
	struct kt_setup_buffer *buf;
	size_t i;

	setup->change = state_change_open(setup->session, NULL, STATE_ONLY_ADD |
					  (setup->dry ? STATE_DRY : 0),
					  &setup->session_notes, err);
	if (!setup->change)
		return err->code;
	for (i = 0; i < setup->session->nr; i++) {
		const struct kt_state_section *s = &setup->session->sections[i];

		if (state_is_machine(s))
			continue;
		buf = kt_setup_buffer(setup, state_instance(s));
		if (!buf)
			return kt_err_no_memory(err);
		if (!buf->used && !state_traces(s))
			continue;
		buf->inst = state_change_instance(setup->change, s->name);
		buf->used = buf->of_session = true;
	}
	return 0;
}

int kt_setup_open(struct kt_setup *setup, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	unsigned int flags;
	size_t i;

	if (setup->session && !setup->change && open_session(setup, &mine) < 0)
		return ctl_pass(err, &mine);
	for (i = 0; i < setup->nr_buffers; i++) {
		struct kt_setup_buffer *buf = setup->buffers[i];

		if (!buf->used || buf->inst)
			continue;
		flags = buf->remove ? 0 : KT_INSTANCE_CREATE;
		flags |= setup->dry ? KT_INSTANCE_DRY : 0;
		buf->inst = kt_instance_open(buf->name, flags, &mine);
		if (!buf->inst)
			return ctl_pass(err, &mine);
	}
	return 0;
}

static int turn_off(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	(void)setup;
	return kt_instance_set_tracing(buf->inst, false, err);
}

static int turn_on(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	(void)setup;
	return buf->remove ? 0 : kt_instance_set_tracing(buf->inst, true, err);
}

/* Can a trigger of this setup enable events that the setup does not name? */
static bool enables_others(const struct kt_setup_buffer *buf)
{
	const char *trigger;
	size_t i = 0;

	while ((trigger = kt_state_next(&buf->wish, "trigger", &i)))
		if (str_starts(trigger + strcspn(trigger, " "), " enable"))
			return true;
	return false;
}

/*
 * Reading the filter of each of thousands of events takes longer than everything else. If the
 * settings are restored at the end, filters of events that stay disabled can be ignored.
 */
static int clear_filters(const struct kt_setup *setup, struct kt_setup_buffer *buf,
			 struct kt_err *err)
{
	struct kt_err mine = { 0 };
	const char *event;
	size_t i = 0;
	int ret;

	if (!setup->temporary || enables_others(buf))
		return instance_clear(buf->inst, CLEAR_FILTERS, err);
	while ((event = kt_state_next(&buf->wish, "event", &i))) {
		ret = *event == '!' ? 0 : kt_filter_set(buf->inst, event, NULL, &mine);
		/* An unknown name is reported later, when the event is enabled. */
		if (ret < 0 && ret != -ENOENT && ret != -EINVAL)
			return ctl_pass(err, &mine);
		kt_err_clear(&mine);
	}
	return 0;
}

/* Triggers generate synthetic events: tracing these needs the existing triggers. */
static bool needs_triggers(const struct kt_setup_buffer *buf)
{
	struct kt_names dirs = { 0 };
	bool needs = false;
	const char *event;
	size_t i = 0, n;

	if (!kt_instance_has(buf->inst, "events/synthetic"))
		return false;
	while (!needs && (event = kt_state_next(&buf->wish, "event", &i))) {
		if (*event == '!' || kt_selection_find(buf->inst, event, &dirs, NULL) < 0)
			continue;
		for (n = 0; n < dirs.nr; n++)
			needs |= str_starts(dirs.names[n], "events/synthetic");
	}
	kt_names_fini(&dirs);
	return needs;
}

/* Clear the settings of a buffer that existed before; a new instance has none. */
static int clear(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	unsigned int what = CLEAR_TRACER | CLEAR_EVENTS | CLEAR_PIDS | CLEAR_TRACE;
	int ret;

	if (setup->keep_before || buf->remove || instance_is_new(buf->inst))
		return 0;
	if (buf->of_session)
		return instance_clear(buf->inst, CLEAR_TRACE, err);
	if (!needs_triggers(buf))
		what |= CLEAR_TRIGGERS;
	if (state_wants_functions(&buf->wish))
		what |= CLEAR_FUNCTIONS | CLEAR_GRAPHS;
	ret = instance_clear(buf->inst, what, err);
	return ret == 0 ? clear_filters(setup, buf, err) : ret;
}

static struct job job_of(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	return (struct job){ .inst = buf->inst, .want = &buf->wish, .setup = setup, .buf = buf,
			     .notes = &setup->session_notes, .err = err };
}

static int apply_buffer(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	struct job j = job_of(setup, buf, err);

	buf->late = false;
	return buf->remove ? 0 : job_apply_buffer(&j);
}

/* Global settings are written through the first open handle, which also restores them. */
static int apply_globals(struct kt_setup *setup, struct kt_err *err)
{
	struct job j = { .want = &setup->machine, .setup = setup, .notes = &setup->session_notes,
			 .err = err };
	size_t i;

	for (i = 0; i < setup->nr_buffers && !j.inst; i++)
		j.inst = setup->buffers[i]->inst;
	return j.inst ? job_apply_machine(&j) : 0;
}

static int check_func_stack(struct kt_setup *setup, struct kt_setup_buffer *buf,
			    struct kt_err *err)
{
	(void)setup;
	if (!buf->func_stack || kt_state_value(&buf->wish, "set_ftrace_filter"))
		return 0;
	return kt_err_set(err, -EINVAL, "a stack trace on every function can freeze the machine: "
			  "limit the functions (-l)");
}

static int remove_instance(struct kt_setup *setup, struct kt_setup_buffer *buf,
			   struct kt_err *err)
{
	(void)setup;
	return buf->remove ? kt_instance_delete(buf->inst, err) : 0;
}

int kt_setup_apply(struct kt_setup *setup, struct kt_err *err)
{
	const bool stops = !setup->keep_before || setup->own_trace;
	const buffer_fn steps[] = { check_func_stack, stops ? turn_off : NULL, clear,
				    apply_buffer };
	struct kt_err local = { 0 };
	size_t i;
	int ret = 0;

	if (!err)
		err = &local;
	setup->nr_missing = 0;
	for (i = 0; ret == 0 && i < sizeof(steps) / sizeof(*steps); i++)
		ret = steps[i] ? for_each_open(setup, steps[i], err) : 0;
	if (ret == 0)
		ret = apply_globals(setup, err);
	return ret == 0 ? for_each_open(setup, remove_instance, err) : ret;
}

static int start_buffer(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	struct job j = job_of(setup, buf, err);
	int ret = turn_on(setup, buf, err);

	return ret == 0 && buf->late ? job_enable_late(&j) : ret;
}

int kt_setup_start(struct kt_setup *setup, struct kt_err *err)
{
	return for_each_open(setup, start_buffer, err);
}

int kt_setup_stop(struct kt_setup *setup, struct kt_err *err)
{
	return for_each_open(setup, turn_off, err);
}

char *kt_setup_notes(const struct kt_setup *setup)
{
	struct str s = STR_INIT;
	size_t i;

	if (setup->change)
		str_add(&s, state_change_notes(setup->change));
	for (i = 0; i < setup->nr_buffers; i++)
		if (setup->buffers[i]->inst && !setup->buffers[i]->of_session)
			str_add(&s, kt_instance_notes(setup->buffers[i]->inst));
	return str_take(&s);
}

void kt_setup_keep(struct kt_setup *setup)
{
	size_t i;

	if (setup->change)
		state_change_keep(setup->change);
	for (i = 0; i < setup->nr_buffers; i++)
		if (setup->buffers[i]->inst)
			kt_instance_keep(setup->buffers[i]->inst);
}

int kt_setup_close(struct kt_setup *setup, struct kt_err *err)
{
	int ret, first = 0;
	size_t i;

	for (i = setup->nr_buffers; i-- > 0; ) {
		struct kt_setup_buffer *buf = setup->buffers[i];

		ret = buf->of_session ? 0 : kt_instance_close(buf->inst, err);
		buf->inst = NULL;
		buf->of_session = false;
		if (ret < 0 && !first)
			first = ret;
	}
	ret = state_change_close(setup->change, err);
	setup->change = NULL;
	return first ? first : ret;
}
