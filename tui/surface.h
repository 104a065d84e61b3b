/* SPDX-License-Identifier: GPL-2.0-or-later */
/* surface.h - a grid of cells that views draw on: no terminal, no I/O */
#ifndef TUI_SURFACE_H
#define TUI_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* What a cell is about; theme.c says how that looks */
enum style {
	STYLE_NORMAL,
	STYLE_TITLE, STYLE_TAB, STYLE_TAB_ACTIVE,	/* the top line */
	STYLE_HEAD,			/* names of columns */
	STYLE_STATUS, STYLE_KEY, STYLE_HINT,		/* the two lines at the bottom */
	STYLE_ERROR, STYLE_PROGRESS,
	STYLE_DIM,			/* less important than what is beside it */
	STYLE_STRONG,
	STYLE_TASK, STYLE_CPU, STYLE_FLAGS, STYLE_TIME, STYLE_EVENT, STYLE_INFO, STYLE_NUMBER,
	STYLE_LOST, STYLE_WARN,
	STYLE_MATCH, STYLE_MARK,
	STYLE_RUN, STYLE_WAIT, STYLE_BLOCKED, STYLE_IRQ,	/* states of tasks */
	STYLE_HUE,			/* first of STYLE_HUES colours that tell things apart */
	STYLE_HUES = 6,
	STYLE_NR = STYLE_HUE + STYLE_HUES
};

enum cell_flag {
	CELL_SELECTED = 1 << 0,		/* in the row that keys act on */
	CELL_WIDE     = 1 << 1,		/* takes the next cell too, which is CELL_REST */
	CELL_REST     = 1 << 2,
};

struct cell {
	uint32_t ch;			/* one character that stands by itself; never a control */
	uint8_t  style;			/* enum style */
	uint8_t  flags;
};

struct surface {
	int rows, cols;
	struct cell *cells;		/* rows * cols, line by line */
	bool ascii;			/* nothing but ASCII: other characters have stand-ins */
	int cursor_row, cursor_col;	/* where the terminal's cursor goes; -1: nowhere */
};

/* A part of a surface that a view may draw in; outside of it nothing is changed */
struct area {
	struct surface *s;
	int row, col, rows, cols;
};

/* 0 or -ENOMEM; a size of 0 is fine. What was there is gone, all is blank. */
int  surface_init(struct surface *s, int rows, int cols, bool ascii);
void surface_fini(struct surface *s);
void surface_clear(struct surface *s);
struct area surface_all(struct surface *s);
/* The part of @a from there on, cut where @a ends */
struct area area_part(struct area a, int row, int col, int rows, int cols);

/**
 * area_put - text into a row, from a column on
 * @text: UTF-8 of any origin: what is not plain is written as \xNN, and so never moves
 *        anything; a tab is a blank
 * @width: columns it may take; what is longer ends with an ellipsis. -1: up to the end
 *
 * Returns the column after it.
 */
int area_put(struct area a, int row, int col, enum style style, const char *text, int width);
int area_putn(struct area a, int row, int col, enum style style, const char *text, size_t len,
	      int width);
int area_putf(struct area a, int row, int col, enum style style, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Ends before column @end */
void area_put_right(struct area a, int row, int end, enum style style, const char *text);
/* One character that we chose; has an ASCII stand-in if it is not ASCII */
void area_char(struct area a, int row, int col, enum style style, uint32_t ch);
/* @nr times the same from there on */
void area_fill(struct area a, int row, int col, enum style style, uint32_t ch, int nr);
/* The whole row as selected */
void area_select(struct area a, int row);
/* Another style for what is there */
void area_style(struct area a, int row, int col, enum style style, int nr);
void area_cursor(struct area a, int row, int col);

/* How many columns a text takes, escaped */
int text_width(const char *text);

/* Lines without blanks at their ends, as people paste them into mails */
void surface_text(const struct surface *s, struct str *out);

#endif
