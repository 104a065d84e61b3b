/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain.c - the reasons of the selected interval, in a pane below */
#include <errno.h>
#include <string.h>

#include "app.h"

static struct pane *pane_of_reasons(struct app *app)
{
	struct pane *p = pane_first(app->root);

	while (p && p->views[p->active].ops != &why_view)
		p = pane_next(p);
	return p;
}

int explain(struct view *v, const char *arg, struct kt_err *err)
{
	struct view_span span = { 0 };
	struct app *app = v->app;
	struct pane *p;
	int ret;

	(void)arg;
	ret = v->ops->span(v, &span, err);
	if (ret < 0)
		return ret;
	app->explained = span;
	app->nr_explained++;
	p = pane_of_reasons(app);
	if (!p)
		return app_split(app, why_view.name, false, err);
	app_focus(app, p);
	return 0;
}
