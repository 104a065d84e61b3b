/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_recover.c - a recording that was not finished is read from its parts */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/file.h>
#include <ktrail/reader.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#include "codec/codec.h"
#include "file/part.h"
#include "kt_reading.h"
#include "kt_test.h"

#define TRACE_ID 0x1234567890ull
#define NR 1000

static const char *path_of_part(unsigned int nr)
{
	static char name[32];

	snprintf(name, sizeof(name), "unfinished.dat.part%u", nr);
	return kt_tmp(name);
}

static void remove_parts(void)
{
	unsigned int nr;

	for (nr = 0; nr < 4; nr++)
		unlink(path_of_part(nr));
}

/* The sub-buffers of one CPU, cut out of a finished file */
static char *pages(int cpu, size_t *size)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f;
	struct kt_chunk chunk;
	char *copy;
	int i;

	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, cpu);
	for (i = 0; i < NR; i++) {
		kt_dat_begin(d, 7, i);
		kt_dat_end(d, i * 10 + cpu);
	}
	f = kt_file_open(kt_dat_write(d, "pages.dat"), NULL);
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 0, &chunk, NULL), 1);
	*size = chunk.size;
	copy = malloc(chunk.size);
	assert_non_null(copy);
	memcpy(copy, chunk.data, chunk.size);
	kt_chunk_put(&chunk);
	kt_file_close(f);
	kt_dat_destroy(d);
	return copy;
}

static struct part_head head_of(int cpu, const char *buffer, bool compressed)
{
	struct part_head h = { .magic = PART_MAGIC, .trace_id = TRACE_ID, .cpu = cpu,
			       .start = PART_DATA + (compressed ? 4 : 0), .page_size = 4096,
			       .compressed = compressed, .clock = "mono" };

	strcpy(h.buffer, buffer);
	return h;
}

/* A part with a chunk for each of the first sub-buffers; the last @cut bytes are missing. */
static void write_pages(unsigned int nr, const struct part_head *head, int cpu, size_t nr_pages,
			size_t cut)
{
	void *ctx = codec_zstd.compressor(1);
	char *part = calloc(1, 65536 + PART_DATA), *from;
	size_t at = head->start, size, i;
	uint32_t sizes[2];

	memcpy(part, head, sizeof(*head));
	from = pages(cpu, &size);
	size = size < nr_pages * 4096 ? size : nr_pages * 4096;
	for (i = 0; i < size; i += 4096) {
		if (!head->compressed) {
			memcpy(part + at, from + i, 4096);
			at += 4096;
			continue;
		}
		sizes[0] = codec_zstd.compress(ctx, part + at + 8, 8192, from + i, 4096);
		sizes[1] = 4096;
		memcpy(part + at, sizes, 8);
		at += 8 + sizes[0];
	}
	kt_spill(path_of_part(nr), part, at - cut);
	codec_zstd.compressor_free(ctx);
	free(from);
	free(part);
}

static void write_part(unsigned int nr, const struct part_head *head, int cpu, size_t cut)
{
	write_pages(nr, head, cpu, 16, cut);
}

/* The file that is left when nothing was joined yet: its path */
static const char *write_unfinished(const char *compression)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .compression = compression });
	static const uint64_t id = TRACE_ID;
	const char *path;

	kt_dat_option_ints(d, KT_OPTION_TRACEID, 8, &id, 1);
	path = kt_dat_write(d, "unfinished.dat");
	kt_dat_destroy(d);
	return path;
}

static struct kt_file *open_unfinished(const char *compression)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(write_unfinished(compression), &err);

	CHECK_NO_ERR(&err);
	return f;
}

static unsigned int count_records(struct kt_file *f)
{
	struct kt_stream *s = kt_stream_create();
	struct kt_record rec;
	unsigned int nr = 0;
	uint64_t last = 0;

	assert_int_equal(kt_stream_add(s, f, NULL, NULL), 0);
	for (; kt_stream_next(s, &rec, NULL) > 0; nr++) {
		assert_true(rec.ts >= last);
		assert_int_equal(rec.type, 7);
		last = rec.ts;
	}
	kt_stream_destroy(s);
	return nr;
}

TEST(parts_are_read_as_if_they_were_joined)
{
	static const char *const methods[] = { "none", "zstd" };
	struct part_head head;
	struct kt_file *f;
	int i;

	for (i = 0; i < 2; i++) {
		remove_parts();
		head = head_of(0, "", i);
		write_part(0, &head, 0, 0);
		head = head_of(3, "", i);
		write_part(1, &head, 3, 0);
		head = head_of(1, "inst", i);
		write_part(2, &head, 1, 0);
		f = open_unfinished(methods[i]);
		assert_true(kt_has_damage(f, "was not finished: read from its 3 parts"));
		assert_int_equal(kt_file_nr_damages(f), 1);
		assert_int_equal(kt_file_nr_buffers(f), 2);
		assert_int_equal(kt_file_buffer(f, 0)->nr_cpus, 2);
		assert_int_equal(kt_file_buffer(f, 0)->cpus[1].cpu, 3);
		assert_string_equal(kt_file_buffer(f, 0)->clock, "mono");
		assert_string_equal(kt_file_buffer(f, 1)->name, "inst");
		assert_int_equal(count_records(f), 3 * NR);
		assert_int_equal(kt_file_nr_damages(f), 1);
		kt_file_close(f);
	}
}

TEST(counters_of_a_part_are_options_of_the_file)
{
	struct part_head head = head_of(0, "", true);
	const char *said[4];
	struct kt_file *f;
	size_t i, nr = 0;

	remove_parts();
	strcpy(head.stats, "CPU: 0\noverrun: 5\n");
	write_part(0, &head, 0, 0);
	head = head_of(1, "inst", true);
	strcpy(head.stats, "CPU: 1\noverrun: 6\n");
	write_part(1, &head, 1, 0);
	head = head_of(2, "inst", true);
	memset(head.stats, 'x', sizeof(head.stats));	/* without end: not taken */
	write_part(2, &head, 2, 0);
	f = open_unfinished("zstd");
	for (i = 0; i < kt_file_nr_options(f); i++)
		if (kt_file_option(f, i)->id == KT_OPTION_CPUSTAT && nr < 4)
			said[nr++] = kt_file_option(f, i)->raw.data;
	assert_int_equal(nr, 3);
	assert_string_equal(said[0], "CPU: 0\noverrun: 5\n");
	assert_string_equal(said[1], "\nBuffer: inst\n\n");
	assert_string_equal(said[2], "CPU: 1\noverrun: 6\n");
	kt_file_close(f);
}

TEST(a_chunk_that_was_being_written_is_left_out)
{
	struct part_head head = head_of(0, "", true);
	struct kt_file *f;
	unsigned int nr;

	remove_parts();
	write_part(0, &head, 0, 5);
	f = open_unfinished("zstd");
	nr = count_records(f);
	assert_true(nr > NR / 2 && nr < NR);
	assert_true(kt_file_nr_damages(f) > 1);
	kt_file_close(f);
}

TEST(parts_of_another_recording_stay_out)
{
	struct part_head head = head_of(0, "", true);
	struct kt_file *f;

	remove_parts();
	head.trace_id++;
	write_part(0, &head, 0, 0);
	f = open_unfinished("zstd");
	assert_int_equal(kt_file_nr_buffers(f), 0);
	assert_true(kt_has_damage(f, "part0 is none of its parts"));
	kt_file_close(f);
}

TEST(impossible_heads_of_parts_are_refused)
{
	struct part_head heads[6];
	struct kt_file *f;
	size_t i;

	for (i = 0; i < 6; i++)
		heads[i] = head_of(0, "", true);
	heads[0].magic[0] = 'x';
	heads[1].page_size = 0;
	heads[2].cpu = 1 << 20;
	heads[3].page_size = UINT32_MAX;
	memset(heads[4].buffer, 'x', sizeof(heads[4].buffer));
	memset(heads[5].clock, 'x', sizeof(heads[5].clock));
	for (i = 0; i < 6; i++) {
		remove_parts();
		write_part(0, &heads[i], 0, 0);
		f = open_unfinished("zstd");
		assert_int_equal(count_records(f), 0);
		assert_true(kt_has_damage(f, "none of its parts"));
		kt_file_close(f);
	}
}

TEST(a_finished_file_does_not_look_for_parts)
{
	struct part_head head = head_of(0, "", true);
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f;

	remove_parts();
	write_part(0, &head, 0, 0);
	kt_dat_buffer(d, "", "local", 0);
	f = kt_file_open(kt_dat_write(d, "unfinished.dat"), NULL);
	kt_dat_destroy(d);
	assert_int_equal(count_records(f), 0);
	assert_int_equal(kt_file_nr_damages(f), 0);
	kt_file_close(f);
}

/* ---- a recording that goes on ---- */

/* Steps of @r to the end, or the beginning; times of each CPU are 10 apart */
static unsigned int step_all(struct kt_reader *r,
			     int (*step)(struct kt_reader *, struct kt_record *, struct kt_err *))
{
	bool forward = step == kt_reader_next;
	struct kt_record rec;
	unsigned int nr = 0;
	uint64_t last = forward ? 0 : UINT64_MAX;

	for (; step(r, &rec, NULL) == 1; nr++) {
		assert_int_equal(rec.type, 7);
		assert_true(forward ? rec.ts >= last : rec.ts <= last);
		last = rec.ts;
	}
	return nr;
}

static bool stop_each_other(void *unused)
{
	static unsigned int nr;

	(void)unused;
	return nr++ % 2;
}

/* The index counts what a reader steps over, and finds the last of it. */
static void check_index(struct kt_index *ix, struct kt_reader *r, unsigned int nr)
{
	uint64_t known, row;
	int ret = 1;

	while (ret > 0)
		ret = kt_index_extend(ix, stop_each_other, NULL, NULL);
	assert_int_equal(ret, 0);
	assert_int_equal(kt_index_nr(ix, KT_ALL_SOURCES, &known, NULL), 0);
	assert_int_equal(known, nr);
	for (row = 0; row < nr; row += 97) {
		struct kt_record rec;
		uint64_t again;

		assert_int_equal(kt_reader_seek_row(r, row, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		assert_int_equal(kt_index_row_of(ix, KT_ALL_SOURCES, &rec, &again, NULL), 0);
		assert_int_equal(again, row);
	}
}

static struct kt_trace *open_trace(const char *path)
{
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };

	kt_trace_add(t, path, NULL, &err);
	CHECK_NO_ERR(&err);
	return t;
}

TEST(readers_go_on_when_parts_grow)
{
	static const char *const methods[] = { "none", "zstd" };
	unsigned int some, more;
	int i;

	for (i = 0; i < 2; i++) {
		struct part_head heads[2] = { head_of(0, "", i), head_of(1, "", i) };
		struct kt_reader *r, *back;
		struct kt_trace *t;

		remove_parts();
		write_pages(0, &heads[0], 0, 1, 0);
		write_pages(1, &heads[1], 1, 2, 500);	/* the end is not there yet */
		t = open_trace(write_unfinished(methods[i]));
		r = kt_reader_create(t, NULL, NULL);
		back = kt_reader_create(t, NULL, NULL);
		some = step_all(r, kt_reader_next);
		assert_true(some > 0 && some < 2 * NR);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		assert_int_equal(step_all(r, kt_reader_next), 0);

		write_pages(1, &heads[1], 1, 2, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		more = step_all(r, kt_reader_next);
		assert_true(more > 0);
		write_part(0, &heads[0], 0, 0);
		write_part(1, &heads[1], 1, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		/* Records of CPU 0 that came late are of a time that is behind. */
		assert_true(step_all(r, kt_reader_next) > 0);
		assert_int_equal(step_all(r, kt_reader_prev), 2 * NR);
		assert_int_equal(step_all(back, kt_reader_next), 2 * NR);
		kt_reader_destroy(r);
		kt_reader_destroy(back);
		kt_trace_destroy(t);
	}
}

TEST(a_part_without_data_is_a_source_without_records)
{
	static const char *const methods[] = { "none", "zstd" };
	int i;

	for (i = 0; i < 2; i++) {
		struct part_head heads[2] = { head_of(0, "", i), head_of(1, "", i) };
		struct kt_index *ix;
		struct kt_reader *r;
		struct kt_trace *t;

		remove_parts();
		write_pages(0, &heads[0], 0, 0, 0);
		write_pages(1, &heads[1], 1, 0, 0);
		t = open_trace(write_unfinished(methods[i]));
		assert_int_equal(kt_stream_nr_sources(kt_trace_stream(t)), 2);
		assert_int_equal(kt_file_nr_damages(kt_trace_file(t, 0)), 1);
		ix = kt_index_create(t, &(struct kt_index_opts){ .cache = "" }, NULL);
		assert_int_equal(kt_index_start(ix, NULL), 0);
		assert_int_equal(kt_index_wait(ix, NULL), 0);
		r = kt_reader_create(t, ix, NULL);
		assert_int_equal(step_all(r, kt_reader_next), 0);
		assert_int_equal(step_all(r, kt_reader_prev), 0);
		write_part(1, &heads[1], 1, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		assert_int_equal(step_all(r, kt_reader_next), NR);
		check_index(ix, r, NR);
		assert_int_equal(kt_file_nr_damages(kt_trace_file(t, 0)), 1);
		kt_reader_destroy(r);
		kt_index_destroy(ix);
		kt_trace_destroy(t);
	}
}

/* @from is given to the file that long parts share, where its data begin at @to. */
static void share_part(unsigned int nr, struct part_head head, uint64_t to)
{
	char *shared, *bytes;
	size_t size;

	bytes = kt_slurp(path_of_part(nr), &size);
	shared = calloc(1, to + size);
	memcpy(shared + to, bytes + PART_DATA, size - PART_DATA);
	kt_spill(kt_tmp("unfinished.dat.parts"), shared, to + size - PART_DATA);
	head.shared = to;
	memset(bytes, 0, PART_DATA);
	memcpy(bytes, &head, sizeof(head));
	kt_spill(path_of_part(nr), bytes, PART_DATA);
	free(shared);
	free(bytes);
}

TEST(an_index_is_extended_when_parts_grow)
{
	static const char *const methods[] = { "none", "zstd" };
	size_t pages;
	int i;

	for (i = 0; i < 2; i++) {
		struct part_head heads[2] = { head_of(0, "", i), head_of(1, "", i) };
		struct kt_index *ix;
		struct kt_reader *r, *rows;
		struct kt_trace *t;

		remove_parts();
		write_pages(0, &heads[0], 0, 1, 0);
		write_pages(1, &heads[1], 1, 2, 500);
		t = open_trace(write_unfinished(methods[i]));
		ix = kt_index_create(t, &(struct kt_index_opts){ .cache = "" }, NULL);
		r = kt_reader_create(t, NULL, NULL);
		rows = kt_reader_create(t, ix, NULL);
		assert_int_equal(kt_index_start(ix, NULL), 0);
		assert_int_equal(kt_index_wait(ix, NULL), 0);
		check_index(ix, rows, step_all(r, kt_reader_next));
		for (pages = 2; pages < 4; pages++) {
			write_pages(0, &heads[0], 0, pages - 1, 0);
			write_pages(1, &heads[1], 1, pages, 100);
			kt_index_stop(ix);
			assert_int_equal(kt_trace_refresh(t, NULL), 0);
			kt_reader_seek(r, 0, NULL);
			check_index(ix, rows, step_all(r, kt_reader_next));
		}
		write_part(0, &heads[0], 0, 0);
		write_part(1, &heads[1], 1, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		check_index(ix, rows, 2 * NR);
		kt_reader_destroy(r);
		kt_reader_destroy(rows);
		kt_index_destroy(ix);
		kt_trace_destroy(t);
	}
}

TEST(readers_go_on_when_a_part_moves)
{
	struct part_head head = head_of(0, "", true);
	struct kt_reader *r;
	struct kt_trace *t;
	unsigned int some;

	remove_parts();
	write_pages(0, &head, 0, 2, 0);
	t = open_trace(write_unfinished("zstd"));
	r = kt_reader_create(t, NULL, NULL);
	some = step_all(r, kt_reader_next);
	assert_true(some > 0 && some < NR);
	write_part(0, &head, 0, 0);
	share_part(0, head, 2 * PART_DATA);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	assert_int_equal(step_all(r, kt_reader_next), NR - some);
	assert_int_equal(step_all(r, kt_reader_prev), NR);
	kt_reader_destroy(r);
	kt_trace_destroy(t);
	unlink(kt_tmp("unfinished.dat.parts"));
}

TEST(data_that_are_given_back_are_no_damage)
{
	struct part_head head = head_of(0, "", true);
	struct kt_reader *r;
	struct kt_trace *t;
	size_t damages, size;
	uint32_t first;
	char *bytes;

	remove_parts();
	write_pages(0, &head, 0, 2, 0);
	t = open_trace(write_unfinished("zstd"));
	r = kt_reader_create(t, NULL, NULL);
	step_all(r, kt_reader_next);
	damages = kt_file_nr_damages(kt_trace_file(t, 0));
	bytes = kt_slurp(path_of_part(0), &size);
	memcpy(&first, bytes + head.start, sizeof(first));
	memset(bytes + head.start, 0, first + 8);
	head.start += first + 8;
	memcpy(bytes, &head, sizeof(head));
	kt_spill(path_of_part(0), bytes, size);
	free(bytes);
	kt_file_set_cache(kt_trace_file(t, 0), 0);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	assert_true(step_all(r, kt_reader_prev) > 0);
	assert_true(step_all(r, kt_reader_next) < NR);
	assert_int_equal(kt_file_nr_damages(kt_trace_file(t, 0)), damages);
	kt_reader_destroy(r);
	kt_trace_destroy(t);
}

TEST(another_part_or_a_finished_file_is_opened_again)
{
	struct part_head heads[2] = { head_of(0, "", true), head_of(1, "", true) };
	struct kt_trace *t;
	struct kt_dat *d;

	remove_parts();
	write_part(0, &heads[0], 0, 0);
	t = open_trace(write_unfinished("zstd"));
	write_part(1, &heads[1], 1, 0);
	assert_int_equal(kt_trace_refresh(t, NULL), 1);
	assert_int_equal(kt_stream_nr_sources(kt_trace_stream(t)), 1);
	assert_int_equal(kt_trace_reopen(t, NULL), 0);
	assert_int_equal(kt_stream_nr_sources(kt_trace_stream(t)), 2);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	/* Formats have come to it. */
	d = kt_dat_create(&(struct kt_dat_opts){ .compression = "zstd" });
	kt_dat_option_ints(d, KT_OPTION_TRACEID, 8, (const uint64_t[]){ TRACE_ID }, 1);
	kt_dat_event(d, "a", "name: x\nID: 7\n" KT_COMMON "\nprint fmt: \"\"\n");
	kt_dat_write(d, "unfinished.dat");
	kt_dat_destroy(d);
	assert_int_equal(kt_trace_refresh(t, NULL), 1);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(parts_are_read_as_if_they_were_joined),
		   unit(counters_of_a_part_are_options_of_the_file),
		   unit(a_chunk_that_was_being_written_is_left_out),
		   unit(parts_of_another_recording_stay_out),
		   unit(impossible_heads_of_parts_are_refused),
		   unit(a_finished_file_does_not_look_for_parts),
		   unit(readers_go_on_when_parts_grow),
		   unit(a_part_without_data_is_a_source_without_records),
		   unit(an_index_is_extended_when_parts_grow),
		   unit(readers_go_on_when_a_part_moves),
		   unit(data_that_are_given_back_are_no_damage),
		   unit(another_part_or_a_finished_file_is_opened_again));
}
