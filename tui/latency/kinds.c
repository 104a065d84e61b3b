/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kinds.c - choose the kind of latency: by name, from a list with counts, or any pair of events */
#include "latency.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int latency_choose(struct view *v, enum kt_latency_kind kind, struct kt_err *err)
{
	struct latency_state *st = v->state;

	if (kind == KT_LATENCY_PAIR && !st->pair)
		return kt_err_set(err, -EINVAL, ":pair EVENT EVENT [FIELD[=FIELD]]");
	st->kind = kind;
	st->chosen = true;
	st->show_text = false;
	return latency_begin(v, err);
}

static int paired(struct app *app, const char *text, struct kt_err *err)
{
	struct view *v = app_view(app);
	struct latency_state *st = v->state;
	enum kt_latency_kind was = st->kind;
	char *copy, *old = st->pair;
	int ret;

	if (v->ops != &latency_view || !*text)
		return 0;
	copy = strdup(text);
	if (!copy)
		return kt_err_no_memory(err);
	st->pair = copy;
	ret = latency_choose(v, KT_LATENCY_PAIR, err);
	if (ret < 0) {
		st->pair = old;
		st->kind = was;
		old = copy;
	}
	free(old);
	return ret;
}

int latency_pair(struct view *v, const char *arg, struct kt_err *err)
{
	if (arg)
		return paired(v->app, arg, err);
	app_ask(v->app, "EVENT EVENT [FIELD[=FIELD]]: ", "", paired);
	return 0;
}

/* ---- the counts of all kinds, while the list is open ---- */

void latency_forget_counts(struct latency_state *st)
{
	kt_latencies_destroy(st->counter);
	st->counter = NULL;
}

static void begin_to_count(struct view *v)
{
	struct latency_state *st = v->state;

	latency_forget_counts(st);
	st->counter = kt_latencies_create(v->model, NULL);
	if (st->counter &&
	    kt_latencies_set(st->counter, KT_LATENCY_KINDS, NULL, &st->window, NULL) < 0)
		latency_forget_counts(st);
}

/* ---- the list ---- */

static size_t count(const struct app *app)
{
	const struct latency_state *st = app_view(app)->state;

	return app_view(app)->ops == &latency_view ? KT_LATENCY_PAIR + !!st->pair : 0;
}

static const char *key_of(enum kt_latency_kind kind)
{
	const struct view_command *c = latency_view.commands;

	while (c->name && strcmp(c->name, kt_latency_kind_name(kind)) != 0)
		c++;
	return c->name ? c->keys : "";
}

/* The events that are missing for a kind */
static void add_events(enum kt_latency_kind kind, struct str *out)
{
	const char *const *words = kt_latency_kind_events(kind);

	str_add(out, " (record");
	for (; *words; words++)
		str_addf(out, "%s%s", **words == '-' ? " " : " -e ", *words);
	str_addc(out, ')');
}

static void line(const struct app *app, size_t i, struct str *out)
{
	const struct latency_state *st = app_view(app)->state;
	enum kt_latency_kind kind = (enum kt_latency_kind)i;
	const struct kt_latencies *l = st->counter;
	bool counts = l && kt_latencies_done(l) < 1, pair = kind == KT_LATENCY_PAIR;
	uint64_t nr = l ? kt_latencies_count(l, kind) : 0;
	char text[32] = "";

	if (l && !pair && (nr || !counts))
		snprintf(text, sizeof(text), "%" PRIu64, nr);
	str_addf(out, "%c %-12s %s %9s%s  %s", kind == st->kind ? '*' : ' ',
		 kt_latency_kind_name(kind), *key_of(kind) ? key_of(kind) : " ", text,
		 counts ? "\xe2\x80\xa6" : " ",
		 pair ? st->pair : kt_latency_kind_title(kind));
	if (l && !counts && !nr && !pair)
		add_events(kind, out);
}

static bool key(struct app *app, size_t i, int key)
{
	struct kt_err err = { 0 };

	if (!key_is_in(key, "Enter Space"))
		return true;
	if (latency_choose(app_view(app), (enum kt_latency_kind)i, &err) < 0)
		app_say(app, "%s", err.msg);
	return false;
}

static const struct list_ops kinds = {
	.title = "  KIND        KEY    COUNT   WHAT IT MEASURES",
	.keys  = "Enter choose  Esc close",
	.empty = "this is for the latencies",
	.count = count, .line = line, .key = key,
};

int latency_kind(struct view *v, const char *arg, struct kt_err *err)
{
	const struct latency_state *st = v->state;
	unsigned int kind;

	if (!arg) {
		list_open(v->app, &kinds, st->kind);
		begin_to_count(v);
		return 0;
	}
	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		if (strcmp(arg, kt_latency_kind_name(kind)) == 0)
			return latency_choose(v, kind, err);
	return kt_err_set(err, -EINVAL, "'%s' is not a kind of latency: x lists them", arg);
}

bool latency_count_some(struct view *v, unsigned int budget_ms)
{
	struct latency_state *st = v->state;

	if (st->counter && v->app->list.ops != &kinds)
		latency_forget_counts(st);
	return st->counter && kt_latencies_work(st->counter, budget_ms);
}
