/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame_top.c - `ktrail flame --top`: functions by their own time */
#include "flame_top.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"

struct row {
	const char *name;
	uint64_t own, total;
};

/*
 * A function that calls itself has its time already in the total of its caller. The outermost
 * frame is the task, which may have the same name.
 */
static bool is_inside_itself(const struct kt_flame *flame, const struct kt_flame_frame *f)
{
	struct kt_flame_frame above;

	for (kt_flame_frame(flame, f->parent, &above); above.parent != 0;
	     kt_flame_frame(flame, above.parent, &above))
		if (strcmp(above.name, f->name) == 0)
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static int by_own(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->own != y->own ? (x->own < y->own ? 1 : -1) : by_name(a, b);
}

static int by_total(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->total != y->total ? (x->total < y->total ? 1 : -1) : by_name(a, b);
}

/* Rows of the same name follow each other: sum them up. Returns how many remain. */
static size_t merge(struct row *rows, size_t nr)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++) {
		if (kept && strcmp(rows[kept - 1].name, rows[i].name) == 0) {
			rows[kept - 1].own += rows[i].own;
			rows[kept - 1].total += rows[i].total;
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

/* Frames directly below the root are tasks or CPUs, not functions. */
static struct row *rows_of(const struct kt_flame *flame, const struct flame_top *top, size_t *nr)
{
	struct row *rows = calloc(kt_flame_nr(flame), sizeof(*rows));
	struct kt_flame_frame f;
	uint32_t i;

	*nr = 0;
	for (i = 1; rows && kt_flame_frame(flame, i, &f); i++) {
		if (f.parent == 0)
			continue;
		rows[*nr].name = f.name;
		rows[*nr].own = top->timed ? f.own_time : f.own_count;
		if (!is_inside_itself(flame, &f))
			rows[*nr].total = top->timed ? f.time : f.count;
		++*nr;
	}
	if (!rows)
		return NULL;
	qsort(rows, *nr, sizeof(*rows), by_name);
	*nr = merge(rows, *nr);
	if (top->order != FLAME_TOP_NAME)
		qsort(rows, *nr, sizeof(*rows), top->order == FLAME_TOP_OWN ? by_own : by_total);
	return rows;
}

static void add_value(struct columns *c, const struct flame_top *top, uint64_t value)
{
	char text[32];

	if (top->timed)
		columns_add(c, units_format_time(value, text));
	else
		columns_addf(c, "%" PRIu64, value);
}

static int print_table(const struct flame_top *top, const struct row *rows, size_t nr,
		       uint64_t whole)
{
	struct columns c = { .head = "SHARE>|OWN>|TOTAL>|FUNCTION" };
	size_t i, shown = top->nr && top->nr < nr ? (size_t)top->nr : nr;
	int ret;

	for (i = 0; i < shown; i++) {
		columns_addf(&c, "%.1f%%", 100.0 * (double)rows[i].own / (double)whole);
		add_value(&c, top, rows[i].own);
		add_value(&c, top, rows[i].total);
		columns_add(&c, rows[i].name);
	}
	ret = columns_print(&c, "no functions");
	columns_tell_more(nr - shown);
	return ret;
}

static int print_json(const struct flame_top *top, const struct row *rows, size_t nr)
{
	size_t i, shown = top->nr && top->nr < nr ? (size_t)top->nr : nr;
	struct json j = JSON_INIT;

	json_open(&j, NULL, '{');
	json_str(&j, "unit", top->timed ? "ns" : "count");
	json_open(&j, "functions", '[');
	for (i = 0; i < shown; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "name", rows[i].name);
		json_uint(&j, "own", rows[i].own);
		json_uint(&j, "total", rows[i].total);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

int flame_top_print(const struct kt_flame *flame, const struct flame_top *top)
{
	struct kt_flame_frame all;
	struct row *rows;
	uint64_t whole;
	size_t nr;
	int ret;

	rows = rows_of(flame, top, &nr);
	if (!rows)
		return -ENOMEM;
	kt_flame_frame(flame, 0, &all);
	whole = top->timed ? all.time : all.count;
	ret = top->json ? print_json(top, rows, nr) : print_table(top, rows, nr, whole ? whole : 1);
	free(rows);
	return ret;
}
