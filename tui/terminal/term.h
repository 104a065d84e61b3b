/* SPDX-License-Identifier: GPL-2.0-or-later */
/* term.h - the terminal: all of ncurses */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>

#include <ktrail/base.h>

#include "keys.h"
#include "surface.h"

struct term_opts {
	bool no_color, no_mouse, ascii;
	int  colors;			/* maximum to use; 0: all of the terminal */
};

/* Where a mouse key happened */
struct term_mouse {
	int row, col;
};

/*
 * term_check() only asks whether term_open() would find a terminal.
 *
 * We use the terminal until term_close(). That, fatal signals and exit() restore it. -ENOTTY: it
 * cannot show a screen.
 */
int  term_check(struct kt_err *err);
int  term_open(const struct term_opts *opts, struct kt_err *err);
void term_close(void);

/* Only ASCII, by the locale, the terminal's name or the options */
bool term_is_ascii(void);
void term_size(int *rows, int *cols);
void term_draw(const struct surface *s);
/* The next key, TK_NONE after @timeout_ms without one */
int  term_key(int timeout_ms, struct term_mouse *mouse);
/* Is the window of the terminal, or its connection, closed? */
bool term_is_gone(void);
void term_set_mouse(bool on);
/* Stop and return to the shell, until it continues us */
void term_suspend(void);
/* Send the whole screen at the next term_draw() */
void term_repaint(void);
/* Copy to the clipboard of the user's terminal, by OSC 52 */
void term_copy(const char *text, size_t len);

#endif
