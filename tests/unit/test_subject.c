/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_subject.c - texts that name a latency to measure: parsed, refused, and measured */
#include <errno.h>
#include <string.h>

#include <ktrail/latencies.h>
#include <ktrail/trace.h>

#include "kt_reading.h"
#include "kt_test.h"
#include "latency/subject.h"

static void refused(const char *text, const char *why)
{
	struct kt_err err = { 0 };

	assert_null(kt_latency_subject_parse(text, &err));
	assert_int_equal(err.code, -EINVAL);
	if (!strstr(err.msg, why))
		fail_msg("%s: \"%s\" does not have \"%s\"", text, err.msg, why);
}

TEST(a_subject_that_means_nothing_is_refused)
{
	refused("", "a kind of latency is expected");
	refused("wakeuq", "did you mean 'wakeup'?");
	refused("syscall read write", "'write' in 'syscall read write'");
	refused("irq cpx==1", "compares comm, pid, cpu or prio, not 'cpx'");
	refused("irq cpu==x", "'x'");
	refused("irq prio<3", "only 'wakeup'");
	refused("irq comm<a", "only with == and !=");
	refused("irq cpu==1 cpu==1 cpu==1 cpu==1 cpu==1 cpu==1 cpu==1 cpu==1 cpu==1", "more than 8");
	refused("run a cpu==1 cpu==1 cpu==1 cpu==1 cpu==1 cpu==1 cpu==1 cpu==1", "more than 8");
	refused("a ->", "an event is missing");
	refused("-> a", "an event is missing");
	refused("a->a->a->a->a->a->a->a->a", "at most 8 events");
	refused("a -> b by pid read", "'read'");
}

static struct kt_latency_subject *parse(const char *text, enum kt_latency_kind kind)
{
	struct kt_err err = { 0 };
	struct kt_latency_subject *s = kt_latency_subject_parse(text, &err);

	CHECK_NO_ERR(&err);
	assert_int_equal(kt_latency_subject_kind(s), kind);
	assert_string_equal(kt_latency_subject_text(s), text);
	return s;
}

static bool has_name(const char *text, enum kt_latency_kind kind, const char *row)
{
	struct kt_latency_subject *s = parse(text, kind);
	bool has = subject_has_name(s, row);

	kt_latency_subject_destroy(s);
	return has;
}

TEST(a_name_is_a_pattern_for_the_row_or_a_word_of_it)
{
	assert_true(has_name("irq", KT_LATENCY_IRQ, "24 eth0"));
	assert_true(has_name("irq eth*", KT_LATENCY_IRQ, "24 eth0"));
	assert_true(has_name("irq 24", KT_LATENCY_IRQ, "24 eth0"));
	assert_true(has_name("irq '24 eth0'", KT_LATENCY_IRQ, "24 eth0"));
	assert_false(has_name("irq 2", KT_LATENCY_IRQ, "24 eth0"));
	assert_true(has_name("call vfs_*", KT_LATENCY_CALL, "vfs_read"));
	assert_true(has_name("calls vfs_read", KT_LATENCY_CALL, "vfs_read"));
	assert_false(has_name("call vfs_read", KT_LATENCY_CALL, "vfs_readv"));
}

static bool has(const char *text, enum kt_latency_kind kind, const struct kt_latency *one)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	struct kt_latency_subject *s = parse(text, kind);
	struct kt_trace *t;
	bool ret;

	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	t = kt_dat_trace(d);
	ret = subject_has(s, t, one);
	kt_trace_destroy(t);
	kt_latency_subject_destroy(s);
	return ret;
}

TEST(conditions_are_about_the_task_the_cpu_and_the_priority)
{
	const struct kt_latency one = { .pid = 7, .cpu = 2, .value = 98 };

	assert_true(has("wakeup", KT_LATENCY_WAKEUP, &one));
	assert_true(has("wakeup pid==7 cpu>=2 prio<99", KT_LATENCY_WAKEUP, &one));
	assert_false(has("wakeup pid==7 cpu>2", KT_LATENCY_WAKEUP, &one));
	assert_false(has("wakeup pid!=7", KT_LATENCY_WAKEUP, &one));
	assert_true(has("wakeup prio<=98 cpu<3", KT_LATENCY_WAKEUP, &one));
	/* The trace does not have the task's name. */
	assert_false(has("wakeup comm==make", KT_LATENCY_WAKEUP, &one));
	assert_true(has("wakeup comm!=make", KT_LATENCY_WAKEUP, &one));
	assert_false(has("wakeup make", KT_LATENCY_WAKEUP, &one));
}

TEST(quotes_keep_blanks_together)
{
	struct kt_latency_subject *s = parse("syscall read comm==\"Web Content\"",
					     KT_LATENCY_SYSCALL);

	assert_true(subject_has_name(s, "read"));
	kt_latency_subject_destroy(s);
	refused("syscall read comm==Web Content", "'Content'");
}

static void check_steps(struct kt_latency_subject *s, struct kt_trace *t)
{
	const struct kt_latency_step *steps;
	struct kt_err err = { 0 };
	size_t nr;

	assert_int_equal(kt_latency_subject_steps(s, t, &steps, &nr, &err), 0);
	CHECK_NO_ERR(&err);
	assert_int_equal(nr, 3);
	assert_string_equal(steps[0].event, "test:ping");
	assert_non_null(steps[0].only);
	assert_string_equal(steps[0].key, "id,cpu");
	assert_string_equal(steps[1].event, "pong");
	assert_null(steps[1].only);
	assert_string_equal(steps[1].key, "who");
	assert_string_equal(steps[2].event, "ping");
	assert_string_equal(steps[2].key, "who");
}

TEST(a_pair_has_events_filters_and_keys)
{
	static const char *const events[] = { "test:ping: id < 3", "pong", "ping" };
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	struct kt_latency_subject *s;
	struct kt_trace *t;

	kt_dat_event(d, "test", "name: ping\nID: 25\n" KT_COMMON
		     "\tfield:unsigned long id;\toffset:8;\tsize:8;\tsigned:0;\n"
		     "\nprint fmt: \"x\"\n");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	t = kt_dat_trace(d);
	s = parse("test/ping: id < 3 -> pong->ping by id,cpu=who pid==3", KT_LATENCY_PAIR);
	check_steps(s, t);
	check_steps(s, t);		/* again, for another trace */
	kt_latency_subject_destroy(s);
	s = kt_latency_subject_pair(events, 3, "id,cpu=who", NULL);
	assert_string_equal(kt_latency_subject_text(s), "test:ping: id < 3 -> pong -> ping");
	check_steps(s, t);
	kt_latency_subject_destroy(s);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(a_subject_that_means_nothing_is_refused),
		   unit(a_name_is_a_pattern_for_the_row_or_a_word_of_it),
		   unit(conditions_are_about_the_task_the_cpu_and_the_priority),
		   unit(quotes_keep_blanks_together), unit(a_pair_has_events_filters_and_keys));
}
