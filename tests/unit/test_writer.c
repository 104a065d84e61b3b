/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_writer.c - the reader finds what the writer has written */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/writer.h>

#include "base/bytes.h"
#include "file/file.h"
#include "file/part.h"
#include "kt_reading.h"
#include "kt_test.h"
#include "write/write.h"

#define PAGE 4096
#define NR_PAGES 150		/* more than two chunks */

static char path[512];

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

/* Content of the section HEADER_INFO */
static int write_header_info(struct kt_writer *w)
{
	uint64_t size = sizeof(header_page) - 1, none = 0;
	char text[512];
	size_t len = 12;

	memcpy(text, "header_page", 12);
	memcpy(text + len, &size, 8);
	memcpy(text + len + 8, header_page, size);
	len += 8 + size;
	memcpy(text + len, "header_event", 13);
	memcpy(text + len + 13, &none, 8);
	return kt_writer_meta(w, KT_OPTION_HEADER_INFO, text, len + 21, NULL);
}

static struct kt_writer *create(int version, const char *compression)
{
	struct kt_writer_opts o = { .version = version, .compression = compression };
	struct kt_err err = { 0 };
	struct kt_writer *w;

	snprintf(path, sizeof(path), "%s", kt_tmp("writer.dat"));
	kt_writer_opts_host(&o, PAGE);
	w = kt_writer_create(path, &o, &err);
	if (!w)
		fail_msg("%s", err.msg);
	return w;
}

/* Sub-buffers that hold their buffer, CPU and number */
static void fill(uint8_t *page, int buffer, int cpu, int nr)
{
	memset(page, 0, PAGE);
	store_u64(page, (uint64_t)nr, false);
	store_u32(page + 16, (uint32_t)(buffer * 1000 + cpu * 100), false);
	store_u32(page + 20, (uint32_t)nr * 2654435761u, false);
}

static void write_cpu(struct kt_writer *w, int buffer, int cpu)
{
	uint8_t page[PAGE];
	int i;

	assert_int_equal(kt_writer_begin_cpu(w, buffer, cpu, NULL), 0);
	for (i = 0; i < NR_PAGES; i++) {
		fill(page, buffer, cpu, i);
		assert_int_equal(kt_writer_data(w, page, PAGE, NULL), 0);
	}
}

static void check_cpu(struct kt_file *f, size_t buffer, size_t cpu_index, int cpu)
{
	uint8_t want[PAGE];
	struct kt_chunk c;
	uint64_t nr;
	size_t at;
	int page = 0;

	for (nr = 0; kt_file_chunk_get(f, buffer, cpu_index, nr, &c, NULL) > 0; nr++) {
		for (at = 0; at < c.size; at += PAGE, page++) {
			fill(want, (int)buffer, cpu, page);
			assert_memory_equal(c.data + at, want, PAGE);
		}
		kt_chunk_put(&c);
	}
	assert_int_equal(page, NR_PAGES);
}

static void add_buffers(struct kt_writer *w)
{
	struct kt_writer_buffer top = { .name = "", .clock = "local", .page_size = PAGE, .nr_cpus = 4 };
	struct kt_writer_buffer side = { .name = "side", .clock = "mono", .page_size = PAGE,
					 .nr_cpus = 4 };

	assert_int_equal(kt_writer_add_buffer(w, &top, NULL), 0);
	assert_int_equal(kt_writer_add_buffer(w, &side, NULL), 1);
}

static void round_trip(int version, const char *compression)
{
	struct kt_writer *w = create(version, compression);
	const struct kt_option *o;
	struct kt_blob text;
	struct kt_file *f;

	assert_int_equal(write_header_info(w), 0);
	assert_int_equal(kt_writer_meta(w, KT_OPTION_PRINTK, "\x03\0\0\0abc", 7, NULL), 0);
	assert_int_equal(kt_writer_option(w, KT_OPTION_VERSION, "tester", 7, NULL), 0);
	add_buffers(w);
	write_cpu(w, 0, 1);
	write_cpu(w, 0, 3);
	write_cpu(w, 1, 2);
	assert_int_equal(kt_writer_finish(w, NULL), 0);
	kt_writer_close(w);

	f = kt_file_open(path, NULL);
	assert_non_null(f);
	assert_string_equal(kt_file_damage(f, 0) ? kt_file_damage(f, 0) : "", "");
	assert_int_equal(kt_file_nr_buffers(f), 2);
	assert_string_equal(kt_file_buffer(f, 1)->name, "side");
	assert_string_equal(kt_file_buffer(f, 1)->clock, "mono");
	check_cpu(f, 0, 0, 1);
	check_cpu(f, 0, 1, 3);
	check_cpu(f, 1, 0, 2);
	o = kt_file_find_option(f, KT_OPTION_VERSION);
	assert_non_null(o);
	assert_string_equal(o->raw.data, "tester");
	assert_int_equal(kt_file_meta(f, KT_META_PRINTK, &text, NULL), 0);
	assert_int_equal(text.size, 3);
	assert_memory_equal(text.data, "abc", 3);
	kt_file_close(f);
}

TEST(a_file_of_each_kind_is_read_as_it_was_written)
{
	round_trip(7, "zstd");
	round_trip(7, "zstd:-3");
	round_trip(7, "zlib:1");
	round_trip(7, "none");
	round_trip(7, "any");
	round_trip(6, "none");
	round_trip(6, NULL);
}

TEST(a_buffer_without_a_clock_is_local)
{
	struct kt_writer_buffer top = { .name = "", .clock = "", .page_size = PAGE, .nr_cpus = 1 };
	struct kt_writer *w;
	struct kt_file *f;
	int version;

	for (version = 6; version <= 7; version++) {
		w = create(version, "none");
		assert_int_equal(write_header_info(w), 0);
		assert_int_equal(kt_writer_add_buffer(w, &top, NULL), 0);
		write_cpu(w, 0, 0);
		assert_int_equal(kt_writer_finish(w, NULL), 0);
		kt_writer_close(w);
		f = kt_file_open(path, NULL);
		assert_non_null(f);
		assert_string_equal(kt_file_buffer(f, 0)->clock, "local");
		kt_file_close(f);
	}
}

TEST(wrong_versions_and_methods_are_refused)
{
	const char *path = kt_tmp("refused.dat");
	struct kt_writer_opts o = { .version = 5, .page_size = PAGE };
	struct kt_err err = { 0 };

	assert_null(kt_writer_create(path, &o, &err));
	assert_int_equal(err.code, -EINVAL);
	assert_non_null(strstr(err.msg, "only: 6 7"));
	kt_err_clear(&err);
	o = (struct kt_writer_opts){ .version = 7, .compression = "lzma", .page_size = PAGE };
	assert_null(kt_writer_create(path, &o, &err));
	assert_int_equal(err.code, -EINVAL);
	kt_err_clear(&err);
	o.compression = "zstd:99";
	assert_null(kt_writer_create(path, &o, &err));
	assert_non_null(strstr(err.msg, "'99'"));
	kt_err_clear(&err);
	o = (struct kt_writer_opts){ .version = 6, .compression = "zstd", .page_size = PAGE };
	assert_null(kt_writer_create(path, &o, &err));
	assert_int_equal(err.code, -EINVAL);
	kt_err_clear(&err);
	o = (struct kt_writer_opts){ .version = 7, .page_size = PAGE };
	assert_null(kt_writer_create("/nonexistent/x.dat", &o, &err));
	assert_int_equal(err.code, -ENOENT);
}

TEST(calls_out_of_order_are_refused)
{
	struct kt_raw_chunk chunk = { .data = (const uint8_t *)"", .size = 0 };
	struct kt_writer *w = create(7, "none");

	assert_int_equal(kt_writer_data(w, "", 0, NULL), -EINVAL);
	assert_int_equal(kt_writer_chunk(w, &chunk, NULL), -EINVAL);
	assert_int_equal(writer_splice(w, -1, 0, 0, 0, NULL), -EINVAL);
	assert_int_equal(kt_writer_begin_cpu(w, 0, 0, NULL), -EINVAL);
	assert_int_equal(kt_writer_meta(w, KT_OPTION_UNAME, "", 0, NULL), -EINVAL);
	assert_int_equal(writer_retract(w, KT_OPTION_KALLSYMS, NULL), -EINVAL);
	kt_writer_close(w);

	w = create(6, NULL);
	add_buffers(w);
	write_cpu(w, 0, 0);
	assert_int_equal(kt_writer_option(w, KT_OPTION_UNAME, "", 1, NULL), -EINVAL);
	assert_int_equal(kt_writer_meta(w, KT_OPTION_PRINTK, "", 0, NULL), -EINVAL);
	assert_int_equal(kt_writer_meta(w, KT_OPTION_BTF_FILE, "", 0, NULL), -ENOTSUP);
	kt_writer_close(w);
}

TEST(retracted_data_leave_no_trace)
{
	struct kt_writer *w = create(7, "zstd");
	struct kt_file *f;

	assert_int_equal(write_header_info(w), 0);
	assert_int_equal(kt_writer_meta(w, KT_OPTION_PRINTK, "\x03\0\0\0abc", 7, NULL), 0);
	assert_int_equal(writer_provisional(w, KT_OPTION_KALLSYMS, "\x03\0\0\0abc", 7, NULL), 0);
	assert_int_equal(writer_retract(w, KT_OPTION_PRINTK, NULL), -EINVAL);
	assert_int_equal(writer_retract(w, KT_OPTION_KALLSYMS, NULL), 0);
	assert_int_equal(writer_retract(w, KT_OPTION_PRINTK, NULL), 0);
	add_buffers(w);
	assert_int_equal(kt_writer_finish(w, NULL), 0);
	kt_writer_close(w);
	f = kt_file_open(path, NULL);
	assert_non_null(f);
	assert_null(kt_file_find_option(f, KT_OPTION_KALLSYMS));
	assert_null(kt_file_find_option(f, KT_OPTION_PRINTK));
	assert_int_equal(kt_file_nr_buffers(f), 2);
	assert_string_equal(kt_file_damage(f, 0) ? kt_file_damage(f, 0) : "", "");
	kt_file_close(f);
}

TEST(a_file_to_be_replaced_stays_until_the_new_one_is_whole)
{
	struct kt_writer_opts o = { .version = 7, .replace = true };
	struct kt_writer *w;
	struct stat before, after;

	round_trip(7, "zstd");
	stat(path, &before);
	kt_writer_opts_host(&o, PAGE);
	w = kt_writer_create(path, &o, NULL);
	assert_non_null(w);
	kt_writer_close(w);
	stat(path, &after);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_size, after.st_size);
}

TEST(a_piece_of_another_file_becomes_the_data_of_a_cpu)
{
	struct kt_writer *w = create(7, "none");
	struct kt_file *f;
	FILE *part = tmpfile();
	uint8_t page[PAGE];
	int i;

	assert_non_null(part);
	assert_int_equal(fwrite("skip", 1, 4, part), 4);
	for (i = 0; i < NR_PAGES; i++) {
		fill(page, 0, 0, i);
		assert_int_equal(fwrite(page, 1, PAGE, part), PAGE);
	}
	fflush(part);
	add_buffers(w);
	assert_int_equal(kt_writer_begin_cpu(w, 0, 0, NULL), 0);
	assert_int_equal(writer_splice(w, fileno(part), 4, NR_PAGES * PAGE, 0, NULL), 0);
	assert_true(writer_splice(w, fileno(part), 4, (NR_PAGES + 1) * PAGE, 0, NULL) < 0);
	kt_writer_close(w);
	fclose(part);
	f = kt_file_open(path, NULL);	/* never finished: still a file */
	assert_non_null(f);
	assert_non_null(kt_file_damage(f, 0));
	kt_file_close(f);
}

TEST(data_with_the_same_compression_are_copied_unchanged)
{
	struct kt_writer_opts o = { .version = 7, .compression = "zstd" };
	const char *to = kt_tmp("alike.dat");
	struct kt_file *f = kt_file_open("tests/data/6.12-events.dat", NULL), *copy;
	struct kt_blob a, b;
	size_t i, j, nr = 0;

	assert_non_null(f);
	kt_copy_opts(f, &o);
	assert_int_equal(kt_copy_file(f, to, &o, NULL, NULL), 0);
	copy = kt_file_open(to, NULL);
	for (i = 0; i < kt_file_nr_sections(f); i++) {
		if (kt_file_section(f, i)->id < KT_OPTION_HEADER_INFO ||
		    file_section_stored(f, i, &a) < 0)
			continue;
		for (j = 0; j < kt_file_nr_sections(copy); j++)
			if (kt_file_section(copy, j)->id == kt_file_section(f, i)->id)
				break;
		assert_int_equal(file_section_stored(copy, j, &b), 0);
		assert_int_equal(b.size, a.size);
		assert_memory_equal(b.data, a.data, a.size);
		nr++;
	}
	assert_true(nr >= 6);
	kt_file_close(copy);
	kt_file_close(f);
}

TEST(a_copy_in_another_form_holds_the_same)
{
	struct kt_writer_opts o = { .version = 7, .compression = "zlib" };
	struct kt_copy copy = { 0 };
	struct kt_file *f;
	char to[600];

	round_trip(7, "zstd");
	snprintf(to, sizeof(to), "%s.copy", path);
	f = kt_file_open(path, NULL);
	assert_int_equal(kt_copy_file(f, to, NULL, &copy, NULL), 0);
	assert_int_equal(copy.nr_repacked, 0);
	kt_copy_opts(f, &o);
	assert_int_equal(kt_copy_file(f, to, &o, &copy, NULL), 0);
	assert_true(copy.nr_repacked > 0);
	assert_int_equal(copy.nr_damaged, 0);
	kt_file_close(f);
	f = kt_file_open(to, NULL);
	check_cpu(f, 0, 1, 3);
	check_cpu(f, 1, 0, 2);
	kt_file_close(f);
}

static void stop_at_once(struct kt_copy *copy, void *calls)
{
	copy->stop = true;
	++*(int *)calls;
}

TEST(a_copy_that_is_stopped_leaves_no_file)
{
	int calls = 0;
	struct kt_copy copy = { .progress = stop_at_once, .progress_data = &calls };
	struct kt_file *f;
	char to[600];

	round_trip(7, "zstd");
	snprintf(to, sizeof(to), "%s.stopped", path);
	f = kt_file_open(path, NULL);
	assert_int_equal(kt_copy_file(f, to, NULL, &copy, NULL), -EINTR);
	assert_int_equal(calls, 1);
	assert_int_equal(access(to, F_OK), -1);
	kt_file_close(f);
}

static void expect_types(struct kt_file *f)
{
	static const char modules[] = "ext4 1048576 1 - Live 0xffffffffc0000000\n";
	struct kt_blob b;

	assert_int_equal(kt_file_nr_damages(f), 0);
	assert_int_equal(kt_file_meta(f, KT_META_BTF, &b, NULL), 0);
	assert_int_equal(b.size, 5);
	assert_memory_equal(b.data, "\x9f\xeb\1\0\7", 5);
	assert_int_equal(kt_file_meta(f, KT_META_MODULES, &b, NULL), 0);
	assert_int_equal(b.size, sizeof(modules) - 1);
	assert_memory_equal(b.data, modules, b.size);
}

/* trace-cmd 3.4 copies the options of these two with the offsets of the old file. */
TEST(types_and_modules_are_found_in_copies_of_every_form)
{
	static const char *const methods[] = { "none", "zstd", "zlib" };
	struct kt_dat *d;
	struct kt_file *f;
	size_t i;

	for (i = 0; i < 9; i++) {
		struct kt_writer_opts o = { .version = 7, .compression = methods[i % 3] };

		d = kt_dat_create(&(struct kt_dat_opts){ .compression = methods[i / 3],
							 .big_endian = i & 1 });
		kt_dat_btf(d, "\x9f\xeb\1\0\7", 5);
		kt_dat_meta(d, KT_META_MODULES, "ext4 1048576 1 - Live 0xffffffffc0000000\n");
		kt_dat_buffer(d, "", "local", 0);
		f = kt_dat_open(d);
		expect_types(f);
		kt_copy_opts(f, &o);
		o.compression = methods[i % 3];
		assert_int_equal(kt_copy_file(f, kt_tmp("types.dat"), &o, NULL, NULL), 0);
		kt_file_close(f);
		f = kt_file_open(kt_tmp("types.dat"), NULL);
		expect_types(f);
		kt_file_close(f);
	}
}

TEST(parts_are_removed_up_to_the_first_gap)
{
	const char *path = kt_tmp("gap.dat");
	char *name;
	unsigned int nr;
	FILE *f;

	for (nr = 0; nr < 4; nr++) {
		name = part_path(path, nr);
		f = nr == 2 ? NULL : fopen(name, "w");
		if (f)
			fclose(f);
		free(name);
	}
	kt_copy_remove_parts(path);
	for (nr = 0; nr < 4; nr++) {
		name = part_path(path, nr);
		assert_int_equal(access(name, F_OK), nr == 3 ? 0 : -1);
		free(name);
	}
}

int main(void)
{
	return RUN(unit(a_file_of_each_kind_is_read_as_it_was_written),
		   unit(a_buffer_without_a_clock_is_local),
		   unit(wrong_versions_and_methods_are_refused),
		   unit(calls_out_of_order_are_refused),
		   unit(retracted_data_leave_no_trace),
		   unit(a_file_to_be_replaced_stays_until_the_new_one_is_whole),
		   unit(a_piece_of_another_file_becomes_the_data_of_a_cpu),
		   unit(data_with_the_same_compression_are_copied_unchanged),
		   unit(a_copy_in_another_form_holds_the_same),
		   unit(a_copy_that_is_stopped_leaves_no_file),
		   unit(types_and_modules_are_found_in_copies_of_every_form),
		   unit(parts_are_removed_up_to_the_first_gap));
}
