/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - a list for people: aligned columns under a head */
#include "columns.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define MAX_COLUMNS 16

struct column {
	const char *name;
	int name_len, width;
	bool right;
};

static void add_taken(struct columns *c, char *cell)
{
	char **grown;

	if (c->nr == c->cap) {
		grown = reallocarray(c->cells, c->cap ? c->cap * 2 : 64, sizeof(*grown));
		if (!grown) {
			free(cell);
			return;
		}
		c->cells = grown;
		c->cap = c->cap ? c->cap * 2 : 64;
	}
	c->cells[c->nr++] = cell;	/* NULL, out of memory: noticed when printing */
}

void columns_add(struct columns *c, const char *text)
{
	struct str s = STR_INIT;

	str_add_escaped(&s, text, strlen(text));
	add_taken(c, str_take(&s));
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

/* Characters, not bytes: what is no ASCII counts as one cell for each code point */
static int width(const char *text, int len)
{
	int nr = 0, i;

	for (i = 0; i < len; i++)
		nr += (text[i] & 0xc0) != 0x80;
	return nr;
}

static size_t read_head(const char *head, struct column *cols)
{
	size_t nr = 0;

	do {
		struct column *col = &cols[nr++];

		col->name = head;
		col->name_len = strcspn(head, "|>");
		col->width = width(head, col->name_len);
		head += col->name_len;
		col->right = *head == '>';
		head += strcspn(head, "|");
	} while (*head++ && nr < MAX_COLUMNS);
	return nr;
}

static void print_cell(const struct column *col, const char *text, int len, bool last)
{
	int pad = col->width - width(text, len);

	printf("%*s%.*s%*s%s", col->right ? pad : 0, "", len, text,
	       col->right || last ? 0 : pad, "", last ? "\n" : "  ");
}

static void print_all(const struct columns *c, const struct column *cols, size_t nr_cols)
{
	size_t i;

	for (i = 0; i < nr_cols; i++)
		print_cell(&cols[i], cols[i].name, cols[i].name_len, i + 1 == nr_cols);
	for (i = 0; i < c->nr; i++)
		print_cell(&cols[i % nr_cols], c->cells[i], strlen(c->cells[i]),
			   (i + 1) % nr_cols == 0);
}

void columns_fini(struct columns *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free(c->cells[i]);
	free(c->cells);
	c->cells = NULL;
	c->nr = c->cap = 0;
}

int columns_print(struct columns *c, const char *empty)
{
	struct column cols[MAX_COLUMNS];
	size_t nr_cols = read_head(c->head, cols), i;
	int ret = c->nr % nr_cols ? -ENOMEM : 0;

	for (i = 0; i < c->nr; i++) {
		struct column *col = &cols[i % nr_cols];
		int w = c->cells[i] ? width(c->cells[i], strlen(c->cells[i])) : 0;

		if (!c->cells[i])
			ret = -ENOMEM;
		col->width = w > col->width ? w : col->width;
	}
	if (ret == 0 && c->nr)
		print_all(c, cols, nr_cols);
	else if (ret == 0 && empty)
		printf("%s\n", empty);
	columns_fini(c);
	return ret;
}
