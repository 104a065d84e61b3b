/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events_draw.c - the picture of the view of events */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "events.h"

static void format_time(const struct view *v, uint64_t ts, char text[40])
{
	const struct events_state *st = v->state;
	uint64_t shown = st->form == TIME_RELATIVE ? ts - v->app->span.from : ts;

	if (st->nanoseconds)
		snprintf(text, 40, "%" PRIu64 ".%09" PRIu64, shown / 1000000000,
			 shown % 1000000000);
	else
		snprintf(text, 40, "%" PRIu64 ".%06" PRIu64, shown / 1000000000,
			 shown % 1000000000 / 1000);
}

/* Columns of the list, in order; those to the left of the screen shift the others */
struct columns {
	int time, delta, cpu, task, flags, event, info;
};

static struct columns columns_of(const struct view *v)
{
	const struct events_state *st = v->state;
	struct columns c;
	char text[40];

	format_time(v, v->app->span.until, text);
	c.time = 2;
	c.delta = c.time + text_width(text) + 1;
	c.cpu = c.delta + 9;
	c.task = c.cpu + 4;
	c.flags = c.task + (st->task_width > 8 ? st->task_width : 8) + 1;
	c.event = c.flags + 7;
	c.info = c.event + (st->event_width > 8 ? st->event_width : 8) + 1;
	return c;
}

static void put_cell(struct area a, int row, int col, const struct event_line *l,
		     enum kt_cell_role role, enum style style, int width)
{
	area_putn(a, row, col, style, l->text + l->cells.cell[role].at, l->cells.cell[role].len,
		  width);
}

/* A mark stands where its moment is: at the first event that is not before it. */
static char mark_at(const struct view *v, const struct event_line *l,
		    const struct event_line *before)
{
	struct kt_mark m;
	size_t i;

	for (i = 0; kt_model_mark(v->model, i, &m); i++)
		if (l->before.ts >= m.spot.ts && (!before || before->before.ts < m.spot.ts ||
						  (before->before.ts == m.spot.ts &&
						   l->before.ts == m.spot.ts &&
						   l->before.pos == m.spot.pos)))
			return *m.name;
	return 0;
}

static void draw_info(struct area a, int row, int col, const struct events_state *st,
		      const struct event_line *l)
{
	const char *info = l->text + l->cells.cell[KT_CELL_INFO].at;
	size_t len = l->cells.cell[KT_CELL_INFO].len, skip = (size_t)st->scrolled;
	const char *line_end = memchr(info, '\n', len);

	if (line_end)
		len = (size_t)(line_end - info);
	if (skip > len)
		skip = len;
	area_putn(a, row, col, STYLE_INFO, info + skip, len - skip, -1);
}

static int cpu_of(const struct view *v, const struct kt_record *rec)
{
	return kt_stream_source(kt_trace_stream(kt_model_trace(v->model)), rec->source)->cpu;
}

static void draw_line(const struct view *v, struct area a, int row, int i, const struct columns *c)
{
	const struct events_state *st = v->state;
	const struct event_line *l = &st->lines[i], *before = i ? &st->lines[i - 1] : NULL;
	char text[40], mark = mark_at(v, l, before);

	if (!l->text) {
		if (l->rec.lost == KT_LOST_UNKNOWN)
			snprintf(text, sizeof(text), " events lost here ");
		else
			snprintf(text, sizeof(text), " %u events lost here ", l->rec.lost);
		area_fill(a, row, 2, STYLE_LOST, 0x2500, a.cols - 2);
		area_put(a, row, 12, STYLE_LOST, text, -1);
		return;
	}
	if (mark)
		area_char(a, row, 0, STYLE_MARK, (uint32_t)mark);
	if (export_has(v->app, &l->before))
		area_char(a, row, 1, STYLE_MARK, 0x2502);
	format_time(v, l->rec.ts, text);
	area_put_right(a, row, c->delta - 1, STYLE_TIME, text);
	if (before && l->rec.ts >= before->rec.ts) {
		units_format_time(l->rec.ts - before->rec.ts, text);
		area_put_right(a, row, c->cpu - 1, STYLE_NUMBER, text);
	}
	snprintf(text, sizeof(text), "%d", cpu_of(v, &l->rec));
	area_put_right(a, row, c->task - 1, STYLE_CPU, text);
	put_cell(a, row, c->task, l, KT_CELL_TASK, STYLE_TASK, c->flags - c->task - 1);
	put_cell(a, row, c->flags, l, KT_CELL_FLAGS, STYLE_FLAGS, 6);
	put_cell(a, row, c->event, l, KT_CELL_EVENT, STYLE_EVENT, c->info - c->event - 1);
	draw_info(a, row, c->info, st, l);
}

static void draw_head(struct area a, const struct columns *c)
{
	area_put_right(a, 0, c->delta - 1, STYLE_HEAD, "TIME");
	area_put_right(a, 0, c->cpu - 1, STYLE_HEAD, "\xce\x94");
	area_put(a, 0, c->cpu, STYLE_HEAD, "CPU", -1);
	area_put(a, 0, c->task, STYLE_HEAD, "TASK", -1);
	area_put(a, 0, c->event, STYLE_HEAD, "EVENT", -1);
	area_put(a, 0, c->info, STYLE_HEAD, "INFO", -1);
}

static void draw_empty(const struct view *v, struct area a)
{
	const struct events_state *st = v->state;

	if (!st->at_end)
		area_put(a, 2, 2, STYLE_PROGRESS, "looking for events …", -1);
	else if (kt_model_is_filtered(v->model))
		area_put(a, 2, 2, STYLE_NORMAL,
			 "No matching events: a filter hides all (F shows them).", -1);
	else
		area_put(a, 2, 2, STYLE_NORMAL, "This trace has no events.", -1);
}

void events_draw(const struct view *v, struct area a)
{
	const struct events_state *st = v->state;
	struct columns c = columns_of(v);
	int i, rows = events_rows(v);

	draw_head(a, &c);
	for (i = 0; i < st->nr && i < rows; i++) {
		draw_line(v, a, i + 1, i, &c);
		if (i == st->selected) {
			area_select(a, i + 1);
			area_cursor(a, i + 1, 0);
		}
	}
	if (!st->nr)
		draw_empty(v, a);
	if (st->inspector.open)
		inspect_draw(&st->inspector, area_part(a, rows + 1, 0, a.rows - rows - 1, a.cols));
}
