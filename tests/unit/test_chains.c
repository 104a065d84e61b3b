/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_chains.c - counts of the events of each task, and their callers */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/analysis.h>

#include "base/str.h"
#include "kt_reading.h"

#define FIELD(type, name, offset, size) \
	"\tfield:" type " " name ";\toffset:" offset ";\tsize:" size ";\tsigned:0;\n"

enum { FUNCTION = 1, STACK = 4, USER_STACK = 12, GRAPH = 11, PING = 100 };

static struct kt_dat *begin_file_with(const char *kallsyms)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_meta(d, KT_META_KALLSYMS, kallsyms);
	kt_dat_meta(d, KT_META_CMDLINES, "7 cat\n8 dog\n");
	kt_dat_event(d, "ftrace", "name: function\nID: 1\n" KT_COMMON
		     FIELD("unsigned long", "ip", "8", "8")
		     FIELD("unsigned long", "parent_ip", "16", "8") "\nprint fmt: \"x\"\n");
	kt_dat_event(d, "ftrace", "name: kernel_stack\nID: 4\n" KT_COMMON
		     FIELD("int", "size", "8", "4")
		     FIELD("unsigned long", "caller[8]", "16", "64") "\nprint fmt: \"x\"\n");
	kt_dat_event(d, "ftrace", "name: user_stack\nID: 12\n" KT_COMMON "\nprint fmt: \"x\"\n");
	kt_dat_event(d, "ftrace", "name: funcgraph_entry\nID: 11\n" KT_COMMON
		     FIELD("unsigned long", "func", "8", "8") FIELD("int", "depth", "16", "4")
		     "\nprint fmt: \"x\"\n");
	kt_dat_event(d, "test", "name: ping\nID: 100\n" KT_COMMON "\nprint fmt: \"x\"\n");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static struct kt_dat *begin_file(void)
{
	return begin_file_with("0000000000001000 T open_it\n0000000000002000 T read_it\n"
			       "0000000000003000 T syscall\n0000000000004000 T _end\n");
}

static void ping(struct kt_dat *d, uint64_t ts, int pid)
{
	kt_dat_begin(d, PING, pid);
	kt_dat_end(d, ts);
}

static void function(struct kt_dat *d, uint64_t ts, uint64_t ip, uint64_t parent)
{
	kt_dat_begin(d, FUNCTION, 7);
	kt_dat_int(d, 8, ip);
	kt_dat_int(d, 8, parent);
	kt_dat_end(d, ts);
}

static void graph(struct kt_dat *d, uint64_t ts, uint64_t func, uint32_t depth)
{
	kt_dat_begin(d, GRAPH, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 4, depth);
	kt_dat_end(d, ts);
}

static void stack(struct kt_dat *d, uint64_t ts, int pid, uint64_t inner, uint64_t outer)
{
	kt_dat_begin(d, STACK, pid);
	kt_dat_int(d, 4, 3);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 8, inner);
	kt_dat_int(d, 8, 0x10);		/* below all symbols */
	kt_dat_int(d, 8, outer);
	kt_dat_int(d, 8, UINT64_MAX);
	kt_dat_int(d, 8, 0x1000);	/* beyond the end */
	kt_dat_end(d, ts);
}

static struct kt_chains *chains(struct kt_dat *d, struct kt_trace **t, bool ignore_pids)
{
	struct kt_err err = { 0 };
	struct kt_chains *c;

	*t = kt_dat_trace(d);
	c = kt_chains_create(*t, ignore_pids, &err);
	assert_non_null(c);
	kt_pass(*t, kt_chains_analysis(c), NULL);
	return c;
}

static void check(const struct kt_chain_caller *c, const char *function, uint64_t count)
{
	assert_non_null(c);
	assert_string_equal(c->function, function);
	assert_int_equal(c->count, count);
}

static struct kt_dat *stacks(void)
{
	struct kt_dat *d = begin_file();

	ping(d, 1, 7);
	ping(d, 2, 8);
	stack(d, 3, 7, 0x1010, 0x3010);
	stack(d, 4, 8, 0x2010, 0x3020);
	kt_dat_begin(d, USER_STACK, 8);
	kt_dat_end(d, 5);
	ping(d, 6, 8);
	stack(d, 7, 8, 0x2020, 0x1000);
	stack(d, 8, 8, 0x1000, 0x1000);		/* belongs to no event */
	ping(d, 9, 8);
	return d;
}

static void the_stack_after_an_event_is_its_chain(void **state)
{
	struct kt_trace *t;
	struct kt_chains *c = chains(stacks(), &t, false);
	const struct kt_chain *dog = kt_chains_at(c, 0), *cat = kt_chains_at(c, 1);

	(void)state;
	assert_int_equal(kt_chains_nr(c), 2);
	assert_int_equal(kt_chains_total(c), 4);
	assert_string_equal(dog->comm, "dog");
	assert_string_equal(dog->name, "ping");
	assert_false(dog->is_function);
	assert_int_equal(dog->count, 3);
	check(dog->callers, "read_it", 2);
	assert_null(dog->callers->next);
	check(dog->callers->callers, "syscall", 1);
	check(dog->callers->callers->next, "open_it", 1);
	assert_int_equal(cat->pid, 7);
	check(cat->callers, "open_it", 1);
	check(cat->callers->callers, "syscall", 1);
	assert_null(cat->callers->callers->callers);
	assert_null(kt_chains_at(c, 2));
	kt_chains_destroy(c);
	kt_trace_destroy(t);
}

static void tasks_can_be_taken_together(void **state)
{
	struct kt_trace *t;
	struct kt_chains *c = chains(stacks(), &t, true);
	const struct kt_chain *all = kt_chains_at(c, 0);

	(void)state;
	assert_int_equal(kt_chains_nr(c), 1);
	assert_int_equal(all->pid, -1);
	assert_null(all->comm);
	assert_int_equal(all->count, 4);
	check(all->callers, "read_it", 2);
	check(all->callers->next, "open_it", 1);
	kt_chains_destroy(c);
	kt_trace_destroy(t);
}

static void functions_are_followed_through_their_callers(void **state)
{
	struct kt_dat *d = begin_file();
	struct kt_trace *t;
	struct kt_chains *c;

	(void)state;
	function(d, 1, 0x1000, 0x3010);		/* syscall -> open_it */
	function(d, 2, 0x2000, 0x1010);		/* … -> read_it */
	ping(d, 3, 7);
	function(d, 4, 0x2000, 0x3010);		/* syscall -> read_it */
	c = chains(d, &t, false);
	assert_int_equal(kt_chains_total(c), 4);
	assert_string_equal(kt_chains_at(c, 0)->name, "read_it");
	assert_true(kt_chains_at(c, 0)->is_function);
	check(kt_chains_at(c, 0)->callers, "open_it", 1);
	check(kt_chains_at(c, 0)->callers->next, "syscall", 1);
	assert_string_equal(kt_chains_at(c, 2)->name, "ping");
	check(kt_chains_at(c, 2)->callers, "read_it", 1);
	check(kt_chains_at(c, 2)->callers->callers->callers, "syscall", 1);
	kt_chains_destroy(c);
	kt_trace_destroy(t);
}

static void the_depth_of_a_graph_shows_the_callers(void **state)
{
	struct kt_dat *d = begin_file();
	struct kt_trace *t;
	struct kt_chains *c;

	(void)state;
	graph(d, 1, 0x3000, 0);
	graph(d, 2, 0x1000, 1);
	graph(d, 3, 0x2000, 2);
	graph(d, 4, 0x2000, 1);
	graph(d, 5, 0x2000, UINT32_MAX);	/* invalid depth: counts as called by the last */
	c = chains(d, &t, false);
	assert_string_equal(kt_chains_at(c, 0)->name, "read_it");
	assert_int_equal(kt_chains_at(c, 0)->count, 3);
	assert_int_equal(kt_chains_at(c, 1)->count, 1);
	kt_chains_destroy(c);
	kt_trace_destroy(t);
}

static void endless_recursion_is_cut(void **state)
{
	struct kt_dat *d = begin_file();
	const struct kt_chain_caller *n;
	struct kt_trace *t;
	struct kt_chains *c;
	int i, depth = 0;

	(void)state;
	for (i = 0; i < 1000; i++)
		function(d, i + 1, 0x1000, 0x1010);
	c = chains(d, &t, false);
	assert_int_equal(kt_chains_at(c, 0)->count, 1000);
	for (n = kt_chains_at(c, 0)->callers; n; n = n->callers)
		depth++;
	assert_in_range(depth, 2, 32);
	kt_chains_destroy(c);
	kt_trace_destroy(t);
}

enum { NR_CALLERS = 5000 };

/* Function i calls open_it i % 7 + 1 times. */
static struct kt_dat *called_by_many(struct str *kallsyms)
{
	struct kt_dat *d;
	uint64_t i, nr, ts = 0;

	str_add(kallsyms, "0000000000001000 T open_it\n");
	for (i = 0; i <= NR_CALLERS; i++)
		str_addf(kallsyms, "%016" PRIx64 " T caller_%" PRIu64 "\n", 0x2000 + i * 16, i);
	d = begin_file_with(kallsyms->buf);
	for (nr = 0; nr < 7; nr++)
		for (i = 0; i < NR_CALLERS; i++)
			if (i % 7 >= nr)
				function(d, ++ts, 0x1000, 0x2000 + i * 16 + 4);
	return d;
}

static void many_callers_are_distinguished_and_stay_in_order(void **state)
{
	struct str kallsyms = STR_INIT;
	struct kt_trace *t;
	struct kt_chains *c = chains(called_by_many(&kallsyms), &t, false);
	const struct kt_chain_caller *n = kt_chains_at(c, 0)->callers;
	int count, i;
	char name[32];

	(void)state;
	for (count = 7; count > 0; count--)
		for (i = count - 1; i < NR_CALLERS; i += 7, n = n->next) {
			snprintf(name, sizeof(name), "caller_%d", i);
			check(n, name, count);
			assert_null(n->callers);
		}
	assert_null(n);
	str_fini(&kallsyms);
	kt_chains_destroy(c);
	kt_trace_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_stack_after_an_event_is_its_chain),
		cmocka_unit_test(tasks_can_be_taken_together),
		cmocka_unit_test(functions_are_followed_through_their_callers),
		cmocka_unit_test(the_depth_of_a_graph_shows_the_callers),
		cmocka_unit_test(endless_recursion_is_cut),
		cmocka_unit_test(many_callers_are_distinguished_and_stay_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
