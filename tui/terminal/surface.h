/* SPDX-License-Identifier: GPL-2.0-or-later */
/* surface.h - a grid of cells that views draw on: no terminal, no I/O */
#ifndef TUI_SURFACE_H
#define TUI_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The meaning of a cell; theme.c defines how it looks */
enum style {
	STYLE_NORMAL,
	STYLE_TITLE, STYLE_TAB, STYLE_TAB_ACTIVE,	/* the top line */
	STYLE_HEAD,			/* names of columns */
	STYLE_STATUS, STYLE_KEY, STYLE_HINT,		/* the two lines at the bottom */
	STYLE_ERROR, STYLE_PROGRESS,
	STYLE_DIM,			/* less important than its neighbours */
	STYLE_STRONG,
	STYLE_TASK, STYLE_CPU, STYLE_FLAGS, STYLE_TIME, STYLE_EVENT, STYLE_INFO, STYLE_NUMBER,
	STYLE_LOST, STYLE_WARN,
	STYLE_MATCH, STYLE_MARK,
	STYLE_RUN, STYLE_WAIT, STYLE_BLOCKED, STYLE_IRQ,	/* states of tasks */
	STYLE_HUE,			/* first of STYLE_HUES colours that distinguish things */
	STYLE_HUES = 6,
	STYLE_NR = STYLE_HUE + STYLE_HUES
};

enum cell_flag {
	CELL_SELECTED = 1 << 0,		/* in the selected row */
	CELL_WIDE     = 1 << 1,		/* uses the next cell too, which is CELL_REST */
	CELL_REST     = 1 << 2,
};

/* One of the hues: a function has the same in all views, runs and files. */
enum style style_of_name(const char *name);

struct cell {
	uint32_t ch;			/* one independent character, never a control character */
	uint8_t  style;			/* enum style */
	uint8_t  flags;
};

struct surface {
	int rows, cols;
	struct cell *cells;		/* rows * cols, line by line */
	bool ascii;			/* only ASCII: other characters are replaced */
	int cursor_row, cursor_col;	/* place of the terminal's cursor; -1: none */
};

/* The part of a surface that a view may draw in; drawing outside of it has no effect */
struct area {
	struct surface *s;
	int row, col, rows, cols;
};

/* 0 or -ENOMEM; a size of 0 is valid. Clears all cells. */
int  surface_init(struct surface *s, int rows, int cols, bool ascii);
void surface_fini(struct surface *s);
void surface_clear(struct surface *s);
struct area surface_all(struct surface *s);
/* The part of @a from this place on, cut at the end of @a */
struct area area_part(struct area a, int row, int col, int rows, int cols);

/**
 * area_put - text into a row, from a column on
 * @text: untrusted UTF-8: bytes that are not plain are shown as \xNN, so they never move the
 *        cursor; a tab is a blank
 * @width: columns it may take; longer text ends with an ellipsis. -1: up to the end
 *
 * Returns the column after it.
 */
int area_put(struct area a, int row, int col, enum style style, const char *text, int width);
int area_putn(struct area a, int row, int col, enum style style, const char *text, size_t len,
	      int width);
/* A task as "name-pid" or "name:pid"; a long name is shortened, the pid is not: "ktrail/f…-196" */
int area_put_task(struct area a, int row, int col, enum style style, const char *task, size_t len,
		  int width);
int area_putf(struct area a, int row, int col, enum style style, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Ends before column @end */
void area_put_right(struct area a, int row, int end, enum style style, const char *text);
/* One of our characters; it has an ASCII replacement if it is not ASCII */
void area_char(struct area a, int row, int col, enum style style, uint32_t ch);
/* The same character @nr times */
void area_fill(struct area a, int row, int col, enum style style, uint32_t ch, int nr);
/* Show the whole row as selected */
void area_select(struct area a, int row);
/* Change the style of cells */
void area_style(struct area a, int row, int col, enum style style, int nr);
void area_cursor(struct area a, int row, int col);

/* The number of columns of a text, escaped */
int text_width(const char *text);
int text_widthn(const char *text, size_t len);

void str_add_utf8(struct str *out, uint32_t ch);
/* The surface as lines without trailing spaces, to be pasted into mails */
void surface_text(const struct surface *s, struct str *out);

#endif
