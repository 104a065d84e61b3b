/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.h - a list for people: aligned columns under a head */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stddef.h>

/**
 * struct columns - rows that are printed once their widths are known
 *
 * Start with `struct columns c = { .head = "EVENT|HITS>|WHERE" };` ('>' aligns
 * to the right), add cells left to right, then columns_print(), which frees.
 * Cells are copied and escaped for a terminal.
 */
struct columns {
	const char *head;
	char **cells;
	size_t nr, cap;
};

void columns_add(struct columns *c, const char *text);
void columns_addf(struct columns *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* On stdout. 0 or -ENOMEM (nothing is printed then). No row: nothing but @empty, if not NULL. */
int columns_print(struct columns *c, const char *empty);

/* Forget the rows without printing them. */
void columns_fini(struct columns *c);

#endif
