/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live.c - --live: measure new events, while the former result is shown */
#include <stdlib.h>
#include <string.h>

#include "latency.h"

void latency_forget_next(struct latency_state *st)
{
	kt_latencies_destroy(st->next);
	st->next = NULL;
}

/* Do not restart a read in progress, a row opened by Enter, or the range from A to B. */
void latency_refresh(struct view *v)
{
	struct latency_state *st = v->state;

	latency_forget_next(st);
	if (!st->started || st->marked || st->show_text || st->focus != FOCUS_ROWS ||
	    kt_latencies_done(st->l) < 1)
		return;
	if (!st->nr && !st->chosen)
		st->kind = kt_latency_guess(v->model);
	st->next_window = app_marked_window(v->app);
	st->next = kt_latencies_create(v->model, NULL);
	if (st->next &&
	    kt_latencies_set(st->next, st->kind, st->pair, &st->next_window, NULL) < 0)
		latency_forget_next(st);
}

/* Find the row that the user chose by its name, since the rows have new numbers. */
static void pick_again(struct latency_state *st, const char *name)
{
	struct kt_latency_row row;
	size_t i;

	st->picked = false;
	for (i = 0; name && !st->picked && kt_latencies_row(st->l, i, &row); i++)
		if (strcmp(row.name, name) == 0) {
			st->picked = true;
			st->picked_id = i;
		}
}

bool latency_refresh_some(struct view *v, unsigned int budget_ms)
{
	struct latency_state *st = v->state;
	const struct latency_line *line = latency_selected(v);
	char *name;

	if (!st->next)
		return false;
	if (kt_latencies_work(st->next, budget_ms))
		return true;
	name = st->picked && line ? strdup(line->row.name) : NULL;
	kt_latencies_destroy(st->l);
	st->l = st->next;
	st->next = NULL;
	st->window = st->next_window;
	pick_again(st, name);
	free(name);
	latency_sort_lines(v);
	return false;
}
