/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugins.c - the set of plugins of one run */
#include "base/suggest.h"
#include "plug/plug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool listed(const char *const *names, const char *name)
{
	for (; names && *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* Uses the first plugin of each name. Sets the reason of every plugin, even if not asked for. */
static void choose(struct kt_plugins *p, struct plugin *pl, const struct kt_plugins_opts *opts)
{
	size_t i;

	for (i = 0; p->list[i] != pl; i++)
		if (p->list[i]->used && !strcmp(p->list[i]->name, pl->name)) {
			plug_set_reason(pl, false, "%s has priority", p->list[i]->path);
			return;
		}
	if (listed(opts->without, pl->name))
		plug_set_reason(pl, false, "excluded by the user");
	else if (pl->origin == KT_PLUGIN_EXPLICIT)
		plug_set_reason(pl, true, "given by the user");
	else if (opts->only && opts->only[0] && !listed(opts->only, pl->name))
		plug_set_reason(pl, false, "not among those the user chose");
	else
		plug_set_reason(pl, true, "found in %s", kt_plugin_origin_name(pl->origin));
}

static int no_such_name(const struct kt_plugins *p, const char *name, struct kt_err *err)
{
	const char **names = calloc(p->nr + 1, sizeof(*names));
	char hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; names && i < p->nr; i++)
		names[i] = p->list[i]->name;
	kt_err_set(err, -ENOENT, "no plugin '%s'%s", name, suggest(name, names, hint));
	free(names);
	return -ENOENT;
}

/* A name given by the user must exist. */
static int check_names(const struct kt_plugins *p, const char *const *names, struct kt_err *err)
{
	size_t i;

	for (; names && *names; names++) {
		for (i = 0; i < p->nr && strcmp(p->list[i]->name, *names); i++)
			;
		if (i == p->nr)
			return no_such_name(p, *names, err);
	}
	return 0;
}

/* Puts the used plugins first; otherwise keeps the order. */
static void sort(struct kt_plugins *p)
{
	struct plugin *pl;
	size_t i, at = 0;

	for (i = 0; i < p->nr; i++) {
		pl = p->list[i];
		if (!pl->used)
			continue;
		memmove(&p->list[at + 1], &p->list[at], (i - at) * sizeof(pl));
		p->list[at++] = pl;
	}
}

static int load_all(struct kt_plugins *p, const struct kt_plugins_opts *opts, struct kt_err *err)
{
	struct kt_err ignored;
	size_t i;
	int ret;

	for (i = 0; i < p->nr; i++) {
		bool given = p->list[i]->origin == KT_PLUGIN_EXPLICIT;

		ignored.code = 0;
		ret = plug_load(p->list[i], given ? err : &ignored);
		if (ret == 0)
			choose(p, p->list[i], opts);
		else if (given || ret == -ENOMEM)
			return kt_err_result(err, ret);
	}
	return 0;
}

struct kt_plugins *kt_plugins_open(const struct kt_plugins_opts *opts, struct kt_err *err)
{
	static const struct kt_plugins_opts all = { .none = false };
	struct kt_plugins *p = calloc(1, sizeof(*p));
	size_t i;

	if (!p) {
		kt_err_no_memory(err);
		return NULL;
	}
	pthread_mutex_init(&p->lock, NULL);
	if (!opts)
		opts = &all;
	if (plug_find(p, opts, err) < 0 || load_all(p, opts, err) < 0 ||
	    check_names(p, opts->only, err) < 0 || check_names(p, opts->without, err) < 0 ||
	    plug_set_options(p, opts, err) < 0) {
		for (i = 0; i < p->nr; i++)
			p->list[i]->used = false;	/* it was never opened */
		kt_plugins_close(p);
		return NULL;
	}
	sort(p);
	for (i = 0; i < p->nr; i++)
		if (p->list[i]->used && p->list[i]->api.open)
			p->list[i]->self = p->list[i]->api.open(&p->list[i]->host);
	return p;
}

void kt_plugins_close(struct kt_plugins *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr; i++)
		plug_unload(p->list[i]);
	free(p->list);
	for (i = 0; i < p->nr_complaints; i++)
		free(p->complaints[i]);
	free(p->complaints);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

size_t kt_plugins_nr(const struct kt_plugins *p)
{
	return p->nr;
}

void kt_plugins_at(const struct kt_plugins *p, size_t i, struct kt_plugin_info *info)
{
	const struct plugin *pl = p->list[i];

	*info = (struct kt_plugin_info) {
		.name = pl->name, .path = pl->path, .origin = pl->origin, .used = pl->used,
		.summary = pl->api.summary ? pl->api.summary : "",
		.reason = pl->reason ? pl->reason : "no memory",
		.plugin = pl->api.name ? &pl->api : NULL,
	};
}

void plug_complain(struct plugin *pl, const struct kt_event *ev, const char *why)
{
	struct kt_plugins *all = pl->all;
	struct str s = STR_INIT;

	if (atomic_exchange(&pl->complained, true))
		return;
	str_addf(&s, "plugin %s failed for %s/%s (%s): plain text instead", pl->name, ev->system,
		 ev->name, why);
	pthread_mutex_lock(&all->lock);
	if (array_reserve(all->complaints, all->nr_complaints)) {
		all->complaints[all->nr_complaints] = str_take(&s);
		all->nr_complaints += all->complaints[all->nr_complaints] != NULL;
	}
	pthread_mutex_unlock(&all->lock);
	str_fini(&s);
}

const char *kt_plugins_complaint(struct kt_plugins *p, size_t i)
{
	const char *text;

	pthread_mutex_lock(&p->lock);
	text = i < p->nr_complaints ? p->complaints[i] : NULL;
	pthread_mutex_unlock(&p->lock);
	return text;
}
