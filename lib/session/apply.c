/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* apply.c - make the kernel's settings those of a session, and back */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/selection.h>
#include <ktrail/session.h>

#include "base/str.h"
#include "session/setup_priv.h"
#include "session/state.h"
#include "setting/setting.h"
#include "target/target.h"
#include "tracefs/tracefs.h"

#define FTRACE_ENABLED "sysctl/ftrace_enabled"

typedef int (*buffer_fn)(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err);

/* Call @fn for each open buffer; an error names the instance it comes from. */
static int for_each_open(struct kt_setup *setup, buffer_fn fn, struct kt_err *err)
{
	size_t i;
	int ret;

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

/* Its buffers come with it; those in which nothing happens are none of ours from here on. */
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

		if (strcmp(s->name, "machine") == 0)
			continue;
		buf = kt_setup_buffer(setup, str_starts(s->name, "instance ") ?
				      s->name + strlen("instance ") : "");
		if (!buf)
			return kt_err_set(err, -ENOMEM, "out of memory");
		if (!buf->used && !setup_section_traces(s))
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

/* 0 also when @ret says that this kernel does not offer it. */
static int if_available(int ret, struct kt_err *err, struct kt_err *mine)
{
	if (ret >= 0 || kt_is_unavailable(ret))
		return 0;
	return ctl_pass(err, mine);
}

static bool wants_functions(const struct kt_setup_buffer *buf)
{
	return buf->nr_functions || (buf->tracer && strcmp(buf->tracer, "nop") != 0);
}

static int clear_function_lists(struct kt_instance *inst, struct kt_err *err)
{
	int list, ret = 0;

	for (list = KT_FUNCTIONS_FILTER; ret == 0 && list <= KT_FUNCTIONS_GRAPH_NOTRACE; list++) {
		struct kt_err mine = { 0 };

		ret = kt_instance_clear_functions(inst, list, &mine);
		ret = if_available(ret, err, &mine);
	}
	return ret;
}

/* May an event of this setup switch on others than those that it names? */
static bool enables_others(const struct kt_setup_buffer *buf)
{
	size_t i, j;

	for (i = 0; i < buf->nr_events; i++)
		for (j = 0; j < buf->events[i].triggers.nr; j++)
			if (strncmp(buf->events[i].triggers.names[j], "enable", 6) == 0)
				return true;
	return false;
}

/*
 * Asking each of thousands of events whether it has a filter takes longer than
 * all the rest. A filter on an event that stays off does nothing: where all is
 * put back in the end anyway, it need not go.
 */
static int clear_filters(const struct kt_setup *setup, struct kt_setup_buffer *buf,
			 struct kt_err *err)
{
	struct kt_err mine = { 0 };
	int ret = 0;
	size_t i;

	if (!setup->temporary || enables_others(buf))
		return kt_instance_clear_filters(buf->inst, "all", err);
	for (i = 0; ret == 0 && i < buf->nr_events; i++) {
		ret = buf->events[i].off ? 0 : kt_instance_clear_filters(buf->inst,
									 buf->events[i].name,
									 &mine);
		/* A name that means nothing is complained of when it is to be switched on */
		if (ret == -ENOENT || ret == -EINVAL)
			ret = 0;
	}
	return ret < 0 ? ctl_pass(err, &mine) : 0;
}

/* Synthetic events are made by triggers: tracing them wants the triggers that are there. */
static bool needs_triggers(const struct kt_setup_buffer *buf)
{
	struct kt_names dirs = { 0 };
	bool needs = false;
	size_t i, n;

	if (!kt_instance_has(buf->inst, "events/synthetic"))
		return false;
	for (i = 0; i < buf->nr_events && !needs; i++) {
		if (buf->events[i].off ||
		    kt_selection_find(buf->inst, buf->events[i].name, &dirs, NULL) < 0)
			continue;
		for (n = 0; n < dirs.nr; n++)
			needs |= str_starts(dirs.names[n], "events/synthetic");
	}
	kt_names_fini(&dirs);
	return needs;
}

/* A buffer that was in use may hold anything: an instance that we made holds nothing. */
static int clear(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	struct kt_instance *inst = buf->inst;
	int ret;

	if (setup->keep_before || buf->remove || instance_is_new(inst))
		return 0;
	if (buf->of_session)
		return kt_instance_poke(inst, "trace", "", err);
	ret = kt_instance_set_tracer(inst, "nop", err);
	if (ret == 0)
		ret = kt_instance_clear_events(inst, err);
	if (ret == 0)
		ret = clear_filters(setup, buf, err);
	if (ret == 0 && !needs_triggers(buf))
		ret = kt_instance_clear_triggers(inst, err);
	if (ret == 0)
		ret = ctl_clear_pids(inst, err);
	if (ret == 0 && wants_functions(buf))
		ret = clear_function_lists(inst, err);
	if (ret == 0)
		ret = kt_instance_poke(inst, "trace", "", err);
	return ret;
}

/* By source path, what is called the same in other files came along: the user shall know. */
static int note_namesakes(struct kt_setup *setup, struct kt_setup_buffer *buf,
			  const struct kt_setup_function *f, struct kt_err *err)
{
	char *text = NULL;
	int ret = 0;

	if (setup->dry || !kt_is_function_path(f->pattern))
		return 0;
	if (kt_function_namesakes(buf->inst, f->list, &text, NULL) == 0 && text)
		ret = kt_names_add(&setup->session_notes, text);
	free(text);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

static int apply_functions(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	size_t i;
	int ret;

	for (i = 0; i < buf->nr_functions; i++) {
		const struct kt_setup_function *f = &buf->functions[i];

		ret = kt_instance_add_functions(buf->inst, f->list, f->pattern, f->module, err);
		if (ret == 0)
			ret = note_namesakes(setup, buf, f, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

typedef int (*set_fn)(struct kt_instance *inst, const char *events, const char *text,
		      struct kt_err *err);

/* Of filters and triggers the kernel tells little, of a system's nothing: say what we know. */
static int refused(struct kt_instance *inst, set_fn fn, const char *events, const char *text,
		   struct kt_err *err)
{
	struct kt_instance *dry = kt_instance_open(kt_instance_name(inst),
						   KT_INSTANCE_CREATE | KT_INSTANCE_DRY, NULL);
	struct kt_err why = { 0 };
	int ret = err->code;

	if (dry && fn(dry, events, text, &why) < 0 &&
	    (why.code == -EINVAL || why.code == -ENOTSUP))
		*err = why;
	kt_instance_close(dry, NULL);
	return ret;
}

static bool is_of_programs(const char *dir)
{
	return str_starts(dir, "events/user_events");
}

/* Those of programs, on or off, once more in start: in the order in which they were given */
static int enable(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_setup_event *ev,
		  const struct kt_names *dirs, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret >= 0 && i < dirs->nr; i++) {
		bool late = setup->starts && is_of_programs(dirs->names[i]);

		ev->late |= late;
		if (!late || ev->off)
			ret = instance_enable_dir(buf->inst, dirs->names[i], !ev->off, err);
	}
	return ret;
}

static int enable_late(struct kt_setup_buffer *buf, const struct kt_setup_event *ev,
		       struct kt_err *err)
{
	struct kt_names dirs = { 0 };
	int ret = kt_selection_find(buf->inst, ev->name, &dirs, err);
	size_t i;

	for (i = 0; ret >= 0 && i < dirs.nr; i++)
		if (is_of_programs(dirs.names[i]))
			ret = instance_enable_dir(buf->inst, dirs.names[i], !ev->off, err);
	kt_names_fini(&dirs);
	return ret < 0 ? ret : 0;
}

static int apply_event(struct kt_setup *setup, struct kt_setup_buffer *buf,
		       struct kt_setup_event *ev, struct kt_err *err)
{
	struct kt_names dirs = { 0 };
	struct kt_err mine = { 0 };
	int ret;
	size_t i;

	ev->late = false;
	ret = kt_selection_find(buf->inst, ev->name, &dirs, &mine);
	if (ret == -ENOENT && setup->ignore_missing) {
		setup->nr_missing++;
		return 0;
	}
	for (i = 0; ret >= 0 && ev->filter && i < dirs.nr; i++)
		ret = instance_filter_dir(buf->inst, dirs.names[i], ev->filter, &mine);
	if (ret == -EINVAL && ev->filter)
		ret = refused(buf->inst, kt_filter_set, ev->name, ev->filter, &mine);
	for (i = 0; ret >= 0 && i < ev->triggers.nr; i++) {
		ret = kt_instance_add_trigger(buf->inst, ev->name, ev->triggers.names[i], &mine);
		if (ret == -EINVAL)
			ret = refused(buf->inst, kt_trigger_add, ev->name,
				      ev->triggers.names[i], &mine);
	}
	if (ret >= 0)
		ret = enable(setup, buf, ev, &dirs, &mine);
	kt_names_fini(&dirs);
	return ret < 0 ? ctl_pass(err, &mine) : 0;
}

static int apply_events(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < buf->nr_events; i++)
		ret = apply_event(setup, buf, &buf->events[i], err);
	return ret;
}

static int apply_sizes(struct kt_setup_buffer *buf, struct kt_err *err)
{
	int ret = 0;

	/* Sub-buffers first: a new size of theirs makes new buffers. */
	if (buf->subbuf_kb)
		ret = kt_instance_set_subbuf_size(buf->inst, buf->subbuf_kb, err);
	if (ret == 0 && buf->buffer_kb)
		ret = kt_instance_set_buffer_size(buf->inst, -1, buf->buffer_kb, err);
	if (ret == 0 && buf->buffer_percent >= 0)
		ret = kt_instance_set_buffer_percent(buf->inst, buf->buffer_percent, err);
	return ret;
}

/* The user named one buffer, and must know that all were changed. */
static int apply_option(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *name,
			struct kt_err *err)
{
	int ret = kt_instance_set_option(buf->inst, name, true, err);
	struct str s = STR_INIT;

	if (ret <= 0)
		return ret;
	str_addf(&s, "%s belongs to its tracer, not to '%s': it is so in all buffers now", name,
		 kt_instance_name(buf->inst));
	ret = s.failed ? -ENOMEM : kt_names_add(&setup->session_notes, s.buf);
	str_fini(&s);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

static int apply_options(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < buf->options.nr; i++)
		ret = apply_option(setup, buf, buf->options.names[i], err);
	if (ret == 0 && buf->func_stack)
		ret = apply_option(setup, buf, "func_stack_trace", err);
	return ret;
}

static int apply_follow(struct kt_instance *inst, bool functions, struct kt_err *err)
{
	int ret = instance_try_write(inst, "options/event-fork", "1", err);

	if (ret == 0)
		ret = kt_err_set(err, -EOPNOTSUPP, "this kernel cannot follow children "
				 "(no option event-fork)");
	if (ret > 0 && functions)
		ret = instance_try_write(inst, "options/function-fork", "1", err);
	return ret < 0 ? ret : 0;
}

static int apply_pids(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	int ret = 0;

	if (setup->pids) {
		ret = kt_instance_set_event_pids(buf->inst, setup->pids, err);
		if (ret == 0 && wants_functions(buf))
			ret = kt_instance_set_function_pids(buf->inst, setup->pids, err);
		if (ret == 0 && setup->follow)
			ret = apply_follow(buf->inst, wants_functions(buf), err);
	}
	if (ret == 0 && setup->hidden_pids)
		ret = instance_try_write(buf->inst, "set_event_notrace_pid",
					 setup->hidden_pids, err);
	if (ret >= 0 && setup->hidden_pids && wants_functions(buf))
		ret = instance_try_write(buf->inst, "set_ftrace_notrace_pid",
					 setup->hidden_pids, err);
	return ret < 0 ? ret : 0;
}

/* Function tracing that somebody switched off for all would leave a function tracer mute. */
static int apply_ftrace_enabled(struct kt_setup *setup, struct kt_setup_buffer *buf,
				struct kt_err *err)
{
	const char *wish = setup->no_ftrace ? "0" : "1";
	struct kt_err mine = { 0 };
	char *now;
	bool same;
	int ret;

	if (!setup->no_ftrace && (setup->no_functions || !wants_functions(buf)))
		return 0;
	now = kt_instance_read(buf->inst, FTRACE_ENABLED, NULL);
	same = now && strcmp(now, wish) == 0;
	free(now);
	if (same)
		return 0;
	ret = kt_instance_write(buf->inst, FTRACE_ENABLED, wish, &mine);
	return setup->no_ftrace ? (ret < 0 ? ctl_pass(err, &mine) : 0)
				: if_available(ret, err, &mine);
}

static int apply_buffer(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	struct kt_instance *inst = buf->inst;
	size_t i;
	int ret;

	if (buf->remove)
		return 0;
	/* Set at last, but first to be missed: its files are missing with it. */
	ret = buf->tracer ? ctl_check_tracer(inst, buf->tracer, err) : 0;
	/* Its options are there before it starts, and one that is missing is missed before, too. */
	for (i = 0; ret == 0 && i < buf->options.nr; i++)
		ret = ctl_check_option(inst, buf->options.names[i], err);
	if (ret == 0 && buf->clock)
		ret = kt_instance_set_clock(inst, buf->clock, err);
	if (ret == 0)
		ret = apply_functions(setup, buf, err);
	if (ret == 0 && buf->cpumask)
		ret = kt_instance_set_cpumask(inst, buf->cpumask, err);
	if (ret == 0)
		ret = apply_pids(setup, buf, err);
	if (ret == 0)
		ret = apply_events(setup, buf, err);
	if (ret == 0)
		ret = apply_sizes(buf, err);
	if (ret == 0)
		ret = apply_ftrace_enabled(setup, buf, err);
	if (ret == 0 && setup->no_functions && kt_instance_has(inst, "options/function-trace"))
		ret = kt_instance_set_option(inst, "function-trace", false, err);
	if (ret == 0 && buf->tracer)
		ret = kt_instance_set_tracer(inst, buf->tracer, err);
	return ret == 0 ? apply_options(setup, buf, err) : ret;
}

/* Settings that exist once go through the first open handle: it puts them back. */
static int apply_globals(struct kt_setup *setup, struct kt_err *err)
{
	struct kt_instance *inst = NULL;
	int ret = 0;
	size_t i;

	for (i = 0; i < setup->nr_buffers && !inst; i++)
		inst = setup->buffers[i]->inst;
	if (!inst)
		return 0;
	if (setup->cmdlines_size)
		ret = kt_instance_set_cmdlines_size(inst, setup->cmdlines_size, err);
	if (ret == 0 && setup->graph_depth >= 0)
		ret = kt_instance_set_graph_depth(inst, setup->graph_depth, err);
	return ret;
}

static int check_func_stack(struct kt_setup *setup, struct kt_setup_buffer *buf,
			    struct kt_err *err)
{
	size_t i;

	(void)setup;
	for (i = 0; i < buf->nr_functions; i++)
		if (buf->functions[i].list == KT_FUNCTIONS_FILTER)
			return 0;
	return !buf->func_stack ? 0 :
		kt_err_set(err, -EINVAL, "a stack trace on every function can freeze the machine: "
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
	struct kt_err local = { 0 };
	int ret;

	if (!err)
		err = &local;
	setup->nr_missing = 0;
	ret = for_each_open(setup, check_func_stack, err);
	if (ret == 0 && (!setup->keep_before || setup->own_trace))
		ret = for_each_open(setup, turn_off, err);
	if (ret == 0)
		ret = for_each_open(setup, clear, err);
	if (ret == 0)
		ret = for_each_open(setup, apply_buffer, err);
	if (ret == 0)
		ret = apply_globals(setup, err);
	if (ret == 0)
		ret = for_each_open(setup, remove_instance, err);
	return ret;
}

static int start_buffer(struct kt_setup *setup, struct kt_setup_buffer *buf, struct kt_err *err)
{
	int ret = turn_on(setup, buf, err);
	size_t i;

	for (i = 0; ret == 0 && i < buf->nr_events; i++)
		if (buf->events[i].late)
			ret = enable_late(buf, &buf->events[i], err);
	return ret;
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
