/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* summary.h - describe a chunk in a few bytes, so that readers can skip it */
#ifndef FILE_SUMMARY_H
#define FILE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>
#include <ktrail/writer.h>

#include "base/str.h"

#define SUMMARY_IDS 255			/* a chunk with more event ids has no summary */
/* u64 words; bit (pid % 256) is set if the chunk has a record of that task */
#define SUMMARY_PIDS 4
/* a file with fewer chunks is read faster without an index */
#define SUMMARY_LEAST 8
#define SUMMARY_LIST_MAX (4u << 20)	/* bytes of the rows of a CPU; later chunks have no row */

struct kt_summary {
	uint64_t first;			/* raw time stamp of the first sub-buffer */
	bool     known;			/* the members below are set; else it may hold anything */
	bool     lost;			/* events were lost in or before it: then @known is false */
	bool     counted;		/* @nr and @last are set; its time never goes backwards */
	uint64_t nr;			/* records */
	uint64_t last;			/* raw time of the last record; @first if there is none */
	uint16_t nr_ids;		/* 0: it has no records */
	const uint16_t *ids;		/* ascending; borrowed */
	uint64_t pids[SUMMARY_PIDS];	/* by the low bits of common_pid */
};

/* ---- write/summary.c: make a summary ---- */

struct summarizer {			/* belongs to one thread; zero it */
	uint16_t ids[SUMMARY_IDS];
	uint16_t nr_ids;
	uint8_t  seen[65536];		/* by event id; set for the ids in @ids */
};

/* @out->ids is valid until the next call. */
void summary_make(struct summarizer *z, const struct kt_page_layout *layout, const void *pages,
		  size_t size, size_t page_size, struct kt_summary *out);

/* ---- write/index.c: the summaries of a CPU, in the order of its chunks ---- */

struct summary_list {
	struct str rows;
	uint32_t nr;
	/* The previous row */
	uint64_t end, first;
	uint64_t pids[SUMMARY_PIDS];
	uint16_t ids[SUMMARY_IDS], nr_ids;
};

struct summary_list *summary_list_create(void);		/* NULL: no memory */
void summary_list_destroy(struct summary_list *l);
/*
 * @offset: of the chunk's block, after its sizes, from the start of the CPU's data, which is
 * the number of chunks; ascending. If memory runs out, rows are omitted.
 */
void summary_list_add(struct summary_list *l, uint64_t offset, uint32_t size, uint32_t raw_size,
		      const struct kt_summary *s);

/* Give @l to the CPU that was written or placed last; the writer owns it from now on. */
void writer_take_summaries(struct kt_writer *w, struct summary_list *l);
/* Summarize a chunk that the writer will store unchanged; NULL: the writer makes no index */
const struct kt_summary *writer_summarize(struct kt_writer *w, const void *pages, size_t size);
/* Does the writer need the summaries of copied chunks, too? */
bool writer_wants_summaries(const struct kt_writer *w);

/* ---- summary_read.c ---- */

struct summaries;

/* The summary of the @nr-th chunk of a CPU; NULL: none. Lives as long as the file. Thread-safe. */
const struct kt_summary *file_summary(struct kt_file *f, size_t buffer, size_t cpu_index,
				      uint64_t nr);

/*
 * Use @rows instead of the file's own index. Call it before reading anything. If a row is
 * invalid, the damage is noted and all rows are ignored.
 */
void file_take_summaries(struct kt_file *f, const uint8_t *rows, size_t size);

/* The content of option INDEX, shared by reader and writer */
#define SUMMARY_VERSION 2	/* 1 has no SUMMARY_COUNTED */
#define SUMMARY_HEAD	16		/* u32 version, u32 decompressed bytes, u64 checksum */
enum summary_flag {
	SUMMARY_KNOWN = 1, SUMMARY_LOST = 2, SUMMARY_SAME_IDS = 4, SUMMARY_SAME_PIDS = 8,
	SUMMARY_COUNTED = 16,
};

static inline uint64_t summary_checksum(const void *data, size_t size, uint32_t raw_size)
{
	uint64_t sum = 0xcbf29ce484222325ull ^ raw_size;	/* FNV-1a */
	const uint8_t *p = data;

	while (size--)
		sum = (sum ^ *p++) * 0x100000001b3ull;
	return sum;
}

#endif
