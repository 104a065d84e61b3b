/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose.c - which records of a trace a command uses: -F, --pid, --comm, --cpu, --time */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/cpumask.h"
#include "base/str.h"
#include "base/units.h"
#include "cmd/print/progress.h"
#include "cmd/style.h"
#include "choose.h"

#define MAX_PIDS 4096		/* tasks of one name */

/* The filter that implements --pid and --comm in one file */
struct task_expr {
	struct str text;
	bool has_pid, has_next;		/* its events have such a field */
};

static int find_cpus(struct kt_trace *t, const char *list, struct cpumask *cpus,
		     struct kt_err *err)
{
	int ret = cpumask_parse_list(cpus, list, err), nr = 0;
	bool found = false;
	size_t i;

	if (ret < 0)
		return ret;
	for (i = 0; i < kt_trace_nr_files(t); i++)
		nr = MAX(nr, (int)kt_file_info(kt_trace_file(t, i))->nr_cpus);
	for (i = 0; i < (size_t)nr && !found; i++)
		found = cpumask_test(cpus, i);
	if (nr && !found)
		return kt_err_set(err, -ENOENT, "--cpu: no CPU %s in the trace, only 0 to %d",
				  list, nr - 1);
	return 0;
}

static int choose_cpus(struct kt_trace *t, struct choose *c, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(t);
	struct cpumask cpus;
	size_t i;
	int ret = find_cpus(t, c->cpus, &cpus, err);

	if (ret < 0)
		return ret;
	if (c->by_end) {
		c->only_cpus = malloc(sizeof(cpus));
		if (!c->only_cpus)
			return kt_err_no_memory(err);
		*c->only_cpus = cpus;
		return 0;
	}
	for (i = 0; i < kt_stream_nr_sources(stream); i++)
		if (!cpumask_test(&cpus, kt_stream_source(stream, i)->cpu))
			kt_stream_mute(stream, i);
	return 0;
}

/*
 * Does any event of the file have such a field? A filter on a field that no event has is an
 * error. Searching the texts avoids parsing 2,000 formats.
 */
static bool has_field(struct kt_trace *t, size_t file, const char *declaration)
{
	struct kt_file *f = kt_trace_file(t, file);
	size_t i, len = strlen(declaration);

	for (i = 0; i < kt_file_nr_events(f); i++) {
		struct kt_blob text = kt_file_event(f, i)->format;

		if (memmem(text.data, text.size, declaration, len))
			return true;
	}
	return false;
}

/* Events of the task, and events whose fields name it: trace-cmd's rule for --pid */
static void add_pid(struct task_expr *e, long pid)
{
	str_addf(&e->text, "%s(common_pid==%ld)", e->text.len ? "||" : "", pid);
	if (e->has_pid)
		str_addf(&e->text, "||(pid==%ld)", pid);
	if (e->has_next)
		str_addf(&e->text, "||(next_pid==%ld)", pid);
}

/* @list was checked by take_pids(). */
static void add_pids(struct task_expr *e, const char *list)
{
	char *end;

	for (;; list = end + 1) {
		add_pid(e, strtol(list, &end, 10));
		if (!*end)
			break;
	}
}

static int add_comm(struct task_expr *e, struct kt_trace *t, size_t file, const char *name,
		    struct kt_err *err)
{
	int *pids = calloc(MAX_PIDS, sizeof(*pids));
	size_t i, nr;

	if (!pids)
		return kt_err_no_memory(err);
	nr = kt_trace_pids(t, file, name, pids, MAX_PIDS);
	for (i = 0; i < nr; i++)
		add_pid(e, pids[i]);
	free(pids);
	return nr > 0;
}

static int add_comms(struct task_expr *e, struct kt_trace *t, size_t file, const char *list,
		     struct kt_err *err)
{
	char *copy = strdup(list), *rest = copy, *name;
	bool found = false;
	int ret = 0;

	if (!copy)
		return kt_err_no_memory(err);
	while ((name = strsep(&rest, ","))) {
		ret = add_comm(e, t, file, str_trim(name), err);
		if (ret < 0)
			break;
		found |= ret;
	}
	free(copy);
	return ret < 0 ? ret : found;
}

static int no_such_task(struct kt_trace *t, const char *list, struct kt_err *err)
{
	const char *near = NULL;
	size_t file;

	for (file = 0; file < kt_trace_nr_files(t) && !near; file++)
		near = kt_trace_comm_nearest(t, file, list);
	return kt_err_set(err, -ENOENT,
			  near ? "--comm: no task '%s' in the trace, did you mean '%s'?" :
			  "--comm: no task '%s' in the trace", list, near);
}

static bool is_task(struct kt_trace *t, const char *name)
{
	size_t file;
	int pid;

	for (file = 0; file < kt_trace_nr_files(t); file++)
		if (kt_trace_pids(t, file, name, &pid, 1))
			return true;
	return false;
}

/* Some of them are tasks of the trace: report those that are not. */
static int note_unknown(struct kt_trace *t, const struct choose *c, struct kt_err *err)
{
	char *copy = strdup(c->comms), *rest = copy, *name;

	if (!copy)
		return kt_err_no_memory(err);
	while ((name = strsep(&rest, ","))) {
		struct kt_err why = { 0 };

		name = str_trim(name);
		if (is_task(t, name))
			continue;
		no_such_task(t, name, &why);
		fprintf(stderr, "%s %s: %s\n", cmd_program, c->command, why.msg);
	}
	free(copy);
	return 0;
}

/* Returns whether a task of this file has one of the names. */
static int add_tasks_of(struct kt_trace *t, size_t file, struct kt_filter *filter,
			const struct choose *c, struct kt_err *err)
{
	struct task_expr expr = {
		.text = STR_INIT,
		.has_pid = has_field(t, file, " pid;"),
		.has_next = has_field(t, file, " next_pid;"),
	};
	int found = 0, ret = 0;

	if (c->pids)
		add_pids(&expr, c->pids);
	if (c->comms)
		found = ret = add_comms(&expr, t, file, c->comms, err);
	if (!expr.text.len)
		add_pid(&expr, -1);	/* no task of this file has the name */
	if (ret >= 0)
		ret = kt_filter_add(filter, expr.text.buf, false, file, err);
	str_fini(&expr.text);
	return ret < 0 ? ret : found > 0;
}

/* Each file has its own task ids and gets its own filter. */
static int add_tasks(struct kt_trace *t, struct kt_filter *filter, const struct choose *c,
		     struct kt_err *err)
{
	bool found = !c->comms;
	size_t file;
	int ret;

	for (file = 0; file < kt_trace_nr_files(t); file++) {
		ret = add_tasks_of(t, file, filter, c, err);
		if (ret < 0)
			return ret;
		found |= ret > 0;
	}
	if (!found)
		return no_such_task(t, c->comms, err);
	return c->comms && !c->quiet ? note_unknown(t, c, err) : 0;
}

static int make_filter(struct kt_trace *t, struct choose *c, struct kt_err *err)
{
	const char *doubt;
	struct kt_filter *f;
	size_t i;
	int ret = 0;

	if (!c->nr_filters && (c->by_task || (!c->pids && !c->comms)))
		return 0;
	f = kt_filter_create(t);
	if (!f)
		return kt_err_no_memory(err);
	for (i = 0; i < c->nr_filters && ret == 0; i++)
		ret = kt_filter_add(f, c->filters[i].text, c->filters[i].exclude,
				    c->filters[i].file, err);
	if (ret == 0 && !c->by_task && (c->pids || c->comms))
		ret = add_tasks(t, f, c, err);
	if (ret < 0) {
		kt_filter_destroy(f);
		return ret;
	}
	for (i = 0; (doubt = kt_filter_doubt(f, i)) && !c->quiet && cmd_style->advises; i++)
		fprintf(stderr, "%s %s: %s\n", cmd_program, c->command, doubt);
	c->filter = f;
	return 0;
}

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word), have;

	for (; list && *list; list += have + strspn(list + have, ", ")) {
		list += strspn(list, " ");
		have = strcspn(list, ",");
		while (have && list[have - 1] == ' ')
			have--;
		if (have == len && memcmp(list, word, len) == 0)
			return true;
	}
	return false;
}

bool choose_has_task(const struct choose *c, struct kt_trace *t, size_t file, int pid)
{
	const char *comm = c->comms ? kt_trace_comm(t, file, pid) : NULL;
	char number[16];

	if (!c->pids && !c->comms)
		return true;
	snprintf(number, sizeof(number), "%d", pid);
	return has_word(c->pids, number) || (comm && has_word(c->comms, comm));
}

/* With by_task: at least one task has one of these names. */
static int check_comms(struct kt_trace *t, const struct choose *c, struct kt_err *err)
{
	char *copy = strdup(c->comms), *rest = copy, *name;
	bool found = false;

	while (!found && (name = strsep(&rest, ",")))
		found = is_task(t, str_trim(name));
	free(copy);
	if (!found)
		return no_such_task(t, c->comms, err);
	return c->quiet ? 0 : note_unknown(t, c, err);
}

int choose_prepare(struct kt_trace *t, struct choose *c, struct kt_err *err)
{
	int ret = make_filter(t, c, err);

	if (ret < 0)
		return ret;
	if (c->by_task && c->comms)
		ret = check_comms(t, c, err);
	if (ret < 0)
		return ret;
	if (c->cpus)
		ret = choose_cpus(t, c, err);
	return ret < 0 ? ret : choose_place_windows(t, c, err);
}

bool choose_chooses(const struct choose *c)
{
	return c->filter || c->only_cpus;
}

const char *choose_asked(const struct choose *c, char *buf, size_t size)
{
	const struct { bool is; const char *name; } options[] = {
		{ c->nr_windows, "--time" }, { c->nr_filters, "--filter" }, { c->cpus, "--cpu" },
		{ c->pids, "--pid" }, { c->comms, "--comm" },
	};
	size_t i, len = 0;

	*buf = '\0';
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].is && len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s%s",
						len ? ", " : " chosen by ", options[i].name);
	return buf;
}

bool choose_has_cpu(const struct choose *c, int cpu)
{
	return !c->only_cpus || cpumask_test(c->only_cpus, cpu);
}

bool choose_lets_pass(const struct choose *c, struct kt_trace *t, const struct kt_record *rec)
{
	if (!choose_has_cpu(c, kt_stream_source(kt_trace_stream(t), rec->source)->cpu))
		return false;
	return !c->filter || kt_filter_match(c->filter, rec);
}

int choose_run(struct kt_trace *t, const struct choose *c, unsigned int drop_flags,
	       struct kt_analysis *const list[], size_t nr, struct kt_err *err)
{
	struct progress progress;
	const struct kt_pass_opts o = {
		.filter = c->by_end ? NULL : c->filter,
		.windows = c->windows, .nr_windows = c->nr_windows,
		.drop_flags = drop_flags, .progress = progress_of_pass, .data = &progress,
	};
	int ret;

	progress_begin(&progress, c->command);
	ret = kt_pass_run(t, list, nr, &o, err);
	progress_end(&progress);
	return ret;
}
