/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.h - distributions of times, in bounded memory */
#ifndef VIEW_LATENCY_H
#define VIEW_LATENCY_H

#include <ktrail/latencies.h>

/* Exact below 32 ns, then 32 buckets for each power of two: half of one is 1.6 % */
#define LATENCY_STEPS   32
#define LATENCY_BUCKETS (60 * LATENCY_STEPS)

struct latency_row {
	struct kt_latency_row pub;
	char    *name;
	uint64_t key;
	uint64_t levels[KT_LATENCY_LEVELS];
	uint32_t *map;
	uint32_t *buckets;
};

unsigned int latency_bucket(uint64_t ns);
/* The middle of a bucket */
uint64_t latency_bucket_value(unsigned int bucket);
/* @column: of the map */
void latency_add(struct latency_row *r, const struct kt_latency *one, unsigned int column);
uint64_t latency_quantile(const struct latency_row *r, double share);

/* A heap of the longest ones, the shortest of them first */
struct latency_list {
	struct kt_latency *at;
	size_t nr;
};

int  latency_list_add(struct latency_list *list, const struct kt_latency *one);
void latency_list_sort(struct latency_list *list);

#endif
