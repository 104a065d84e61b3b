/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_timeline.c - columns of equal time: tasks that ran or waited, and losses */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/views.h>

#include "base/str.h"
#include "kt_reading.h"
#include "kt_test.h"

enum { SWITCH = 20, WAKING, IRQ_ENTRY = 23, IRQ_EXIT, WAKEUP_NEW, FORK, SOFTIRQ_ENTRY,
       SOFTIRQ_EXIT, NMI, TIMER_ENTRY, TIMER_EXIT, SYS_ENTER, SYS_EXIT };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_meta(d, KT_META_CMDLINES, "7 seven\n8 eight\n");
	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_numbers(d, "sched", "sched_waking", 21, "pid prio");
	kt_dat_numbers(d, "irq", "irq_handler_entry", 23, "irq");
	kt_dat_numbers(d, "irq", "irq_handler_exit", 24, "irq ret");
	kt_dat_numbers(d, "sched", "sched_wakeup_new", 25, "pid prio");
	kt_dat_numbers(d, "sched", "sched_process_fork", 26, "parent_pid child_pid");
	kt_dat_numbers(d, "irq", "softirq_entry", 27, "vec");
	kt_dat_numbers(d, "irq", "softirq_exit", 28, "vec");
	kt_dat_numbers(d, "nmi", "nmi_handler", 29, "handler delta_ns");
	kt_dat_numbers(d, "irq_vectors", "local_timer_entry", 30, "vector");
	kt_dat_numbers(d, "irq_vectors", "local_timer_exit", 31, "vector");
	kt_dat_numbers(d, "raw_syscalls", "sys_enter", 32, "id");
	kt_dat_numbers(d, "raw_syscalls", "sys_exit", 33, "id ret");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

/*
 * CPU 0: 7 runs from 1000 to 1400, 8 to 1600, then it is idle. 8 was woken at 1200 and waits.
 * An interrupt from 1500 to 1590
 */
static struct kt_dat *switches(void)
{
	struct kt_dat *d = begin_file();

	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 1200, WAKING, 7, 8, 120, 0);
	kt_dat_put(d, 1400, SWITCH, 7, 7, 1, 8);
	kt_dat_put(d, 1500, IRQ_ENTRY, 8, 3, 0, 0);
	kt_dat_put(d, 1590, IRQ_EXIT, 8, 3, 1, 0);
	kt_dat_put(d, 1600, SWITCH, 8, 8, 1, 0);
	kt_dat_put(d, 2000, WAKING, 0, 7, 120, 0);
	return d;
}

/* A letter a column: R runs, W waits, P preempted, D blocked, . idle or asleep, x not there,
 * ? unknown; i, s, N: an interrupt, a soft one, an NMI; ! lost */
static void check_row(const struct kt_timeline *t, size_t i, const char *expected)
{
	static const char states[] = { '?', '.', 'R', 'W', 'P', 'D', 'x' };
	static const char overs[] = { '-', 'i', 's', 'N' };
	size_t nr = strlen(expected), k;
	struct kt_timeline_row row;
	struct str s = STR_INIT;

	assert_true(kt_timeline_row(t, i, &row));
	for (k = 0; k < nr; k++)
		str_addc(&s, row.cells[k].lost ? '!' : row.cells[k].irq > 127 ?
			 overs[row.cells[k].over] : states[row.cells[k].state]);
	assert_string_equal(s.buf, expected);
	str_fini(&s);
}

static struct kt_timeline *timeline_of(struct kt_model *m, uint64_t from, uint64_t until,
				       size_t cols)
{
	const struct kt_window w = { from, until };
	struct kt_timeline *t = kt_timeline_create(m, NULL);

	assert_non_null(t);
	assert_int_equal(kt_timeline_set(t, &w, cols, KT_TIMELINE_QUICK, NULL), 0);
	while (kt_timeline_work(t, 10))
		;
	assert_true(kt_timeline_done(t) >= 1);
	assert_false(kt_timeline_is_sampled(t));
	return t;
}

TEST(each_column_shows_what_took_most_of_its_time)
{
	struct kt_model *m = kt_dat_model(switches());
	struct kt_timeline *t = timeline_of(m, 1000, 1999, 10);
	struct kt_timeline_row row;

	assert_int_equal(kt_timeline_nr(t), 3);
	check_row(t, 0, "RRRRRi....");
	kt_timeline_row(t, 0, &row);
	assert_true(row.is_cpu);
	assert_int_equal(row.cells[0].pid, 7);
	assert_int_equal(row.cells[4].pid, 8);
	kt_timeline_row(t, 1, &row);			/* waits count twice */
	assert_int_equal(row.pid, 8);
	assert_int_equal(row.run, 200);
	assert_int_equal(row.wait, 200);
	check_row(t, 1, "..WWRi....");
	kt_timeline_row(t, 2, &row);
	assert_int_equal(row.pid, 7);
	check_row(t, 2, "RRRR......");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(a_window_knows_what_began_before_it)
{
	struct kt_model *m = kt_dat_model(switches());
	struct kt_timeline *t = timeline_of(m, 1250, 1349, 10);

	check_row(t, 0, "RRRRRRRRRR");
	check_row(t, 1, "WWWWWWWWWW");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(single_nanoseconds_are_shown)
{
	struct kt_model *m = kt_dat_model(switches());
	struct kt_timeline *t = timeline_of(m, 1395, 1404, 10);

	check_row(t, 1, "WWWWWRRRRR");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(preempted_and_blocked_tasks_are_distinguished)
{
	struct kt_dat *d = begin_file();
	struct kt_timeline *t;
	struct kt_model *m;

	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 1200, SWITCH, 7, 7, 0, 8);	/* 7 could run */
	kt_dat_put(d, 1500, SWITCH, 8, 8, 2, 7);	/* 8 waits for I/O */
	kt_dat_put(d, 1800, WAKING, 7, 8, 120, 0);
	kt_dat_put(d, 1900, SWITCH, 7, 7, 1, 8);
	m = kt_dat_model(d);
	t = timeline_of(m, 1000, 1999, 10);
	check_row(t, 1, "RRPPPRRRR.");
	check_row(t, 2, "??RRRDDDWR");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(the_longest_wait_shows_the_task_that_had_the_cpu)
{
	struct kt_model *m = kt_dat_model(switches());
	struct kt_timeline *t = timeline_of(m, 1000, 1999, 10);
	struct kt_timeline_wait w;

	assert_true(kt_timeline_longest_wait(t, -1, &w));
	assert_int_equal(w.from, 1200);
	assert_int_equal(w.until, 1400);
	assert_int_equal(w.pid, 8);
	assert_int_equal(w.holder, 7);
	assert_int_equal(w.cpu, 0);
	assert_false(kt_timeline_longest_wait(t, 7, &w));
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(losses_are_seen_at_any_zoom)
{
	struct kt_dat *d = begin_file();
	struct kt_timeline *t;
	struct kt_model *m;

	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_lost(d, 5);
	kt_dat_new_page(d, 1500);
	kt_dat_put(d, 1500, SWITCH, 7, 7, 1, 0);
	kt_dat_put(d, 900000, SWITCH, 0, 0, 0, 7);
	m = kt_dat_model(d);
	t = timeline_of(m, 1000, 900000, 10);
	check_row(t, 0, "!.........");
	kt_timeline_destroy(t);
	t = timeline_of(m, 1490, 1509, 10);
	check_row(t, 0, "RRRRR!....");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(a_task_is_there_from_its_fork_to_its_end)
{
	struct kt_dat *d = begin_file();
	struct kt_timeline *t;
	struct kt_model *m;

	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 1200, FORK, 7, 7, 8, 0);
	kt_dat_put(d, 1300, WAKEUP_NEW, 7, 8, 120, 0);
	kt_dat_put(d, 1400, SWITCH, 7, 7, 1, 8);
	kt_dat_put(d, 1600, SWITCH, 8, 8, 0x20, 0);	/* a zombie */
	kt_dat_put(d, 1800, WAKEUP_NEW, 0, 9, 120, 0);	/* its fork was not recorded */
	kt_dat_put(d, 1900, SWITCH, 0, 0, 0, 9);
	m = kt_dat_model(d);
	t = timeline_of(m, 1000, 1999, 10);
	check_row(t, 0, "RRRRRR...R");
	check_row(t, 1, "RRRR......");
	check_row(t, 2, "xx?WRRxxxx");
	check_row(t, 3, "xxxxxxxxWR");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(a_task_that_ran_unseen_does_not_wait_after_its_end)
{
	struct kt_dat *d = begin_file();
	struct kt_timeline *t;
	struct kt_model *m;

	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 1200, WAKEUP_NEW, 7, 8, 120, 0);
	kt_dat_put(d, 1600, SWITCH, 8, 8, 0x20, 0);	/* the switch to it was not recorded */
	kt_dat_put(d, 1999, IRQ_ENTRY, 0, 3, 0, 0);
	m = kt_dat_model(d);
	t = timeline_of(m, 1000, 1999, 10);
	check_row(t, 0, "RRRRRR....");
	check_row(t, 2, "??????xxxx");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(of_a_file_nothing_is_known_where_it_has_no_records)
{
	const struct kt_model_opts opts = { .index = &(struct kt_index_opts){ .cache = "" } };
	struct kt_dat *first = begin_file(), *second = begin_file();
	struct kt_err err = { 0 };
	const char *paths[2];
	struct kt_timeline *t;
	struct kt_model *m;

	kt_dat_put(first, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_put(first, 1200, SWITCH, 7, 7, 0, 0);
	kt_dat_put(second, 1500, SWITCH, 8, 8, 0, 7);
	kt_dat_put(second, 1999, WAKING, 7, 7, 120, 0);
	paths[0] = kt_dat_write(first, "first.dat");
	paths[1] = kt_dat_write(second, "second.dat");
	m = kt_model_open(paths, 2, &opts, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_index_wait(kt_model_index(m), &err), 0);
	t = timeline_of(m, 1000, 1999, 10);
	check_row(t, 0, "RR.???????");
	check_row(t, 1, "?????RRRRR");
	kt_timeline_destroy(t);
	kt_model_close(m);
	kt_dat_destroy(first);
	kt_dat_destroy(second);
}

TEST(sched_waking_ends_the_sleep_and_begins_the_wait)
{
	struct kt_dat *d = begin_file();
	struct kt_timeline *t;
	struct kt_model *m;

	kt_dat_put(d, 1000, SWITCH, 7, 7, 1, 0);
	kt_dat_put(d, 1300, WAKING, 0, 7, 120, 0);
	kt_dat_put(d, 1600, WAKING, 0, 7, 120, 0);	/* as sched_wakeup on its CPU */
	kt_dat_put(d, 1800, SWITCH, 0, 0, 0, 7);
	m = kt_dat_model(d);
	t = timeline_of(m, 1000, 1999, 10);
	check_row(t, 1, "...WWWWWRR");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(interrupts_of_each_kind_are_distinguished)
{
	struct kt_dat *d = begin_file();
	struct kt_timeline *t;
	struct kt_model *m;

	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 1100, IRQ_ENTRY, 7, 3, 0, 0);
	kt_dat_put(d, 1200, IRQ_EXIT, 7, 3, 1, 0);
	kt_dat_put(d, 1300, SOFTIRQ_ENTRY, 7, 1, 0, 0);
	kt_dat_put(d, 1400, SOFTIRQ_EXIT, 7, 1, 0, 0);
	kt_dat_put(d, 1600, NMI, 7, 0, 100, 0);	/* since 1500 */
	kt_dat_put(d, 1700, TIMER_ENTRY, 7, 236, 0, 0);
	kt_dat_put(d, 1800, TIMER_EXIT, 7, 236, 0, 0);
	kt_dat_put(d, 1999, SWITCH, 7, 7, 1, 0);
	m = kt_dat_model(d);
	t = timeline_of(m, 1000, 1999, 10);
	check_row(t, 0, "RiRsRNRiRR");
	check_row(t, 1, "RiRsRNRiRR");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(calls_are_slices_of_their_task)
{
	struct kt_dat *d = begin_file();
	struct kt_timeline_row row;
	struct kt_timeline *t;
	struct kt_model *m;
	int i;

	kt_dat_put(d, 900, SYS_ENTER, 7, 1, 0, 0);	/* before the window */
	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 1100, SYS_EXIT, 7, 1, 0, 0);
	for (i = 0; i < 3; i++) {		/* in one column: one slice */
		kt_dat_put(d, 1200 + 20 * (uint64_t)i, SYS_ENTER, 7, 2, 0, 0);
		kt_dat_put(d, 1210 + 20 * (uint64_t)i, SYS_EXIT, 7, 2, 0, 0);
	}
	kt_dat_put(d, 1500, SYS_ENTER, 7, 3, 0, 0);	/* it does not end */
	kt_dat_put(d, 2100, SWITCH, 7, 7, 1, 0);
	m = kt_dat_model(d);
	t = timeline_of(m, 1000, 1999, 10);
	assert_true(kt_timeline_row(t, 1, &row));
	assert_int_equal(row.nr_slices, 3);
	assert_int_equal(row.nr_levels, 1);
	assert_int_equal(row.slices[0].from, 1000);
	assert_int_equal(row.slices[0].until, 1100);
	assert_int_equal(row.slices[0].nr, 1);
	assert_int_equal(row.slices[1].from, 1200);
	assert_int_equal(row.slices[1].until, 1250);
	assert_int_equal(row.slices[1].nr, 3);
	assert_int_equal(row.slices[2].from, 1500);
	assert_int_equal(row.slices[2].until, 2000);
	kt_timeline_row(t, 0, &row);
	assert_int_equal(row.nr_slices, 0);
	kt_timeline_destroy(t);
	kt_model_close(m);
}

TEST(a_stopped_picture_shows_the_part_read_so_far)
{
	const struct kt_window w = { 1000, 1999 };
	struct kt_model *m = kt_dat_model(switches());
	struct kt_timeline *t = kt_timeline_create(m, NULL);

	assert_int_equal(kt_timeline_set(t, &w, 10, KT_TIMELINE_QUICK, NULL), 0);
	assert_true(kt_timeline_stop(t));
	assert_true(kt_timeline_is_partial(t));
	assert_false(kt_timeline_stop(t));
	check_row(t, 0, "??????????");
	assert_int_equal(kt_timeline_set(t, &w, 10, KT_TIMELINE_QUICK, NULL), 0);
	while (kt_timeline_work(t, 10))
		;
	assert_false(kt_timeline_is_partial(t));
	check_row(t, 0, "RRRRRi....");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

/* Usually the index is stopped before it has counted the records. */
TEST(no_sample_is_needed_once_the_index_knows_better)
{
	struct kt_dat *d = begin_file();
	struct kt_window w = { 100, 100 + 60000 };
	struct kt_timeline *t;
	struct kt_err err = { 0 };
	struct kt_model *m;
	uint64_t i;

	for (i = 0; i < 60000; i++)
		kt_dat_put(d, 100 + i, SWITCH, 7, 7, 1, 8);
	m = kt_dat_model(d);
	kt_index_stop(kt_model_index(m));
	t = kt_timeline_create(m, &err);
	assert_non_null(t);
	assert_int_equal(kt_timeline_set(t, &w, 100, KT_TIMELINE_QUICK, &err), 0);
	if (kt_timeline_is_sampled(t)) {
		assert_true(kt_timeline_needs_sample(t, KT_TIMELINE_QUICK));
		assert_int_equal(kt_index_start(kt_model_index(m), &err), 0);
		assert_int_equal(kt_index_wait(kt_model_index(m), &err), 0);
		assert_false(kt_timeline_needs_sample(t, KT_TIMELINE_QUICK));
		assert_int_equal(kt_timeline_set(t, &w, 100, KT_TIMELINE_QUICK, &err), 0);
	}
	assert_false(kt_timeline_is_sampled(t));
	kt_timeline_destroy(t);
	kt_model_close(m);
}

/* Half a million system calls, and a switch at each end: to find the next switch takes long. */
TEST(a_sample_of_few_relevant_events_is_read_in_slices)
{
	const struct kt_window w = { 1000, 500999 };
	struct kt_dat *d = begin_file();
	struct kt_timeline *t;
	struct kt_model *m;
	unsigned int slices = 1;
	uint64_t ts;

	kt_dat_put(d, 1000, SWITCH, 0, 0, 0, 7);
	for (ts = 1001; ts < 500990; ts++)
		kt_dat_put(d, ts, SYS_ENTER, 7, 1, 0, 0);
	kt_dat_put(d, 500990, SWITCH, 7, 7, 1, 8);
	m = kt_dat_model(d);
	t = kt_timeline_create(m, NULL);
	assert_int_equal(kt_timeline_set(t, &w, 20, KT_TIMELINE_QUICK, NULL), 0);
	assert_true(kt_timeline_is_sampled(t));
	while (kt_timeline_work(t, 0))
		slices++;
	assert_true(slices > 3);
	check_row(t, 0, "R????????R");
	kt_timeline_destroy(t);
	kt_model_close(m);
}

int main(void)
{
	return RUN(unit(each_column_shows_what_took_most_of_its_time),
		   unit(a_window_knows_what_began_before_it), unit(single_nanoseconds_are_shown),
		   unit(preempted_and_blocked_tasks_are_distinguished),
		   unit(the_longest_wait_shows_the_task_that_had_the_cpu),
		   unit(losses_are_seen_at_any_zoom),
		   unit(a_task_is_there_from_its_fork_to_its_end),
		   unit(a_task_that_ran_unseen_does_not_wait_after_its_end),
		   unit(of_a_file_nothing_is_known_where_it_has_no_records),
		   unit(sched_waking_ends_the_sleep_and_begins_the_wait),
		   unit(interrupts_of_each_kind_are_distinguished),
		   unit(calls_are_slices_of_their_task),
		   unit(a_stopped_picture_shows_the_part_read_so_far),
		   unit(no_sample_is_needed_once_the_index_knows_better),
		   unit(a_sample_of_few_relevant_events_is_read_in_slices));
}
