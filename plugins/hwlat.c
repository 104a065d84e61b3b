/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* hwlat.c - latencies caused by the hardware */
#include <ktrail/plugin.h>

/* All times are in microseconds, except for the NMI time. Source: Linux, trace_hwlat.c. */
static const struct kt_phrase phrases[] = {
	{ "ftrace/hwlat",
	  "gap of {duration|time_us} inside, {outer_duration|time_us} outside of the loop{?count , "
	  "{count} times}{?nmi_count ; {nmi_count} NMIs took {nmi_total_ts|time}}{*}" },
	{ "ftrace/hwlat", "gap of {duration|time_us} inside, {outer_duration|time_us} outside{*}" },
	{ NULL, NULL },
};

static int column(void *self, const struct kt_host *host, const struct kt_record *rec,
		  const char *name, uint64_t *value)
{
	uint64_t inner, outer;
	int ret = host->field_u64(rec, "duration", &inner);

	(void)self;
	(void)name;
	if (ret == 0)
		ret = host->field_u64(rec, "outer_duration", &outer);
	if (ret == 0)
		*value = (inner > outer ? inner : outer) * 1000;
	return ret;
}

static const struct kt_column columns[] = {
	{ "latency", "ftrace/hwlat", KT_COLUMN_TIME_NS, NULL, "the larger of the two gaps" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "ftrace/hwlat", NULL };

KT_PLUGIN(.name = "hwlat", .summary = "hardware latencies", .events = events,
	  .phrases = phrases, .columns = columns, .column = column);
