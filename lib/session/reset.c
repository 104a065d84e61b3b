/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reset.c - bring a buffer back to what it is after boot, or a part of it */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "session/job.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

/* Written only if they differ: a write costs time, and may be refused without need. */
static const struct {
	const char *file, *value;
	bool top_only;
} defaults[] = {
	{ "options/stacktrace", "0", false },
	{ "options/func_stack_trace", "0", false },
	{ "tracing_max_latency", "0", false },
	{ "max_graph_depth", "0", true },
	{ "tracing_thresh", "0", true },
};

static int clear_values(struct kt_instance *inst, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret >= 0 && i < sizeof(defaults) / sizeof(*defaults); i++) {
		char *now;

		if (defaults[i].top_only && *kt_instance_name(inst))
			continue;
		now = kt_instance_read(inst, defaults[i].file, NULL);
		if (now && strcmp(now, defaults[i].value) != 0)
			ret = instance_try_write(inst, defaults[i].file, defaults[i].value, err);
		free(now);
	}
	return ret < 0 ? ret : 0;
}

static int clear_lists(struct kt_instance *inst, int first, int last, struct kt_err *err)
{
	for (; first <= last; first++) {
		struct kt_err mine = { 0 };
		int ret = kt_instance_clear_functions(inst, first, &mine);

		if (ret < 0 && !kt_is_unavailable(ret))
			return ctl_pass(err, &mine);
	}
	return 0;
}

static int clear_functions(struct kt_instance *inst, struct kt_err *err)
{
	return clear_lists(inst, KT_FUNCTIONS_FILTER, KT_FUNCTIONS_NOTRACE, err);
}

static int clear_graphs(struct kt_instance *inst, struct kt_err *err)
{
	return clear_lists(inst, KT_FUNCTIONS_GRAPH, KT_FUNCTIONS_GRAPH_NOTRACE, err);
}

static int clear_trace(struct kt_instance *inst, struct kt_err *err)
{
	return kt_instance_poke(inst, "trace", "", err);
}

static int clear_errors(struct kt_instance *inst, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	int ret = kt_instance_poke(inst, "error_log", "", &mine);

	return ret < 0 && !kt_is_unavailable(ret) ? ctl_pass(err, &mine) : 0;
}

/* The reverse of the order in job_buffer.c: the tracer before its functions, since an empty list
 * means all functions, and events before their filters. */
static const struct {
	enum clear what;
	int (*clear)(struct kt_instance *inst, struct kt_err *err);
	int (*set)(struct kt_instance *inst, const char *value, struct kt_err *err);
	const char *value;
} steps[] = {
	{ CLEAR_TRACER, .set = kt_instance_set_tracer, .value = "nop" },
	{ CLEAR_EVENTS, kt_instance_clear_events, NULL, NULL },
	{ CLEAR_FILTERS, .set = kt_instance_clear_filters, .value = "all" },
	{ CLEAR_TRIGGERS, kt_instance_clear_triggers, NULL, NULL },
	{ CLEAR_FUNCTIONS, clear_functions, NULL, NULL },
	{ CLEAR_GRAPHS, clear_graphs, NULL, NULL },
	{ CLEAR_PIDS, ctl_clear_pids, NULL, NULL },
	{ CLEAR_VALUES, clear_values, NULL, NULL },
	{ CLEAR_VALUES, .set = kt_instance_set_clock, .value = "local" },
	{ CLEAR_VALUES, .set = kt_instance_set_cpumask, .value = "-1" },
	{ CLEAR_TRACE, clear_trace, NULL, NULL },
	{ CLEAR_ERRORS, clear_errors, NULL, NULL },
};

int instance_clear(struct kt_instance *inst, unsigned int what, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < sizeof(steps) / sizeof(*steps); i++)
		if (what & steps[i].what)
			ret = steps[i].set ? steps[i].set(inst, steps[i].value, err)
					   : steps[i].clear(inst, err);
	return ret;
}

/* The graph lists exist once, for all buffers. */
int kt_instance_reset(struct kt_instance *inst, struct kt_err *err)
{
	unsigned int what = CLEAR_ALL & ~(*kt_instance_name(inst) ? CLEAR_GRAPHS : 0);
	int ret = kt_instance_set_tracing(inst, false, err);

	if (ret == 0)
		ret = instance_clear(inst, what, err);
	return ret == 0 ? kt_instance_set_tracing(inst, true, err) : ret;
}
