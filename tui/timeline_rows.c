/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline_rows.c - which rows the view of time has: CPUs, pinned ones, tasks in an order */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

static struct timeline_id id_of(const struct kt_timeline_row *r)
{
	return (struct timeline_id){ r->is_cpu, r->is_cpu ? r->cpu : r->pid, r->file };
}

static bool is_same(const struct timeline_id *a, const struct timeline_id *b)
{
	return a->is_cpu == b->is_cpu && a->id == b->id && a->file == b->file;
}

/* Where it is in a list, or its length */
static size_t find_id(const struct timeline_id *list, size_t nr, const struct timeline_id *id)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (is_same(&list[i], id))
			break;
	return i;
}

static bool is_in(const struct timeline_id *list, size_t nr, const struct timeline_id *id)
{
	return find_id(list, nr, id) < nr;
}

bool timeline_row(const struct timeline_state *st, int row, struct kt_timeline_row *r)
{
	return row >= 0 && row < st->nr && kt_timeline_row(st->timeline, st->rows[row], r);
}

/* ---- the order ---- */

static int compare(const void *x, const void *y, void *data)
{
	const struct view *v = data;
	const struct timeline_state *st = v->state;
	struct kt_timeline_row a, b;
	char name_a[64], name_b[64];
	int order = 0;

	kt_timeline_row(st->timeline, *(const size_t *)x, &a);
	kt_timeline_row(st->timeline, *(const size_t *)y, &b);
	if (st->order == TIMELINE_BY_NAME) {
		timeline_name_task(v, a.file, a.pid, name_a, sizeof(name_a));
		timeline_name_task(v, b.file, b.pid, name_b, sizeof(name_b));
		order = strcmp(name_a, name_b);
	} else if (st->order == TIMELINE_BY_PID) {
		order = a.pid < b.pid ? -1 : a.pid > b.pid;
	}
	if (order)
		return order;
	return *(const size_t *)x < *(const size_t *)y ? -1 : 1;
}

enum part { PART_CPUS, PART_PINNED, PART_TASKS };

static void add_part(struct timeline_state *st, enum part part)
{
	struct kt_timeline_row r;
	size_t i;

	for (i = 0; kt_timeline_row(st->timeline, i, &r); i++) {
		struct timeline_id id = id_of(&r);
		bool pinned = is_in(st->pinned, st->nr_pinned, &id);

		if (pinned ? part != PART_PINNED :
		    part == PART_PINNED || r.is_cpu != (part == PART_CPUS) ||
		    (r.is_cpu && st->no_cpus) || is_in(st->hidden, st->nr_hidden, &id))
			continue;
		st->rows[st->nr++] = i;
	}
}

void timeline_arrange(struct view *v)
{
	struct timeline_state *st = v->state;
	size_t nr = kt_timeline_nr(st->timeline);
	size_t *grown = reallocarray(st->rows, nr + 1, sizeof(*grown));

	st->nr = st->nr_fixed = 0;
	if (!grown)
		return;
	st->rows = grown;
	add_part(st, PART_CPUS);
	add_part(st, PART_PINNED);
	st->nr_fixed = st->nr;
	add_part(st, PART_TASKS);
	if (st->order != TIMELINE_BY_TIME)
		qsort_r(st->rows + st->nr_fixed, (size_t)(st->nr - st->nr_fixed), sizeof(*st->rows),
			compare, v);
}

/* ---- the selected row ---- */

/* Lines for rows that scroll: where the others leave none, all of them do. */
static int scrolled_lines(const struct view *v)
{
	const struct timeline_state *st = v->state;
	int lines = v->rows - 2 - st->nr_fixed;

	return lines > 2 ? lines : v->rows > 3 ? v->rows - 2 : 1;
}

static bool all_scroll(const struct view *v)
{
	return v->rows - 2 - ((const struct timeline_state *)v->state)->nr_fixed <= 2;
}

int timeline_row_at(const struct view *v, int line)
{
	const struct timeline_state *st = v->state;

	return line < st->nr_fixed && !all_scroll(v) ? line : st->top + line;
}

void timeline_select(struct view *v, int to)
{
	struct timeline_state *st = v->state;
	int lines = scrolled_lines(v), fixed = all_scroll(v) ? 0 : st->nr_fixed;
	struct kt_timeline_row r;

	if (to >= st->nr)
		to = st->nr - 1;
	st->selected = to < 0 ? 0 : to;
	if (timeline_row(st, st->selected, &r))
		st->chosen = id_of(&r);
	if (st->selected < fixed)
		return;
	if (st->selected - fixed < st->top)
		st->top = st->selected - fixed;
	if (st->selected - fixed >= st->top + lines)
		st->top = st->selected - fixed - lines + 1;
}

void timeline_select_again(struct view *v)
{
	struct timeline_state *st = v->state;
	struct kt_timeline_row r;
	int i;

	if (st->found || !kt_timeline_nr(st->timeline))
		return;
	st->found = true;
	st->top = 0;
	timeline_arrange(v);
	for (i = 0; timeline_row(st, i, &r); i++) {
		struct timeline_id id = id_of(&r);

		if (is_same(&id, &st->chosen)) {
			timeline_select(v, i);
			return;
		}
	}
	timeline_select(v, st->selected);
}

/* ---- commands ---- */

static int arrange_again(struct view *v)
{
	((struct timeline_state *)v->state)->found = false;
	timeline_select_again(v);
	return 0;
}

int timeline_pin(struct view *v, const char *arg, struct kt_err *err)
{
	struct timeline_state *st = v->state;
	size_t i = find_id(st->pinned, st->nr_pinned, &st->chosen);

	(void)arg;
	if (i < st->nr_pinned)
		memmove(&st->pinned[i], &st->pinned[i + 1],
			(--st->nr_pinned - i) * sizeof(st->pinned[0]));
	else if (st->nr_pinned == TIMELINE_CHOICES)
		return kt_err_set(err, -ENOSPC, "no more than %d rows can be pinned",
				  TIMELINE_CHOICES);
	else
		st->pinned[st->nr_pinned++] = st->chosen;
	return arrange_again(v);
}

int timeline_hide(struct view *v, const char *arg, struct kt_err *err)
{
	struct timeline_state *st = v->state;
	int row = st->selected;

	(void)arg;
	if (st->nr_hidden == TIMELINE_CHOICES)
		return kt_err_set(err, -ENOSPC, "no more than %d rows can be hidden",
				  TIMELINE_CHOICES);
	if (st->nr <= 1)
		return 0;
	st->hidden[st->nr_hidden++] = st->chosen;
	timeline_arrange(v);
	timeline_select(v, row);
	app_say(v->app, "%zu rows are hidden: D shows them", st->nr_hidden);
	return 0;
}

int timeline_show_all(struct view *v, const char *arg, struct kt_err *err)
{
	struct timeline_state *st = v->state;

	(void)arg, (void)err;
	st->nr_hidden = 0;
	st->no_cpus = false;
	return arrange_again(v);
}

int timeline_fold_cpus(struct view *v, const char *arg, struct kt_err *err)
{
	struct timeline_state *st = v->state;

	(void)arg, (void)err;
	st->no_cpus = !st->no_cpus;
	return arrange_again(v);
}

int timeline_next_order(struct view *v, const char *arg, struct kt_err *err)
{
	static const char *const names[] = { "by the time that they waited or ran", "by name",
					     "by pid" };
	struct timeline_state *st = v->state;

	(void)arg, (void)err;
	st->order = (enum timeline_order)((st->order + 1) % TIMELINE_ORDERS);
	app_say(v->app, "tasks %s", names[st->order]);
	return arrange_again(v);
}
