/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline_draw.c - the picture of the view of time */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "timeline.h"

static uint32_t hue_of(int pid)
{
	return STYLE_HUE + ((uint32_t)pid * 2654435761u >> 16) % STYLE_HUES;
}

static void draw_cell(struct area a, int row, int col, const struct kt_timeline_row *r,
		      const struct kt_timeline_cell *c)
{
	if (c->lost)
		area_char(a, row, col, STYLE_LOST, '!');
	else if (c->irq > 127 || (c->irq && c->state == KT_TIMELINE_UNKNOWN))
		area_char(a, row, col, STYLE_IRQ, 0x259a);
	else if (c->state == KT_TIMELINE_RUN)
		area_char(a, row, col, r->is_cpu ? hue_of(c->pid) : STYLE_RUN, 0x2588);
	else if (c->state == KT_TIMELINE_WAIT)
		area_char(a, row, col, STYLE_WAIT, 0x2592);
	else if (c->state == KT_TIMELINE_PREEMPTED)
		area_char(a, row, col, STYLE_WAIT, 0x2593);
	else if (c->state == KT_TIMELINE_BLOCKED)
		area_char(a, row, col, STYLE_BLOCKED, 0x2585);
	else if (c->state == KT_TIMELINE_IDLE)
		area_char(a, row, col, STYLE_BLOCKED, r->is_cpu ? 0x2591 : 0x2581);
	else if (c->events)
		area_char(a, row, col, STYLE_DIM, 0xb7);
}

/* The task's name where it has enough columns in a row */
static void draw_names(const struct view *v, struct area a, int row,
		       const struct kt_timeline_row *r, int cols)
{
	int from, to;
	char name[40];

	for (from = 0; from < cols; from = to) {
		const struct kt_timeline_cell *c = &r->cells[from];

		for (to = from + 1; to < cols && r->cells[to].state == c->state &&
				    r->cells[to].pid == c->pid; to++)
			;
		if (c->state != KT_TIMELINE_RUN || c->pid == 0)
			continue;
		timeline_name_task(v, r->file, c->pid, name, sizeof(name));
		if (text_width(name) + 4 <= to - from)
			area_put(a, row, from + 1, STYLE_STRONG, name, to - from - 2);
	}
}

static int pinned_rows(const struct timeline_state *st)
{
	return (int)st->nr_pinned < st->nr_fixed ? (int)st->nr_pinned : st->nr_fixed;
}

static void draw_row(const struct view *v, struct area a, int row, const struct kt_timeline_row *r,
		     bool pinned)
{
	const struct timeline_state *st = v->state;
	struct area picture = area_part(a, 0, TIMELINE_LABEL, a.rows, a.cols - TIMELINE_LABEL);
	char name[40];
	int i, cols = st->columns < picture.cols ? st->columns : picture.cols;

	if (r->is_cpu)
		snprintf(name, sizeof(name), "CPU %d", r->cpu);
	else
		timeline_name_task(v, r->file, r->pid, name, sizeof(name));
	if (pinned)
		area_char(a, row, 0, STYLE_MARK, '*');
	area_put(a, row, 1, r->is_cpu ? STYLE_STRONG : STYLE_TASK, name, TIMELINE_LABEL - 2);
	for (i = 0; i < cols; i++)
		draw_cell(picture, row, i, r, &r->cells[i]);
	if (r->is_cpu)
		draw_names(v, picture, row, r, cols);
}

static int column_at(const struct view *v, uint64_t ts)
{
	const struct timeline_state *st = v->state;

	return ts < st->window.from || ts > st->window.until ? -1 :
	       (int)((ts - st->window.from) / timeline_column_ns(v));
}

static void draw_ruler(const struct view *v, struct area a)
{
	const struct timeline_state *st = v->state;
	struct area picture = area_part(a, 0, TIMELINE_LABEL, 1, a.cols - TIMELINE_LABEL);
	char text[48];
	int col;

	for (col = 0; col + 16 < picture.cols; col += 20) {
		uint64_t ts = st->window.from + (uint64_t)col * timeline_column_ns(v);
		int digits = timeline_column_ns(v) >= 1000 ? 6 : 9;

		area_char(picture, 0, col, STYLE_DIM, 0x2502);
		snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64, ts / 1000000000, digits,
			 ts % 1000000000 / (digits == 6 ? 1000 : 1));
		area_put(picture, 0, col + 1, STYLE_TIME, text, -1);
	}
}

static void draw_moments(const struct view *v, struct area a)
{
	struct area line = area_part(a, a.rows - 1, TIMELINE_LABEL, 1, a.cols - TIMELINE_LABEL);
	struct kt_mark m;
	size_t i;
	int col = column_at(v, kt_model_cursor(v->model).ts);

	if (col >= 0)
		area_char(line, 0, col, STYLE_STRONG, 0x25b2);
	for (i = 0; kt_model_mark(v->model, i, &m); i++) {
		col = column_at(v, m.spot.ts);
		if (col >= 0)
			area_char(line, 0, col, STYLE_MARK, (uint32_t)*m.name);
	}
}

void timeline_draw(const struct view *v, struct area a)
{
	const struct timeline_state *st = v->state;
	int line, cursor = column_at(v, kt_model_cursor(v->model).ts);
	struct kt_timeline_row r;

	draw_ruler(v, a);
	for (line = 0; line < a.rows - 2; line++) {
		int row = timeline_row_at(v, line);

		if (!timeline_row(st, row, &r))
			break;
		draw_row(v, a, line + 1, &r,
			 row >= st->nr_fixed - pinned_rows(st) && row < st->nr_fixed);
		if (row == st->selected) {
			area_select(area_part(a, line + 1, 0, 1, TIMELINE_LABEL), 0);
			area_cursor(a, line + 1, cursor >= 0 ? TIMELINE_LABEL + cursor : 0);
		}
	}
	if (!kt_timeline_nr(st->timeline))
		area_putf(a, 2, 2, STYLE_PROGRESS, "reading … %d%%",
			  (int)(100 * kt_timeline_done(st->timeline)));
	draw_moments(v, a);
}
