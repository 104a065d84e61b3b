/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup.c - options that record, start, set, stream and profile share */
#include "setup.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "base/cpumask.h"
#include "base/str.h"
#include "base/units.h"
#include "cmd/args/dropin.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"
#include "state_file.h"

int setup_init(void *args)
{
	struct setup_args *a = args;

	a->sleep_us = UINT64_MAX;
	a->priority = SETUP_NO_PRIORITY;
	if (kt_setup_init(&a->setup) < 0)
		return -ENOMEM;
	a->cur = a->setup.buffers[0];
	return 0;
}

int setup_rt_priority(const struct setup_args *a)
{
	if (a->priority == SETUP_NO_PRIORITY)
		return 0;
	return a->priority ? a->priority : -1;
}

void setup_fini(void *args)
{
	struct setup_args *a = args;

	kt_setup_fini(&a->setup);
	kt_state_destroy(a->session);
	free(a->profile.hooks);
}

/* Set @key to @value without surrounding white space, which trace-cmd drops too. */
static int set(struct setup_args *a, const char *key, const char *value, struct kt_err *err)
{
	char *copy = strdup(value);
	int ret = copy ? kt_setup_set(a->cur, key, str_trim(copy)) : -ENOMEM;

	free(copy);
	return kt_err_result(err, ret);
}

int setup_machine(struct setup_args *a, const char *key, const char *value, struct kt_err *err)
{
	return kt_err_result(err, kt_state_set(&a->setup.machine, key, value));
}

int setup_instance(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	if (!*value)
		return cmd_misuse(err, "an instance needs a name");
	a->cur = kt_setup_buffer(&a->setup, value);
	if (!a->cur)
		return kt_err_no_memory(err);
	a->cur->used = true;
	a->cur->remove = a->negate;
	return 0;
}

int setup_tracer(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;
	const char *other = kt_state_value(&a->cur->wish, "current_tracer");

	if (other)
		return cmd_misuse(err, "one tracer for each instance: '%s' or '%s'?", other, value);
	return set(a, "current_tracer", value, err);
}

int setup_event(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	return kt_err_result(err, kt_setup_add_event(a->cur, value, a->negate));
}

static int of_last_event(int ret, struct kt_err *err)
{
	if (ret == -EINVAL)
		return cmd_misuse(err, "it needs an -e before it, the event that it applies to");
	return kt_err_result(err, ret);
}

int setup_filter(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	return of_last_event(kt_setup_add_filter(a->cur, value), err);
}

int setup_trigger(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	return of_last_event(kt_setup_add_trigger(a->cur, value), err);
}

int setup_negate(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	(void)value;
	(void)err;
	a->negate = true;
	return 0;
}

int setup_option(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	return kt_err_result(err, kt_setup_add(a->cur, "options", value));
}

int setup_stack(void *args, const char *value, struct kt_err *err)
{
	(void)value;
	return setup_option(args, "stacktrace", err);
}

int setup_func_stack(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	(void)value;
	(void)err;
	a->cur->func_stack = true;
	return 0;
}

static int add_function(struct setup_args *a, enum kt_function_list list, const char *value,
			struct kt_err *err)
{
	return kt_err_result(err, kt_setup_add_function(a->cur, list, value, a->module));
}

int setup_function(void *args, const char *value, struct kt_err *err)
{
	return add_function(args, KT_FUNCTIONS_FILTER, value, err);
}

int setup_notrace(void *args, const char *value, struct kt_err *err)
{
	return add_function(args, KT_FUNCTIONS_NOTRACE, value, err);
}

int setup_graph(void *args, const char *value, struct kt_err *err)
{
	return add_function(args, KT_FUNCTIONS_GRAPH, value, err);
}

int setup_clock(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	if (strcmp(value, "tsc2nsec") == 0) {
		a->tsc2nsec = true;
		value = "x86-tsc";
	}
	return set(a, "trace_clock", value, err);
}

int setup_cpumask(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;
	struct cpumask mask;

	if (cpumask_parse_hex(&mask, value, CPUMASK_MAX, err) < 0)
		return CMD_MISUSE;
	if (cpumask_empty(&mask))
		return cmd_misuse(err, "'%s' leaves no CPU to trace", value);
	return set(a, "tracing_cpumask", value, err);
}

static int set_kb(struct setup_args *a, const char *key, const char *value, struct kt_err *err)
{
	uint64_t bytes;
	char text[32];

	if (units_parse_size(value, 1024, &bytes, err) < 0)
		return CMD_MISUSE;
	snprintf(text, sizeof(text), "%" PRIu64, bytes / 1024);
	if (bytes >= 1024)
		return set(a, key, text, err);
	/* trace-cmd treats 0 as not given, and scripts use it as a default */
	a->cur->used = true;
	return cmd_style->old_words ? 0 : cmd_misuse(err, "'%s' is less than one KiB", value);
}

int setup_buffer_size(void *args, const char *value, struct kt_err *err)
{
	return set_kb(args, "buffer_size_kb", value, err);
}

int setup_subbuf_size(void *args, const char *value, struct kt_err *err)
{
	return set_kb(args, "buffer_subbuf_size_kb", value, err);
}

static int set_count(struct setup_args *a, const char *key, const char *value, struct kt_err *err)
{
	char text[32];
	int64_t nr;

	if (units_parse_i64(value, &nr, err) < 0)
		return CMD_MISUSE;
	if (nr < 0 || nr > INT_MAX)
		return cmd_misuse(err, "'%s' is out of range", value);
	snprintf(text, sizeof(text), "%" PRId64, nr);
	return setup_machine(a, key, text, err);
}

int setup_cmdlines_size(void *args, const char *value, struct kt_err *err)
{
	return set_count(args, "saved_cmdlines_size", value, err);
}

int setup_depth(void *args, const char *value, struct kt_err *err)
{
	return set_count(args, "max_graph_depth", value, err);
}

int setup_pids(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	if (!*value || value[strspn(value, "0123456789, ")])
		return cmd_misuse(err, "'%s' is not a list of process ids", value);
	return kt_err_result(err, kt_setup_add_pids(&a->setup.pids, value));
}

int setup_child(struct setup_args *a, int pid, struct kt_err *err)
{
	char text[16];

	if (!a->only_command || pid <= 0)
		return 0;
	snprintf(text, sizeof(text), "%d", pid);
	return kt_err_result(err, kt_setup_add_pids(&a->setup.pids, text));
}

int setup_no_ftrace(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	(void)value;
	(void)err;
	a->setup.no_functions = true;
	a->setup.no_ftrace = true;
	return 0;
}

int setup_session(void *args, const char *value, struct kt_err *err)
{
	struct setup_args *a = args;

	if (a->session)
		return cmd_misuse(err, "unexpected second --session '%s'", value);
	a->session = state_file_load(value, err);
	a->setup.session = a->session;
	return a->session ? 0 : err->code;
}

/* -b before any -B applies to all buffers without a size of their own. */
static int share_buffer_size(struct kt_setup *s, struct kt_err *err)
{
	static const char key[] = "buffer_size_kb";
	const char *kb = kt_state_value(&s->buffers[0]->wish, key);
	size_t i;
	int ret = 0;

	for (i = 1; kb && ret == 0 && i < s->nr_buffers; i++)
		if (!kt_state_value(&s->buffers[i]->wish, key))
			ret = kt_state_add(&s->buffers[i]->wish, key, kb);
	return kt_err_result(err, ret);
}

/* A run that was killed left its settings behind: they would affect this trace. */
static void mention_journals(const struct setup_args *a)
{
	struct kt_journals js = { 0 };

	if (!a->quiet && cmd_style->advises && kt_journal_pending(&js, NULL) > 0)
		fprintf(stderr, "%s: a killed run (pid %d) left settings changed; "
			"`%s restore-settings` restores them\n", cmd_program,
			(int)js.journals[0].pid, cmd_program);
	kt_journals_fini(&js);
}

/* This matters only after a kill: report it, but continue. */
static void mention_no_journal(const struct setup_args *a)
{
	struct kt_err err = { 0 };
	struct str s = STR_INIT;

	if (a->quiet || !cmd_style->advises || a->setup.dry || kt_journal_check(&err) == 0)
		return;
	str_addf(&s,
		 "cannot write a journal (%s): if ktrail is killed, `restore-settings` has nothing "
		 "to restore", err.msg);
	if (!s.failed)
		safe_tell(NULL, s.buf);
	str_fini(&s);
}

static void forget_missing(struct kt_setup *s)
{
	size_t i;

	for (i = 0; i < s->nr_buffers; i++)
		if (s->buffers[i]->remove && dropin_spares(s->buffers[i]->name, NULL))
			s->buffers[i]->used = false;
}

int setup_finish(struct setup_args *a, bool needs_trace, int argc, struct kt_err *err)
{
	struct kt_setup *s = &a->setup;
	int64_t offset;

	if (needs_trace && !kt_setup_traces(s) && !a->proc_map)
		return cmd_misuse(err, a->session ?
				  "nothing is traced: the session has no event and no tracer, "
				  "and there is no -e or -p" :
				  "no event or plugin was specified... aborting");
	if (a->only_command && !argc && !s->pids)
		return cmd_misuse(err, "-F needs a command to run");
	if (s->follow && !a->only_command && !s->pids)
		return cmd_misuse(err, "-c needs -F or -P, whose children it follows");
	if (a->user && !argc)
		return cmd_misuse(err, "--user needs a command to run");
	if (a->priority != SETUP_NO_PRIORITY && (a->priority < 0 || a->priority > 99))
		return cmd_misuse(err, "no real-time priority %d: 0 to 99", a->priority);
	if (a->ts_offset && units_parse_i64(a->ts_offset, &offset, NULL) < 0)
		return cmd_misuse(err, "--ts-offset: '%s' is not a number", a->ts_offset);
	s->starts = needs_trace;
	if (needs_trace && !kt_setup_traces(s))
		s->buffers[0]->used = true;	/* for --proc-map alone */
	forget_missing(s);
	mention_journals(a);
	mention_no_journal(a);
	return share_buffer_size(s, err);
}

/* The notes that were not printed before; returns their number */
static size_t tell_notes(const struct setup_args *a, size_t told)
{
	const struct kt_names *notes = &a->setup.session_notes;

	for (; told < notes->nr && !a->quiet; told++)
		safe_tell(NULL, notes->names[told]);
	return told;
}

static bool uses_buffer(const struct kt_journal *j, const struct kt_instance *inst)
{
	static const char verb[] = "put ", file[] = "/tracing_on ";
	const char *dir = kt_instance_dir(inst);
	size_t i, n = sizeof(verb) - 1, len = strlen(dir);

	for (i = 0; i < j->nr_steps; i++)
		if (strncmp(j->steps[i], verb, n) == 0 && strncmp(j->steps[i] + n, dir, len) == 0 &&
		    strncmp(j->steps[i] + n + len, file, sizeof(file) - 1) == 0)
			return true;
	return false;
}

/* Two recorders in one buffer clear each other's settings and read each other's records. */
static void mention_buffer(const struct kt_instance *inst, const struct kt_journals *live)
{
	const struct kt_journal *j = live->journals, *end = j + live->nr;
	struct str s = STR_INIT;

	while (j < end && !uses_buffer(j, inst))
		j++;
	if (j == end)
		return;
	str_addf(&s, "pid %d traces in the same buffer (%s): each changes the other's settings and "
		 "misses what the other reads; `--instance auto` creates a separate buffer",
		 (int)j->pid, j->command ? j->command : "?");
	if (!s.failed)
		safe_tell(NULL, s.buf);
	str_fini(&s);
}

static void mention_others(const struct setup_args *a)
{
	const struct kt_setup *s = &a->setup;
	struct kt_journals live = { 0 };
	size_t i;

	if (a->quiet || !cmd_style->advises || !s->starts || s->dry)
		return;
	kt_journal_live(&live);
	for (i = 0; live.nr && i < s->nr_buffers; i++)
		if (s->buffers[i]->inst)
			mention_buffer(s->buffers[i]->inst, &live);
	kt_journals_fini(&live);
}

int setup_apply(struct setup_args *a, struct kt_err *err)
{
	int ret = kt_setup_open(&a->setup, err);
	size_t told = tell_notes(a, 0);

	mention_others(a);
	if (ret == 0)
		ret = kt_setup_apply(&a->setup, err);
	tell_notes(a, told);
	if (ret == 0 && cmd_style->old_reports && !a->quiet)
		dropin_tell_tracers(&a->setup);
	return ret;
}

int setup_show(struct setup_args *a, bool start, bool stop, struct kt_err *err)
{
	int ret = setup_apply(a, err);
	char *text;

	if (ret == 0 && start)
		ret = kt_setup_start(&a->setup, err);
	if (ret == 0 && stop)
		ret = kt_setup_stop(&a->setup, err);
	text = ret == 0 ? kt_setup_notes(&a->setup) : NULL;
	if (text && a->only_command)
		printf("# -F: the id of the command's process goes into set_event_pid and "
		       "set_ftrace_pid before it runs\n");
	if (text)
		fputs(text, stdout);
	free(text);
	kt_setup_close(&a->setup, NULL);
	return ret;
}

int setup_end(struct setup_args *a, int ret, struct kt_err *err)
{
	if (ret >= 0 && a->keep)
		kt_setup_keep(&a->setup);
	if (kt_setup_close(&a->setup, err) < 0 && ret >= 0)
		ret = err->code;
	return ret;
}
