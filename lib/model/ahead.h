/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ahead.h - what the cursors will want next, for whoever has time to decompress it */
#ifndef MODEL_AHEAD_H
#define MODEL_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>

struct ahead;

/* One slot a cursor. New (ahead_destroy), NULL: no memory */
struct ahead *ahead_create(size_t nr_slots);
void ahead_destroy(struct ahead *a);

/* The chunk that @slot will want next; replaces its former wish and lets go of what that got. */
void ahead_want(struct ahead *a, size_t slot, struct kt_file *file, size_t buffer,
		size_t cpu_index, uint64_t nr);

/* Get the chunk that has been wanted for longest; false: there is none. From any thread. */
bool ahead_help(struct ahead *a);

#endif
