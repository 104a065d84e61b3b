/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.c - read the lines of the view of events, up and down from its present place */
#include "events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int events_rows(const struct view *v)
{
	const struct events_state *st = v->state;
	int rows = v->rows - 1 - (st->inspector.open ? inspect_rows(v->rows) : 0);

	return rows > 0 ? rows : 1;
}

void events_clear_lines(struct events_state *st)
{
	while (st->nr > 0)
		free(st->lines[--st->nr].text);
}

void events_select_line(struct events_state *st)
{
	if (st->selected >= st->nr)
		st->selected = st->nr ? st->nr - 1 : 0;
}

static int make_room(struct events_state *st, int rows)
{
	struct event_line *grown;

	if (rows <= st->room)
		return 0;
	grown = reallocarray(st->lines, (size_t)rows, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	st->lines = grown;
	st->room = rows;
	return 0;
}

static void add_lost(struct events_state *st, const struct kt_record *rec,
		     const struct kt_spot *before)
{
	st->lines[st->nr] = (struct event_line){ .rec = *rec, .before = *before };
	st->nr++;
}

static void widen(struct events_state *st, int column, int width, int most)
{
	width = width < most ? width : most;
	if (width > st->seen[column])
		st->seen[column] = width;
}

/* The values of field columns of an event; empty if it has no such field */
static void add_values(struct view *v, const struct kt_record *rec, struct str *text)
{
	struct events_state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	const struct kt_event *ev = kt_trace_event(t, rec);
	int i;

	for (i = 0; i < st->columns.nr; i++) {
		const struct event_column *col = &st->columns.at[i];
		const struct kt_field *f;
		size_t from = text->len;

		if (col->kind != COLUMN_FIELD)
			continue;
		f = ev ? kt_event_field(ev, col->field) : NULL;
		if (f)
			inspect_value(text, t, ev, f, rec);
		widen(st, i, text_width(text->buf + from), 40);
		str_addc(text, '\0');
	}
}

static int add_line(struct view *v, const struct kt_record *rec, const struct kt_spot *before)
{
	struct events_state *st = v->state;
	struct event_line *l = &st->lines[st->nr];
	struct str text = STR_INIT;
	int i;

	*l = (struct event_line){ .rec = *rec, .before = *before };
	if (kt_text_cells(kt_model_text(v->model, !st->plain), rec, NULL, st->out, &l->cells) < 0)
		return -ENOMEM;
	str_add(&text, kt_out_data(st->out));
	str_addc(&text, '\0');
	add_values(v, rec, &text);
	l->text = str_take(&text);
	if (!l->text)
		return -ENOMEM;
	st->nr++;
	for (i = 0; i < st->columns.nr; i++)
		if (st->columns.at[i].kind == COLUMN_TASK)
			widen(st, i, l->cells.cell[KT_CELL_TASK].len, 20);
		else if (st->columns.at[i].kind == COLUMN_EVENT)
			widen(st, i, l->cells.cell[KT_CELL_EVENT].len, 24);
	return 0;
}

/* The columns have changed: read the lines again. */
static void take_columns(struct view *v)
{
	struct events_state *st = v->state;

	if (memcmp(&st->columns, &v->app->columns, sizeof(st->columns)) == 0)
		return;
	st->columns = v->app->columns;
	memset(st->seen, 0, sizeof(st->seen));
	st->fresh = false;
}

/* Move a reader to a spot, unless it was stopped while reading from there: then it continues. */
static int stand_at(struct kt_reader *r, const struct kt_spot *spot)
{
	struct kt_spot at;

	kt_reader_tell(r, &at);
	if (at.ts == spot->ts && at.pos == spot->pos && at.source == spot->source)
		return 0;
	return kt_reader_go(r, spot, NULL);
}

struct kt_spot events_spot_of(const struct kt_record *rec, const struct kt_spot *told)
{
	return rec->ts < told->ts ? *told : (struct kt_spot){ rec->ts, rec->pos, rec->source };
}

/* The next event below the last line. False: there is none, or not in time */
static bool add_below(struct view *v, int rows)
{
	struct events_state *st = v->state;
	struct kt_spot before = st->bottom;
	struct kt_record rec;
	int ret = stand_at(st->reader, &before);

	ret = ret < 0 ? ret : kt_reader_next(st->reader, &rec, NULL);
	st->at_end = ret <= 0 && ret != -EINTR;
	if (ret <= 0)
		return false;
	before = events_spot_of(&rec, &before);
	if (rec.lost && st->nr + 1 < rows)
		add_lost(st, &rec, &before);
	if (add_line(v, &rec, &before) < 0)
		return false;
	kt_reader_tell(st->reader, &st->bottom);
	if (st->owed) {
		st->owed--;
		st->selected = st->nr - 1;
	}
	return true;
}

static void last_to_front(struct events_state *st)
{
	struct event_line last = st->lines[st->nr - 1];

	memmove(st->lines + 1, st->lines, (size_t)(st->nr - 1) * sizeof(last));
	st->lines[0] = last;
}

/* Drop lines that no longer fit; a row of lost events is dropped with its event. */
static void drop_last(struct events_state *st, int rows)
{
	if (st->nr <= rows)
		return;
	do {
		free(st->lines[--st->nr].text);
		st->bottom = st->lines[st->nr].before;
	} while (st->nr > rows || (st->nr && !st->lines[st->nr - 1].text));
	st->at_end = false;
}

/* The event above the first line */
static bool add_above(struct view *v, int rows)
{
	struct events_state *st = v->state;
	int nr = st->nr, ret = stand_at(st->above, &st->top);
	struct kt_spot before;
	struct kt_record rec;

	ret = ret < 0 ? ret : kt_reader_prev(st->above, &rec, NULL);
	if (ret <= 0) {
		st->pending = ret == -EINTR ? st->pending : 0;
		return false;
	}
	kt_reader_tell(st->above, &before);
	before = events_spot_of(&rec, &before);
	if (add_line(v, &rec, &before) < 0)
		return false;
	last_to_front(st);
	if (rec.lost && (st->climbs || st->nr < rows)) {
		add_lost(st, &rec, &before);
		last_to_front(st);
	}
	st->top = before;
	st->pending++;
	if (st->climbs)
		drop_last(st, rows);
	else
		st->selected += st->nr - nr;
	return true;
}

static void scroll_up(struct view *v)
{
	struct events_state *st = v->state;
	int rows = events_rows(v);

	if (make_room(st, rows + 2) < 0)
		return;
	while (st->pending < 0 && (st->climbs || st->nr < rows))
		if (!add_above(v, rows))
			return;
	st->pending = 0;
}

void events_drop_first(struct events_state *st, int rows)
{
	int nr = 0, i;

	/* Where both do not fit, the selected event remains without its row of lost events. */
	while (nr < st->nr && nr < st->selected &&
	       (nr < rows || (nr && !st->lines[nr - 1].text)))
		nr++;
	for (i = 0; i < nr; i++)
		free(st->lines[i].text);
	st->nr -= nr;
	memmove(st->lines, st->lines + nr, (size_t)st->nr * sizeof(*st->lines));
	st->top = st->nr ? st->lines[0].before : st->bottom;
	st->selected -= nr;
}

/* Fill the lines to the bottom, except those for events from above. False: it was interrupted */
static bool fill(struct view *v)
{
	struct events_state *st = v->state;
	int rows = events_rows(v), full = rows;

	if (st->pending < 0)
		full = st->pending > -rows ? rows + (int)st->pending : 0;
	if (make_room(st, rows + 2) < 0)
		return false;
	while (st->nr < full && !st->at_end && add_below(v, rows))
		;
	/* The selected line may be one of those that are still missing. */
	if (st->nr < full && !st->at_end)
		return false;
	if (st->at_end)
		st->owed = 0;
	events_select_line(st);
	return true;
}

void events_read(struct view *v)
{
	struct events_state *st = v->state;
	int rows = events_rows(v);

	take_columns(v);
	if (st->selected >= rows)
		events_drop_first(st, st->selected - rows + 1);
	if (!st->fresh) {
		events_clear_lines(st);
		st->bottom = st->top;
		st->at_end = false;
	}
	st->fresh = true;
	drop_last(st, rows);
	/* Lines above move the selection: it needs its own line first. */
	if (!st->halted && fill(v) && st->pending) {
		scroll_up(v);
		fill(v);
	}
}

bool events_are_missing(const struct view *v)
{
	const struct events_state *st = v->state;

	return !st->halted && (st->pending || (st->nr < events_rows(v) && !st->at_end));
}
