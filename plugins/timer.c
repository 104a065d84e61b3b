/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timer.c - timers, with times in readable units */
#include <ktrail/plugin.h>

/* Source: Linux, include/linux/hrtimer.h */
static const struct kt_name modes[] = {
	{ 0, "absolute", 1 },  { 1, "relative", 1 }, { 2, "pinned", 0 },
	{ 4, "soft", 0 },      { 8, "hard", 0 },     { 0, NULL, 0 },
};

/* Source: Linux, include/linux/timer.h: bits 18 to 21 of the flags */
static const struct kt_name timer_flags[] = {
	{ 1, "migrating", 0 }, { 2, "deferrable", 0 }, { 4, "pinned", 0 }, { 8, "irqsafe", 0 },
	{ 0, NULL, 0 },
};

static const struct kt_name clocks[] = {
	{ 0, "CLOCK_REALTIME", 0 },  { 1, "CLOCK_MONOTONIC", 0 },
	{ 2, "CLOCK_PROCESS_CPUTIME_ID", 0 }, { 3, "CLOCK_THREAD_CPUTIME_ID", 0 },
	{ 4, "CLOCK_MONOTONIC_RAW", 0 }, { 7, "CLOCK_BOOTTIME", 0 },
	{ 8, "CLOCK_REALTIME_ALARM", 0 }, { 9, "CLOCK_BOOTTIME_ALARM", 0 }, { 11, "CLOCK_TAI", 0 },
	{ 0, NULL, 0 },
};

static const struct kt_name itimers[] = {
	{ 0, "ITIMER_REAL", 0 }, { 1, "ITIMER_VIRTUAL", 0 }, { 2, "ITIMER_PROF", 0 },
	{ 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "mode", KT_TABLE_FLAGS, modes },
	{ "flags", KT_TABLE_FLAGS, timer_flags },
	{ "clock", KT_TABLE_ENUM, clocks },
	{ "itimer", KT_TABLE_ENUM, itimers },
	{ NULL, 0, NULL },
};

/* The address of a timer connects its events, so it is always shown. */
#define HRTIMER "hrtimer {hrtimer|address}"
#define TIMER   "timer {timer|address}"

/* Timers count in jiffies; the remaining number and the CPU matter. */
static const struct kt_phrase phrases[] = {
	{ "timer/hrtimer_init", HRTIMER " on {clockid|clock}, {mode|mode}{*}" },
	{ "timer/hrtimer_setup", HRTIMER " on {clockid|clock}, {mode|mode}{*}" },
	{ "timer/hrtimer_start", "{function|symbol} at {expires|seconds}{?expires-softexpires "
	  ", may be {expires-softexpires|time} earlier}, {mode|mode}"
	  "{?was_armed , was armed}, " HRTIMER "{*}" },
	{ "timer/hrtimer_start", "{function|symbol} at {expires|seconds}, " HRTIMER "{*}" },
	{ "timer/hrtimer_expire_entry",
	  "{function|symbol} fires at {now|seconds}, " HRTIMER "{*}" },
	{ "timer/hrtimer_expire_exit", HRTIMER " is done{*}" },
	{ "timer/hrtimer_cancel", HRTIMER " is cancelled{*}" },
	{ "timer/timer_start", "{function|symbol} at jiffy {expires}, {expires-now} left, on CPU "
	  "{flags:0-17}, {?flags:18-21 {flags:18-21|flags}, }index {flags:22-31}, " TIMER "{*}" },
	{ "timer/timer_start",
	  "{function|symbol} at jiffy {expires}, {expires-now} left, " TIMER "{*}" },
	{ "timer/timer_init", TIMER "{*}" },
	{ "timer/timer_expire_entry", "{function|symbol} fires at jiffy {now}"
	  "{?now-baseclk , {now-baseclk} late}, " TIMER "{*}" },
	{ "timer/timer_expire_entry", "{function|symbol} fires at jiffy {now}, " TIMER "{*}" },
	{ "timer/timer_expire_exit", TIMER " is done{*}" },
	{ "timer/timer_cancel", TIMER " is cancelled{*}" },
	{ "timer/itimer_expire", "{which|itimer} of {pid|comm} fires at {now}{*}" },
	{ "timer/itimer_state",
	  "{which|itimer}{?value_sec  in {value_sec} s{?value_nsec  {value_nsec|time}}}{!value_sec "
	  "{?value_nsec  in {value_nsec|time}}{!value_nsec  disarmed}}{?expires , expires at "
	  "{expires}}{*}" },
	{ "timer/tick_stop",
	  "{?success the tick stops}{!success the tick stays: {dependency|kernel}}{*}" },
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "timeout", "timer/timer_start", KT_COLUMN_NUMBER, "expires-now",
	  "jiffies until it fires" },
	{ "slack", "timer/hrtimer_start", KT_COLUMN_TIME_NS, "expires-softexpires",
	  "how much earlier it may fire" },
	{ "late", "timer/timer_expire_entry", KT_COLUMN_NUMBER, "now-baseclk", "jiffies too late" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "timer/*", NULL };

KT_PLUGIN(.name = "timer", .summary = "timers by function, clock and time left", .events = events,
	  .phrases = phrases, .tables = tables, .columns = columns);
