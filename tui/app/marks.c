/* SPDX-License-Identifier: GPL-2.0-or-later */
/* marks.c - marks: A and B with the events between them, and others with notes */
#include "marks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "app.h"

#define COMMAND(name) int name(struct view *v, const char *arg, struct kt_err *err)

/* ---- setting ---- */

static int set_mark(struct app *app, const char *name, const char *note, struct kt_err *err)
{
	struct kt_spot here = kt_model_cursor(app->model);
	int ret = kt_model_set_mark(app->model, name, &here, note);

	if (ret == -EINVAL)
		return kt_err_set(err, ret,
				  "'%s' is not a name: up to %d letters, digits, '.', '_', '-'",
				  name, KT_MARK_NAME - 1);
	if (ret < 0)
		return kt_err_set(err, ret, "the mark is not set: %s", strerror(-ret));
	return 0;
}

COMMAND(mark_a)
{
	return set_mark(v->app, "A", arg, err);
}

COMMAND(mark_b)
{
	return set_mark(v->app, "B", arg, err);
}

/* "NAME [NOTE]" */
static int marked(struct app *app, const char *text, struct kt_err *err)
{
	size_t len = strcspn(text, " ");
	char name[KT_MARK_NAME + 1];
	int ret;

	if (!len)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)len, text);
	ret = set_mark(app, name, text + len + strspn(text + len, " "), err);
	if (ret == 0)
		app_say(app, "mark %s is here: ' goes to a mark, M lists them", name);
	return ret;
}

COMMAND(mark_here)
{
	if (arg)
		return marked(v->app, arg, err);
	app_ask(v->app, "mark: a name, and a note: ", "", marked);
	return 0;
}

static int removed(struct app *app, const char *name, struct kt_err *err)
{
	if (!kt_model_remove_mark(app->model, name))
		return kt_err_set(err, -ENOENT, "there is no mark '%s'", name);
	app_say(app, "mark %s is removed", name);
	return 0;
}

COMMAND(mark_remove)
{
	return arg ? removed(v->app, arg, err) : kt_err_set(err, -EINVAL, "unmark which?");
}

/* ---- going there ---- */

static void go(struct app *app, const struct kt_mark *m)
{
	app_go(app, &m->spot);
	if (*m->note)
		app_say(app, "%s: %s", m->name, m->note);
}

static int went_to(struct app *app, const char *text, struct kt_err *err)
{
	struct kt_mark m;

	if (!*text)
		return 0;
	if (!kt_model_find_mark(app->model, text, &m))
		return kt_err_set(err, -ENOENT, "there is no mark '%s'", text);
	go(app, &m);
	return 0;
}

COMMAND(mark_go)
{
	if (arg)
		return went_to(v->app, arg, err);
	app_ask(v->app, "go to mark: ", "", went_to);
	return 0;
}

/* ---- the list ---- */

static size_t count(const struct app *app)
{
	struct kt_mark m;
	size_t nr = 0;

	while (kt_model_mark(app->model, nr, &m))
		nr++;
	return nr;
}

static void line(const struct app *app, size_t i, struct str *out)
{
	uint64_t now = kt_model_cursor(app->model).ts, ts;
	struct kt_mark m;
	char away[32], at[32];

	if (!kt_model_mark(app->model, i, &m))
		return;
	ts = m.spot.ts;
	units_format_time(ts < now ? now - ts : ts - now, away);
	str_addf(out, "%-*s %13s  ", KT_MARK_NAME, m.name, units_format_moment(ts, at));
	if (ts == now)
		str_addf(out, "%10s %-6s", "here", "");
	else
		str_addf(out, "%10s %-6s", away, ts < now ? "before" : "after");
	str_addf(out, "  %s", m.note);
}

static bool key(struct app *app, size_t i, int key)
{
	struct kt_mark m;

	if (!kt_model_mark(app->model, i, &m))
		return false;
	if (key_is_in(key, "d x Del"))
		kt_model_remove_mark(app->model, m.name);
	else if (key == TK_ENTER)
		go(app, &m);
	return key != TK_ENTER;
}

static const struct list_ops marks = {
	.title = "MARK                              TIME   FROM HERE         NOTE",
	.keys  = "Enter go there  d remove  Esc close",
	.empty = "there are no marks: m, A and B set them",
	.count = count, .line = line, .key = key,
};

COMMAND(mark_list)
{
	(void)arg, (void)err;
	list_open(v->app, &marks, 0);
	return 0;
}

/* ---- the range from A to B ---- */

static bool is_same(const struct kt_spot *a, const struct kt_spot *b)
{
	return a->ts == b->ts && a->pos == b->pos && a->source == b->source;
}

/* Count again if a mark or the filters have changed, and once when the index is ready */
bool marks_work(struct app *app, unsigned int budget_ms)
{
	struct marks_between *k = &app->between;
	struct kt_mark a, b;
	bool both = kt_model_find_mark(app->model, "A", &a) &&
		    kt_model_find_mark(app->model, "B", &b);

	if (!both) {
		marks_fini(k);
		return false;
	}
	if (!k->counts || !is_same(&a.spot, &k->a) || !is_same(&b.spot, &k->b) ||
	    k->generation != kt_model_generation(app->model)) {
		marks_fini(k);
		*k = (struct marks_between){ .a = a.spot, .b = b.spot,
					     .generation = kt_model_generation(app->model) };
		k->counts = kt_between_create(app->model, &a.spot, &b.spot, NULL);
	}
	return k->counts && kt_between_work(k->counts, budget_ms);
}

void marks_fini(struct marks_between *k)
{
	kt_between_destroy(k->counts);
	k->counts = NULL;
}

static int put_mark(const struct app *app, struct area a, int row, int col, const char *name)
{
	struct kt_mark mark;
	char text[32];

	if (!kt_model_find_mark(app->model, name, &mark))
		return col;
	col = area_putf(a, row, col, STYLE_MARK, "%s ", name);
	return area_putf(a, row, col, STYLE_TIME, "%s  ", units_format_moment(mark.spot.ts, text));
}

static int put_counts(const struct marks_between *k, struct area a, int row, int col)
{
	struct kt_between_counts n = kt_between_counts(k->counts);
	const char *grows = n.done ? "" : "\xe2\x80\xa6";

	col = area_putf(a, row, col, STYLE_STRONG, ", %" PRIu64 "%s event%s", n.events, grows,
			n.events == 1 ? "" : "s");
	if (n.has_calls)
		col = area_putf(a, row, col, STYLE_STRONG, ", %" PRIu64 "%s call%s", n.calls, grows,
				n.calls == 1 ? "" : "s");
	return col;
}

int marks_put(const struct app *app, struct area a, int row, int col)
{
	struct kt_mark x, y;
	char text[32];

	col = put_mark(app, a, row, col, "A");
	col = put_mark(app, a, row, col, "B");
	if (!kt_model_find_mark(app->model, "A", &x) || !kt_model_find_mark(app->model, "B", &y))
		return col;
	units_format_time(x.spot.ts < y.spot.ts ? y.spot.ts - x.spot.ts : x.spot.ts - y.spot.ts,
			  text);
	col = area_put(a, row, col, STYLE_MARK, "A-B ", -1);
	col = area_put(a, row, col, STYLE_STRONG, text, -1);
	if (app->between.counts)
		col = put_counts(&app->between, a, row, col);
	return col + 2;
}
