/* SPDX-License-Identifier: GPL-2.0-or-later */
/* theme.h - how styles look: the one place for taste */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "surface.h"

enum look_attr {
	LOOK_BOLD = 1 << 0, LOOK_DIM = 1 << 1, LOOK_UNDERLINE = 1 << 2, LOOK_REVERSE = 1 << 3,
};

/* A terminal with more colours than this expects 0xRRGGBB. */
#define THEME_PALETTE 256

struct look {
	int color;			/* of the palette, or 0xRRGGBB;
					 * -1: the default of the terminal */
	unsigned int attrs;		/* enum look_attr */
};

enum background { BACKGROUND_UNKNOWN, BACKGROUND_DARK, BACKGROUND_LIGHT };

/* @colors: of the terminal; below 8, styles differ only by attributes */
struct look theme_look(enum style style, bool selected, int colors);
/* The same as an escape sequence, for --print --color; ends the former style */
void theme_sgr(enum style style, bool selected, int colors, char buf[48]);

/* "dark", "light" or "auto" (by $COLORFGBG). 0, -EINVAL */
int theme_set_background(const char *name);

/**
 * theme_set - how a style looks, by its name
 * @look: "#d55e00", "166", "red" or "default", and any of bold, dim, underline, reverse
 *
 * 0, -ENOENT (no such style), -EINVAL (not a look)
 */
int theme_set(const char *style, const char *look);
/* Names of styles; NULL after the last */
const char *theme_style_name(size_t i);

#endif
