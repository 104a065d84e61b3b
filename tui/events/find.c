/* SPDX-License-Identifier: GPL-2.0-or-later */
/* find.c - search the events: in threads, or one by one for lost events and many matches */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <ktrail/model.h>

#include "base/moment.h"
#include "events.h"

static int found_at(struct view *v, const struct kt_spot *spot)
{
	kt_model_note_jump(v->model);
	events_show_at(v, spot, events_rows(v) / 3);
	app_set_cursor(v->app, spot, false);	/* its line may not be read yet */
	return 1;
}

/* ---- one after the other: lost events, and more matches than a search keeps ---- */

static bool matches(struct view *v, const regex_t *re, const struct kt_record *rec)
{
	struct events_state *st = v->state;
	struct kt_cells cells;

	if (!re)
		return rec->lost;
	return kt_text_cells(kt_model_text(v->model, !st->plain), rec, NULL, st->out, &cells) ==
		       0 &&
	       regexec(re, kt_out_data(st->out), 0, NULL, 0) == 0;
}

static int walk(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms)
{
	struct events_state *st = v->state;
	struct kt_spot spot = kt_model_cursor(v->model), before;
	uint64_t until = moment_ms() + budget_ms;
	struct kt_record rec;
	int ret = 1;

	if (first) {
		kt_model_choose(v->model, st->finder, NULL);
		ret = kt_reader_go(st->finder, &spot, NULL) < 0 ? -EIO : 1;
		if (ret > 0 && direction > 0)
			ret = kt_reader_next(st->finder, &rec, NULL);
	}
	while (ret > 0) {
		kt_reader_tell(st->finder, &before);
		ret = direction > 0 ? kt_reader_next(st->finder, &rec, NULL)
				    : kt_reader_prev(st->finder, &rec, NULL);
		if (ret <= 0)
			break;
		if (direction < 0)
			kt_reader_tell(st->finder, &before);
		before = events_spot_of(&rec, &before);
		if (matches(v, re, &rec))
			return found_at(v, &before);
		if (moment_ms() > until)
			return -EAGAIN;
	}
	return ret == -EINTR ? -EAGAIN : ret;
}

/* ---- by threads ---- */

static struct kt_search *search_of(const struct view *v)
{
	const struct events_state *st = v->state;
	struct kt_search *s = kt_model_searching(v->model);
	const char *text = v->app->search.text;

	return s && text && kt_search_is_for(s, text, !st->plain) ? s : NULL;
}

int events_find(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms)
{
	struct events_state *st = v->state;
	struct kt_spot spot = kt_model_cursor(v->model), found;
	struct kt_search *s = search_of(v);
	int ret;

	if (re && !s)
		s = kt_model_search(v->model, v->app->search.text, !st->plain, &spot, direction, 0,
				    NULL);
	if (!re || !s || st->walks)
		ret = -ENOBUFS;
	else
		ret = kt_search_next(s, &spot, direction, budget_ms, &found);
	if (ret == 1)
		return found_at(v, &found);
	if (ret != -ENOBUFS)
		return ret;
	ret = walk(v, re, direction, first || (re && !st->walks), budget_ms);
	st->walks = ret == -EAGAIN;
	return ret;
}

bool events_search_goes_on(struct view *v, unsigned int budget_ms)
{
	struct kt_search *s = search_of(v);
	struct kt_search_progress p;

	if (!s)
		return false;
	kt_search_progress(s, &p);
	if (!p.done)
		kt_search_wait(s, budget_ms);
	return !p.done;
}

void events_search_status(const struct view *v, struct str *out)
{
	struct kt_spot spot = kt_model_cursor(v->model), found;
	struct kt_search *s = search_of(v);
	struct kt_search_progress p;
	uint64_t rank;

	if (!s)
		return;
	kt_search_progress(s, &p);
	str_add(out, "   ");
	/* Is the cursor at a match? */
	if (kt_search_rank(s, &spot, &rank) == 0) {
		spot.pos++;
		if (kt_search_next(s, &spot, -1, 0, &found) == 1 && found.ts == spot.ts &&
		    found.source == spot.source && found.pos == spot.pos - 1)
			str_addf(out, "%" PRIu64 " of ", rank + 1);
	}
	str_addf(out, "%" PRIu64 " match%s", p.nr_matches, p.nr_matches == 1 ? "" : "es");
	if (!p.done)
		str_addf(out, ", %d%% searched", (int)(100 * p.share));
	else if (p.stopped)
		str_addf(out, " in %d%%", (int)(100 * p.share));
}
