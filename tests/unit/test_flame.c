/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_flame.c - calls and stacks merged into one tree: known times and counts of each frame */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/views.h>

#include "base/str.h"
#include "kt_calls.h"
#include "kt_reading.h"
#include "kt_test.h"

enum { STACK = 4, USER_STACK = 12, SWITCH = 20, WAKING, PING };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_calls_describe(d);
	kt_dat_meta(d, KT_META_CMDLINES, "7 seven\n8 eight\n");
	kt_dat_numbers(d, "ftrace", "kernel_stack", 4, "size caller[8]");
	kt_dat_numbers(d, "ftrace", "user_stack", 12, "tgid caller[8]");
	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_numbers(d, "sched", "sched_waking", 21, "pid prio");
	kt_dat_numbers(d, "test", "ping", 22, "id");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void put(struct kt_dat *d, uint64_t ts, int id, int pid, const uint64_t *values, size_t nr)
{
	kt_dat_begin(d, (uint16_t)id, pid);
	while (nr-- > 0)
		kt_dat_int(d, 8, *values++);
	kt_dat_end(d, ts);
}
#define PUT(d, ts, id, pid, ...)							\
	put(d, ts, id, pid, (const uint64_t[]){ __VA_ARGS__ },				\
	    sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

static struct kt_dat *calls(void)
{
	struct kt_dat *d = begin_file();

	kt_calls_sample(d);
	return d;
}

static struct kt_flame *flame_of(struct kt_model *m, enum kt_flame_kind kind, uint64_t from,
				 uint64_t until)
{
	const struct kt_window w = { from, until };
	struct kt_flame *f = kt_flame_create(m, NULL);

	assert_non_null(f);
	assert_int_equal(kt_flame_set(f, kind, &w, NULL), 0);
	while (kt_flame_work(f, 10))
		;
	assert_true(kt_flame_done(f) >= 1);
	assert_false(kt_flame_is_partial(f));
	return f;
}

static void add_frame(const struct kt_flame *f, uint32_t i, bool by_count, struct str *s)
{
	struct kt_flame_frame frame, child;
	uint32_t k;

	assert_true(kt_flame_frame(f, i, &frame));
	str_addf(s, "%s %" PRIu64, frame.name, by_count ? frame.count : frame.time);
	if (frame.first == KT_FLAME_NONE)
		return;
	str_add(s, " {");
	for (k = frame.first; k != KT_FLAME_NONE; k = child.next) {
		assert_true(kt_flame_frame(f, k, &child));
		assert_int_equal(child.parent, i);
		str_addc(s, ' ');
		add_frame(f, k, by_count, s);
	}
	str_add(s, " }");
}

static void check(struct kt_flame *f, bool by_count, const char *expected)
{
	struct str s = STR_INIT;

	kt_flame_order(f, by_count);
	add_frame(f, 0, by_count, &s);
	assert_string_equal(s.buf, expected);
	str_fini(&s);
}

/* Of the whole trace, and closed after that */
static void check_kind(struct kt_model *m, enum kt_flame_kind kind, bool by_count,
		       const char *expected)
{
	struct kt_flame *f = flame_of(m, kind, 0, UINT64_MAX - 1);

	check(f, by_count, expected);
	kt_flame_destroy(f);
}

TEST(calls_of_the_same_path_add_up_and_the_longest_comes_first)
{
	struct kt_model *m = kt_dat_model(calls());
	struct kt_flame *f = flame_of(m, KT_FLAME_CALLS, 0, 1000);
	struct kt_flame_frame frame;

	assert_int_equal(kt_flame_guess(m), KT_FLAME_CALLS);
	check(f, false, "all 153 { seven 103 { a 100 { b 70 { c 30 d 5 } c 1 } b 3 } "
			"eight 50 { a 50 { d 30 } } }");
	assert_true(kt_flame_is_timed(f));
	check(f, true, "all 10 { seven 8 { a 7 { b 5 { c 2 d 1 } c 1 } b 1 } "
		       "eight 2 { a 2 { d 1 } } }");
	kt_flame_frame(f, 0, &frame);
	kt_flame_frame(f, frame.first, &frame);		/* seven */
	kt_flame_frame(f, frame.first, &frame);		/* a */
	assert_int_equal(frame.own_time, 29);
	assert_int_equal(frame.own_count, 1);
	kt_flame_destroy(f);
	kt_model_close(m);
}

TEST(calls_that_began_before_the_window_count_from_its_begin)
{
	struct kt_model *m = kt_dat_model(calls());
	struct kt_flame *f = flame_of(m, KT_FLAME_CALLS, 130, 205);

	/* d ends at 130, b at 140, a at 200 */
	check(f, false, "all 70 { seven 70 { a 70 { b 50 { c 20 d 0 } c 1 } } }");
	kt_flame_destroy(f);
	kt_model_close(m);
}

/* a(1000) in task 7, which sleeps in it from 200 to 900 */
TEST(a_call_that_slept_when_the_window_began_counts_from_when_it_had_a_cpu)
{
	struct kt_dat *d = begin_file();
	struct kt_model *m;
	struct kt_flame *f;

	kt_calls_enter(d, 100, 7, A, 0);
	kt_calls_enter(d, 150, 7, B, 1);
	PUT(d, 200, SWITCH, 7, 7, 1, 8, 120);
	kt_calls_leaf(d, 300, 8, D, 0, 50);
	PUT(d, 900, SWITCH, 8, 8, 1, 7, 120);
	kt_calls_leave(d, 940, 7, B, 1, 790);
	kt_calls_leave(d, 1100, 7, A, 0, 1000);
	m = kt_dat_model(d);
	f = flame_of(m, KT_FLAME_CALLS, 0, 2000);
	check(f, false, "all 350 { seven 300 { a 300 { b 90 } } eight 50 { d 50 } }");
	kt_flame_destroy(f);
	f = flame_of(m, KT_FLAME_CALLS, 250, 2000);
	check(f, false, "all 250 { seven 200 { a 200 { b 40 } } eight 50 { d 50 } }");
	kt_flame_destroy(f);
	f = flame_of(m, KT_FLAME_OFF_CPU, 0, 2000);
	check(f, false, "all 700 { seven 700 { a 700 { b 700 { off CPU 700 } } } "
			"eight 0 { d 0 } }");
	kt_flame_destroy(f);
	kt_model_close(m);
}

TEST(with_a_filter_what_ends_in_an_event_that_is_shown_counts)
{
	struct kt_model *m = kt_dat_model(calls());

	assert_int_equal(kt_model_add_filter(m, "common_pid == 8", false, NULL), 0);
	check_kind(m, KT_FLAME_CALLS, false, "all 50 { eight 50 { a 50 { d 30 } } "
					     "seven 0 { a 0 { b 0 { c 0 d 0 } c 0 } b 0 } }");
	kt_model_close(m);
}

TEST(exits_alone_find_their_callers_when_these_end)
{
	struct kt_dat *d = begin_file();
	int i;

	for (i = 1; i <= 3; i++) {
		kt_calls_leave(d, (uint64_t)i * 1000 + 22, 7, C, 2, 10);
		kt_calls_leave(d, (uint64_t)i * 1000 + 40, 7, B, 1, 30);
		kt_calls_leave(d, (uint64_t)i * 1000 + 42, 7, C, 1, 1);
		kt_calls_leave(d, (uint64_t)i * 1000 + 100, 7, A, 0, 100);
	}
	struct kt_model *m = kt_dat_model(d);

	check_kind(m, KT_FLAME_CALLS, false,
		   "all 300 { seven 300 { a 300 { b 90 { c 30 } c 3 } } }");
	kt_model_close(m);
}

/* Task 7 pings from b in a, and from c in a; 8 goes to sleep and is preempted */
static struct kt_dat *stacks(void)
{
	struct kt_dat *d = begin_file();

	PUT(d, 100, PING, 7, 1);
	PUT(d, 101, STACK, 7, 2, B, A);
	PUT(d, 110, PING, 7, 2);
	PUT(d, 111, STACK, 7, 2, B + 4, A + 8);
	PUT(d, 120, PING, 7, 3);
	PUT(d, 121, STACK, 7, 2, C, A);
	PUT(d, 122, USER_STACK, 7, 7, 0x402000, 0x401000, 0, 0, 0, 0, 0, 0);
	PUT(d, 130, PING, 7, 4);			/* without a stack */
	PUT(d, 200, SWITCH, 8, 8, 1, 7, 120);		/* sleeps in d, until 400 */
	PUT(d, 201, STACK, 8, 2, D, A);
	PUT(d, 400, WAKING, 7, 8, 120);
	PUT(d, 450, SWITCH, 7, 7, 0, 8, 120);		/* preempted in c, until 500 */
	PUT(d, 451, STACK, 7, 1, C);
	PUT(d, 500, SWITCH, 8, 8, 2, 7, 120);		/* blocked, until 700 */
	PUT(d, 501, STACK, 8, 2, D, A);
	PUT(d, 700, WAKING, 7, 8, 120);
	return d;
}

TEST(stacks_end_with_the_event_that_they_were_recorded_with)
{
	struct kt_model *m = kt_dat_model(stacks());
	struct kt_flame *f;

	assert_int_equal(kt_flame_guess(m), KT_FLAME_STACKS);
	f = flame_of(m, KT_FLAME_STACKS, 0, 1000);
	check(f, true, "all 6 { seven 4 { a 2 { b 2 { ping 2 } } "
		       "0x401000 1 { 0x402000 1 { a 1 { c 1 { ping 1 } } } } "
		       "c 1 { sched_switch 1 } } "
		       "eight 2 { a 2 { d 2 { sched_switch 2 } } } }");
	assert_false(kt_flame_is_timed(f));
	kt_flame_destroy(f);
	assert_int_equal(kt_model_add_filter(m, "ping:id == 2", false, NULL), 0);
	check_kind(m, KT_FLAME_STACKS, true, "all 1 { seven 1 { a 1 { b 1 { ping 1 } } } }");
	kt_model_close(m);
}

TEST(off_the_cpu_times_have_the_stack_of_the_switch_and_the_reason)
{
	struct kt_model *m = kt_dat_model(stacks());

	check_kind(m, KT_FLAME_OFF_CPU, false,
		   "all 450 { eight 400 { a 400 { d 400 { blocked (D) 200 sleeps 200 } } } "
		   "seven 50 { c 50 { preempted 50 } } }");
	kt_model_close(m);
}

/* Task 7 sleeps until 8 wakes it, which 9 has woken meanwhile; 9 is never woken, and dies. */
TEST(times_asleep_have_the_chain_of_wakers)
{
	struct kt_dat *d = begin_file();
	struct kt_model *m;

	PUT(d, 100, SWITCH, 7, 7, 1, 8, 120);
	PUT(d, 200, SWITCH, 8, 8, 1, 9, 120);
	PUT(d, 300, WAKING, 9, 8, 120);
	PUT(d, 310, SWITCH, 9, 9, 64, 8, 120);
	PUT(d, 400, WAKING, 8, 7, 120);
	PUT(d, 450, SWITCH, 8, 8, 1, 7, 120);
	PUT(d, 900, PING, 7, 1);
	m = kt_dat_model(d);
	check_kind(m, KT_FLAME_WAKEUPS, false,
		   "all 400 { seven 300 { eight 300 { <...> 300 } } eight 100 { <...> 100 } }");
	kt_model_close(m);
}

static bool every(void *data, const struct kt_record *rec)
{
	(void)rec;
	return *(const bool *)data;
}

TEST(without_a_model_a_pass_fills_it)
{
	struct kt_trace *t = kt_dat_trace(calls());
	bool counts = true;
	struct kt_flame *f = kt_flame_create_for(t, &(struct kt_flame_opts){
		.kind = kt_flame_guess_trace(t), .window = { 0, UINT64_MAX },
		.counts = every, .data = &counts,
	}, NULL);
	struct kt_analysis *list[] = { kt_flame_analysis(f) };
	struct kt_out *out = kt_out_create();
	struct kt_flame_frame frame;

	assert_int_equal(kt_pass_run(t, list, 1, NULL, NULL), 0);
	check(f, false, "all 153 { seven 103 { a 100 { b 70 { c 30 d 5 } c 1 } b 3 } "
			"eight 50 { a 50 { d 30 } } }");
	kt_flame_frame(f, 0, &frame);
	kt_flame_frame(f, frame.first, &frame);
	kt_flame_path(f, frame.first, out);
	assert_int_equal(kt_out_len(out), 7);
	assert_memory_equal(kt_out_data(out), "seven;a", 7);
	kt_out_destroy(out);
	kt_flame_destroy(f);
	kt_trace_destroy(t);
}

TEST(more_paths_than_fit_count_for_their_callers)
{
	struct kt_dat *d = begin_file();
	struct kt_model *m;
	struct kt_flame *f;
	struct kt_flame_frame all;
	uint64_t i, k;

	for (i = 0; i < 1500; i++) {
		PUT(d, 100 + i * 10, PING, 7, 1);
		kt_dat_begin(d, STACK, 7);
		kt_dat_int(d, 8, 200);
		for (k = 0; k < 200; k++)
			kt_dat_int(d, 8, (i + 1) << 20 | k << 4);
		kt_dat_end(d, 101 + i * 10);
	}
	m = kt_dat_model(d);
	f = flame_of(m, KT_FLAME_STACKS, 0, 100000);
	kt_flame_order(f, true);
	kt_flame_frame(f, 0, &all);
	assert_true(kt_flame_is_full(f));
	assert_int_equal(all.count, 1500);
	assert_true(kt_flame_nr(f) < 300000);
	kt_flame_destroy(f);
	kt_model_close(m);
}

TEST(between_two_orders_the_frames_of_the_first_stay)
{
	struct str before = STR_INIT, after = STR_INIT;
	const struct kt_window w = { 0, 100000 };
	struct kt_dat *d = begin_file();
	struct kt_flame_frame all;
	struct kt_model *m;
	struct kt_flame *f;
	uint64_t i;

	for (i = 0; i < 600; i++) {
		PUT(d, 100 + i * 10, PING, 7 + (int)(i / 100), 1);
		PUT(d, 101 + i * 10, STACK, 7 + (int)(i / 100), 2, 0x1000 * i, 0x2000 * i);
	}
	m = kt_dat_model(d);
	f = kt_flame_create(m, NULL);
	assert_int_equal(kt_flame_set(f, KT_FLAME_STACKS, &w, NULL), 0);
	do {
		assert_true(kt_flame_work(f, 0));
		kt_flame_order(f, true);
		kt_flame_frame(f, 0, &all);
	} while (!all.count);
	add_frame(f, 0, true, &before);
	assert_true(kt_flame_work(f, 0));
	add_frame(f, 0, true, &after);
	assert_string_equal(after.buf, before.buf);
	str_fini(&before);
	str_fini(&after);
	kt_flame_destroy(f);
	kt_model_close(m);
}

int main(void)
{
	return RUN(unit(calls_of_the_same_path_add_up_and_the_longest_comes_first),
		   unit(calls_that_began_before_the_window_count_from_its_begin),
		   unit(a_call_that_slept_when_the_window_began_counts_from_when_it_had_a_cpu),
		   unit(with_a_filter_what_ends_in_an_event_that_is_shown_counts),
		   unit(exits_alone_find_their_callers_when_these_end),
		   unit(stacks_end_with_the_event_that_they_were_recorded_with),
		   unit(off_the_cpu_times_have_the_stack_of_the_switch_and_the_reason),
		   unit(times_asleep_have_the_chain_of_wakers),
		   unit(without_a_model_a_pass_fills_it),
		   unit(more_paths_than_fit_count_for_their_callers),
		   unit(between_two_orders_the_frames_of_the_first_stay));
}
