/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sigbus.c - files that are truncated while they are mapped */
#include <ktrail/file.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kt_reading.h"
#include "kt_test.h"

static sigjmp_buf back;
static char told_path[256];

static void on_foreign(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void told(const char *path)
{
	strncpy(told_path, path, sizeof(told_path) - 1);
}

/* cmocka has put a handler of its own in place. */
static void catch_cuts(void)
{
	signal(SIGBUS, on_foreign);
	assert_int_equal(kt_file_catch_cuts(NULL), 0);
	assert_int_equal(kt_file_catch_cuts(told), 0);
}

static struct kt_file *open_long(char *path, size_t size)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	int i;

	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 0);
	for (i = 1; i < 40000; i++)
		kt_dat_add(d, 1, (uint64_t)i * 100);
	snprintf(path, size, "%s", kt_dat_write(d, "cut.dat"));
	kt_dat_destroy(d);
	return kt_open(path);
}

TEST(what_is_cut_off_reads_as_zeros)
{
	char path[4096];
	struct kt_file *f = open_long(path, sizeof(path));
	struct kt_chunk chunk;
	size_t i, zeros = 0;

	catch_cuts();
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 0, &chunk, NULL), 1);
	assert_true(chunk.size > 100000);
	assert_int_not_equal(chunk.data[0] | chunk.data[1], 0);
	assert_int_equal(truncate(path, 8192), 0);
	for (i = 65536; i < chunk.size; i++)
		zeros += !chunk.data[i];
	assert_int_equal(zeros, chunk.size - 65536);
	assert_string_equal(told_path, path);
	kt_chunk_put(&chunk);
	/* The next one is not even searched for, and the damage is reported. */
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 1, &chunk, NULL), 0);
	assert_true(kt_has_damage(f, "truncated"));
	kt_file_close(f);
}

TEST(faults_elsewhere_go_to_the_handler_before)
{
	int fd = open(kt_tmp("own"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	volatile char *map;

	catch_cuts();
	assert_int_equal(ftruncate(fd, 8192), 0);
	map = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	if (!sigsetjmp(back, 1)) {
		(void)map[4096];
		fail();
	}
	munmap((void *)map, 8192);
	close(fd);
}

int main(void)
{
	return RUN(unit(what_is_cut_off_reads_as_zeros),
		   unit(faults_elsewhere_go_to_the_handler_before),
		   unit(what_is_cut_off_reads_as_zeros));
}
