/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reader.h - what the index needs of a reader besides its public part */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <ktrail/reader.h>

/* Use just the sources whose bits are set in @only; NULL: all */
void reader_use_only(struct kt_reader *r, const uint64_t *only);

/*
 * How many records of a source are before a spot: the index must be ready. The reader's
 * lane of that source is moved, so the next step or jump brings it back. 0, -ENOMEM
 */
int reader_rank(struct kt_reader *r, size_t source, const struct kt_spot *spot, uint64_t *rank);

#endif
