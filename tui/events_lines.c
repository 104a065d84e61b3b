/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events_lines.c - the lines of the view of events, read from where it stands */
#include "events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"

bool events_is_late(void *data)
{
	return moment_ms() > ((struct events_state *)data)->deadline;
}

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

/* What the columns that are fields show of an event: nothing if it has no such field */
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

/* Other columns: the lines are made anew. */
static void take_columns(struct view *v)
{
	struct events_state *st = v->state;

	if (memcmp(&st->columns, &v->app->columns, sizeof(st->columns)) == 0)
		return;
	st->columns = v->app->columns;
	memset(st->seen, 0, sizeof(st->seen));
	st->fresh = false;
}

void events_fill(struct view *v)
{
	struct events_state *st = v->state;
	int rows = events_rows(v), ret;
	struct kt_spot before;
	struct kt_record rec;

	take_columns(v);
	if (!st->fresh) {
		events_clear_lines(st);
		st->bottom = st->top;
		st->at_end = false;
	}
	st->fresh = true;
	while (st->nr > rows)
		free(st->lines[--st->nr].text);
	if (make_room(st, rows) < 0)
		return;
	st->deadline = moment_ms() + EVENTS_READ_MS;
	if (kt_reader_go(st->reader, &st->bottom, NULL) < 0)
		return;
	while (st->nr < rows && !st->at_end) {
		kt_reader_tell(st->reader, &before);
		ret = kt_reader_next(st->reader, &rec, NULL);
		if (ret == -EINTR)
			break;
		if (ret <= 0) {
			st->at_end = true;
			break;
		}
		/* Its own time, but on a CPU whose time went back */
		if (rec.ts >= before.ts)
			before = (struct kt_spot){ rec.ts, rec.pos, rec.source };
		if (rec.lost && st->nr + 1 < rows)
			add_lost(st, &rec, &before);
		if (add_line(v, &rec, &before) < 0)
			break;
	}
	kt_reader_tell(st->reader, &st->bottom);
	if (st->selected >= st->nr || st->to_end)
		st->selected = st->nr ? st->nr - 1 : 0;
	st->to_end = st->to_end && (st->pending || !st->at_end);
}
