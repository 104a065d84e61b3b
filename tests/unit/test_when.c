/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_when.c - the language of `ktrail capture --when`: read, refused, evaluated */
#include <errno.h>
#include <string.h>

#include "when/when.h"
#include "kt_test.h"

static void refused(const char *text, const char *why)
{
	struct kt_err err = { 0 };

	assert_null(kt_when_parse(text, &err));
	assert_int_equal(err.code, -EINVAL);
	if (!strstr(err.msg, why))
		fail_msg("%s: \"%s\" does not have \"%s\"", text, err.msg, why);
}

static struct kt_when *parse(const char *text, size_t nr)
{
	struct kt_err err = { 0 };
	struct kt_when *w = kt_when_parse(text, &err);

	CHECK_NO_ERR(&err);
	assert_int_equal(w->nr, nr);
	return w;
}

TEST(each_kind_of_atom_is_read)
{
	struct kt_when *w = parse("wakeup 'comm==rt app' prio<100 >= 1.5ms or event oom/mark_victim "
				  "or event sched_switch: prev_prio < 10 && (next_pid == 1) or "
				  "marker 'for you' or marker ~ ^a(b|c)$ or line \"/a b\" ~ 'x or y' or "
				  "now app or signal or signal SIGUSR2 or exit != 3 or exit or death or "
				  "psi io full > 20% or cgroup /c oom_kill", 14);
	struct atom **a = w->atoms;

	assert_int_equal(a[0]->kind, ATOM_LATENCY);
	assert_string_equal(kt_latency_subject_text(a[0]->subject), "wakeup 'comm==rt app' prio<100");
	assert_int_equal(a[0]->sign, COMPARE_GE);
	assert_int_equal(a[0]->ns, 1500000);
	assert_string_equal(a[1]->name, "oom:mark_victim");
	assert_null(a[1]->more);
	assert_string_equal(a[2]->name, "sched_switch");
	assert_string_equal(a[2]->more, "prev_prio < 10 && (next_pid == 1)");
	assert_true(atom_has_text(a[3], "waiting for you"));
	assert_false(atom_has_text(a[3], "for us"));
	assert_true(atom_has_text(a[4], "ac"));
	assert_false(atom_has_text(a[4], "aac"));
	assert_string_equal(a[5]->name, "/a b");
	assert_true(atom_has_text(a[5], "1 x or y 2"));
	assert_string_equal(a[6]->name, "app");
	assert_int_equal(a[7]->number, SIGUSR1);
	assert_int_equal(a[8]->number, SIGUSR2);
	assert_int_equal(a[9]->number, 3);
	assert_false(compare_holds(a[9]->sign, 3, 3));
	assert_true(compare_holds(a[10]->sign, 0, 0));
	assert_int_equal(a[11]->kind, ATOM_DEATH);
	assert_string_equal(a[12]->name, "io");
	assert_string_equal(a[12]->more, "full");
	assert_int_equal(a[12]->number, 20);
	assert_string_equal(a[13]->more, "oom_kill");
	kt_when_destroy(w);
}

TEST(a_pair_of_events_has_its_limit_after_its_filters)
{
	struct kt_when *w = parse("sched_waking: prio < 100 -> sched_switch by pid=next_pid > 500us", 1);

	assert_string_equal(kt_latency_subject_text(w->atoms[0]->subject),
			    "sched_waking: prio < 100 -> sched_switch by pid=next_pid");
	assert_int_equal(w->atoms[0]->ns, 500000);
	kt_when_destroy(w);
}

TEST(a_limit_needs_no_blanks)
{
	struct kt_when *w = parse("wakeup>1us or irq cpu==1>=2ms or a -> b by x<3s or exit!=0", 4);
	struct atom **a = w->atoms;

	assert_string_equal(kt_latency_subject_text(a[0]->subject), "wakeup");
	assert_int_equal(a[0]->ns, 1000);
	assert_string_equal(kt_latency_subject_text(a[1]->subject), "irq cpu==1");
	assert_int_equal(a[1]->sign, COMPARE_GE);
	assert_string_equal(kt_latency_subject_text(a[2]->subject), "a -> b by x");
	assert_int_equal(a[2]->sign, COMPARE_LT);
	assert_int_equal(a[3]->kind, ATOM_EXIT);
	kt_when_destroy(w);
}

TEST(what_is_wrong_is_named_with_its_place)
{
	refused("", "a condition is missing, at character 1");
	refused("signal or", "a condition is missing, at character 10");
	refused("wakeop > 1ms", "did you mean 'wakeup'?, at character 1");
	refused("death or evnt a", "did you mean 'event'?, at character 10");
	refused("wakeup", "a limit is expected after a blank: > 500us, at character 7");
	refused("wakeup prio<100", "a limit is expected");
	refused("irq > 5", "'5' is not a time with a unit");
	refused("irq > ", "a time is expected");
	refused("irq prio<3 > 1ms", "only 'wakeup' has a prio");
	refused("event", "'event' needs a name");
	refused("function", "'function' needs a name");
	refused("function a:b", "a name or a pattern");
	refused("function *", "a name or a pattern");
	refused("event a b", "after the event, a colon and a blank");
	refused("line /x", "'~' and a regular expression");
	refused("line /x ~", "a regular expression is expected");
	refused("marker ~ a(", "the regular expression is wrong");
	refused("marker ~ '['", "the regular expression is wrong");
	refused("signal KILL", "USR1, USR2");
	refused("exit > 0", "== or !=");
	refused("exit == 999", "a number up to 255");
	refused("death now", "the end of the condition is expected, at character 7");
	refused("psi io > 3%", "'>' is not known here, only: some full");
	refused("psi disk some > 3%", "only: cpu memory io");
	refused("psi io some > 0%", "at least 1%");
	refused("psi io some > 3", "followed by '%'");
	refused("cgroup /x", "a folder and a key");
	refused("now a/b", "no '/'");
	refused("signal for", "'for' needs a time");
	refused("signal for x", "'for' needs a time such as 10s, at character 12");
	refused("(signal", "this parenthesis is not closed, at character 1");
	refused("signal)", "this parenthesis was not opened, at character 7");
	refused("(signal) death", "'and', 'or' or the end is expected, at character 10");
	refused("((((((((((((((((((((((((((((((((((signal", "too many parentheses");
}

TEST(a_refused_addition_changes_nothing)
{
	struct kt_when *w = parse("signal and death", 2);
	struct kt_err err = { 0 };

	assert_int_equal(kt_when_add(w, "death or wakeup", &err), -EINVAL);
	assert_int_equal(w->nr, 2);
	assert_false(when_came(w, w->atoms[0], 1, 5));
	assert_int_equal(kt_when_add(w, "exit", NULL), 0);
	assert_int_equal(w->nr, 3);
	assert_true(when_came(w, w->atoms[2], 1, 5));
	kt_when_destroy(w);
}

TEST(all_of_an_and_must_come_within_the_time_before)
{
	struct kt_when *w = parse("signal and (death or exit) or now a", 4);

	assert_false(when_came(w, w->atoms[0], 1000, 100));
	assert_false(when_came(w, w->atoms[1], 1101, 100));
	assert_true(when_came(w, w->atoms[0], 1150, 100));
	/* An event of a former capture does not count again. */
	when_forget(w);
	assert_false(when_came(w, w->atoms[2], 1160, 100));
	assert_true(when_came(w, w->atoms[3], 1161, 100));
	kt_when_destroy(w);
}

TEST(for_asks_for_times_without_a_longer_pause)
{
	struct kt_when *w = parse("signal for 1us", 1);

	assert_false(when_came(w, w->atoms[0], 1000, 400));
	assert_false(when_came(w, w->atoms[0], 1400, 400));
	assert_false(when_came(w, w->atoms[0], 1900, 400));	/* after a pause: again */
	assert_false(when_came(w, w->atoms[0], 2300, 400));
	assert_false(when_came(w, w->atoms[0], 2700, 400));
	assert_true(when_came(w, w->atoms[0], 2900, 400));
	kt_when_destroy(w);
}

TEST(the_place_of_each_atom_is_reported)
{
	struct kt_when *w = parse("wakeup > 1ms or call vfs_read > 1ms or signal", 3);
	struct kt_when_atom a;

	assert_true(kt_when_atom(w, 0, &a));
	assert_string_equal(a.text, "wakeup > 1ms");
	assert_int_not_equal(a.place, KT_WHEN_OUTSIDE);
	assert_true(kt_when_atom(w, 2, &a));
	assert_int_equal(a.place, KT_WHEN_OUTSIDE);
	assert_non_null(strstr(a.why, "signal"));
	assert_false(kt_when_atom(w, 3, &a));
	kt_when_destroy(w);
}

int main(void)
{
	return RUN(unit(each_kind_of_atom_is_read),
		   unit(a_pair_of_events_has_its_limit_after_its_filters),
		   unit(a_limit_needs_no_blanks),
		   unit(what_is_wrong_is_named_with_its_place),
		   unit(a_refused_addition_changes_nothing),
		   unit(all_of_an_and_must_come_within_the_time_before),
		   unit(for_asks_for_times_without_a_longer_pause),
		   unit(the_place_of_each_atom_is_reported));
}
