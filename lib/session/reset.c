/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reset.c - bring a buffer back to what it is after boot */
#include <ktrail/instance.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/selection.h>
#include <ktrail/settings.h>

#include "setting/setting.h"
#include "tracefs/tracefs.h"

/* Written only where they differ: a write costs, and may be refused where nothing is to do. */
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

static int reset_values(struct kt_instance *inst, struct kt_err *err)
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

static int reset_functions(struct kt_instance *inst, struct kt_err *err)
{
	int list, ret;

	for (list = KT_FUNCTIONS_FILTER; list <= KT_FUNCTIONS_GRAPH_NOTRACE; list++) {
		struct kt_err mine = { 0 };

		/* The graph lists exist once, for all buffers. */
		if (list >= KT_FUNCTIONS_GRAPH && *kt_instance_name(inst))
			break;
		ret = kt_instance_clear_functions(inst, list, &mine);
		if (ret < 0 && !kt_is_unavailable(ret))
			return ctl_pass(err, &mine);
	}
	return 0;
}

int kt_instance_reset(struct kt_instance *inst, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	int ret;

	ret = kt_instance_set_tracing(inst, false, err);
	if (ret == 0)
		ret = kt_instance_set_tracer(inst, "nop", err);
	if (ret == 0)
		ret = kt_instance_clear_events(inst, err);
	if (ret == 0)
		ret = kt_instance_clear_filters(inst, "all", err);
	if (ret == 0)
		ret = kt_instance_clear_triggers(inst, err);
	if (ret == 0)
		ret = reset_functions(inst, err);
	if (ret == 0)
		ret = ctl_clear_pids(inst, err);
	if (ret == 0)
		ret = reset_values(inst, err);
	if (ret == 0)
		ret = kt_instance_set_clock(inst, "local", err);
	if (ret == 0)
		ret = kt_instance_set_cpumask(inst, "-1", err);
	if (ret == 0)
		ret = kt_instance_poke(inst, "trace", "", err);
	if (ret == 0 && kt_instance_poke(inst, "error_log", "", &mine) < 0 &&
	    !kt_is_unavailable(mine.code))
		ret = ctl_pass(err, &mine);
	return ret == 0 ? kt_instance_set_tracing(inst, true, err) : ret;
}
