/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit.c - how fast a report could be if making text cost nothing
 *
 * limit FILE BYTES: decompress, walk the records of all CPUs in the order of
 * time, and write BYTES for them, evenly, in blocks of 1 MiB. The additional
 * time of a report is the price of its text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/file.h>

#define BLOCK (1 << 20)

struct cpu {
	struct kt_file *file;
	struct kt_chunk chunk;
	uint64_t nr;			/* of the next chunk */
	uint32_t page_size;
	size_t index;			/* in the buffer's table */
	const uint8_t *page, *p, *end;	/* NULL, next record, end of the page's records */
	uint64_t ts;			/* of the next record; UINT64_MAX: no more */
};

static bool next_page(struct cpu *c)
{
	uint64_t commit;

	if (c->page)
		c->page += c->page_size;
	while (!c->page || c->page + 16 > c->chunk.data + c->chunk.size) {
		if (c->nr)
			kt_chunk_put(&c->chunk);
		if (kt_file_chunk_get(c->file, 0, c->index, c->nr++, &c->chunk, NULL) <= 0) {
			c->nr = 0;
			return false;
		}
		c->page = c->chunk.data;
	}
	memcpy(&c->ts, c->page, 8);
	memcpy(&commit, c->page + 8, 8);
	c->p = c->page + 16;
	c->end = c->p + (commit & 0x7ffffff);
	return true;
}

static uint32_t u32_at(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v;
}

/* Go to the next record that holds data, and set c->ts to its time. */
static void next_record(struct cpu *c)
{
	for (;;) {
		uint32_t head, type;

		while (c->p + 8 > c->end)
			if (!next_page(c)) {
				c->ts = UINT64_MAX;
				return;
			}
		head = u32_at(c->p);
		type = head & 31;
		if (type == 31) {
			c->ts = ((uint64_t)u32_at(c->p + 4) << 27) + (head >> 5);
			c->p += 8;
			continue;
		}
		c->ts += head >> 5;
		if (type >= 1 && type <= 28) {
			c->p += 4 + type * 4;
			return;
		}
		if (type == 30) {
			c->ts += (uint64_t)u32_at(c->p + 4) << 27;
			c->p += 8;
			continue;
		}
		c->p += 4 + ((u32_at(c->p + 4) + 3) & ~3U);
		if (type == 0)
			return;
	}
}

static struct cpu *earliest(struct cpu *cpus, size_t nr)
{
	struct cpu *best = &cpus[0];
	size_t i;

	for (i = 1; i < nr; i++)
		if (cpus[i].ts < best->ts)
			best = &cpus[i];
	return best;
}

static uint64_t walk(struct cpu *cpus, size_t nr, double bytes_per_record)
{
	static char block[BLOCK + 4096], line[4096];
	uint64_t records = 0;
	double due = 0;
	size_t len = 0;
	struct cpu *c;

	memset(line, 'x', sizeof(line));
	while ((c = earliest(cpus, nr))->ts != UINT64_MAX) {
		size_t n;

		next_record(c);
		records++;
		due += bytes_per_record;
		n = due < sizeof(line) ? (size_t)due : sizeof(line);
		memcpy(block + len, line, n);
		due -= n;
		len += n;
		if (len >= BLOCK) {
			if (write(1, block, len) < 0)
				exit(1);
			len = 0;
		}
	}
	return len && write(1, block, len) < 0 ? 0 : records;
}

static uint64_t run(struct kt_file *file, double bytes_per_record)
{
	const struct kt_buffer *buf = kt_file_buffer(file, 0);
	struct cpu *cpus = calloc(buf->nr_cpus, sizeof(*cpus));
	uint64_t records;
	size_t i;

	for (i = 0; i < buf->nr_cpus; i++) {
		cpus[i] = (struct cpu){ .file = file, .page_size = buf->page_size, .index = i };
		next_record(&cpus[i]);
	}
	records = walk(cpus, buf->nr_cpus, bytes_per_record);
	free(cpus);
	return records;
}

int main(int argc, char **argv)
{
	struct kt_err err = { 0 };
	struct kt_file *file;
	double per_record;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: limit FILE [BYTES-PER-RECORD]; without: count the records\n");
		return 2;
	}
	per_record = argc > 2 ? atof(argv[2]) : 0;
	file = kt_file_open(argv[1], &err);
	if (!file) {
		fprintf(stderr, "limit: %s\n", err.msg);
		return 1;
	}
	if (argc > 2)
		run(file, per_record);
	else
		printf("%llu\n", (unsigned long long)run(file, 0));
	kt_file_close(file);
	return 0;
}
