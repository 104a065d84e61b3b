/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* clock.c - the clock of a trace's time stamps */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
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
	{ "perf", "the clock of perf: to compare a trace with perf's samples" },
	{ "mono", "CLOCK_MONOTONIC, adjusted by NTP: to compare with programs" },
	{ "mono_raw", "CLOCK_MONOTONIC_RAW: as mono, without NTP's adjustments" },
	{ "boot", "CLOCK_BOOTTIME: as mono, continues in suspend" },
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
	return kt_instance_read_words(inst, "trace_clock", " []\n", out, err);
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
		kt_err_no_memory(err);
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
	/* Writing even the same clock empties the buffer. A dry, new one has the default. */
	now = instance_is_dry(inst) && instance_is_new(inst) ?
	      NULL : kt_instance_clock(inst, NULL);
	if (!now || strcmp(now, name) != 0)
		ret = kt_instance_write(inst, "trace_clock", name, err);
	free(now);
out:
	kt_names_fini(&have);
	return ret;
}

/* The counters of a CPU contain it: "now ts: 18.999333", or a plain number of another clock */
int64_t kt_instance_now(struct kt_instance *inst)
{
	int *cpus = NULL, nr = kt_instance_cpus(inst, &cpus, NULL);
	char file[64];
	char *text, *at;
	int64_t now = -1;

	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", nr > 0 ? cpus[0] : 0);
	free(cpus);
	text = kt_instance_read(inst, file, NULL);
	at = text ? strstr(text, "now ts:") : NULL;
	if (at) {
		now = strtoll(at + strlen("now ts:"), &at, 10);
		if (*at == '.')
			now = now * 1000000000 + strtoll(at + 1, NULL, 10) * 1000;
	}
	free(text);
	return now;
}

static bool is_in_ns(struct kt_instance *inst)
{
	static const char names[] = "local global perf mono mono_raw boot tai";
	char *clock = kt_instance_clock(inst, NULL);
	bool is = clock && str_has_word(names, clock);

	free(clock);
	return is;
}

int64_t kt_instance_wall(struct kt_instance *inst)
{
	int64_t best = INT64_MAX, now, wall;
	struct timespec t;
	int i;

	/* Of a few measurements, the one with the shortest delay is used. */
	for (i = 0; i < 5 && is_in_ns(inst); i++) {
		now = kt_instance_now(inst);
		clock_gettime(CLOCK_REALTIME, &t);
		wall = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
		if (now > 0 && wall - now < best)
			best = wall - now;
	}
	return best == INT64_MAX ? -1 : best;
}
