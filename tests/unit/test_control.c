/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_control.c - settings as rows: unfolded, searched, changed, restored */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"

static struct kt_instance *inst;

static struct kt_control *begin(void)
{
	struct kt_err err = { 0 };
	struct kt_control *c;

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("available_events",
		    "sched:sched_switch\nsched:sched_wakeup\nirq:irq_handler_entry\n");
	kt_fake_set("events/sched/sched_switch/format",
		    "name: sched_switch\nID: 314\nformat:\n"
		    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		    "\tfield:int prev_prio;\toffset:8;\tsize:4;\tsigned:1;\n\n"
		    "print fmt: \"%d\", REC->prev_prio\n");
	inst = kt_instance_open(NULL, 0, &err);
	CHECK_NO_ERR(&err);
	c = kt_control_open(inst, &err);
	CHECK_NO_ERR(&err);
	return c;
}

static void end(struct kt_control *c)
{
	kt_control_close(c);
	kt_instance_close(inst, NULL);
}

/* The row of that name, which must exist */
static size_t row_of(struct kt_control *c, const char *name)
{
	struct kt_control_row row;
	size_t i;

	for (i = 0; kt_control_row(c, i, &row); i++)
		if (strcmp(row.name, name) == 0)
			return i;
	fail_msg("there is no row '%s'", name);
	return 0;
}

static struct kt_control_row row_at(struct kt_control *c, const char *name)
{
	struct kt_control_row row;

	kt_control_row(c, row_of(c, name), &row);
	return row;
}

static void unfold(struct kt_control *c, const char *name)
{
	assert_int_equal(kt_control_fold(c, row_of(c, name), true, NULL), 0);
}

TEST(the_settings_are_folded_at_first)
{
	struct kt_control *c = begin();

	assert_int_equal(kt_control_nr_rows(c), 8);
	assert_string_equal(row_at(c, "tracing").value, "on");
	assert_string_equal(row_at(c, "tracer").value, "nop");
	assert_string_equal(row_at(c, "clock").value, "local");
	assert_string_equal(row_at(c, "buffer size").value, "1408 KiB for each CPU");
	assert_string_equal(row_at(c, "events").value, "0 of 3 on");
	assert_string_equal(row_at(c, "functions").value, "all: set_ftrace_filter is empty");
	end(c);
}

TEST(an_event_is_switched_and_put_back)
{
	struct kt_control *c = begin();
	size_t id;

	unfold(c, "events");
	unfold(c, "sched");
	id = row_at(c, "sched_switch").id;
	assert_int_equal(kt_control_toggle(c, row_of(c, "sched_switch"), NULL), 0);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "1");
	assert_int_equal(row_at(c, "sched_switch").state, KT_CONTROL_ON);
	assert_string_equal(row_at(c, "sched").value, "1 of 2 on");
	assert_int_equal(row_at(c, "sched").state, KT_CONTROL_PARTLY);
	assert_int_equal(kt_control_find(c, id), row_of(c, "sched_switch"));
	assert_string_equal(kt_control_write(c, kt_control_nr_writes(c) - 1).line,
			    "echo 1 > events/sched/sched_switch/enable");
	assert_null(kt_control_write(c, kt_control_nr_writes(c) - 1).refused);
	end(c);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "0");
}

TEST(a_filter_is_checked_shown_and_removed)
{
	struct kt_control *c = begin();
	struct kt_err err = { 0 };
	size_t row;
	char *text;

	unfold(c, "events");
	unfold(c, "sched");
	row = row_of(c, "sched_switch");
	assert_int_equal(kt_control_set(c, row, "prev_pri < 1", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "prev_prio"));
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "none");
	assert_string_equal(kt_control_write(c, kt_control_nr_writes(c) - 1).line,
			    "echo 'prev_pri < 1' > events/sched/sched_switch/filter");
	assert_non_null(kt_control_write(c, kt_control_nr_writes(c) - 1).refused);
	assert_int_equal(kt_control_set(c, row, "prev_prio < 1", NULL), 0);
	assert_string_equal(row_at(c, "sched_switch").value, "if prev_prio < 1");
	text = kt_control_text(c, row);
	assert_string_equal(text, "prev_prio < 1");
	free(text);
	assert_int_equal(kt_control_set(c, row, "", NULL), 0);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "0");
	end(c);
}

TEST(a_trigger_is_shown_with_the_filter)
{
	struct kt_control *c = begin();
	size_t row;

	unfold(c, "events");
	unfold(c, "sched");
	row = row_of(c, "sched_switch");
	assert_int_equal(kt_control_set(c, row, "prev_prio < 1", NULL), 0);
	assert_int_equal(kt_control_add_trigger(c, row, "traceoff:1", NULL), 0);
	assert_non_null(strstr(row_at(c, "sched_switch").value, "if prev_prio < 1; traceoff"));
	assert_int_equal(kt_control_add_trigger(c, row, "nonsense", NULL), -EINVAL);
	assert_int_equal(kt_control_add_trigger(c, row_of(c, "tracing"), "traceoff", NULL),
		-EINVAL);
	end(c);
}

static int paused, resumed;

static void pause_readers(void *data, bool on)
{
	(void)data;
	if (on)
		paused++;
	else
		resumed++;
}

TEST(a_tracer_is_chosen_while_nobody_reads)
{
	struct kt_control *c = begin();

	paused = resumed = 0;
	kt_control_set_pause(c, pause_readers, NULL);
	unfold(c, "tracer");
	assert_int_equal(row_at(c, "nop").state, KT_CONTROL_ON);
	assert_int_equal(kt_control_toggle(c, row_of(c, "function"), NULL), 0);
	assert_string_equal(kt_fake_get("current_tracer"), "function");
	assert_int_equal(row_at(c, "function").state, KT_CONTROL_ON);
	assert_int_equal(kt_control_toggle(c, row_of(c, "function"), NULL), 0);
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
	assert_int_equal(kt_control_set(c, row_of(c, "tracer"), "functoin", NULL), -EINVAL);
	assert_int_equal(paused, 3);
	assert_int_equal(resumed, 3);
	end(c);
}

TEST(clock_size_option_and_tracing_are_set)
{
	struct kt_control *c = begin();
	char *text;

	unfold(c, "clock");
	assert_int_equal(kt_control_toggle(c, row_of(c, "mono"), NULL), 0);
	assert_string_equal(kt_fake_get("trace_clock"), "mono");
	text = kt_control_about(c, row_of(c, "mono"));
	assert_non_null(strstr(text, "CLOCK_MONOTONIC"));
	free(text);
	assert_int_equal(kt_control_set(c, row_of(c, "buffer size"), "4M", NULL), 0);
	assert_string_equal(kt_fake_get("buffer_size_kb"), "4096");
	assert_int_equal(kt_control_set(c, row_of(c, "buffer size"), "many", NULL), -EINVAL);
	unfold(c, "options");
	assert_int_equal(kt_control_toggle(c, row_of(c, "stacktrace"), NULL), 0);
	assert_string_equal(kt_fake_get("options/stacktrace"), "1");
	assert_int_equal(kt_control_toggle(c, row_of(c, "tracing"), NULL), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "0");
	assert_int_equal(kt_control_restore(c, NULL), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_string_equal(kt_fake_get("options/stacktrace"), "0");
	end(c);
}

TEST(all_events_at_once_are_refused)
{
	struct kt_control *c = begin();

	assert_int_equal(kt_control_toggle(c, row_of(c, "events"), NULL), -EINVAL);
	assert_int_equal(kt_control_toggle(c, row_of(c, "buffer size"), NULL), -EINVAL);
	assert_int_equal(kt_control_fold(c, row_of(c, "tracing"), true, NULL), -EINVAL);
	end(c);
}

TEST(a_search_finds_settings_of_all_kinds)
{
	struct kt_control *c = begin();
	struct kt_control_row row;
	size_t id;

	assert_int_equal(kt_control_search(c, "wakeup"), 1);
	kt_control_row(c, 0, &row);
	assert_string_equal(row.system, "sched");
	assert_string_equal(row.name, "sched_wakeup");
	assert_int_equal(row.depth, 0);
	id = row.id;
	assert_int_equal(kt_control_search(c, "vfs"), 2);
	kt_control_row(c, 0, &row);
	assert_int_equal(row.kind, KT_CONTROL_FUNCTION);
	assert_string_equal(row.name, "vfs_read");
	assert_int_equal(kt_control_search(c, "e4mb"), 1);
	kt_control_row(c, 0, &row);
	assert_string_equal(row.name, "ext4_map_blocks [ext4]");
	assert_int_equal(kt_control_search(c, "irq entry"), 1);
	assert_int_equal(kt_control_search(c, "zzz"), 0);
	assert_false(kt_control_row(c, 0, &row));
	assert_int_equal(kt_control_search(c, ""), 8);
	kt_control_row(c, kt_control_reveal(c, id), &row);
	assert_string_equal(row.name, "sched_wakeup");
	assert_int_equal(row.depth, 2);
	end(c);
}

TEST(a_function_that_was_found_is_listed)
{
	struct kt_control *c = begin();
	struct kt_control_row row;

	kt_control_search(c, "schedule");
	kt_control_row(c, 0, &row);
	assert_int_equal(row.state, KT_CONTROL_OFF);
	assert_int_equal(kt_control_toggle(c, 0, NULL), 0);
	kt_control_row(c, 0, &row);
	assert_int_equal(row.state, KT_CONTROL_ON);
	kt_control_row(c, kt_control_reveal(c, row.id), &row);
	assert_string_equal(row.name, "schedule");
	assert_int_equal(row.depth, 1);
	end(c);
}

TEST(a_kernel_without_functions_says_so)
{
	struct kt_control *c;
	struct kt_err err = { 0 };
	char path[4200];

	kt_control_close(begin());
	snprintf(path, sizeof(path), "%s/available_filter_functions", kt_tracefs_dir(NULL));
	remove(path);
	snprintf(path, sizeof(path), "%s/set_ftrace_filter", kt_tracefs_dir(NULL));
	remove(path);
	c = kt_control_open(inst, NULL);
	assert_string_equal(row_at(c, "functions").value, "this kernel cannot trace functions");
	assert_int_equal(kt_control_fold(c, row_of(c, "functions"), true, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "this kernel cannot trace functions"));
	assert_int_equal(kt_control_search(c, "wakeup"), 1);
	end(c);
}

TEST(what_others_set_is_seen)
{
	struct kt_control *c = begin();
	size_t id;

	unfold(c, "events");
	unfold(c, "sched");
	id = row_at(c, "sched_wakeup").id;
	kt_fake_set("events/sched/sched_wakeup/enable", "1\n");
	kt_fake_set("tracing_on", "0\n");
	assert_int_equal(kt_control_refresh(c, false, NULL), 0);
	assert_int_equal(row_at(c, "sched_wakeup").state, KT_CONTROL_ON);
	assert_string_equal(row_at(c, "tracing").value, "off");

	/* A new probe appears at once; unfolded rows stay unfolded, and each row keeps its id. */
	kt_fake_set("available_events", "kprobes:mine\nsched:sched_switch\nsched:sched_wakeup\n");
	kt_fake_set("events/sched/sched_wakeup/enable", "0\n");
	assert_int_equal(kt_control_refresh(c, false, NULL), 0);
	assert_int_equal(row_at(c, "sched_wakeup").state, KT_CONTROL_OFF);
	assert_int_equal(kt_control_find(c, id), row_of(c, "sched_wakeup"));
	unfold(c, "kprobes");
	id = row_at(c, "mine").id;
	assert_int_equal(kt_control_refresh(c, true, NULL), 0);
	assert_int_equal(kt_control_find(c, id), row_of(c, "mine"));
	end(c);
}

/* CPU time of this thread, so that other work on the machine does not count */
static uint64_t cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* A key of a search may take 50 ms; the best of five runs takes about 10. */
TEST(a_hundred_thousand_functions_are_searched_at_once)
{
	struct kt_control *c = begin();
	char *text = malloc(100000 * 40), *p = text;
	uint64_t before, took = UINT64_MAX;
	int i;

	for (i = 0; i < 100000; i++)
		p += sprintf(p, "some_kernel_function_%05d_slowpath\n", i);
	kt_fake_set("available_filter_functions", text);
	free(text);
	assert_int_equal(kt_control_search(c, "4242"), 46);
	for (i = 0; i < 5; i++) {
		before = cpu_ms();
		assert_int_equal(kt_control_search(c, "kern slow"), 100000);
		took = cpu_ms() - before < took ? cpu_ms() - before : took;
	}
	assert_int_equal(kt_control_nr_rows(c), KT_CONTROL_FOUND);
#ifndef __SANITIZE_ADDRESS__
	assert_in_range(took, 0, 50);
#endif
	end(c);
}

int main(void)
{
	return RUN(unit(the_settings_are_folded_at_first),
		   unit(an_event_is_switched_and_put_back),
		   unit(a_filter_is_checked_shown_and_removed),
		   unit(a_trigger_is_shown_with_the_filter),
		   unit(a_tracer_is_chosen_while_nobody_reads),
		   unit(clock_size_option_and_tracing_are_set),
		   unit(all_events_at_once_are_refused),
		   unit(a_search_finds_settings_of_all_kinds),
		   unit(a_function_that_was_found_is_listed),
		   unit(a_kernel_without_functions_says_so),
		   unit(what_others_set_is_seen),
		   unit(a_hundred_thousand_functions_are_searched_at_once));
}
