/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_damage.c - truncated and altered files: intact parts are read, damage is reported */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kt_exercise.h"
#include "kt_test.h"

#define CUTS  200
#define FLIPS 2000

/* Calls @check with the path of a copy of every sample, opened for writing. */
static void for_each_sample(void (*check)(const char *name, const char *path, int fd,
					  const char *bytes, size_t size))
{
	DIR *dir = opendir(kt_data("peer"));
	const char *path;
	struct dirent *d;
	char name[300], *bytes;
	size_t size, nr = 0;
	int fd;

	assert_non_null(dir);
	while ((d = readdir(dir))) {
		if (!strstr(d->d_name, ".dat"))
			continue;
		snprintf(name, sizeof(name), "peer/%s", d->d_name);
		bytes = kt_slurp(kt_data(name), &size);
		path = kt_tmp(d->d_name);
		kt_spill(path, bytes, size);
		fd = open(path, O_RDWR | O_CLOEXEC);
		assert_true(fd >= 0);
		check(d->d_name, path, fd, bytes, size);
		close(fd);
		free(bytes);
		nr++;
	}
	closedir(dir);
	assert_true(nr >= 8);
}

static void is_intact(const char *name, const char *path, int fd, const char *bytes, size_t size)
{
	struct kt_exercise e = kt_exercise(path);

	(void)fd, (void)bytes, (void)size;
	if (e.error || e.nr_damages || !e.nr_records)
		fail_msg("%s: error %d, %zu damages, %zu records", name, e.error, e.nr_damages,
			 (size_t)e.nr_records);
}

TEST(the_samples_themselves_are_intact)
{
	for_each_sample(is_intact);
}

/* A cut file never passes for a complete one, and a longer rest never has fewer records. */
static void survives_cuts(const char *name, const char *path, int fd, const char *bytes,
			  size_t size)
{
	uint64_t most = kt_exercise(path).nr_records, before = 0;
	struct kt_exercise e = { 0 };
	size_t i, at;

	(void)bytes;
	for (i = 0; i < CUTS; i++) {
		at = size * i / CUTS;
		/* growing again: write the bytes back */
		assert_int_equal(ftruncate(fd, at), 0);
		assert_int_equal(pwrite(fd, bytes, at, 0), at);
		e = kt_exercise(path);
		if (!e.error && !e.nr_damages)
			fail_msg("%s cut at %zu passes for whole", name, at);
		if (e.error && at > 100)
			fail_msg("%s cut at %zu cannot be opened", name, at);
		if (e.nr_records < before || e.nr_records > most)
			fail_msg("%s cut at %zu has %zu records, less of it had %zu", name, at,
				 (size_t)e.nr_records, (size_t)before);
		before = e.nr_records;
	}
	assert_int_equal(pwrite(fd, bytes, size, 0), size);
}

TEST(cut_files_give_their_rest_and_report_the_damage)
{
	for_each_sample(survives_cuts);
}

static void survives_flips(const char *name, const char *path, int fd, const char *bytes,
			   size_t size)
{
	uint64_t most = kt_exercise(path).nr_records, all = 0;
	unsigned int seed = 1, opened = 0;
	size_t i, at;
	char c;

	for (i = 0; i < FLIPS; i++) {
		struct kt_exercise e;

		/* Half of them in the first and last 5 %, which hold the structure. */
		seed = seed * 1103515245 + 12345;
		at = i & 1 ? (size_t)(seed >> 4) % size : (size_t)(seed >> 4) % (size / 20);
		if (i % 4 == 2)
			at = size - 1 - at;
		c = bytes[at] ^ (i % 3 ? 1 << (seed >> 28) % 8 : 0xff);
		assert_int_equal(pwrite(fd, &c, 1, at), 1);
		e = kt_exercise(path);
		opened += !e.error;
		all += e.nr_records;
		assert_int_equal(pwrite(fd, &bytes[at], 1, at), 1);
	}
	/* One byte rarely costs much: most of the records are still there. */
	if (opened < FLIPS * 9 / 10 || all < most * FLIPS / 2)
		fail_msg("%s: %u of %u opened, %zu of %zu records", name, opened, FLIPS,
			 (size_t)all, (size_t)most * FLIPS);
}

TEST(altered_files_do_no_harm)
{
	for_each_sample(survives_flips);
}

int main(void)
{
	return RUN(unit(the_samples_themselves_are_intact),
		   unit(cut_files_give_their_rest_and_report_the_damage),
		   unit(altered_files_do_no_harm));
}
