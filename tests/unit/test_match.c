/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_match.c - spans: their begin and end events, and lost events in between */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/span.h>

#include "base/str.h"
#include "kt_reading.h"

enum { STACK = 4, SWITCH = 20, WAKEUP, WAKING, IRQ_ENTRY, IRQ_EXIT, SYS_ENTER, SYS_EXIT, NMI, ISSUE,
       COMPLETE, PING, PONG };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_numbers(d, "ftrace", "kernel_stack", 4, "size caller[8]");
	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_numbers(d, "sched", "sched_wakeup", 21, "pid prio");
	kt_dat_numbers(d, "sched", "sched_waking", 22, "pid prio");
	kt_dat_numbers(d, "irq", "irq_handler_entry", 23, "irq");
	kt_dat_numbers(d, "irq", "irq_handler_exit", 24, "irq ret");
	kt_dat_numbers(d, "syscalls", "sys_enter_read", 25, "__syscall_nr");
	kt_dat_numbers(d, "syscalls", "sys_exit_read", 26, "__syscall_nr ret");
	kt_dat_numbers(d, "nmi", "nmi_handler", 27, "delta_ns");
	kt_dat_numbers(d, "block", "block_rq_issue", 28, "dev sector nr_sector");
	kt_dat_numbers(d, "block", "block_rq_complete", 29, "dev sector error");
	kt_dat_numbers(d, "test", "ping", 30, "id who");
	kt_dat_numbers(d, "test", "pong", 31, "id sum");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

/* Spans as text, one a line: "run pid 7 100..200 key 0" */
static int note(void *data, const struct kt_span *s, struct kt_err *err)
{
	(void)err;
	str_addf(data, "%s pid %d %d..%d key %d%s%s%s", kt_span_kind_name(s->kind), s->pid,
		 (int)s->begin.ts, (int)s->end.ts, (int)s->key[0],
		 s->flags & KT_SPAN_UNBEGUN ? " unbegun" : "",
		 s->flags & KT_SPAN_UNFINISHED ? " unfinished" : "",
		 s->flags & KT_SPAN_CUT ? " cut" : "");
	if (s->result)
		str_addf(data, " = %d", (int)s->result);
	if (s->nr_frames)
		str_addf(data, " stack %d", (int)s->nr_frames);
	str_addc(data, '\n');
	return 0;
}

static void check(struct kt_dat *d, struct kt_spans_opts opts, const struct kt_pass_opts *pass,
		  const char *expected)
{
	struct kt_trace *t = kt_dat_trace(d);
	struct kt_err err = { 0 };
	struct str text = STR_INIT;
	struct kt_spans *s;

	opts.sink = note;
	opts.data = &text;
	s = kt_spans_create(t, &opts, &err);
	assert_non_null(s);
	assert_int_equal(kt_pass_run(t, (struct kt_analysis *[]){ kt_spans_analysis(s) }, 1, pass,
				     &err), 0);
	assert_string_equal(text.buf, expected);
	str_fini(&text);
	kt_spans_destroy(s);
	kt_trace_destroy(t);
}

#define KINDS(...) ((struct kt_spans_opts){ .kinds = (__VA_ARGS__) })
#define BIT(kind) (1u << (kind))

static void a_task_runs_blocks_waits_and_is_preempted(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	kt_dat_put(d, 100, SWITCH, 7, 7, 1, 0);	/* ran before the trace, sleeps */
	kt_dat_put(d, 101, STACK, 7, 3, 0x1010, 0x3010);
	kt_dat_put(d, 140, WAKING, 0, 7, 120, 0);
	kt_dat_put(d, 150, WAKEUP, 0, 7, 120, 0);
	kt_dat_put(d, 160, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 200, SWITCH, 7, 7, 0x100, 8);	/* preempted */
	kt_dat_put(d, 230, SWITCH, 8, 8, 2, 7);
	check(d, KINDS(BIT(KT_SPAN_RUN) | BIT(KT_SPAN_BLOCKED) | BIT(KT_SPAN_WAIT) |
		       BIT(KT_SPAN_PREEMPTED)), NULL,
	      "run pid 7 100..100 key 0 unbegun = 1\n"
	      "blocked pid 7 100..140 key 7 stack 3\n"
	      "run pid 0 100..160 key 0\n"
	      "wait pid 7 150..160 key 7\n"
	      "run pid 7 160..200 key 0 = 256\n"
	      "run pid 8 200..230 key 0 = 2\n"
	      "preempted pid 7 200..230 key 7\n"
	      "run pid 7 230..230 key 0 unfinished\n"
	      "preempted pid 0 160..230 key 0 unfinished\n"
	      "blocked pid 8 230..230 key 8 unfinished\n");
}

static void a_task_that_leaves_its_cpu_does_not_wait_any_more(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	kt_dat_put(d, 100, SWITCH, 0, 0, 0, 7);
	kt_dat_put(d, 110, WAKEUP, 0, 7, 120, 0);	/* woken while it runs */
	kt_dat_put(d, 200, SWITCH, 7, 7, 0, 8);
	kt_dat_put(d, 210, SWITCH, 8, 8, 0, 7);
	kt_dat_put(d, 220, WAKING, 0, 7, 120, 0);	/* woken while falling asleep */
	kt_dat_put(d, 230, SWITCH, 7, 7, 1, 8);
	kt_dat_put(d, 240, SWITCH, 8, 8, 0, 7);
	kt_dat_put(d, 250, SWITCH, 7, 7, 0, 9);
	kt_dat_put(d, 300, SWITCH, 8, 8, 0, 0);	/* the switch to 8 was not recorded */
	kt_dat_put(d, 310, WAKEUP, 0, 6, 120, 0);
	kt_dat_put(d, 320, SWITCH, 6, 6, 0x10, 0);	/* nor that to 6, which ends here */
	kt_dat_put(d, 330, WAKEUP, 0, 5, 120, 0);
	kt_dat_put(d, 340, SWITCH, 5, 5, 1, 0);	/* nor that to 5, which sleeps */
	kt_dat_put(d, 350, WAKING, 0, 4, 120, 0);
	check(d, KINDS(BIT(KT_SPAN_WAIT) | BIT(KT_SPAN_PREEMPTED)), NULL,
	      "preempted pid 7 200..210 key 7\n"
	      "preempted pid 8 210..230 key 8\n"
	      "wait pid 7 220..240 key 7\n"
	      "preempted pid 0 100..300 key 0\n"
	      "preempted pid 8 240..300 key 8 unfinished cut\n"
	      "wait pid 6 310..320 key 6 unfinished cut\n"
	      "wait pid 5 330..340 key 5 unfinished cut\n"
	      "preempted pid 7 250..350 key 7 unfinished\n"
	      "preempted pid 8 300..350 key 8 unfinished\n"
	      "wait pid 4 350..350 key 4 unfinished\n");
}

static void interrupts_and_system_calls_carry_what_they_returned(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	kt_dat_put(d, 90, SYS_EXIT, 9, 0, 3, 0);
	kt_dat_put(d, 100, SYS_ENTER, 7, 0, 0, 0);
	kt_dat_put(d, 110, IRQ_ENTRY, 7, 25, 0, 0);
	kt_dat_put(d, 113, IRQ_EXIT, 7, 25, 1, 0);
	kt_dat_put(d, 120, SYS_EXIT, 7, 0, 512, 0);
	kt_dat_put(d, 300, NMI, 7, 40, 0, 0);
	kt_dat_put(d, 310, ISSUE, 7, 8, 1000, 16);
	kt_dat_put(d, 311, ISSUE, 7, 8, 2000, 16);
	kt_dat_put(d, 350, COMPLETE, 0, 8, 2000, 5);
	check(d, KINDS(0), NULL,
	      "syscall pid 9 90..90 key 0 unbegun = 3\n"
	      "irq pid 7 110..113 key 25 = 1\n"
	      "syscall pid 7 100..120 key 0 = 512\n"
	      "nmi pid 7 260..300 key 0\n"
	      "block pid 7 311..350 key 8 = 5\n"
	      "block pid 7 310..350 key 8 unfinished\n");
}

static void a_loss_cuts_what_it_may_have_ended(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	kt_dat_put(d, 100, SYS_ENTER, 7, 0, 0, 0);
	kt_dat_put(d, 101, IRQ_ENTRY, 7, 25, 0, 0);
	kt_dat_cpu(d, 1);
	kt_dat_put(d, 105, IRQ_ENTRY, 8, 26, 0, 0);
	kt_dat_lost(d, 3);
	kt_dat_put(d, 150, IRQ_EXIT, 8, 26, 0, 0);
	kt_dat_put(d, 160, IRQ_EXIT, 7, 25, 0, 0);	/* of CPU 1: began on another */
	kt_dat_put(d, 200, SYS_EXIT, 7, 0, 1, 0);
	check(d, KINDS(BIT(KT_SPAN_IRQ) | BIT(KT_SPAN_SYSCALL)), NULL,
	      "irq pid 8 105..150 key 26 cut\n"
	      "irq pid 7 100..160 key 25 unbegun cut\n"
	      "syscall pid 7 100..200 key 0 cut = 1\n"
	      "irq pid 7 101..200 key 25 unfinished\n");
}

static void nothing_lasts_from_one_window_to_the_next(void **state)
{
	static const struct kt_window windows[] = { { 0, 105 }, { 110, 200 } };
	const struct kt_pass_opts pass = { .windows = windows, .nr_windows = 2 };
	struct kt_dat *d = begin_file();

	(void)state;
	kt_dat_put(d, 100, IRQ_ENTRY, 7, 25, 0, 0);
	kt_dat_put(d, 110, IRQ_ENTRY, 7, 25, 0, 0);
	kt_dat_put(d, 120, IRQ_EXIT, 7, 25, 0, 0);
	check(d, KINDS(BIT(KT_SPAN_IRQ)), &pass,
	      "irq pid 7 100..100 key 25 unfinished\n"
	      "irq pid 7 110..120 key 25\n");
}

static void any_two_events_with_equal_fields_are_a_span(void **state)
{
	static const struct kt_pair pair = {
		.from = "test:ping", .to = "pong", .from_key = "id,who", .to_key = "id,sum",
		.owner = "who",
	};
	struct kt_dat *d = begin_file();

	(void)state;
	kt_dat_put(d, 100, PING, 7, 1, 11, 0);
	kt_dat_put(d, 101, PING, 7, 1, 12, 0);
	kt_dat_put(d, 110, PONG, 9, 1, 12, 0);
	kt_dat_put(d, 130, PONG, 9, 1, 11, 0);
	check(d,
	      (struct kt_spans_opts){ .kinds = BIT(KT_SPAN_PAIR), .pairs = &pair, .nr_pairs = 1 },
	      NULL, "pair pid 12 101..110 key 1\npair pid 11 100..130 key 1\n");
}

static void a_pair_that_cannot_match_is_refused(void **state)
{
	static const struct {
		struct kt_pair pair;
		int code;
		const char *says;
	} cases[] = {
		{ { .from = "pimg", .to = "pong" }, -ENOENT,
		  "pair of events: the trace has no event 'pimg', did you mean 'ping'?" },
		{ { .from = "ping", .to = "pong", .from_key = "id", .to_key = "idd" }, -ENOENT,
		  "pair of events: pong has no field 'idd', did you mean 'id'?" },
		{ { .from = "ping", .to = "pong", .from_key = "id" }, -EINVAL,
		  "ping and pong each need a field to match" },
		{ { .from = "ping", .to = "pong", .from_key = "id,who", .to_key = "id" }, -EINVAL,
		  "ping has more fields to match than pong" },
		{ { .from = "ping", .to = "pong", .from_key = "a,b,c", .to_key = "a,b,c" }, -EINVAL,
		  "'ping' with 'a,b,c' is not an event with up to 2 fields" },
		{ { .from = "ping" }, -EINVAL, "a pair of events lacks an event" },
	};
	struct kt_trace *t = kt_dat_trace(begin_file());
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct kt_spans_opts o = { .pairs = &cases[i].pair, .nr_pairs = 1 };
		struct kt_err err = { 0 };

		assert_null(kt_spans_create(t, &o, &err));
		assert_int_equal(err.code, cases[i].code);
		assert_string_equal(err.msg, cases[i].says);
	}
	kt_trace_destroy(t);
}

static void each_kind_and_softirq_has_a_name(void **state)
{
	int kind;

	(void)state;
	for (kind = 0; kind < KT_SPAN_KINDS; kind++) {
		assert_non_null(kt_span_kind_name(kind));
		assert_true(kind == KT_SPAN_PAIR || strchr(kt_span_kind_events(kind)[0], ':'));
	}
	assert_string_equal(kt_softirq_name(0), "HI");
	assert_string_equal(kt_softirq_name(9), "RCU");
	assert_null(kt_softirq_name(10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_runs_blocks_waits_and_is_preempted),
		cmocka_unit_test(a_task_that_leaves_its_cpu_does_not_wait_any_more),
		cmocka_unit_test(interrupts_and_system_calls_carry_what_they_returned),
		cmocka_unit_test(a_loss_cuts_what_it_may_have_ended),
		cmocka_unit_test(nothing_lasts_from_one_window_to_the_next),
		cmocka_unit_test(any_two_events_with_equal_fields_are_a_span),
		cmocka_unit_test(a_pair_that_cannot_match_is_refused),
		cmocka_unit_test(each_kind_and_softirq_has_a_name),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
