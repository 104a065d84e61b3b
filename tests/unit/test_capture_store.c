/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_capture_store.c - files of captures: numbers, limits, free space, and similar files */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "capture/capture.h"
#include "kt_test.h"

static void make(const char *name, size_t kb)
{
	char path[512], block[1024];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", kt_tmp("store"), name);
	memset(block, 'x', sizeof(block));
	f = fopen(path, "w");
	assert_non_null(f);
	while (kb--)
		assert_int_equal(fwrite(block, sizeof(block), 1, f), 1);
	assert_int_equal(fclose(f), 0);
}

static bool is_there(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", kt_tmp("store"), name);
	return access(path, F_OK) == 0;
}

static struct store open_store(const struct kt_capture_opts *bounds)
{
	struct kt_capture_opts o = *bounds;
	struct kt_err err = { 0 };
	char prefix[512];
	struct store s;

	snprintf(prefix, sizeof(prefix), "%s/a", kt_tmp("store"));
	o.prefix = prefix;
	assert_int_equal(store_open(&s, &o, &err), 0);
	return s;
}

static void fresh(void)
{
	char command[600];

	snprintf(command, sizeof(command), "rm -rf '%s' && mkdir '%s'", kt_tmp("store"),
		 kt_tmp("store"));
	assert_int_equal(system(command), 0);
}

static void numbers_go_on(void **state)
{
	struct store s;
	uint64_t nr, bytes;

	(void)state;
	fresh();
	make("a-0007.dat", 1);
	make("a-0003.dat.new0", 1);
	make("a-0003.dat.new", 1);
	make("a-0003.dat.newer", 1);
	make("ab-0100.dat", 1);
	s = open_store(&(struct kt_capture_opts){ 0 });
	assert_false(is_there("a-0003.dat.new0"));	/* half a file */
	assert_true(is_there("a-0003.dat.new") && is_there("a-0003.dat.newer"));
	assert_true(str_ends(store_next(&s), "/a-0008.dat"));
	make("a-0008.dat", 1);
	make("a-0009.dat", 1);				/* by another recorder */
	assert_true(str_ends(store_next(&s), "/a-0010.dat"));
	store_count(&s, &nr, &bytes);
	assert_int_equal(nr, 3);
	store_trim(&s);
	assert_null(s.removed);
	store_close(&s);
}

static void the_oldest_go(void **state)
{
	struct store s;

	(void)state;
	fresh();
	make("a-0001.dat", 64);
	make("a-0002.dat", 64);
	make("a-0003.dat", 64);
	make("a-0004.dat", 64);
	s = open_store(&(struct kt_capture_opts){ .keep = 3 });
	store_trim(&s);
	assert_true(str_ends(s.removed, "/a-0001.dat") && s.nr_removed == 1);
	store_close(&s);

	s = open_store(&(struct kt_capture_opts){ .max_disk = 150 << 10 });
	store_trim(&s);
	assert_false(is_there("a-0002.dat"));
	assert_true(is_there("a-0003.dat") && is_there("a-0004.dat") && s.nr_removed == 1);
	store_trim(&s);
	assert_null(s.removed);
	store_close(&s);

	s = open_store(&(struct kt_capture_opts){ .max_disk = 1 });
	store_trim(&s);
	assert_true(!is_there("a-0003.dat") && is_there("a-0004.dat"));	/* the last one stays */
	store_close(&s);
}

static void room_is_known(void **state)
{
	struct store s;
	char why[256];

	(void)state;
	fresh();
	s = open_store(&(struct kt_capture_opts){ .min_free = UINT64_MAX / 4 });
	assert_false(store_has_room(&s, kt_tmp("store"), 0, why, sizeof(why)));
	assert_true(strstr(why, "has only") && strstr(why, "are needed"));
	store_close(&s);
	s = open_store(&(struct kt_capture_opts){ .min_free = 1 });
	assert_true(store_has_room(&s, kt_tmp("store"), 0, why, sizeof(why)));
	assert_false(store_has_room(&s, kt_tmp("store"), UINT64_MAX / 4, why, sizeof(why)));
	store_close(&s);
}

/* ---- alike ---- */

static struct kt_capture_note note_of(const char *path)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(path, &err);
	struct kt_capture_note n;

	CHECK_NO_ERR(&err);
	assert_int_equal(kt_capture_read_note(f, &n), 0);
	kt_file_close(f);
	return n;
}

static const char *find(struct alike *a, const char *text, const char *name)
{
	struct kt_capture_note n = note_of(kt_data("6.12-capture.dat"));
	char path[512];

	if (text) {
		n.causes[0] = (struct kt_cause){ .at = 5, .from = 5, .pid = -1, .cpu = -1 };
		snprintf(n.causes[0].text, sizeof(n.causes[0].text), "%s", text);
	}
	snprintf(path, sizeof(path), "%s/%s", kt_tmp("store"), name);
	return alike_find(a, &n, text ? path : kt_data("6.12-capture.dat"));
}

static struct store open_fresh(void)
{
	fresh();
	return open_store(&(struct kt_capture_opts){ 0 });
}

static struct alike *open_list(struct store *s)
{
	struct kt_err err = { 0 };
	struct alike *a = alike_open(s, &err);

	assert_non_null(a);
	return a;
}

static void the_first_is_kept(void **state)
{
	struct store s = open_fresh();
	struct alike *a = open_list(&s);

	(void)state;
	make("a-0001.dat", 1);
	make("a-0002.dat", 1);
	assert_null(find(a, "line: frame 17 was late", "a-0001.dat"));
	assert_null(find(a, "line: all is well", "a-0002.dat"));
	assert_string_equal(find(a, "line: frame 4711 was late", "a-0003.dat"),
			    "it is like a-0001.dat, number 1 since then");
	alike_close(a);

	a = open_list(&s);		/* of the next run */
	assert_string_equal(find(a, "line: frame 0x3f was late", "a-0003.dat"),
			    "it is like a-0001.dat, number 2 since then");
	unlink(kt_tmp("store/a-0001.dat"));
	make("a-0003.dat", 1);
	assert_null(find(a, "line: frame 18 was late", "a-0003.dat"));
	assert_string_equal(find(a, "line: frame 19 was late", "a-0004.dat"),
			    "it is like a-0003.dat, number 1 since then");
	alike_close(a);
	store_close(&s);
}

/* A latency: the top of `why` is part of the key. */
static void reasons_are_compared(void **state)
{
	struct store s = open_fresh();
	struct alike *a = open_list(&s);
	struct str list = STR_INIT;

	(void)state;
	make("6.12-capture.dat", 1);	/* has a name in this folder, too */
	assert_null(find(a, NULL, NULL));
	assert_non_null(find(a, NULL, NULL));
	alike_close(a);
	assert_int_equal(str_read_file(&list, kt_tmp("store/a-alike.tsv")), 0);
	assert_non_null(strstr(list.buf, "\twakeup of sleep:#; woken, waited for CPU #, until #; "
					 "bash:# ran there\n"));
	str_fini(&list);
	store_close(&s);
}

/* The list is a text file that users may have edited. */
static void lists_are_checked(void **state)
{
	struct store s = open_fresh();
	static const char text[] = "\t\t\t\n\na-0001.dat\na-0001.dat\t5\n"
				   "a-0001.dat\tfive\tx\tsignal\n../../etc/passwd\t1\tx\tline\n";
	FILE *f = fopen(kt_tmp("store/a-alike.tsv"), "w");
	struct alike *a;

	(void)state;
	make("a-0001.dat", 1);
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	a = open_list(&s);
	assert_string_equal(find(a, "signal", "a-0002.dat"),
			    "it is like a-0001.dat, number 1 since then");
	alike_close(a);
	store_close(&s);
}

int main(void)
{
	return RUN(unit(numbers_go_on), unit(the_oldest_go), unit(room_is_known),
		   unit(the_first_is_kept), unit(lists_are_checked), unit(reasons_are_compared));
}
