/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* readahead.h - prefetch: idle threads decompress what the cursors will need next */
#ifndef STREAM_READAHEAD_H
#define STREAM_READAHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>

struct readahead;

/*
 * Two, so that one can be decompressed while the cursor needs another: a cursor that waits for
 * a chunk delays all cursors.
 */
#define AHEAD_CHUNKS 2

/* One slot for each cursor. New (readahead_destroy), NULL: no memory */
struct readahead *readahead_create(size_t nr_slots);
void readahead_destroy(struct readahead *a);

/*
 * Set the next AHEAD_CHUNKS different chunks that @slot will need, in order. Its earlier
 * wishes that are not among them are dropped, with their chunks.
 */
void readahead_want(struct readahead *a, size_t slot, struct kt_file *file, size_t buffer,
		    size_t cpu_index, const uint64_t *nrs);

/* Before the @nr-th chunk is entered: while another thread works on it, help with other chunks. */
void readahead_meanwhile(struct readahead *a, size_t slot, uint64_t nr);

/* Get the chunk that was requested first; false: there are no requests. From any thread. */
bool readahead_help(struct readahead *a);

#endif
