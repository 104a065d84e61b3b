/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup_profile.c - the events that a profile needs */
#include "setup_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "base/array.h"
#include "base/str.h"

static const struct { const char *system, *event; bool stack; } wanted[] = {
	{ "sched", "sched_switch", true }, { "sched", "sched_wakeup", true },
	{ "sched", "sched_wakeup_new", true }, { "irq", NULL, false },
	{ "raw_syscalls", NULL, false }, { "exceptions", NULL, false },
	{ "workqueue", "workqueue_execute_start", false },
	{ "workqueue", "workqueue_execute_end", false },
};

int setup_hook(void *args, const char *value, struct kt_err *err)
{
	struct profile_setup *p = &((struct setup_args *)args)->profile;

	if (!array_reserve(p->hooks, p->nr_hooks + 1))
		return kt_err_no_memory(err);
	p->hooks[p->nr_hooks++] = value;
	p->hooks[p->nr_hooks] = NULL;
	return 0;
}

static int add_event(struct setup_args *a, const char *name, bool stack, struct kt_err *err)
{
	int ret = setup_event(a, name, err);

	return ret < 0 || !stack ? ret : setup_trigger(a, "stacktrace", err);
}

static int add_if_there(struct setup_args *a, size_t i, struct kt_err *err)
{
	const char *dir = kt_tracefs_dir(err), *event = wanted[i].event;
	char path[4096], name[128];

	if (!dir)
		return err->code;
	snprintf(name, sizeof(name), "%s%s%s", wanted[i].system, event ? "/" : "",
		 event ? event : "");
	snprintf(path, sizeof(path), "%s/events/%s", dir, name);
	return access(path, F_OK) < 0 ? 0 : add_event(a, name, wanted[i].stack, err);
}

/* The entries of tasks into the kernel and their duration: a graph one level deep */
static int add_graph(struct setup_args *a, struct kt_err *err)
{
	const char *dir = kt_tracefs_dir(err);
	struct str tracers = STR_INIT;
	char path[4096];
	int ret = 0;

	if (!dir)
		return err->code;
	snprintf(path, sizeof(path), "%s/max_graph_depth", dir);
	if (kt_state_value(&a->cur->wish, "current_tracer") || access(path, W_OK) < 0)
		return 0;
	snprintf(path, sizeof(path), "%s/available_tracers", dir);
	if (str_read_file(&tracers, path) == 0 && str_has_word(tracers.buf, "function_graph")) {
		ret = setup_tracer(a, "function_graph", err);
		if (ret == 0)
			ret = setup_depth(a, "1", err);
	}
	str_fini(&tracers);
	return ret;
}

/* Add both events of "[system:]start,field[,pid]/[system:]end,field[,flags]" */
static int add_hook(struct setup_args *a, const char *hook, struct kt_err *err)
{
	const char *slash = strchr(hook, '/'), *flags;
	char *start, *end;
	int ret;

	if (!slash)
		return cmd_misuse(err, "'%s' is not a hook: [SYSTEM:]START,FIELD[,PID]/"
				  "[SYSTEM:]END,FIELD[,FLAGS]", hook);
	flags = strchr(slash, ',');
	flags = flags ? strchr(flags + 1, ',') : NULL;
	start = strndup(hook, strcspn(hook, ","));
	end = strndup(slash + 1, strcspn(slash + 1, ","));
	ret = start && end ? add_event(a, start, flags && strpbrk(flags + 1, "sS"), err)
			   : kt_err_no_memory(err);
	if (ret == 0)
		ret = add_event(a, end, false, err);
	free(start);
	free(end);
	return ret;
}

int profile_add_events(struct setup_args *a, struct kt_err *err)
{
	const struct profile_setup *p = &a->profile;
	size_t i;
	int ret = 0;

	for (i = 0; i < p->nr_hooks && ret == 0; i++)
		ret = add_hook(a, p->hooks[i], err);
	if (!p->enabled)
		return ret;
	for (i = 0; i < sizeof(wanted) / sizeof(*wanted) && ret == 0 && !p->only_given; i++)
		ret = add_if_there(a, i, err);
	return ret < 0 || p->only_given ? ret : add_graph(a, err);
}

int profile_add_options(const struct profile_setup *p, struct kt_rec *rec, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < p->nr_hooks && ret == 0; i++)
		ret = kt_rec_option(rec, KT_OPTION_HOOK, p->hooks[i], strlen(p->hooks[i]) + 1, err);
	return ret;
}
