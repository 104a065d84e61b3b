/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* summary.h - what a chunk of sub-buffers holds, in a few bytes: which readers can pass it by */
#ifndef FILE_SUMMARY_H
#define FILE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>
#include <ktrail/writer.h>

#include "base/str.h"

#define SUMMARY_IDS 255			/* a chunk with more of them is not described */
/* words: bit (pid % 256) is set when a record is of that task */
#define SUMMARY_PIDS 4
/* chunks of a file with fewer are read sooner than their index */
#define SUMMARY_LEAST 8
#define SUMMARY_LIST_MAX (4u << 20)	/* bytes of the rows of a CPU; what comes behind has none */

struct kt_summary {
	uint64_t first;			/* raw time stamp of the first sub-buffer */
	bool     known;			/* all that follows is said; else it may hold anything */
	bool     lost;			/* events were lost in it, or before it:
					 * then it is not known */
	bool     counted;		/* @nr and @last are said, and times do not go back in it */
	uint64_t nr;			/* records */
	uint64_t last;			/* raw time of the last one; @first if there is none */
	uint16_t nr_ids;		/* 0: there are no records in it */
	const uint16_t *ids;		/* ascending; borrowed */
	uint64_t pids[SUMMARY_PIDS];	/* by the low bits of common_pid */
};

/* ---- write/summary.c: making one ---- */

struct summarizer {			/* one thread's; zero it */
	uint16_t ids[SUMMARY_IDS];
	uint16_t nr_ids;
	uint8_t  seen[65536];		/* by event id; only @ids are set */
};

/* @out->ids is valid until the next call. */
void summary_make(struct summarizer *z, const struct kt_page_layout *layout, const void *pages,
		  size_t size, size_t page_size, struct kt_summary *out);

/* ---- write/index.c: those of a CPU, in the order of its chunks ---- */

struct summary_list {
	struct str rows;
	uint32_t nr;
	/* The row before */
	uint64_t end, first;
	uint64_t pids[SUMMARY_PIDS];
	uint16_t ids[SUMMARY_IDS], nr_ids;
};

struct summary_list *summary_list_create(void);		/* NULL: no memory */
void summary_list_destroy(struct summary_list *l);
/*
 * @offset: of the chunk's block, behind the sizes, from the start of the CPU's
 * data (the number of chunks) on; ascending. Without memory rows are left out.
 */
void summary_list_add(struct summary_list *l, uint64_t offset, uint32_t size, uint32_t raw_size,
		      const struct kt_summary *s);

/* The CPU that was written or placed last has these; they are the writer's from now on. */
void writer_take_summaries(struct kt_writer *w, struct summary_list *l);
/* Of a chunk that the writer of a file is to store as it is; NULL: it makes no index */
const struct kt_summary *writer_summarize(struct kt_writer *w, const void *pages, size_t size);
/* Does it lack those of chunks that are copied? */
bool writer_wants_summaries(const struct kt_writer *w);

/* ---- summary_read.c ---- */

struct summaries;

/* What is said of the @nr-th chunk of a CPU; NULL: nothing.
 * Lives as long as the file. Thread-safe. */
const struct kt_summary *file_summary(struct kt_file *f, size_t buffer, size_t cpu_index,
				      uint64_t nr);

/*
 * Before anything was read: believe @rows instead of what the file says of itself. What is
 * no index is noted as damage, and nothing is believed.
 */
void file_take_summaries(struct kt_file *f, const uint8_t *rows, size_t size);

/* The content of option INDEX, which both sides agree on */
#define SUMMARY_VERSION 2	/* 1 has no SUMMARY_COUNTED */
#define SUMMARY_HEAD	16		/* u32 version, u32 bytes when decompressed, u64 checksum */
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
