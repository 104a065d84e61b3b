/* SPDX-License-Identifier: GPL-2.0-or-later */
/* below.c - the events at the selected row, below a picture that needs few rows */
#include "app.h"

#define TITLE " events at the cursor "
#define LEAST_ROWS 6			/* a title, names of columns, and some events */

/* The number of rows that the view of a pane leaves free, and the first of them */
static int free_rows(const struct pane *p, int *first)
{
	const struct view *v = &p->views[p->active];
	int rows = 0;

	*first = v->ops->used ? v->ops->used(v, &rows) : 0;
	return *first < rows ? rows - *first : 0;
}

/* Does a pane show the view of events? */
static bool are_shown(struct app *app)
{
	struct pane *p;

	for (p = pane_first(app->root); p; p = pane_next(p))
		if (p->place.rows && p->views[p->active].ops == &events_view)
			return true;
	return false;
}

static bool prepare(struct app *app, struct pane *p, int rows)
{
	const struct view *v = &p->views[p->active];
	struct view_row row = { .spot = kt_model_cursor(app->model), .pid = -1, .cpu = -1 };
	unsigned int generation = kt_model_generation(app->model);
	struct view *b = &p->below;

	b->rows = rows - 1;
	b->cols = p->place.cols;
	if (app_open_view(b, NULL) < 0)
		return false;
	if (v->ops->row)
		v->ops->row(v, &row);
	if (!app_is_same_spot(&row.spot, &p->below_at) || b->generation != generation) {
		b->generation = generation;
		b->ops->show(b, &row.spot);
	}
	p->below_at = row.spot;
	b->ops->prepare(b);
	return true;
}

void below_draw(struct app *app, struct pane *p, struct area a)
{
	int first, rows = free_rows(p, &first);

	p->below.rows = 0;
	p->views[p->active].shortened = false;
	if (rows < LEAST_ROWS || are_shown(app) || !prepare(app, p, rows))
		return;
	p->views[p->active].shortened = true;
	a = area_part(a, first, 0, rows, a.cols);
	area_fill(a, 0, 0, STYLE_DIM, 0x2500, a.cols);
	area_put(a, 0, 2, STYLE_HEAD, TITLE, -1);
	p->below.ops->draw(&p->below, area_part(a, 1, 0, rows - 1, a.cols));
}

/* A click on an event moves the cursor of all views. */
bool below_mouse(struct pane *p, int key, int row, int col)
{
	struct view *b = &p->below, *v = &p->views[p->active];
	int first, rows = free_rows(p, &first);

	if (key != TK_CLICK || !b->rows || rows != b->rows + 1 || row < first ||
	    row >= first + rows)
		return false;
	if (row < first + 2)		/* titles: rows hidden below them must not be selected */
		return true;
	b->ops->mouse(b, key, row - first - 1, col);
	v->ops->follow(v);
	return true;
}
