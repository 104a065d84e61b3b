/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* settings.c - settings that are one number or one list of pids */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpumask.h"
#include "setting/setting.h"

int kt_instance_set_tracing(struct kt_instance *inst, bool on, struct kt_err *err)
{
	return kt_instance_write(inst, "tracing_on", on ? "1" : "0", err);
}

int kt_instance_is_tracing(const struct kt_instance *inst, struct kt_err *err)
{
	long long on;
	int ret = kt_instance_read_number(inst, "tracing_on", &on, err);

	return ret < 0 ? ret : on != 0;
}

int kt_instance_set_cpumask(struct kt_instance *inst, const char *hex, struct kt_err *err)
{
	char text[CPUMASK_MAX / 4 + CPUMASK_MAX / 32 + 1];
	struct cpumask mask;
	int nr, *cpus, ret;

	/* The kernel refuses CPUs that can never exist, so "all" must be exact. */
	nr = kt_instance_cpus(inst, &cpus, err);
	if (nr < 0)
		return nr;
	ret = cpumask_parse_hex(&mask, hex, nr ? cpus[nr - 1] + 1 : 1, err);
	free(cpus);
	if (ret < 0)
		return ret;
	cpumask_format_hex(&mask, text, sizeof(text));
	return kt_instance_write(inst, "tracing_cpumask", text, err);
}

int kt_instance_set_event_pids(struct kt_instance *inst, const char *pids, struct kt_err *err)
{
	return kt_instance_write(inst, "set_event_pid", pids, err);
}

int kt_instance_set_function_pids(struct kt_instance *inst, const char *pids, struct kt_err *err)
{
	int ret = instance_try_write(inst, "set_ftrace_pid", pids, err);

	return ret < 0 ? ret : 0;
}
