/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_test.h - additions to cmocka: includes, fixtures, a fake tracefs */
#ifndef KT_TEST_H
#define KT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* cmocka 2 has a macro of this name, and another one for ranges */
#undef stop
#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range assert_uint_in_range
#endif

#include <ktrail/base.h>

/*
 * Names of tests are sentences:
 *
 *	TEST(the_first_failure_wins)
 *	{
 *		…
 *	}
 *	int main(void) { return RUN(unit(the_first_failure_wins), …); }
 */
#define TEST(name) static void name(void **state __attribute__((unused)))
#define unit(name) cmocka_unit_test(name)
/* The texts of libtraceevent are compared with those of Debian 12's; later ones differ. */
#define NEEDS_TEP_1_7() do { if (strncmp(TEP_VERSION, "1.7.", 4) != 0) skip(); } while (0)
#define RUN(...) \
	cmocka_run_group_tests_name(__FILE__, ((const struct CMUnitTest[]){ __VA_ARGS__ }), \
				    NULL, NULL)
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
	_cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

/* Fails with the message unless @err is clear. */
#define CHECK_NO_ERR(err) \
	do { \
		if ((err)->code) \
			fail_msg("%s", (err)->msg); \
	} while (0)

/* Path of a file in tests/data; borrowed until the fourth call after this one. */
const char *kt_data(const char *name);

/* Path in the test's empty directory, which the harness removes; borrowed likewise. */
const char *kt_tmp(const char *name);

/* From here on plugins are those of this build, and none of the user's. */
void kt_built_plugins(void);

/* Whole file with a NUL after it, new (free); fails the test when it cannot be read. */
char *kt_slurp(const char *path, size_t *size);
/* Creates the folders above it as well; @size -1: strlen. */
void kt_spill(const char *path, const void *bytes, size_t size);

/**
 * kt_fake_tracefs - a directory that looks like a tracefs with nothing set
 *
 * Plain files: what is written stays, and nothing checks it. Tests add what
 * they need with kt_fake_set. Returns its path, borrowed until the next call.
 */
const char *kt_fake_tracefs(void);
void kt_fake_set(const char *file, const char *text);
/* Content of a file of the fake, without the last newline; borrowed as above. */
const char *kt_fake_get(const char *file);
/* A dry handle of its top-level buffer; new */
struct kt_instance;
struct kt_instance *kt_open_dry(void);
size_t kt_nr_lines(const char *text);

#endif
