/* SPDX-License-Identifier: GPL-2.0-or-later */
/* theme.c - how styles look, with 256 colours, with 8, and without any */
#include "theme.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The colours of 256 are those of Okabe and Ito, which people who cannot tell red from
 * green can tell apart. They can be read on light and on dark backgrounds. No meaning
 * is in a colour alone: what is dim, lost or matched also has an attribute or a character.
 */
static struct {
	const char *name;
	short rich, basic;		/* of 256 and of 8; -1: the default */
	unsigned short attrs;
} looks[STYLE_NR] = {
	[STYLE_NORMAL]     = { "normal", -1, -1, 0 },
	[STYLE_TITLE]      = { "title", -1, -1, LOOK_BOLD },
	[STYLE_TAB]        = { "tab", -1, -1, LOOK_DIM },
	[STYLE_TAB_ACTIVE] = { "tab-active", -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_HEAD]       = { "head", -1, -1, LOOK_BOLD | LOOK_UNDERLINE },
	[STYLE_STATUS]     = { "status", -1, -1, 0 },
	[STYLE_KEY]        = { "key", 32, 4, LOOK_BOLD },
	[STYLE_HINT]       = { "hint", -1, -1, LOOK_DIM },
	[STYLE_ERROR]      = { "error", 166, 1, LOOK_BOLD },
	[STYLE_PROGRESS]   = { "progress", 32, 4, 0 },
	[STYLE_DIM]        = { "dim", -1, -1, LOOK_DIM },
	[STYLE_STRONG]     = { "strong", -1, -1, LOOK_BOLD },
	[STYLE_TASK]       = { "task", 36, 2, 0 },
	[STYLE_CPU]        = { "cpu", -1, -1, LOOK_DIM },
	[STYLE_FLAGS]      = { "flags", -1, -1, LOOK_DIM },
	[STYLE_TIME]       = { "time", 32, 4, 0 },
	[STYLE_EVENT]      = { "event", 172, 3, 0 },
	[STYLE_INFO]       = { "info", -1, -1, 0 },
	[STYLE_NUMBER]     = { "number", -1, -1, 0 },
	[STYLE_LOST]       = { "lost", 166, 1, LOOK_BOLD },
	[STYLE_WARN]       = { "warn", 172, 3, LOOK_BOLD },
	[STYLE_MATCH]      = { "match", 172, 3, LOOK_BOLD | LOOK_UNDERLINE },
	[STYLE_MARK]       = { "mark", 175, 5, LOOK_BOLD },
	[STYLE_RUN]        = { "run", 36, 2, 0 },
	[STYLE_WAIT]       = { "wait", 172, 3, LOOK_BOLD },
	[STYLE_BLOCKED]    = { "blocked", -1, -1, LOOK_DIM },
	[STYLE_IRQ]        = { "irq", 175, 5, LOOK_BOLD },
	[STYLE_HUE + 0]    = { "hue1", 32, 4, 0 },
	[STYLE_HUE + 1]    = { "hue2", 172, 3, 0 },
	[STYLE_HUE + 2]    = { "hue3", 36, 2, 0 },
	[STYLE_HUE + 3]    = { "hue4", 175, 5, 0 },
	[STYLE_HUE + 4]    = { "hue5", 74, 6, 0 },
	[STYLE_HUE + 5]    = { "hue6", 166, 1, 0 },
};

struct look theme_look(enum style style, int colors)
{
	if (style >= STYLE_NR)
		style = STYLE_NORMAL;
	return (struct look){
		.color = colors >= 256 ? looks[style].rich : colors >= 8 ? looks[style].basic : -1,
		.attrs = looks[style].attrs,
	};
}

void theme_sgr(enum style style, bool selected, int colors, char buf[32])
{
	struct look l = theme_look(style, colors);
	char *p = buf + sprintf(buf, "\033[0");

	if (l.attrs & LOOK_BOLD)
		p += sprintf(p, ";1");
	if (l.attrs & LOOK_DIM)
		p += sprintf(p, ";2");
	if (l.attrs & LOOK_UNDERLINE)
		p += sprintf(p, ";4");
	if (selected || l.attrs & LOOK_REVERSE)
		p += sprintf(p, ";7");
	if (l.color >= 8)
		p += sprintf(p, ";38;5;%d", l.color);
	else if (l.color >= 0)
		p += sprintf(p, ";3%d", l.color);
	sprintf(p, "m");
}

int theme_set(const char *style, const char *color)
{
	char *end;
	long value = strtol(color, &end, 10);
	size_t i;

	if (end == color || *end || value < -1 || value > 255)
		return -EINVAL;
	for (i = 0; i < STYLE_NR; i++)
		if (looks[i].name && strcmp(looks[i].name, style) == 0) {
			looks[i].rich = (short)value;
			looks[i].basic = (short)(value < 8 ? value : looks[i].basic);
			return 0;
		}
	return -EINVAL;
}
