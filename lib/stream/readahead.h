/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* readahead.h - what the cursors will want next, decompressed by threads that have time */
#ifndef STREAM_READAHEAD_H
#define STREAM_READAHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>

struct readahead;

/*
 * One may be in work while another is wanted: a cursor that waits for the end of
 * that holds up all.
 */
#define AHEAD_CHUNKS 2

/* One slot a cursor. New (readahead_destroy), NULL: no memory */
struct readahead *readahead_create(size_t nr_slots);
void readahead_destroy(struct readahead *a);

/*
 * The AHEAD_CHUNKS different chunks that @slot will want next, in their order. Those
 * of its former wishes that are not among them are given up, with what they got.
 */
void readahead_want(struct readahead *a, size_t slot, struct kt_file *file, size_t buffer,
		    size_t cpu_index, const uint64_t *nrs);

/* Before the @nr-th chunk is entered: as long as another thread is at it,
 * this one helps as well. */
void readahead_meanwhile(struct readahead *a, size_t slot, uint64_t nr);

/* Get the chunk that has been wanted for longest; false: there is none. From any thread. */
bool readahead_help(struct readahead *a);

#endif
