/* SPDX-License-Identifier: GPL-2.0-or-later */
/* panes_commands.c - commands that split, close and resize panes, and move the focus */
#include <errno.h>

#include "app.h"

#define STEP 50				/* a step of size, in thousandths */

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)

/* The new pane shows the same view, unless another one is named. */
static int divide(struct view *v, const char *arg, bool beside, struct kt_err *err)
{
	return app_split(v->app, arg ? arg : v->ops->name, beside, err);
}

COMMAND(split)  { return divide(v, arg, false, err); }
COMMAND(vsplit) { return divide(v, arg, true, err); }

static int need_others(struct view *v, struct kt_err *err)
{
	return v->app->root->child[0] ? 0 :
	       kt_err_set(err, -ENOENT, "there is one pane only: Ctrl-W s splits it");
}

COMMAND(next)
{
	struct app *app = v->app;
	struct pane *p = pane_next(app->focus);

	(void)arg;
	app_focus(app, p ? p : pane_first(app->root));
	return need_others(v, err);
}

COMMAND(previous)
{
	struct app *app = v->app;
	struct pane *p, *last = NULL;

	(void)arg;
	for (p = pane_first(app->root); p && (p != app->focus || !last); p = pane_next(p))
		last = p;
	app_focus(app, last);
	return need_others(v, err);
}

COMMAND(close_one)
{
	int ret = need_others(v, err);

	(void)arg;
	if (ret == 0)
		app_close_pane(v->app, v->app->focus);
	return ret;
}

COMMAND(only)
{
	struct app *app = v->app;
	struct pane *p, *next;

	(void)arg, (void)err;
	for (p = pane_first(app->root); p; p = next) {
		next = pane_next(p);
		if (p != app->focus)
			app_close_pane(app, p);
	}
	return 0;
}

/* ---- the focus ---- */

static int go(struct view *v, int down, int right, struct kt_err *err)
{
	struct app *app = v->app;
	const struct pane_place *at = &app->focus->place;
	struct pane *p = pane_at(app->root, down > 0 ? at->row + at->rows : at->row + down,
				 right > 0 ? at->col + at->cols + 1 : at->col + 2 * right);

	if (!p)
		return kt_err_set(err, -ENOENT, "there is no pane in that direction");
	app_focus(app, p);
	return 0;
}

COMMAND(go_left)  { (void)arg; return go(v, 0, -1, err); }
COMMAND(go_right) { (void)arg; return go(v, 0, 1, err); }
COMMAND(go_up)    { (void)arg; return go(v, -1, 0, err); }
COMMAND(go_down)  { (void)arg; return go(v, 1, 0, err); }

/* ---- sizes ---- */

static int grow(struct view *v, bool beside, int thousandths, struct kt_err *err)
{
	if (!pane_grow(v->app->focus, beside, thousandths))
		return kt_err_set(err, -ENOENT, "there is no pane %s this one",
				  beside ? "beside" : "above or below");
	app_layout(v->app);
	return 0;
}

COMMAND(taller)   { (void)arg; return grow(v, false, STEP, err); }
COMMAND(lower)    { (void)arg; return grow(v, false, -STEP, err); }
COMMAND(wider)    { (void)arg; return grow(v, true, STEP, err); }
COMMAND(narrower) { (void)arg; return grow(v, true, -STEP, err); }

COMMAND(equal)
{
	(void)arg, (void)err;
	pane_equalize(v->app->root);
	app_layout(v->app);
	return 0;
}

const struct view_command app_pane_commands[] = {
	{ "split", "s", "<view>", "split: another pane below, with this or another view", split,
	  "split" },
	{ "vsplit", "v", "<view>", "another pane to the right", vsplit, "beside" },
	{ "next-pane", "w Ctrl-W Tab", NULL, "keys go to the next pane", next, "next" },
	{ "previous-pane", "p W S-Tab", NULL, "keys go to the previous pane", previous, NULL },
	{ "close", "q c", NULL, "close this pane", close_one, "close" },
	{ "only", "o", NULL, "close all other panes", only, "only" },
	{ "pane-left", "h Left", NULL, "keys go to the pane on the left", go_left, NULL },
	{ "pane-down", "j Down", NULL, "keys go to the pane below", go_down, NULL },
	{ "pane-up", "k Up", NULL, "keys go to the pane above", go_up, NULL },
	{ "pane-right", "l Right", NULL, "keys go to the pane on the right", go_right, NULL },
	{ "taller", "+", NULL, "more rows for this pane", taller, "taller" },
	{ "lower", "-", NULL, "fewer rows for this pane", lower, "lower" },
	{ "wider", ">", NULL, "more columns for this pane", wider, "wider" },
	{ "narrower", "<", NULL, "fewer columns for this pane", narrower, "narrower" },
	{ "equal", "=", NULL, "give all panes the same size", equal, "equal" },
	VIEW_COMMANDS_END
};
