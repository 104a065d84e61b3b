/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.c - parameters and results of the latency tracers */
#include <ktrail/settings.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tracefs/tracefs.h"

#define OFF    "irqsoff preemptoff preemptirqsoff"
#define WAKEUP "wakeup*"
#define NOISE  "osnoise timerlat"

const struct kt_tracer_param kt_tracer_params[] = {
	{ OFF " " WAKEUP " hwlat " NOISE, "max", "tracing_max_latency", "longest so far, us", 1 },
	{ OFF " " WAKEUP " hwlat", "thresh", "tracing_thresh",
	  "only what takes longer, us; 0: the maximum", 0 },
	{ "function_graph", "thresh", "tracing_thresh", "only calls that take longer, us; 0: all",
	  0 },
	{ "function_graph", "depth", "max_graph_depth", "how deep to graph; 0: all", 0 },
	{ "hwlat", "width", "hwlat_detector/width", "how long to sample, us", 0 },
	{ "hwlat", "window", "hwlat_detector/window", "how often to begin a sample, us", 0 },
	{ "hwlat", "mode", "hwlat_detector/mode", "none, round-robin, per-cpu", 0 },
	{ NOISE, "cpus", "osnoise/cpus", "list of CPUs to watch", 0 },
	{ "osnoise", "period", "osnoise/period_us", "how often to sample, us", 0 },
	{ "osnoise", "runtime", "osnoise/runtime_us", "how long to sample, us", 0 },
	{ "timerlat", "timer", "osnoise/timerlat_period_us", "period of the timer, us", 0 },
	{ NOISE, "stop", "osnoise/stop_tracing_us",
	  "stop tracing after one noise (or IRQ latency) of so much, us; 0: never", 0 },
	{ NOISE, "stop-total", "osnoise/stop_tracing_total_us",
	  "stop tracing after so much in a sample (or thread latency), us; 0: never", 0 },
	{ "timerlat", "print-stack", "osnoise/print_stack",
	  "keep the stack of an IRQ that was so late, us; 0: none", 0 },
	{ NOISE, "options", "osnoise/options", "names to set; NO_… to unset", 0 },
	{ NULL, NULL, NULL, NULL, 0 },
};

static const struct {
	const char *name, *help;
} tracers[] = {
	{ "nop", "none: only events that are enabled" },
	{ "function", "every kernel function that is called, or those of set_ftrace_filter" },
	{ "function_graph", "calls and returns as a tree, with how long each took" },
	{ "irqsoff", "the longest time with interrupts off" },
	{ "preemptoff", "the longest time with preemption off" },
	{ "preemptirqsoff", "the longest time with either off" },
	{ "wakeup", "the longest time from a wakeup to running, of any task" },
	{ "wakeup_rt", "the same, of real-time tasks" },
	{ "wakeup_dl", "the same, of deadline tasks" },
	{ "hwlat", "time that the hardware or firmware takes from a CPU" },
	{ "osnoise", "time that interrupts and other tasks take from a busy thread" },
	{ "timerlat", "how late a timer's interrupt and its thread come" },
	{ "blk", "block layer requests, as blktrace has them" },
	{ "mmiotrace", "accesses to memory-mapped I/O" },
	{ "branch", "taken and not taken likely() and unlikely()" },
};

const char *kt_tracer_help(const char *tracer)
{
	size_t i;

	for (i = 0; i < sizeof(tracers) / sizeof(*tracers); i++)
		if (strcmp(tracers[i].name, tracer) == 0)
			return tracers[i].help;
	return NULL;
}

int kt_tracer_has_param(const char *tracer, const struct kt_tracer_param *param)
{
	const char *p = param->tracers;
	char pattern[32];
	size_t len;

	for (; *p; p += len + (p[len] == ' ')) {
		len = strcspn(p, " ");
		snprintf(pattern, sizeof(pattern), "%.*s", (int)len, p);
		if (fnmatch(pattern, tracer, 0) == 0)
			return 1;
	}
	return 0;
}

bool kt_instance_shows_max(const struct kt_instance *inst)
{
	char *tracer = kt_instance_tracer(inst, NULL);
	bool shows = tracer && ctl_tracer_keeps_max(tracer);

	free(tracer);
	return shows;
}

static int unknown(const char *tracer, const char *name, struct kt_err *err)
{
	const struct kt_tracer_param *p;
	struct str have = STR_INIT;

	for (p = kt_tracer_params; p->name; p++)
		if (kt_tracer_has_param(tracer, p))
			str_addf(&have, "%s%s", have.len ? ", " : "", p->name);
	if (have.len)
		kt_err_set(err, -EINVAL, "tracer '%s' has no '%s', only: %s", tracer, name,
			   have.buf);
	else
		kt_err_set(err, -EINVAL, "tracer '%s' has no parameters", tracer);
	str_fini(&have);
	return -EINVAL;
}

/* Accepts the file's name, too, and "period" for the timer of timerlat, as for osnoise. */
static const struct kt_tracer_param *find_param(const char *tracer, const char *name)
{
	const struct kt_tracer_param *p;

	if (strcmp(tracer, "timerlat") == 0 && strcmp(name, "period") == 0)
		name = "timer";
	for (p = kt_tracer_params; p->name; p++)
		if ((strcmp(p->name, name) == 0 || strcmp(str_base_name(p->file), name) == 0) &&
		    kt_tracer_has_param(tracer, p))
			return p;
	return NULL;
}

/*
 * Each window, followed by the time measured in it. The kernel refuses a time that exceeds its
 * window. Source: Linux, kernel/trace/trace_osnoise.c and trace_hwlat.c.
 */
static const struct {
	const char *file;
	bool is_window;		/* false: the time measured in a window */
} windows[] = {
	{ "osnoise/period_us", true }, { "osnoise/runtime_us", false },
	{ "hwlat_detector/window", true }, { "hwlat_detector/width", false },
};

int kt_param_widens(const struct kt_instance *inst, const char *tracer, const char *name,
		    const char *value)
{
	const struct kt_tracer_param *p = find_param(tracer, name);
	long long now, then = strtoll(value, NULL, 0);
	size_t i;

	for (i = 0; p && i < sizeof(windows) / sizeof(*windows); i++)
		if (strcmp(windows[i].file, p->file) == 0 &&
		    kt_instance_read_number(inst, p->file, &now, NULL) == 0)
			return windows[i].is_window ? then >= now : then <= now;
	return 0;
}

/* The kernel only refuses a measured time that exceeds its window. */
static void explain_window(const struct kt_instance *inst, const struct kt_tracer_param *p,
			   const char *value, struct kt_err *err)
{
	long long other, then = strtoll(value, NULL, 0);
	size_t i;

	for (i = 0; i < sizeof(windows) / sizeof(*windows); i++)
		if (strcmp(windows[i].file, p->file) == 0)
			break;
	if (i == sizeof(windows) / sizeof(*windows) ||
	    kt_instance_read_number(inst, windows[i ^ 1].file, &other, NULL) < 0)
		return;
	if (windows[i].is_window ? then < other : then > other)
		kt_err_wrap(err, -EINVAL, "%s cannot be %s than %s, which is %lld", p->name,
			    windows[i].is_window ? "less" : "more",
			    str_base_name(windows[i ^ 1].file), other);
}

/* The words of a choice: "none [round-robin] per-cpu", "DEFAULTS OSNOISE_WORKLOAD …" */
static void explain_choice(const struct kt_instance *inst, const struct kt_tracer_param *p,
			   const char *value, struct kt_err *err)
{
	struct kt_names words = { 0 };
	struct str list = STR_INIT;
	size_t i;

	if (str_has_word("mode options", p->name) &&
	    kt_instance_read_words(inst, p->file, " []\n", &words, NULL) == 0) {
		/* options that are off are listed as NO_… */
		for (i = 0; i < words.nr; i++)
			str_addf(&list, " %s",
				 words.names[i] + 3 * str_starts(words.names[i], "NO_"));
		kt_err_wrap(err, -EINVAL, "%s has no '%s', only:%s", p->name, value, list.buf);
	}
	str_fini(&list);
	kt_names_fini(&words);
}

int kt_instance_set_param(struct kt_instance *inst, const char *tracer, const char *name,
			  const char *value, struct kt_err *err)
{
	const struct kt_tracer_param *p = find_param(tracer, name);
	int ret;

	if (!p)
		return unknown(tracer, name, err);
	if (p->read_only && strcmp(value, "0") != 0)
		return kt_err_set(err, -EINVAL, "'%s' is a result: it can only be set back to 0",
				  name);
	ret = kt_instance_write(inst, p->file, value, err);
	if (ret == -EINVAL) {
		explain_window(inst, p, value, err);
		explain_choice(inst, p, value, err);
	}
	return ret;
}
