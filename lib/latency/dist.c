/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dist.c - distributions of times in bounded memory, and the longest ones */
#include "latency/dist.h"

#include <errno.h>
#include <stdlib.h>

unsigned int dist_bucket(uint64_t ns)
{
	unsigned int power;

	if (ns < DIST_STEPS)
		return (unsigned int)ns;
	power = 63 - (unsigned int)__builtin_clzll(ns);
	return (power - 4) * DIST_STEPS + (unsigned int)(ns >> (power - 5)) - DIST_STEPS;
}

uint64_t dist_bucket_value(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < 2 * DIST_STEPS)
		return bucket;
	shift = bucket / DIST_STEPS - 1;
	return ((uint64_t)(bucket % DIST_STEPS + DIST_STEPS) << shift) +
	       ((uint64_t)1 << shift) / 2;
}

/* 1, 2, 5, 10 … */
uint64_t kt_latency_level_from(unsigned int level)
{
	static const uint64_t tens[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000, 1000000000, 10000000000, 100000000000, 1000000000000 };
	static const uint64_t steps[] = { 1, 2, 5 };

	return level ? tens[(level - 1) / 3] * steps[(level - 1) % 3] : 0;
}

unsigned int kt_latency_level(uint64_t ns)
{
	/* There are 3 levels for each factor of 10: this is a lower bound of the level */
	unsigned int level = ns ? (63 - (unsigned int)__builtin_clzll(ns)) * 903 / 1000 : 0;

	if (level >= KT_LATENCY_LEVELS)
		return KT_LATENCY_LEVELS - 1;
	while (level + 1 < KT_LATENCY_LEVELS && ns >= kt_latency_level_from(level + 1))
		level++;
	return level;
}

void dist_fini(struct dist *d)
{
	size_t i;

	for (i = 0; i < DIST_POWERS; i++)
		free(d->powers[i]);
	for (i = 0; i < KT_LATENCY_LEVELS; i++)
		free(d->map[i]);
	*d = (struct dist){ 0 };
}

/* Count the @i-th of @nr counters; allocates them at the first use */
static int count_one(uint32_t **counters, size_t nr, size_t i)
{
	if (!*counters)
		*counters = calloc(nr, sizeof(**counters));
	if (!*counters)
		return -ENOMEM;
	(*counters)[i] += (*counters)[i] < UINT32_MAX;
	return 0;
}

int dist_add(struct dist *d, uint64_t ns, unsigned int column)
{
	unsigned int level = kt_latency_level(ns), bucket = dist_bucket(ns);
	int ret = count_one(&d->powers[bucket / DIST_STEPS], DIST_STEPS, bucket % DIST_STEPS);

	d->levels[level]++;
	if (ret == 0 && column != DIST_NO_MAP)
		ret = count_one(&d->map[level], KT_LATENCY_COLUMNS, column);
	return ret;
}

uint64_t dist_quantile(const struct dist *d, uint64_t count, double share)
{
	uint64_t wanted = (uint64_t)(share * (double)count), seen = 0;
	unsigned int i;

	if ((double)wanted < share * (double)count)
		wanted++;
	for (i = 0; i < DIST_BUCKETS; i++) {
		if (!d->powers[i / DIST_STEPS])
			continue;
		seen += d->powers[i / DIST_STEPS][i % DIST_STEPS];
		if (seen >= wanted && seen)
			return dist_bucket_value(i);
	}
	return UINT64_MAX;
}

/* ---- the longest ones ---- */

static uint64_t length_of(const struct kt_latency *one)
{
	return one->until - one->from;
}

static void swap(struct kt_latency *a, struct kt_latency *b)
{
	struct kt_latency was = *a;

	*a = *b;
	*b = was;
}

static void sink_first(struct longest *list)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < list->nr) {
		if (child + 1 < list->nr &&
		    length_of(&list->at[child + 1]) < length_of(&list->at[child]))
			child++;
		if (length_of(&list->at[i]) <= length_of(&list->at[child]))
			return;
		swap(&list->at[i], &list->at[child]);
		i = child;
	}
}

int longest_add(struct longest *list, const struct kt_latency *one)
{
	size_t i = list->nr;

	if (!list->max)
		return 0;
	if (!list->at)
		list->at = calloc(list->max, sizeof(*list->at));
	if (!list->at)
		return -ENOMEM;
	if (i == list->max) {
		if (length_of(one) > length_of(&list->at[0])) {
			list->at[0] = *one;
			sink_first(list);
		}
		return 0;
	}
	list->at[i] = *one;
	list->nr++;
	for (; i && length_of(&list->at[i]) < length_of(&list->at[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&list->at[i], &list->at[(i - 1) / 2]);
	return 0;
}

static int longest_first(const void *x, const void *y)
{
	const struct kt_latency *a = x, *b = y;

	if (length_of(a) != length_of(b))
		return length_of(a) < length_of(b) ? 1 : -1;
	return a->from < b->from ? -1 : a->from > b->from;
}

void longest_sort(struct longest *list)
{
	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), longest_first);
}
