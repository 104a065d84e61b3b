/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - the rows of the view of time: CPUs, pinned ones, sorted tasks */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "timeline.h"

#define LEVELS_MAX 12			/* of calls below a row */
#define SEEN_COLS   2			/* minimum of a call that gets a line on request */
#define NAMED_COLS 10			/* minimum of a call that gets a line by default */

static struct timeline_id id_of(const struct kt_timeline_row *r)
{
	return (struct timeline_id){ r->is_cpu, r->is_cpu ? r->cpu : r->pid, r->file };
}

static bool is_same(const struct timeline_id *a, const struct timeline_id *b)
{
	return a->is_cpu == b->is_cpu && a->id == b->id && a->file == b->file;
}

/* Its place in a list, or the length of the list */
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
	return row >= 0 && row < st->nr && kt_timeline_row(st->timeline, st->rows[row].row, r);
}

/* ---- the order ---- */

static int compare(const void *x, const void *y, void *data)
{
	const struct view *v = data;
	const struct timeline_state *st = v->state;
	const struct timeline_place *px = x, *py = y;
	struct kt_timeline_row a, b;
	char name_a[64], name_b[64];
	int order = 0;

	kt_timeline_row(st->timeline, px->row, &a);
	kt_timeline_row(st->timeline, py->row, &b);
	if (st->order == TIMELINE_BY_NAME) {
		timeline_name_task(v, a.file, a.pid, name_a, sizeof(name_a));
		timeline_name_task(v, b.file, b.pid, name_b, sizeof(name_b));
		order = strcmp(name_a, name_b);
	} else if (st->order == TIMELINE_BY_PID) {
		order = a.pid < b.pid ? -1 : a.pid > b.pid;
	}
	if (order)
		return order;
	return px->row < py->row ? -1 : 1;
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
		st->rows[st->nr++] = (struct timeline_place){ .row = i };
	}
}

/* Lines that the user did not request leave room for the rows of all CPUs, and for tasks. */
static int default_levels(const struct view *v, const struct kt_timeline_row *r)
{
	const struct timeline_state *st = v->state;

	if (st->calls == CALLS_OF_NONE || (st->calls == CALLS_OF_CPUS && !r->is_cpu))
		return 0;
	return clamp(timeline_lines(v) / (st->nr_fixed + 2) - 1, 0, LEVELS_MAX);
}

static void set_levels(struct view *v)
{
	struct timeline_state *st = v->state;
	struct kt_timeline_row r;
	int i;

	for (i = 0; timeline_row(st, i, &r); i++) {
		struct timeline_id id = id_of(&r);
		bool opened = is_in(st->opened, st->nr_opened, &id);
		int most = 0;

		if (opened)
			most = LEVELS_MAX;
		else if (!is_in(st->closed, st->nr_closed, &id))
			most = default_levels(v, &r);
		st->rows[i].levels = !most ? 0 :
				     timeline_levels(v, &r, opened ? SEEN_COLS : NAMED_COLS);
		if (st->rows[i].levels > most)
			st->rows[i].levels = most;
	}
}

static void arrange(struct view *v)
{
	struct timeline_state *st = v->state;
	size_t nr = kt_timeline_nr(st->timeline);
	struct timeline_place *grown = reallocarray(st->rows, nr + 1, sizeof(*grown));

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
	set_levels(v);
}

/* ---- the selected row ---- */

static int lines_of(const struct timeline_state *st, int from, int until)
{
	int lines = 0;

	for (; from < until && from < st->nr; from++)
		lines += 1 + st->rows[from].levels;
	return lines;
}

/* Fixed rows at the top; if they leave no room for others, all of them scroll. */
static int fixed_rows(const struct view *v)
{
	const struct timeline_state *st = v->state;

	return timeline_lines(v) - lines_of(st, 0, st->nr_fixed) > 2 ? st->nr_fixed : 0;
}

int timeline_row_at(const struct view *v, int line, int *level)
{
	const struct timeline_state *st = v->state;
	int row, fixed = fixed_rows(v);

	*level = 0;
	for (row = fixed ? 0 : st->top; line >= 0 && row < st->nr;
	     row = row + 1 == fixed ? fixed + st->top : row + 1) {
		if (line <= st->rows[row].levels) {
			*level = line;
			return row;
		}
		line -= 1 + st->rows[row].levels;
	}
	return -1;
}

void timeline_select(struct view *v, int to)
{
	struct timeline_state *st = v->state;
	int fixed = fixed_rows(v), lines = timeline_lines(v) - lines_of(st, 0, fixed);
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
	while (fixed + st->top < st->selected &&
	       lines_of(st, fixed + st->top, st->selected + 1) > lines)
		st->top++;
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
	arrange(v);
	for (i = 0; timeline_row(st, i, &r); i++) {
		struct timeline_id id = id_of(&r);

		if (is_same(&id, &st->chosen)) {
			timeline_select(v, i);
			return;
		}
	}
	timeline_select(v, st->selected);
}

/* Find rows by their names, and places where events were lost */
static int find_lost(struct view *v, int direction)
{
	const struct timeline_state *st = v->state;
	uint64_t step = timeline_column_ns(v), ts = timeline_cursor(v);
	int col = timeline_column(v, ts) + direction, i;
	struct kt_timeline_row r;

	for (; col >= 0 && col < timeline_cols(v); col += direction)
		for (i = 0; timeline_row(st, i, &r) && r.is_cpu; i++) {
			uint64_t at = st->window.from + (uint64_t)col * step;
			const struct kt_timeline_cell *c = timeline_cell_at(v, &r, at);

			if (c && c->lost) {
				timeline_set_cursor(v, at, false);
				timeline_select(v, i);
				return 1;
			}
		}
	/* Outside of the window: use the strip of the whole trace */
	ts = direction > 0 ? st->window.until : st->window.from;
	if (!app_next_lost(v->app, ts, direction, &ts))
		return 0;
	timeline_centre(v, ts);
	return 1;
}

int timeline_find(struct view *v, const regex_t *re, int direction, bool first,
		  unsigned int budget_ms)
{
	const struct timeline_state *st = v->state;
	struct kt_timeline_row r;
	char name[64];
	int i;

	(void)first, (void)budget_ms;
	if (!re)
		return find_lost(v, direction);
	for (i = st->selected + direction; timeline_row(st, i, &r); i += direction) {
		timeline_name_row(v, &r, name, sizeof(name));
		if (regexec(re, name, 0, NULL, 0) == 0) {
			timeline_select(v, i);
			return 1;
		}
	}
	return 0;
}

/* ---- commands ---- */

static void take_out(struct timeline_id *list, size_t *nr, size_t i)
{
	memmove(&list[i], &list[i + 1], (--*nr - i) * sizeof(*list));
}

static int put_in(struct timeline_id *list, size_t *nr, const struct timeline_id *id,
		  const char *what, struct kt_err *err)
{
	if (*nr == TIMELINE_CHOICES)
		return kt_err_set(err, -ENOSPC, "no more than %d rows can be %s", TIMELINE_CHOICES,
				  what);
	list[(*nr)++] = *id;
	return 0;
}

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
	int ret = 0;

	(void)arg;
	if (i < st->nr_pinned)
		take_out(st->pinned, &st->nr_pinned, i);
	else
		ret = put_in(st->pinned, &st->nr_pinned, &st->chosen, "pinned", err);
	return ret < 0 ? ret : arrange_again(v);
}

int timeline_hide(struct view *v, const char *arg, struct kt_err *err)
{
	struct timeline_state *st = v->state;
	int row = st->selected, ret;
	size_t i;

	(void)arg;
	if (st->nr <= 1)
		return kt_err_set(err, -EINVAL, "this is the only row");
	ret = put_in(st->hidden, &st->nr_hidden, &st->chosen, "hidden", err);
	if (ret < 0)
		return ret;
	i = find_id(st->pinned, st->nr_pinned, &st->chosen);
	if (i < st->nr_pinned)
		take_out(st->pinned, &st->nr_pinned, i);
	arrange(v);
	timeline_select(v, row);
	app_say(v->app, "%zu row%s hidden: D shows all", st->nr_hidden,
		st->nr_hidden == 1 ? " is" : "s are");
	return 0;
}

/* The lines of calls below the selected row: more than by default, or none */
int timeline_fold(struct view *v, const char *arg, struct kt_err *err)
{
	struct timeline_state *st = v->state;
	struct timeline_id *id = &st->chosen;
	struct kt_timeline_row r;
	size_t i = find_id(st->opened, st->nr_opened, id);
	size_t k = find_id(st->closed, st->nr_closed, id);
	bool open;
	int ret;

	(void)arg;
	if (!timeline_row(st, st->selected, &r) || !timeline_levels(v, &r, SEEN_COLS))
		return kt_err_set(err, -ENOENT, kt_timeline_is_sampled(st->timeline) ?
				  "the window is too long for calls: zoom in (+)" :
				  "no calls of this row can be seen here: zoom in (+)");
	open = !st->rows[st->selected].levels;
	if (i < st->nr_opened)
		take_out(st->opened, &st->nr_opened, i);
	if (k < st->nr_closed)
		take_out(st->closed, &st->nr_closed, k);
	ret = open ? put_in(st->opened, &st->nr_opened, id, "open", err)
		   : put_in(st->closed, &st->nr_closed, id, "closed", err);
	return ret < 0 ? ret : arrange_again(v);
}

int timeline_next_calls(struct view *v, const char *arg, struct kt_err *err)
{
	static const char *const names[] = { "calls of CPUs", "calls of all rows", "no calls" };
	struct timeline_state *st = v->state;

	(void)arg, (void)err;
	st->calls = (enum timeline_calls)((st->calls + 1) % CALLS_MODES);
	st->nr_opened = st->nr_closed = 0;
	app_say(v->app, "%s", names[st->calls]);
	return arrange_again(v);
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
