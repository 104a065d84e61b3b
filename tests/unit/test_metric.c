/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_metric.c - metrics: parsed, measured in files, with losses, and in many runs */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/latencies.h>

#include "kt_reading.h"
#include "kt_test.h"

/* ---- the language ---- */

static void refused(const char *text, const char *why)
{
	struct kt_err err = { 0 };

	assert_null(kt_metric_parse(text, &err));
	assert_int_equal(err.code, -EINVAL);
	if (!strstr(err.msg, why))
		fail_msg("%s: \"%s\" does not have \"%s\"", text, err.msg, why);
}

TEST(a_wrong_text_is_refused_with_its_place)
{
	refused("", "a figure is expected, as in p99(wakeup) < 200us, at character 1 of ''");
	refused("avrg(irq) < 1ms", "did you mean 'avg'?, at character 1");
	refused("p100(irq) < 1ms", "'p100' is not a figure");
	refused("p0(irq) < 1ms", "'p0' is not a figure");
	refused("p(irq) < 1ms", "'p' is not a figure");
	refused("max irq < 1ms", "'(' and a subject are expected");
	refused("max(irq < 1ms", "this parenthesis is not closed, at character 4");
	refused("max(irc) < 1ms", "did you mean 'irq'?, at character 5");
	refused("max(irq) 1ms", "a comparison is expected, as in p99(wakeup) < 200us, at character 10");
	refused("max(irq) < 5", "a time with a unit is expected, such as 200us, at character 12");
	refused("max(irq) == 5ms", "compare a time with <, <=, > or >=, at character 10");
	refused("count(irq) < 5ms", "a number is expected, such as 100, at character 14");
	refused("count(irq) < -5", "a number is expected");
	refused("count(irq) < nan", "a number is expected");
	refused("rate(irq) < 5/m", "such as 100 or 100/s");
	refused("errors(irq) == 0", "only 'syscall' has errors");
	refused("max(event a) < 1ms", "only count() and rate()");
	refused("count(event) < 1", "'event' needs a name");
	refused("count(event a b) < 1", "a filter follows a colon");
	refused("max(irq) < 1ms or max(irq) > 0", "'and' or the end is expected, at character 16");
	refused("max(irq) < 1ms and", "'and' or the end is expected");
	refused("max(irq) < 1ms and ", "a figure is expected");
}

/* Check @rows, "name limit; name limit", and @record, the options to record the events */
static void parsed(const char *text, const char *rows, const char *record)
{
	struct kt_err err = { 0 };
	struct kt_metric *m = kt_metric_parse(text, &err);
	struct kt_names args = { 0 };
	struct kt_metric_row row;
	char have[400] = "";
	size_t i;

	CHECK_NO_ERR(&err);
	for (i = 0; kt_metric_row(m, i, &row); i++)
		snprintf(have + strlen(have), sizeof(have) - strlen(have), "%s%s %s",
			 i ? "; " : "", row.name, row.limit_text);
	assert_string_equal(have, rows);
	assert_int_equal(kt_metric_record_args(m, &args, &err), 0);
	*have = '\0';
	for (i = 0; i < args.nr; i++)
		snprintf(have + strlen(have), sizeof(have) - strlen(have), "%s%s", i ? " " : "",
			 args.names[i]);
	assert_string_equal(have, record);
	kt_names_fini(&args);
	kt_metric_destroy(m);
}

TEST(parts_are_joined_by_and_and_each_event_is_recorded_once)
{
	parsed("p99.9(call vfs_*)<=1.5ms  and\tmax(call vfs_read) < 1s",
	       "p99.9(call vfs_*) <=1.5ms; max(call vfs_read) < 1s",
	       "-p function_graph -l vfs_* -l vfs_read");
	parsed("max(calls) < 1s and max(call vfs_read) < 1s", "max(calls) < 1s; "
	       "max(call vfs_read) < 1s", "-p function_graph");
	parsed("count(event a:b: (x == 1) && comm == \"a)b\") != 3",
	       "count(event a:b: (x == 1) && comm == \"a)b\") != 3", "-e a:b");
	parsed("rate(event a/b) > 10/s and avg(a:b -> c by x=y) > 0",
	       "rate(event a/b) > 10/s; avg(a:b -> c by x=y) > 0", "-e a:b -e c");
	parsed("errors(syscall read) == 0 and total(syscall) < 1s",
	       "errors(syscall read) == 0; total(syscall) < 1s",
	       "-e raw_syscalls:sys_enter -e raw_syscalls:sys_exit");
}

TEST(one_recording_has_one_tracer)
{
	struct kt_metric *m = kt_metric_parse("max(calls) < 1s", NULL);
	struct kt_names args = { 0 };
	struct kt_err err = { 0 };

	assert_int_equal(kt_metric_add(m, "max(tracer) < 1s", &err), 0);
	assert_int_equal(kt_metric_record_args(m, &args, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "'function_graph' and 'timerlat'"));
	kt_names_fini(&args);
	/* An invalid metric adds nothing. */
	assert_int_equal(kt_metric_add(m, "max(irq) < 1s and max(x) < 1s", NULL), -EINVAL);
	assert_false(kt_metric_row(m, 2, &(struct kt_metric_row){ 0 }));
	kt_metric_destroy(m);
}

/* ---- measured ---- */

enum { ENTER = 20, EXIT, TICK };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_numbers(d, "raw_syscalls", "sys_enter", 20, "id");
	kt_dat_numbers(d, "raw_syscalls", "sys_exit", 21, "id ret");
	kt_dat_numbers(d, "a", "tick", 22, "n");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void put(struct kt_dat *d, uint64_t ts, int id, uint64_t ret)
{
	kt_dat_begin(d, (uint16_t)id, 42);
	kt_dat_int(d, 8, id == TICK ? ret : 1);
	kt_dat_int(d, 8, ret);
	kt_dat_end(d, ts);
}

static void call(struct kt_dat *d, uint64_t *ts, uint64_t ns, int64_t ret)
{
	put(d, *ts, ENTER, 0);
	put(d, *ts + ns, EXIT, (uint64_t)ret);
	*ts += ns + 10;
}

static enum kt_verdict verdict_of(struct kt_trace *t, const char *text, uint64_t duration_ns,
				  struct kt_metric_row *row, char why[200])
{
	const struct kt_metric_opts o = { .duration_ns = duration_ns };
	struct kt_err err = { 0 };
	struct kt_metric *m = kt_metric_parse(text, &err);
	struct kt_analysis *const *list;
	enum kt_verdict v;
	size_t nr;

	CHECK_NO_ERR(&err);
	assert_int_equal(kt_metric_open(m, t, &o, &err), 0);
	list = kt_metric_analyses(m, &nr);
	assert_int_equal(kt_pass_run(t, list, nr, NULL, &err), 0);
	v = kt_metric_verdict(m);
	kt_metric_row(m, 0, row);
	snprintf(why, 200, "%s", row->why ? row->why : "");
	kt_metric_destroy(m);
	return v;
}

static void judged(struct kt_trace *t, const char *text, enum kt_verdict wanted, double value)
{
	struct kt_metric_row row;
	char why[200];
	enum kt_verdict v = verdict_of(t, text, 1000000000, &row, why);

	if (v != wanted)
		fail_msg("%s %s: %f, %s", text, kt_verdict_text(v), row.value, why);
	if (!isnan(value) && fabs(row.value - value) > 1e-6)
		fail_msg("%s: %f instead of %f", text, row.value, value);
}

static void unknown(struct kt_trace *t, const char *text, const char *wanted)
{
	struct kt_metric_row row;
	char why[200];

	assert_int_equal(verdict_of(t, text, 0, &row, why), KT_VERDICT_UNKNOWN);
	if (!strstr(why, wanted))
		fail_msg("%s: \"%s\" does not have \"%s\"", text, why, wanted);
}

TEST(figures_are_those_of_the_samples)
{
	struct kt_dat *d = begin_file();
	struct kt_trace *t;
	uint64_t ts = 1000, i;

	for (i = 1; i <= 20; i++)
		call(d, &ts, i, i > 18 ? -2 : 0);
	for (i = 0; i < 5; i++)
		put(d, ts + i, TICK, i);
	t = kt_dat_trace(d);
	judged(t, "count(syscall) == 20", KT_VERDICT_HOLDS, 20);
	judged(t, "count(syscall) != 20", KT_VERDICT_FAILS, 20);
	judged(t, "errors(syscall) < 2", KT_VERDICT_FAILS, 2);
	judged(t, "total(syscall) <= 210ns", KT_VERDICT_HOLDS, 210);
	judged(t, "avg(syscall) < 11ns", KT_VERDICT_HOLDS, 10.5);
	judged(t, "min(syscall) >= 1ns", KT_VERDICT_HOLDS, 1);
	judged(t, "min(syscall) > 1ns", KT_VERDICT_FAILS, 1);
	judged(t, "max(syscall) < 20ns", KT_VERDICT_FAILS, 20);
	judged(t, "max(syscall) <= 20ns", KT_VERDICT_HOLDS, 20);
	judged(t, "p50(syscall) < 11ns", KT_VERDICT_HOLDS, 10);
	judged(t, "p50(syscall) < 10ns", KT_VERDICT_FAILS, 10);
	judged(t, "p95(syscall) <= 19ns", KT_VERDICT_HOLDS, 19);
	judged(t, "p95.1(syscall) <= 19ns", KT_VERDICT_FAILS, 20);
	judged(t, "p95(syscall) > 19ns", KT_VERDICT_FAILS, 19);
	judged(t, "p95(syscall) >= 19ns", KT_VERDICT_HOLDS, 19);
	judged(t, "rate(syscall) == 20/s", KT_VERDICT_HOLDS, 20);
	/* A count of events after one of latencies: each counts its own records. */
	judged(t, "count(syscall) == 20 and count(event a:tick: n > 2) == 2", KT_VERDICT_HOLDS, 20);
	judged(t, "count(event tick) == 5 and count(syscall) < 20", KT_VERDICT_FAILS, 5);
	judged(t, "count(event tick) == 5 and max(irq) < 1s", KT_VERDICT_UNKNOWN, 5);
	judged(t, "count(event tick) == 6 and max(irq) < 1s", KT_VERDICT_FAILS, 5);
	judged(t, "count(syscall comm==no) == 0", KT_VERDICT_HOLDS, 0);
	unknown(t, "max(syscall comm==no) < 1s", "there is no sample of 'syscall comm==no'");
	unknown(t, "errors(syscall comm==no) < 1", "there is no sample");
	unknown(t, "max(irq) < 1s", "its events were not recorded");
	unknown(t, "count(event b:tick) < 1", "its events were not recorded");
	unknown(t, "max(sys_enter -> tock) < 1s", "its events were not recorded");
	unknown(t, "max(sys_enter -> tick by id=no) < 1s", "no");
	unknown(t, "rate(syscall) < 1", "the recording has no duration");
	kt_trace_destroy(t);
}

TEST(a_field_that_an_event_does_not_have_is_an_error)
{
	struct kt_metric *m = kt_metric_parse("count(event tick: nothing > 2) == 2", NULL);
	struct kt_trace *t = kt_dat_trace(begin_file());
	struct kt_err err = { 0 };

	assert_int_equal(kt_metric_open(m, t, &(struct kt_metric_opts){ 0 }, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "nothing"));
	kt_metric_destroy(m);
	kt_trace_destroy(t);
}

/* 99 calls of 10 ns, one of 50 ns, and @lost lost events in between; @torn: one call is torn by
 * the loss */
static struct kt_trace *with_loss(int64_t lost, bool torn)
{
	struct kt_dat *d = begin_file();
	uint64_t ts = 1000, i;

	for (i = 0; i < 99; i++)
		call(d, &ts, 10, 0);
	if (torn)
		put(d, ts, ENTER, 0);
	kt_dat_lost(d, lost);
	if (torn)
		put(d, ts += 100000, EXIT, 0);
	call(d, &ts, 50, 0);
	return kt_dat_trace(d);
}

TEST(losses_that_could_change_the_answer_are_reported)
{
	struct kt_trace *t = with_loss(2, true);

	judged(t, "max(syscall) < 60ns", KT_VERDICT_UNKNOWN, 50);
	unknown(t, "max(syscall) < 60ns", "2 events were lost: they could change it");
	judged(t, "max(syscall) < 40ns", KT_VERDICT_FAILS, 50);
	judged(t, "max(syscall) > 40ns", KT_VERDICT_HOLDS, 50);
	judged(t, "min(syscall) < 40ns", KT_VERDICT_HOLDS, 10);
	judged(t, "min(syscall) > 5ns", KT_VERDICT_UNKNOWN, 10);
	judged(t, "p90(syscall) < 20ns", KT_VERDICT_HOLDS, 10);
	judged(t, "p99(syscall) < 20ns", KT_VERDICT_UNKNOWN, 10);
	judged(t, "p50(syscall) > 20ns", KT_VERDICT_FAILS, 10);
	/* 2 lost events belong to at most 4 calls, and one call was torn. */
	judged(t, "count(syscall) <= 105", KT_VERDICT_HOLDS, 100);
	judged(t, "count(syscall) <= 104", KT_VERDICT_UNKNOWN, 100);
	judged(t, "count(syscall) == 99", KT_VERDICT_FAILS, 100);
	judged(t, "count(syscall) == 103", KT_VERDICT_UNKNOWN, 100);
	judged(t, "count(syscall) != 103", KT_VERDICT_UNKNOWN, 100);
	judged(t, "errors(syscall) <= 5", KT_VERDICT_HOLDS, 0);
	judged(t, "errors(syscall) == 0", KT_VERDICT_UNKNOWN, 0);
	judged(t, "total(syscall) > 1000ns", KT_VERDICT_HOLDS, 1040);
	judged(t, "total(syscall) < 1100ns", KT_VERDICT_UNKNOWN, 1040);
	judged(t, "avg(syscall) > 9ns", KT_VERDICT_HOLDS, 10.4);
	judged(t, "avg(syscall) > 10ns", KT_VERDICT_UNKNOWN, 10.4);
	judged(t, "count(event sys_exit) <= 103", KT_VERDICT_HOLDS, 101);
	judged(t, "count(event sys_exit) <= 102", KT_VERDICT_UNKNOWN, 101);
	kt_trace_destroy(t);
	t = with_loss(-1, false);
	unknown(t, "p50(syscall) < 60ns", "an unknown number of events was lost");
	judged(t, "max(syscall) > 40ns", KT_VERDICT_HOLDS, 50);
	judged(t, "count(syscall) >= 100", KT_VERDICT_HOLDS, 100);
	judged(t, "count(syscall) < 1000", KT_VERDICT_UNKNOWN, 100);
	kt_trace_destroy(t);
}

/* ---- percentiles against sorting ---- */

static int compare_ns(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

TEST(a_percentile_is_judged_exactly)
{
	static const unsigned int percents[] = { 1, 10, 50, 90, 99 };
	uint64_t ns[300], ts, value, limit;
	unsigned int round, nr, i;
	struct kt_dat *d;
	struct kt_trace *t;
	char text[64];

	srandom(7);
	for (round = 0; round < 10; round++) {
		nr = 1 + (unsigned int)random() % 300;
		d = begin_file();
		for (i = 0, ts = 1000; i < nr; i++) {
			ns[i] = 1 + (uint64_t)random() % 100000;
			call(d, &ts, ns[i], 0);
		}
		t = kt_dat_trace(d);
		qsort(ns, nr, sizeof(*ns), compare_ns);
		for (i = 0; i < 5; i++) {
			value = ns[(percents[i] * nr + 99) / 100 - 1];
			limit = value + (uint64_t)(i % 3) - 1;
			snprintf(text, sizeof(text), "p%u(syscall) < %" PRIu64 "ns", percents[i],
				 limit ? limit : 1);
			judged(t, text, value < (limit ? limit : 1) ? KT_VERDICT_HOLDS
								    : KT_VERDICT_FAILS, NAN);
			snprintf(text, sizeof(text), "p%u(syscall) >= %" PRIu64 "ns", percents[i],
				 limit ? limit : 1);
			judged(t, text, value >= (limit ? limit : 1) ? KT_VERDICT_HOLDS
								     : KT_VERDICT_FAILS, NAN);
		}
		kt_trace_destroy(t);
	}
}

/* ---- many runs ---- */

TEST(runs_are_few_when_they_agree)
{
	const struct kt_sequential s = { .good = 0.1, .bad = 0.9, .error = 0.01 };

	assert_int_equal(kt_sequential_verdict(&s, 0, 0), KT_VERDICT_UNKNOWN);
	assert_int_equal(kt_sequential_verdict(&s, 2, 2), KT_VERDICT_UNKNOWN);
	assert_int_equal(kt_sequential_verdict(&s, 3, 3), KT_VERDICT_FAILS);
	assert_int_equal(kt_sequential_verdict(&s, 3, 0), KT_VERDICT_HOLDS);
	assert_int_equal(kt_sequential_verdict(&s, 4, 1), KT_VERDICT_UNKNOWN);
	assert_int_equal(kt_sequential_verdict(&s, 5, 1), KT_VERDICT_HOLDS);
	assert_int_equal(kt_sequential_verdict(&s, 5, 4), KT_VERDICT_FAILS);
}

TEST(shares_that_mean_nothing_are_refused)
{
	assert_int_equal(kt_sequential_check(&(struct kt_sequential){ 0.1, 0.9, 0.01 }, NULL), 0);
	assert_int_equal(kt_sequential_check(&(struct kt_sequential){ 0, 0.9, 0.01 }, NULL),
			 -EINVAL);
	assert_int_equal(kt_sequential_check(&(struct kt_sequential){ 0.5, 0.5, 0.01 }, NULL),
			 -EINVAL);
	assert_int_equal(kt_sequential_check(&(struct kt_sequential){ 0.1, 1, 0.01 }, NULL),
			 -EINVAL);
	assert_int_equal(kt_sequential_check(&(struct kt_sequential){ 0.1, 0.9, 0.5 }, NULL),
			 -EINVAL);
	assert_int_equal(kt_sequential_check(&(struct kt_sequential){ 0.1, 0.9, NAN }, NULL),
			 -EINVAL);
}

/* Wrong verdicts on 10000 commits, each with as many runs as needed; at most 1 % may be wrong */
static unsigned int wrong_verdicts(const struct kt_sequential *s, double fails, double *runs)
{
	enum kt_verdict v, right = fails > 0.5 * (s->good + s->bad) ? KT_VERDICT_FAILS
								    : KT_VERDICT_HOLDS;
	unsigned int commit, wrong = 0;
	uint64_t nr, failed;

	for (commit = 0, *runs = 0; commit < 10000; commit++) {
		v = KT_VERDICT_UNKNOWN;
		for (nr = failed = 0; v == KT_VERDICT_UNKNOWN; nr++) {
			failed += (double)random() / 2147483648.0 < fails;
			v = kt_sequential_verdict(s, nr + 1, failed);
		}
		wrong += v != right;
		*runs += (double)nr / 10000;
	}
	return wrong;
}

TEST(the_error_is_at_most_what_was_asked_for)
{
	static const struct kt_sequential rules[] = {
		{ 0.1, 0.9, 0.01 }, { 0.01, 0.2, 0.01 }, { 0.3, 0.7, 0.01 },
	};
	double runs;
	size_t i;

	srandom(11);
	for (i = 0; i < 3; i++) {
		/* If the true share of errors is 1 %, 1.3 % is seen once in 1000 times. */
		assert_in_range(wrong_verdicts(&rules[i], rules[i].good, &runs), 0, 130);
		assert_in_range(wrong_verdicts(&rules[i], rules[i].bad, &runs), 0, 130);
		if (i == 0)
			assert_true(runs > 3 && runs < 5);
	}
}

int main(void)
{
	return RUN(unit(a_wrong_text_is_refused_with_its_place),
		   unit(parts_are_joined_by_and_and_each_event_is_recorded_once),
		   unit(one_recording_has_one_tracer),
		   unit(figures_are_those_of_the_samples),
		   unit(a_field_that_an_event_does_not_have_is_an_error),
		   unit(losses_that_could_change_the_answer_are_reported),
		   unit(a_percentile_is_judged_exactly),
		   unit(runs_are_few_when_they_agree),
		   unit(shares_that_mean_nothing_are_refused),
		   unit(the_error_is_at_most_what_was_asked_for));
}
