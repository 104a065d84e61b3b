/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency_row.c - distributions of times, in bounded memory */
#include "view/latency.h"

#include <errno.h>
#include <stdlib.h>

unsigned int latency_bucket(uint64_t ns)
{
	unsigned int power;

	if (ns < LATENCY_STEPS)
		return (unsigned int)ns;
	power = 63 - (unsigned int)__builtin_clzll(ns);
	return (power - 4) * LATENCY_STEPS + (unsigned int)(ns >> (power - 5)) - LATENCY_STEPS;
}

uint64_t latency_bucket_value(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < 2 * LATENCY_STEPS)
		return bucket;
	shift = bucket / LATENCY_STEPS - 1;
	return ((uint64_t)(bucket % LATENCY_STEPS + LATENCY_STEPS) << shift) +
	       ((uint64_t)1 << shift) / 2;
}

uint64_t kt_latency_level_from(unsigned int level)
{
	static const uint64_t steps[] = { 1, 2, 5 };
	uint64_t ns = 1;
	unsigned int i;

	if (level == 0)
		return 0;
	for (i = 0; i < (level - 1) / 3; i++)
		ns *= 10;
	return ns * steps[(level - 1) % 3];
}

unsigned int kt_latency_level(uint64_t ns)
{
	unsigned int level = 0;

	while (level + 1 < KT_LATENCY_LEVELS && ns >= kt_latency_level_from(level + 1))
		level++;
	return level;
}

void latency_add(struct latency_row *r, const struct kt_latency *one, unsigned int column)
{
	uint64_t ns = one->until - one->from;
	unsigned int level = kt_latency_level(ns);
	uint32_t *cell = &r->map[column * KT_LATENCY_LEVELS + level];
	uint32_t *bucket = &r->buckets[latency_bucket(ns)];

	if (!r->pub.count || ns < r->pub.min)
		r->pub.min = ns;
	if (!r->pub.count || ns > r->pub.max) {
		r->pub.max = ns;
		r->pub.worst = *one;
	}
	r->pub.count++;
	r->pub.sum += ns;
	r->levels[level]++;
	*cell += *cell < UINT32_MAX;
	*bucket += *bucket < UINT32_MAX;
}

uint64_t latency_quantile(const struct latency_row *r, double share)
{
	uint64_t wanted = (uint64_t)(share * (double)r->pub.count), seen = 0, value;
	unsigned int i;

	if ((double)wanted < share * (double)r->pub.count)
		wanted++;
	for (i = 0; i < LATENCY_BUCKETS; i++) {
		seen += r->buckets[i];
		if (seen >= wanted && seen)
			break;
	}
	value = i < LATENCY_BUCKETS ? latency_bucket_value(i) : r->pub.max;
	return value < r->pub.min ? r->pub.min : value > r->pub.max ? r->pub.max : value;
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

static void sink_first(struct latency_list *list)
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

int latency_list_add(struct latency_list *list, const struct kt_latency *one)
{
	size_t i = list->nr;

	if (!list->at)
		list->at = calloc(KT_LATENCY_LIST_MAX, sizeof(*list->at));
	if (!list->at)
		return -ENOMEM;
	if (i == KT_LATENCY_LIST_MAX) {
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

void latency_list_sort(struct latency_list *list)
{
	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), longest_first);
}
