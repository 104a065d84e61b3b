/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw.c - the picture of the view of events */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "events.h"

#define NAME_COLS 15		/* minimum for the names of tasks and events */
#define NARROW_COLS 28		/* a text with fewer columns is narrow */
#define TEXT_COLS 36		/* enough for most texts */

static void format_time(const struct view *v, uint64_t ts, char text[40])
{
	const struct events_state *st = v->state;
	uint64_t shown = st->form == TIME_RELATIVE ? ts - v->app->span.from : ts;

	if (st->nanoseconds)
		snprintf(text, 40, "%" PRIu64 ".%09" PRIu64, shown / 1000000000,
			 shown % 1000000000);
	else
		units_format_moment(shown, text);
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
	case COLUMN_DELTA: return 7;
	case COLUMN_FIELD:
		head = text_width(c->field);
		return st->seen[i] > head ? st->seen[i] : head;
	default:	   return st->seen[i] > 8 ? st->seen[i] : 8;
	}
}

/* The number of columns that the text lacks. It should have two fifths, or as many as most texts
 * need */
static int missing(const struct view *v, const struct events_layout *l, int info)
{
	int i, wanted = v->cols * 2 / 5, left = v->cols - 2;

	for (i = 0; i < v->app->columns.nr; i++)
		if (i != info && l->width[i])
			left -= l->width[i] + 1;
	return (wanted < TEXT_COLS ? wanted : TEXT_COLS) - left;
}

static void hide(const struct view *v, struct events_layout *l, enum column_kind kind)
{
	const struct config *config = v->app->config;
	int i;

	if (v->app->columns_chosen || (config && config->columns.nr))
		return;
	for (i = 0; i < v->app->columns.nr; i++)
		if (v->app->columns.at[i].kind == kind)
			l->width[i] = 0;
}

static void shorten(const struct view *v, struct events_layout *l, int info, enum column_kind kind)
{
	const struct event_columns *c = &v->app->columns;
	int i, width;

	for (i = 0; i < c->nr; i++) {
		width = l->width[i] - missing(v, l, info);
		if (c->at[i].kind == kind && !c->at[i].width && width < l->width[i] &&
		    l->width[i] > NAME_COLS)
			l->width[i] = width > NAME_COLS ? width : NAME_COLS;
	}
}

/* The text is the most useful column: first the flags make room for it, then long names, then
 * times. */
static void make_room(const struct view *v, struct events_layout *l, int info)
{
	if (missing(v, l, info) > 0)
		hide(v, l, COLUMN_FLAGS);
	shorten(v, l, info, COLUMN_TASK);
	shorten(v, l, info, COLUMN_EVENT);
	if (missing(v, l, info) > TEXT_COLS / 3)
		hide(v, l, COLUMN_DELTA);
}

void events_layout(const struct view *v, struct events_layout *l)
{
	const struct event_columns *c = &v->app->columns;
	int i, info = -1, end = 2;

	for (i = 0; i < c->nr; i++) {
		l->width[i] = c->at[i].width ? c->at[i].width : needed_width(v, i);
		if (c->at[i].kind == COLUMN_INFO && !c->at[i].width)
			info = i;
	}
	/* The text gets the remaining columns. */
	if (info >= 0) {
		make_room(v, l, info);
		for (i = 0; i < c->nr; i++)
			end += i == info || !l->width[i] ? 0 : l->width[i] + 1;
		l->width[info] = v->cols - end > 12 ? v->cols - end - (info < c->nr - 1) : 12;
	}
	for (end = 2, i = 0; i < c->nr; i++) {
		l->at[i] = end;
		end += l->width[i] + (l->width[i] > 0);
	}
}

static void put_cell(struct area a, int row, int col, const struct event_line *l,
		     enum kt_cell_role role, enum style style, int width)
{
	area_putn(a, row, col, style, l->text + l->cells.cell[role].at, l->cells.cell[role].len,
		  width);
}

/* A mark is shown at the first event that is not before it. */
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

/* The text of an event, or its first line */
static const char *info_of(const struct event_line *l, size_t *len)
{
	const char *info = l->text + l->cells.cell[KT_CELL_INFO].at, *end;

	*len = l->cells.cell[KT_CELL_INFO].len;
	end = memchr(info, '\n', *len);
	if (end)
		*len = (size_t)(end - info);
	return info;
}

static void draw_info(struct area a, int row, int col, int width, const struct events_state *st,
		      const struct event_line *l)
{
	size_t len, skip = (size_t)st->scrolled;
	const char *info = info_of(l, &len);

	/* A narrow column has no room for the indentation of calls. */
	if (width < NARROW_COLS)
		skip += strspn(info, " ");
	if (skip > len)
		skip = len;
	area_putn(a, row, col, STYLE_INFO, info + skip, len - skip, width);
}

/* "3", or with several files "2:3" */
static void format_cpu(const struct view *v, const struct kt_record *rec, char text[40])
{
	const struct kt_source *src =
		kt_stream_source(kt_trace_stream(kt_model_trace(v->model)), rec->source);
	char file[16];

	snprintf(text, 40, "%s%d", app_file_prefix(v->app, src->file_index, file), src->cpu);
}

/* Right-aligned, or truncated without room */
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
		area_put_task(a, row, col, STYLE_TASK, l->text + l->cells.cell[KT_CELL_TASK].at,
			      l->cells.cell[KT_CELL_TASK].len, width);
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
		if (layout->width[k])
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
		if (!l->width[i])
			continue;
		else if (c->at[i].kind == COLUMN_FIELD)
			area_put(a, 0, l->at[i], STYLE_HEAD, c->at[i].field, l->width[i]);
		else if (c->at[i].kind <= COLUMN_CPU)
			put_number(a, 0, l->at[i], l->width[i], STYLE_HEAD, heads[c->at[i].kind]);
		else
			area_put(a, 0, l->at[i], STYLE_HEAD, heads[c->at[i].kind], l->width[i]);
}

static int percent(uint64_t part, uint64_t all)
{
	return part < all ? (int)((double)part * 100 / (double)all) : 100;
}

void events_tell_rest(const struct view *v, struct str *out)
{
	const struct events_state *st = v->state;
	const struct event_line *l = &st->lines[st->selected];
	struct events_layout layout;
	const char *info;
	size_t len, skip, most = 4 * (size_t)v->cols;
	int i;

	if (st->selected >= st->nr || !l->text || st->inspector.open)
		return;
	info = info_of(l, &len);
	skip = strspn(info, " |");
	len = len < most ? len : most;		/* no more fits into the line, in any case */
	events_layout(v, &layout);
	for (i = 0; i < st->columns.nr && skip < len; i++)
		if (st->columns.at[i].kind == COLUMN_INFO && (int)len > layout.width[i])
			str_addf(out, "   %.*s", (int)(len - skip), info + skip);
}

void events_tell_progress(const struct view *v, struct str *out)
{
	const struct events_state *st = v->state;
	const struct kt_window *all = &v->app->span;
	uint64_t from;

	if (st->nr < events_rows(v) && !st->at_end) {
		from = st->bottom.ts > all->from ? st->bottom.ts : all->from;
		str_addf(out, "looking for events: %d %%, Esc stops",
			 percent(kt_reader_reached(st->reader) - from, all->until - from));
	} else {
		from = st->top.ts < all->until ? st->top.ts : all->until;
		str_addf(out, "looking for events above: %d %%, Esc stops",
			 percent(from - kt_reader_reached(st->above), from - all->from));
	}
}

static void draw_empty(const struct view *v, struct area a)
{
	const struct events_state *st = v->state;

	if (st->halted)
		area_put(a, 2, 2, STYLE_NORMAL, "No events so far. The next move reads on.", -1);
	else if (!st->at_end)
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
