/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* merge.h - a tree of losers: which of many sorted runs comes next */
#ifndef STREAM_MERGE_H
#define STREAM_MERGE_H

#include <stdint.h>
#include <stdlib.h>

/*
 * Each inner node stores the loser of the match there, so replacing the winner's
 * key costs one comparison per level. Runs are leaves nr … 2 nr - 1; node n has the
 * children 2n and 2n + 1. For equal keys the lower run wins.
 */
struct merge {
	size_t nr;
	uint64_t *keys;		/* of each run's head; UINT64_MAX: the run is used up */
	uint32_t *losers;	/* [1 … nr - 1]; [0] is the overall winner */
};

int merge_init(struct merge *m, size_t nr);		/* 0, -ENOMEM */
void merge_fini(struct merge *m);
int merge_build(struct merge *m);			/* after all @keys were set; 0, -ENOMEM */

/* Without branches: a processor cannot predict which run comes next. */
static inline int merge_before(const struct merge *m, uint32_t a, uint32_t b)
{
	return (m->keys[a] < m->keys[b]) | ((m->keys[a] == m->keys[b]) & (a < b));
}

static inline uint32_t merge_winner(const struct merge *m)
{
	return m->losers[0];
}

/* The winner may continue up to this key before another run comes next. */
static inline uint64_t merge_limit(const struct merge *m)
{
	uint32_t winner = m->losers[0], next;
	size_t node = (winner + m->nr) / 2;
	uint64_t limit;

	if (!node)
		return UINT64_MAX;
	next = m->losers[node];
	while (node /= 2)
		next = merge_before(m, m->losers[node], next) ? m->losers[node] : next;
	limit = m->keys[next];
	return winner < next ? limit : limit - 1;
}

/* The winner's head has become @key. */
static inline void merge_replay(struct merge *m, uint64_t key)
{
	uint32_t run = m->losers[0], other, loses;
	size_t node;

	m->keys[run] = key;
	for (node = (run + m->nr) / 2; node; node /= 2) {
		other = m->losers[node];
		loses = merge_before(m, other, run);
		m->losers[node] = loses ? run : other;
		run = loses ? other : run;
	}
	m->losers[0] = run;
}

#endif
