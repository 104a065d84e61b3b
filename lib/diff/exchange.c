/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exchange.c - a permutation test of many names at once
 *
 * If both sides record the same work, the labels A and B of two blocks at the same place, or of
 * whole recordings, are arbitrary. So they are exchanged in all ways, or in many, and for each
 * exchange the clearest difference of all names is noted. A difference is significant if few
 * exchanges have one as clear. This assumes no distribution of the times, and it accounts for
 * the number of names (Westfall and Young, Resampling-Based Multiple Testing, 1993).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"

#define EXCHANGES_MAX 32768
#define HALF          8			/* bits of a table of sums */
/*
 * With fewer values, many exchanges give all of them one sign and nearly equal size: a rare name
 * would hide the differences of all others.
 */
#define PAIRS_MIN     10
#define UNITS_MIN     4

/* ---- exchanges: bit i for unit i; the units of B follow those of A ---- */

static double nr_ways(const struct diff_design *design)
{
	size_t n = design->nr[0], all = n + design->nr[1], i;
	double ways = 1;

	if (design->paired)
		return ldexp(1, (int)n);
	for (i = 0; i < n; i++)
		ways = ways * (double)(all - i) / (double)(i + 1);
	return round(ways);
}

bool diff_design_suffices(const struct diff_design *design, double error)
{
	bool symmetric = design->nr[0] == design->nr[1];

	return (symmetric ? 2 : 1) / nr_ways(design) <= error;
}

/* The next larger number with the same number of set bits */
static uint64_t next_choice(uint64_t v)
{
	uint64_t low = v & -v, carried = v + low;

	return carried | ((v ^ carried) / low >> 2);
}

static uint64_t random_bits(uint64_t *state)
{
	return keymap_scramble(*state += 0x9e3779b97f4a7c15u);
}

/* Chooses @nr of @all units. */
static uint64_t random_choice(size_t nr, size_t all, uint64_t *state)
{
	uint64_t choice = 0;

	while (nr) {
		uint64_t bit = 1ull << random_bits(state) % all;

		nr -= !(choice & bit);
		choice |= bit;
	}
	return choice;
}

/* All exchanges, or many; the first one exchanges nothing. New (free), NULL: no memory */
static uint64_t *list_ways(struct diff_design *design)
{
	size_t n = design->nr[0], all = n + design->nr[1], i;
	double nr = nr_ways(design);
	uint64_t *ways, state = 1;
	bool sampled;

	/* Exchanging all pairs only changes the sign. */
	if (design->paired)
		nr /= 2;
	sampled = nr > EXCHANGES_MAX;
	design->exchanges = sampled ? EXCHANGES_MAX : (size_t)nr;
	ways = calloc(design->exchanges, sizeof(*ways));
	if (!ways)
		return NULL;
	ways[0] = design->paired ? 0 : (1ull << n) - 1;
	for (i = 1; i < design->exchanges; i++)
		if (design->paired)
			ways[i] = sampled ? random_bits(&state) : i;
		else
			ways[i] = sampled ? random_choice(n, all, &state) :
					    next_choice(ways[i - 1]);
	return ways;
}

/* ---- the statistic ---- */

struct sums {
	double low[1 << HALF], high[1 << HALF];	/* of differences, by the signs of eight */
	double squares;
	size_t nr;				/* differences that are known */
};

static void add_up(const double d[HALF], double sums[1 << HALF])
{
	size_t way, i;

	for (way = 0; way < 1 << HALF; way++)
		for (i = 0, sums[way] = 0; i < HALF; i++)
			sums[way] += way >> i & 1 ? -d[i] : d[i];
}

static void prepare_pairs(const struct diff_design *design, const struct diff_test *test,
			  struct sums *s)
{
	double d[2 * HALF] = { 0 }, one;
	size_t i;

	s->nr = 0;
	s->squares = 0;
	for (i = 0; i < design->nr[0]; i++) {
		one = (test->values[1][i] - test->values[0][i]) * test->weights[i];
		if (!isfinite(one))
			continue;
		d[i] = one;
		s->squares += one * one;
		s->nr++;
	}
	add_up(d, s->low);
	add_up(d + HALF, s->high);
}

/* The statistic, and the difference of the means in *@difference */
static double paired_t(const struct diff_design *design, const struct sums *s, uint64_t way,
		       double *difference)
{
	double sum = s->low[way & ((1 << HALF) - 1)] + s->high[way >> HALF & ((1 << HALF) - 1)];
	double n = (double)s->nr, mean = sum / n, variance;

	*difference = s->nr ? mean : 0;
	if (s->nr < PAIRS_MIN)
		return 0;
	variance = (s->squares - sum * mean) / (n - 1);
	variance = variance > 0 ? variance / n : 0;
	return fabs(mean) / sqrt(variance + design->least * design->least);
}

static double unpaired_t(const struct diff_design *design, const struct diff_test *test,
			 uint64_t way, double *difference)
{
	double sum[2] = { 0 }, squares[2] = { 0 }, nr[2] = { 0 }, variance = 0, value;
	size_t i, side;

	for (i = 0; i < design->nr[0] + design->nr[1]; i++, way >>= 1) {
		value = i < design->nr[0] ? test->values[0][i] :
					    test->values[1][i - design->nr[0]];
		if (!isfinite(value))
			continue;
		side = !(way & 1);
		sum[side] += value;
		squares[side] += value * value;
		nr[side]++;
	}
	if (nr[0] < UNITS_MIN || nr[1] < UNITS_MIN)
		return 0;
	for (side = 0; side < 2; side++) {
		value = (squares[side] - sum[side] * sum[side] / nr[side]) / (nr[side] - 1);
		variance += value > 0 ? value / nr[side] : 0;
	}
	*difference = sum[1] / nr[1] - sum[0] / nr[0];
	return fabs(*difference) / sqrt(variance + design->least * design->least);
}

/* ---- neighbouring blocks are similar ---- */

/*
 * If the speed of the machine drifts, neighbours differ in the same direction, and the mean of all
 * varies more than exchanges show. The correlation of neighbours says by how much. One test has
 * too few of them, so the correlation is that of all tests.
 */
static double correlation(const struct diff_design *design, const struct diff_test tests[],
			  size_t nr)
{
	double products = 0, squares = 0;
	size_t n = design->nr[0], i, k;

	for (i = 0; i < nr; i++) {
		double d[2 * HALF], mean = 0, product = 0, square = 0;

		for (k = 0; k < n; k++) {
			d[k] = tests[i].weights[k] *
			       (tests[i].values[1][k] - tests[i].values[0][k]);
			mean += d[k] / (double)n;
		}
		for (k = 0; k < n; k++) {
			square += (d[k] - mean) * (d[k] - mean);
			product += k ? (d[k] - mean) * (d[k - 1] - mean) : 0;
		}
		if (isfinite(mean) && square > 0) {
			products += product / square;
			squares++;
		}
	}
	/* Measured from their own mean, independent neighbours seem negatively correlated. */
	return squares > 0 ? fmin(fmax(products / squares + 1 / (double)n, 0), 0.9) : 0;
}

/* ---- */

static int ascending(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

/* How many of @nr sorted numbers are not below @limit */
static size_t count_from(const double sorted[], size_t nr, double limit)
{
	size_t low = 0, high = nr, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (sorted[middle] < limit)
			low = middle + 1;
		else
			high = middle;
	}
	return nr - low;
}

int diff_exchange(struct diff_design *design, struct diff_test tests[], size_t nr)
{
	uint64_t *ways = list_ways(design);
	double *most = ways ? calloc(design->exchanges, sizeof(*most)) : NULL;
	struct sums *sums = most ? malloc(sizeof(*sums)) : NULL;
	double t, difference = 0, alike;
	size_t i, k;

	for (i = 0; i < nr && sums; i++) {
		if (design->paired)
			prepare_pairs(design, &tests[i], sums);
		for (k = 0; k < design->exchanges; k++) {
			t = design->paired ? paired_t(design, sums, ways[k], &difference) :
					     unpaired_t(design, &tests[i], ways[k], &difference);
			if (!k) {
				tests[i].t = t;
				tests[i].difference = difference;
			}
			if (t > most[k])
				most[k] = t;
		}
	}
	if (sums)
		qsort(most, design->exchanges, sizeof(*most), ascending);
	alike = design->paired ? correlation(design, tests, nr) : 0;
	for (i = 0; i < nr && sums; i++) {
		tests[i].t *= sqrt((1 - alike) / (1 + alike));
		/* Sums of the same numbers may differ in the last bit. */
		tests[i].p = (double)count_from(most, design->exchanges, tests[i].t * (1 - 1e-9)) /
			     (double)design->exchanges;
	}
	k = sums != NULL;
	free(sums);
	free(most);
	free(ways);
	return k ? 0 : -ENOMEM;
}
