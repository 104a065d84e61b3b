/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ahead.h - what the cursors will want next, for whoever has time to decompress it */
#ifndef STREAM_AHEAD_H
#define STREAM_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>

struct ahead;

/*
 * One may be in work while another is wanted: a cursor that waits for the end of
 * that holds up all.
 */
#define AHEAD_CHUNKS 2

/* One slot a cursor. New (ahead_destroy), NULL: no memory */
struct ahead *ahead_create(size_t nr_slots);
void ahead_destroy(struct ahead *a);

/*
 * The AHEAD_CHUNKS different chunks that @slot will want next, in their order. Those
 * of its former wishes that are not among them are given up, with what they got.
 */
void ahead_want(struct ahead *a, size_t slot, struct kt_file *file, size_t buffer,
		size_t cpu_index, const uint64_t *nrs);

/* Before the @nr-th chunk is entered: as long as another thread is at it, this one helps as well. */
void ahead_meanwhile(struct ahead *a, size_t slot, uint64_t nr);

/* Get the chunk that has been wanted for longest; false: there is none. From any thread. */
bool ahead_help(struct ahead *a);

#endif
