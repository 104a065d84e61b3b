/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_file.c - the directory of a trace.dat: sections, options, texts, buffers, what is missing */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/file.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#include "file/file.h"
#include "file/note.h"

#include "kt_dat.h"
#include "kt_test.h"

static struct kt_file *open_path(const char *path)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(path, &err);

	CHECK_NO_ERR(&err);
	assert_non_null(f);
	return f;
}

static struct kt_file *open_dat(struct kt_dat *d)
{
	struct kt_file *f = open_path(kt_dat_write(d, "file.dat"));

	kt_dat_destroy(d);
	return f;
}

static void close_intact(struct kt_file *f)
{
	if (kt_file_damage(f, 0))
		fail_msg("%s", kt_file_damage(f, 0));
	kt_file_close(f);
}

static void expect_refusal(const void *bytes, size_t size, int code, const char *says)
{
	struct kt_err err = { 0 };

	kt_spill(kt_tmp("refused.dat"), bytes, size);
	assert_null(kt_file_open(kt_tmp("refused.dat"), &err));
	assert_int_equal(err.code, code);
	assert_non_null(strstr(err.msg, says));
	assert_non_null(strstr(err.msg, "refused.dat"));
}

#define START "\x17\x08\x44tracing"

TEST(what_is_no_trace_is_refused_in_one_line)
{
	struct kt_err err = { 0 };

	expect_refusal("ELF and more", 12, -EINVAL, "is no trace.dat");
	expect_refusal("", 0, -EINVAL, "is empty");
	expect_refusal(START "8", 12, -ENOTSUP, "version '8'");
	expect_refusal(START "x", 12, -ENOTSUP, "reads 6 and 7");
	expect_refusal(START "77777777", 18, -EINVAL, "cut off");
	expect_refusal(START "6\0\0\10", 14, -EINVAL, "cut off");
	expect_refusal(START "7\0\0\10\0\20\0\0lz9\0001\0\0\0\0\0\0\0\0\0", 32, -ENOTSUP, "'lz9'");

	assert_null(kt_file_open(kt_tmp("missing.dat"), &err));
	assert_int_equal(err.code, -ENOENT);
	kt_err_clear(&err);
	assert_null(kt_file_open("/dev/null", &err));
	assert_int_equal(err.code, -EINVAL);
	assert_non_null(strstr(err.msg, "no regular file"));
}

static struct kt_dat *with_texts(const struct kt_dat_opts *o)
{
	struct kt_dat *d = kt_dat_create(o);

	kt_dat_meta(d, KT_META_HEADER_EVENT, "type_len\n");
	kt_dat_meta(d, KT_META_KALLSYMS, "ff00 t one\n");
	kt_dat_meta(d, KT_META_CMDLINES, "12 a b\n");
	kt_dat_event(d, "ftrace", "name: function\n");
	kt_dat_event(d, "sched", "name: sched_switch\n");
	kt_dat_event(d, "irq", "name: irq_entry\n");
	kt_dat_event(d, "sched", "name: sched_wakeup\n");
	return d;
}

static void expect_meta(struct kt_file *f, enum kt_meta which, const char *text)
{
	struct kt_blob b;

	assert_int_equal(kt_file_meta(f, which, &b, NULL), 0);
	assert_int_equal(b.size, strlen(text));
	assert_string_equal(b.data, text);
}

static void expect_event(struct kt_file *f, size_t i, const char *system, const char *format)
{
	const struct kt_event_source *e = kt_file_event(f, i);

	assert_string_equal(e->system, system);
	assert_int_equal(e->format.size, strlen(format));
	assert_memory_equal(e->format.data, format, e->format.size);
}

TEST(texts_and_formats_are_found_in_both_versions)
{
	static const char *const methods[] = { "none", "zstd", "zlib" };
	struct kt_dat_opts o = { 0 };
	struct kt_file *f;
	struct kt_blob b;
	int i;

	for (i = 0; i < 8; i++) {
		o.version = i < 2 ? 6 : 7;
		o.big_endian = i & 1;
		o.compression = i < 2 ? NULL : methods[i / 2 - 1];
		f = open_dat(with_texts(&o));
		expect_meta(f, KT_META_HEADER_EVENT, "type_len\n");
		expect_meta(f, KT_META_KALLSYMS, "ff00 t one\n");
		expect_meta(f, KT_META_CMDLINES, "12 a b\n");
		assert_int_equal(kt_file_nr_events(f), 4);
		expect_event(f, 0, "ftrace", "name: function\n");
		expect_event(f, 1, "sched", "name: sched_switch\n");
		expect_event(f, 2, "sched", "name: sched_wakeup\n");
		expect_event(f, 3, "irq", "name: irq_entry\n");
		assert_null(kt_file_event(f, 4));

		/* Version 6 stores an empty text for what it has not. */
		if (o.version == 6)
			expect_meta(f, KT_META_PRINTK, "");
		else
			assert_int_equal(kt_file_meta(f, KT_META_PRINTK, &b, NULL), -ENOENT);
		assert_int_equal(kt_file_meta(f, KT_META_BTF, &b, NULL), -ENOENT);
		close_intact(f);
	}
}

TEST(btf_and_modules_come_without_a_length)
{
	struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .compression = "zstd" });
	struct kt_file *f;

	kt_dat_meta(d, KT_META_BTF, "\x9f\xeb binary");
	kt_dat_meta(d, KT_META_MODULES, "kvm 1000 0 - Live 0xffff\n");
	f = open_dat(d);
	expect_meta(f, KT_META_BTF, "\x9f\xeb binary");
	expect_meta(f, KT_META_MODULES, "kvm 1000 0 - Live 0xffff\n");
	close_intact(f);
}

TEST(strings_sections_count_as_one)
{
	struct kt_file *f = open_dat(with_texts(&(struct kt_dat_opts){ .compression = "zlib" }));
	const struct kt_section *s;
	size_t i, seen = 0;

	for (i = 0; (s = kt_file_section(f, i)); i++) {
		if (s->id == KT_OPTION_HEADER_INFO)	/* string id 16: in the second section */
			assert_string_equal(s->description, "fghijklmnopqrstuvwxyz");
		if (s->id == KT_OPTION_KALLSYMS)	/* 19 */
			assert_string_equal(s->description, "ijklmnopqrstuvwxyz");
		if (s->id == KT_OPTION_STRINGS) {
			assert_string_equal(s->description, "");
			seen++;
		}
	}
	assert_int_equal(seen, 2);
	close_intact(f);
}

TEST(options_are_kept_whether_known_or_not)
{
	int version;

	for (version = 6; version <= 7; version++) {
		struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .version = version });
		const struct kt_option *o;
		struct kt_file *f;

		kt_dat_option(d, KT_OPTION_UNAME, "Linux", 6);
		kt_dat_option(d, 4711, "who knows", 9);
		kt_dat_option(d, KT_OPTION_TRACEID, "\1\0\0\0\0\0\0\0", 8);
		f = open_dat(d);
		o = kt_file_find_option(f, 4711);
		assert_int_equal(o->raw.size, 9);
		assert_memory_equal(o->raw.data, "who knows", 9);
		assert_string_equal(kt_file_find_option(f, KT_OPTION_UNAME)->raw.data, "Linux");
		assert_null(kt_file_find_option(f, KT_OPTION_HOOK));
		assert_int_equal(kt_file_info(f)->trace_id, 1);
		close_intact(f);
	}
}

static void add(struct kt_dat *d, uint64_t ts)
{
	kt_dat_begin(d, 1, 1);
	kt_dat_end(d, ts);
}

TEST(buffers_keep_their_own_names_clocks_and_sizes)
{
	struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .compression = "zstd" });
	const struct kt_buffer *b;
	struct kt_file *f;

	kt_dat_buffer(d, "inst", "mono", 16384);
	kt_dat_cpu(d, 5);
	add(d, 1);
	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 1);
	add(d, 1);
	f = open_dat(d);
	assert_int_equal(kt_file_nr_buffers(f), 2);
	b = kt_file_buffer(f, 0);		/* the top one comes first */
	assert_string_equal(b->name, "");
	assert_int_equal(b->page_size, 4096);
	assert_int_equal(b->nr_cpus, 1);
	assert_int_equal(b->cpus[0].cpu, 1);
	b = kt_file_buffer(f, 1);
	assert_string_equal(b->name, "inst");
	assert_string_equal(b->clock, "mono");
	assert_int_equal(b->page_size, 16384);
	assert_int_equal(b->cpus[0].cpu, 5);
	assert_int_equal(kt_file_info(f)->nr_cpus, 6);
	assert_null(kt_file_buffer(f, 2));
	close_intact(f);
}

TEST(clocks_of_version_6_stand_behind_each_table)
{
	struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .version = 6 });
	struct kt_file *f;

	kt_dat_option(d, KT_OPTION_TRACECLOCK, "", 0);
	kt_dat_buffer(d, "", "global", 0);
	kt_dat_cpu(d, 0);
	add(d, 1);
	kt_dat_buffer(d, "inst", "boot", 0);
	kt_dat_cpu(d, 1);
	add(d, 1);
	f = open_dat(d);
	assert_string_equal(kt_file_buffer(f, 0)->clock, "global");
	assert_string_equal(kt_file_buffer(f, 1)->clock, "boot");
	assert_int_equal(kt_file_info(f)->nr_cpus, 2);
	close_intact(f);
}

TEST(the_clock_option_serves_buffers_that_name_none)
{
	struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f;

	kt_dat_option(d, KT_OPTION_TRACECLOCK, "local [uptime] perf", 20);
	kt_dat_buffer(d, "", "", 0);
	f = open_dat(d);
	assert_string_equal(kt_file_buffer(f, 0)->clock, "uptime");
	close_intact(f);
}

TEST(latency_text_is_found_in_both_versions)
{
	static const struct kt_dat_opts shapes[] = {
		{ .version = 6 }, { .version = 7 }, { .version = 7, .compression = "zstd" } };
	char text[2601];
	struct kt_blob b;
	size_t i;

	for (i = 0; i < sizeof(text) - 1; i++)
		text[i] = i % 80 ? 'a' + i / 80 % 26 : '\n';
	text[i] = '\0';
	for (i = 0; i < 3; i++) {
		struct kt_dat *d = with_texts(&shapes[i]);
		struct kt_file *f;

		kt_dat_text(d, "", text);
		f = open_dat(d);
		assert_true(kt_file_buffer(f, 0)->is_text);
		assert_int_equal(kt_file_buffer_text(f, 0, &b, NULL), 0);
		assert_int_equal(b.size, strlen(text));
		assert_memory_equal(b.data, text, b.size);
		assert_int_equal(kt_file_buffer_text(f, 1, &b, NULL), -ENOENT);
		close_intact(f);
	}
}

static unsigned int count_records(struct kt_file *f)
{
	struct kt_stream *s = kt_stream_create();
	struct kt_record rec;
	unsigned int nr = 0;

	assert_int_equal(kt_stream_add(s, f, NULL, NULL), 0);
	while (kt_stream_next(s, &rec, NULL) > 0)
		nr++;
	kt_stream_destroy(s);
	return nr;
}

static struct kt_dat *two_cpus(const struct kt_dat_opts *o)
{
	struct kt_dat *d = with_texts(o);
	int cpu, i;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 2; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 0; i < 1000; i++)
			add(d, i * 1000);
	}
	return d;
}

static bool has_damage(const struct kt_file *f, const char *says)
{
	size_t i;

	for (i = 0; i < kt_file_nr_damages(f); i++)
		if (strstr(kt_file_damage(f, i), says))
			return true;
	return false;
}

TEST(damage_without_room_is_counted_once_each)
{
	struct kt_file *f = open_dat(with_texts(&(struct kt_dat_opts){ .compression = "none" }));
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
		f = open_dat(two_cpus(&o));
		assert_true(has_damage(f, "no options section at"));
		assert_true(has_damage(f, "belong to no buffer"));
		assert_int_equal(kt_file_nr_buffers(f), 1);
		assert_int_equal(kt_file_buffer(f, 0)->nr_cpus, 2);
		assert_int_equal(count_records(f), 2000);
		kt_file_close(f);
	}
}

/* Alter @nr bytes at @at of the file written last. */
static struct kt_file *open_altered(struct kt_dat *d, size_t at, const char *bytes, size_t nr)
{
	size_t size;
	char *image = kt_dat_image(d, &size);

	assert_true(at + nr <= size);
	memcpy(image + at, bytes, nr);
	kt_spill(kt_tmp("altered.dat"), image, size);
	free(image);
	kt_dat_destroy(d);
	return open_path(kt_tmp("altered.dat"));
}

/* Where the chunks of the first CPU are, and how long the file is */
static uint64_t first_chunk(const struct kt_dat_opts *o)
{
	struct kt_file *f = open_dat(two_cpus(o));
	uint64_t at = kt_file_buffer(f, 0)->cpus[0].offset;

	assert_int_equal(count_records(f), 2000);
	close_intact(f);
	return at;
}

TEST(a_broken_chunk_costs_its_own_records_only)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 1 };
	uint64_t at = first_chunk(&o);
	struct kt_file *f = open_altered(two_cpus(&o), at + 4 + 8, "broken", 6);
	struct kt_chunk chunk;
	struct kt_err err = { 0 };
	unsigned int left = count_records(f);

	assert_true(left < 2000 && left > 1300);
	assert_true(has_damage(f, "does not decompress"));
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
		struct kt_file *f = open_altered(two_cpus(&o), at + 4, sizes[i], 4);
		unsigned int left = count_records(f);

		/* CPU 0 has three chunks of about 340 records. */
		if (left < 1600 || !has_damage(f, i ? "no chunk at" : "cannot be 2147483647 bytes"))
			fail_msg("size %zu: %u left, %s", i, left, kt_file_damage(f, 0));
		kt_file_close(f);
	}
}

TEST(data_that_claim_a_compression_the_file_has_not_are_taken_as_they_are)
{
	struct kt_dat_opts o = { .compression = "none" };
	struct kt_file *f = open_dat(two_cpus(&o));
	uint64_t at = 0;
	size_t i;

	for (i = 0; kt_file_section(f, i); i++)
		if (kt_file_section(f, i)->id == KT_SECTION_DATA)
			at = kt_file_section(f, i)->offset;
	close_intact(f);
	f = open_altered(two_cpus(&o), at + 2, "\1", 1);
	assert_int_equal(count_records(f), 2000);
	kt_file_close(f);
}

TEST(options_linked_in_a_circle_come_to_an_end)
{
	struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f = open_dat(d);
	uint64_t at = 0, size = 0;
	uint8_t link[8];
	size_t i;

	for (i = 0; kt_file_section(f, i); i++)
		if (kt_file_section(f, i)->id == KT_OPTION_DONE) {
			at = kt_file_section(f, i)->offset;
			size = kt_file_section(f, i)->size;
		}
	close_intact(f);
	for (i = 0; i < 8; i++)
		link[i] = at >> 8 * i;
	f = open_altered(with_texts(&(struct kt_dat_opts){ .version = 7 }), at + 16 + size - 8,
			 (char *)link, 8);
	assert_true(has_damage(f, "circle"));
	kt_file_close(f);
}

TEST(a_header_page_without_room_for_a_time_stamp_is_not_believed)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 6 });
	struct kt_file *f;

	kt_dat_meta(d, KT_META_HEADER_PAGE, "\tfield: local_t commit;\toffset:0;\tsize:4;\tsigned:1;\n"
					    "\tfield: char data;\toffset:4;\tsize:4092;\tsigned:1;\n");
	f = open_dat(d);
	assert_int_equal(kt_file_info(f)->commit_offset, 8);
	assert_int_equal(kt_file_info(f)->data_offset, 16);
	assert_true(has_damage(f, "where data begins"));
	kt_file_close(f);
}

TEST(data_that_are_not_there_are_told_with_their_place)
{
	struct kt_dat *d = two_cpus(&(struct kt_dat_opts){ .version = 6 });
	struct kt_file *f;
	char says[80];
	size_t size;
	char *image = kt_dat_image(d, &size);

	kt_spill(kt_tmp("cut.dat"), image, size - 5000);
	free(image);
	kt_dat_destroy(d);
	f = open_path(kt_tmp("cut.dat"));
	assert_in_range(count_records(f), 1000, 1999);
	snprintf(says, sizeof(says), "bytes of data at %d are missing",
		 (int)kt_file_buffer(f, 0)->cpus[1].offset);
	assert_true(has_damage(f, "CPU 1: 5000 of its "));
	assert_true(has_damage(f, says));
	kt_file_close(f);
}

/* A file with @nr times @header behind its end */
static struct kt_file *open_longer(const char *header, size_t header_size, size_t nr)
{
	struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .version = 7 });
	size_t size, i;
	char *image = kt_dat_image(d, &size);

	image = realloc(image, size + nr * header_size);
	assert_non_null(image);
	for (i = 0; i < nr; i++)
		memcpy(image + size + i * header_size, header, header_size);
	kt_spill(kt_tmp("longer.dat"), image, size + nr * header_size);
	free(image);
	kt_dat_destroy(d);
	return open_path(kt_tmp("longer.dat"));
}

TEST(what_stands_behind_the_end_is_not_taken_for_sections_without_number)
{
	struct kt_file *f = open_dat(with_texts(&(struct kt_dat_opts){ .version = 7 }));
	size_t nr = kt_file_nr_sections(f);

	close_intact(f);
	f = open_longer("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 1000);
	assert_int_equal(kt_file_nr_sections(f), nr);
	assert_true(has_damage(f, "no section at"));
	kt_file_close(f);

	f = open_longer("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 100000);
	assert_in_range(kt_file_nr_sections(f), nr + 1, 65536);
	assert_true(has_damage(f, "no section at"));
	kt_file_close(f);
}

TEST(names_in_damage_lines_cannot_reach_a_terminal)
{
	struct kt_dat *d = with_texts(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f;
	uint64_t at;

	kt_dat_buffer(d, "evil\033[2J", "local", 0);
	kt_dat_cpu(d, 0);
	add(d, 1);
	f = open_path(kt_dat_write(d, "file.dat"));
	at = kt_file_buffer(f, 0)->cpus[0].offset;
	close_intact(f);
	f = open_altered(d, at + 8, "\xff\xff\xff\x03", 4);	/* committed: too much */
	count_records(f);
	assert_true(has_damage(f, "evil\\x1b[2J"));
	kt_file_close(f);
}

TEST(several_files_keep_no_more_in_memory_than_one)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 1 };
	struct kt_dat *d = two_cpus(&o);
	const char *path = kt_dat_write(d, "file.dat");
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };
	struct kt_chunk chunk, other;
	struct kt_file *f;
	size_t i;

	kt_dat_destroy(d);
	for (i = 0; i < 3; i++)
		assert_int_equal(kt_trace_add(t, path, NULL, &err), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(kt_trace_file(t, i)->cache.max_idle, KT_FILE_CACHE / 3);
	f = kt_trace_file(t, 0);
	kt_file_set_cache(f, 20000);		/* one sub-buffer is rounded up to 16 KiB */
	for (i = 0; kt_file_chunk_get(f, 0, 0, i, &chunk, &err) > 0; i++)
		kt_chunk_put(&chunk);
	assert_true(i > 2);
	assert_true(f->cache.idle > 0 && f->cache.idle <= 20000);
	kt_file_set_cache(f, 0);
	assert_int_equal(f->cache.idle, 0);
	/* Put back, the first is kept for its memory, the second goes at once. */
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 0, &chunk, &err), 1);
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 1, &other, &err), 1);
	kt_chunk_put(&chunk);
	kt_chunk_put(&other);
	assert_int_equal(f->cache.idle, 0);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(what_is_no_trace_is_refused_in_one_line),
		   unit(a_header_page_without_room_for_a_time_stamp_is_not_believed),
		   unit(data_that_are_not_there_are_told_with_their_place),
		   unit(what_stands_behind_the_end_is_not_taken_for_sections_without_number),
		   unit(texts_and_formats_are_found_in_both_versions),
		   unit(btf_and_modules_come_without_a_length),
		   unit(strings_sections_count_as_one),
		   unit(options_are_kept_whether_known_or_not),
		   unit(buffers_keep_their_own_names_clocks_and_sizes),
		   unit(clocks_of_version_6_stand_behind_each_table),
		   unit(the_clock_option_serves_buffers_that_name_none),
		   unit(latency_text_is_found_in_both_versions),
		   unit(damage_without_room_is_counted_once_each),
		   unit(data_that_lost_its_option_is_found_by_walking),
		   unit(a_broken_chunk_costs_its_own_records_only),
		   unit(a_broken_chunk_header_loses_no_later_chunk),
		   unit(data_that_claim_a_compression_the_file_has_not_are_taken_as_they_are),
		   unit(options_linked_in_a_circle_come_to_an_end),
		   unit(names_in_damage_lines_cannot_reach_a_terminal),
		   unit(several_files_keep_no_more_in_memory_than_one));
}
