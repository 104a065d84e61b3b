/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_exercise.c - read everything in a trace.dat, however damaged it is */
#include "kt_exercise.h"
#include "file/file.h"

#include <string.h>

#include <ktrail/file.h>
#include <ktrail/stream.h>

#define ENOUGH 200000	/* records: a few bytes can stand for very many */

static uint64_t sum(const void *bytes, size_t size)
{
	const uint8_t *p = bytes;
	uint64_t total = size, word;

	for (; size >= sizeof(word); p += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		total += word;
	}
	while (size--)
		total += *p++;
	return total;
}

static uint64_t read_directory(struct kt_file *f)
{
	struct kt_blob blob;
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < kt_file_nr_options(f); i++) {
		blob = kt_file_option(f, i)->raw;
		total += sum(blob.data, blob.size);
	}
	for (i = 0; i < kt_file_nr_sections(f); i++) {
		total += strlen(kt_file_section(f, i)->description);
		if (kt_file_section_data(f, i, &blob, NULL) == 0)
			total += sum(blob.data, blob.size);
	}
	for (i = 0; i < KT_NR_METAS; i++)
		if (kt_file_meta(f, i, &blob, NULL) == 0)
			total += sum(blob.data, blob.size) + strlen(blob.data);
	for (i = 0; i < kt_file_nr_events(f); i++) {
		blob = kt_file_event(f, i)->format;
		total += strlen(kt_file_event(f, i)->system) + sum(blob.data, blob.size);
	}
	return total;
}

static uint64_t read_chunks(struct kt_file *f, size_t buffer, size_t cpu_index)
{
	struct kt_raw_chunk raw;
	struct kt_chunk chunk, twin;
	uint64_t total = 0, nr = 0;
	uint8_t head[16];
	int got;

	while (kt_file_chunk_raw(f, buffer, cpu_index, nr, &raw, NULL)) {
		got = file_chunk_peek(f, buffer, cpu_index, nr, head, sizeof(head), NULL);
		if (got > 0)
			total += sum(head, got);
		if (kt_file_chunk_get(f, buffer, cpu_index, nr, &chunk, NULL) > 0) {
			twin = kt_chunk_ref(&chunk);
			kt_chunk_put(&chunk);
			total += sum(twin.data, twin.size);
			kt_chunk_put(&twin);
		}
		nr++;
	}
	return total;
}

static uint64_t read_buffers(struct kt_file *f)
{
	const struct kt_buffer *b;
	struct kt_blob text;
	uint64_t total = 0;
	size_t i, cpu;

	for (i = 0; (b = kt_file_buffer(f, i)); i++) {
		total += strlen(b->name) + strlen(b->clock);
		if (b->is_text && kt_file_buffer_text(f, i, &text, NULL) == 0)
			total += sum(text.data, text.size);
		for (cpu = 0; cpu < b->nr_cpus; cpu++)
			total += read_chunks(f, i, cpu);
	}
	return total;
}

/* Some events, and some tasks of them: an index may exclude these */
static void read_some(struct kt_stream *s, struct kt_exercise *e)
{
	uint64_t types[65536 / 64], of_pids[65536 / 64], pids[65536 / 64];
	struct kt_record rec;
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		types[i] = 0x1111111111111111ull << i % 4;
		of_pids[i] = 0x5555555555555555ull;
		pids[i] = i % 7 ? 0 : 0x0f;
	}
	kt_stream_want_types(s, 0, types);
	kt_stream_want_pids(s, 0, of_pids, pids);
	kt_stream_seek(s, 0, NULL);
	while (nr++ < ENOUGH && kt_stream_next(s, &rec, NULL) > 0)
		e->bytes += rec.ts + sum(rec.data, rec.size);
}

static void read_records(struct kt_stream *s, struct kt_exercise *e)
{
	struct kt_batch *b = kt_batch_create(1000);
	const struct kt_record *rec;
	int n, i;

	while (e->nr_records < ENOUGH && (n = kt_stream_read(s, b, NULL)) > 0) {
		rec = kt_batch_records(b);
		for (i = 0; i < n; i++)
			e->bytes += rec[i].ts + rec[i].lost + sum(rec[i].data, rec[i].size);
		e->nr_records += n;
	}
	kt_batch_destroy(b);
}

static void read_ends(struct kt_stream *s, struct kt_exercise *e)
{
	struct kt_record rec;
	uint64_t middle = 0;
	size_t i;

	for (i = 0; i < kt_stream_nr_sources(s); i++) {
		if (kt_stream_last(s, i, &rec, NULL) > 0)
			middle = rec.ts / 2 + sum(rec.data, rec.size) % 2;
		if (kt_stream_first(s, i, &rec, NULL) > 0)
			middle += rec.ts / 2;
	}
	kt_stream_seek(s, middle, NULL);
	if (kt_stream_next(s, &rec, NULL) > 0)
		e->bytes += sum(rec.data, rec.size);
}

struct kt_exercise kt_exercise(const char *path)
{
	struct kt_exercise e = { 0 };
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(path, &err);
	struct kt_stream *s;

	e.error = err.code;
	if (!f)
		return e;
	e.bytes = read_directory(f) + read_buffers(f);
	s = kt_stream_create();
	if (kt_stream_add(s, f, NULL, NULL) == 0) {
		read_records(s, &e);
		read_ends(s, &e);
		read_some(s, &e);
	}
	kt_stream_destroy(s);
	e.nr_damages = kt_file_nr_damages(f);
	kt_file_close(f);
	return e;
}
