/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inflate.c - a large trace out of a small one: copies of its sub-buffers, one after the other in
 * time
 *
 * inflate IN OUT EVENTS COMPRESSION: at least EVENTS events; "none", "zstd", "zstd:3" …
 *
 * The copies differ only in the timestamps of sub-buffers and in absolute timestamps. A small
 * sample has few symbols, so names are made up until there are as many as in a distribution's
 * kernel: a reader has to load them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/file.h>
#include <ktrail/stream.h>
#include <ktrail/writer.h>

#define NR_SYMBOLS 150000

static struct kt_err err;

static void check(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "inflate: %s\n", err.msg);
	exit(1);
}

struct cpu {
	int      nr;
	char    *pages;
	size_t   size;
};

struct sample {
	struct kt_file *file;
	const struct kt_buffer *buffer;
	struct cpu *cpus;
	uint64_t nr_events, span;
};

static void load_cpu(struct sample *s, size_t i)
{
	struct cpu *cpu = &s->cpus[i];
	struct kt_chunk chunk;
	uint64_t nr;
	int ret;

	cpu->nr = s->buffer->cpus[i].cpu;
	for (nr = 0; (ret = kt_file_chunk_get(s->file, 0, i, nr, &chunk, &err)) > 0; nr++) {
		cpu->pages = realloc(cpu->pages, cpu->size + chunk.size);
		memcpy(cpu->pages + cpu->size, chunk.data, chunk.size);
		cpu->size += chunk.size;
		kt_chunk_put(&chunk);
	}
	check(ret);
	cpu->size -= cpu->size % s->buffer->page_size;
}

/* Find the number of events, and the time after which the next copy may begin */
static void measure(struct sample *s)
{
	struct kt_stream_opts opts = { .raw_ts = true, .only_buffer = s->buffer->name };
	struct kt_stream *stream = kt_stream_create();
	struct kt_record rec;
	uint64_t first = 0;

	check(kt_stream_add(stream, s->file, &opts, &err));
	while (kt_stream_next(stream, &rec, &err) > 0) {
		if (!s->nr_events++)
			first = rec.ts;
		s->span = rec.ts - first + 1000;
	}
	kt_stream_destroy(stream);
}

static void load(struct sample *s, const char *path)
{
	size_t i;

	s->file = kt_file_open(path, &err);
	check(err.code);
	s->buffer = kt_file_buffer(s->file, 0);
	s->cpus = calloc(s->buffer->nr_cpus, sizeof(*s->cpus));
	for (i = 0; i < s->buffer->nr_cpus; i++)
		load_cpu(s, i);
	measure(s);
}

/* kallsyms as a section holds it: size, text; with made-up names in the range of modules. */
static void write_kallsyms(struct kt_writer *w, const struct kt_blob *old)
{
	size_t room = old->size + (size_t)NR_SYMBOLS * 64, len = old->size;
	char *text = malloc(room);
	uint32_t size;
	int i;

	memcpy(text, old->data, old->size);
	while (len > sizeof(size) && !text[len - 1])
		len--;
	for (i = 0; i < NR_SYMBOLS; i++)
		len += snprintf(text + len, room - len, "%016llx t filler_function_%d\t[filler]\n",
				0xffffffffc8000000ULL + i * 64ULL, i);
	size = len - sizeof(size);
	memcpy(text, &size, sizeof(size));
	check(kt_writer_meta(w, KT_OPTION_KALLSYMS, text, len, &err));
	free(text);
}

static void copy_sections(struct kt_writer *w, struct kt_file *file)
{
	struct kt_blob blob;
	size_t i;

	for (i = 0; i < kt_file_nr_sections(file); i++) {
		uint16_t id = kt_file_section(file, i)->id;

		if (id < KT_OPTION_HEADER_INFO || id > KT_OPTION_CMDLINES)
			continue;
		check(kt_file_section_data(file, i, &blob, &err));
		if (id == KT_OPTION_KALLSYMS)
			write_kallsyms(w, &blob);
		else
			check(kt_writer_meta(w, id, blob.data, blob.size, &err));
	}
}

static void copy_options(struct kt_writer *w, struct kt_file *file)
{
	size_t i;

	for (i = 0; i < kt_file_nr_options(file); i++) {
		const struct kt_option *o = kt_file_option(file, i);

		if (o->id == KT_OPTION_TRACECLOCK || o->id == KT_OPTION_UNAME ||
		    o->id == KT_OPTION_VERSION || o->id == KT_OPTION_CPUCOUNT)
			check(kt_writer_option(w, o->id, o->raw.data, o->raw.size, &err));
	}
}

enum { TYPE_LONG, TYPE_PADDING = 29, TYPE_EXTEND, TYPE_STAMP };
#define DELTA_BITS 27
#define STAMP_BITS 59

/* Returns the size of the event at @at, 0 at the end; adds @by to an absolute timestamp */
static size_t shift_event(char *at, size_t left, uint64_t by)
{
	uint32_t words[2] = { 0 }, type;
	uint64_t stamp;

	memcpy(words, at, left < sizeof(words) ? left : sizeof(words));
	type = words[0] & 31;
	if (type == TYPE_PADDING && !(words[0] >> 5))
		return 0;
	if (type == TYPE_LONG || type == TYPE_PADDING)
		return 4 + ((words[1] + 3) & ~3ull);
	if (type == TYPE_STAMP) {
		stamp = ((uint64_t)words[1] << DELTA_BITS) + (words[0] >> 5) + by;
		stamp &= (1ull << STAMP_BITS) - 1;
		words[0] = TYPE_STAMP | (uint32_t)(stamp & ((1u << DELTA_BITS) - 1)) << 5;
		words[1] = (uint32_t)(stamp >> DELTA_BITS);
		memcpy(at, words, sizeof(words));
	}
	return type >= TYPE_EXTEND ? 8 : 4 + 4 * type;
}

/* As 64-bit little-endian kernels write them; the samples are from such kernels */
static void shift_page(char *page, size_t size, uint64_t by)
{
	uint64_t ts;
	uint32_t length;
	size_t at = 16, end, step;

	memcpy(&ts, page, sizeof(ts));
	memcpy(&length, page + 8, sizeof(length));
	ts += by;
	memcpy(page, &ts, sizeof(ts));
	length &= 0x07ffffff;
	end = length < size - at ? at + length : size;
	for (; end - at >= 4; at += step) {
		step = shift_event(page + at, end - at, by);
		if (!step || step > end - at)
			break;
	}
}

static void write_copies(struct kt_writer *w, const struct sample *s, const struct cpu *cpu,
			 uint64_t copies)
{
	char *pages = malloc(cpu->size);
	uint64_t k;
	size_t at;

	for (k = 0; k < copies; k++) {
		memcpy(pages, cpu->pages, cpu->size);
		for (at = 0; at < cpu->size; at += s->buffer->page_size)
			shift_page(pages + at, s->buffer->page_size, k * s->span);
		check(kt_writer_data(w, pages, cpu->size, &err));
	}
	free(pages);
}

int main(int argc, char **argv)
{
	struct kt_writer_buffer buf = { .name = "", .clock = "local" };
	struct kt_writer_opts opts = { .replace = true };
	struct sample s = { 0 };
	struct kt_writer *w;
	uint64_t copies;
	size_t i;

	if (argc != 5) {
		fprintf(stderr, "usage: inflate IN OUT EVENTS COMPRESSION\n");
		return 2;
	}
	load(&s, argv[1]);
	copies = (strtoull(argv[3], NULL, 0) + s.nr_events - 1) / (s.nr_events ? s.nr_events : 1);
	kt_writer_opts_host(&opts, s.buffer->page_size);
	opts.compression = argv[4];
	w = kt_writer_create(argv[2], &opts, &err);
	check(err.code);
	copy_sections(w, s.file);
	copy_options(w, s.file);
	buf.page_size = s.buffer->page_size;
	buf.nr_cpus = s.buffer->nr_cpus;
	check(kt_writer_add_buffer(w, &buf, &err));
	for (i = 0; i < s.buffer->nr_cpus; i++) {
		check(kt_writer_begin_cpu(w, 0, s.cpus[i].nr, &err));
		write_copies(w, &s, &s.cpus[i], copies);
		free(s.cpus[i].pages);
	}
	check(kt_writer_finish(w, &err));
	kt_writer_close(w);
	kt_file_close(s.file);
	free(s.cpus);
	return 0;
}
