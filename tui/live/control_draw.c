/* SPDX-License-Identifier: GPL-2.0-or-later */
/* control_draw.c - draw the settings, a line about the selected one, and the writes */
#include <stdio.h>
#include <string.h>

#include "control.h"

#define NAME_COLS 36			/* of the tree, if there is room */

struct control_rows control_rows(const struct view *v)
{
	const struct control_state *st = v->state;
	struct control_rows r = { .tree = v->rows - 1 };

	if (v->rows < 10)
		return r;
	r.about = 2;
	r.log = st->whole_log ? v->rows - 6 : v->rows / 4;
	r.tree = v->rows - 1 - r.about - 1 - r.log;
	return r;
}

/* The first characters of a row show the action of a key: unfold it, switch it, choose it. */
static const char *mark_of(const struct kt_control_row *row)
{
	if (row->folds)
		return row->open ? "\xe2\x96\xbe" : "\xe2\x96\xb8";
	if (row->kind == KT_CONTROL_TRACER_NAME || row->kind == KT_CONTROL_CLOCK_NAME)
		return row->state == KT_CONTROL_ON ? "(*)" : "( )";
	switch (row->state) {
	case KT_CONTROL_ON:	return "[x]";
	case KT_CONTROL_OFF:	return "[ ]";
	case KT_CONTROL_PARTLY:	return "[-]";
	default:		return " ";
	}
}

static enum style style_of(const struct kt_control_row *row)
{
	switch (row->kind) {
	case KT_CONTROL_SYSTEM:
		return row->state == KT_CONTROL_OFF ? STYLE_NORMAL : STYLE_STRONG;
	case KT_CONTROL_EVENT:
	case KT_CONTROL_OPTION:
	case KT_CONTROL_FUNCTION:
	case KT_CONTROL_TRACER_NAME:
	case KT_CONTROL_CLOCK_NAME:
		return row->state == KT_CONTROL_ON ? STYLE_EVENT : STYLE_NORMAL;
	default:
		return STYLE_STRONG;
	}
}

static const char *kind_name(enum kt_control_kind kind)
{
	switch (kind) {
	case KT_CONTROL_SYSTEM:		return "events";
	case KT_CONTROL_EVENT:		return "event";
	case KT_CONTROL_OPTION:		return "option";
	case KT_CONTROL_TRACER_NAME:	return "tracer";
	case KT_CONTROL_CLOCK_NAME:	return "clock";
	case KT_CONTROL_FUNCTION:	return "function";
	default:			return "";
	}
}

static int name_cols(const struct area *a)
{
	if (a->cols >= 100)
		return NAME_COLS + 12;
	return a->cols >= 60 ? NAME_COLS : a->cols / 2;
}

static void draw_row(const struct control_state *st, struct area a, int at,
		     const struct kt_control_row *row)
{
	int col = 1 + (int)row->depth * 2, names = name_cols(&a);
	char name[256];

	snprintf(name, sizeof(name), "%s%s%s", st->found ? row->system : "",
		 st->found && *row->system ? ":" : "", row->name);
	col = area_put(a, at, col, STYLE_DIM, mark_of(row), -1) + 1;
	area_put(a, at, col, style_of(row), name, names > col ? names - col : 1);
	col = names + 1;
	if (st->found) {
		area_put(a, at, col, STYLE_DIM, kind_name(row->kind), -1);
		col += 10;
	}
	area_put(a, at, col, row->kind == KT_CONTROL_EVENT ? STYLE_INFO : STYLE_DIM, row->value,
		 -1);
}

static void draw_head(const struct control_state *st, struct area a)
{
	char found[64];
	int col;

	area_fill(a, 0, 0, STYLE_HEAD, ' ', a.cols);
	if (!st->found && !st->typing) {
		area_put(a, 0, 1, STYLE_HEAD, "SETTING", -1);
		area_put(a, 0, name_cols(&a) + 1, STYLE_HEAD, "NOW", -1);
		return;
	}
	snprintf(found, sizeof(found), "%zu found%s ", st->nr_found,
		 st->nr_found > KT_CONTROL_FOUND ? ", the best shown" : "");
	col = area_put(a, 0, 1, STYLE_HEAD, "/", -1);
	col = area_put(a, 0, col, STYLE_HEAD, st->query.buf, -1);
	if (st->typing)
		area_cursor(a, 0, col);
	if (col + text_width(found) < a.cols)
		area_put_right(a, 0, a.cols, STYLE_HEAD, found);
}

/* A refused write has another row for the reason. */
static int rows_of(const struct control_state *st, size_t i)
{
	return kt_control_write(st->control, i).refused ? 2 : 1;
}

/* The last writes that fit */
static size_t first_write(const struct control_state *st, int rows)
{
	size_t first = kt_control_nr_writes(st->control);

	while (first && rows - rows_of(st, first - 1) >= 0)
		rows -= rows_of(st, --first);
	return first;
}

static void draw_log(const struct control_state *st, struct area a)
{
	size_t nr = kt_control_nr_writes(st->control), i;
	int at = 1;

	area_fill(a, 0, 0, STYLE_DIM, 0x2500, a.cols);
	area_put(a, 0, 1, STYLE_DIM, nr ? " written, and restored at the end " :
		 " nothing is written yet; at the end all is restored ", -1);
	for (i = first_write(st, a.rows - 1); i < nr; at += rows_of(st, i++)) {
		struct kt_control_write w = kt_control_write(st->control, i);

		area_put(a, at, 0, w.refused ? STYLE_ERROR : STYLE_DIM,
			 w.refused ? "\xe2\x9c\x97" : "\xe2\x9c\x93", -1);
		area_put(a, at, 2, STYLE_NORMAL, w.line, -1);
		if (w.refused)
			area_putf(a, at + 1, 2, STYLE_ERROR, "refused: %s", w.refused);
	}
}

/* In the available rows, broken at spaces */
static void draw_about(const char *text, struct area a)
{
	int row;

	for (row = 0; row < a.rows && text && *text; row++) {
		size_t len = strlen(text), most = (size_t)(a.cols > 2 ? a.cols - 2 : 1);

		if (len > most && row + 1 < a.rows) {
			for (len = most; len && text[len] != ' '; len--)
				;
			len = len ? len : most;
		}
		area_putn(a, row, 1, STYLE_DIM, text, len, -1);
		text += len;
		text += strspn(text, " ");
	}
}

void control_draw(const struct view *v, struct area a)
{
	const struct control_state *st = v->state;
	struct control_rows r = control_rows(v);
	size_t i;

	draw_head(st, a);
	for (i = 0; i < st->nr; i++) {
		draw_row(st, a, 1 + (int)i, &st->rows[i]);
		if (st->top + i == st->selected)
			area_select(a, 1 + (int)i);
	}
	if (!st->nr && st->found)
		area_put(a, 1, 1, STYLE_DIM, "no setting has these letters in this order", -1);
	if (!r.about)
		return;
	draw_about(st->about, area_part(a, 1 + r.tree, 0, r.about, a.cols));
	draw_log(st, area_part(a, 1 + r.tree + r.about, 0, r.log + 1, a.cols));
}
