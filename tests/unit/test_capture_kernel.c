/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_capture_kernel.c - latencies that the kernel measures: which, how, and which not */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#include "capture/capture.h"
#include "kt_reading.h"
#include "kt_test.h"

/* @fields: names, each of an int */
static void add_event(const char *name, const char *const fields[])
{
	char file[128], format[1024];
	int len = snprintf(format, sizeof(format), "name: %s\nID: 1\n" KT_COMMON,
			   strchr(name, '/') + 1);
	size_t i;

	for (i = 0; fields[i]; i++)
		len += snprintf(format + len, sizeof(format) - (size_t)len,
				"\tfield:int %s;\toffset:%zu;\tsize:4;\tsigned:1;\n", fields[i],
				8 + 4 * i);
	snprintf(file, sizeof(file), "events/%s/format", name);
	kt_fake_set(file, format);
	snprintf(file, sizeof(file), "events/%s/trigger", name);
	kt_fake_set(file, "");
	snprintf(file, sizeof(file), "events/%s/hist", name);
	kt_fake_set(file, "");
	snprintf(file, sizeof(file), "events/%s/enable", name);
	kt_fake_set(file, "0\n");
	snprintf(file, sizeof(file), "events/%s/filter", name);
	kt_fake_set(file, "none\n");
}

#define FIELDS(...) (const char *const []){ __VA_ARGS__, NULL }

/* A kernel with all features */
static void fake(void)
{
	char name[64], events[512];

	kt_tracefs_set_dir(kt_fake_tracefs());
	add_event("sched/sched_switch", FIELDS("prev_pid", "next_pid", "next_comm"));
	add_event("sched/sched_wakeup", FIELDS("pid", "prio"));
	add_event("sched/sched_wakeup_new", FIELDS("pid", "prio"));
	add_event("irq/irq_handler_entry", FIELDS("irq"));
	add_event("irq/irq_handler_exit", FIELDS("irq"));
	add_event("irq/softirq_entry", FIELDS("vec"));
	add_event("irq/softirq_exit", FIELDS("vec"));
	add_event("raw_syscalls/sys_enter", FIELDS("id"));
	add_event("raw_syscalls/sys_exit", FIELDS("id"));
	add_event("syscalls/sys_enter_read", FIELDS("fd"));
	add_event("syscalls/sys_exit_read", FIELDS("ret"));
	snprintf(name, sizeof(name), "synthetic/ktrail_%d_0", (int)getpid());
	add_event(name, FIELDS("took", "until", "pid"));
	snprintf(events, sizeof(events), "sched:sched_switch\nsched:sched_wakeup\n"
		 "sched:sched_wakeup_new\nirq:irq_handler_entry\nirq:irq_handler_exit\n"
		 "irq:softirq_entry\nirq:softirq_exit\nraw_syscalls:sys_enter\n"
		 "raw_syscalls:sys_exit\nsyscalls:sys_enter_read\nsyscalls:sys_exit_read\n"
		 "synthetic:%s\n", strchr(name, '/') + 1);
	kt_fake_set("available_events", events);
	kt_fake_set("synthetic_events", "");
	kt_fake_set("dynamic_events", "");
	kt_fake_set("tracing_thresh", "0\n");
	kt_fake_set("README", "\t   trigger: traceon, traceoff\n\t    hist (see below)\n");
}

static struct kt_when *parse(const char *text)
{
	struct kt_err err = { 0 };
	struct kt_when *w = kt_when_parse(text, &err);

	CHECK_NO_ERR(&err);
	return w;
}

/* In @text, @old becomes @new, which is not longer. */
static void replace(char *text, const char *old, const char *new)
{
	size_t len = strlen(new), gone = strlen(old) - len;

	for (; (text = strstr(text, old)); text += len) {
		memcpy(text, new, len);
		memmove(text + len, text + len + gone, strlen(text + len + gone) + 1);
	}
}

/* The writes for a condition, with "." for tracefs and "E" for its event; new */
static char *written(struct atom *a)
{
	struct kt_instance *dry = kt_open_dry();
	struct kt_err err = { 0 };
	char *text;

	kernel_define(dry, a, 0, &err);
	CHECK_NO_ERR(&err);
	kernel_watch(dry, a, 0, &err);
	CHECK_NO_ERR(&err);
	text = strdup(kt_instance_notes(dry));
	replace(text, kt_tracefs_dir(NULL), ".");
	if (*a->event)
		replace(text, a->event, "E");
	kt_instance_close(dry, NULL);
	return text;
}

static void in_kernel(const char *condition, const char *lines)
{
	struct kt_when *w = parse(condition);
	char *text;

	fake();
	assert_int_equal(atom_place(w->atoms[0]), KT_WHEN_IN_KERNEL);
	text = written(w->atoms[0]);
	assert_string_equal(text, lines);
	free(text);
	kt_when_destroy(w);
}

#define TABLE "clock=mono:size=4096"
#define DEFINE "echo 's:E u64 took; u64 until; pid_t pid' >> ./dynamic_events\n"
#define FILTER(took) \
	"echo 'took " took "' > ./events/synthetic/E/filter\n" \
	"echo 1 > ./events/synthetic/E/enable\n"
#define BEGINS(key) "hist:keys=" key ":ts0=common_timestamp,of0=common_pid:" TABLE
#define ENDS(key, begin) \
	"hist:keys=" key ":took0=common_timestamp-$ts0,until0=common_timestamp:" TABLE \
	":onmatch(" begin ").trace(E,$took0,$until0,$of0)"

TEST(two_events_are_measured_by_a_table_each)
{
	in_kernel("irq cpu==1 > 5us", DEFINE FILTER("> 5000 && CPU == 1")
		  "echo " BEGINS("irq,common_cpu") " >> ./events/irq/irq_handler_entry/trigger\n"
		  "echo '" ENDS("irq,common_cpu", "irq.irq_handler_entry") "' >> "
		  "./events/irq/irq_handler_exit/trigger\n");
	in_kernel("softirq >= 5us", DEFINE FILTER(">= 5000")
		  "echo " BEGINS("vec,common_cpu") " >> ./events/irq/softirq_entry/trigger\n"
		  "echo '" ENDS("vec,common_cpu", "irq.softirq_entry") "' >> "
		  "./events/irq/softirq_exit/trigger\n");
	in_kernel("syscall pid!=3 > 5us", DEFINE FILTER("> 5000 && pid != 3")
		  "echo " BEGINS("common_pid,id") " >> ./events/raw_syscalls/sys_enter/trigger\n"
		  "echo '" ENDS("common_pid,id", "raw_syscalls.sys_enter") "' >> "
		  "./events/raw_syscalls/sys_exit/trigger\n");
	in_kernel("syscall read > 5us", DEFINE FILTER("> 5000")
		  "echo " BEGINS("common_pid") " >> ./events/syscalls/sys_enter_read/trigger\n"
		  "echo '" ENDS("common_pid", "syscalls.sys_enter_read") "' >> "
		  "./events/syscalls/sys_exit_read/trigger\n");
	in_kernel("sched_wakeup: prio < 9 -> sched_switch by pid=next_pid > 1ms",
		  DEFINE FILTER("> 1000000")
		  "echo '" BEGINS("pid") " if  prio < 9' >> ./events/sched/sched_wakeup/trigger\n"
		  "echo '" ENDS("next_pid", "sched.sched_wakeup") "' >> "
		  "./events/sched/sched_switch/trigger\n");
}

#define WOKEN(tag) \
	"'hist:keys=next_pid:took" tag "=common_timestamp-$ts" tag ",until" tag \
	"=common_timestamp:" TABLE
#define TRACE(tag) \
	".trace(E,$took" tag ",$until" tag ",next_pid,$of" tag ",next_comm) if next_pid != 0'"

TEST(a_wakeup_has_two_begins_and_what_takes_a_begin_away)
{
	in_kernel("wakeup 'rt app' prio<100 > 1ms",
		  "echo 's:E u64 took; u64 until; pid_t pid; int prio; char comm[16]' >> "
		  "./dynamic_events\n"
		  FILTER("> 1000000 && prio < 100 && (comm ~ \"rt app\")")
		  "echo hist:keys=pid:ts0=common_timestamp,of0=prio:" TABLE
		  " >> ./events/sched/sched_wakeup/trigger\n"
		  "echo hist:keys=pid:ts0n=common_timestamp,of0n=prio:" TABLE
		  " >> ./events/sched/sched_wakeup_new/trigger\n"
		  "echo " WOKEN("0") ":onmatch(sched.sched_wakeup)" TRACE("0")
		  " >> ./events/sched/sched_switch/trigger\n"
		  "echo " WOKEN("0n") ":onmatch(sched.sched_wakeup_new)" TRACE("0n")
		  " >> ./events/sched/sched_switch/trigger\n"
		  "echo 'hist:keys=prev_pid:left0=common_timestamp-$ts0:" TABLE
		  " if prev_pid != 0' >> ./events/sched/sched_switch/trigger\n");
}

TEST(a_call_is_measured_by_the_limit_of_its_tracer)
{
	in_kernel("call vfs_read > 5500ns", "echo 5 > ./tracing_thresh\n"
		  "echo vfs_read >> ./set_ftrace_filter\n"
		  "echo function_graph > ./current_tracer\n");
}

/* The kernel cannot measure it, so user space does. @why: a part of the reason */
static void in_user_space(const char *condition, const char *why)
{
	struct kt_when *w = parse(condition);

	assert_int_equal(atom_place(w->atoms[0]), KT_WHEN_IN_THIN_BUFFER);
	if (!strstr(w->atoms[0]->why, why))
		fail_msg("%s: \"%s\" does not have \"%s\"", condition, w->atoms[0]->why, why);
	kt_when_destroy(w);
}

TEST(what_the_kernel_cannot_measure_is_left_to_user_space)
{
	fake();
	in_user_space("irq < 5us", "it reports only what takes longer");
	in_user_space("irq eth0 > 5us", "it compares no names");
	in_user_space("softirq NET_RX > 5us", "it compares no names");
	in_user_space("irq comm==a > 5us", "it cannot check these conditions");
	in_user_space("wakeup 'a\"b' > 5us", "it cannot check these conditions");
	in_user_space("syscall re* > 5us", "it measures one system call, or all");
	in_user_space("syscall write > 5us", "it does not have exactly this event");
	in_user_space("block > 5us", "it does not measure this kind");
	in_user_space("sched_switch -> sched_wakeup > 5us", "pairs of events with a key");
	in_user_space("irq_handler_entry -> irq_handler_exit -> softirq_entry by irq > 5us",
		      "pairs of events with a key");
	in_user_space("sched_switch: next_pid > 0 -> sched_switch by next_pid=prev_pid > 5us",
		      "both events are the same");
	in_user_space("call > 5us", "no function is named");
}

TEST(a_kernel_that_lacks_something_is_asked_for_less)
{
	char path[PATH_MAX];

	fake();
	in_user_space("call vfs_read > 999ns", "its limit is in microseconds");
	kt_fake_set("available_tracers", "function nop\n");
	in_user_space("call vfs_read > 5us", "the tracer function_graph");
	snprintf(path, sizeof(path), "%s/synthetic_events", kt_tracefs_dir(NULL));
	assert_int_equal(unlink(path), 0);
	in_user_space("irq > 5us", "no hist triggers with synthetic events");
}

static void refused(const char *condition, int code, const char *why)
{
	struct kt_when *w = parse(condition);
	struct kt_instance *dry = kt_open_dry();
	struct kt_err err = { 0 };

	assert_int_equal(kernel_watch(dry, w->atoms[0], 0, &err), code);
	if (!strstr(err.msg, why))
		fail_msg("%s: \"%s\" does not have \"%s\"", condition, err.msg, why);
	assert_null(strstr(kt_instance_notes(dry), "echo"));
	kt_instance_close(dry, NULL);
	kt_when_destroy(w);
}

TEST(a_limit_for_all_calls_of_the_machine_is_not_taken_from_others)
{
	fake();
	kt_fake_set("tracing_thresh", "7\n");
	refused("call vfs_read > 5us", -EBUSY, "another limit is in tracing_thresh");
	kt_fake_set("tracing_thresh", "0\n");
	kt_fake_set("instances/other/current_tracer", "function_graph\n");
	refused("call vfs_read > 5us", -EBUSY, "'other' traces calls, too");
	kt_fake_set("instances/other/current_tracer", "nop\n");
	in_kernel("call vfs_read > 1us", "echo 1 > ./tracing_thresh\n"
		  "echo vfs_read >> ./set_ftrace_filter\n"
		  "echo function_graph > ./current_tracer\n");
	refused("block > 5us", -ENOTSUP, "it does not measure this kind");
}

TEST(a_table_is_full_before_it_misses_anything)
{
	static const char *const file = "events/irq/irq_handler_entry/hist";
	struct kt_when *w = parse("irq > 5us");
	struct kt_instance *top;
	struct kt_err err = { 0 };
	struct { const char *hist; unsigned int entries; } cases[] = {
		{ "# event histogram\n\nTotals:\n    Hits: 9\n    Entries: 3071\n    Dropped: 0\n", KERNEL_FULL - 1 },
		{ "\nTotals:\n    Hits: 9\n    Entries: 3072\n    Dropped: 0\n", KERNEL_FULL },
		{ "\nTotals:\n    Hits: 9\n    Entries: 1\n    Dropped: 1\n", KERNEL_MISSES },
		{ "\nTotals:\n    Entries: 1\n    Dropped: 0\n\nTotals:\n    Entries: 4000\n", 4000 },
	};
	size_t i;

	fake();
	top = kt_instance_open(NULL, 0, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(atom_place(w->atoms[0]), KT_WHEN_IN_KERNEL);
	kt_fake_set(file, cases[1].hist);
	assert_int_equal(kernel_entries(top, w), 0);	/* nothing is defined yet */
	snprintf(w->atoms[0]->event, sizeof(w->atoms[0]->event), "E");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		kt_fake_set(file, cases[i].hist);
		assert_int_equal(kernel_entries(top, w), cases[i].entries);
	}
	kt_instance_close(top, NULL);
	kt_when_destroy(w);
}

/* New keys at @rate per second since @from, at most 4096: each look comes before the table is
 * full. */
static void check_looks(uint64_t from, unsigned int rate)
{
	uint64_t now = 0;
	struct look l;
	unsigned int entries = 0, nr;

	look_begin(&l, now);
	for (nr = 0; nr < 1000 && entries < KERNEL_FULL; nr++) {
		now = l.at;
		entries = 1;
		if (now > from)
			entries += (unsigned int)((now - from) / 1000000 * rate / 1000);
		if (entries < KERNEL_FULL)
			look_again(&l, now, false, entries);
	}
	assert_true(entries >= KERNEL_FULL && entries < 4096);
}

static void looks_come_before_a_table_is_full(void **state)
{
	unsigned int rate, i;
	struct look l;

	(void)state;
	for (rate = 1; rate <= 4000; rate += 37)
		check_looks(0, rate);
	check_looks(100 * 1000000000ull, 400);	/* a burst after a quiet time */
	look_begin(&l, 0);
	for (i = 0; i < 20; i++)
		look_again(&l, l.at, false, 0);
	assert_true(l.ns > 15 * 1000000000ull);		/* looks are rare without tables */
}

/* ---- its records ---- */

struct reading {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct atom *atom;
	unsigned int nr, nr_other;
};

static int read_one(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		    struct kt_err *err)
{
	struct reading *r = (struct reading *)a;
	struct kt_latency one;
	char comm[17];

	(void)err;
	if (!kernel_read(r->atom, r->trace, ev, rec, &one, comm)) {
		r->nr_other++;
		return 0;
	}
	r->nr++;
	assert_int_equal(one.from, 5000);
	assert_int_equal(one.until, 7000);
	assert_int_equal(one.pid, 42);
	assert_string_equal(comm, "sixteen letters.");
	return 0;
}

static void add_latency(struct kt_dat *d, uint16_t id, uint64_t took, uint64_t ts)
{
	kt_dat_begin(d, id, 3);
	kt_dat_int(d, 8, took);
	kt_dat_int(d, 8, 7000);
	kt_dat_int(d, 4, 42);
	kt_dat_bytes(d, "sixteen letters.", 16);
	kt_dat_end(d, ts);
}

#define FIELDS_OF_EVENT KT_COMMON \
	"\tfield:u64 took;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:u64 until;\toffset:16;\tsize:8;\tsigned:0;\n" \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n" \
	"\tfield:char comm[16];\toffset:28;\tsize:16;\tsigned:0;\n" \
	"\nprint fmt: \"%d\", REC->pid\n"

TEST(a_record_of_the_kernel_is_a_latency)
{
	struct kt_when *w = parse("wakeup > 1us");
	struct reading r = { .analysis = { .record = read_one }, .atom = w->atoms[0] };
	struct kt_dat *d = kt_dat_small();

	kt_dat_event(d, "synthetic", "name: ktrail_1_0\nID: 1\n" FIELDS_OF_EVENT);
	kt_dat_event(d, "synthetic", "name: ktrail_1_1\nID: 2\n" FIELDS_OF_EVENT);
	add_latency(d, 1, 2000, 7001);
	add_latency(d, 2, 2000, 7002);		/* of another condition */
	add_latency(d, 1, 7001, 7003);		/* began before the clock did */
	r.trace = kt_dat_trace(d);
	snprintf(r.atom->event, sizeof(r.atom->event), "ktrail_1_0");
	kt_pass(r.trace, &r.analysis, NULL);
	assert_int_equal(r.nr, 1);
	assert_int_equal(r.nr_other, 2);
	kt_trace_destroy(r.trace);
	kt_when_destroy(w);
}

int main(void)
{
	return RUN(unit(two_events_are_measured_by_a_table_each),
		   unit(a_wakeup_has_two_begins_and_what_takes_a_begin_away),
		   unit(a_call_is_measured_by_the_limit_of_its_tracer),
		   unit(what_the_kernel_cannot_measure_is_left_to_user_space),
		   unit(a_kernel_that_lacks_something_is_asked_for_less),
		   unit(a_limit_for_all_calls_of_the_machine_is_not_taken_from_others),
		   unit(a_table_is_full_before_it_misses_anything),
		   unit(looks_come_before_a_table_is_full),
		   unit(a_record_of_the_kernel_is_a_latency));
}
