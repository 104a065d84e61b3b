/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw.c - the picture of the view of latencies */
#include <inttypes.h>
#include <stdio.h>

#include "base/clamp.h"
#include "base/units.h"
#include "latency.h"

#define NAME_COLS 26			/* minimum for names */
#define BEGAN_END 17			/* ends of the columns of the list */
#define TOOK_END  28
#define HISTOGRAM 40			/* columns of labels, counts and bars */

static const struct {
	const char *name;
	int width;
} columns[] = {
	[SORT_COUNT] = { "count", 9 }, [SORT_MIN] = { "min", 8 }, [SORT_AVG] = { "avg", 8 },
	[SORT_P50] = { "p50", 8 }, [SORT_P90] = { "p90", 8 }, [SORT_P99] = { "p99", 8 },
	[SORT_P999] = { "p99.9", 8 }, [SORT_MAX] = { "max", 8 }, [SORT_WORST] = { "worst at", 15 },
	[SORT_CUT] = { "cut", 6 },
};

/* Columns that a narrow screen omits, in this order */
static const enum latency_sort least[] = {
	SORT_MIN, SORT_P90, SORT_CUT, SORT_P999, SORT_AVG, SORT_P50, SORT_WORST, SORT_P99,
};

/* The columns, and where they end */
struct table_layout {
	unsigned int shown;		/* bits 1 << enum latency_sort */
	int end;			/* of the numbers */
	int bars;			/* columns of the bar of a level, after them; 0: none */
};

static struct table_layout table_layout(const struct latency_state *st, int cols)
{
	struct table_layout l = { .shown = (1u << SORT_NR) - 1, .end = NAME_COLS };
	int levels = st->high - st->low + 1, names = st->name_cols + 3 - NAME_COLS;
	size_t i;

	for (i = SORT_COUNT; i < SORT_NR; i++)
		l.end += columns[i].width + 1;
	for (i = 0; l.end > cols && i < sizeof(least) / sizeof(*least); i++) {
		l.shown &= ~(1u << least[i]);
		l.end -= columns[least[i]].width + 1;
	}
	/* The remaining room is used for long names, and then for the distribution of each row. */
	if (names > 0)
		l.end += names < cols - l.end ? names : cols - l.end;
	if (levels > 0)
		l.bars = (cols - l.end - 3) / levels;
	l.bars = cols < l.end ? 0 : clamp(l.bars, 0, 3);
	if (!l.bars)
		l.end = cols;
	return l;
}

static void column_text(const struct kt_latency_row *r, enum latency_sort column, char text[40])
{
	const uint64_t values[SORT_NR] = {
		[SORT_MIN] = r->min, [SORT_AVG] = r->count ? r->sum / r->count : 0,
		[SORT_P50] = r->p50, [SORT_P90] = r->p90, [SORT_P99] = r->p99,
		[SORT_P999] = r->p999, [SORT_MAX] = r->max,
	};

	*text = 0;
	if (column == SORT_COUNT || column == SORT_CUT)
		snprintf(text, 40, "%" PRIu64, column == SORT_CUT ? r->cut : r->count);
	else if (r->count && column == SORT_WORST)
		units_format_moment(r->worst.until, text);
	else if (r->count)
		units_format_time(values[column], text);
}

/* 1 to @most, by powers of two */
static int log_scaled(uint64_t n, uint64_t all, int most)
{
	int bits = n ? 64 - __builtin_clzll(n) : 0, of = all ? 64 - __builtin_clzll(all) : 1;

	return n ? 1 + (bits - 1) * (most - 1) / (of > 1 ? of - 1 : 1) : 0;
}

static uint64_t fullest(const struct kt_latency_row *r)
{
	uint64_t most = 1;
	int level;

	for (level = 0; level < KT_LATENCY_LEVELS; level++)
		most = r->levels[level] > most ? r->levels[level] : most;
	return most;
}

/* The distribution of a row as bars, or the scale of all of them */
static void draw_bars(const struct latency_state *st, struct area a, int row, int width,
		      const struct kt_latency_row *r)
{
	char text[32];
	int level, high;

	if (!r) {
		high = (st->high - st->low + 1) * width;
		units_format_time(kt_latency_level_from((unsigned int)st->low), text);
		high -= area_put(a, row, 0, STYLE_HEAD, text, high);
		units_format_time(kt_latency_level_from((unsigned int)st->high), text);
		if (st->high > st->low && high > text_width(text))
			area_put_right(a, row, (st->high - st->low + 1) * width, STYLE_HEAD, text);
		return;
	}
	for (level = st->low; level <= st->high; level++)
		if (r->levels[level])
			area_fill(a, row, (level - st->low) * width, STYLE_RUN, 0x2580 +
				  (uint32_t)log_scaled(r->levels[level], fullest(r), 8), width);
}

/* @r: NULL: the head */
static enum style cell_style(const struct kt_latency_row *r, int column)
{
	if (!r)
		return STYLE_HEAD;
	if (column == SORT_WORST)
		return STYLE_TIME;
	return column == SORT_CUT && r->cut ? STYLE_WARN : STYLE_NUMBER;
}

/* @r: NULL: print the names of the columns */
static void draw_row(const struct view *v, struct area a, int row, const struct kt_latency_row *r,
		     const struct table_layout *l)
{
	const struct latency_state *st = v->state;
	const char *arrow = st->reverse ? "\xe2\x96\xb2" : "\xe2\x96\xbe";
	int end = l->end, i;
	char text[40];

	if (l->bars)
		draw_bars(st, area_part(a, 0, end + 2, a.rows, a.cols - end - 2), row, l->bars, r);
	for (i = SORT_NR - 1; i > SORT_NAME; i--) {
		if (!(l->shown & 1u << i))
			continue;
		if (r)
			column_text(r, (enum latency_sort)i, text);
		else
			snprintf(text, sizeof(text), "%s%s", (int)st->sort == i ? arrow : "",
				 columns[i].name);
		area_put_right(a, row, end, cell_style(r, i), text);
		end -= columns[i].width + 1;
	}
	if (r)
		area_put(a, row, 2, STYLE_TASK, r->name, end - 3 > 0 ? end - 3 : 1);
	else
		area_putf(area_part(a, row, 0, 1, end), 0, 1, STYLE_HEAD, "%s%s",
			  kt_latency_kind_title(st->kind),
			  st->sort == SORT_NAME ? " \xe2\x96\xbe" : "");
}

static void draw_table(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;
	struct table_layout l = table_layout(st, a.cols);
	int i;

	draw_row(v, a, 0, NULL, &l);
	for (i = 0; i < latency_table_rows(v) && st->top + i < (int)st->nr; i++) {
		draw_row(v, a, i + 1, &st->lines[st->top + i].row, &l);
		if (st->top + i != st->selected)
			continue;
		area_char(a, i + 1, 0, STYLE_STRONG, 0x258c);
		if (st->focus == FOCUS_ROWS) {
			area_select(a, i + 1);
			area_cursor(a, i + 1, 0);
		}
	}
}

/* ---- histogram and map ---- */

static void draw_map_row(struct area a, int row, const struct kt_latency_row *r, unsigned int level)
{
	static const struct {
		uint64_t below;
		uint32_t ch;
	} shades[] = {
		{ 1, ' ' }, { 2, 0xb7 }, { 8, 0x2591 }, { 64, 0x2592 }, { 512, 0x2593 },
		{ UINT64_MAX, 0x2588 },
	};
	int cols = a.cols < KT_LATENCY_COLUMNS ? a.cols : KT_LATENCY_COLUMNS, c, i;

	for (c = 0; c < cols && r->map[level]; c++) {
		uint64_t n = 0;
		size_t s = 0;

		for (i = c * KT_LATENCY_COLUMNS / cols; i < (c + 1) * KT_LATENCY_COLUMNS / cols;
		     i++)
			n += r->map[level][i];
		while (n >= shades[s].below && shades[s].below != UINT64_MAX)
			s++;
		area_char(a, row, c, n > 7 ? STYLE_STRONG : STYLE_NUMBER, shades[s].ch);
	}
}

/* The meaning of the shades, and the time range of the map */
static void draw_scales(const struct view *v, struct area a, int row)
{
	const struct latency_state *st = v->state;
	int end = a.cols - HISTOGRAM < KT_LATENCY_COLUMNS ? a.cols : HISTOGRAM + KT_LATENCY_COLUMNS;
	char text[48];

	area_put(a, row, 2, STYLE_DIM, "· 1  ░ 2  ▒ 8  ▓ 64  █ 512 or more",
		 HISTOGRAM - 3);
	area_char(a, row, HISTOGRAM - 1, STYLE_DIM, 0x2502);
	if (end < HISTOGRAM + 40)
		return;
	area_put(a, row, HISTOGRAM, STYLE_TIME, units_format_moment(st->window.from, text), -1);
	area_put_right(a, row, end, STYLE_TIME, units_format_moment(st->window.until, text));
}

/* From the highest level down: the levels of all rows if there is room, so that rows can be
 * compared. Returns the rows used. */
static int draw_levels(const struct view *v, struct area a, const struct kt_latency_row *r)
{
	const struct latency_state *st = v->state;
	int high = st->high, low = st->low, row, level, bar = HISTOGRAM - 22;
	uint64_t most = fullest(r);
	char text[32];

	if (high - low >= a.rows) {
		while (high > 0 && !r->levels[high])
			high--;
		while (low < high && !r->levels[low])
			low++;
	}
	if (st->focus == FOCUS_LEVELS && high - st->level >= a.rows)
		high = st->level + a.rows - 1;
	for (row = 0, level = high; row < a.rows && level >= low; row++, level--) {
		units_format_time(kt_latency_level_from((unsigned int)level), text);
		area_put_right(a, row, 9, STYLE_TIME, text);
		snprintf(text, sizeof(text), "%" PRIu64, r->levels[level]);
		area_put_right(a, row, 19, STYLE_NUMBER, r->levels[level] ? text : "");
		area_fill(a, row, 20, STYLE_RUN, 0x2588, log_scaled(r->levels[level], most, bar));
		area_char(a, row, HISTOGRAM - 1, STYLE_DIM, 0x2502);
		draw_map_row(area_part(a, 0, HISTOGRAM, a.rows, a.cols - HISTOGRAM), row, r,
			     (unsigned int)level);
		if (st->focus == FOCUS_LEVELS && level == st->level) {
			area_select(a, row);
			area_cursor(a, row, 0);
		}
	}
	if (row < a.rows)
		draw_scales(v, a, row++);
	return row;
}

static bool are_waits(const struct view *v)
{
	return ((const struct latency_state *)v->state)->kind <= KT_LATENCY_PREEMPTED;
}

static void draw_list_head(const struct view *v, struct area a)
{
	area_put_right(a, 0, BEGAN_END, STYLE_HEAD, "began at");
	area_put_right(a, 0, TOOK_END, STYLE_HEAD, "\xe2\x96\xbetook");
	area_put(a, 0, TOOK_END + 2, STYLE_HEAD, are_waits(v) ? "meanwhile" : "where", -1);
}

static void draw_one(const struct view *v, struct area a, int row, const struct kt_latency *one)
{
	bool waits = are_waits(v);
	char text[48], task[40];

	area_put_right(a, row, BEGAN_END, STYLE_TIME, units_format_moment(one->from, text));
	area_put_right(a, row, TOOK_END, STYLE_NUMBER,
		       units_format_time(one->until - one->from, text));
	latency_name_task(v, one->file, waits ? one->holder : one->pid, task, sizeof(task));
	area_putf(a, row, TOOK_END + 2, STYLE_TASK, waits ? "CPU %d had %s" : "CPU %d, %s",
		  one->cpu, task);
}

/* Below the histogram: the task of each of the longest, as many as fit */
static void draw_longest(const struct view *v, struct area a, const struct kt_latency_row *r)
{
	const struct latency_state *st = v->state;
	size_t i;

	if (a.rows < 3 || r->nr_longest < 2 || kt_latencies_done(st->l) < 1)
		return;
	draw_list_head(v, a);
	for (i = 0; i < r->nr_longest && (int)i + 1 < a.rows; i++)
		draw_one(v, a, (int)i + 1, &r->longest[i]);
}

static void draw_list(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;
	int row, i;

	draw_list_head(v, a);
	for (row = 1; row < a.rows; row++) {
		const struct kt_latency *one;

		i = st->list_top + row - 1;
		one = kt_latencies_listed(st->l, (size_t)i);
		if (!one)
			break;
		draw_one(v, a, row, one);
		if (i == st->list_selected) {
			area_select(a, row);
			area_cursor(a, row, 0);
		}
	}
}

/* The line below the table */
static void draw_rule(const struct view *v, struct area a, const struct kt_latency_row *r)
{
	const struct latency_state *st = v->state;
	struct str text = STR_INIT;
	char from[32];

	area_fill(a, 0, 0, STYLE_DIM, 0x2500, a.cols);
	if (st->focus == FOCUS_LIST) {
		units_format_time(kt_latency_level_from((unsigned int)st->level), from);
		str_addf(&text, " %s: the longest %zu of %" PRIu64 " from %s on ",
			 r->name, kt_latencies_nr_listed(st->l), r->levels[st->level], from);
	} else if (r->count) {
		str_addf(&text, " %s: worst ", r->name);
		latency_describe(v, &r->worst, &text);
		str_addc(&text, ' ');
	}
	if (r->cut && st->focus != FOCUS_LIST)
		str_addf(&text, " %" PRIu64 " cut off ", r->cut);
	area_put(a, 0, 2, STYLE_HEAD, text.buf, -1);
	str_fini(&text);
}

static void draw_empty(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;

	if (kt_latencies_done(st->l) < 1)
		area_put(a, 2, 2, STYLE_PROGRESS, "reading …", -1);
	else if (kt_model_is_filtered(v->model))
		area_put(a, 2, 2, STYLE_NORMAL, "None of these is shown: a filter hides the events "
			 "that end them (F shows them).", -1);
	else
		area_put(a, 2, 2, STYLE_NORMAL,
			 "This trace has none of these; x lists all kinds.", -1);
}

void latency_draw(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;
	const struct latency_line *line = latency_selected(v);
	int below = latency_table_rows(v) + 2, used;

	if (st->show_text) {
		latency_text_draw(v, a);
		return;
	}
	draw_table(v, a);
	if (!line) {
		draw_empty(v, a);
		return;
	}
	draw_rule(v, area_part(a, below - 1, 0, 1, a.cols), &line->row);
	a = area_part(a, below, 0, a.rows - below, a.cols);
	if (st->focus == FOCUS_LIST) {
		draw_list(v, a);
	} else if (line->row.count) {
		used = draw_levels(v, a, &line->row) + 1;
		draw_longest(v, area_part(a, used, 0, a.rows - used, a.cols), &line->row);
	}
}
