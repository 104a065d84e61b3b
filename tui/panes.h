/* SPDX-License-Identifier: GPL-2.0-or-later */
/* panes.h - how the screen is divided: a tree of splits whose leaves show views */
#ifndef TUI_PANES_H
#define TUI_PANES_H

#include "view.h"

#define PANES_MAX 8
#define APP_VIEWS_MAX 8

/* A place of the screen; 0 rows: there is no room for it */
struct pane_place {
	int row, col, rows, cols;
};

/*
 * A leaf shows one of its views. Each leaf has views of its own, so two panes may show
 * the same kind with different states. A split has two children and no views.
 */
struct pane {
	struct pane *parent, *child[2];
	bool beside;			/* the children stand side by side */
	int  share;			/* of the first child, in thousandths */
	struct pane_place place;	/* the title included */
	bool titled;
	struct view views[APP_VIEWS_MAX];
	size_t nr_views, active;
};

/* A leaf with all views, none of them open yet. New (pane_destroy), NULL: no memory */
struct pane *pane_create(struct app *app, struct kt_model *model);
/* With all that is below it */
void pane_destroy(struct pane *p);
/* Of a leaf, those that are made of the model's trace */
void pane_close_views(struct pane *p);

/* The first leaf, and the one after @p; NULL after the last */
struct pane *pane_first(struct pane *root);
struct pane *pane_next(struct pane *p);
size_t pane_count(struct pane *root);
/* The leaf there, NULL: none */
struct pane *pane_at(struct pane *root, int row, int col);

/* Where the view is drawn: the pane without its title */
struct pane_place pane_inside(const struct pane *p);

/* Divide @place among all; where there is no room, @focus has it. */
void pane_layout(struct pane *root, const struct pane *focus, struct pane_place place);

/* Put @fresh after the leaf @p, in half of its place; @root: what is the root then */
int  pane_split(struct pane **root, struct pane *p, struct pane *fresh, bool beside);
/* Take a leaf out and destroy it. Returns the leaf that has its place, NULL: it is the only one. */
struct pane *pane_close(struct pane **root, struct pane *p);
/* The split whose border, or title of the second child, is there; NULL: none */
struct pane *pane_border_at(struct pane *root, int row, int col);
/* The border of a split goes there, or as near as there is room */
void pane_move_border(struct pane *split, int row, int col);
/* All leaves alike */
void pane_equalize(struct pane *root);
/* A leaf larger (or smaller) by some thousandths of the next split of that kind; false: none */
bool pane_grow(struct pane *p, bool beside, int thousandths);

#endif
