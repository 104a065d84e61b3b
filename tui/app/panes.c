/* SPDX-License-Identifier: GPL-2.0-or-later */
/* panes.c - divide the screen: a tree of splits whose leaves show views */
#include "panes.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clamp.h"
#include "app.h"

#define LEAST_ROWS 4			/* of a pane, including its title */
#define LEAST_COLS 16
#define LEAST_SHARE 100

struct pane *pane_create(struct app *app, struct kt_model *model)
{
	struct pane *p = calloc(1, sizeof(*p));
	size_t i;

	for (i = 0; p && views_table[i] && i < APP_VIEWS_MAX; i++) {
		if (views_table[i]->live && !app->live)
			continue;
		p->views[p->nr_views++] = (struct view){
			.ops = views_table[i], .app = app, .model = model,
		};
		p->nr_tabs += !views_table[i]->no_tab;
	}
	if (p)
		p->below = (struct view){ .ops = &events_view, .app = app, .model = model };
	return p;
}

static void close_view(struct view *v)
{
	if (v->state && v->ops->close)
		v->ops->close(v);
	free(v->state);
	v->state = NULL;
	v->stale = false;
	v->refreshing = false;
	v->rest_until_ms = 0;
}

void pane_close_views(struct pane *p)
{
	size_t i;

	for (i = 0; i < p->nr_views; i++)
		if (!p->views[i].ops->live)
			close_view(&p->views[i]);
	close_view(&p->below);
}

void pane_destroy(struct pane *p)
{
	size_t i;

	if (!p)
		return;
	pane_destroy(p->child[0]);
	pane_destroy(p->child[1]);
	for (i = 0; i < p->nr_views; i++)
		close_view(&p->views[i]);
	close_view(&p->below);
	free(p);
}

/* ---- walking ---- */

struct pane *pane_first(struct pane *root)
{
	while (root->child[0])
		root = root->child[0];
	return root;
}

struct pane *pane_next(struct pane *p)
{
	while (p->parent && p == p->parent->child[1])
		p = p->parent;
	return p->parent ? pane_first(p->parent->child[1]) : NULL;
}

size_t pane_count(struct pane *root)
{
	size_t nr = 0;
	struct pane *p;

	for (p = pane_first(root); p; p = pane_next(p))
		nr++;
	return nr;
}

struct pane *pane_at(struct pane *root, int row, int col)
{
	struct pane *p;

	for (p = pane_first(root); p; p = pane_next(p))
		if (row >= p->place.row && row < p->place.row + p->place.rows &&
		    col >= p->place.col && col < p->place.col + p->place.cols)
			return p;
	return NULL;
}

struct pane_place pane_inside(const struct pane *p)
{
	struct pane_place in = p->place;

	if (p->titled && in.rows) {
		in.row++;
		in.rows--;
	}
	return in;
}

/* ---- dividing ---- */

static bool holds(const struct pane *p, const struct pane *leaf)
{
	for (; leaf; leaf = leaf->parent)
		if (leaf == p)
			return true;
	return false;
}

static void place_leaf(struct pane *p, struct pane_place place)
{
	size_t i;

	p->place = place;
	p->titled = p->parent && place.rows > 1;
	for (i = 0; i < p->nr_views; i++) {
		p->views[i].rows = pane_inside(p).rows;
		p->views[i].cols = place.cols;
	}
}

void pane_layout(struct pane *p, const struct pane *focus, struct pane_place place)
{
	const struct pane_place none = { 0 };
	struct pane_place a = place, b = place;
	int *size_a, *size_b, least = p->beside ? LEAST_COLS : LEAST_ROWS, gap = p->beside;

	if (!p->child[0]) {
		place_leaf(p, place);
		return;
	}
	p->place = place;
	size_a = p->beside ? &a.cols : &a.rows;
	size_b = p->beside ? &b.cols : &b.rows;
	if (*size_a < 2 * least + gap) {
		bool second = holds(p->child[1], focus);

		pane_layout(p->child[0], focus, second ? none : place);
		pane_layout(p->child[1], focus, second ? place : none);
		return;
	}
	*size_a = *size_a * p->share / 1000;
	if (*size_a < least)
		*size_a = least;
	if (*size_a > *size_b - gap - least)
		*size_a = *size_b - gap - least;
	*size_b -= *size_a + gap;
	*(p->beside ? &b.col : &b.row) += *size_a + gap;
	pane_layout(p->child[0], focus, a);
	pane_layout(p->child[1], focus, b);
}

/* Replace @old by @p in the tree. */
static void replace(struct pane **root, struct pane *old, struct pane *p)
{
	p->parent = old->parent;
	if (old->parent)
		old->parent->child[old->parent->child[1] == old] = p;
	else
		*root = p;
}

int pane_split(struct pane **root, struct pane *p, struct pane *fresh, bool beside)
{
	struct pane *split = calloc(1, sizeof(*split));

	if (!split)
		return -ENOMEM;
	split->beside = beside;
	split->share = 500;
	replace(root, p, split);
	split->child[0] = p;
	split->child[1] = fresh;
	p->parent = fresh->parent = split;
	return 0;
}

struct pane *pane_close(struct pane **root, struct pane *p)
{
	struct pane *split = p->parent, *sibling;

	if (!split)
		return NULL;
	sibling = split->child[split->child[0] == p];
	replace(root, split, sibling);
	free(split);
	pane_destroy(p);
	return pane_first(sibling);
}

struct pane *pane_border_at(struct pane *p, int row, int col)
{
	const struct pane_place *b;
	struct pane *found;

	if (!p->child[0] || !p->child[0]->place.rows || !p->child[1]->place.rows)
		return NULL;
	b = &p->child[1]->place;
	if (p->beside ? col == b->col - 1 && row >= b->row && row < b->row + b->rows
		      : row == b->row && col >= b->col && col < b->col + b->cols)
		return p;
	found = pane_border_at(p->child[0], row, col);
	return found ? found : pane_border_at(p->child[1], row, col);
}

static void set_share(struct pane *split, int thousandths)
{
	split->share = clamp(thousandths, LEAST_SHARE, 1000 - LEAST_SHARE);
}

void pane_move_border(struct pane *split, int row, int col)
{
	int size = split->beside ? split->place.cols : split->place.rows;
	int at = split->beside ? col - split->place.col : row - split->place.row;

	if (size > 0)		/* rounded up: pane_layout() rounds down */
		set_share(split, (at * 1000 + size - 1) / size);
}

/* The number of leaves in this direction */
static int weight(const struct pane *p, bool beside)
{
	int a, b;

	if (!p->child[0])
		return 1;
	a = weight(p->child[0], beside);
	b = weight(p->child[1], beside);
	if (p->beside == beside)
		return a + b;
	return a > b ? a : b;
}

void pane_equalize(struct pane *p)
{
	if (!p->child[0])
		return;
	p->share = 1000 * weight(p->child[0], p->beside) / weight(p, p->beside);
	pane_equalize(p->child[0]);
	pane_equalize(p->child[1]);
}

bool pane_grow(struct pane *p, bool beside, int thousandths)
{
	for (; p->parent; p = p->parent) {
		struct pane *split = p->parent;

		if (split->beside != beside)
			continue;
		set_share(split, split->share +
				 (split->child[0] == p ? thousandths : -thousandths));
		return true;
	}
	return false;
}
