/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency_picture.c - latencies as a histogram, and as a map of time and length */
#include <inttypes.h>
#include <stdio.h>

#include "base/str.h"
#include "base/units.h"
#include "latency.h"

#define LABEL      10		/* columns of the level */
#define COUNT      10
#define MAP_LEAST  20
#define WIDTH      80		/* without a terminal */

static uint64_t count_in(const struct latency_part *part, unsigned int level)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < part->nr; i++)
		nr += part->rows[i].levels[level];
	return nr;
}

/* From the first to the last level that is not empty; false: all are empty */
static bool find_levels(const struct latency_part *part, unsigned int *first, unsigned int *last)
{
	unsigned int i;

	*first = KT_LATENCY_LEVELS;
	for (i = 0; i < KT_LATENCY_LEVELS; i++) {
		if (!count_in(part, i))
			continue;
		if (*first == KT_LATENCY_LEVELS)
			*first = i;
		*last = i;
	}
	return *first < KT_LATENCY_LEVELS;
}

static int bits_of(uint64_t n)
{
	return n ? 64 - __builtin_clzll(n) : 0;
}

void latency_add_histogram(struct str *s, const struct latency_part *part, int width)
{
	int room = (width ? width : WIDTH) - LABEL - COUNT - 3, length, k;
	unsigned int first, last, i;
	uint64_t most = 0, nr;
	char text[32];

	if (!find_levels(part, &first, &last))
		return;
	for (i = first; i <= last; i++)
		most = count_in(part, i) > most ? count_in(part, i) : most;
	str_addf(s, "%*s %*s  (bars: logarithmic)\n", LABEL, "from", COUNT, "count");
	for (i = first; i <= last; i++) {
		nr = count_in(part, i);
		length = nr ? room * bits_of(nr) / bits_of(most) : 0;
		str_addf(s, "%*s %*" PRIu64 "%s", LABEL,
			 units_format_time(kt_latency_level_from(i), text), COUNT, nr,
			 nr ? "  " : "");
		for (k = 0; k < length || (nr && !k); k++)
			str_addc(s, '#');
		str_addc(s, '\n');
	}
}

/* A cell covers several columns of the rows' maps. */
static uint64_t cell(const struct latency_part *part, unsigned int level, int x, int cells)
{
	int from = x * KT_LATENCY_COLUMNS / cells, until = (x + 1) * KT_LATENCY_COLUMNS / cells, c;
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < part->nr; i++)
		for (c = from; c < until && part->rows[i].map[level]; c++)
			nr += part->rows[i].map[level][c];
	return nr;
}

void latency_add_map(struct str *s, const struct latency_args *a, const struct latency_part *part,
		     int width)
{
	static const char shades[] = " .:-=+*#%@";
	int cells = (width ? width : WIDTH) - LABEL - 3, x, shade;
	unsigned int first, last, i;
	char text[32];

	if (!find_levels(part, &first, &last))
		return;
	if (cells > KT_LATENCY_COLUMNS)
		cells = KT_LATENCY_COLUMNS;
	if (cells < MAP_LEAST)
		cells = MAP_LEAST;
	for (i = last + 1; i-- > first;) {
		str_addf(s, "%*s |", LABEL, units_format_time(kt_latency_level_from(i), text));
		for (x = 0; x < cells; x++) {
			shade = bits_of(cell(part, i, x, cells));
			str_addc(s, shades[shade < 9 ? shade : 9]);
		}
		str_add(s, "|\n");
	}
	str_addf(s, "%*s  %.6f to %.6f s; . is 1, each shade twice as many\n", LABEL, "",
		 (double)a->window.from / 1e9, (double)a->window.until / 1e9);
}
