/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_crash.c - recording across a crash: parameters, state, arming */
#include <ktrail/capture.h>

#include <errno.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"

static struct kt_names names(const char *words)
{
	struct kt_names n = { 0 };

	assert_int_equal(kt_names_add_words(&n, words, " "), 0);
	return n;
}

TEST(a_kernel_before_6_12_is_refused_with_the_reason)
{
	struct kt_err err = { 0 };

	assert_int_equal(kt_crash_check("6.12.0-rc1", &err), 0);
	assert_int_equal(kt_crash_check("7.0", &err), 0);
	assert_int_equal(kt_crash_check("6.1.0-56-amd64", &err), -ENOTSUP);
	assert_non_null(strstr(err.msg, "Linux 6.1.0-56-amd64 loses its trace in a crash: reserve_mem="));
	assert_int_equal(kt_crash_check("x", &err), -EINVAL);
}

TEST(parameters_are_those_that_the_kernel_documents)
{
	struct kt_names events = names("sched irq:irq_handler_entry");
	struct kt_crash_opts o = { .events = &events, .nr_cpus = 2, .dump = "cpu" };
	struct kt_crash_params p = { 0 };
	struct kt_err err = { 0 };
	size_t i;

	assert_int_equal(kt_crash_params_make(&o, &p, &err), 0);
	assert_int_equal(p.nr, 4);
	assert_string_equal(p.at[0].text, "reserve_mem=8M:2M:trace");
	assert_string_equal(p.at[1].text, "trace_instance=crash^traceoff@trace");
	assert_string_equal(p.at[2].text, "ktrail.events=sched,irq:irq_handler_entry");
	assert_string_equal(p.at[3].text, "ftrace_dump_on_oops=crash=orig_cpu");
	for (i = 0; i < p.nr; i++)
		assert_true(strlen(p.at[i].why) > 20);
	kt_crash_params_fini(&p);

	o = (struct kt_crash_opts){ .instance = "mine", .nr_cpus = 96, .dump = "all" };
	assert_int_equal(kt_crash_params_make(&o, &p, &err), 0);
	assert_int_equal(p.nr, 3);
	assert_string_equal(p.at[0].text, "reserve_mem=192M:2M:trace");
	assert_string_equal(p.at[1].text, "trace_instance=mine^traceoff@trace");
	assert_string_equal(p.at[2].text, "ftrace_dump_on_oops=mine");
	kt_crash_params_fini(&p);
	o = (struct kt_crash_opts){ .nr_cpus = 1, .memory = 1000001 };
	assert_int_equal(kt_crash_params_make(&o, &p, &err), 0);
	assert_string_equal(p.at[0].text, "reserve_mem=980K:2M:trace");
	kt_crash_params_fini(&p);
	kt_names_fini(&events);
}

TEST(a_word_that_would_be_another_parameter_is_refused)
{
	static const char *const bad[] = { "a,b", "sched;reboot", "$(x)", "a\"b", "a'b", "a^b", "" };
	struct kt_crash_params p = { 0 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct kt_names events = { 0 };
		struct kt_crash_opts o = { .nr_cpus = 2, .events = &events };
		struct kt_err err = { 0 };

		kt_names_add(&events, bad[i]);
		assert_int_equal(kt_crash_params_make(&o, &p, &err), -EINVAL);
		assert_int_equal(p.nr, 0);
		kt_names_fini(&events);
		o = (struct kt_crash_opts){ .nr_cpus = 2, .instance = bad[i] };
		assert_int_equal(kt_crash_params_make(&o, &p, &err), -EINVAL);
	}
}

TEST(memory_that_the_kernel_would_refuse_is_refused)
{
	struct kt_crash_opts o = { .nr_cpus = 64, .memory = 1 << 20 };
	struct kt_crash_params p = { 0 };
	struct kt_err err = { 0 };

	assert_int_equal(kt_crash_params_make(&o, &p, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "1.0 MiB is not enough for 64 CPUs: each needs at least 64.0 KiB"));
	o = (struct kt_crash_opts){ .nr_cpus = 2, .dump = "some" };
	assert_int_equal(kt_crash_params_make(&o, &p, &err), -EINVAL);
}

#define STATS(entries, oldest, now) \
	"entries: " entries "\noverrun: 0\noldest event ts: " oldest "\nnow ts: " now "\n"

/* Do this last_boot_info and these times mean that the events are of an earlier boot? */
static bool is_earlier(const char *info, const char *tracing, const char *stats)
{
	struct kt_crash_status s;
	struct kt_err err = { 0 };
	bool earlier;

	kt_fake_set("instances/one/last_boot_info", info);
	kt_fake_set("instances/one/tracing_on", tracing);
	kt_fake_set("instances/one/per_cpu/cpu0/stats", stats);
	assert_int_equal(kt_crash_status_read(NULL, "", &s, &err), 0);
	CHECK_NO_ERR(&err);
	assert_string_equal(s.instance, "one");
	assert_int_equal(s.recording, *tracing == '1');
	earlier = s.earlier_boot;
	kt_crash_status_fini(&s);
	return earlier;
}

TEST(events_of_an_earlier_boot_are_known)
{
	static const char ahead[] = STATS("3", "50.5", "10.2"), past[] = STATS("3", "5.5", "10.2"),
		none[] = STATS("0", "0.000000", "10.2");

	kt_tracefs_set_dir(kt_fake_tracefs());
	assert_true(is_earlier("ffffffff8e400000\t[kernel]\n", "0", past));
	assert_false(is_earlier("ffffffff8e400000\t[kernel]\n", "0", none));
	assert_false(is_earlier("# Current\n", "1", past));
	assert_false(is_earlier("# Current\n", "0", past));
	/* 6.12: the kernel may not have moved */
	assert_true(is_earlier("text delta:\t-4194304\ndata delta:\t0\n", "0", past));
	assert_true(is_earlier("text delta:\t0\ndata delta:\t0\n", "0", past));
	assert_true(is_earlier("text delta:\t0\ndata delta:\t0\n", "0", ahead));
	assert_false(is_earlier("text delta:\t0\ndata delta:\t0\n", "0", none));
	assert_false(is_earlier("text delta:\t0\ndata delta:\t0\n", "1", past));
}

TEST(the_command_line_says_what_is_recorded)
{
	struct kt_crash_status s;
	struct kt_err err = { 0 };

	kt_tracefs_set_dir(kt_fake_tracefs());
	assert_int_equal(kt_crash_status_read(NULL, "ro quiet reserve_mem=8M:2M:trace "
					      "ktrail.events=sched,irq panic=10", &s, &err), 0);
	assert_null(s.instance);
	assert_int_equal(s.params.nr, 2);
	assert_int_equal(s.events.nr, 2);
	assert_string_equal(s.events.names[1], "irq");
	kt_crash_status_fini(&s);

	assert_int_equal(kt_crash_status_read("nosuch", "", &s, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "no instance 'nosuch'"));
	kt_fake_set("instances/plain/tracing_on", "1");
	err = (struct kt_err){ 0 };
	assert_int_equal(kt_crash_status_read("plain", "", &s, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "does not keep its buffer"));
	kt_fake_set("instances/a/last_boot_info", "# Current\n");
	kt_fake_set("instances/b/last_boot_info", "# Current\n");
	err = (struct kt_err){ 0 };
	assert_int_equal(kt_crash_status_read(NULL, "", &s, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "name one of them: a, b"));
	kt_fake_set("instances/crash/last_boot_info", "# Current\n");
	assert_int_equal(kt_crash_status_read(NULL, "", &s, &err), 0);
	assert_string_equal(s.instance, "crash");
	kt_crash_status_fini(&s);
}

int main(void)
{
	return RUN(unit(a_kernel_before_6_12_is_refused_with_the_reason),
		   unit(parameters_are_those_that_the_kernel_documents),
		   unit(a_word_that_would_be_another_parameter_is_refused),
		   unit(memory_that_the_kernel_would_refuse_is_refused),
		   unit(events_of_an_earlier_boot_are_known),
		   unit(the_command_line_says_what_is_recorded));
}
