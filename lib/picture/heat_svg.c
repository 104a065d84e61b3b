/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* heat_svg.c - counts over time and size as an SVG file: higher counts are darker */
#include <ktrail/export.h>

#include <inttypes.h>
#include <math.h>

#include "base/str.h"
#include "base/units.h"
#include "picture/svg.h"

#define WIDTH  1200			/* pixels */
#define MARGIN 10
#define LABEL  70			/* left of a map */
#define HEAD   30			/* title of a map */
#define FOOT   34			/* its times */
#define ROW    14
#define TICKS  6

/* White, yellow, red, dark red: each step of the scale doubles the count. */
static void add_colour(struct str *s, uint64_t count, uint64_t most)
{
	double part = most > 1 ? log2((double)count) / log2((double)most) : 1;
	double green = part < 0.5 ? 235 - 180 * part : 290 * (1 - part);
	double red = part < 0.7 ? 255 : 255 - 400 * (part - 0.7);

	str_addf(s, "rgb(%.0f,%.0f,%.0f)", red, green, part < 0.3 ? 150 - 500 * part : 0);
}

static uint64_t most_of(const struct kt_picture_heat_map *m)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < m->columns * m->rows; i++)
		if (m->counts[i] > most)
			most = m->counts[i];
	return most;
}

static double second(const struct kt_picture_heat_map *m, double column)
{
	double part = column / (double)m->columns;

	return ((double)m->from + part * (double)(m->until - m->from)) / 1e9;
}

static void add_cells(struct str *s, const struct kt_picture_heat_map *m, double top)
{
	double width = (WIDTH - LABEL - 2 * MARGIN) / (double)m->columns;
	uint64_t most = most_of(m), count;
	size_t row, column;

	for (row = 0; row < m->rows; row++)
		for (column = 0; column < m->columns; column++) {
			count = m->counts[row * m->columns + column];
			if (!count)
				continue;
			str_addf(s, "<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" "
				 "fill=\"", MARGIN + LABEL + (double)column * width,
				 top + (double)(m->rows - 1 - row) * ROW, width, ROW);
			add_colour(s, count, most);
			str_addf(s, "\"><title>%" PRIu64 " from %.6f s, ", count,
				 second(m, (double)column));
			svg_add_text(s, m->labels[row]);
			str_add(s, " or more</title></rect>\n");
		}
}

static void add_axes(struct str *s, const struct kt_picture_heat_map *m, double top)
{
	double bottom = top + (double)m->rows * ROW, x;
	size_t row, every = 1 + m->rows / 20;
	const char *anchor;
	int i;

	for (row = 0; row < m->rows; row += every) {
		str_addf(s, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">", MARGIN + LABEL - 6,
			 bottom - (double)row * ROW - 3);
		svg_add_text(s, m->labels[row]);
		str_add(s, "</text>\n");
	}
	for (i = 0; i < TICKS; i++) {
		anchor = i < TICKS - 1 ? "middle" : "end";
		x = MARGIN + LABEL + (WIDTH - LABEL - 2.0 * MARGIN) * i / (TICKS - 1);
		str_addf(s, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">%.6f s</text>\n", x,
			 bottom + 16, i ? anchor : "start",
			 second(m, (double)m->columns * i / (TICKS - 1)));
	}
}

static void add_map(struct str *s, const struct kt_picture_heat_map *m, double top)
{
	str_addf(s, "<text x=\"%d\" y=\"%.0f\" class=\"title\">", MARGIN, top + 18);
	svg_add_text(s, m->title);
	str_addf(s, " (most in a cell: %" PRIu64 ")</text>\n<rect x=\"%d\" y=\"%.0f\" width=\"%d\" "
		 "height=\"%zu\" class=\"ground\"/>\n", most_of(m), MARGIN + LABEL, top + HEAD,
		 WIDTH - LABEL - 2 * MARGIN, m->rows * ROW);
	add_cells(s, m, top + HEAD);
	add_axes(s, m, top + HEAD);
}

char *kt_picture_heat(const struct kt_picture_heat_map *maps, size_t nr, struct kt_err *err)
{
	double height = MARGIN, top = MARGIN;
	struct str s = STR_INIT;
	char *text;
	size_t i;

	for (i = 0; i < nr; i++)
		height += HEAD + FOOT + (double)maps[i].rows * ROW;
	svg_begin(&s, WIDTH, (unsigned int)height + MARGIN,
		  ".title { font-weight: bold; } .ground { fill: #f4f4f4; }");
	for (i = 0; i < nr; i++) {
		add_map(&s, &maps[i], top);
		top += HEAD + FOOT + (double)maps[i].rows * ROW;
	}
	str_add(&s, "</svg>\n");
	text = str_take(&s);
	if (!text)
		kt_err_no_memory(err);
	return text;
}
