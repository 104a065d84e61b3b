/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_latency_cut.c - latencies that lost events may have cut are reported, but not counted */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/latencies.h>

#include "kt_reading.h"
#include "kt_test.h"

enum { TASK = 42, OTHER = 50, RUNS = 0, SLEEPS = 1, NR_FIELDS = 4 };

static const struct {
	const char *system, *name, *fields;
} events[] = {
	{ "sched", "sched_switch", "prev_pid prev_state next_pid next_prio" },
	{ "sched", "sched_waking", "pid prio" },
	{ "irq", "irq_handler_entry", "irq" },
	{ "irq", "irq_handler_exit", "irq ret" },
	{ "irq", "softirq_raise", "vec" },
	{ "irq", "softirq_entry", "vec" },
	{ "irq", "softirq_exit", "vec" },
	{ "raw_syscalls", "sys_enter", "id" },
	{ "raw_syscalls", "sys_exit", "id ret" },
	{ "block", "block_rq_issue", "dev sector nr_sector" },
	{ "block", "block_rq_complete", "dev sector error" },
	{ "workqueue", "workqueue_queue_work", "work function" },
	{ "workqueue", "workqueue_execute_start", "work function" },
	{ "workqueue", "workqueue_execute_end", "work function" },
	{ "lock", "contention_begin", "lock_addr flags" },
	{ "lock", "contention_end", "lock_addr ret" },
	{ "timer", "hrtimer_start", "hrtimer function expires" },
	{ "timer", "hrtimer_expire_entry", "hrtimer function now" },
	{ "timer", "timer_start", "timer function expires" },
	{ "timer", "timer_expire_entry", "timer function now" },
	{ "net", "net_dev_queue", "skbaddr len" },
	{ "net", "net_dev_xmit", "skbaddr rc" },
	{ "net", "netif_receive_skb", "skbaddr len" },
	{ "skb", "consume_skb", "skbaddr" },
	{ "skb", "kfree_skb", "skbaddr" },
	{ "preemptirq", "irq_disable", "caller_offs" },
	{ "preemptirq", "irq_enable", "caller_offs" },
	{ "preemptirq", "preempt_disable", "caller_offs" },
	{ "preemptirq", "preempt_enable", "caller_offs" },
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define FIRST_ID 20

struct one {
	const char *event;
	int pid;
	uint64_t values[NR_FIELDS];
};

/* The events that begin and end a latency of 100 ns. Kinds that are missing here have a single
 * event, or are calls. */
static const struct {
	enum kt_latency_kind kind;
	struct one begin, end;
	const char *row;		/* the end of its name; NULL: the only one */
} kinds[] = {
	{ KT_LATENCY_WAKEUP, { "sched_waking", OTHER, { TASK, 120 } },
	  { "sched_switch", OTHER, { OTHER, RUNS, TASK } }, ":42" },
	{ KT_LATENCY_PREEMPTED, { "sched_switch", TASK, { TASK, RUNS, OTHER } },
	  { "sched_switch", OTHER, { OTHER, SLEEPS, TASK } }, ":42" },
	{ KT_LATENCY_BLOCKED, { "sched_switch", TASK, { TASK, SLEEPS, OTHER } },
	  { "sched_waking", OTHER, { TASK, 120 } }, ":42" },
	{ KT_LATENCY_SLEEP, { "sched_switch", TASK, { TASK, SLEEPS, OTHER } },
	  { "sched_waking", OTHER, { TASK, 120 } }, NULL },
	{ KT_LATENCY_RUN, { "sched_switch", OTHER, { OTHER, RUNS, TASK } },
	  { "sched_switch", TASK, { TASK, RUNS, OTHER } }, ":42" },
	{ KT_LATENCY_IRQ, { "irq_handler_entry", TASK, { 7 } },
	  { "irq_handler_exit", TASK, { 7, 1 } }, NULL },
	{ KT_LATENCY_SOFTIRQ, { "softirq_entry", TASK, { 3 } }, { "softirq_exit", TASK, { 3 } },
	  NULL },
	{ KT_LATENCY_SOFTIRQ_WAIT, { "softirq_raise", TASK, { 3 } },
	  { "softirq_entry", TASK, { 3 } }, NULL },
	{ KT_LATENCY_SYSCALL, { "sys_enter", TASK, { 1 } }, { "sys_exit", TASK, { 1, 0 } }, NULL },
	{ KT_LATENCY_BLOCK_IO, { "block_rq_issue", TASK, { 8, 64, 8 } },
	  { "block_rq_complete", OTHER, { 8, 64, 0 } }, NULL },
	{ KT_LATENCY_WORK_WAIT, { "workqueue_queue_work", TASK, { 9, 5 } },
	  { "workqueue_execute_start", OTHER, { 9, 5 } }, NULL },
	{ KT_LATENCY_WORK, { "workqueue_execute_start", OTHER, { 9, 5 } },
	  { "workqueue_execute_end", OTHER, { 9, 5 } }, NULL },
	{ KT_LATENCY_LOCK, { "contention_begin", TASK, { 9, 1 } },
	  { "contention_end", TASK, { 9, 0 } }, NULL },
	{ KT_LATENCY_TIMER, { "hrtimer_start", TASK, { 9, 5, 1000 } },
	  { "hrtimer_expire_entry", OTHER, { 9, 5, 1100 } }, NULL },
	{ KT_LATENCY_NET_TX, { "net_dev_queue", TASK, { 9, 60 } },
	  { "net_dev_xmit", TASK, { 9, 0 } }, NULL },
	{ KT_LATENCY_NET_RX, { "netif_receive_skb", TASK, { 9, 60 } },
	  { "consume_skb", TASK, { 9 } }, NULL },
	{ KT_LATENCY_IRQS_OFF, { "irq_disable", TASK, { 1 } }, { "irq_enable", TASK, { 1 } },
	  NULL },
	{ KT_LATENCY_PREEMPT_OFF, { "preempt_disable", TASK, { 1 } },
	  { "preempt_enable", TASK, { 1 } }, NULL },
	{ KT_LATENCY_PAIR, { "sys_enter", TASK, { 1 } }, { "sys_exit", TASK, { 1, 0 } }, NULL },
};

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	size_t i;

	for (i = 0; i < NR(events); i++)
		kt_dat_numbers(d, events[i].system, events[i].name, (int)(FIRST_ID + i),
			       events[i].fields);
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void put(struct kt_dat *d, uint64_t ts, const struct one *e)
{
	size_t i = 0, k;

	while (strcmp(events[i].name, e->event) != 0)
		i++;
	kt_dat_begin(d, (uint16_t)(FIRST_ID + i), e->pid);
	for (k = 0; k < NR_FIELDS; k++)
		kt_dat_int(d, 8, e->values[k]);
	kt_dat_end(d, ts);
}

static struct kt_latency_row row_of(struct kt_latency_table *table, const char *end)
{
	struct kt_latency_row row = { 0 };
	size_t i;

	for (i = 0; kt_latency_table_row(table, i, &row); i++)
		if (!end || (strlen(row.name) > strlen(end) &&
			     strcmp(row.name + strlen(row.name) - strlen(end), end) == 0))
			return row;
	return (struct kt_latency_row){ .name = "" };
}

/* The row of @kind whose name has this end; d is freed */
static struct kt_latency_row measure(struct kt_dat *d, enum kt_latency_kind kind, const char *end)
{
	const struct kt_latency_step steps[] = { { .event = "sys_enter", .key = "id" },
						 { .event = "sys_exit", .key = "id" } };
	const struct kt_latency_opts o = { .kinds = 1u << kind, .steps = steps, .nr_steps = 2 };
	struct kt_latency_table *table;
	struct kt_latency_row row;
	struct kt_err err = { 0 };
	struct kt_trace *t = kt_dat_trace(d);

	table = kt_latency_table_create(t, &o, &err);
	CHECK_NO_ERR(&err);
	kt_pass(t, kt_latency_table_analysis(table), NULL);
	row = row_of(table, end);
	row.name = NULL;		/* goes with the table */
	kt_latency_table_destroy(table);
	kt_trace_destroy(t);
	return row;
}

static void check(size_t i)
{
	struct kt_dat *d = begin_file();
	struct kt_latency_row row;

	put(d, 1000, &kinds[i].begin);
	kt_dat_lost(d, 3);
	put(d, 2000, &kinds[i].end);
	put(d, 3000, &kinds[i].begin);
	put(d, 3100, &kinds[i].end);
	row = measure(d, kinds[i].kind, kinds[i].row);
	if (row.count != 1 || row.sum != 100 || row.cut < 1)
		fail_msg("%s: %" PRIu64 " of %" PRIu64 " ns, %" PRIu64 " cut",
			 kt_latency_kind_name(kinds[i].kind), row.count, row.sum, row.cut);
}

TEST(what_a_loss_may_have_cut_is_not_counted)
{
	size_t i;

	for (i = 0; i < NR(kinds); i++)
		check(i);
}

/*
 * Timers of the timer wheel are in jiffies, of 4 ms here. Until that is known, late timers are
 * not counted; the second timer expires in time, the third one 2 jiffies late.
 */
TEST(jiffies_become_nanoseconds_once_their_length_is_known)
{
	static const struct {
		uint64_t expires, now;
	} timers[] = { { 1000, 1001 }, { 1005, 1005 }, { 1010, 1012 } };
	struct kt_dat *d = begin_file();
	struct kt_latency_row row;
	size_t i;

	for (i = 0; i < NR(timers); i++) {
		const struct one begin = { "timer_start", TASK, { 9, 5, timers[i].expires } };
		const struct one end = { "timer_expire_entry", OTHER, { 9, 5, timers[i].now } };

		put(d, (timers[i].now - 900) * 4000000 - 1000, &begin);
		put(d, (timers[i].now - 900) * 4000000 + 30000, &end);
	}
	row = measure(d, KT_LATENCY_TIMER, NULL);
	assert_int_equal(row.cut, 1);
	assert_int_equal(row.count, 2);
	assert_int_equal(row.min, 0);
	assert_int_equal(row.max, 8000000);
}

static struct kt_latency_row measure_all(enum kt_latency_kind kind, const struct one list[],
					 size_t nr)
{
	struct kt_dat *d = begin_file();
	size_t i;

	for (i = 0; i < nr; i++)
		put(d, 1000 + 100 * i, &list[i]);
	return measure(d, kind, NULL);
}

TEST(an_idle_cpu_with_preemption_off_is_not_a_latency)
{
	static const struct one list[] = {
		{ "preempt_disable", TASK, { 1 } },
		{ "sched_switch", TASK, { TASK, SLEEPS, 0 } },
		{ "sched_switch", 0, { 0, RUNS, OTHER } },
		{ "preempt_enable", OTHER, { 1 } },
		{ "preempt_disable", OTHER, { 1 } },
		{ "sched_switch", OTHER, { OTHER, SLEEPS, TASK } },
		{ "preempt_enable", TASK, { 1 } },
	};
	struct kt_latency_row row = measure_all(KT_LATENCY_PREEMPT_OFF, list, NR(list));

	assert_int_equal(row.count, 2);
	assert_int_equal(row.min, 100);
	assert_int_equal(row.max, 200);
	assert_int_equal(row.cut, 0);
}

TEST(without_switches_it_is_unknown_whether_the_cpu_was_idle)
{
	static const struct one list[] = {
		{ "preempt_disable", TASK, { 1 } }, { "preempt_enable", TASK, { 1 } },
		{ "preempt_disable", TASK, { 1 } }, { "preempt_enable", OTHER, { 1 } },
	};
	struct kt_latency_row row = measure_all(KT_LATENCY_PREEMPT_OFF, list, NR(list));

	assert_int_equal(row.count, 1);
	assert_int_equal(row.cut, 1);
}

TEST(the_address_of_a_dropped_packet_is_soon_that_of_another_one)
{
	static const struct one list[] = {
		{ "netif_receive_skb", TASK, { 9, 60 } }, { "kfree_skb", TASK, { 9 } },
		{ "consume_skb", TASK, { 9 } },
		{ "netif_receive_skb", TASK, { 9, 60 } }, { "net_dev_queue", TASK, { 9, 60 } },
		{ "consume_skb", TASK, { 9 } },
		{ "netif_receive_skb", TASK, { 9, 60 } }, { "consume_skb", TASK, { 9 } },
	};
	struct kt_latency_row row = measure_all(KT_LATENCY_NET_RX, list, NR(list));

	assert_int_equal(row.count, 1);
	assert_int_equal(row.max, 100);
}

/* Those that are missing have a single event, or are calls. */
/* The task is on the CPU before a switch to it is recorded: since when is unknown. */
TEST(a_task_that_is_seen_on_a_cpu_no_longer_waits_for_it)
{
	struct kt_dat *d = begin_file();
	struct kt_latency_row row;

	put(d, 1000, &(struct one){ "sched_switch", OTHER, { OTHER, SLEEPS, 0 } });
	put(d, 2000, &(struct one){ "sched_waking", 0, { TASK, 120 } });
	put(d, 3000, &(struct one){ "sched_waking", TASK, { OTHER, 120 } });
	put(d, 9000, &(struct one){ "sched_switch", OTHER, { OTHER, SLEEPS, TASK } });
	row = measure(d, KT_LATENCY_WAKEUP, ":42");
	assert_int_equal(row.count, 0);
	assert_int_equal(row.cut, 1);
}

/* The switch away from the task is recorded, but its code still runs on the CPU. */
TEST(a_task_that_is_about_to_leave_its_cpu_does_not_return_to_it)
{
	struct kt_dat *d = begin_file();
	struct kt_latency_row row;

	put(d, 1000, &(struct one){ "sched_switch", TASK, { TASK, SLEEPS, OTHER } });
	put(d, 1010, &(struct one){ "sched_waking", 0, { TASK, 120 } });
	put(d, 1020, &(struct one){ "sched_waking", TASK, { 77, 120 } });
	put(d, 1100, &(struct one){ "sched_switch", OTHER, { OTHER, RUNS, TASK } });
	row = measure(d, KT_LATENCY_WAKEUP, ":42");
	assert_int_equal(row.count, 1);
	assert_int_equal(row.sum, 90);
}

TEST(each_kind_that_has_two_ends_is_tried)
{
	const unsigned int others = 1u << KT_LATENCY_NMI | 1u << KT_LATENCY_TRACER |
				    1u << KT_LATENCY_CALL | 1u << KT_LATENCY_FAULT;
	unsigned int tried = others;
	size_t i;

	for (i = 0; i < NR(kinds); i++)
		tried |= 1u << kinds[i].kind;
	assert_int_equal(tried, (1u << KT_LATENCY_KINDS) - 1);
}

int main(void)
{
	return RUN(unit(what_a_loss_may_have_cut_is_not_counted),
		   unit(jiffies_become_nanoseconds_once_their_length_is_known),
		   unit(an_idle_cpu_with_preemption_off_is_not_a_latency),
		   unit(without_switches_it_is_unknown_whether_the_cpu_was_idle),
		   unit(the_address_of_a_dropped_packet_is_soon_that_of_another_one),
		   unit(a_task_that_is_seen_on_a_cpu_no_longer_waits_for_it),
		   unit(a_task_that_is_about_to_leave_its_cpu_does_not_return_to_it),
		   unit(each_kind_that_has_two_ends_is_tried));
}
