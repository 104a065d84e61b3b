/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_broken.c - files with one fault: the message, and what can still be read */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/file.h>

#include "file/note.h"
#include "kt_reading.h"
#include "kt_test.h"

TEST(damage_without_room_is_counted_once_each)
{
	struct kt_file *f = kt_dat_open(kt_dat_texts(&(struct kt_dat_opts){ .compression = "none" }));
	int round, i;

	for (round = 0; round < 2; round++)
		for (i = 0; i < 32; i++)
			file_note_page(f, "", 0, i, "broken");
	assert_int_equal(kt_file_nr_damages(f), 32);
	assert_null(kt_file_damage(f, 32));
	for (round = 0; round < 2; round++)
		for (i = 0; i < 1000; i++)
			file_note_page(f, "", 1, i, "broken");
	assert_int_equal(kt_file_nr_damages(f), 33);
	assert_string_equal(kt_file_damage(f, 32), "and 1000 more");
	assert_null(kt_file_damage(f, 33));
	for (i = 0; i < 10000; i++)
		file_note_page(f, "", 2, i, "broken");
	assert_string_equal(kt_file_damage(f, 32), "and 11000 more");
	kt_file_close(f);
}

TEST(data_that_lost_its_option_is_found_by_walking)
{
	static const char *const methods[] = { "none", "zstd" };
	struct kt_dat_opts o = { .no_buffer_options = true, .chunk_pages = 1 };
	struct kt_file *f;
	int i;

	for (i = 0; i < 2; i++) {
		o.compression = methods[i];
		f = kt_dat_open(kt_dat_two_cpus(&o));
		assert_true(kt_has_damage(f, "no options section at"));
		assert_true(kt_has_damage(f, "belongs to no buffer"));
		assert_int_equal(kt_file_nr_buffers(f), 1);
		assert_int_equal(kt_file_buffer(f, 0)->nr_cpus, 2);
		assert_int_equal(kt_count(f), 2000);
		kt_file_close(f);
	}
}

TEST(data_that_lost_its_option_shows_the_size_of_its_sub_buffers)
{
	static const char *const methods[] = { "none", "zstd" };
	struct kt_dat *d;
	struct kt_file *f;
	int i, cpu, nr;

	for (i = 0; i < 2; i++) {
		d = kt_dat_texts(&(struct kt_dat_opts){ .compression = methods[i], .chunk_pages = 1,
							.no_buffer_options = true });
		kt_dat_buffer(d, "larger", "local", 16384);
		for (cpu = 0; cpu < 3; cpu++) {
			kt_dat_cpu(d, cpu);
			for (nr = 0; nr < 3000 * cpu + 10; nr++)
				kt_dat_add(d, 1, 1000 + nr * 1000);
		}
		f = kt_dat_open(d);
		assert_int_equal(kt_file_nr_buffers(f), 1);
		assert_int_equal(kt_file_buffer(f, 0)->page_size, 16384);
		assert_true(kt_has_damage(f, "sub-buffers have 16384 bytes"));
		assert_int_equal(kt_count(f), 9030);
		kt_file_close(f);
	}
}

/* Alter @nr bytes at @at in the file written last. */
static struct kt_file *open_altered(struct kt_dat *d, size_t at, const char *bytes, size_t nr)
{
	size_t size;
	char *image = kt_dat_image(d, &size);

	assert_true(at + nr <= size);
	memcpy(image + at, bytes, nr);
	kt_spill(kt_tmp("altered.dat"), image, size);
	free(image);
	kt_dat_destroy(d);
	return kt_open(kt_tmp("altered.dat"));
}

/* The offset of the chunks of the first CPU */
static uint64_t first_chunk(const struct kt_dat_opts *o)
{
	struct kt_file *f = kt_dat_open(kt_dat_two_cpus(o));
	uint64_t at = kt_file_buffer(f, 0)->cpus[0].offset;

	assert_int_equal(kt_count(f), 2000);
	kt_close_intact(f);
	return at;
}

TEST(a_broken_chunk_costs_its_own_records_only)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 1 };
	uint64_t at = first_chunk(&o);
	struct kt_file *f = open_altered(kt_dat_two_cpus(&o), at + 4 + 8, "broken", 6);
	struct kt_chunk chunk;
	struct kt_err err = { 0 };
	unsigned int left = kt_count(f);

	assert_true(left < 2000 && left > 1300);
	assert_true(kt_has_damage(f, "does not decompress"));
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 0, &chunk, &err), -EBADMSG);
	assert_non_null(strstr(err.msg, "altered.dat: chunk at"));
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 1, &chunk, NULL), 1);
	kt_chunk_put(&chunk);
	kt_file_close(f);
}

TEST(a_broken_chunk_header_loses_no_later_chunk)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 1 };
	uint64_t at = first_chunk(&o);
	static const char *const sizes[] = { "\xff\xff\xff\x7f", "\0\0\0\0", "\x05\0\0\0",
					     "\0\x05\0\0" };
	size_t i;

	for (i = 0; i < 4; i++) {
		struct kt_file *f = open_altered(kt_dat_two_cpus(&o), at + 4, sizes[i], 4);
		unsigned int left = kt_count(f);

		/* CPU 0 has three chunks of about 340 records. */
		if (left < 1600 || !kt_has_damage(f, i ? "no chunk at" : "cannot be 2147483647 bytes"))
			fail_msg("size %zu: %u left, %s", i, left, kt_file_damage(f, 0));
		kt_file_close(f);
	}
}

TEST(data_with_a_compression_that_the_file_does_not_have_are_used_unchanged)
{
	struct kt_dat_opts o = { .compression = "none" };
	struct kt_file *f = kt_dat_open(kt_dat_two_cpus(&o));
	uint64_t at = 0;
	size_t i;

	for (i = 0; kt_file_section(f, i); i++)
		if (kt_file_section(f, i)->id == KT_SECTION_DATA)
			at = kt_file_section(f, i)->offset;
	kt_close_intact(f);
	f = open_altered(kt_dat_two_cpus(&o), at + 2, "\1", 1);
	assert_int_equal(kt_count(f), 2000);
	kt_file_close(f);
}

TEST(options_linked_in_a_circle_come_to_an_end)
{
	struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f = kt_dat_open(d);
	uint64_t at = 0, size = 0;
	uint8_t link[8];
	size_t i;

	for (i = 0; kt_file_section(f, i); i++)
		if (kt_file_section(f, i)->id == KT_OPTION_DONE) {
			at = kt_file_section(f, i)->offset;
			size = kt_file_section(f, i)->size;
		}
	kt_close_intact(f);
	for (i = 0; i < 8; i++)
		link[i] = at >> 8 * i;
	f = open_altered(kt_dat_texts(&(struct kt_dat_opts){ .version = 7 }), at + 16 + size - 8,
			 (char *)link, 8);
	assert_true(kt_has_damage(f, "loop"));
	kt_file_close(f);
}

TEST(a_header_page_without_room_for_a_time_stamp_is_not_believed)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 6 });
	struct kt_file *f;

	kt_dat_meta(d, KT_META_HEADER_PAGE, "\tfield: local_t commit;\toffset:0;\tsize:4;\tsigned:1;\n"
					    "\tfield: char data;\toffset:4;\tsize:4092;\tsigned:1;\n");
	f = kt_dat_open(d);
	assert_int_equal(kt_file_info(f)->commit_offset, 8);
	assert_int_equal(kt_file_info(f)->data_offset, 16);
	assert_true(kt_has_damage(f, "offset of the data"));
	kt_file_close(f);
}

TEST(missing_data_are_reported_with_their_place)
{
	struct kt_dat *d = kt_dat_two_cpus(&(struct kt_dat_opts){ .version = 6 });
	struct kt_file *f;
	char says[80];
	size_t size;
	char *image = kt_dat_image(d, &size);

	kt_spill(kt_tmp("cut.dat"), image, size - 5000);
	free(image);
	kt_dat_destroy(d);
	f = kt_open(kt_tmp("cut.dat"));
	assert_in_range(kt_count(f), 1000, 1999);
	snprintf(says, sizeof(says), "bytes of data at %d are missing",
		 (int)kt_file_buffer(f, 0)->cpus[1].offset);
	assert_true(kt_has_damage(f, "CPU 1: 5000 of its "));
	assert_true(kt_has_damage(f, says));
	kt_file_close(f);
}

/* A file with @nr times @header beyond its end */
static struct kt_file *open_longer(const char *header, size_t header_size, size_t nr)
{
	struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .version = 7 });
	size_t size, i;
	char *image = kt_dat_image(d, &size);

	image = realloc(image, size + nr * header_size);
	assert_non_null(image);
	for (i = 0; i < nr; i++)
		memcpy(image + size + i * header_size, header, header_size);
	kt_spill(kt_tmp("longer.dat"), image, size + nr * header_size);
	free(image);
	kt_dat_destroy(d);
	return kt_open(kt_tmp("longer.dat"));
}

TEST(bytes_after_the_end_are_not_taken_for_sections_without_number)
{
	struct kt_file *f = kt_dat_open(kt_dat_texts(&(struct kt_dat_opts){ .version = 7 }));
	size_t nr = kt_file_nr_sections(f);

	kt_close_intact(f);
	f = open_longer("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 1000);
	assert_int_equal(kt_file_nr_sections(f), nr);
	assert_true(kt_has_damage(f, "no section at"));
	kt_file_close(f);

	f = open_longer("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 100000);
	assert_in_range(kt_file_nr_sections(f), nr + 1, 65536);
	assert_true(kt_has_damage(f, "no section at"));
	kt_file_close(f);
}

/* An option BUFFER, in little endian: its offset, its name; more in a file of version 7 */
static void add_buffer_at(struct kt_dat *d, uint64_t offset, bool v7)
{
	char option[8 + sizeof("x") + sizeof("local") + 8] = { 0 };
	size_t i;

	for (i = 0; i < 8; i++)
		option[i] = offset >> 8 * i;
	memcpy(option + 8, "x\0local", sizeof("x\0local"));
	option[8 + sizeof("x\0local") + 1] = 4096 >> 8;
	kt_dat_option(d, KT_OPTION_BUFFER, option, v7 ? sizeof(option) : 8 + sizeof("x"));
}

TEST(sections_that_no_walk_comes_by_are_limited)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	char *zeros = calloc(1, 50000);
	struct kt_file *f;
	uint64_t at;

	assert_non_null(zeros);
	kt_dat_option(d, 900, zeros, 50000);
	for (at = 45000; at > 25000; at--)
		add_buffer_at(d, at, true);
	f = kt_dat_open(d);
	assert_int_equal(kt_file_nr_buffers(f), 20000);
	assert_in_range(kt_file_nr_sections(f), 1024, 1100);
	assert_true(kt_has_damage(f, "has no section at"));
	kt_file_close(f);
	free(zeros);
}

static struct kt_dat *many_instances_at(uint64_t offset)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 6, .nr_cpus = 1000 });
	int i;

	for (i = 0; i < 2000; i++)
		add_buffer_at(d, offset, false);
	return d;
}

TEST(instances_that_share_a_table_do_not_multiply)
{
	struct kt_dat *d = many_instances_at(0);
	struct kt_file *f;
	char *image, *table;
	uint64_t at;
	size_t size;

	image = kt_dat_image(d, &size);
	kt_dat_destroy(d);
	table = memmem(image, size, "flyrecord", 9);
	assert_non_null(table);
	at = table - image;
	free(image);
	f = kt_dat_open(many_instances_at(at));
	assert_true(kt_has_damage(f, "more CPUs than the file has room for"));
	assert_in_range(kt_file_nr_buffers(f), 1, 10);
	kt_file_close(f);
}

/* @size bytes of lines; free */
static char *long_text(size_t size)
{
	char *text = malloc(size + 1);
	size_t i;

	assert_non_null(text);
	memset(text, 'a', size);
	for (i = 15; i < size; i += 16)
		text[i] = '\n';
	text[size] = '\0';
	return text;
}

TEST(sections_that_grow_beyond_what_their_kind_can_hold_are_read_in_part)
{
	static const struct {
		enum kt_meta which;
		size_t claimed, most;
	} of[] = {
		{ KT_META_HEADER_PAGE, 1 << 20, 64 << 10 },
		{ KT_META_HEADER_EVENT, 1 << 20, 64 << 10 },
		{ KT_META_CMDLINES, 5 << 20, 4 << 20 },
	};
	struct kt_blob blob;
	struct kt_dat *d;
	struct kt_file *f;
	char *text;
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(*of); i++) {
		d = kt_dat_create(&(struct kt_dat_opts){ .compression = i % 2 ? "zlib" : "zstd" });
		text = long_text(of[i].claimed);
		kt_dat_meta(d, of[i].which, text);
		f = kt_dat_open(d);
		free(text);
		assert_int_equal(kt_file_meta(f, of[i].which, &blob, NULL), 0);
		assert_in_range(blob.size, of[i].most - 512, of[i].most);
		assert_true(kt_has_damage(f, "bytes of it are read"));
		kt_file_close(f);
	}
}

TEST(many_sections_do_not_grow_beyond_what_a_file_can_hold)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .compression = "zstd" });
	char *text = long_text(90 << 20);
	const char *tail = text + (40 << 20);
	const struct kt_section *s;
	struct kt_blob blob;
	struct kt_file *f;
	size_t i, sum = 0;

	kt_dat_meta(d, KT_META_KALLSYMS, text);
	kt_dat_btf(d, text, 60 << 20);
	kt_dat_event(d, "huge", tail);
	kt_dat_text(d, "one", tail);
	kt_dat_text(d, "two", tail);
	f = kt_dat_open(d);
	free(text);
	for (i = 0; (s = kt_file_section(f, i)); i++)
		if (s->id != KT_OPTION_BUFFER_TEXT && kt_file_section_data(f, i, &blob, NULL) == 0)
			sum += blob.size;
	for (i = 0; i < kt_file_nr_buffers(f); i++) {
		assert_int_equal(kt_file_buffer_text(f, i, &blob, NULL), 0);
		sum += blob.size;
	}
	assert_in_range(sum, 200 << 20, (256 << 20) + 4096);
	assert_true(kt_has_damage(f, "text of a latency buffer is truncated"));
	kt_file_close(f);
}

TEST(names_in_damage_lines_cannot_reach_a_terminal)
{
	struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f;
	uint64_t at;

	kt_dat_buffer(d, "evil\033[2J", "local", 0);
	kt_dat_cpu(d, 0);
	kt_dat_add(d, 1, 1);
	f = kt_open(kt_dat_write(d, "file.dat"));
	at = kt_file_buffer(f, 0)->cpus[0].offset;
	kt_close_intact(f);
	f = open_altered(d, at + 8, "\xff\xff\xff\x03", 4);	/* committed: too much */
	kt_count(f);
	assert_true(kt_has_damage(f, "evil\\x1b[2J"));
	kt_file_close(f);
}

int main(void)
{
	return RUN(unit(damage_without_room_is_counted_once_each),
		   unit(data_that_lost_its_option_is_found_by_walking),
		   unit(data_that_lost_its_option_shows_the_size_of_its_sub_buffers),
		   unit(a_broken_chunk_costs_its_own_records_only),
		   unit(a_broken_chunk_header_loses_no_later_chunk),
		   unit(data_with_a_compression_that_the_file_does_not_have_are_used_unchanged),
		   unit(options_linked_in_a_circle_come_to_an_end),
		   unit(a_header_page_without_room_for_a_time_stamp_is_not_believed),
		   unit(missing_data_are_reported_with_their_place),
		   unit(bytes_after_the_end_are_not_taken_for_sections_without_number),
		   unit(sections_that_no_walk_comes_by_are_limited),
		   unit(instances_that_share_a_table_do_not_multiply),
		   unit(sections_that_grow_beyond_what_their_kind_can_hold_are_read_in_part),
		   unit(many_sections_do_not_grow_beyond_what_a_file_can_hold),
		   unit(names_in_damage_lines_cannot_reach_a_terminal));
}
