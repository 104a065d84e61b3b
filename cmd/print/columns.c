/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - the only file that uses libsmartcols */
#include "columns.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libsmartcols.h>

#include "base/str.h"
#include "pager.h"
#include "safe.h"

#define LONG_TEXT   24	/* bytes: shorter cells are not wrapped */
#define LEAST_WIDTH 10	/* of such a text in a narrow terminal */
#define NO_TERMINAL 80	/* columns, for a table that can do with fewer */
#define GAP         2	/* between columns */

static int add_column(struct libscols_table *t, const char *name, size_t len, bool right)
{
	char *own = strndup(name, len);
	struct str s = STR_INIT;
	int ret = -ENOMEM;

	safe_add_known(&s, own ? own : "");
	if (own && !s.failed && scols_table_new_column(t, s.buf, 0, right ? SCOLS_FL_RIGHT : 0))
		ret = 0;
	str_fini(&s);
	free(own);
	return ret;
}

static int make_table(struct columns *c)
{
	struct libscols_table *t = scols_new_table();
	int ret = t ? 0 : -ENOMEM;
	const char *name = c->head;
	bool more = true;
	size_t len, own;

	if (ret < 0)
		return ret;
	c->table = t;
	/* Cells come escaped. */
	scols_table_enable_noencoding(t, true);
	scols_table_set_column_separator(t, "  ");
	scols_table_set_termforce(t, SCOLS_TERMFORCE_NEVER);
	/* "A|B|": the third column has no name */
	for (; ret == 0 && more; name += len + more, c->nr_columns++) {
		bool right;

		len = strcspn(name, "|");
		more = name[len];
		own = strcspn(name, "|?");
		right = own && name[own - 1] == '>';
		ret = add_column(t, name, own - right, right);
		if (c->nr_columns < COLUMNS_MAX) {
			c->widest[c->nr_columns] = own - right;
			c->rank[c->nr_columns] = own < len ? name[own + 1] : 0;
		}
	}
	return ret;
}

static int add_taken(struct columns *c, char *cell)
{
	if (!cell || (!c->table && make_table(c) < 0))
		return -ENOMEM;
	if (c->at < COLUMNS_MAX && strlen(cell) > c->widest[c->at])
		c->widest[c->at] = strlen(cell);
	if (c->at < COLUMNS_MAX && *cell)
		c->used[c->at] = true;
	if (!c->at)
		c->line = scols_table_new_line(c->table, NULL);
	return c->line ? scols_line_refer_data(c->line, c->at, cell) : -ENOMEM;
}

/* libsmartcols 2.38 never ends on a character that the locale does not know. */
void columns_add(struct columns *c, const char *text)
{
	struct str s = STR_INIT;
	char *cell;

	safe_add_known(&s, text);
	cell = str_take(&s);
	if (c->failed || add_taken(c, cell) < 0) {
		c->failed = true;
		free(cell);
		return;
	}
	c->at = (c->at + 1) % c->nr_columns;
}

void columns_addf(struct columns *c, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	columns_add(c, s.buf);
	str_fini(&s);
}

void columns_fini(struct columns *c)
{
	scols_unref_table(c->table);
	*c = (struct columns){ .head = c->head, .wide = c->wide };
}

/* The number of bytes of @text to print in @width cells: up to the last space, if there is one */
static size_t fitting(const char *text, size_t width, size_t *skip)
{
	size_t len = 0, space = 0, nr;

	for (nr = 0; text[len] && nr <= width; nr++) {
		if (nr && text[len] == ' ')
			space = len;
		if (nr == width)
			break;
		do
			len++;
		while ((text[len] & 0xc0) == 0x80);
	}
	*skip = text[len] && space;
	return *skip ? space : len;
}

static int fold(struct libscols_cell *cell, size_t width)
{
	const char *text = scols_cell_get_data(cell);
	struct str s = STR_INIT;
	size_t len, skip;

	for (; text && *text; text += len + skip) {
		len = fitting(text, width, &skip);
		if (s.len)
			str_addc(&s, '\n');
		str_addf(&s, "%.*s", (int)len, text);
	}
	return s.failed || scols_cell_refer_data(cell, str_take(&s)) < 0 ? -ENOMEM : 0;
}

static int fold_column(struct columns *c, size_t nr, size_t width)
{
	struct libscols_column *col = scols_table_get_column(c->table, nr);
	size_t i, nr_lines = scols_table_get_nlines(c->table);
	int ret = 0;

	scols_column_set_flags(col, SCOLS_FL_WRAP);
	scols_column_set_wrapfunc(col, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
	for (i = 0; ret == 0 && i < nr_lines; i++)
		ret = fold(scols_line_get_cell(scols_table_get_line(c->table, i), nr), width);
	return ret;
}

static bool is_long(const struct columns *c, size_t i)
{
	return i && c->widest[i] > LONG_TEXT;
}

static size_t nr_known(const struct columns *c)
{
	return c->nr_columns < COLUMNS_MAX ? c->nr_columns : COLUMNS_MAX;
}

static bool is_hidden(const struct columns *c, size_t i)
{
	return scols_column_get_flags(scols_table_get_column(c->table, i)) & SCOLS_FL_HIDDEN;
}

static void hide(struct columns *c, size_t i)
{
	struct libscols_column *col = scols_table_get_column(c->table, i);

	scols_column_set_flags(col, scols_column_get_flags(col) | SCOLS_FL_HIDDEN);
}

/* Of columns that can be left out, those that are empty or do not fit are. */
static void choose_columns(struct columns *c, size_t width)
{
	size_t nr = nr_known(c), sum = 0, i;
	char rank;

	width = width ? width : NO_TERMINAL;
	for (i = 0; i < nr; i++)
		if (!c->rank[i] || (c->rank[i] == '0' && c->used[i]))
			sum += GAP + c->widest[i];
		else if (!c->used[i])
			hide(c, i);
	for (rank = '1'; rank <= '9'; rank++)
		for (i = 0; i < nr; i++) {
			if (c->rank[i] != rank || !c->used[i])
				continue;
			if (c->wide || sum + c->widest[i] <= width)
				sum += GAP + c->widest[i];
			else
				hide(c, i);
		}
}

/* Divide the width left by the other columns among those with long texts, by their length. */
static int share_width(struct columns *c, size_t width)
{
	size_t i, nr = nr_known(c), others = 0, want = 0;
	size_t room, mine;
	int ret = 0;

	for (i = 0; i < nr; i++) {
		if (is_hidden(c, i))
			continue;
		others += (i ? GAP : 0) + (is_long(c, i) ? 0 : c->widest[i]);
		want += is_long(c, i) ? c->widest[i] : 0;
	}
	if (!width || others + want <= width)
		return 0;
	room = width > others ? width - others : 0;
	for (i = 1; ret == 0 && i < nr; i++) {
		mine = want ? room * c->widest[i] / want : 0;
		if (is_long(c, i) && !is_hidden(c, i))
			ret = fold_column(c, i, mine > LEAST_WIDTH ? mine : LEAST_WIDTH);
	}
	return ret;
}

int columns_print(struct columns *c, const char *empty)
{
	int ret = 0;

	if (c->failed) {
		ret = -ENOMEM;
	} else if (c->table) {
		choose_columns(c, pager_width());
		ret = share_width(c, c->wide ? 0 : pager_width());
		if (ret == 0)
			ret = scols_print_table(c->table);
	} else if (empty) {
		printf("%s\n", empty);
	}
	columns_fini(c);
	return ret;
}

void columns_tell_more(size_t nr)
{
	if (nr)
		printf("%s and %zu more; --top 0 shows all\n", safe_sign("…", "..."), nr);
}
