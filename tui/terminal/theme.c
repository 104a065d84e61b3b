/* SPDX-License-Identifier: GPL-2.0-or-later */
/* theme.c - how styles look, with any number of colours, and without */
#include "theme.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/*
 * The hues are those of Okabe and Ito, which can be distinguished with red-green blindness. On a
 * light background they are darker. No meaning depends on a hue alone: dim, lost or matched text
 * has an attribute or a character as well.
 */
enum hue { PLAIN, BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, RED };

static const struct shade {
	int rgb;
	short rich, bright, basic;	/* of 256, 16 and 8 */
} shades[][2] = {	/* on a dark or unknown background; on a light one */
	[BLUE]   = { { 0x3d9be0, 32, 12, 4 }, { 0x005faf, 25, 4, 4 } },
	[ORANGE] = { { 0xe69f00, 172, 11, 3 }, { 0x875f00, 94, 3, 3 } },
	[GREEN]  = { { 0x00af87, 36, 10, 2 }, { 0x00704f, 29, 2, 2 } },
	[PURPLE] = { { 0xd787af, 175, 13, 5 }, { 0xaf0087, 126, 5, 5 } },
	[SKY]    = { { 0x5fafd7, 74, 14, 6 }, { 0x0076a8, 31, 6, 6 } },
	[YELLOW] = { { 0xd7d75f, 185, 7, 7 }, { 0x6b6b00, 58, 8, 0 } },
	/* only for errors and lost events */
	[RED]    = { { 0xe06a2c, 166, 9, 1 }, { 0xc02000, 160, 1, 1 } },
};

#define NONE (-1)			/* the default of the terminal */

static struct {
	const char *name;
	enum hue hue;
	unsigned int attrs;
} looks[STYLE_NR] = {
	[STYLE_NORMAL]     = { "normal", PLAIN, 0 },
	[STYLE_TITLE]      = { "title", PLAIN, LOOK_BOLD },
	[STYLE_TAB]        = { "tab", PLAIN, LOOK_DIM },
	[STYLE_TAB_ACTIVE] = { "tab-active", PLAIN, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_HEAD]       = { "head", PLAIN, LOOK_BOLD | LOOK_UNDERLINE },
	[STYLE_STATUS]     = { "status", PLAIN, 0 },
	[STYLE_KEY]        = { "key", SKY, LOOK_BOLD },
	[STYLE_HINT]       = { "hint", PLAIN, LOOK_DIM },
	[STYLE_ERROR]      = { "error", RED, LOOK_BOLD },
	[STYLE_PROGRESS]   = { "progress", SKY, 0 },
	[STYLE_DIM]        = { "dim", PLAIN, LOOK_DIM },
	[STYLE_STRONG]     = { "strong", PLAIN, LOOK_BOLD },
	[STYLE_TASK]       = { "task", GREEN, 0 },
	[STYLE_CPU]        = { "cpu", PLAIN, LOOK_DIM },
	[STYLE_FLAGS]      = { "flags", PLAIN, LOOK_DIM },
	[STYLE_TIME]       = { "time", SKY, 0 },
	[STYLE_EVENT]      = { "event", ORANGE, 0 },
	[STYLE_INFO]       = { "info", PLAIN, 0 },
	[STYLE_NUMBER]     = { "number", PLAIN, 0 },
	[STYLE_LOST]       = { "lost", RED, LOOK_BOLD },
	[STYLE_WARN]       = { "warn", ORANGE, LOOK_BOLD },
	[STYLE_MATCH]      = { "match", ORANGE, LOOK_BOLD | LOOK_UNDERLINE },
	[STYLE_MARK]       = { "mark", PURPLE, LOOK_BOLD },
	[STYLE_RUN]        = { "run", GREEN, 0 },
	[STYLE_WAIT]       = { "wait", ORANGE, LOOK_BOLD },
	[STYLE_BLOCKED]    = { "blocked", PLAIN, LOOK_DIM },
	[STYLE_IRQ]        = { "irq", PURPLE, LOOK_BOLD },
	[STYLE_HUE + 0]    = { "hue1", BLUE, 0 },
	[STYLE_HUE + 1]    = { "hue2", ORANGE, 0 },
	[STYLE_HUE + 2]    = { "hue3", GREEN, 0 },
	[STYLE_HUE + 3]    = { "hue4", PURPLE, 0 },
	[STYLE_HUE + 4]    = { "hue5", SKY, 0 },
	[STYLE_HUE + 5]    = { "hue6", YELLOW, 0 },
};

static struct {
	bool is;
	int color;			/* RGB_FLAG | 0xRRGGBB, one of 256, or NONE */
} chosen[STYLE_NR];			/* by the user */

static enum background background;

/* ---- colours of the user, converted for the terminal ---- */

#define RGB_FLAG (1 << 24)

/* Red, green, blue of the first 16, as in xterm */
static const int basic_rgb[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

static int rgb_of(int color)
{
	static const int steps[] = { 0, 95, 135, 175, 215, 255 };

	if (color & RGB_FLAG)
		return color & 0xffffff;
	if (color < 16)
		return basic_rgb[color];
	if (color >= 232)
		return (8 + (color - 232) * 10) * 0x010101;
	color -= 16;
	return steps[color / 36] << 16 | steps[color / 6 % 6] << 8 | steps[color % 6];
}

static int distance(int a, int b)
{
	int red = (a >> 16 & 255) - (b >> 16 & 255), green = (a >> 8 & 255) - (b >> 8 & 255);
	int blue = (a & 255) - (b & 255);

	return red * red * 2 + green * green * 4 + blue * blue;
}

/* The nearest colour from @from to @until */
static int nearest(int rgb, int from, int until)
{
	int i, best = from;

	for (i = from; i < until; i++)
		if (distance(rgb_of(i), rgb) < distance(rgb_of(best), rgb))
			best = i;
	return best;
}

static int fit(int color, int colors)
{
	if (color == NONE)
		return NONE;
	if (colors > THEME_PALETTE)
		return rgb_of(color);
	if (!(color & RGB_FLAG) && color < colors)
		return color;
	return colors == THEME_PALETTE ? nearest(rgb_of(color), 16, 256)
				       : nearest(rgb_of(color), 0, colors < 16 ? 8 : 16);
}

static int color_of(enum style style, int colors)
{
	const struct shade *s = &shades[looks[style].hue][background == BACKGROUND_LIGHT];

	if (chosen[style].is)
		return fit(chosen[style].color, colors);
	if (looks[style].hue == PLAIN)
		return NONE;
	if (colors > THEME_PALETTE)
		return s->rgb;
	if (colors == THEME_PALETTE)
		return s->rich;
	return colors >= 16 ? s->bright : s->basic;
}

/* ---- for the terminal ---- */

/* A selected row is one bar: a background of its own for each style would tear it apart. */
struct look theme_look(enum style style, bool selected, int colors)
{
	if (style >= STYLE_NR)
		style = STYLE_NORMAL;
	if (selected)
		return (struct look){ NONE, (looks[style].attrs & ~LOOK_DIM) | LOOK_REVERSE };
	return (struct look){
		.color = colors < 8 ? NONE : color_of(style, colors),
		.attrs = looks[style].attrs,
	};
}

void theme_sgr(enum style style, bool selected, int colors, char buf[48])
{
	struct look l = theme_look(style, selected, colors);
	char *p = buf + sprintf(buf, "\033[0");

	if (l.attrs & LOOK_BOLD)
		p += sprintf(p, ";1");
	if (l.attrs & LOOK_DIM)
		p += sprintf(p, ";2");
	if (l.attrs & LOOK_UNDERLINE)
		p += sprintf(p, ";4");
	if (l.attrs & LOOK_REVERSE)
		p += sprintf(p, ";7");
	if (l.color >= 0 && colors > THEME_PALETTE)
		p += sprintf(p, ";38;2;%d;%d;%d", l.color >> 16 & 255, l.color >> 8 & 255,
			     l.color & 255);
	else if (l.color >= 8)
		p += sprintf(p, ";38;5;%d", l.color);
	else if (l.color >= 0)
		p += sprintf(p, ";3%d", l.color);
	sprintf(p, "m");
}

/* ---- settings of the user ---- */

/* "15;0" or "0;default;15": the last number is the background. */
static enum background background_of_terminal(void)
{
	const char *text = getenv("COLORFGBG"), *last = text ? strrchr(text, ';') : NULL;
	char *end;
	long color = last ? strtol(last + 1, &end, 10) : -1;

	if (!last || end == last + 1 || color < 0)
		return BACKGROUND_UNKNOWN;
	return color == 7 || color == 15 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

int theme_set_background(const char *name)
{
	if (strcmp(name, "light") == 0)
		background = BACKGROUND_LIGHT;
	else if (strcmp(name, "dark") == 0)
		background = BACKGROUND_DARK;
	else if (strcmp(name, "auto") == 0)
		background = background_of_terminal();
	else
		return -EINVAL;
	return 0;
}

static bool take_color(const char *word, size_t len, int *color)
{
	static const char *const names[] = {
		"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
		"gray", "bright-red", "bright-green", "bright-yellow", "bright-blue",
		"bright-magenta", "bright-cyan", "bright-white", NULL
	};
	char *end;
	long value;
	int i;

	if (len == 7 && *word == '#') {
		value = strtol(word + 1, &end, 16);
		*color = RGB_FLAG | (int)value;
		return end == word + 7;
	}
	for (i = 0; names[i]; i++)
		if (strlen(names[i]) == len && strncmp(names[i], word, len) == 0) {
			*color = i;
			return true;
		}
	if (len == 7 && strncmp(word, "default", len) == 0) {
		*color = NONE;
		return true;
	}
	value = strtol(word, &end, 10);
	*color = (int)value;
	return *word != '-' && *word != '+' && end == word + len && value >= 0 && value < 256;
}

static bool take_attr(const char *word, size_t len, unsigned int *attrs)
{
	static const char *const names[] = { "bold", "dim", "underline", "reverse" };
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (strlen(names[i]) == len && strncmp(names[i], word, len) == 0) {
			*attrs |= 1u << i;
			return true;
		}
	return false;
}

int theme_set(const char *style, const char *look)
{
	unsigned int attrs = 0;
	int color = NONE;
	size_t i, len;

	for (i = 0; i < STYLE_NR && strcmp(looks[i].name, style) != 0; i++)
		;
	if (i == STYLE_NR)
		return -ENOENT;
	if (!look[strspn(look, " ")])
		return -EINVAL;
	for (look += strspn(look, " "); *look; look += strspn(look, " ")) {
		len = strcspn(look, " ");
		if (!take_attr(look, len, &attrs) && !take_color(look, len, &color))
			return -EINVAL;
		look += len;
	}
	chosen[i].color = color;
	looks[i].attrs = attrs;
	chosen[i].is = true;
	return 0;
}

const char *theme_style_name(size_t i)
{
	return i < STYLE_NR ? looks[i].name : NULL;
}
