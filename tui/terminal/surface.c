/* SPDX-License-Identifier: GPL-2.0-or-later */
/* surface.c - a grid of cells that views draw on */
#include "surface.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/clamp.h"
#include "base/escape.h"

enum style style_of_name(const char *name)
{
	uint32_t hash = 0;

	for (; *name; name++)
		hash = hash * 31 + (unsigned char)*name;
	return (enum style)(STYLE_HUE + hash % STYLE_HUES);
}

int surface_init(struct surface *s, int rows, int cols, bool ascii)
{
	*s = (struct surface){ .ascii = ascii, .cursor_row = -1, .cursor_col = -1 };
	if (rows <= 0 || cols <= 0)
		return 0;
	s->cells = calloc((size_t)rows * (size_t)cols, sizeof(*s->cells));
	if (!s->cells)
		return -ENOMEM;
	s->rows = rows;
	s->cols = cols;
	surface_clear(s);
	return 0;
}

void surface_fini(struct surface *s)
{
	free(s->cells);
	s->cells = NULL;
	s->rows = s->cols = 0;
}

void surface_clear(struct surface *s)
{
	size_t i, nr = (size_t)s->rows * (size_t)s->cols;

	for (i = 0; i < nr; i++)
		s->cells[i] = (struct cell){ .ch = ' ' };
	s->cursor_row = s->cursor_col = -1;
}

struct area surface_all(struct surface *s)
{
	return (struct area){ s, 0, 0, s->rows, s->cols };
}

struct area area_part(struct area a, int row, int col, int rows, int cols)
{
	row = clamp(row, 0, a.rows);
	col = clamp(col, 0, a.cols);
	rows = clamp(rows, 0, a.rows - row);
	cols = clamp(cols, 0, a.cols - col);
	return (struct area){ a.s, a.row + row, a.col + col, rows, cols };
}

/* NULL: outside of the area */
static struct cell *cell_at(struct area a, int row, int col)
{
	if (row < 0 || row >= a.rows || col < 0 || col >= a.cols)
		return NULL;
	return &a.s->cells[(size_t)(a.row + row) * (size_t)a.s->cols + (size_t)(a.col + col)];
}

/* ---- characters ---- */

/* Replacements for our characters if there is ASCII only */
static const struct {
	uint32_t ch;
	char ascii;
} stand_ins[] = {
	{ 0x2026, '~' }, { 0x2500, '-' }, { 0x2502, '|' }, { 0x250c, '+' }, { 0x2510, '+' },
	{ 0x2514, '+' }, { 0x2518, '+' }, { 0x251c, '+' }, { 0x2524, '+' }, { 0x252c, '+' },
	{ 0x2534, '+' }, { 0x253c, '+' }, { 0x2588, '#' }, { 0x2591, '.' }, { 0x2592, ':' },
	{ 0x2593, '%' }, { 0x25b8, '>' }, { 0x25b9, '>' }, { 0x25be, 'v' }, { 0x25c2, '<' },
	{ 0x25b2, '^' }, { 0x2192, '>' }, { 0x2190, '<' }, { 0x00b5, 'u' }, { 0x00b7, '.' },
	{ 0x26a1, '!' }, { 0x22ef, '~' }, { 0x2713, '+' }, { 0x2717, '-' }, { 0x0394, 'd' },
	{ 0x2581, '_' }, { 0x2582, '.' }, { 0x2583, '.' }, { 0x2584, '-' }, { 0x2585, '=' },
	{ 0x2586, '+' }, { 0x2587, '*' }, { 0x2580, '"' }, { 0x258c, '|' }, { 0x2590, '|' },
	{ 0x259a, 'i' }, { 0x259e, 's' }, { 0x25c6, 'N' }, { 0x00d7, 'x' },
	{ 0x258f, '|' }, { 0x258d, '|' }, { 0x258b, '#' }, { 0x2013, '-' },
};

/* 0: no replacement */
static uint32_t ascii_of(uint32_t ch)
{
	size_t i;

	if (ch < 0x80)
		return ch;
	for (i = 0; i < sizeof(stand_ins) / sizeof(stand_ins[0]); i++)
		if (stand_ins[i].ch == ch)
			return (uint32_t)stand_ins[i].ascii;
	return 0;
}

/* One well-formed character; its bytes, 0: there is none */
static size_t decode(const char *text, size_t len, uint32_t *ch)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = 1, i;

	if (s[0] >= 0x80 && s[0] < 0xc2)
		return 0;
	n += (s[0] >= 0xc2) + (s[0] >= 0xe0) + (s[0] >= 0xf0);
	if (n > len)
		return 0;
	*ch = n == 1 ? s[0] : s[0] & (0x7fu >> n);
	for (i = 1; i < n; i++)
		*ch = *ch << 6 | (s[i] & 0x3f);
	return n;
}

#define SOFT_HYPHEN 0xad		/* terminals differ on its width */

/*
 * How a character of a text is shown: itself if it is independent, or else its bytes as \xNN. A
 * combining character would change its neighbour.
 */
static size_t next_glyph(const char *text, size_t len, bool ascii, uint32_t *ch, int *width)
{
	size_t n = decode(text, len, ch);

	*width = 0;
	if (*text == '\t') {
		*ch = ' ';
		*width = 1;
		return 1;
	}
	if (!n || !kt_is_plain(text, n))
		return 1;
	*width = *ch == SOFT_HYPHEN ? 0 : wcwidth((wchar_t)*ch);
	if (ascii_of(*ch))
		*width = 1;
	if (ascii && *ch >= 0x80) {
		*ch = ascii_of(*ch);
		*width = *ch ? 1 : 0;
	}
	if (*width <= 0) {
		*width = 0;
		return 1;
	}
	return n;
}

static void set(struct area a, int row, int col, enum style style, uint32_t ch, unsigned int flags)
{
	struct cell *c = cell_at(a, row, col);

	if (c)
		*c = (struct cell){ ch, (uint8_t)style,
				    (uint8_t)((c->flags & CELL_SELECTED) | flags) };
}

/* ---- texts ---- */

/* Put one glyph or escape into the row and return the column after it. Nothing if it does not fit
 * before @end. */
static int put_glyph(struct area a, int row, int col, int end, enum style style, const char *text,
		     uint32_t ch, int width)
{
	char escaped[8];
	int i;

	if (width > 0) {
		if (col + width > end)
			return end + 1;
		set(a, row, col, style, ch, width == 2 ? CELL_WIDE : 0);
		if (width == 2)
			set(a, row, col + 1, style, ' ', CELL_REST);
		return col + width;
	}
	snprintf(escaped, sizeof(escaped), "\\x%02x", (unsigned char)*text);
	if (col + 4 > end)
		return end + 1;
	for (i = 0; i < 4; i++)
		set(a, row, col + i, style, (uint32_t)escaped[i], 0);
	return col + 4;
}

int area_putn(struct area a, int row, int col, enum style style, const char *text, size_t len,
	      int width)
{
	int end = width < 0 || width > a.cols - col ? a.cols : col + width, next, w;
	size_t i, n;
	uint32_t ch;

	for (i = 0; i < len && col < end; i += n, col = next) {
		n = next_glyph(text + i, len - i, a.s->ascii, &ch, &w);
		next = put_glyph(a, row, col, end, style, text + i, ch, w);
		if (next > end || (next == end && i + n < len)) {
			area_fill(a, row, col, style, ' ', end - col);
			area_char(a, row, end - 1, style, 0x2026);
			return end;
		}
	}
	return col;
}

int area_put(struct area a, int row, int col, enum style style, const char *text, int width)
{
	return area_putn(a, row, col, style, text, strlen(text), width);
}

int area_put_task(struct area a, int row, int col, enum style style, const char *task, size_t len,
		  int width)
{
	size_t pid = 0;

	while (pid < len && isdigit((unsigned char)task[len - pid - 1]))
		pid++;
	pid += pid > 0 && pid < len;
	if ((int)len <= width || pid == 0 || (int)pid + 2 > width)
		return area_putn(a, row, col, style, task, len, width);
	area_putn(a, row, col, style, task, len - pid, width - (int)pid);
	return area_putn(a, row, col + width - (int)pid, style, task + len - pid, pid, (int)pid);
}

int area_putf(struct area a, int row, int col, enum style style, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return area_put(a, row, col, style, text, -1);
}

int text_width(const char *text)
{
	return text_widthn(text, strlen(text));
}

int text_widthn(const char *text, size_t len)
{
	size_t i, n;
	int total = 0, w;
	uint32_t ch;

	for (i = 0; i < len; i += n) {
		n = next_glyph(text + i, len - i, false, &ch, &w);
		total += w ? w : 4;
	}
	return total;
}

void area_put_right(struct area a, int row, int end, enum style style, const char *text)
{
	int width = text_width(text);

	area_put(a, row, width < end ? end - width : 0, style, text, width < end ? width : end);
}

void area_char(struct area a, int row, int col, enum style style, uint32_t ch)
{
	uint32_t ascii = a.s->ascii ? ascii_of(ch) : ch;

	set(a, row, col, style, ascii ? ascii : '?', 0);
}

void area_fill(struct area a, int row, int col, enum style style, uint32_t ch, int nr)
{
	while (nr-- > 0)
		area_char(a, row, col++, style, ch);
}

void area_select(struct area a, int row)
{
	struct cell *c;
	int col;

	for (col = 0; (c = cell_at(a, row, col)); col++)
		c->flags |= CELL_SELECTED;
}

void area_style(struct area a, int row, int col, enum style style, int nr)
{
	struct cell *c;

	for (; nr-- > 0; col++) {
		c = cell_at(a, row, col);
		if (c)
			c->style = (uint8_t)style;
	}
}

void area_cursor(struct area a, int row, int col)
{
	if (!cell_at(a, row, col))
		return;
	a.s->cursor_row = a.row + row;
	a.s->cursor_col = a.col + col;
}

/* ---- as text ---- */

void str_add_utf8(struct str *out, uint32_t ch)
{
	if (ch < 0x80) {
		str_addc(out, (char)ch);
	} else if (ch < 0x800) {
		str_addc(out, (char)(0xc0 | ch >> 6));
		str_addc(out, (char)(0x80 | (ch & 0x3f)));
	} else if (ch < 0x10000) {
		str_addc(out, (char)(0xe0 | ch >> 12));
		str_addc(out, (char)(0x80 | (ch >> 6 & 0x3f)));
		str_addc(out, (char)(0x80 | (ch & 0x3f)));
	} else {
		str_addc(out, (char)(0xf0 | ch >> 18));
		str_addc(out, (char)(0x80 | (ch >> 12 & 0x3f)));
		str_addc(out, (char)(0x80 | (ch >> 6 & 0x3f)));
		str_addc(out, (char)(0x80 | (ch & 0x3f)));
	}
}

void surface_text(const struct surface *s, struct str *out)
{
	int row, col, end;

	for (row = 0; row < s->rows; row++) {
		const struct cell *c = &s->cells[(size_t)row * (size_t)s->cols];

		for (end = s->cols; end > 0 && c[end - 1].ch == ' '; end--)
			;
		for (col = 0; col < end; col++)
			if (!(c[col].flags & CELL_REST))
				str_add_utf8(out, c[col].ch);
		str_addc(out, '\n');
	}
}
