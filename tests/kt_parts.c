/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_parts.c - a recording that is not finished: its head, and a part for each CPU */
#include "kt_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/file.h>

#include "codec/codec.h"
#include "kt_dat.h"
#include "kt_test.h"

const char *kt_part_path(unsigned int nr)
{
	static char name[32];

	snprintf(name, sizeof(name), "unfinished.dat.part%u", nr);
	return kt_tmp(name);
}

void kt_parts_remove(void)
{
	unsigned int nr;

	for (nr = 0; nr < 4; nr++)
		unlink(kt_part_path(nr));
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
	for (i = 0; i < KT_PARTS_RECORDS; i++) {
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

struct part_head kt_part_head(int cpu, const char *buffer, bool compressed)
{
	struct part_head h = { .trace_id = KT_PARTS_TRACE_ID, .cpu = cpu,
			       .start = PART_DATA + (compressed ? 4 : 0), .page_size = 4096,
			       .compressed = compressed, .clock = "mono" };

	memcpy(h.magic, PART_MAGIC, sizeof(h.magic));
	strcpy(h.buffer, buffer);
	return h;
}

/* A part with a chunk for each of the first sub-buffers; the last @cut bytes are missing. */
void kt_part_write_pages(unsigned int nr, const struct part_head *head, int cpu, size_t nr_pages,
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
	kt_spill(kt_part_path(nr), part, at - cut);
	codec_zstd.compressor_free(ctx);
	free(from);
	free(part);
}

void kt_part_write(unsigned int nr, const struct part_head *head, int cpu, size_t cut)
{
	kt_part_write_pages(nr, head, cpu, 16, cut);
}

/* The path of the file that exists before any part is joined */
const char *kt_parts_head_file(const char *compression)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .compression = compression });
	static const uint64_t id = KT_PARTS_TRACE_ID;
	const char *path;

	kt_dat_option_ints(d, KT_OPTION_TRACEID, 8, &id, 1);
	path = kt_dat_write(d, "unfinished.dat");
	kt_dat_destroy(d);
	return path;
}
