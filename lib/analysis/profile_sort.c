/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile_sort.c - sort the rows of a profile */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/profile.h"

/* A row with its sort keys */
struct place {
	struct row row;
	const char *task_name;
	uint64_t by;
	size_t  before;		/* its former position */
	bool idle;
};

static uint64_t weight(const struct kt_profile_row *r, enum kt_profile_order order)
{
	switch (order) {
	case KT_PROFILE_BY_COUNT:
		return r->time.count;
	case KT_PROFILE_BY_AVG:
		return r->is_timed && r->time.count ? r->time.total / r->time.count : 0;
	case KT_PROFILE_BY_MAX:
		return r->time.max;
	case KT_PROFILE_BY_TOTAL:
	case KT_PROFILE_BY_NAME:	/* only --top applies */
		break;
	}
	return r->time.total;
}

static int by_cost(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->idle != y->idle)
		return x->idle ? 1 : -1;
	if (x->by != y->by)
		return x->by < y->by ? 1 : -1;
	if (x->row.pub.is_timed != y->row.pub.is_timed)
		return x->row.pub.is_timed ? -1 : 1;
	if (!x->row.pub.is_timed && x->row.pub.time.count != y->row.pub.time.count)
		return x->row.pub.time.count < y->row.pub.time.count ? 1 : -1;
	return x->before < y->before ? -1 : x->before > y->before;
}

static int by_name(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int ret;

	if (x->idle != y->idle)
		return x->idle ? 1 : -1;
	ret = strcmp(x->task_name, y->task_name);
	if (ret)
		return ret;
	if (x->row.task != y->row.task)
		return x->row.task < y->row.task ? -1 : 1;
	ret = strcmp(x->row.pub.event, y->row.pub.event);
	return ret ? ret : by_cost(a, b);
}

/* Numbers tasks by their first row and updates the rows. */
static void renumber(struct kt_profile *p, const struct place *at, struct task *tasks,
		     uint32_t *number)
{
	uint32_t nr = 0;
	size_t i;

	memset(number, 0xff, p->nr_tasks * sizeof(*number));
	for (i = 0; i < p->nr_rows; i++) {
		uint32_t old = at[i].row.task;

		if (number[old] == KEYMAP_NONE) {
			number[old] = nr;
			tasks[nr] = p->tasks[old];
			tasks[nr++].pub.nr_rows = 0;
		}
		tasks[number[old]].pub.nr_rows++;
	}
	if (nr)			/* an empty array may be NULL */
		memcpy(p->tasks, tasks, nr * sizeof(*tasks));
	p->nr_tasks = nr;
}

/* Groups the rows by task, in the order of @at */
static void place_rows(struct kt_profile *p, const struct place *at, const uint32_t *number,
		       size_t *next)
{
	size_t i, first = 0;

	for (i = 0; i < p->nr_tasks; i++) {
		p->tasks[i].first_row = next[i] = first;
		first += p->tasks[i].pub.nr_rows;
	}
	for (i = 0; i < p->nr_rows; i++) {
		struct row *r = &p->rows[next[number[at[i].row.task]]++];

		*r = at[i].row;
		r->task = number[r->task];
	}
}

static void fill(const struct kt_profile *p, enum kt_profile_order order, struct place *at)
{
	size_t i, j, nr = 0;

	for (i = 0; i < p->nr_tasks; i++) {
		const struct kt_profile_task *t = &p->tasks[i].pub;

		for (j = 0; j < t->nr_rows; j++, nr++) {
			at[nr] = (struct place){
				.row = p->rows[p->tasks[i].first_row + j], .before = nr,
				.task_name = t->comm ? t->comm : "", .idle = t->comm && t->cpu >= 0,
			};
			at[nr].row.task = i;
			at[nr].by = weight(&at[nr].row.pub, order);
		}
	}
}

int kt_profile_sort(struct kt_profile *p, enum kt_profile_order order, size_t top)
{
	struct place *at = calloc(p->nr_rows + 1, sizeof(*at));
	struct task *tasks = calloc(p->nr_tasks + 1, sizeof(*tasks));
	uint32_t *number = calloc(p->nr_tasks + 1, sizeof(*number));
	size_t *next = calloc(p->nr_tasks + 1, sizeof(*next));
	bool ok = at && tasks && number && next;

	if (ok) {
		fill(p, order, at);
		qsort(at, p->nr_rows, sizeof(*at), by_cost);
		while (top && p->nr_rows > top)
			profile_free_row(&at[--p->nr_rows].row);
		if (order == KT_PROFILE_BY_NAME)
			qsort(at, p->nr_rows, sizeof(*at), by_name);
		renumber(p, at, tasks, number);
		place_rows(p, at, number, next);
		profile_name_idle(p);
	}
	free(at);
	free(tasks);
	free(number);
	free(next);
	return ok ? 0 : -ENOMEM;
}
