/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_index_cache.c - an index is cached, and used only for the file that it belongs to */
#include <ktrail/reader.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kt_reading.h"
#include "kt_test.h"

#define RECORDS 6000

static const char *write_trace(const char *name, uint64_t apart)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .compression = "zstd" });
	const char *path;
	int cpu, i;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 2; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 1; i <= RECORDS / 2; i++)
			kt_dat_add(d, 1, (uint64_t)i * apart + (unsigned int)cpu);
	}
	path = kt_dat_write(d, name);
	kt_dat_destroy(d);
	return path;
}

static const char *folder(void)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/ktrail", kt_tmp("cache"));
	return path;
}

/* Where the index of a trace comes from; also checks that the index is right */
static enum kt_index_origin origin_of(const char *path, const struct kt_stream_opts *opts)
{
	struct kt_index_opts o = { .cache = folder(), .cache_least = 1 };
	struct kt_trace *t = kt_trace_create();
	struct kt_index_progress p;
	struct kt_index *ix;
	uint64_t row;

	assert_int_equal(kt_trace_add(t, path, opts, NULL), 0);
	ix = kt_index_create(t, &o, NULL);
	assert_int_equal(kt_index_start(ix, NULL), 0);
	assert_int_equal(kt_index_wait(ix, NULL), 0);
	kt_index_progress(ix, &p);
	assert_int_equal(p.nr_records, RECORDS);
	assert_int_equal(p.done, p.total);
	assert_int_equal(kt_index_row_of_time(ix, KT_ALL_SOURCES, UINT64_MAX, &row, NULL), 0);
	assert_int_equal(row, RECORDS);
	assert_int_equal(kt_index_row_of_time(ix, 1, 10000 * 100, &row, NULL), 0);
	kt_index_destroy(ix);
	kt_trace_destroy(t);
	return p.origin;
}

/* The only file in the folder; fails if there are others. Its path */
static const char *cached(void)
{
	static char path[5000];
	DIR *dir = opendir(folder());
	struct dirent *e;
	int nr = 0;

	assert_non_null(dir);
	while ((e = readdir(dir))) {
		if (*e->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder(), e->d_name);
		nr++;
	}
	closedir(dir);
	assert_int_equal(nr, 1);
	return path;
}

static void empty_folder(void)
{
	DIR *dir = opendir(folder());
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}

TEST(an_index_is_kept_for_the_next_time)
{
	struct kt_stream_opts later = { .ts_offset = 5 };
	char *path = strdup(write_trace("kept.dat", 100));
	struct stat st;

	empty_folder();
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
	assert_int_equal(stat(cached(), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_CACHE);
	/* With other times, the index is another one. */
	assert_int_equal(origin_of(path, &later), KT_INDEX_OF_DATA);
	assert_int_equal(origin_of(path, &later), KT_INDEX_OF_CACHE);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_CACHE);
	free(path);
}

TEST(a_file_that_has_changed_is_another_file)
{
	char *path = strdup(write_trace("changed.dat", 100));

	empty_folder();
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
	write_trace("changed.dat", 101);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_CACHE);
	free(path);
}

TEST(a_cut_or_wrong_index_is_rebuilt)
{
	char *path = strdup(write_trace("wrong.dat", 100)), *bytes, *wrong;
	size_t size, at;

	empty_folder();
	origin_of(path, NULL);
	bytes = kt_slurp(cached(), &size);
	wrong = malloc(size + 8);
	for (at = 0; at < size; at += 1 + at / 16) {
		kt_spill(cached(), bytes, (long)at);
		assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
		memcpy(wrong, bytes, size);
		wrong[at] ^= 0x41;
		kt_spill(cached(), wrong, (long)size);
		assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
	}
	memset(wrong + size, 0, 8);
	memcpy(wrong, bytes, size);
	kt_spill(cached(), wrong, (long)size + 8);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_CACHE);
	free(wrong);
	free(bytes);
	free(path);
}

TEST(neither_links_nor_folders_are_followed)
{
	char *path = strdup(write_trace("link.dat", 100)), *name;

	empty_folder();
	origin_of(path, NULL);
	name = strdup(cached());
	assert_int_equal(rename(name, kt_tmp("elsewhere")), 0);
	assert_int_equal(symlink(kt_tmp("elsewhere"), name), 0);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_CACHE);
	unlink(name);
	mkdir(name, 0700);
	assert_int_equal(origin_of(path, NULL), KT_INDEX_OF_DATA);
	rmdir(name);
	free(name);
	free(path);
}

TEST(the_folder_does_not_grow_for_ever)
{
	struct dirent *e;
	char *path = strdup(write_trace("many.dat", 100)), name[5000];
	int i, nr = 0;
	DIR *dir;

	empty_folder();
	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%s/index-%016d", folder(), i);
		kt_spill(name, "old", -1);
	}
	snprintf(name, sizeof(name), "%s/other", folder());
	kt_spill(name, "not ours", -1);
	origin_of(path, NULL);
	dir = opendir(folder());
	while ((e = readdir(dir)))
		nr += *e->d_name != '.';
	closedir(dir);
	assert_int_equal(nr, 65);
	assert_int_equal(access(name, F_OK), 0);
	empty_folder();
	free(path);
}

int main(void)
{
	return RUN(unit(an_index_is_kept_for_the_next_time),
		   unit(a_file_that_has_changed_is_another_file),
		   unit(a_cut_or_wrong_index_is_rebuilt),
		   unit(neither_links_nor_folders_are_followed),
		   unit(the_folder_does_not_grow_for_ever));
}
