/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_diff.c - a planted difference of two recordings is found, and chance is not */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/diff.h>

#include "kt_test.h"
#include "kt_work.h"

static const struct kt_diff_limits usual = { .threshold = 0.05, .confidence = 0.95 };

/* tests/diff-proof asks for more variants: KT_DIFF_SAME=200 KT_DIFF_VARIANTS=30 */
static size_t variants(const char *variable, size_t usually)
{
	const char *asked = getenv(variable);

	return asked ? strtoul(asked, NULL, 10) : usually;
}

static void read_side(struct kt_diff *d, enum kt_diff_side side, const struct kt_work *w)
{
	struct kt_diff_input in = { .trace = kt_work_record(w) };
	struct kt_err err = { 0 };
	struct kt_analysis *run = kt_diff_add(d, side, &in, &err);

	CHECK_NO_ERR(&err);
	assert_int_equal(kt_pass_run(in.trace, &run, 1, NULL, &err), 0);
	kt_trace_destroy(in.trace);
}

/* Compare @runs recordings of each side. New */
static struct kt_diff *compare(const struct kt_work *a, const struct kt_work *b, size_t runs)
{
	const struct kt_diff_opts o = { .frames = true };
	struct kt_diff *d = kt_diff_create(&o, NULL);
	struct kt_work one;
	size_t i;

	for (i = 0; i < runs; i++) {
		one = *a;
		one.run += 1000 * i;
		read_side(d, KT_DIFF_A, &one);
		one = *b;
		one.run += 1000 * i;
		read_side(d, KT_DIFF_B, &one);
	}
	return d;
}

static void tell(const struct kt_diff *d, int nr)
{
	struct kt_diff_row r;
	int i;

	for (i = 0; i < nr && i < 5 && kt_diff_row(d, (size_t)i, &r); i++)
		print_message("  %s %s: flags %x, count %.0f -> %.0f, typical %.0f -> %.0f, p99 %llu -> "
			      "%llu, %+.0f ns, p %.4f\n", r.kind, r.name, r.flags, r.a.count, r.b.count,
			      r.a.typical, r.b.typical, (unsigned long long)r.a.p99,
			      (unsigned long long)r.b.p99, r.change_ns, r.p);
}

/* The number of comparisons of the same work in which a change was found */
static size_t count_false(size_t nr, size_t runs)
{
	uint64_t ns = runs > 1 ? 1000000000 : 0;
	size_t i, found = 0;

	for (i = 0; i < nr; i++) {
		const struct kt_work a = { .workload = i, .run = 2 * i + 1, .ns = ns };
		const struct kt_work b = { .workload = i, .run = 2 * i + 2, .ns = ns };
		struct kt_diff *d = compare(&a, &b, runs);
		int differ = kt_diff_compare(d, &usual, NULL);

		assert_true(differ >= 0);
		if (differ)
			print_message("the same work, %zu: %d differ\n", i, differ);
		tell(d, differ);
		found += differ > 0;
		kt_diff_destroy(d);
	}
	return found;
}

TEST(recordings_of_the_same_work_are_the_same)
{
	size_t nr = variants("KT_DIFF_SAME", 3), found = count_false(nr, 1);

	print_message("the same work, one recording of each side: same in %zu of %zu\n",
		      nr - found, nr);
	assert_in_range(found, 0, nr / 20);
}

TEST(several_recordings_of_the_same_work_are_the_same)
{
	size_t nr = variants("KT_DIFF_VARIANTS", 1), found = count_false(nr, 5);

	print_message("the same work, five recordings of each side: same in %zu of %zu\n",
		      nr - found, nr);
	assert_in_range(found, 0, nr / 20);
}

/* Is the change in the first row, does its name end with @name, and has it one of @flags? */
static bool is_first(const struct kt_work *planted, size_t variant, size_t runs, const char *kind,
		     const char *name, unsigned int flags)
{
	const struct kt_work a = {
		.workload = variant, .run = 2 * variant + 1, .ns = planted->ns,
	};
	struct kt_work b = *planted;
	struct kt_diff_row r = { 0 };
	struct kt_diff *d;
	bool found;
	int differ;

	b.workload = variant;
	b.run = 2 * variant + 2;
	d = compare(&a, &b, runs);
	differ = kt_diff_compare(d, &usual, NULL);
	found = differ > 0 && kt_diff_row(d, 0, &r) && strcmp(r.kind, kind) == 0 &&
		strlen(r.name) >= strlen(name) &&
		strcmp(r.name + strlen(r.name) - strlen(name), name) == 0 && r.flags & flags;
	if (!found) {
		print_message("%s %s in variant %zu: %d differ\n", kind, name, variant, differ);
		tell(d, differ);
	}
	kt_diff_destroy(d);
	return found;
}

static void check_first(const struct kt_work *planted, const char *kind, const char *name,
			unsigned int flags)
{
	size_t nr = variants("KT_DIFF_VARIANTS", 1), found = 0, i;

	for (i = 0; i < nr; i++)
		found += is_first(planted, i, 1, kind, name, flags);
	print_message("%s %s: found and first in %zu of %zu\n", kind, name, found, nr);
	assert_int_equal(found, nr);
}

TEST(a_function_that_takes_a_fifth_longer_comes_first)
{
	check_first(&(struct kt_work){ .function = 1.2 }, "calls", WORK_FUNCTION, KT_DIFF_SLOWER);
}

TEST(a_system_call_that_is_made_more_often_comes_first)
{
	check_first(&(struct kt_work){ .syscall = 1.3 }, "syscall", WORK_SYSCALL, KT_DIFF_MORE);
}

TEST(an_interrupt_that_was_added_comes_first)
{
	check_first(&(struct kt_work){ .irqs = 300 }, "irq", "nvme0", KT_DIFF_ADDED);
}

TEST(a_task_whose_priority_was_lowered_comes_first)
{
	check_first(&(struct kt_work){ .low_prio = 1 }, "wakeup", "app", KT_DIFF_SLOWER);
}

TEST(the_longest_ones_may_take_longer_alone)
{
	assert_true(is_first(&(struct kt_work){ .tail = 12 }, 1, 1, "calls", WORK_FUNCTION,
			     KT_DIFF_LONGER));
}

TEST(several_recordings_of_each_side_find_it_too)
{
	assert_true(is_first(&(struct kt_work){ .function = 1.2, .ns = 1000000000 }, 1, 5, "calls",
			     WORK_FUNCTION, KT_DIFF_SLOWER));
}

/* On a busy machine, other tasks decide how often it runs, and for how long at a time. */
TEST(a_task_that_computes_for_longer_is_found_by_its_sum)
{
	const struct kt_work a = { .workload = 1, .run = 1, .ns = 1000000000, .busy = 1e7 };
	const struct kt_work b = { .workload = 1, .run = 2, .ns = 1000000000, .busy = 1.5e7 };
	struct kt_diff *d = compare(&a, &b, 5);
	struct kt_diff_row r = { 0 };

	assert_true(kt_diff_compare(d, &usual, NULL) > 0);
	tell(d, 1);
	assert_true(kt_diff_row(d, 0, &r));
	assert_string_equal(r.kind, "run");
	assert_string_equal(r.name, "app");
	assert_int_equal(r.flags, KT_DIFF_MORE_TIME);
	assert_true(r.in_total > 0.1);
	kt_diff_destroy(d);
}

int main(void)
{
	return RUN(unit(recordings_of_the_same_work_are_the_same),
		   unit(several_recordings_of_the_same_work_are_the_same),
		   unit(a_function_that_takes_a_fifth_longer_comes_first),
		   unit(a_system_call_that_is_made_more_often_comes_first),
		   unit(an_interrupt_that_was_added_comes_first),
		   unit(a_task_whose_priority_was_lowered_comes_first),
		   unit(the_longest_ones_may_take_longer_alone),
		   unit(several_recordings_of_each_side_find_it_too),
		   unit(a_task_that_computes_for_longer_is_found_by_its_sum));
}
