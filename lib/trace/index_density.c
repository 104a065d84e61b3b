/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index_density.c - estimate the number of records in each of many spans of time */
#include "trace/index.h"

#include <errno.h>
#include <string.h>

#include "base/wide.h"

/* Columns of equal width over [from, until] */
struct columns {
	uint64_t from, until;
	size_t   nr;
	uint64_t *counts;
	bool     *lost;
	size_t   at;			/* the column of the last mark */
	uint64_t at_from, at_until;	/* times surely in that column, without @at_until */
};

static size_t column_of(const struct columns *c, uint64_t ts)
{
	uint64_t width = c->until - c->from;

	if (ts <= c->from || !width)
		return 0;
	if (ts >= c->until)
		return c->nr - 1;
	return wide_div(wide_mul(ts - c->from, c->nr), width == UINT64_MAX ? width : width + 1);
}

/* If @nr records are spread over [first, last], how many of them are before @ts */
static uint64_t part_before(uint64_t first, uint64_t last, uint64_t nr, uint64_t ts)
{
	if (ts <= first)
		return 0;
	if (ts > last)
		return nr;
	return wide_div(wide_mul(nr, ts - first), last - first + 1);
}

/* The approximate start of column @i */
static uint64_t begin_of(const struct columns *c, size_t i)
{
	uint64_t width = c->until - c->from;

	return c->from + wide_div(wide_mul(width == UINT64_MAX ? width : width + 1, i), c->nr);
}

/* begin_of() rounds down: the time may belong to the previous column */
static void enter(struct columns *c, size_t i)
{
	c->at = i;
	c->at_from = begin_of(c, i) + 1;
	c->at_until = begin_of(c, i + 1);
}

/*
 * Spreads @nr records from @m to time @last over the columns in that range. Most marks are in the
 * column of the previous mark and need no division: a trace of 10 GB has millions of marks.
 */
static void spread(struct columns *c, const struct mark *m, uint64_t last, uint64_t nr)
{
	uint64_t before, upto, end = nr;
	size_t i, last_one;

	if (!nr || m->ts > c->until || last < c->from)
		return;
	if (m->ts >= c->at_from && last < c->at_until && m->ts <= last) {
		c->counts[c->at] += nr;
		if (m->lost && c->lost)
			c->lost[c->at] = true;
		return;
	}
	if (last > c->until)
		end = part_before(m->ts, last, nr, c->until + 1);
	before = part_before(m->ts, last, nr, c->from);
	last_one = column_of(c, last);
	for (i = column_of(c, m->ts); i <= last_one; i++, before = upto) {
		upto = i == last_one ? end : part_before(m->ts, last, nr, begin_of(c, i + 1));
		if (upto < before)
			upto = before;
		c->counts[i] += upto - before;
	}
	if (m->lost && c->lost && m->ts >= c->from)
		c->lost[column_of(c, m->ts)] = true;
	enter(c, last_one);
}

int kt_index_density(struct kt_index *ix, size_t source, uint64_t from, uint64_t until, size_t nr,
		     uint64_t counts[], bool lost[], struct kt_err *err)
{
	struct columns c = {
		.from = from, .until = until < from ? from : until, .nr = nr,
		.counts = counts, .lost = lost,
	};
	size_t i, k;

	if (!index_marks(ix, 0))
		return kt_err_set(err, -EAGAIN, "the index is not ready yet");
	memset(counts, 0, nr * sizeof(*counts));
	if (lost)
		memset(lost, 0, nr * sizeof(*lost));
	for (i = 0; nr && i < ix->nr_sources; i++) {
		const struct marks *m = &ix->sources[i].marks;

		if (source != KT_ALL_SOURCES && source != i)
			continue;
		for (k = 0; k < m->nr; k++)
			spread(&c, &m->at[k], k + 1 < m->nr ? m->at[k + 1].ts : m->last,
			       marks_until(m, &m->at[k]) - m->at[k].nr);
	}
	return 0;
}
