/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_columns.c - columns over whole traces against values counted by hand */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/analysis.h>

#include "kt_reading.h"
#include "kt_test.h"

static struct kt_plugins *plugins;

static int start(void **state)
{
	struct kt_err err = { 0 };

	(void)state;
	kt_built_plugins();
	plugins = kt_plugins_open(NULL, &err);
	CHECK_NO_ERR(&err);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	kt_plugins_close(plugins);
	return 0;
}

static struct kt_trace *open_trace(const char *name)
{
	const struct kt_stream_opts opts = { 0 };
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };

	kt_trace_add(t, kt_data(name), &opts, &err);
	CHECK_NO_ERR(&err);
	return t;
}

static const struct kt_column_row *find(struct kt_columns *c, const char *event, const char *column)
{
	const struct kt_column_row *r;
	size_t i;

	for (i = 0; (r = kt_columns_row(c, i)); i++)
		if (!strcmp(r->event, event) && !strcmp(r->column, column))
			return r;
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* All values of a field, sorted */
static size_t collect(const char *file, const char *event, const char *field, int64_t values[])
{
	struct kt_trace *t = open_trace(file);
	const struct kt_event *ev;
	struct kt_record rec;
	size_t nr = 0;

	while (kt_stream_next(kt_trace_stream(t), &rec, NULL) > 0) {
		ev = kt_trace_event(t, &rec);
		if (ev && !strcmp(ev->name, event) &&
		    kt_field_i64(ev, kt_event_field(ev, field), &rec, &values[nr]) == 0)
			nr++;
	}
	kt_trace_destroy(t);
	qsort(values, nr, sizeof(*values), by_value);
	return nr;
}

static void near(int64_t have, int64_t want)
{
	int64_t off = have > want ? have - want : want - have;

	if (off * 100 > 4 * (want < 0 ? -want : want))
		fail_msg("%lld is not near %lld", (long long)have, (long long)want);
}

static void check(const char *event, const char *column, const char *field)
{
	static int64_t values[20000];
	size_t nr = collect("6.12-events.dat", event, field, values), i;
	struct kt_trace *t = open_trace("6.12-events.dat");
	struct kt_err err = { 0 };
	struct kt_columns *c = kt_columns_create(t, plugins, &err);
	const struct kt_column_row *r;
	double total = 0;

	CHECK_NO_ERR(&err);
	kt_pass(t, kt_columns_analysis(c), NULL);
	r = find(c, event, column);
	assert_non_null(r);
	for (i = 0; i < nr; i++)
		total += values[i];
	assert_int_equal(r->count, nr);
	assert_int_equal(r->min, values[0]);
	assert_int_equal(r->max, values[nr - 1]);
	assert_true(r->total == total && r->average == total / nr);
	near(r->p50, values[(nr * 50 + 99) / 100 - 1]);
	near(r->p90, values[(nr * 90 + 99) / 100 - 1]);
	near(r->p99, values[(nr * 99 + 99) / 100 - 1]);
	kt_columns_destroy(c);
	kt_trace_destroy(t);
}

TEST(times_are_added_up)
{
	check("sched_stat_runtime", "runtime", "runtime");
}

TEST(so_are_numbers_below_zero)
{
	check("sys_exit_openat", "result", "ret");
	check("sys_exit_ioctl", "result", "ret");
}

TEST(windows_add_up_to_the_whole)
{
	struct kt_trace *t = open_trace("6.12-events.dat");
	struct kt_err err = { 0 };
	struct kt_columns *c = kt_columns_create(t, plugins, &err);
	const struct kt_window early = { 0, 127500000000 }, late = { 127500000001, UINT64_MAX };
	uint64_t first;

	kt_pass(t, kt_columns_analysis(c),
		&(struct kt_pass_opts){ .windows = &early, .nr_windows = 1 });
	first = find(c, "sched_stat_runtime", "runtime")->count;
	kt_pass(t, kt_columns_analysis(c),
		&(struct kt_pass_opts){ .windows = &late, .nr_windows = 1 });
	assert_true(first > 100 && first < 600);
	assert_int_equal(find(c, "sched_stat_runtime", "runtime")->count, 672);
	assert_null(find(c, "sched_switch", "runtime"));
	kt_columns_destroy(c);
	kt_trace_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(times_are_added_up),
		unit(so_are_numbers_below_zero),
		unit(windows_add_up_to_the_whole),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
