/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_kmem.c - who allocated kernel memory in a trace */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/analysis.h>

#include "kt_reading.h"

enum { KMALLOC = 10, KFREE };

static void alloc(struct kt_dat *d, uint64_t ts, uint64_t site, uint64_t ptr, uint64_t req,
		  uint64_t given)
{
	kt_dat_begin(d, KMALLOC, 1);
	kt_dat_int(d, 8, site);
	kt_dat_int(d, 8, ptr);
	kt_dat_int(d, 8, req);
	kt_dat_int(d, 8, given);
	kt_dat_end(d, ts);
}

static void release(struct kt_dat *d, uint64_t ts, uint64_t ptr)
{
	kt_dat_begin(d, KFREE, 1);
	kt_dat_int(d, 8, 0x1010);
	kt_dat_int(d, 8, ptr);
	kt_dat_end(d, ts);
}

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_meta(d, KT_META_KALLSYMS, "0000000000001000 T open_it\n0000000000002000 T read_it\n"
					 "0000000000003000 T _end\n");
	kt_dat_numbers(d, "kmem", "kmalloc", 10, "call_site ptr bytes_req bytes_alloc");
	kt_dat_numbers(d, "kmem", "kfree", 11, "call_site ptr");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static struct kt_kmem *report(struct kt_dat *d, struct kt_trace **t)
{
	struct kt_err err = { 0 };
	struct kt_kmem *k;

	*t = kt_dat_trace(d);
	k = kt_kmem_create(*t, &err);
	assert_non_null(k);
	kt_pass(*t, kt_kmem_analysis(k), NULL);
	return k;
}

static void what_is_held_and_wasted_is_added_up_by_function(void **state)
{
	struct kt_dat *d = begin_file();
	const struct kt_kmem_row *row;
	struct kt_trace *t;
	struct kt_kmem *k;

	(void)state;
	alloc(d, 1, 0x1010, 0xa0, 30, 32);
	alloc(d, 2, 0x1020, 0xb0, 20, 32);
	alloc(d, 3, 0x2010, 0xc0, 60, 64);
	release(d, 4, 0xb0);
	release(d, 5, 0xdead);		/* from before the trace */
	k = report(d, &t);

	assert_int_equal(kt_kmem_nr(k), 2);
	row = kt_kmem_row(k, 0);
	assert_string_equal(row->function, "read_it");
	assert_int_equal(row->alloc - row->req, 4);
	row = kt_kmem_row(k, 1);
	assert_string_equal(row->function, "open_it");
	assert_int_equal(row->alloc, 32);
	assert_int_equal(row->req, 30);
	assert_int_equal(row->total_alloc, 64);
	assert_int_equal(row->total_req, 50);
	assert_int_equal(row->max_alloc, 64);
	assert_int_equal(row->max_waste, 14);
	assert_null(kt_kmem_row(k, 2));
	kt_kmem_destroy(k);
	kt_trace_destroy(t);
}

static void an_address_given_out_again_was_freed_unseen(void **state)
{
	struct kt_dat *d = begin_file();
	struct kt_trace *t;
	struct kt_kmem *k;

	(void)state;
	alloc(d, 1, 0x1010, 0xa0, 30, 32);
	alloc(d, 2, 0x2010, 0xa0, 10, 16);
	k = report(d, &t);
	assert_string_equal(kt_kmem_row(k, 0)->function, "read_it");
	assert_int_equal(kt_kmem_row(k, 0)->alloc, 16);
	assert_int_equal(kt_kmem_row(k, 1)->alloc, 0);
	kt_kmem_destroy(k);
	kt_trace_destroy(t);
}

static void many_objects_come_and_go(void **state)
{
	struct kt_dat *d = begin_file();
	struct kt_trace *t;
	struct kt_kmem *k;
	uint64_t i;

	(void)state;
	for (i = 1; i <= 5000; i++)
		alloc(d, i, 0x1010, i * 64, 60, 64);
	for (i = 1; i <= 4999; i++)
		release(d, 5000 + i, i * 64);
	k = report(d, &t);
	assert_int_equal(kt_kmem_row(k, 0)->alloc, 64);
	assert_int_equal(kt_kmem_row(k, 0)->max_alloc, 5000 * 64);
	kt_kmem_destroy(k);
	kt_trace_destroy(t);
}

static void callers_without_a_name_are_distinguished(void **state)
{
	struct kt_dat *d = begin_file();
	struct kt_trace *t;
	struct kt_kmem *k;
	uint64_t i;

	(void)state;
	for (i = 1; i <= 3000; i++)
		alloc(d, i, i, i * 64, 64 - i % 5, 64);
	for (i = 1; i <= 3000; i++)
		alloc(d, 3000 + i, i, (3000 + i) * 64, 64, 64);
	k = report(d, &t);
	assert_int_equal(kt_kmem_nr(k), 3000);
	for (i = 0; i < 3000; i++)
		assert_int_equal(kt_kmem_row(k, i)->total_alloc, 128);
	assert_int_equal(kt_kmem_row(k, 0)->max_waste, 4);
	assert_int_equal(strtoul(kt_kmem_row(k, 0)->function, NULL, 16) % 5, 4);
	kt_kmem_destroy(k);
	kt_trace_destroy(t);
}

static void a_trace_without_kmem_events_is_an_error(void **state)
{
	struct kt_trace *t = kt_dat_trace(kt_dat_small());
	struct kt_err err = { 0 };

	(void)state;
	assert_null(kt_kmem_create(t, &err));
	assert_int_equal(err.code, -ENOENT);
	kt_trace_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_held_and_wasted_is_added_up_by_function),
		cmocka_unit_test(an_address_given_out_again_was_freed_unseen),
		cmocka_unit_test(many_objects_come_and_go),
		cmocka_unit_test(callers_without_a_name_are_distinguished),
		cmocka_unit_test(a_trace_without_kmem_events_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
