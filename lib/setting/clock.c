/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* clock.c - what the timestamps of a trace count */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

static const struct {
	const char *name, *help;
} clocks[] = {
	{ "local", "nanoseconds, fastest; CPUs may differ slightly, stops in suspend (default)" },
	{ "global", "nanoseconds, the same on all CPUs; a little slower than local" },
	{ "counter", "counts events over all CPUs: their exact order, no time" },
	{ "uptime", "jiffies since boot: coarse" },
	{ "perf", "the clock of perf: to lay a trace beside perf's samples" },
	{ "mono", "CLOCK_MONOTONIC, adjusted by NTP: to compare with programs" },
	{ "mono_raw", "CLOCK_MONOTONIC_RAW: as mono, without NTP's adjustments" },
	{ "boot", "CLOCK_BOOTTIME: as mono, goes on in suspend" },
	{ "tai", "CLOCK_TAI: wall clock without leap seconds; may jump when it is set" },
	{ "x86-tsc", "raw cycles of the CPU: to compare guests with their host" },
	{ "ppc-tb", "raw ticks of the PowerPC timebase" },
	{ "s390-tod", "raw s390 TOD clock" },
};

const char *kt_clock_help(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(*clocks); i++)
		if (strcmp(clocks[i].name, name) == 0)
			return clocks[i].help;
	return NULL;
}

int kt_instance_clocks(const struct kt_instance *inst, struct kt_names *out, struct kt_err *err)
{
	char *have = kt_instance_read(inst, "trace_clock", err);
	int ret;

	if (!have)
		return kt_err_code(err, -ENOENT);
	ret = kt_names_add_words(out, have, " []\n");
	free(have);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

char *kt_instance_clock(const struct kt_instance *inst, struct kt_err *err)
{
	char *have = kt_instance_read(inst, "trace_clock", err);
	char *open, *name;

	if (!have)
		return NULL;
	open = strchr(have, '[');
	name = open ? strndup(open + 1, strcspn(open + 1, "]")) : strdup(have);
	if (!name)
		kt_err_set(err, -ENOMEM, "out of memory");
	free(have);
	return name;
}

int kt_instance_set_clock(struct kt_instance *inst, const char *name, struct kt_err *err)
{
	struct kt_names have = { 0 };
	char hint[SUGGEST_SIZE], *now;
	int ret;

	ret = kt_instance_clocks(inst, &have, err);
	if (ret < 0)
		goto out;
	if (have.nr > 1 && !kt_names_has(&have, name)) {
		ret = kt_err_set(err, -EINVAL, "no clock '%s' in this kernel%s", name,
				 suggest(name, suggest_from(&have), hint));
		goto out;
	}
	/* Writing even the same clock empties the buffer.
	 * What will only be made has the kernel's choice. */
	now = instance_is_dry(inst) && instance_is_new(inst) ?
	      NULL : kt_instance_clock(inst, NULL);
	if (!now || strcmp(now, name) != 0)
		ret = kt_instance_write(inst, "trace_clock", name, err);
	free(now);
out:
	kt_names_fini(&have);
	return ret;
}
