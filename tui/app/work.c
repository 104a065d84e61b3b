/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work.c - work in the background: searches, the index, the work of views */
#include "app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "tui/live/live.h"

void app_stop_search(struct app *app)
{
	app->search.direction = 0;
}

static bool stop_index(struct app *app)
{
	if (!app_has_threads(app))
		return false;
	kt_index_stop(kt_model_index(app->model));
	app->index_stopped = true;
	app_say(app, "the index is stopped; :index continues it");
	return true;
}

int app_start_index(struct app *app, struct kt_err *err)
{
	app->index_stopped = false;
	return kt_index_start(kt_model_index(app->model), err);
}

/* Stop one thing at a time: the latest one first, and the index last */
void app_stop(struct app *app)
{
	struct view *v = app_view(app);

	if (app->search.direction)
		app_say(app, "the search is stopped");
	else if (!live_stop_saving(app) && !export_stop(app) &&
		 !(v->ops->stop && v->ops->stop(v)) && !stop_index(app))
		app_say(app, "nothing is going on");
	app_stop_search(app);
}

void app_search_for(struct app *app, const char *text, int direction)
{
	struct app_search *s = &app->search;
	char why[128];
	regex_t re;
	int ret;

	if (text && *text) {
		ret = strlen(text) > 1000 ? REG_ESPACE
					  : regcomp(&re, text, REG_EXTENDED | REG_NOSUB);
		if (ret) {
			regerror(ret, NULL, why, sizeof(why));
			app_say(app, "'%s' is not a regular expression: %s", text, why);
			app->message.code = -EINVAL;
			return;
		}
		if (s->text)
			regfree(&s->re);
		free(s->text);
		s->re = re;
		s->text = strdup(text);
	}
	if (!s->text || !app_view(app)->ops->find) {
		app_say(app,
			s->text ? "this view cannot be searched" : "nothing was searched for: /");
		return;
	}
	s->direction = direction;
	s->first = true;
	s->lost = false;
}

void app_search_for_lost(struct app *app, int direction)
{
	if (!app_view(app)->ops->find)
		return;
	app->search.direction = direction;
	app->search.first = app->search.lost = true;
}

static bool search_some(struct app *app, unsigned int budget_ms)
{
	struct app_search *s = &app->search;
	struct view *v = app_view(app);
	int ret = v->ops->find(v, s->lost ? NULL : &s->re, s->direction, s->first, budget_ms);

	s->first = false;
	if (ret == -EAGAIN)
		return true;
	if (ret == 0 && s->lost)
		app_say(app, "no events were lost %s here", s->direction > 0 ? "after" : "before");
	else if (ret == 0)
		app_say(app, "no match for '%s' %s here", s->text,
			s->direction > 0 ? "after" : "before");
	s->direction = 0;
	return false;
}

/* Each pane gets a share of the time. */
static bool work_in_panes(struct app *app, unsigned int budget_ms)
{
	unsigned int share = budget_ms / (unsigned int)pane_count(app->root) + 1;
	bool more = false;
	struct pane *p;

	for (p = pane_first(app->root); p; p = pane_next(p)) {
		struct view *v = &p->views[p->active];

		if (p->place.rows && v->ops->work)
			more |= live_work(v, share);
		if (p->below.rows)
			more |= p->below.ops->work(&p->below, share);
	}
	return more;
}

/* In a big file, the last record is found later; a live screen follows its records. */
static void take_span(struct app *app)
{
	struct kt_window span;
	struct pane *p;
	struct view *v;

	if (app->live || !kt_model_knows_span(app->model) ||
	    !kt_model_span(app->model, &span) ||
	    (span.from == app->span.from && span.until == app->span.until))
		return;
	app->span = span;
	app->nr_density = 0;
	for (p = pane_first(app->root); p; p = pane_next(p))
		for (v = p->views; v < p->views + p->nr_views; v++)
			v->stale |= v->state && v->ops->refresh;
}

bool app_is_late(void *app)
{
	return moment_ms() > ((struct app *)app)->deadline_ms;
}

bool app_work(struct app *app, unsigned int budget_ms)
{
	bool more;

	app->deadline_ms = moment_ms() + budget_ms;
	if (!kt_model_knows_symbols(app->model, budget_ms))
		return true;
	app_follow(app);
	if (app->search.direction) {
		more = search_some(app, budget_ms);
		app_follow(app);
		return more || pane_count(app->root) > 1;
	}
	more = work_in_panes(app, budget_ms);
	app_follow(app);
	more |= kt_model_work(app->model, budget_ms);
	take_span(app);
	more |= export_work(app, budget_ms);
	return marks_work(app, budget_ms) || more;
}

bool app_has_threads(struct app *app)
{
	struct kt_index_progress p;

	kt_index_progress(kt_model_index(app->model), &p);
	return !(p.ready || p.error || app->index_stopped);
}
