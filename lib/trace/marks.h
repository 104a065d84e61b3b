/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* marks.h - selected places in the data of a source, with their rows and times */
#ifndef TRACE_MARKS_H
#define TRACE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MARKS_APART 64		/* least records between two marks: limits their memory */

/* A sub-buffer of a source */
struct mark {
	uint64_t ts;		/* no record from here on is earlier, no record before is later */
	uint64_t nr;		/* number of records before it */
	uint32_t chunk;		/* chunk of the sub-buffer */
	uint32_t offset : 31;	/* its place in the chunk, bytes */
	uint32_t lost : 1;	/* events were lost from here to the next mark */
};

/*
 * Ordered by time, and by place. The time of a record here is the latest time up to it, so
 * that it never goes backwards. If the recorder frees its oldest data, the first mark may lie in
 * freed data.
 */
struct marks {
	struct mark *at;
	size_t   nr;
	uint64_t total;		/* records of the source */
	uint64_t last;		/* time of the last record */
	bool     goes_back;	/* the times of the records go backwards somewhere */
	bool     lossy;		/* events were lost somewhere */
};

/* The last mark before a time: all records before the mark are earlier, too. NULL: there is none */
const struct mark *marks_before(const struct marks *m, uint64_t ts);
/* The last mark at or before a sub-buffer, or NULL */
const struct mark *marks_of_page(const struct marks *m, uint64_t chunk, size_t offset);
/* The number of records before the mark after @at; @at NULL: before the first mark */
uint64_t marks_until(const struct marks *m, const struct mark *at);

#endif
