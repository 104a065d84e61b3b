/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_file.c - the directory of a trace.dat: sections, options, texts, buffers */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/file.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#include "file/file.h"

#include "kt_reading.h"
#include "kt_test.h"

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

TEST(a_file_that_is_not_a_trace_is_refused_in_one_line)
{
	struct kt_err err = { 0 };

	expect_refusal("ELF and more", 12, -EINVAL, "is not a trace.dat file");
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
	assert_non_null(strstr(err.msg, "neither a regular file nor a pipe"));
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
		f = kt_dat_open(kt_dat_texts(&o));
		expect_meta(f, KT_META_HEADER_EVENT, "type_len\n");
		expect_meta(f, KT_META_KALLSYMS, "ff00 t one\n");
		expect_meta(f, KT_META_CMDLINES, "12 a b\n");
		assert_int_equal(kt_file_nr_events(f), 4);
		expect_event(f, 0, "ftrace", "name: function\n");
		expect_event(f, 1, "sched", "name: sched_switch\n");
		expect_event(f, 2, "sched", "name: sched_wakeup\n");
		expect_event(f, 3, "irq", "name: irq_entry\n");
		assert_null(kt_file_event(f, 4));

		/* Version 6 stores an empty text for a missing one. */
		if (o.version == 6)
			expect_meta(f, KT_META_PRINTK, "");
		else
			assert_int_equal(kt_file_meta(f, KT_META_PRINTK, &b, NULL), -ENOENT);
		assert_int_equal(kt_file_meta(f, KT_META_BTF, &b, NULL), -ENOENT);
		kt_close_intact(f);
	}
}

TEST(btf_and_modules_come_without_a_length)
{
	struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .compression = "zstd" });
	struct kt_file *f;

	kt_dat_meta(d, KT_META_BTF, "\x9f\xeb binary");
	kt_dat_meta(d, KT_META_MODULES, "kvm 1000 0 - Live 0xffff\n");
	f = kt_dat_open(d);
	expect_meta(f, KT_META_BTF, "\x9f\xeb binary");
	expect_meta(f, KT_META_MODULES, "kvm 1000 0 - Live 0xffff\n");
	kt_close_intact(f);
}

TEST(strings_sections_count_as_one)
{
	struct kt_file *f = kt_dat_open(kt_dat_texts(&(struct kt_dat_opts){ .compression = "zlib" }));
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
	kt_close_intact(f);
}

TEST(options_are_kept_whether_known_or_not)
{
	int version;

	for (version = 6; version <= 7; version++) {
		struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .version = version });
		const struct kt_option *o;
		struct kt_file *f;

		kt_dat_option(d, KT_OPTION_UNAME, "Linux", 6);
		kt_dat_option(d, 4711, "who knows", 9);
		kt_dat_option(d, KT_OPTION_TRACEID, "\1\0\0\0\0\0\0\0", 8);
		f = kt_dat_open(d);
		o = kt_file_find_option(f, 4711);
		assert_int_equal(o->raw.size, 9);
		assert_memory_equal(o->raw.data, "who knows", 9);
		assert_string_equal(kt_file_find_option(f, KT_OPTION_UNAME)->raw.data, "Linux");
		assert_null(kt_file_find_option(f, KT_OPTION_HOOK));
		assert_int_equal(kt_file_info(f)->trace_id, 1);
		kt_close_intact(f);
	}
}

TEST(buffers_keep_their_own_names_clocks_and_sizes)
{
	struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .compression = "zstd" });
	const struct kt_buffer *b;
	struct kt_file *f;

	kt_dat_buffer(d, "inst", "mono", 16384);
	kt_dat_cpu(d, 5);
	kt_dat_add(d, 1, 1);
	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 1);
	kt_dat_add(d, 1, 1);
	f = kt_dat_open(d);
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
	kt_close_intact(f);
}

TEST(clocks_of_version_6_follow_each_table)
{
	struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .version = 6 });
	struct kt_file *f;

	kt_dat_option(d, KT_OPTION_TRACECLOCK, "", 0);
	kt_dat_buffer(d, "", "global", 0);
	kt_dat_cpu(d, 0);
	kt_dat_add(d, 1, 1);
	kt_dat_buffer(d, "inst", "boot", 0);
	kt_dat_cpu(d, 1);
	kt_dat_add(d, 1, 1);
	f = kt_dat_open(d);
	assert_string_equal(kt_file_buffer(f, 0)->clock, "global");
	assert_string_equal(kt_file_buffer(f, 1)->clock, "boot");
	assert_int_equal(kt_file_info(f)->nr_cpus, 2);
	kt_close_intact(f);
}

TEST(the_clock_option_serves_buffers_that_name_none)
{
	struct kt_dat *d = kt_dat_texts(&(struct kt_dat_opts){ .version = 7 });
	struct kt_file *f;

	kt_dat_option(d, KT_OPTION_TRACECLOCK, "local [uptime] perf", 20);
	kt_dat_buffer(d, "", "", 0);
	f = kt_dat_open(d);
	assert_string_equal(kt_file_buffer(f, 0)->clock, "uptime");
	kt_close_intact(f);
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
		struct kt_dat *d = kt_dat_texts(&shapes[i]);
		struct kt_file *f;

		kt_dat_text(d, "", text);
		f = kt_dat_open(d);
		assert_true(kt_file_buffer(f, 0)->is_text);
		assert_int_equal(kt_file_buffer_text(f, 0, &b, NULL), 0);
		assert_int_equal(b.size, strlen(text));
		assert_memory_equal(b.data, text, b.size);
		assert_int_equal(kt_file_buffer_text(f, 1, &b, NULL), -ENOENT);
		kt_close_intact(f);
	}
}

TEST(several_files_keep_no_more_in_memory_than_one)
{
	struct kt_dat_opts o = { .compression = "zstd", .chunk_pages = 1 };
	struct kt_dat *d = kt_dat_two_cpus(&o);
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
	/* When put back, the first is kept to reuse its memory, the second is freed at once. */
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 0, &chunk, &err), 1);
	assert_int_equal(kt_file_chunk_get(f, 0, 0, 1, &other, &err), 1);
	kt_chunk_put(&chunk);
	kt_chunk_put(&other);
	assert_int_equal(f->cache.idle, 0);
	kt_trace_destroy(t);
}

/* The frame begins after the head and the two sizes. */
TEST(a_damaged_text_is_no_message_and_the_rest_can_be_read)
{
	struct kt_file *f = kt_file_open(kt_data("6.12-events.dat"), NULL);
	size_t i = file_section_by_id(f, KT_OPTION_KALLSYMS), size;
	const struct kt_section *s = kt_file_section(f, i);
	char *image = kt_slurp(kt_data("6.12-events.dat"), &size);
	struct kt_err err = { 0 };
	struct kt_blob b;

	assert_true(s->compressed && s->size > 200);
	memset(image + s->offset + 16 + 8, 0, 8);
	kt_file_close(f);
	kt_spill(kt_tmp("damaged.dat"), image, size);
	free(image);
	f = kt_file_open(kt_tmp("damaged.dat"), &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_file_meta(f, KT_META_KALLSYMS, &b, &err), -EBADMSG);
	assert_non_null(strstr(err.msg, "damaged.dat: its kallsyms cannot be read"));
	kt_err_clear(&err);
	assert_int_equal(kt_file_section_data(f, i, &b, &err), -EBADMSG);
	assert_non_null(strstr(err.msg, "cannot be read"));
	kt_err_clear(&err);
	assert_int_equal(kt_file_section_data(f, 9999, &b, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "has no section number 9999"));
	assert_int_equal(kt_file_meta(f, KT_META_HEADER_PAGE, &b, NULL), 0);
	kt_file_close(f);
}

int main(void)
{
	return RUN(unit(a_file_that_is_not_a_trace_is_refused_in_one_line),
		   unit(a_damaged_text_is_no_message_and_the_rest_can_be_read),
		   unit(texts_and_formats_are_found_in_both_versions),
		   unit(btf_and_modules_come_without_a_length),
		   unit(strings_sections_count_as_one),
		   unit(options_are_kept_whether_known_or_not),
		   unit(buffers_keep_their_own_names_clocks_and_sizes),
		   unit(clocks_of_version_6_follow_each_table),
		   unit(the_clock_option_serves_buffers_that_name_none),
		   unit(latency_text_is_found_in_both_versions),
		   unit(several_files_keep_no_more_in_memory_than_one));
}
