/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* job_buffer.c - apply the wish for a buffer, step by step */
#include "session/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/str.h"
#include "setting/setting.h"

#define FTRACE_ENABLED "sysctl/ftrace_enabled"

static int apply_rows(struct job *j)
{
	return job_apply_rows(j, state_buffer_rows);
}

static int apply_cpu_sizes(struct job *j)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < j->want->nr; i++)
		if (str_starts(j->want->lines[i].key, "per_cpu/"))
			ret = job_apply_value(j, NULL, j->want->lines[i].key);
	return ret;
}

/* A source path also selects functions of the same name in other files: tell the user. */
static void note_namesakes(struct job *j, enum kt_function_list list, const char *pattern)
{
	char *text = NULL;

	if (!j->setup->dry && kt_is_function_path(pattern) &&
	    kt_function_namesakes(j->inst, list, &text, NULL) == 0 && text)
		job_note(j, "%s", text);
	free(text);
}

static int add_functions(struct job *j)
{
	const char *file, *value;
	size_t i;
	int list, ret = 0;

	for (list = 0; j->setup && ret == 0 && list <= KT_FUNCTIONS_GRAPH_NOTRACE; list++) {
		file = kt_function_list_file(list);
		for (i = 0; ret == 0 && (value = kt_state_next(j->want, file, &i)); ) {
			ret = kt_instance_add_functions(j->inst, list, value, NULL, j->err);
			if (ret == 0)
				note_namesakes(j, list, value);
		}
	}
	return ret;
}

/* ==== processes ==== */

static int apply_follow(struct job *j, bool functions)
{
	int ret = instance_try_write(j->inst, "options/event-fork", "1", j->err);

	if (ret == 0)
		ret = kt_err_set(j->err, -EOPNOTSUPP, "this kernel cannot follow children "
				 "(no option event-fork)");
	if (ret > 0 && functions)
		ret = instance_try_write(j->inst, "options/function-fork", "1", j->err);
	return ret < 0 ? ret : 0;
}

static int apply_pids(struct job *j)
{
	bool functions;
	int ret;

	if (!j->setup || !j->setup->pids)
		return 0;
	functions = state_wants_functions(j->want);
	ret = kt_instance_set_event_pids(j->inst, j->setup->pids, j->err);
	if (ret == 0 && functions)
		ret = kt_instance_set_function_pids(j->inst, j->setup->pids, j->err);
	return ret == 0 && j->setup->follow ? apply_follow(j, functions) : ret;
}

/* ==== tracer and options ==== */

/* The tracer is set last, but checked first: without it, its files do not exist either. Options
 * exist before their tracer starts, so they are checked first, too. */
static int check_names(struct job *j)
{
	const char *tracer = kt_state_value(j->want, "current_tracer");
	struct kt_names options = { 0 };
	int ret = 0;
	size_t i;

	if (!j->setup)
		return 0;
	if (tracer)
		ret = ctl_check_tracer(j->inst, tracer, j->err);
	if (ret == 0 && state_words(j->want, "options", &options) < 0)
		ret = kt_err_no_memory(j->err);
	for (i = 0; ret == 0 && i < options.nr; i++)
		ret = ctl_check_option(j->inst, options.names[i], j->err);
	kt_names_fini(&options);
	return ret;
}

/* While ftrace_enabled is 0, a function tracer records nothing. */
static int apply_ftrace_enabled(struct job *j)
{
	const struct kt_setup *s = j->setup;
	long long now;
	int ret;

	if (!s || (!s->no_ftrace && (s->no_functions || !state_wants_functions(j->want))))
		return 0;
	if (kt_instance_read_number(j->inst, FTRACE_ENABLED, &now, NULL) == 0 &&
	    now == !s->no_ftrace)
		return 0;
	ret = s->no_ftrace ? kt_instance_write(j->inst, FTRACE_ENABLED, "0", j->err)
			   : instance_try_write(j->inst, FTRACE_ENABLED, "1", j->err);
	return ret < 0 ? ret : 0;
}

static int leave_functions(struct job *j)
{
	if (!j->setup || !j->setup->no_functions ||
	    !kt_instance_has(j->inst, "options/function-trace"))
		return 0;
	return kt_instance_set_option(j->inst, "function-trace", false, j->err);
}

/* No tracer while its functions and tasks are being chosen: it would trace all of them meanwhile,
 * and switching all functions on takes seconds. */
static int leave_tracer(struct job *j)
{
	const char *want = kt_state_value(j->want, "current_tracer");
	const char *now = kt_state_value(j->now, "current_tracer");

	return want && now && strcmp(want, now) != 0 && strcmp(now, "nop") != 0 ?
		job_write(j, "current_tracer", "nop") : 0;
}

static int enter_tracer(struct job *j)
{
	const char *want = kt_state_value(j->want, "current_tracer");

	if (!want || (!j->setup && strcmp(want, "nop") == 0))
		return 0;
	return job_apply_value(j, state_row(state_buffer_rows, "current_tracer"), "current_tracer");
}

/* Is "NAME" on, or "noNAME" off? 1, 0, or -EINVAL: this kernel has no such option */
static int option_holds(const struct kt_instance *inst, const char *word)
{
	int is = kt_instance_is_option(inst, word, NULL);

	if (is >= 0 || !str_starts(word, "no"))
		return is;
	is = kt_instance_is_option(inst, word + 2, NULL);
	return is < 0 ? is : !is;
}

static int apply_option(struct job *j, const char *word)
{
	int ret = j->setup ? 0 : option_holds(j->inst, word);

	if (ret < 0)
		job_note(j, "[%s] options: this kernel has no '%s'", j->want->name, word);
	if (ret != 0)
		return 0;
	j->writes++;
	ret = kt_instance_set_option(j->inst, word, true, j->err);
	/* The user named one buffer, but all of them change. A saved state has each of them. */
	if (ret > 0 && j->setup)
		job_note(j, "%s belongs to its tracer, not to '%s': it was changed in all buffers",
			 word, kt_instance_name(j->inst));
	return ret < 0 ? ret : 0;
}

static int apply_options(struct job *j)
{
	struct kt_names names = { 0 };
	size_t i;
	int ret = state_words(j->want, "options", &names);

	if (ret == 0 && j->buf && j->buf->func_stack)
		ret = kt_names_add(&names, "func_stack_trace");
	if (ret < 0)
		kt_err_no_memory(j->err);
	for (i = 0; ret == 0 && i < names.nr; i++)
		ret = apply_option(j, names.names[i]);
	kt_names_fini(&names);
	return ret;
}

/* ==== all of a buffer ==== */

/* A hist trigger with time stamps changes the clock of the buffer (seen on 6.12). */
static int apply_clock_again(struct job *j)
{
	const char *want = kt_state_value(j->want, "trace_clock");
	char *now;
	int ret = 0;

	if (!want || !kt_state_value(j->want, "trigger"))
		return 0;
	now = kt_instance_clock(j->inst, NULL);
	if (now && strcmp(now, want) != 0)
		ret = job_write(j, "trace_clock", want);
	free(now);
	return ret;
}

static int switch_tracing(struct job *j, char to)
{
	const char *want = kt_state_value(j->want, "tracing_on");
	const char *now = kt_state_value(j->now, "tracing_on");

	return want && now && *want == to && *now != to ? job_write(j, "tracing_on", want) : 0;
}

static int stop(struct job *j)
{
	return switch_tracing(j, '0');
}

static int resume(struct job *j)
{
	return switch_tracing(j, '1');
}

/* Removals come first, and steps that fill the trace come last. A step that removes lines needs the
 * present settings (job.now). */
static const struct step {
	int (*apply)(struct job *j);
	const char *key;		/* call @line for lines with this key */
	bool drop;			/* those set but not wanted; false: wanted but not set */
	job_line_fn line;
} steps[] = {
	{ .apply = check_names },
	{ .apply = stop },
	{ .key = "trigger", .drop = true, .line = job_drop_dependent },
	{ .key = "trigger", .drop = true, .line = job_drop_trigger },
	{ .key = "event", .drop = true, .line = job_disable },
	{ .key = "filter", .drop = true, .line = job_drop_filter },
	{ .apply = leave_tracer },
	{ .apply = apply_rows },
	{ .apply = apply_cpu_sizes },
	{ .apply = add_functions },
	{ .apply = apply_pids },
	{ .apply = apply_ftrace_enabled },
	{ .apply = leave_functions },
	{ .apply = enter_tracer },
	{ .apply = apply_options },		/* after the tracer, which has some of its own */
	{ .key = "filter", .line = job_set_filter },
	{ .key = "trigger", .line = job_add_trigger },
	{ .key = "trigger", .line = job_add_dependent },
	{ .apply = apply_clock_again },
	{ .key = "event", .line = job_enable },
	{ .apply = resume },
};

int job_apply_buffer(struct job *j)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < sizeof(steps) / sizeof(*steps); i++) {
		const struct step *s = &steps[i];

		if (s->apply)
			ret = s->apply(j);
		else
			ret = job_each_missing(j, s->key, s->drop ? j->now : j->want,
					       s->drop ? j->want : j->now, s->line);
	}
	return ret;
}
