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

static int needed_width(const struct view *v, int i)
{
	const struct events_state *st = v->state;
	const struct event_column *c = &v->app->columns.at[i];
	char text[40];
	int head;

	switch (c->kind) {
	case COLUMN_TIME:
		format_time(v, v->app->span.until, text);
		return text_width(text);
	case COLUMN_CPU:
		return 3 + (int)strlen(app_file_prefix(v->app, 0, text));
	case COLUMN_FLAGS: return 6;
	case COLUMN_FIELD:
		head = text_width(c->field);
		return st->seen[i] > head ? st->seen[i] : head;
	default:	   return st->seen[i] > 8 ? st->seen[i] : 8;
	}
}

void events_layout(const struct view *v, struct events_layout *l)
{
	const struct event_columns *c = &v->app->columns;
	int i, info = -1, end = 2;

	for (i = 0; i < c->nr; i++) {
		l->width[i] = c->at[i].width ? c->at[i].width : needed_width(v, i);
		if (c->at[i].kind == COLUMN_INFO && !c->at[i].width)
			info = i;
		else
			end += l->width[i] + 1;
	}
	/* The text has what the others leave. */
	if (info >= 0)
		l->width[info] = v->cols - end > 12 ? v->cols - end - (info < c->nr - 1) : 12;
	for (end = 2, i = 0; i < c->nr; end += l->width[i++] + 1)
		l->at[i] = end;
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

static void draw_info(struct area a, int row, int col, int width, const struct events_state *st,
		      const struct event_line *l)
{
	const char *info = l->text + l->cells.cell[KT_CELL_INFO].at;
	size_t len = l->cells.cell[KT_CELL_INFO].len, skip = (size_t)st->scrolled;
	const char *line_end = memchr(info, '\n', len);

	if (line_end)
		len = (size_t)(line_end - info);
	if (skip > len)
		skip = len;
	area_putn(a, row, col, STYLE_INFO, info + skip, len - skip, width);
}

/* "3", or of several files "2:3" */
static void format_cpu(const struct view *v, const struct kt_record *rec, char text[40])
{
	const struct kt_source *src =
		kt_stream_source(kt_trace_stream(kt_model_trace(v->model)), rec->source);
	char file[16];

	snprintf(text, 40, "%s%d", app_file_prefix(v->app, src->file_index, file), src->cpu);
}

/* Right-aligned, or cut where there is too little room */
static void put_number(struct area a, int row, int col, int width, enum style style,
		       const char *text)
{
	if (text_width(text) <= width)
		area_put_right(a, row, col + width, style, text);
	else
		area_put(a, row, col, style, text, width);
}

/* The @nr-th of the values after the text of a line */
static const char *value_of(const struct event_line *l, int nr)
{
	const char *value = strchr(l->text, '\0') + 1;

	while (nr-- > 0)
		value = strchr(value, '\0') + 1;
	return value;
}

static void draw_cell(const struct view *v, struct area a, int row, int i, int col, int width,
		      const struct event_line *l, const struct event_line *before)
{
	const struct events_state *st = v->state;
	int k, nr = 0;
	char text[40];

	switch (st->columns.at[i].kind) {
	case COLUMN_TIME:
		format_time(v, l->rec.ts, text);
		put_number(a, row, col, width, STYLE_TIME, text);
		break;
	case COLUMN_DELTA:
		if (!before || l->rec.ts < before->rec.ts)
			break;
		units_format_time(l->rec.ts - before->rec.ts, text);
		put_number(a, row, col, width, STYLE_NUMBER, text);
		break;
	case COLUMN_CPU:
		format_cpu(v, &l->rec, text);
		put_number(a, row, col, width, STYLE_CPU, text);
		break;
	case COLUMN_TASK:
		put_cell(a, row, col, l, KT_CELL_TASK, STYLE_TASK, width);
		break;
	case COLUMN_FLAGS:
		put_cell(a, row, col, l, KT_CELL_FLAGS, STYLE_FLAGS, width);
		break;
	case COLUMN_EVENT:
		put_cell(a, row, col, l, KT_CELL_EVENT, STYLE_EVENT, width);
		break;
	case COLUMN_INFO:
		draw_info(a, row, col, width, st, l);
		break;
	case COLUMN_FIELD:
		for (k = 0; k < i; k++)
			nr += st->columns.at[k].kind == COLUMN_FIELD;
		area_put(a, row, col, STYLE_NUMBER, value_of(l, nr), width);
	}
}

static void draw_line(const struct view *v, struct area a, int row, int i,
		      const struct events_layout *layout)
{
	const struct events_state *st = v->state;
	const struct event_line *l = &st->lines[i], *before = i ? &st->lines[i - 1] : NULL;
	char text[40], mark = mark_at(v, l, before);
	int k;

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
	for (k = 0; k < st->columns.nr; k++)
		draw_cell(v, a, row, k, layout->at[k], layout->width[k], l, before);
}

static void draw_head(const struct view *v, struct area a, const struct events_layout *l)
{
	static const char *const heads[] = {
		[COLUMN_TIME] = "TIME", [COLUMN_DELTA] = "\xce\x94", [COLUMN_CPU] = "CPU",
		[COLUMN_TASK] = "TASK", [COLUMN_FLAGS] = "", [COLUMN_EVENT] = "EVENT",
		[COLUMN_INFO] = "INFO",
	};
	const struct event_columns *c = &v->app->columns;
	int i;

	for (i = 0; i < c->nr; i++)
		if (c->at[i].kind == COLUMN_FIELD)
			area_put(a, 0, l->at[i], STYLE_HEAD, c->at[i].field, l->width[i]);
		else if (c->at[i].kind <= COLUMN_CPU)
			put_number(a, 0, l->at[i], l->width[i], STYLE_HEAD, heads[c->at[i].kind]);
		else
			area_put(a, 0, l->at[i], STYLE_HEAD, heads[c->at[i].kind], l->width[i]);
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
	struct events_layout layout;
	int i, rows = events_rows(v);

	events_layout(v, &layout);
	draw_head(v, a, &layout);
	for (i = 0; i < st->nr && i < rows; i++) {
		draw_line(v, a, i + 1, i, &layout);
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
