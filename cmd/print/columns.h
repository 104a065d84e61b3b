/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.h - a list for people: aligned columns under a head */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#define COLUMNS_MAX 16

struct libscols_table;
struct libscols_line;

/**
 * struct columns - rows that are printed once their widths are known
 *
 * Start with `struct columns c = { .head = "EVENT|HITS>|WHERE" };` ('>' aligns
 * to the right), add cells left to right, then call columns_print(), which frees.
 * Cells are copied and escaped for a terminal. On a terminal the table keeps to its
 * width: long texts are wrapped, except in the first column. Elsewhere lines may
 * have any length.
 *
 * "P90>?2" may be left out: '?1' is shown if it fits, then '?2' and so on; without a terminal the
 * limit is 80 columns. Such a column is also left out if all its cells are empty; '?0' only then.
 */
struct columns {
	const char *head;
	struct libscols_table *table;	/* NULL: no cell yet */
	struct libscols_line *line;	/* the line that is being filled */
	size_t nr_columns, at;
	size_t widest[COLUMNS_MAX];	/* bytes of the longest cell, or of the head */
	char   rank[COLUMNS_MAX];	/* '0' … '9'; 0: it is always shown */
	bool   used[COLUMNS_MAX];	/* not all cells are empty */
	bool   wide;			/* show all, on lines as long as they are */
	bool failed;			/* no memory: columns_print() reports it */
};

void columns_add(struct columns *c, const char *text);
void columns_addf(struct columns *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * Print on stdout. 0 or -ENOMEM (nothing is printed then). Without rows, print only @empty, if
 * not NULL.
 */
int columns_print(struct columns *c, const char *empty);

/* "… and 3 more", below a table that --top has shortened by so many rows; nothing for 0 */
void columns_tell_more(size_t nr);

/* Discard the rows without printing them. */
void columns_fini(struct columns *c);

#endif
