/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timer.c - what fires when, in time instead of nanoseconds and jiffies */
#include <ktrail/plugin.h>

/* Source: Linux, include/linux/hrtimer.h */
static const struct kt_name modes[] = {
	{ 0, "absolute", 1 },  { 1, "relative", 1 }, { 2, "pinned", 0 },
	{ 4, "soft", 0 },      { 8, "hard", 0 },     { 0, NULL, 0 },
};

static const struct kt_name clocks[] = {
	{ 0, "CLOCK_REALTIME", 0 },  { 1, "CLOCK_MONOTONIC", 0 },
	{ 2, "CLOCK_PROCESS_CPUTIME_ID", 0 }, { 3, "CLOCK_THREAD_CPUTIME_ID", 0 },
	{ 4, "CLOCK_MONOTONIC_RAW", 0 }, { 7, "CLOCK_BOOTTIME", 0 },
	{ 8, "CLOCK_REALTIME_ALARM", 0 }, { 9, "CLOCK_BOOTTIME_ALARM", 0 }, { 11, "CLOCK_TAI", 0 },
	{ 0, NULL, 0 },
};

static const struct kt_name itimers[] = {
	{ 0, "ITIMER_REAL", 0 }, { 1, "ITIMER_VIRTUAL", 0 }, { 2, "ITIMER_PROF", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "mode", KT_TABLE_FLAGS, modes },
	{ "clock", KT_TABLE_ENUM, clocks },
	{ "itimer", KT_TABLE_ENUM, itimers },
	{ NULL, 0, NULL },
};

static const struct kt_phrase phrases[] = {
	{ "timer/hrtimer_init", "{hrtimer|symbol} on {clockid|clock}, {mode|mode}" },
	{ "timer/hrtimer_setup", "{hrtimer|symbol} on {clockid|clock}, {mode|mode}" },
	{ "timer/hrtimer_start",
	  "{function|symbol} at {expires|seconds}, {mode|mode}{?was_armed , was armed}" },
	{ "timer/hrtimer_start", "{function|symbol} at {expires|seconds}, {mode|mode}" },
	{ "timer/hrtimer_start", "{function|symbol} at {expires|seconds}" },
	{ "timer/hrtimer_expire_entry", "{function|symbol} fires at {now|seconds}" },
	{ "timer/hrtimer_expire_exit", "{hrtimer|symbol} is done" },
	{ "timer/hrtimer_cancel", "{hrtimer|symbol} is cancelled" },
	{ "timer/timer_init", "{timer|symbol}" },
	{ "timer/timer_expire_entry", "{function|symbol} fires at jiffy {now}" },
	{ "timer/timer_expire_exit", "{timer|symbol} is done" },
	{ "timer/timer_cancel", "{timer|symbol} is cancelled" },
	{ "timer/itimer_state", "{which|itimer} {value_sec}s{!expires , disarmed}" },
	{ "timer/itimer_expire", "{which|itimer} of {pid|comm} fires" },
	{ "timer/tick_stop", "{?success the tick stops}{!success the tick stays: {dependency|kernel}}" },
	{ NULL, NULL },
};

/* Timers count in jiffies; what matters is how many are left, and where. */
static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	uint64_t expires, now, function, flags;
	int64_t left;

	(void)self;
	if (host->field_u64(rec, "expires", &expires) < 0 || host->field_u64(rec, "now", &now) < 0 ||
	    host->field_u64(rec, "function", &function) < 0)
		return KT_PLUGIN_PASS;
	host->value(rec, out, "symbol", function);
	left = (int64_t)(expires - now);
	host->print(out, " in %lld %s", (long long)left, left == 1 ? "jiffy" : "jiffies");
	if (host->field_u64(rec, "flags", &flags) == 0)
		host->print(out, " on CPU %llu", (unsigned long long)flags & 0x3ffff);
	return 0;
}

static const char *const events[] = { "timer/*", NULL };

KT_PLUGIN(.name = "timer", .summary = "timers by function, clock and time left", .events = events,
	  .format = format, .phrases = phrases, .tables = tables);
