/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency_svg.c - `ktrail latency --svg`: heat maps as a picture */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/export.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/output.h"
#include "latency.h"

/* From the smallest to the largest latency that occurs */
struct heat {
	struct kt_picture_heat_map map;
	uint64_t counts[KT_LATENCY_LEVELS * KT_LATENCY_COLUMNS];
	char label[KT_LATENCY_LEVELS][32];
	const char *labels[KT_LATENCY_LEVELS];
	char title[200];
};

static uint64_t count_at(const struct latency_part *part, unsigned int level, unsigned int column)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < part->nr; i++)
		if (part->rows[i].map && part->rows[i].map[level])
			nr += part->rows[i].map[level][column];
	return nr;
}

static void fill(struct heat *h, const struct latency_args *a, const struct latency_part *part)
{
	unsigned int level, column, row = 0, rows = 0;
	uint64_t *counts;
	bool any;

	for (level = 0; level < KT_LATENCY_LEVELS; level++) {
		any = false;
		counts = &h->counts[row * KT_LATENCY_COLUMNS];
		for (column = 0; column < KT_LATENCY_COLUMNS; column++) {
			counts[column] = count_at(part, level, column);
			any |= counts[column];
		}
		if (!any && !rows)
			continue;	/* below the smallest */
		h->labels[row] = units_format_time(kt_latency_level_from(level), h->label[row]);
		row++;
		rows = any ? row : rows;
	}
	snprintf(h->title, sizeof(h->title), "%s (%s)", kt_latency_kind_title(part->kind),
		 kt_latency_kind_name(part->kind));
	h->map = (struct kt_picture_heat_map){
		.title = h->title, .columns = KT_LATENCY_COLUMNS, .rows = rows,
		.counts = h->counts, .labels = h->labels,
		.from = a->window.from, .until = a->window.until,
	};
}

/* The maps of all kinds with values. @heats: room for each kind. Their number, or -ENOMEM */
static int fill_all(const struct latency_args *a, const struct kt_latency_table *table,
		    struct heat heats[])
{
	struct latency_part part;
	unsigned int kind;
	int nr = 0;

	for (kind = 0; kind < KT_LATENCY_KINDS; kind++) {
		if (!(a->opts.kinds & 1u << kind))
			continue;
		if (!latency_part(a, table, kind, &part))
			return -ENOMEM;
		fill(&heats[nr], a, &part);
		nr += heats[nr].map.rows > 0;
		free(part.rows);
	}
	return nr;
}

static int write_picture(const struct latency_args *a, const struct heat heats[], size_t nr,
			 struct kt_err *err)
{
	struct kt_picture_heat_map maps[KT_LATENCY_KINDS];
	struct str text = STR_INIT;
	char *svg;
	size_t i;
	int ret;

	for (i = 0; i < nr; i++)
		maps[i] = heats[i].map;
	svg = kt_picture_heat(maps, nr, err);
	if (!svg)
		return kt_err_code(err, -ENOMEM);
	str_add(&text, svg);
	free(svg);
	ret = text.failed ? -ENOMEM : output_put_text(a->svg, &text);
	str_fini(&text);
	return ret < 0 ? kt_err_set(err, ret, "cannot write %s: %s", a->svg, strerror(-ret)) : 0;
}

int latency_write_svg(const struct latency_args *a, const struct kt_latency_table *table,
		      struct kt_err *err)
{
	struct heat *heats = calloc(KT_LATENCY_KINDS, sizeof(*heats));
	int nr = heats ? fill_all(a, table, heats) : -ENOMEM, ret;

	if (nr < 0)
		ret = kt_err_result(err, nr);
	else if (!nr)
		ret = kt_err_set(err, -ENODATA, "%s has nothing to draw", a->input);
	else
		ret = write_picture(a, heats, (size_t)nr, err);
	free(heats);
	return ret;
}
