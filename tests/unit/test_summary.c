/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_summary.c - the index of a file: readers skip chunks by it,
 * and nothing else changes */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/writer.h>

#include "base/bytes.h"
#include "codec/compress.h"
#include "file/summary.h"
#include "kt_dat.h"
#include "kt_exercise.h"
#include "kt_reading.h"
#include "kt_test.h"

#define NR	 6000
#define NR_TASKS 7
#define WORDS	 (65536 / 64)

/* Events and tasks take turns that last longer than a chunk;
 * now and then there is any other one */
static void fill_cpu(struct kt_dat *d, int cpu, bool lossy)
{
	uint64_t ts = 1000000 + cpu;
	unsigned int i, j;

	kt_dat_cpu(d, cpu);
	for (i = 0; i < NR; i++) {
		if (lossy && i % 1511 == 1510)
			kt_dat_lost(d, i % 2 ? -1 : 7);
		ts += i % 97 ? 1000 : 1ull << 30;
		if (i % 211 == 0)
			kt_dat_discarded(d, ts, 3);
		kt_dat_begin(d, i % 2999 == 2998 ? 999 : 100 + i / 1000, i / 900 % NR_TASKS);
		for (j = 0; j < (i % 53 ? i % 9 : 40); j++)
			kt_dat_int(d, 8, i + j);
		kt_dat_end(d, ts);
	}
}

static const char *make(const struct kt_dat_opts *o, bool lossy, const char *name)
{
	struct kt_dat *d = kt_dat_create(o);
	const char *path;

	kt_dat_buffer(d, "", "local", 0);
	fill_cpu(d, 0, lossy);
	fill_cpu(d, 3, false);
	kt_dat_buffer(d, "other", "local", 8192);
	fill_cpu(d, 1, lossy);
	path = kt_dat_write(d, name);
	kt_dat_destroy(d);
	return path;
}

static const char *copy(const char *from, const char *name, enum kt_writer_index index)
{
	struct kt_writer_opts o = { 0 };
	struct kt_file *f = kt_file_open(from, NULL);
	const char *path = kt_tmp(name);

	assert_non_null(f);
	kt_copy_opts(f, &o);
	o.index = index;
	assert_int_equal(kt_copy_file(f, path, &o, NULL, NULL), 0);
	kt_file_close(f);
	return path;
}

/* The wanted records: some ids, some of them only of some tasks */
struct want {
	uint64_t types[WORDS], of_pids[WORDS], pids[WORDS];
};

static void set(uint64_t *bits, unsigned int i)
{
	bits[i / 64] |= 1ull << i % 64;
}

static void narrow(struct kt_reading *r, const struct want *w)
{
	assert_int_equal(kt_stream_want_types(r->stream, 0, w->types), 0);
	assert_int_equal(kt_stream_want_pids(r->stream, 0, w->of_pids, w->pids), 0);
}

/* Returns the number of records */
static unsigned int compare(const char *without, const char *with, const struct want *w,
			    bool forget,
			    uint64_t from)
{
	struct kt_stream_opts opts = { .forget_lost = forget };
	struct kt_reading a = kt_reading_open(without, &opts), b = kt_reading_open(with, &opts);
	struct kt_record x, y;
	unsigned int nr = 0;
	int ret;

	narrow(&a, w);
	narrow(&b, w);
	assert_int_equal(kt_stream_seek(a.stream, from, NULL), 0);
	assert_int_equal(kt_stream_seek(b.stream, from, NULL), 0);
	while ((ret = kt_stream_next(a.stream, &x, NULL)) > 0) {
		assert_int_equal(kt_stream_next(b.stream, &y, NULL), 1);
		assert_int_equal(x.ts, y.ts);
		assert_int_equal(x.type, y.type);
		assert_int_equal(x.pos, y.pos);
		assert_int_equal(x.source, y.source);
		assert_int_equal(x.lost, y.lost);
		assert_int_equal(x.skipped, y.skipped);
		nr++;
	}
	assert_int_equal(ret, 0);
	kt_reading_end(&b);
	kt_reading_close(&a);
	kt_reading_close(&b);
	return nr;
}

static uint64_t index_of(const char *path, uint64_t *known)
{
	struct kt_file *f = kt_file_open(path, NULL);
	struct kt_file_index index = { 0 };

	assert_non_null(f);
	kt_file_index(f, &index);
	assert_int_equal(kt_file_nr_damages(f), 0);
	kt_file_close(f);
	if (known)
		*known = index.nr_known;
	return index.nr_chunks;
}

static void check_shape(const struct kt_dat_opts *o, bool lossy)
{
	const char *plain = make(o, lossy, "plain.dat");
	const char *indexed = copy(plain, "indexed.dat", KT_INDEX_ALL);
	uint64_t nr, known;
	unsigned int i, found = 0;

	nr = index_of(indexed, &known);
	assert_true(nr >= 30 && (lossy ? known < nr && known > nr / 2 : known == nr));
	assert_int_equal(index_of(plain, NULL), 0);
	for (i = 0; i < 3 * 8; i++) {
		struct want w = { 0 };

		set(w.types, i % 8 == 7 ? 999 : 100 + i % 8);
		if (i / 8 == 1)
			set(w.of_pids, 100 + i % 8);
		set(w.pids, i % NR_TASKS);
		found += compare(plain, indexed, &w, i / 8 == 2, 0);
		compare(plain, indexed, &w, i / 8 == 2, (uint64_t)i << 33);
	}
	assert_true(found > NR);
}

TEST(an_index_does_not_change_the_records_that_are_read)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 2 };

	check_shape(&o, false);
	check_shape(&o, true);
	o.compression = "zlib";
	check_shape(&o, true);
	o.big_endian = true;
	check_shape(&o, true);
	o.long_size = 4;
	check_shape(&o, false);
}

/* Overwrite the content of all chunks that hold only the event @id; returns their number */
static unsigned int ruin(const char *path, uint16_t id)
{
	struct kt_file *f = kt_file_open(path, NULL);
	FILE *out = fopen(path, "r+");
	struct kt_raw_chunk raw;
	unsigned int nr = 0;
	struct str all = STR_INIT;
	uint64_t i;
	char *at;

	assert_non_null(f);
	assert_non_null(out);
	assert_int_equal(str_read_file(&all, path), 0);
	for (i = 0; kt_file_chunk_raw(f, 0, 0, i, &raw, NULL) > 0; i++) {
		assert_non_null(raw.summary);
		if (raw.summary->nr_ids != 1 || raw.summary->ids[0] != id)
			continue;
		at = memmem(all.buf, all.len, raw.data, raw.size);
		assert_non_null(at);
		fseek(out, at - all.buf + 8, SEEK_SET);
		assert_int_equal(fwrite("ruined", 1, 6, out), 6);
		nr++;
	}
	fclose(out);
	str_fini(&all);
	kt_file_close(f);
	return nr;
}

TEST(chunks_without_wanted_events_are_not_even_decompressed)
{
	const struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 2 };
	const char *plain = make(&o, false, "plain.dat");
	const char *indexed = copy(plain, "indexed.dat", KT_INDEX_ALL);
	struct want other = { 0 }, task = { 0 }, that = { 0 };
	struct kt_reading r;
	struct kt_record rec;

	assert_true(ruin(indexed, 101) >= 3);
	set(other.types, 100);
	set(other.types, 104);
	assert_int_equal(compare(plain, indexed, &other, false, 0), 3 * 2 * 1000);

	/* Events of task 6, which has none of them */
	set(task.types, 101);
	set(task.types, 105);
	set(task.of_pids, 101);
	set(task.pids, 6);
	assert_true(compare(plain, indexed, &task, false, 0) > 1000);

	set(that.types, 101);
	r = kt_reading_open(indexed, NULL);
	narrow(&r, &that);
	while (kt_stream_next(r.stream, &rec, NULL) > 0)
		;
	assert_true(kt_file_nr_damages(r.file) > 0);
	kt_stream_destroy(r.stream);
	kt_file_close(r.file);
}

TEST(a_copy_of_stored_chunks_keeps_the_facts_about_them)
{
	const struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 2 };
	const char *plain = make(&o, true, "plain.dat");
	const char *indexed = copy(plain, "indexed.dat", KT_INDEX_ALL);
	uint64_t known, kept;

	assert_true(index_of(indexed, &known) > 0);
	assert_int_equal(index_of(copy(indexed, "again.dat", KT_INDEX_CHEAP), &kept),
			 index_of(indexed, NULL));
	assert_int_equal(known, kept);
	assert_int_equal(index_of(copy(indexed, "none.dat", KT_INDEX_NONE), NULL), 0);
	assert_int_equal(index_of(copy(plain, "cheap.dat", KT_INDEX_CHEAP), NULL), 0);
}

TEST(few_chunks_have_no_index)
{
	const struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 200 };

	assert_int_equal(index_of(copy(make(&o, false, "few.dat"), "few2.dat", KT_INDEX_ALL), NULL), 0);
}

/* ---- hostile indexes ---- */

/* The file with option INDEX changed by @change; what follows it in the options stays */
static const char *changed(const struct str *good, const struct kt_blob *option, size_t at,
			   uint8_t bits)
{
	const char *path = kt_tmp("changed.dat");
	char *index = memmem(good->buf, good->len, option->data, option->size);
	FILE *out;

	assert_non_null(index);
	index[at] ^= bits;
	out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(good->buf, 1, good->len, out), good->len);
	fclose(out);
	index[at] ^= bits;
	return path;
}

TEST(a_flipped_bit_of_the_index_is_reported_and_hides_nothing)
{
	const struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 2 };
	const char *indexed = copy(make(&o, false, "plain.dat"), "indexed.dat", KT_INDEX_ALL);
	struct kt_file *f = kt_file_open(indexed, NULL);
	struct kt_blob option = kt_file_find_option(f, KT_OPTION_INDEX)->raw;
	struct str good = STR_INIT;
	struct want w = { 0 };
	size_t i;

	set(w.types, 999);
	assert_int_equal(str_read_file(&good, indexed), 0);
	for (i = 0; i < option.size; i += i < 40 ? 1 : 17) {
		struct kt_reading r = kt_reading_open(changed(&good, &option, i, 1 << i % 8), NULL);
		struct kt_record rec;
		unsigned int nr = 0;

		narrow(&r, &w);
		while (kt_stream_next(r.stream, &rec, NULL) > 0)
			nr++;
		assert_int_equal(nr, 6);
		assert_int_equal(kt_file_nr_damages(r.file), 1);
		assert_non_null(strstr(kt_file_damage(r.file, 0), "index is damaged"));
		kt_stream_destroy(r.stream);
		kt_file_close(r.file);
	}
	str_fini(&good);
	kt_file_close(f);
}

/* A file whose index is @rows: well-formed up to there */
static const char *with_rows(struct kt_dat_opts *o, const void *rows, size_t size)
{
	struct kt_dat *d = kt_dat_create(o);
	struct compress *c = NULL;
	char bytes[4096];
	const char *path;
	size_t len;

	assert_int_equal(compress_open(&c, "zstd", NULL), 0);
	len = compress_run(c, bytes + SUMMARY_HEAD, sizeof(bytes) - SUMMARY_HEAD, rows, size);
	assert_true(len > 0);
	store_u32(bytes, SUMMARY_VERSION, false);
	store_u32(bytes + 4, (uint32_t)size, false);
	store_u64(bytes + 8, summary_checksum(bytes + SUMMARY_HEAD, len, (uint32_t)size), false);
	kt_dat_option(d, KT_OPTION_INDEX, bytes, SUMMARY_HEAD + len);
	kt_dat_buffer(d, "", "local", 0);
	fill_cpu(d, 0, false);
	path = kt_dat_write(d, "rows.dat");
	kt_dat_destroy(d);
	compress_close(c);
	return path;
}

/* The rows that the writer makes of that file */
static size_t good_rows(uint8_t *rows, size_t room)
{
	struct summary_list *l = summary_list_create();
	uint16_t ids[] = { 100, 101, 999 };
	struct kt_summary s = { .known = true, .nr_ids = 3, .ids = ids };
	size_t len = 3, i;

	for (i = 0; i < 5; i++) {
		s.first += 1000;
		s.pids[i % 4] = i;
		s.nr_ids = 1 + i % 3;
		summary_list_add(l, 12 + i * 500, 400, 8192, &s);
	}
	assert_true(l->rows.len + len <= room);
	memcpy(rows, "\x80\x80\x01", 3);	/* the CPU's data are at 8192 */
	rows[len++] = (uint8_t)l->nr;
	memcpy(rows + len, l->rows.buf, l->rows.len);
	len += l->rows.len;
	summary_list_destroy(l);
	return len;
}

TEST(rows_of_any_bytes_are_taken_or_refused)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 2 };
	uint8_t good[512], rows[512];
	size_t len = good_rows(good, sizeof(good)), size;
	struct kt_exercise e;
	uint32_t seed = 1;
	int i, j;

	for (i = 0; i < 400; i++) {
		memcpy(rows, good, len);
		for (j = 0; j < 1 + i % 4; j++) {
			seed = seed * 1664525u + 1013904223u;
			rows[(seed >> 8) % len] = (uint8_t)(i % 3 ? seed >> 24 : 0xff);
		}
		size = i % 5 ? len : seed % len + 1;
		e = kt_exercise(with_rows(&o, rows, size));
		assert_int_equal(e.nr_records, NR);
	}
}

/* Each row could be valid, but the file is too small for all of them. */
TEST(an_index_takes_no_more_memory_than_a_file_of_its_size_could_need)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 2 };
	static const size_t times[] = { 1, 20000 };
	static uint8_t rows[20000 * 200];
	struct kt_file_index index;
	size_t len, size, i, j;
	struct kt_file *f;

	for (i = 0; i < 2; i++) {
		size = len = good_rows(rows, 200);
		for (j = 1; j < times[i]; j++) {
			rows[size++] = 0;		/* the same CPU again */
			memcpy(rows + size, rows + 3, len - 3);
			size += len - 3;
		}
		f = kt_open(with_rows(&o, rows, size));
		assert_int_equal(kt_file_index(f, &index), i ? -ENOENT : 0);
		assert_int_equal(kt_has_damage(f, "the index is damaged"), i);
		kt_file_close(f);
	}
	memset(rows, 0, sizeof(rows));			/* CPUs without a chunk */
	f = kt_open(with_rows(&o, rows, sizeof(rows)));
	assert_int_equal(kt_file_index(f, &index), -ENOENT);
	kt_file_close(f);
}

int main(void)
{
	return RUN(unit(an_index_does_not_change_the_records_that_are_read),
		   unit(chunks_without_wanted_events_are_not_even_decompressed),
		   unit(a_copy_of_stored_chunks_keeps_the_facts_about_them),
		   unit(few_chunks_have_no_index),
		   unit(a_flipped_bit_of_the_index_is_reported_and_hides_nothing),
		   unit(rows_of_any_bytes_are_taken_or_refused),
		   unit(an_index_takes_no_more_memory_than_a_file_of_its_size_could_need));
}
