/* SPDX-License-Identifier: GPL-2.0-or-later */
/* panes.h - divide the screen: a tree of splits whose leaves show views */
#ifndef TUI_PANES_H
#define TUI_PANES_H

#include "tui/view.h"

#define PANES_MAX 8
#define APP_VIEWS_MAX 8

/* A rectangle of the screen; 0 rows: it does not fit on the screen */
struct pane_place {
	int row, col, rows, cols;
};

/*
 * A leaf shows one of its views. Each leaf has its own views, so two panes may show the same kind
 * with different states. A split has two children and no views.
 */
struct pane {
	struct pane *parent, *child[2];
	bool beside;			/* the children are side by side */
	int  share;			/* of the first child, in thousandths */
	struct pane_place place;	/* the title included */
	bool titled;
	struct view views[APP_VIEWS_MAX];
	size_t nr_views, active;
	size_t nr_tabs;			/* the first of these have tabs */
	struct view below;		/* the events below a small picture; 0 rows: none */
	struct kt_spot below_at;	/* the moment that they show */
};

/* A leaf with all views, none of them open yet. New (pane_destroy), NULL: no memory */
struct pane *pane_create(struct app *app, struct kt_model *model);
/* Including its children */
void pane_destroy(struct pane *p);
/* Close the views of a leaf that use the model's trace */
void pane_close_views(struct pane *p);

/* The first leaf, and the one after @p; NULL after the last */
struct pane *pane_first(struct pane *root);
struct pane *pane_next(struct pane *p);
size_t pane_count(struct pane *root);
/* The leaf at this place, or NULL */
struct pane *pane_at(struct pane *root, int row, int col);

/* The area of the view: the pane without its title */
struct pane_place pane_inside(const struct pane *p);

/* Divide @place among all panes; without room for all, @focus gets it. */
void pane_layout(struct pane *root, const struct pane *focus, struct pane_place place);

/* Split the leaf @p: @fresh gets the second half of its place. @root: updated */
int  pane_split(struct pane **root, struct pane *p, struct pane *fresh, bool beside);
/* Remove and destroy a leaf. Returns the leaf that gets its place, or NULL: it is the only one. */
struct pane *pane_close(struct pane **root, struct pane *p);
/* The split whose border, or title of the second child, is at this place; NULL: none */
struct pane *pane_border_at(struct pane *root, int row, int col);
/* Move the border of a split there, or as near as possible */
void pane_move_border(struct pane *split, int row, int col);
/* Give all leaves the same size */
void pane_equalize(struct pane *root);
/* Make a leaf larger (or smaller) by some thousandths of the next split of this kind; false:
 * none */
bool pane_grow(struct pane *p, bool beside, int thousandths);

#endif
