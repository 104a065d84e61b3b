/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ahead.h - decompress in other threads what the cursors will want next */
#ifndef MODEL_AHEAD_H
#define MODEL_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>

struct ahead;

/* One slot a cursor. New (ahead_destroy), NULL: no memory or no threads */
struct ahead *ahead_create(int threads, size_t nr_slots);
void ahead_destroy(struct ahead *a);

/* The chunk that @slot will want next; replaces its former wish and lets go of what that got. */
void ahead_want(struct ahead *a, size_t slot, struct kt_file *file, size_t buffer,
		size_t cpu_index, uint64_t nr);

#endif
