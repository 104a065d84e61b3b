/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* batch.c - a run of records, and the memory that holds them */
#include "stream/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct kt_batch *kt_batch_create(size_t max_records)
{
	struct kt_batch *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->max = max_records ? max_records : 1;
	b->records = calloc(b->max, sizeof(*b->records));
	if (!b->records) {
		free(b);
		return NULL;
	}
	return b;
}

void kt_batch_destroy(struct kt_batch *b)
{
	if (!b)
		return;
	batch_reset(b);
	free(b->pins);
	free(b->records);
	free(b);
}

const struct kt_record *kt_batch_records(const struct kt_batch *b)
{
	return b->records;
}

void batch_reset(struct kt_batch *b)
{
	while (b->nr_pins)
		kt_chunk_put(&b->pins[--b->nr_pins]);
	b->nr = 0;
}

int batch_pin(struct kt_batch *b, const struct kt_chunk *chunk)
{
	if (!chunk->owner)
		return 0;	/* in the map, which is not freed */
	if (!array_fit(b->pins, b->nr_pins, b->max_pins))
		return -ENOMEM;
	b->pins[b->nr_pins++] = kt_chunk_ref(chunk);
	return 0;
}

static bool lies_in(const struct kt_record *recs, size_t nr, const struct kt_chunk *chunk)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if ((uintptr_t)recs[i].data - (uintptr_t)chunk->data <= chunk->size)
			return true;
	return false;
}

int batch_move(struct kt_batch *to, struct kt_batch *from, size_t first)
{
	const struct kt_record *recs = from->records + first;
	size_t i, nr = from->nr - first;

	for (i = 0; i < from->nr_pins; i++)
		if (lies_in(recs, nr, &from->pins[i]) && batch_pin(to, &from->pins[i]) < 0)
			return -ENOMEM;
	memcpy(to->records + to->nr, recs, nr * sizeof(*recs));
	to->nr += nr;
	from->nr = first;
	return 0;
}
