/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_shared.c - long parts of a recording move to one file,
 * which is read and finished in place */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <ktrail/writer.h>

#include "base/bytes.h"
#include "codec/codec.h"
#include "kt_test.h"
#include "sink/file_priv.h"

#define PAGE 4096
#define PAGES 8		/* of a chunk */
#define NR_CPUS 3

struct set {
	struct file_sink *f;
	struct part *cpus[NR_CPUS];
	uint64_t nr_pages[NR_CPUS];
	const struct codec *codec;	/* NULL: none */
	void *ctx;
};

static void begin_with(struct set *s, const struct file_sink_opts *opts)
{
	const struct sink_buffer top = { .name = "", .clock = "local", .page_size = PAGE };
	struct kt_err err = { 0 };
	struct sink *sink = file_sink_create(kt_tmp("shared.dat"), opts, &err);
	int i;

	CHECK_NO_ERR(&err);
	*s = (struct set){ .f = file_sink_of(sink), .codec = codec_find(opts->compression) };
	sink->ops->flush(sink, &err);
	sink->ops->meta(sink, KT_OPTION_CMDLINES, "\0\0\0\0\0\0\0", 8, false, &err);
	assert_int_equal(sink->ops->buffer(sink, &top, &err), 0);
	for (i = 0; i < NR_CPUS; i++)
		s->cpus[i] = (struct part *)sink->ops->cpu(sink, 0, i, PAGES * PAGE, &err);
	CHECK_NO_ERR(&err);
	s->ctx = s->codec ? s->codec->compressor(1) : NULL;
	srandom(1);
}

static void begin(struct set *s, const char *compression)
{
	begin_with(s, &(struct file_sink_opts){ .compression = compression });
}

static void end(struct set *s)
{
	char *path = strdup(s->f->path);

	s->f->sink.ops->close(&s->f->sink, false);
	part_unlink_all(path);
	if (s->codec)
		s->codec->compressor_free(s->ctx);
	free(path);
}

/* A chunk of @cpu: every sub-buffer holds its number and its CPU; the rest is noise */
static void add_chunk(struct set *s, int cpu, unsigned int pages)
{
	static char raw[PAGES * PAGE], frame[2 * PAGES * PAGE];
	struct sink_chunk c = { .data = raw, .size = pages * PAGE, .raw = pages * PAGE };
	struct kt_err err = { 0 };
	size_t i;

	for (i = 0; i < c.raw; i += 4)
		store_u32(raw + i, (uint32_t)random(), false);
	for (i = 0; i < pages; i++) {
		store_u64(raw + i * PAGE, s->nr_pages[cpu]++, false);
		store_u64(raw + i * PAGE + 8, (uint64_t)cpu, false);
	}
	if (s->codec) {
		c.size = (size_t)s->codec->compress(s->ctx, frame + 8, sizeof(frame) - 8, raw,
						    c.raw);
		store_u32(frame, (uint32_t)c.size, false);
		store_u32(frame + 4, pages * PAGE, false);
		c.data = frame;
		c.size += 8;
	}
	c.last_ts = s->nr_pages[cpu] - 1;
	part_append(&s->cpus[cpu]->head, &c, &err);
	CHECK_NO_ERR(&err);
}

static void check_cpu(const struct set *s, struct kt_file *f, size_t index)
{
	int cpu = kt_file_buffer(f, 0)->cpus[index].cpu;
	struct kt_err err = { 0 };
	uint64_t nr, page = 0;
	struct kt_chunk c;
	size_t i;

	for (nr = 0; kt_file_chunk_get(f, 0, index, nr, &c, &err) > 0; nr++) {
		/* A stone, or what leads to another extent with zlib:
		 * the time of the sub-buffer before, no data */
		if (c.size == PAGE && page && load_u64(c.data, false) == page - 1) {
			assert_int_equal(load_u64((const char *)c.data + 8, false), 0);
			c.size = 0;
		}
		for (i = 0; i < c.size; i += PAGE) {
			assert_int_equal(load_u64((const char *)c.data + i, false), page++);
			assert_int_equal(load_u64((const char *)c.data + i + 8, false), cpu);
		}
		kt_chunk_put(&c);
	}
	CHECK_NO_ERR(&err);
	assert_int_equal(page, s->nr_pages[cpu]);
}

/* @damages: one because the file is unfinished, one because it has no header_page */
static void check(const struct set *s, const char *path, size_t damages)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(path, &err);
	size_t i;

	CHECK_NO_ERR(&err);
	assert_int_equal(kt_file_nr_buffers(f), 1);
	assert_int_equal(kt_file_buffer(f, 0)->nr_cpus, NR_CPUS);
	for (i = 0; i < NR_CPUS; i++)
		check_cpu(s, f, i);
	for (i = damages + 1; kt_file_damage(f, i); i++)
		print_message("damage: %s\n", kt_file_damage(f, i));
	assert_int_equal(kt_file_nr_damages(f), damages + 1);
	kt_file_close(f);
}

static void finish(struct set *s)
{
	char *shared = part_shared_path(s->f->path);
	struct kt_err err = { 0 };

	file_finish(&s->f->sink, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(access(shared, F_OK), -1);
	free(shared);
}

static void restore_and_check(const struct set *s)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(s->f->path, &err);
	const char *path = kt_tmp("restored.dat");
	struct kt_copy copy = { 0 };

	CHECK_NO_ERR(&err);
	kt_copy_file(f, path, NULL, &copy, &err);
	CHECK_NO_ERR(&err);
	kt_file_close(f);
	check(s, path, 0);
}

static void fill(struct set *s, unsigned int chunks)
{
	unsigned int i;

	for (i = 0; i < chunks; i++) {
		add_chunk(s, 0, PAGES);
		add_chunk(s, 1, i % PAGES + 1);
		if (i % 20 == 0)
			add_chunk(s, 2, 1);
	}
}

static void take_turns(const char *compression)
{
	struct set s;
	int fd;

	begin(&s, compression);
	fill(&s, 10);
	assert_int_equal(s.f->shared.fd, -1);
	fill(&s, 200);
	assert_true(s.cpus[0]->shared && s.cpus[1]->shared);
	assert_false(s.cpus[2]->shared);
	check(&s, s.f->path, 1);
	restore_and_check(&s);
	finish(&s);
	check(&s, s.f->path, 0);
	restore_and_check(&s);
	/* Until the recording releases it, no other process may write there */
	fd = open(s.f->path, O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), -1);
	close(fd);
	end(&s);
}

TEST(cpus_take_turns_in_one_file)
{
	take_turns("zstd");
	take_turns("zlib");
}

/* Like trace-cmd: read each chunk by its size, and pass it to uncompress() */
TEST(readers_of_zlib_need_not_know_of_extents)
{
	static unsigned char raw[PAGES * PAGE];
	uint64_t page = 0, i, at;
	struct kt_err err = { 0 };
	uint32_t nr, size;
	struct kt_file *f;
	unsigned long got;
	struct set s;
	char *bytes;
	size_t len;

	begin(&s, "zlib");
	fill(&s, 210);
	finish(&s);
	f = kt_file_open(s.f->path, &err);
	at = kt_file_buffer(f, 0)->cpus[1].offset;
	kt_file_close(f);
	bytes = kt_slurp(s.f->path, &len);
	for (nr = load_u32(bytes + at, false), at += 4; nr; nr--, at += 8 + size) {
		size = load_u32(bytes + at, false);
		got = sizeof(raw);
		assert_int_equal(uncompress(raw, &got, (const void *)(bytes + at + 8), size), Z_OK);
		assert_int_equal(got, load_u32(bytes + at + 4, false));
		for (i = 0; i < got && load_u64(raw + i, false) == page; i += PAGE)
			page++;
		assert_true(i == got || load_u64(raw + 8, false) == 0);
	}
	assert_int_equal(page, s.nr_pages[1]);
	free(bytes);
	end(&s);
}

/* The sizes before each @step-th chunk of one CPU are overwritten */
static void damage(const char *path, uint64_t step)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(path, &err);
	const struct kt_cpu_data *cpu = &kt_file_buffer(f, 0)->cpus[0];
	struct kt_raw_chunk raw;
	size_t size, start = cpu->offset;
	char *bytes = kt_slurp(path, &size);
	const char *first = NULL;
	uint64_t nr;

	for (nr = 0; kt_file_chunk_raw(f, 0, 0, nr, &raw, &err) > 0; nr++) {
		if (!nr)
			first = (const char *)raw.data - start - 12;
		if (nr % step == step / 2)
			memset(bytes + ((const char *)raw.data - first) - 8, 0xff, 8);
	}
	kt_file_close(f);
	kt_spill(path, bytes, size);
	free(bytes);
}

TEST(what_is_damaged_is_not_replaced_by_data_of_others)
{
	struct kt_err err = { 0 };
	uint64_t nr, pages = 0, last = 0;
	struct kt_chunk c;
	struct kt_file *f;
	struct set s;
	int ret;

	begin(&s, "zstd");
	fill(&s, 300);
	finish(&s);
	damage(s.f->path, 10);
	f = kt_file_open(s.f->path, &err);
	for (nr = 0; (ret = kt_file_chunk_get(f, 0, 0, nr, &c, &err)) != 0; nr++) {
		if (ret < 0)
			continue;
		assert_int_equal(load_u64((const char *)c.data + 8, false), 0);
		assert_true(load_u64(c.data, false) >= last);
		last = load_u64(c.data, false);
		pages += c.size / PAGE;
		kt_chunk_put(&c);
	}
	assert_true(pages > s.nr_pages[0] * 8 / 10 && pages < s.nr_pages[0]);
	kt_file_close(f);
	end(&s);
}

TEST(data_that_should_be_shared_are_missed)
{
	struct kt_err err = { 0 };
	struct kt_file *f;
	struct set s;
	char *shared;

	begin(&s, "zstd");
	fill(&s, 100);
	shared = part_shared_path(s.f->path);
	assert_int_equal(unlink(shared), 0);
	free(shared);
	f = kt_file_open(s.f->path, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_file_buffer(f, 0)->nr_cpus, 1);
	assert_non_null(strstr(kt_file_damage(f, 2), "shared.dat.parts does not hold the data of part 0"));
	kt_file_close(f);
	end(&s);
}

static void leave_stones(const char *compression)
{
	struct kt_err err = { 0 };
	uint32_t before;
	struct set s;
	int i;

	begin(&s, compression);
	fill(&s, 100);
	for (i = 0; i < 20; i++) {
		before = s.cpus[0]->nr_chunks;
		assert_int_equal(shared_idle(&s.cpus[0]->head, &err), 0);
		assert_int_equal(s.cpus[0]->nr_chunks, before);
		atomic_fetch_add(&s.f->shared.end, 300u << 20);
		assert_int_equal(shared_idle(&s.cpus[0]->head, &err), 0);
		assert_true(s.cpus[0]->nr_chunks > before);
		add_chunk(&s, 0, 1);
		s.cpus[1]->leave = true;
		add_chunk(&s, 1, 1);
	}
	fill(&s, 10);
	finish(&s);
	check(&s, s.f->path, 0);
	end(&s);
}

TEST(a_cpu_that_was_idle_for_long_leaves_stones)
{
	leave_stones("zstd");
	leave_stones("zlib");
}

TEST(uncompressed_one_cpu_has_the_file_to_itself)
{
	struct set s;

	begin(&s, "none");
	fill(&s, 200);
	assert_true(s.cpus[0]->shared);
	assert_false(s.cpus[1]->shared);
	check(&s, s.f->path, 1);
	finish(&s);
	check(&s, s.f->path, 0);
	end(&s);
}

TEST(a_limit_keeps_parts_apart)
{
	struct set s;

	begin_with(&s, &(struct file_sink_opts){ .compression = "zlib",
						 .max_kb_per_cpu = 1 << 20 });
	assert_int_equal(shared_move(s.cpus[0]), 0);
	assert_false(s.cpus[0]->shared);
	assert_int_equal(s.f->shared.fd, -1);
	end(&s);
}

TEST(an_output_that_is_a_link_is_not_replaced)
{
	struct set s;
	char *link = strdup(kt_tmp("link.dat"));

	begin(&s, "zstd");
	unlink(link);
	assert_int_equal(symlink("shared.dat", link), 0);
	part_unlink_all(link);
	free(s.f->path);
	s.f->path = link;
	fill(&s, 100);
	assert_int_equal(s.f->shared.fd, -1);
	assert_true(s.f->shared.refused);
	check(&s, link, 1);
	finish(&s);
	check(&s, link, 0);
	end(&s);
}

TEST(what_has_the_name_of_a_part_is_replaced_not_written_to)
{
	const char *other = kt_tmp("other"), *link;
	size_t size;
	struct set s;
	char *text;
	int i;

	begin(&s, "zstd");
	kt_spill(other, "precious", 8);
	/* Without part 0, this is not left by an earlier recording */
	link = kt_tmp("shared.dat.part1");
	assert_int_equal(symlink(other, link), 0);
	for (i = 0; i < NR_CPUS; i++)
		add_chunk(&s, i, PAGES);
	end(&s);
	text = kt_slurp(other, &size);
	assert_int_equal(size, 8);
	assert_memory_equal(text, "precious", 8);
	free(text);
}

int main(void)
{
	return RUN(unit(cpus_take_turns_in_one_file),
		   unit(readers_of_zlib_need_not_know_of_extents),
		   unit(what_is_damaged_is_not_replaced_by_data_of_others),
		   unit(data_that_should_be_shared_are_missed),
		   unit(a_cpu_that_was_idle_for_long_leaves_stones),
		   unit(uncompressed_one_cpu_has_the_file_to_itself),
		   unit(a_limit_keeps_parts_apart),
		   unit(an_output_that_is_a_link_is_not_replaced),
		   unit(what_has_the_name_of_a_part_is_replaced_not_written_to));
}
