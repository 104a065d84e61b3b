/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency_draw.c - the picture of the view of latencies */
#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "latency.h"

#define NAME_COLS 26			/* least for names */
#define BEGAN_END 17			/* columns of the list end there */
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

/* What a narrow screen leaves out, first things first */
static const enum latency_sort least[] = {
	SORT_MIN, SORT_P90, SORT_CUT, SORT_P999, SORT_AVG, SORT_P50, SORT_WORST, SORT_P99,
};

static unsigned int shown_columns(int cols)
{
	unsigned int shown = (1u << SORT_NR) - 1;
	int width = NAME_COLS;
	size_t i;

	for (i = SORT_COUNT; i < SORT_NR; i++)
		width += columns[i].width + 1;
	for (i = 0; width > cols && i < sizeof(least) / sizeof(*least); i++) {
		shown &= ~(1u << least[i]);
		width -= columns[least[i]].width + 1;
	}
	return shown;
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
		snprintf(text, 40, "%" PRIu64 ".%06" PRIu64, r->worst.until / 1000000000,
			 r->worst.until % 1000000000 / 1000);
	else if (r->count)
		units_format_time(values[column], text);
}

/* @r: NULL: the names of the columns */
static void draw_row(const struct view *v, struct area a, int row, const struct kt_latency_row *r,
		     unsigned int shown)
{
	const struct latency_state *st = v->state;
	int end = a.cols, i;
	char text[40];

	for (i = SORT_NR - 1; i > SORT_NAME; i--) {
		if (!(shown & 1u << i))
			continue;
		if (r)
			column_text(r, (enum latency_sort)i, text);
		else
			snprintf(text, sizeof(text), "%s%s", (int)st->sort != i ? "" :
				 st->reverse ? "\xe2\x96\xb2" : "\xe2\x96\xbe", columns[i].name);
		area_put_right(a, row, end, !r ? STYLE_HEAD : i == SORT_WORST ? STYLE_TIME :
			       i == SORT_CUT && r->cut ? STYLE_WARN : STYLE_NUMBER, text);
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
	unsigned int shown = shown_columns(a.cols);
	int i;

	draw_row(v, a, 0, NULL, shown);
	for (i = 0; i < latency_table_rows(v) && st->top + i < (int)st->nr; i++) {
		draw_row(v, a, i + 1, &st->lines[st->top + i].row, shown);
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

/* 1 to @most, by powers of two */
static int log_scaled(uint64_t n, uint64_t all, int most)
{
	int bits = n ? 64 - __builtin_clzll(n) : 0, of = all ? 64 - __builtin_clzll(all) : 1;

	return n ? 1 + (bits - 1) * (most - 1) / (of > 1 ? of - 1 : 1) : 0;
}

static void draw_map_row(struct area a, int row, const struct kt_latency_row *r, unsigned int level)
{
	static const uint32_t shades[] = { ' ', 0xb7, 0x2591, 0x2592, 0x2593, 0x2588 };
	int cols = a.cols < KT_LATENCY_COLUMNS ? a.cols : KT_LATENCY_COLUMNS, c, i;

	for (c = 0; c < cols; c++) {
		uint64_t n = 0;

		for (i = c * KT_LATENCY_COLUMNS / cols; i < (c + 1) * KT_LATENCY_COLUMNS / cols;
		     i++)
			n += r->map[i * KT_LATENCY_LEVELS + (int)level];
		area_char(a, row, c, n > 7 ? STYLE_STRONG : STYLE_NUMBER, shades[n ? n < 2 ? 1 :
			  n < 8 ? 2 : n < 64 ? 3 : n < 512 ? 4 : 5 : 0]);
	}
}

static void draw_levels(const struct view *v, struct area a, const struct kt_latency_row *r)
{
	const struct latency_state *st = v->state;
	int high = KT_LATENCY_LEVELS - 1, low = 0, row, level, bar = HISTOGRAM - 22;
	char text[32];
	uint64_t most = 1;

	while (high > 0 && !r->levels[high])
		high--;
	while (low < high && !r->levels[low])
		low++;
	for (level = low; level <= high; level++)
		most = r->levels[level] > most ? r->levels[level] : most;
	if (st->focus == FOCUS_LEVELS && high - st->level >= a.rows)
		high = st->level + a.rows - 1;
	for (row = 0, level = high; row < a.rows && level >= low; row++, level--) {
		units_format_time(kt_latency_level_from((unsigned int)level), text);
		area_put_right(a, row, 9, STYLE_TIME, text);
		snprintf(text, sizeof(text), "%" PRIu64, r->levels[level]);
		area_put_right(a, row, 19, STYLE_NUMBER, text);
		area_fill(a, row, 20, STYLE_RUN, 0x2588, log_scaled(r->levels[level], most, bar));
		area_char(a, row, HISTOGRAM - 1, STYLE_DIM, 0x2502);
		draw_map_row(area_part(a, 0, HISTOGRAM, a.rows, a.cols - HISTOGRAM), row, r,
			     (unsigned int)level);
		if (st->focus == FOCUS_LEVELS && level == st->level) {
			area_select(a, row);
			area_cursor(a, row, 0);
		}
	}
}

static void draw_list(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;
	bool waits = st->kind <= KT_LATENCY_PREEMPTED;
	int row, i;

	area_put_right(a, 0, BEGAN_END, STYLE_HEAD, "began at");
	area_put_right(a, 0, TOOK_END, STYLE_HEAD, "\xe2\x96\xbetook");
	area_put(a, 0, TOOK_END + 2, STYLE_HEAD, waits ? "meanwhile" : "where", -1);
	for (row = 1; row < a.rows; row++) {
		const struct kt_latency *one;
		char text[48], task[40];

		i = st->list_top + row - 1;
		one = kt_latencies_listed(st->l, (size_t)i);
		if (!one)
			break;
		snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, one->from / 1000000000,
			 one->from % 1000000000 / 1000);
		area_put_right(a, row, BEGAN_END, STYLE_TIME, text);
		area_put_right(a, row, TOOK_END, STYLE_NUMBER,
			       units_format_time(one->until - one->from, text));
		latency_name_task(v, one->file, waits ? one->holder : one->pid, task, sizeof(task));
		area_putf(a, row, TOOK_END + 2, STYLE_TASK, waits ? "CPU %d had %s" : "CPU %d, %s",
			  one->cpu, task);
		if (i == st->list_selected) {
			area_select(a, row);
			area_cursor(a, row, 0);
		}
	}
}

/* The line between the table and what is below it */
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
		str_addf(&text, " %" PRIu64 " cut by lost events or the ends of the trace ",
			 r->cut);
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
			 "This trace has none of these; x shows other kinds.", -1);
}

void latency_draw(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;
	const struct latency_line *line = latency_selected(v);
	int below = latency_table_rows(v) + 2;

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
	if (st->focus == FOCUS_LIST)
		draw_list(v, a);
	else if (line->row.count)
		draw_levels(v, a, &line->row);
}
