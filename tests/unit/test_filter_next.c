/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_filter_next.c - the words that may come next in a filter that is being typed */
#include <stdio.h>
#include <string.h>

#include <ktrail/filter.h>

#include "kt_test.h"

static const struct {
	const char *typed, *next;	/* "fields 14": these, and where they begin */
} cases[] = {
	{ "", "events 0" },
	{ "sched_sw", "events 0 fields 0" },
	{ "sched_switch,irq", "events 13" },
	{ "sched_switch: prev_", "fields 14" },
	{ "sched_switch: prev_pid ", "compares 23" },
	{ "sched_switch: prev_pid =", "compares 23" },
	{ "sched_switch: prev_pid == ", "values 26" },
	{ "sched_switch: prev_pid == 1", "values 26" },
	{ "sched_switch: prev_pid == 1 ", "joins 28" },
	{ "sched_switch: prev_pid == 1 &", "joins 28" },
	{ "prev_pid == 1 && next", "fields 17" },
	{ "(prev_pid", "fields 1" },
	{ "next_comm == \"kwor", "values 13" },
	{ "next_comm == \"kworker\" ", "joins 23" },
	{ "a.b.c: ", "fields 7" },
};

static void it_tells_what_and_where(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kt_filter_next n;
		char text[80] = "";

		kt_filter_next(cases[i].typed, &n);
		if (n.events)
			snprintf(text, sizeof(text), "events %zu%s", n.events_at,
				 n.fields ? " " : "");
		if (n.fields || n.values || n.compares || n.joins)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %zu",
				 n.fields ? "fields" : n.values ? "values" :
				 n.compares ? "compares" : "joins", n.at);
		if (strcmp(text, cases[i].next) != 0)
			fail_msg("'%s': '%s', not '%s'", cases[i].typed, text, cases[i].next);
	}
}

static void a_value_knows_its_field_and_its_events(void **state)
{
	const char *text = "irq/*: vec >= 1 && ret == ";
	struct kt_filter_next n;

	(void)state;
	kt_filter_next(text, &n);
	assert_true(n.values);
	assert_int_equal(n.field_len, 3);
	assert_memory_equal(text + n.field_at, "ret", 3);
	assert_int_equal(n.chosen_len, 5);
	assert_true(kt_filter_names_event(text, n.chosen_len, "irq", "softirq_entry"));
	assert_false(kt_filter_names_event(text, n.chosen_len, "sched", "sched_switch"));
	assert_true(kt_filter_names_event("timer, sched:sched_sw*", 22, "sched", "sched_switch"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_tells_what_and_where),
		cmocka_unit_test(a_value_knows_its_field_and_its_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
