/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dist.h - distributions of times in bounded memory, and the longest ones */
#ifndef LATENCY_DIST_H
#define LATENCY_DIST_H

#include <ktrail/latencies.h>

/* Exact below 32 ns, then 32 buckets for each power of two: half a bucket is 1.6 % */
#define DIST_STEPS   32
#define DIST_POWERS  60
#define DIST_BUCKETS (DIST_POWERS * DIST_STEPS)

/* Initially zero. Most have few different times, so counters are allocated at their first use. */
struct dist {
	uint64_t levels[KT_LATENCY_LEVELS];
	uint32_t *powers[DIST_POWERS];		/* of DIST_STEPS buckets each */
	uint32_t *map[KT_LATENCY_LEVELS];	/* of KT_LATENCY_COLUMNS each */
};

unsigned int dist_bucket(uint64_t ns);
/* The middle of a bucket */
uint64_t dist_bucket_value(unsigned int bucket);
void dist_fini(struct dist *d);
/* @column: of the map, or DIST_NO_MAP. 0 or -ENOMEM */
#define DIST_NO_MAP KT_LATENCY_COLUMNS
int  dist_add(struct dist *d, uint64_t ns, unsigned int column);
/* The smallest time such that a @share of the @count times is at most this long */
uint64_t dist_quantile(const struct dist *d, uint64_t count, double share);

/* A heap of the longest ones, the shortest of them first */
struct longest {
	struct kt_latency *at;
	size_t nr, max;
};

/* 0 or -ENOMEM */
int  longest_add(struct longest *list, const struct kt_latency *one);
/* Longest first. Nothing may be added afterwards until .nr is 0 again */
void longest_sort(struct longest *list);

#endif
