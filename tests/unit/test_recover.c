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

#include "kt_parts.h"
#include "kt_reading.h"
#include "kt_test.h"

static struct kt_file *open_unfinished(const char *compression)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(kt_parts_head_file(compression), &err);

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
		kt_parts_remove();
		head = kt_part_head(0, "", i);
		kt_part_write(0, &head, 0, 0);
		head = kt_part_head(3, "", i);
		kt_part_write(1, &head, 3, 0);
		head = kt_part_head(1, "inst", i);
		kt_part_write(2, &head, 1, 0);
		f = open_unfinished(methods[i]);
		assert_true(kt_has_damage(f, "was not finished: read from its 3 parts"));
		assert_int_equal(kt_file_nr_damages(f), 1);
		assert_int_equal(kt_file_nr_buffers(f), 2);
		assert_int_equal(kt_file_buffer(f, 0)->nr_cpus, 2);
		assert_int_equal(kt_file_buffer(f, 0)->cpus[1].cpu, 3);
		assert_string_equal(kt_file_buffer(f, 0)->clock, "mono");
		assert_string_equal(kt_file_buffer(f, 1)->name, "inst");
		assert_int_equal(count_records(f), 3 * KT_PARTS_RECORDS);
		assert_int_equal(kt_file_nr_damages(f), 1);
		kt_file_close(f);
	}
}

TEST(counters_of_a_part_are_options_of_the_file)
{
	struct part_head head = kt_part_head(0, "", true);
	const char *said[4];
	struct kt_file *f;
	size_t i, nr = 0;

	kt_parts_remove();
	strcpy(head.stats, "CPU: 0\noverrun: 5\n");
	kt_part_write(0, &head, 0, 0);
	head = kt_part_head(1, "inst", true);
	strcpy(head.stats, "CPU: 1\noverrun: 6\n");
	kt_part_write(1, &head, 1, 0);
	head = kt_part_head(2, "inst", true);
	memset(head.stats, 'x', sizeof(head.stats));	/* unterminated: not used */
	kt_part_write(2, &head, 2, 0);
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
	struct part_head head = kt_part_head(0, "", true);
	struct kt_file *f;
	unsigned int nr;

	kt_parts_remove();
	kt_part_write(0, &head, 0, 5);
	f = open_unfinished("zstd");
	nr = count_records(f);
	assert_true(nr > KT_PARTS_RECORDS / 2 && nr < KT_PARTS_RECORDS);
	assert_true(kt_file_nr_damages(f) > 1);
	kt_file_close(f);
}

TEST(parts_of_another_recording_stay_out)
{
	struct part_head head = kt_part_head(0, "", true);
	struct kt_file *f;

	kt_parts_remove();
	head.trace_id++;
	kt_part_write(0, &head, 0, 0);
	f = open_unfinished("zstd");
	assert_int_equal(kt_file_nr_buffers(f), 0);
	assert_true(kt_has_damage(f, "part0 is damaged or belongs to another recording"));
	kt_file_close(f);
}

TEST(impossible_heads_of_parts_are_refused)
{
	struct part_head heads[6];
	struct kt_file *f;
	size_t i;

	for (i = 0; i < 6; i++)
		heads[i] = kt_part_head(0, "", true);
	heads[0].magic[0] = 'x';
	heads[1].page_size = 0;
	heads[2].cpu = 1 << 20;
	heads[3].page_size = UINT32_MAX;
	memset(heads[4].buffer, 'x', sizeof(heads[4].buffer));
	memset(heads[5].clock, 'x', sizeof(heads[5].clock));
	for (i = 0; i < 6; i++) {
		kt_parts_remove();
		kt_part_write(0, &heads[i], 0, 0);
		f = open_unfinished("zstd");
		assert_int_equal(count_records(f), 0);
		assert_true(kt_has_damage(f, "belongs to another recording"));
		kt_file_close(f);
	}
}

TEST(a_finished_file_does_not_look_for_parts)
{
	struct part_head head = kt_part_head(0, "", true);
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f;

	kt_parts_remove();
	kt_part_write(0, &head, 0, 0);
	kt_dat_buffer(d, "", "local", 0);
	f = kt_file_open(kt_dat_write(d, "unfinished.dat"), NULL);
	kt_dat_destroy(d);
	assert_int_equal(count_records(f), 0);
	assert_int_equal(kt_file_nr_damages(f), 0);
	kt_file_close(f);
}
int main(void)
{
	return RUN(unit(parts_are_read_as_if_they_were_joined),
		   unit(counters_of_a_part_are_options_of_the_file),
		   unit(a_chunk_that_was_being_written_is_left_out),
		   unit(parts_of_another_recording_stay_out),
		   unit(impossible_heads_of_parts_are_refused),
		   unit(a_finished_file_does_not_look_for_parts));
}
