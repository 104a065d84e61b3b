/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live.c - view a growing trace: follow it, stay at a place, freeze it, save it */
#include "live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"

#define LOOK_MS 200			/* between two checks for events, while there are some */
#define REST_MS 1000			/* between two checks while there are no events */
#define SYNC_MS 10			/* between two checks whether a sync is finished */
#define REFRESH_MS 1000			/* minimum between two refreshes of an expensive view */
#define REFRESH_SHARE 8			/* this multiple of a refresh's duration, if longer */

struct live *live_create(const struct tui_live *given)
{
	struct live *l = calloc(1, sizeof(*l));

	if (l)
		*l = (struct live){ .given = given, .wait_ms = LOOK_MS,
				    .path = strdup(kt_live_path(given->rec)) };
	return l;
}

void live_destroy(struct live *l)
{
	if (!l)
		return;
	kt_live_save_end(l->saving, true, NULL);
	free(l->save_path);
	free(l->own.pids);
	free(l->path);
	free(l);
}

struct kt_control *live_control(struct app *app, struct kt_err *err)
{
	if (app->live)
		return app->live->given->control;
	kt_err_set(err, -EINVAL, "only with --live");
	return NULL;
}

/* ---- new events ---- */

static bool is_same(const struct kt_spot *a, const struct kt_spot *b)
{
	return a->ts == b->ts && a->pos == b->pos && a->source == b->source;
}

/* Is the cursor at the last event? Then the view follows. */
static bool is_at_end(struct app *app)
{
	struct kt_spot spot = kt_model_cursor(app->model), *end = &app->live->end;
	struct kt_reader *r;
	struct kt_record rec;
	bool at_end = false;

	/* The event may have been dropped, if few events are held. */
	if (is_same(&spot, end))
		return true;
	r = kt_model_reader(app->model, NULL);
	if (r && kt_reader_go(r, &spot, NULL) == 0)
		at_end = kt_reader_next(r, &rec, NULL) <= 0 || kt_reader_next(r, &rec, NULL) <= 0;
	kt_reader_destroy(r);
	return at_end;
}

/* Without an event, stay at the cursor, for example after a restart of the recording */
static void go_to_end(struct app *app)
{
	struct kt_reader *r = kt_model_reader(app->model, NULL);
	struct kt_record rec;

	if (r && kt_reader_seek(r, UINT64_MAX, NULL) == 0 && kt_reader_prev(r, &rec, NULL) > 0)
		kt_model_set_cursor(app->model, &(struct kt_spot){ rec.ts, rec.pos, rec.source });
	app->live->end = kt_model_cursor(app->model);
	kt_reader_destroy(r);
}

/* Hidden views are rebuilt when they are shown. */
static void tell_views(struct pane *p, bool follow)
{
	struct view *v;

	for (v = p->views; v < p->views + p->nr_views; v++) {
		if (!v->state)
			continue;
		v->stale |= follow && v->ops->refresh;
		if (v->ops->grown && v == &p->views[p->active])
			v->ops->grown(v, follow);
	}
	if (p->below.rows)
		p->below.ops->grown(&p->below, follow);
}

static void show_growth(struct app *app, bool follow)
{
	struct pane *p;

	if (follow) {
		go_to_end(app);
		kt_model_span(app->model, &app->span);
		app->nr_density = 0;
	}
	app->live->follows = follow;
	app->followed = kt_model_cursor(app->model);
	app->deadline_ms = moment_ms() + KEY_MS;
	for (p = pane_first(app->root); p; p = pane_next(p))
		tell_views(p, follow);
}

/* If there were events before the first screen, the view of events does not begin at the end. */
void live_begin(struct app *app)
{
	if (!app->live)
		return;
	live_leave_out_own(app);
	show_growth(app, true);
}

bool live_follows(const struct app *app)
{
	struct kt_spot spot = kt_model_cursor(app->model);

	return app->live && app->live->follows && is_same(&spot, &app->live->end);
}

/* Begin to rebuild the view, if that is due */
static void begin_refresh(struct view *v)
{
	if (!v->stale || v->refreshing || moment_ms() < v->rest_until_ms)
		return;
	v->stale = false;
	v->refreshing = true;
	v->refresh_ns = 0;
	v->ops->refresh(v);
}

bool live_work(struct view *v, unsigned int budget_ms)
{
	uint64_t begun = moment_ns(), rest;
	bool more;

	begin_refresh(v);
	more = v->ops->work(v, budget_ms);
	/* Count only the work, not the time in which the view was hidden. */
	v->refresh_ns += moment_ns() - begun;
	if (v->refreshing && !more) {
		rest = v->refresh_ns / 1000000 * REFRESH_SHARE;
		v->rest_until_ms = moment_ms() + (rest > REFRESH_MS ? rest : REFRESH_MS);
		v->refreshing = false;
	}
	return more;
}

static void count_losses(struct live *l)
{
	const struct kt_rec_stats s = kt_live_stats(l->given->rec);

	l->nr_events = s.events;
	l->nr_lost = s.lost + s.dropped;
}

/* The recording has started again in another file. */
static bool is_another(const struct live *l)
{
	return !l->path || strcmp(l->path, kt_live_path(l->given->rec)) != 0;
}

/* Not only records have changed, or the file is another one: rebuild everything. */
static int renew(struct app *app, const char *path, struct kt_err *err)
{
	struct kt_err why = { 0 };
	int ret;

	marks_fini(&app->between);
	app_close_views(app);
	ret = kt_model_reopen(app->model, path, err);
	if (app_open_views(app, &why) < 0 && ret == 0)
		ret = kt_err_set(err, why.code, "%s", why.msg);
	return ret;
}

/* Are there new events that are shown? */
static bool take_up(struct app *app)
{
	struct kt_spot before = kt_model_cursor(app->model), after;
	struct live *l = app->live;
	struct kt_err err = { 0 };
	bool follow = is_at_end(app), another = is_another(l);
	int ret = 1;

	if (app->job)
		ret = -EAGAIN;
	else if (!another)
		ret = kt_model_refresh(app->model, &err);
	/* Exports, searches and the loading of symbols come first. */
	l->left = ret == -EAGAIN;
	if (l->left)
		return true;
	live_leave_out_own(app);
	if (another) {
		free(l->path);
		l->path = strdup(kt_live_path(l->given->rec));
	}
	if (ret > 0)
		ret = renew(app, another ? l->path : NULL, &err);
	if (ret < 0) {
		app_say(app, "%s", err.msg);
		app->message.code = ret;
	}
	count_losses(l);
	show_growth(app, follow);
	after = kt_model_cursor(app->model);
	return !follow || memcmp(&before, &after, sizeof(before)) != 0;
}

int live_wait_ms(const struct app *app)
{
	uint64_t now = moment_ms();

	return app->live->next_ms > now ? (int)(app->live->next_ms - now) : 0;
}

static void end_saving(struct app *app, bool stop)
{
	struct live *l = app->live;
	struct kt_err err = { 0 };
	int ret = kt_live_save_end(l->saving, stop, &err);

	l->saving = NULL;
	if (ret == 0)
		app_say(app, "%s is saved", l->save_path);
	else if (stop)
		app_say(app, "stopped: %s is not saved", l->save_path);
	else
		app->message = err;
}

bool live_stop_saving(struct app *app)
{
	if (!app->live || !app->live->saving)
		return false;
	end_saving(app, true);
	return true;
}

int live_may_quit(const struct app *app, struct kt_err *err)
{
	const struct live *l = app->live;

	return !l || !l->saving ? 0 :
	       kt_err_set(err, -EBUSY, "%s is being saved, %d%% so far: Esc stops that",
			  l->save_path, kt_live_save_percent(l->saving));
}

static void tick(struct app *app, bool wait)
{
	struct live *l = app->live;
	struct kt_err err = { 0 };
	int came = 0;

	if (l->saving && kt_live_save_percent(l->saving) == 100)
		end_saving(app, false);
	if (l->given->ended && l->given->ended(l->given->data))
		app->quit = true;
	if (!l->frozen || l->syncing)
		came = kt_live_sync(l->given->rec, wait, &err);
	l->syncing = came == -EINPROGRESS;
	if (l->syncing) {
		l->next_ms = moment_ms() + SYNC_MS;
		return;
	}
	l->left |= came > 0;
	if (came < 0) {
		app_say(app, "nothing is recorded any more: %s", err.msg);
		app->message.code = came;
	} else if ((l->left && !l->frozen) || is_another(l)) {
		came = take_up(app);
	}
	l->wait_ms = l->wait_ms * 2 < REST_MS ? l->wait_ms * 2 : REST_MS;
	if (came > 0 || l->saving)
		l->wait_ms = LOOK_MS;
	l->next_ms = moment_ms() + l->wait_ms;
}

void live_tick(struct app *app)
{
	if (app->live && (moment_ms() >= app->live->next_ms || is_another(app->live)))
		tick(app, false);
}

void live_take(struct app *app)
{
	if (!app->live)
		return;
	if (app->live->saving)
		end_saving(app, false);
	tick(app, true);
}

/* ---- the status ---- */

/* "12,345,678" */
static void add_number(struct str *out, uint64_t nr)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, nr), i;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			str_addc(out, ',');
		str_addc(out, digits[i]);
	}
}

void live_describe(const struct app *app, struct str *out)
{
	const struct live *l = app->live;
	const char *why = l ? kt_live_why(l->given->rec) : NULL;

	if (!l)
		return;
	if (l->saving)
		str_addf(out, "saving %d%%, Esc stops \xc2\xb7 ", kt_live_save_percent(l->saving));
	if (why) {
		str_addf(out, "not recorded: %s", why);
		return;
	}
	if (l->frozen)
		str_add(out, "FROZEN, Ctrl-S continues");
	else
		str_add(out, live_follows(app) ? "live" : "stays here, Ctrl-E follows");
	str_add(out, " \xc2\xb7 ");
	add_number(out, l->nr_events);
	str_add(out, l->own.nr && !l->own.shown ? " events, without own" : " events");
	if (!l->nr_lost)
		return;
	str_add(out, " \xc2\xb7 ");
	add_number(out, l->nr_lost);
	str_add(out, " LOST");
}

/* ---- commands ---- */

static int only_live(const struct view *v, struct kt_err *err)
{
	return v->app->live ? 0 : kt_err_set(err, -EINVAL, "this is a file: only with --live");
}

int live_freeze(struct view *v, const char *arg, struct kt_err *err)
{
	struct live *l = v->app->live;
	int ret = only_live(v, err);

	(void)arg;
	if (ret < 0)
		return ret;
	l->frozen = !l->frozen;
	kt_live_hold(l->given->rec, l->frozen);
	l->wait_ms = LOOK_MS;
	l->next_ms = 0;
	return 0;
}

/* Go to the last event, where views follow */
int live_follow(struct view *v, const char *arg, struct kt_err *err)
{
	int ret = only_live(v, err);

	(void)arg;
	if (ret < 0)
		return ret;
	if (v->app->live->frozen)
		live_freeze(v, NULL, err);
	kt_model_note_jump(v->model);
	show_growth(v->app, true);
	return 0;
}

int live_save(struct view *v, const char *arg, struct kt_err *err)
{
	struct live *l = v->app->live;
	int ret = only_live(v, err);

	if (ret < 0)
		return ret;
	if (!arg)
		return kt_err_set(err, -EINVAL, "save to which file?");
	ret = live_may_quit(v->app, err);
	if (ret < 0)
		return ret;
	free(l->save_path);
	l->save_path = strdup(arg);
	l->saving = l->save_path ? kt_live_save_start(l->given->rec, arg, v->app->forced, err)
				 : NULL;
	if (err->code == -EEXIST)
		kt_err_add(err, -EEXIST, "`save! FILE` replaces it");
	l->wait_ms = LOOK_MS;
	l->next_ms = 0;
	return l->saving ? 0 : kt_err_code(err, -ENOMEM);
}

int live_keep(struct view *v, const char *arg, struct kt_err *err)
{
	int ret = only_live(v, err);

	(void)arg;
	if (ret < 0)
		return ret;
	v->app->live->given->keep(v->app->live->given->data);
	app_say(v->app, "the changes so far are kept when the viewer ends");
	return 0;
}
