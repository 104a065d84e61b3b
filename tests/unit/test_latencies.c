/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_latencies.c - distributions of known times, and the reports of latency tracers */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/trace.h>
#include <ktrail/views.h>

#include "kt_reading.h"
#include "kt_test.h"
#include "latency/dist.h"

enum { TIMERLAT = 17, HWLAT = 15, IRQ_ENTRY = 23, IRQ_EXIT, PING, PONG };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_numbers(d, "ftrace", "timerlat", 17, "seqnum context timer_latency");
	kt_dat_numbers(d, "ftrace", "hwlat", 15, "duration outer_duration");
	kt_dat_numbers(d, "irq", "irq_handler_entry", 23, "irq");
	kt_dat_numbers(d, "irq", "irq_handler_exit", 24, "irq ret");
	kt_dat_numbers(d, "test", "ping", 25, "id");
	kt_dat_numbers(d, "test", "pong", 26, "who");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void put(struct kt_dat *d, uint64_t ts, int id, uint64_t a, uint64_t b, uint64_t c)
{
	kt_dat_begin(d, (uint16_t)id, 7);
	kt_dat_int(d, 8, a);
	kt_dat_int(d, 8, b);
	kt_dat_int(d, 8, c);
	kt_dat_end(d, ts);
}

static void irq(struct kt_dat *d, uint64_t ts, uint64_t number, uint64_t ns)
{
	put(d, ts, IRQ_ENTRY, number, 0, 0);
	put(d, ts + ns, IRQ_EXIT, number, 1, 0);
}

static void read_all(struct kt_latencies *l)
{
	while (kt_latencies_work(l, 10))
		;
	assert_true(kt_latencies_done(l) >= 1);
	assert_false(kt_latencies_is_partial(l));
}

static struct kt_latencies *latencies_of(struct kt_model *m, enum kt_latency_kind kind,
					 const char *pair, uint64_t from, uint64_t until)
{
	const struct kt_window w = { from, until };
	struct kt_latencies *l = kt_latencies_create(m, NULL);
	struct kt_err err = { 0 };

	kt_latencies_set(l, kind, pair, &w, &err);
	CHECK_NO_ERR(&err);
	read_all(l);
	return l;
}

static struct kt_latency_row row_at(const struct kt_latencies *l, size_t i)
{
	struct kt_latency_row row;

	assert_true(kt_latencies_row(l, i, &row));
	return row;
}

static void check_near(uint64_t value, uint64_t expected)
{
	if ((double)value < (double)expected * 0.984 || (double)value > (double)expected * 1.016)
		fail_msg("%" PRIu64 " is not within 1.6 %% of %" PRIu64, value, expected);
}

/* Interrupt 1 takes 1, 2 … 1000 us; interrupt 2 takes 5 us, three times */
static struct kt_model *irqs(void)
{
	struct kt_dat *d = begin_file();
	uint64_t ts = 1000000, i;

	for (i = 1; i <= 1000; i++, ts += 2000000)
		irq(d, ts, 1, (i * 617 % 1009 ? i * 617 % 1009 : 1) * 1000);
	for (i = 0; i < 3; i++, ts += 2000000)
		irq(d, ts, 2, 5000);
	return kt_dat_model(d);
}

TEST(buckets_hold_their_own_values)
{
	uint64_t ns;

	for (ns = 0; ns < 64; ns++)
		assert_int_equal(dist_bucket_value(dist_bucket(ns)), ns);
	for (ns = 64; ns < UINT64_MAX / 3; ns = ns * 3 / 2 + 1)
		check_near(dist_bucket_value(dist_bucket(ns)), ns);
	assert_true(dist_bucket(UINT64_MAX) < DIST_BUCKETS);
}

enum shape { UNIFORM, EXPONENTIAL, TWO_PEAKS };

/* A random value of the distribution @shape; the same values in each run */
static uint64_t draw(enum shape shape, uint64_t *seed)
{
	double share;

	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	share = (double)(*seed >> 11) / (double)(UINT64_C(1) << 53);
	switch (shape) {
	case UNIFORM:
		return (uint64_t)(share * 1e6);
	case EXPONENTIAL:
		return (uint64_t)(-20000 * log(1 - share));
	default:	/* 2 in 1000 take a thousand times as long as the others */
		return share < 0.998 ? 3000 + (uint64_t)(share * 1000) :
				       3000000 + (uint64_t)(share * 1e6);
	}
}

static int smaller_first(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* Compare with percentiles of all values, sorted */
TEST(percentiles_are_within_the_stated_error)
{
	static const double shares[] = { 0.5, 0.9, 0.99, 0.999 };
	enum { NR = 100000 };
	uint64_t *all = calloc(NR, sizeof(*all)), seed = 1;
	enum shape shape;
	struct dist d;
	size_t i;

	assert_non_null(all);
	for (shape = UNIFORM; shape <= TWO_PEAKS; shape++) {
		d = (struct dist){ 0 };
		for (i = 0; i < NR; i++) {
			all[i] = draw(shape, &seed);
			assert_int_equal(dist_add(&d, all[i], DIST_NO_MAP), 0);
		}
		qsort(all, NR, sizeof(*all), smaller_first);
		for (i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
			check_near(dist_quantile(&d, NR, shares[i]),
				   all[(size_t)ceil(shares[i] * NR) - 1]);
		dist_fini(&d);
	}
	free(all);
}

TEST(levels_are_1_2_5_10)
{
	unsigned int i;

	assert_int_equal(kt_latency_level_from(1), 1);
	assert_int_equal(kt_latency_level_from(3), 5);
	assert_int_equal(kt_latency_level_from(4), 10);
	for (i = 1; i < KT_LATENCY_LEVELS; i++) {
		assert_int_equal(kt_latency_level(kt_latency_level_from(i)), i);
		assert_int_equal(kt_latency_level(kt_latency_level_from(i) - 1), i - 1);
	}
}

TEST(a_row_has_the_numbers_of_its_distribution)
{
	struct kt_model *m = irqs();
	struct kt_latencies *l = latencies_of(m, KT_LATENCY_IRQ, NULL, 0, UINT64_MAX - 1);
	struct kt_latency_row r = row_at(l, 0);
	uint64_t sum = 0, hundreds = 0, i;

	/* i * 617 modulo the prime 1009: all from 1 to 1008 but nine of them */
	for (i = 1; i <= 1000; i++)
		sum += i * 617 % 1009 * 1000;
	for (i = 1; i <= 1000; i++)
		hundreds += i * 617 % 1009 / 100 == 1;
	assert_int_equal(kt_latencies_nr(l), 2);
	assert_int_equal(r.count, 1000);
	assert_int_equal(r.sum, sum);
	assert_int_equal(r.cut, 0);
	assert_true(r.min <= 9000 && r.max >= 1000000 && r.max <= 1008000);
	check_near(r.p50, 504000);
	check_near(r.p90, 907000);
	check_near(r.p99, 998000);
	assert_int_equal(r.worst.until - r.worst.from, r.max);
	assert_int_equal(r.levels[kt_latency_level(100000)], hundreds);
	r = row_at(l, 1);
	assert_int_equal(r.count, 3);
	assert_int_equal(r.min, 5000);
	assert_int_equal(r.p999, 5000);
	kt_latencies_destroy(l);
	kt_model_close(m);
}

TEST(a_level_lists_its_latencies_the_longest_first)
{
	struct kt_model *m = irqs();
	struct kt_latencies *l = latencies_of(m, KT_LATENCY_IRQ, NULL, 0, UINT64_MAX - 1);
	uint64_t nr = row_at(l, 0).levels[kt_latency_level(100000)], last = UINT64_MAX;
	size_t i;

	assert_int_equal(kt_latencies_list(l, 0, kt_latency_level(100000), NULL), 0);
	read_all(l);
	assert_int_equal(kt_latencies_nr_listed(l), nr);
	for (i = 0; i < nr; i++) {
		const struct kt_latency *one = kt_latencies_listed(l, i);

		assert_true(one->until - one->from <= last);
		assert_true(one->until - one->from >= 100000 && one->until - one->from < 200000);
		last = one->until - one->from;
	}
	assert_null(kt_latencies_listed(l, nr));
	kt_latencies_destroy(l);
	kt_model_close(m);
}

TEST(all_kinds_are_counted_at_once)
{
	struct kt_model *m = irqs();
	struct kt_latencies *l = latencies_of(m, KT_LATENCY_KINDS, NULL, 0, UINT64_MAX - 1);
	unsigned int kind;

	assert_int_equal(kt_latencies_nr(l), 0);
	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		assert_int_equal(kt_latencies_count(l, kind), kind == KT_LATENCY_IRQ ? 1003 : 0);
	kt_latencies_destroy(l);
	assert_int_equal(kt_model_add_filter(m, "irq == 2", false, NULL), 0);
	l = latencies_of(m, KT_LATENCY_KINDS, NULL, 0, UINT64_MAX - 1);
	assert_int_equal(kt_latencies_count(l, KT_LATENCY_IRQ), 3);
	kt_latencies_destroy(l);
	kt_model_close(m);
}

TEST(a_window_and_filters_choose_by_the_end)
{
	struct kt_model *m = irqs();
	struct kt_latencies *l = latencies_of(m, KT_LATENCY_IRQ, NULL, 0, 1000000 + 19 * 2000000);

	/* The 20th begins with the window's end: it is cut. */
	assert_int_equal(row_at(l, 0).count, 19);
	assert_int_equal(row_at(l, 0).cut, 1);
	kt_latencies_destroy(l);
	assert_int_equal(kt_model_add_filter(m, "irq == 2", false, NULL), 0);
	l = latencies_of(m, KT_LATENCY_IRQ, NULL, 0, UINT64_MAX - 1);
	assert_int_equal(kt_latencies_nr(l), 1);
	assert_int_equal(row_at(l, 0).count, 3);
	kt_latencies_destroy(l);
	kt_model_close(m);
}

TEST(a_pair_joins_events_by_a_field)
{
	struct kt_dat *d = begin_file();
	const struct kt_window w = { 0, 10000 };
	struct kt_latencies *l;
	struct kt_err err = { 0 };
	struct kt_model *m;

	put(d, 100, PING, 1, 0, 0);
	put(d, 150, PING, 2, 0, 0);
	put(d, 400, PONG, 2, 0, 0);		/* 250 */
	put(d, 500, PONG, 1, 0, 0);		/* 400 */
	m = kt_dat_model(d);
	l = latencies_of(m, KT_LATENCY_PAIR, "ping pong id=who", 0, 10000);
	assert_int_equal(row_at(l, 0).count, 2);
	assert_int_equal(row_at(l, 0).min, 250);
	assert_int_equal(row_at(l, 0).max, 400);
	assert_int_equal(kt_latencies_set(l, KT_LATENCY_PAIR, "ping nothing id", &w, &err),
		-ENOENT);
	assert_int_equal(kt_latencies_set(l, KT_LATENCY_PAIR, "ping", &w, &err), -EINVAL);
	assert_int_equal(row_at(l, 0).count, 2);	/* all is as before */
	kt_latencies_destroy(l);
	kt_model_close(m);
}

/* Measure a whole file in one pass */
static struct kt_latency_table *measure(struct kt_trace *t, const struct kt_latency_opts *o)
{
	struct kt_err err = { 0 };
	struct kt_latency_table *table = kt_latency_table_create(t, o, &err);

	CHECK_NO_ERR(&err);
	kt_pass_run(t, (struct kt_analysis *[]){ kt_latency_table_analysis(table) }, 1, NULL,
		    &err);
	CHECK_NO_ERR(&err);
	return table;
}

static int keep_key(void *data, enum kt_latency_kind kind, uint64_t key,
		    const struct kt_latency *one)
{
	uint64_t *keys = data;

	assert_int_equal(kind, KT_LATENCY_PAIR);
	keys[one->until == 500] = key;
	return 0;
}

TEST(each_latency_comes_with_the_key_of_its_row)
{
	static const struct kt_latency_step steps[] = {
		{ .event = "ping", .key = "id" }, { .event = "pong", .key = "who" },
	};
	uint64_t keys[2] = { 0 };
	struct kt_latency_opts o = {
		.kinds = 1u << KT_LATENCY_PAIR, .steps = steps, .nr_steps = 2, .by_key = true,
	};
	struct kt_dat *d = begin_file();
	struct kt_latency_table *table;
	struct kt_trace *t;

	put(d, 100, PING, 1, 0, 0);
	put(d, 200, PING, 2, 0, 0);
	put(d, 400, PONG, 1, 0, 0);
	put(d, 500, PONG, 2, 0, 0);
	t = kt_dat_trace(d);
	table = measure(t, &o);
	assert_int_equal(kt_latency_table_nr(table), 2);
	o.each = keep_key;
	o.data = keys;
	kt_latency_table_destroy(measure(t, &o));
	assert_int_equal(kt_latency_table_key(table, 0), keys[0]);
	assert_int_equal(kt_latency_table_key(table, 1), keys[1]);
	assert_int_not_equal(keys[0], keys[1]);
	kt_latency_table_destroy(table);
	kt_trace_destroy(t);
}

TEST(a_chain_lasts_from_its_first_event_to_its_last)
{
	static const struct kt_latency_step steps[] = {
		{ .event = "ping", .key = "id" }, { .event = "pong", .key = "who" },
		{ .event = "irq_handler_exit", .key = "irq" },
	};
	const struct kt_latency_opts o = {
		.kinds = 1u << KT_LATENCY_PAIR, .steps = steps, .nr_steps = 3, .by_key = true,
		.worst = 2,
	};
	struct kt_dat *d = begin_file();
	struct kt_latency_table *table;
	struct kt_latency_row row;
	struct kt_trace *t;

	put(d, 100, PING, 1, 0, 0);
	put(d, 200, PING, 2, 0, 0);
	put(d, 300, PONG, 1, 0, 0);
	put(d, 400, IRQ_EXIT, 2, 0, 0);		/* 2 has not reached its second step */
	put(d, 500, PONG, 2, 0, 0);
	put(d, 600, IRQ_EXIT, 1, 0, 0);		/* 500 */
	put(d, 800, IRQ_EXIT, 2, 0, 0);		/* 600 */
	put(d, 900, IRQ_EXIT, 2, 0, 0);		/* … and has ended */
	t = kt_dat_trace(d);
	table = measure(t, &o);
	assert_int_equal(kt_latency_table_nr(table), 2);
	assert_true(kt_latency_table_row(table, 0, &row));
	assert_string_equal(row.name, "id 1");
	assert_int_equal(row.max, 500);
	assert_true(kt_latency_table_row(table, 1, &row));
	assert_int_equal(row.count, 1);
	assert_int_equal(row.max, 600);
	assert_int_equal(kt_latency_table_worst(table, KT_LATENCY_PAIR, 0)->from, 200);
	assert_int_equal(kt_latency_table_worst(table, KT_LATENCY_PAIR, 1)->from, 100);
	assert_null(kt_latency_table_worst(table, KT_LATENCY_PAIR, 2));
	kt_latency_table_destroy(table);
	kt_trace_destroy(t);
}

static bool is_on_time(void *data, const struct kt_record *rec)
{
	return rec->ts <= *(const uint64_t *)data;
}

TEST(the_record_that_ends_one_says_whether_it_counts)
{
	uint64_t until = 250;
	const struct kt_latency_opts o = {
		.kinds = 1u << KT_LATENCY_IRQ, .counts = is_on_time, .data = &until,
	};
	struct kt_dat *d = begin_file();
	struct kt_latency_table *table;
	struct kt_latency_row row;
	struct kt_trace *t;

	irq(d, 100, 7, 50);
	irq(d, 200, 7, 40);
	irq(d, 300, 7, 30);
	t = kt_dat_trace(d);
	table = measure(t, &o);
	assert_true(kt_latency_table_row(table, 0, &row));
	assert_int_equal(row.count, 2);
	assert_int_equal(row.sum, 90);
	assert_int_equal(row.min, 40);
	kt_latency_table_destroy(table);
	kt_trace_destroy(t);
}

TEST(what_a_tracer_measured_is_in_its_events)
{
	struct kt_dat *d = begin_file();
	struct kt_latencies *l;
	struct kt_model *m;

	put(d, 1000000, TIMERLAT, 1, 0, 3000);
	put(d, 1010000, TIMERLAT, 1, 1, 9000);
	put(d, 2000000, TIMERLAT, 2, 0, 5000);
	put(d, 3000000, HWLAT, 12, 20, 0);	/* us */
	m = kt_dat_model(d);
	assert_int_equal(kt_latency_guess(m), KT_LATENCY_TRACER);
	l = latencies_of(m, KT_LATENCY_TRACER, NULL, 0, 10000000);
	assert_int_equal(kt_latencies_nr(l), 4);
	assert_string_equal(row_at(l, 0).name, "timerlat irq, CPU 0");
	assert_int_equal(row_at(l, 0).max, 5000);
	assert_int_equal(row_at(l, 0).worst.spot.ts, 2000000);
	assert_string_equal(row_at(l, 1).name, "timerlat thread, CPU 0");
	assert_int_equal(row_at(l, 1).max, 9000);
	assert_string_equal(row_at(l, 3).name, "hwlat outer, CPU 0");
	assert_int_equal(row_at(l, 3).max, 20000);
	kt_latencies_destroy(l);
	kt_model_close(m);
}

TEST(a_report_has_its_worst_step)
{
	static const char report[] =
		"# tracer: irqsoff\n#\n"
		"# latency: 259 us, #4/4, CPU#2 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:4)\n"
		"#    | task: ps-6143 (uid:0 nice:0 policy:0 rt_prio:0)\n"
		"#  => started at: __lock_task_sighand\n"
		"#  => ended at:   _raw_spin_unlock_irqrestore\n#\n"
		"      ps-6143    2d...    0us!: trace_hardirqs_off <-__lock_task_sighand\n"
		"      ps-6143    2d..1   10us : a\n"
		"      ps-6143    2d..1  250us+: trace_hardirqs_on\n"
		"      ps-6143    2d..1  306us : <stack trace>\n"
		" => trace_hardirqs_on\n";
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	struct kt_trace *t;
	struct kt_latency_text *text;
	struct kt_latency_head head;
	struct kt_latency_line line;

	kt_dat_text(d, "", report);
	t = kt_dat_trace(d);
	text = kt_latency_text_open(t, NULL);
	assert_non_null(text);
	head = kt_latency_text_head(text);
	assert_string_equal(head.tracer, "irqsoff");
	assert_string_equal(head.task, "ps-6143");
	assert_string_equal(head.started, "__lock_task_sighand");
	assert_string_equal(head.ended, "_raw_spin_unlock_irqrestore");
	assert_int_equal(head.us, 259);
	assert_int_equal(kt_latency_text_nr(text), 12);
	assert_int_equal(kt_latency_text_worst(text), 8);
	assert_true(kt_latency_text_line(text, 8, &line));
	assert_int_equal(line.us, 10);
	assert_int_equal(line.step, 240);
	assert_int_equal(kt_latency_text_event(text, 10, 1), 10);
	assert_int_equal(kt_latency_text_event(text, 11, -1), 10);
	assert_true(kt_latency_text_line(text, 11, &line));
	assert_true(line.us == KT_LATENCY_TEXT_NONE);
	assert_false(kt_latency_text_line(text, 12, &line));
	kt_latency_text_close(text);
	kt_trace_destroy(t);
}

TEST(a_report_of_nothing_is_no_trouble)
{
	static const char *const reports[] = { "", "\n", "# tracer:", "us :", "9us", "9us:",
		"9usx:" };
	struct kt_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(reports) / sizeof(*reports); i++) {
		struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
		struct kt_latency_text *text;
		struct kt_trace *t;

		kt_dat_text(d, "", reports[i]);
		t = kt_dat_trace(d);
		text = kt_latency_text_open(t, NULL);
		assert_non_null(text);
		assert_int_equal(kt_latency_text_worst(text), 0);
		kt_latency_text_close(text);
		kt_trace_destroy(t);
	}
	struct kt_trace *t = kt_dat_trace(begin_file());

	assert_null(kt_latency_text_open(t, &err));
	assert_int_equal(err.code, -ENOENT);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(buckets_hold_their_own_values),
		   unit(percentiles_are_within_the_stated_error), unit(levels_are_1_2_5_10),
		   unit(a_row_has_the_numbers_of_its_distribution),
		   unit(a_level_lists_its_latencies_the_longest_first),
		   unit(all_kinds_are_counted_at_once),
		   unit(a_window_and_filters_choose_by_the_end),
		   unit(a_pair_joins_events_by_a_field),
		   unit(each_latency_comes_with_the_key_of_its_row),
		   unit(a_chain_lasts_from_its_first_event_to_its_last),
		   unit(the_record_that_ends_one_says_whether_it_counts),
		   unit(what_a_tracer_measured_is_in_its_events),
		   unit(a_report_has_its_worst_step), unit(a_report_of_nothing_is_no_trouble));
}
