/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_graph.c - which rows a tree of calls has: folded, hidden, focused, searched */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/span.h>
#include <ktrail/views.h>

#include "base/str.h"
#include "kt_calls.h"
#include "kt_reading.h"

static struct kt_trace *sample(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_calls_describe(d);
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	kt_calls_sample(d);
	return kt_dat_trace(d);
}

struct bench {
	struct kt_trace *trace;
	struct kt_call_window *window;
	struct kt_graph *graph;
};

/* All calls of @t around @ts, from @records records */
static struct bench load_of(struct kt_trace *t, uint64_t ts, size_t records)
{
	struct bench b = { .trace = t };
	const struct kt_spot around = { .ts = ts };
	int ret;

	b.window = kt_call_window_create(b.trace, NULL, &around, records, NULL);
	assert_non_null(b.window);
	do
		ret = kt_call_window_work(b.window, 10, NULL);
	while (ret > 0);
	assert_int_equal(ret, 0);
	assert_int_equal(kt_call_window_percent(b.window), 100);
	b.graph = kt_graph_create(b.trace, kt_call_window_tree(b.window), NULL);
	assert_non_null(b.graph);
	return b;
}

static struct bench load(uint64_t ts, size_t records)
{
	return load_of(sample(), ts, records);
}

static void drop(struct bench *b)
{
	kt_graph_destroy(b->graph);
	kt_call_window_destroy(b->window);
	kt_trace_destroy(b->trace);
}

/* "a b c", with '+' after those that are folded with calls inside */
static void check_rows(struct bench *b, const char *expected)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < kt_graph_nr_rows(b->graph); i++) {
		uint32_t id = kt_graph_row(b->graph, i);
		const struct kt_call *c = kt_call_tree_at(kt_call_window_tree(b->window), id);

		str_addf(&s, "%s%s%s", i ? " " : "", kt_call_name(b->trace, c),
			 c->nr_inside && kt_graph_is_folded(b->graph, id) ? "+" : "");
	}
	assert_string_equal(s.buf ? s.buf : "", expected);
	str_fini(&s);
}

static void calls_fold_alone_with_all_inside_by_function_and_by_depth(void **state)
{
	struct bench b = load(0, 0);

	(void)state;
	check_rows(&b, "a b c d c b c b");
	kt_graph_fold(b.graph, 1, true);
	check_rows(&b, "a b+ c b c b");
	assert_int_equal(kt_graph_row_of(b.graph, 3), 1);	/* its caller has a row */
	kt_graph_fold_below(b.graph, 0, true);
	check_rows(&b, "a+ b");
	kt_graph_fold(b.graph, 0, false);
	check_rows(&b, "a b+ c b+ b");
	assert_int_equal(kt_graph_fold_same(b.graph, 5, false), 2);
	check_rows(&b, "a b c d c b c b");
	kt_graph_fold_depth(b.graph, 2);
	check_rows(&b, "a b+ c b+ b");
	kt_graph_reveal(b.graph, 6);
	check_rows(&b, "a b+ c b c b");
	drop(&b);
}

static void short_calls_are_hidden_and_counted(void **state)
{
	struct bench b = load(0, 0);

	(void)state;
	kt_graph_hide_below(b.graph, 10);
	check_rows(&b, "a b c b c");
	assert_int_equal(kt_graph_nr_hidden(b.graph), 3);
	assert_int_equal(kt_graph_sibling(b.graph, 1, 1), 5);	/* c is too short */
	assert_int_equal(kt_graph_sibling(b.graph, 5, -1), 1);
	kt_graph_hide_below(b.graph, 0);
	assert_int_equal(kt_graph_nr_rows(b.graph), 8);
	drop(&b);
}

static void a_focus_leaves_the_rest_out_until_something_else_is_shown(void **state)
{
	struct bench b = load(0, 0);

	(void)state;
	kt_graph_focus(b.graph, 5);
	check_rows(&b, "b c");
	kt_graph_reveal(b.graph, 6);
	check_rows(&b, "b c");
	kt_graph_reveal(b.graph, 2);
	check_rows(&b, "a b c d c b c b");
	assert_int_equal(kt_graph_focused(b.graph), KT_CALL_NONE);
	drop(&b);
}

static void steps_lead_to_relatives_and_to_calls_of_the_same_function(void **state)
{
	struct bench b = load(0, 0);
	struct kt_graph_same same;

	(void)state;
	assert_int_equal(kt_graph_longest_child(b.graph, 0), 5);
	assert_int_equal(kt_graph_longest_child(b.graph, 2), KT_CALL_NONE);
	assert_int_equal(kt_graph_caller(b.graph, 6), 5);
	assert_int_equal(kt_graph_caller(b.graph, 0), KT_CALL_NONE);
	assert_int_equal(kt_graph_sibling(b.graph, 1, 1), 4);
	assert_int_equal(kt_graph_sibling(b.graph, 1, -1), KT_CALL_NONE);
	assert_int_equal(kt_graph_sibling(b.graph, 7, -1), 0);
	/* not of another task */
	assert_int_equal(kt_graph_sibling(b.graph, 7, 1), KT_CALL_NONE);
	assert_int_equal(kt_graph_same(b.graph, 1, 1), 5);
	assert_int_equal(kt_graph_same(b.graph, 7, 1), KT_CALL_NONE);
	assert_int_equal(kt_graph_same(b.graph, 5, -1), 1);
	same = kt_graph_compare(b.graph, 1);
	assert_int_equal(same.nr, 3);
	assert_int_equal(same.slower, 1);
	assert_int_equal(same.slowest, 5);
	drop(&b);
}

static void tasks_have_calls_of_their_own(void **state)
{
	struct bench b = load(0, 0);
	struct kt_spot at = { .ts = 320 };

	(void)state;
	assert_int_equal(kt_graph_nr_tasks(b.graph), 2);
	assert_int_equal(kt_graph_task(b.graph, 1)->pid, 8);
	assert_int_equal(kt_graph_task_of(b.graph, 9), 1);
	assert_int_equal(kt_graph_at(b.graph, &at), KT_CALL_NONE);
	kt_graph_choose(b.graph, 1);
	check_rows(&b, "a d");
	assert_int_equal(kt_graph_at(b.graph, &at), 9);
	kt_graph_reveal(b.graph, 3);
	assert_int_equal(kt_graph_chosen(b.graph), 0);
	at.ts = 141;
	assert_int_equal(kt_graph_at(b.graph, &at), 0);
	at.ts = 128;
	assert_int_equal(kt_graph_at(b.graph, &at), 3);
	drop(&b);
}

static void the_call_of_a_record_is_found_though_others_touch_that_moment(void **state)
{
	struct bench b = load(0, 0);
	const struct kt_call *c = kt_call_tree_at(kt_call_window_tree(b.window), 1);
	struct kt_spot at = { c->end.ts, c->end.pos, c->end.source };

	(void)state;
	assert_int_equal(kt_graph_at(b.graph, &at), 1);
	c = kt_call_tree_at(kt_call_window_tree(b.window), 0);
	at = (struct kt_spot){ c->begin.ts, c->begin.pos, c->begin.source };
	assert_int_equal(kt_graph_at(b.graph, &at), 0);
	drop(&b);
}

static void a_window_says_where_it_ends(void **state)
{
	struct bench b = load(150, 9);
	struct kt_call_window_ends ends;

	(void)state;
	kt_call_window_ends(b.window, &ends);
	assert_false(ends.at_first);
	assert_false(ends.at_last);
	assert_int_equal(ends.nr_records, 9);
	assert_int_equal(ends.last_ts, 210);
	drop(&b);
	b = load(0, 0);
	kt_call_window_ends(b.window, &ends);
	assert_true(ends.at_first);
	assert_true(ends.at_last);
	assert_int_equal(ends.nr_records, 20);
	drop(&b);
}

/*
 * CPU 0: 7: a { b {  8: d(20)  7: c(10) d(5) } then 7 moves
 * CPU 1: 9: c(300)                          7: b's d(20), and the ends of b and a
 */
static struct kt_trace *two_cpus(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_calls_describe(d);
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	kt_calls_enter(d, 100, 7, A, 0);
	kt_calls_enter(d, 110, 7, B, 1);
	kt_calls_leaf(d, 120, 8, D, 0, 20);
	kt_calls_leaf(d, 150, 7, C, 2, 10);
	kt_calls_leaf(d, 170, 7, D, 2, 5);
	kt_dat_cpu(d, 1);
	kt_calls_leaf(d, 50, 9, C, 0, 300);
	kt_calls_leaf(d, 400, 7, D, 2, 20);
	kt_calls_leave(d, 430, 7, B, 1, 320);
	kt_calls_leave(d, 440, 7, A, 0, 340);
	return kt_dat_trace(d);
}

static void a_cpu_has_the_calls_that_began_on_it_of_whichever_task(void **state)
{
	struct bench b = load_of(two_cpus(), 0, 0);
	struct kt_spot at = { .ts = 125 };
	uint32_t d;

	(void)state;
	assert_int_equal(kt_graph_by_cpu(b.graph, true, NULL), 0);
	assert_int_equal(kt_graph_nr_tasks(b.graph), 2);
	assert_int_equal(kt_graph_task(b.graph, 1)->cpu, 1);
	assert_int_equal(kt_graph_task(b.graph, 1)->pid, KT_GRAPH_CPU);
	check_rows(&b, "a b d c d");
	/* 8 called d while 7 was inside of b: it is neither b's child nor folded with it. */
	d = kt_graph_row(b.graph, 2);
	assert_int_equal(kt_graph_caller(b.graph, d), KT_CALL_NONE);
	assert_int_equal(kt_graph_at(b.graph, &at), d);
	kt_graph_fold(b.graph, kt_graph_row(b.graph, 1), true);
	check_rows(&b, "a b+ d");
	kt_graph_fold(b.graph, kt_graph_row(b.graph, 0), true);
	check_rows(&b, "a+ d");
	assert_int_equal(kt_graph_row_of(b.graph, d), 1);
	assert_int_equal(kt_graph_sibling(b.graph, d, -1), kt_graph_row(b.graph, 0));
	/* The calls after the move are on the other CPU, folded or not. */
	kt_graph_choose(b.graph, 1);
	check_rows(&b, "c d");
	kt_graph_hide_below(b.graph, 15);
	check_rows(&b, "c d");
	kt_graph_choose(b.graph, 0);
	assert_int_equal(kt_graph_nr_hidden(b.graph), 2);
	kt_graph_hide_below(b.graph, 0);
	drop(&b);
}

static void steps_on_a_cpu_pass_from_task_to_task_and_callers_lead_back(void **state)
{
	struct bench b = load_of(two_cpus(), 0, 0);
	uint32_t first, last;

	(void)state;
	kt_graph_by_cpu(b.graph, true, NULL);
	first = kt_graph_row(b.graph, 2);
	last = kt_graph_row(b.graph, 4);
	assert_int_equal(kt_graph_same(b.graph, first, 1), last);
	assert_int_equal(kt_graph_same(b.graph, last, 1), KT_CALL_NONE);
	assert_int_equal(kt_graph_compare(b.graph, last).nr, 2);
	assert_int_equal(kt_graph_compare(b.graph, last).slowest, first);
	kt_graph_choose(b.graph, 1);
	kt_graph_reveal(b.graph, kt_graph_caller(b.graph, kt_graph_row(b.graph, 1)));
	assert_int_equal(kt_graph_chosen(b.graph), 0);
	/* With the focus on it, a call is complete. */
	kt_graph_focus(b.graph, kt_graph_row(b.graph, 1));
	check_rows(&b, "b c d d");
	kt_graph_by_cpu(b.graph, false, NULL);
	kt_graph_reveal(b.graph, first);
	check_rows(&b, "d");
	drop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_fold_alone_with_all_inside_by_function_and_by_depth),
		cmocka_unit_test(short_calls_are_hidden_and_counted),
		cmocka_unit_test(a_focus_leaves_the_rest_out_until_something_else_is_shown),
		cmocka_unit_test(steps_lead_to_relatives_and_to_calls_of_the_same_function),
		cmocka_unit_test(tasks_have_calls_of_their_own),
		cmocka_unit_test(the_call_of_a_record_is_found_though_others_touch_that_moment),
		cmocka_unit_test(a_window_says_where_it_ends),
		cmocka_unit_test(a_cpu_has_the_calls_that_began_on_it_of_whichever_task),
		cmocka_unit_test(steps_on_a_cpu_pass_from_task_to_task_and_callers_lead_back),
	};

	return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
