/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* osnoise.c - results of the osnoise and timerlat tracers */
#include <ktrail/plugin.h>

static const struct kt_name contexts[] = {
	{ 0, "interrupt", 0 }, { 1, "thread", 0 }, { 2, "user space", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "context", KT_TABLE_ENUM, contexts },
	{ NULL, 0, NULL },
};

static const struct kt_phrase phrases[] = {
	{ "ftrace/osnoise", "noise {noise|time} in {runtime|time}, longest {max_sample|time}: "
	  "{hw_count} hardware, {nmi_count} NMI, {irq_count} irq, {softirq_count} softirq, "
	  "{thread_count} thread{*}" },
	{ "ftrace/timerlat", "timer {seqnum}: {context|context} after {timer_latency|time}{*}" },
	{ "osnoise/irq_noise",
	  "{desc} (irq {vector}) took {duration|time} from {start|seconds}{*}" },
	{ "osnoise/softirq_noise",
	  "softirq {vector|kernel} took {duration|time} from {start|seconds}{*}" },
	{ "osnoise/thread_noise", "{comm}:{pid} took {duration|time} from {start|seconds}{*}" },
	{ "osnoise/nmi_noise", "an NMI took {duration|time} from {start|seconds}{*}" },
	{ "osnoise/sample_threshold",
	  "sample of {duration|time} from {start|seconds}, {interference} interferences{*}" },
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "noise", "ftrace/osnoise", KT_COLUMN_TIME_NS, "noise", "in one period" },
	{ "longest", "ftrace/osnoise", KT_COLUMN_TIME_NS, "max_sample", "single noise" },
	{ "latency", "ftrace/timerlat", KT_COLUMN_TIME_NS, "timer_latency", "of the timer" },
	{ "duration", "osnoise/*", KT_COLUMN_TIME_NS, "duration", "of the noise" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "ftrace/osnoise", "ftrace/timerlat", "osnoise/*", NULL };

KT_PLUGIN(.name = "osnoise", .summary = "noise and latency in time", .events = events,
	  .phrases = phrases, .tables = tables, .columns = columns);
