/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* page.h - one sub-buffer of the ring buffer: filled with records, and read back */
#ifndef IMPORT_PAGE_H
#define IMPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SIZE 4096u
#define PAGE_HEAD 16u			/* time of the first record, length of what follows */
#define PAGE_RECORD_MAX 3968u		/* bytes of a record that fits into an empty sub-buffer */

/* A loss belongs to a sub-buffer: records were lost before its first one. */
#define PAGE_LOST_UNKNOWN UINT64_MAX

struct page {
	uint8_t  data[PAGE_SIZE];
	size_t   used;			/* bytes after the head; 0: empty */
	uint64_t last;			/* time of the last record */
	uint64_t lost;			/* before the first record; 0: none */
};

/* Append a record of @size bytes, at most PAGE_RECORD_MAX. False: the page is full. */
bool page_add(struct page *p, uint64_t ts, const void *rec, size_t size);
/* Write the head and the number of lost records: @p->data is complete. */
void page_finish(struct page *p);

/* Reads what page_add() has written */
struct page_reader {
	const uint8_t *data;
	size_t at, end;
	uint64_t ts, lost;		/* of the record that page_next() has found */
	const uint8_t *rec;
	size_t size;
};

void page_read(struct page_reader *r, const uint8_t *data);
bool page_next(struct page_reader *r);

#endif
