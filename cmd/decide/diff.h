/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff.h - shared by the files of `ktrail diff` */
#ifndef CMD_DIFF_H
#define CMD_DIFF_H

#include <ktrail/diff.h>

#include "cmd/args/choose.h"
#include "cmd/args/subjects.h"

struct diff_args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *files[2][KT_DIFF_RUNS];
	size_t nr_files[2];
	struct subjects subjects;
	struct kt_diff_limits limits;
	const char *sort, *flame;
	bool all, folded, tree, json;
	uint64_t top;

	struct kt_trace *trace;		/* the current one */
	struct choose now;		/* the choice in it */
};

/* diff_text.c, diff_json.c: 0 or a negative errno. @nr: rows that differ */
int diff_print(const struct diff_args *a, const struct kt_diff *d, size_t nr);
int diff_print_json(const struct diff_args *a, const struct kt_diff *d, size_t nr);

/* diff_flame.c: the difference as an SVG file, as folded stacks, as a tree for the terminal */
int diff_write_flame(const struct diff_args *a, const struct kt_diff *d, struct kt_err *err);
int diff_print_folded(const struct kt_diff *d);
int diff_print_tree(const struct kt_diff *d);

/* diff.c: the rows to print in the chosen order; new (free), NULL: no memory */
struct kt_diff_row *diff_rows(const struct diff_args *a, const struct kt_diff *d, size_t nr,
			      size_t *nr_rows);

#endif
