/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunks.c - a trace of many CPUs whose data is compressed in chunks of any size
 *
 * chunks IN OUT CPUS KIB COMPRESSION: each CPU holds the data of a CPU of IN, in
 * chunks of KIB KiB, sizes that no recorder writes. COMPRESSION: "zstd", "zlib:9" …
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/file.h>
#include <ktrail/writer.h>

#include "codec/codec.h"

static struct kt_err err;

static void check(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "chunks: %s\n", err.msg);
	exit(1);
}

struct packer {
	const struct codec *codec;
	void *ctx;
	char *raw, *packed;
	size_t len, size;		/* of @raw: bytes filled; bytes of a chunk */
	struct kt_writer *w;
};

static void flush(struct packer *p)
{
	ssize_t got = p->len ? p->codec->compress(p->ctx, p->packed, p->codec->bound(p->size),
						  p->raw, p->len) : 0;
	struct kt_raw_chunk chunk = { .data = (uint8_t *)p->packed, .size = got,
				      .raw_size = p->len };

	if (got < 0)
		exit(1);
	if (p->len)
		check(kt_writer_chunk(p->w, &chunk, &err));
	p->len = 0;
}

static void pack_cpu(struct packer *p, struct kt_file *in, size_t cpu)
{
	struct kt_chunk chunk;
	size_t at, n;
	uint64_t nr;

	for (nr = 0; kt_file_chunk_get(in, 0, cpu, nr, &chunk, &err) > 0; nr++) {
		for (at = 0; at < chunk.size; at += n) {
			n = p->size - p->len < chunk.size - at ? p->size - p->len : chunk.size - at;
			memcpy(p->raw + p->len, chunk.data + at, n);
			p->len += n;
			if (p->len == p->size)
				flush(p);
		}
		kt_chunk_put(&chunk);
	}
	check(err.code);
	flush(p);
}

static void copy_meta(struct kt_writer *w, struct kt_file *in)
{
	struct kt_blob blob;
	size_t i;

	for (i = 0; i < kt_file_nr_sections(in); i++) {
		uint16_t id = kt_file_section(in, i)->id;

		if (id < KT_OPTION_HEADER_INFO || id > KT_OPTION_CMDLINES)
			continue;
		check(kt_file_section_data(in, i, &blob, &err));
		check(kt_writer_meta(w, id, blob.data, blob.size, &err));
	}
}

int main(int argc, char **argv)
{
	const struct kt_buffer *b;
	struct kt_writer_opts opts = { .replace = true };
	struct kt_writer_buffer buf = { .name = "", .clock = "local" };
	struct packer p = { 0 };
	struct kt_file *in;
	char *level;
	int cpu;

	if (argc != 6) {
		fprintf(stderr, "usage: chunks IN OUT CPUS KIB COMPRESSION\n");
		return 2;
	}
	in = kt_file_open(argv[1], &err);
	check(err.code);
	b = kt_file_buffer(in, 0);
	kt_writer_opts_host(&opts, b->page_size);
	opts.compression = argv[5];
	p.w = kt_writer_create(argv[2], &opts, &err);
	check(err.code);
	level = strchr(argv[5], ':');
	p.codec = codec_find(level ? strndup(argv[5], level - argv[5]) : argv[5]);
	p.ctx = p.codec->compressor(level ? atoi(level + 1) : p.codec->default_level);
	p.size = strtoul(argv[4], NULL, 0) << 10;
	p.raw = malloc(p.size);
	p.packed = malloc(p.codec->bound(p.size));
	copy_meta(p.w, in);
	buf.page_size = b->page_size;
	buf.nr_cpus = atoi(argv[3]);
	check(kt_writer_add_buffer(p.w, &buf, &err));
	for (cpu = 0; cpu < atoi(argv[3]); cpu++) {
		check(kt_writer_begin_cpu(p.w, 0, cpu, &err));
		pack_cpu(&p, in, cpu % b->nr_cpus);
	}
	check(kt_writer_finish(p.w, &err));
	kt_writer_close(p.w);
	kt_file_close(in);
	return 0;
}
