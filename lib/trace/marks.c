/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* marks.c - selected places in the data of a source, with their rows and times */
#include "trace/marks.h"

struct wish {
	uint64_t ts, chunk;
	size_t offset;
};

static bool is_earlier(const struct mark *m, const struct wish *w)
{
	return m->ts < w->ts;
}

static bool is_up_to_page(const struct mark *m, const struct wish *w)
{
	return m->chunk < w->chunk || (m->chunk == w->chunk && m->offset <= w->offset);
}

/* The last mark for which @is_before is true; it is true for all marks before that one. */
static const struct mark *last(const struct marks *m, const struct wish *w,
			       bool (*is_before)(const struct mark *, const struct wish *))
{
	size_t lo = 0, hi = m->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (is_before(&m->at[mid], w))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo && m->nr && m->at->nr)
		lo = 1;		/* earlier data is freed: the first mark also stands for it */
	return lo ? &m->at[lo - 1] : NULL;
}

const struct mark *marks_before(const struct marks *m, uint64_t ts)
{
	return last(m, &(struct wish){ .ts = ts }, is_earlier);
}

const struct mark *marks_of_page(const struct marks *m, uint64_t chunk, size_t offset)
{
	return last(m, &(struct wish){ .chunk = chunk, .offset = offset }, is_up_to_page);
}

uint64_t marks_until(const struct marks *m, const struct mark *at)
{
	if (!at)
		return 0;
	return at + 1 < m->at + m->nr ? at[1].nr : m->total;
}
