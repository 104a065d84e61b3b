/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reader.h - functions of a reader for the index */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <ktrail/reader.h>

/* Use only the sources whose bits are set in @only; NULL: all */
void reader_use_only(struct kt_reader *r, const uint64_t *only);

/*
 * Number of records of a source before a spot: the index must be ready. This moves the reader's
 * lane of that source; the next step or jump restores it. 0, -ENOMEM
 */
int reader_rank(struct kt_reader *r, size_t source, const struct kt_spot *spot, uint64_t *rank);

/* Records before the reader in the sources in use. The index must be ready, and the reader must
 * have gone only forward since its last jump. */
uint64_t reader_row(const struct kt_reader *r);

#endif
