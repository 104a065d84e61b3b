/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* marks.h - some places in the data of a source, with their rows and times */
#ifndef TRACE_MARKS_H
#define TRACE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MARKS_APART 64		/* records between two marks, at least: bounds their memory */

/* A sub-buffer of a source */
struct mark {
	uint64_t ts;		/* no record from here on is earlier, and none before is later … */
	uint64_t nr;		/* … of which there are so many */
	uint32_t chunk;		/* the sub-buffer's chunk … */
	uint32_t offset : 31;	/* … and place in it, bytes */
	uint32_t lost : 1;	/* events were lost from here to the next mark */
};

/*
 * In order of time, and of place. The time of a record in these is that of the latest
 * record so far, so that it never goes back.
 */
struct marks {
	struct mark *at;
	size_t   nr;
	uint64_t total;		/* records of the source */
	uint64_t last;		/* time of the last one */
	bool     goes_back;	/* the times of its records do */
	bool     lossy;		/* events were lost somewhere */
};

/* The last mark before a time, or NULL: no record before it is of that time or later */
const struct mark *marks_before(const struct marks *m, uint64_t ts);
/* The last mark with at most @row records before it, or NULL */
const struct mark *marks_of_row(const struct marks *m, uint64_t row);
/* The last mark at or before a sub-buffer, or NULL */
const struct mark *marks_of_page(const struct marks *m, uint64_t chunk, size_t offset);
/* How many records are before the mark behind @at; NULL: before the first mark */
uint64_t marks_until(const struct marks *m, const struct mark *at);

#endif
