/* SPDX-License-Identifier: GPL-2.0-or-later */
/* theme.h - how styles look: the one place for taste */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "surface.h"

enum look_attr {
	LOOK_BOLD = 1 << 0, LOOK_DIM = 1 << 1, LOOK_UNDERLINE = 1 << 2, LOOK_REVERSE = 1 << 3,
};

struct look {
	int color;			/* of the text, in the terminal's palette; -1: its default */
	unsigned int attrs;		/* enum look_attr */
};

/* @colors: how many the terminal has; below 8, only attributes tell styles apart */
struct look theme_look(enum style style, int colors);
/* The same as an escape sequence, for --print --color; ends what was before it */
void theme_sgr(enum style style, bool selected, int colors, char buf[32]);

/* "style=colour" of the user's configuration: 0, -EINVAL */
int theme_set(const char *style, const char *color);

#endif
