/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* merge.c - a tree of losers: which of many sorted runs comes next */
#include "stream/merge.h"

#include <errno.h>
#include <string.h>

int merge_init(struct merge *m, size_t nr)
{
	m->nr = nr;
	m->keys = calloc(nr ? nr : 1, sizeof(*m->keys));
	m->losers = calloc(nr ? nr : 1, sizeof(*m->losers));
	return m->keys && m->losers ? 0 : -ENOMEM;
}

void merge_fini(struct merge *m)
{
	free(m->keys);
	free(m->losers);
	*m = (struct merge){ 0 };
}

int merge_build(struct merge *m)
{
	uint32_t *winners = calloc(2 * m->nr + 1, sizeof(*winners)), a, b;
	size_t i, node;

	if (!winners)
		return -ENOMEM;
	for (i = 0; i < m->nr; i++)
		winners[m->nr + i] = i;
	for (node = m->nr; node-- > 1;) {
		a = winners[2 * node];
		b = winners[2 * node + 1];
		winners[node] = merge_before(m, a, b) ? a : b;
		m->losers[node] = merge_before(m, a, b) ? b : a;
	}
	m->losers[0] = m->nr > 1 ? winners[1] : 0;
	free(winners);
	return 0;
}
