/* SPDX-License-Identifier: GPL-2.0-or-later */
/* term.h - the terminal: all of ncurses */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>

#include <ktrail/err.h>

#include "keys.h"
#include "surface.h"

struct term_opts {
	bool no_color, no_mouse, ascii;
	int  colors;			/* to use at most; 0: all that the terminal has */
};

/* Where a mouse key happened */
struct term_mouse {
	int row, col;
};

/*
 * term_check() only asks whether term_open() would find a terminal.
 *
 * From here until term_close() the terminal is ours. It is put back by that, by
 * fatal signals, and by exit(). -ENOTTY: it cannot show a screen.
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
void term_set_mouse(bool on);
/* Back to the shell, until it brings us to the foreground */
void term_suspend(void);
/* All of the next picture is sent */
void term_repaint(void);
/* Into the clipboard of the person's terminal, by OSC 52 */
void term_copy(const char *text, size_t len);

#endif
