/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* view.c - which plugin speaks for which event of a file, and calling it */
#include "plug/plug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"

#define NR_TYPES (UINT16_MAX + 1)

struct plug_view *plug_view_create(struct kt_plugins *p, const struct plug_model *model, void *ctx)
{
	struct plug_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->plugins = p;
	v->model = model;
	v->ctx = ctx;
	pthread_mutex_init(&v->lock, NULL);
	v->bindings = calloc(NR_TYPES, sizeof(*v->bindings));
	if (v->bindings)
		return v;
	plug_view_destroy(v);
	return NULL;
}

void plug_view_destroy(struct plug_view *v)
{
	struct plug_binding *b;
	size_t i;

	if (!v)
		return;
	for (i = 0; v->bindings && i < NR_TYPES; i++) {
		b = atomic_load_explicit(&v->bindings[i], memory_order_relaxed);
		if (!b)
			continue;
		plug_phrase_free(b->phrase);
		free(b);
	}
	free(v->bindings);
	pthread_mutex_destroy(&v->lock);
	free(v);
}

bool plug_event_matches(const char *pattern, const struct kt_event *ev)
{
	const char *slash = strchr(pattern, '/');
	size_t len, have, rest;

	if (!slash || strlen(ev->system) != (size_t)(slash - pattern) ||
	    memcmp(ev->system, pattern, slash - pattern))
		return false;
	slash++;
	len = strcspn(slash, "*");
	if (!slash[len])
		return !strcmp(ev->name, slash);
	have = strlen(ev->name);
	rest = strlen(slash + len + 1);
	return have >= len + rest && !strncmp(ev->name, slash, len) &&
	       !strcmp(ev->name + have - rest, slash + len + 1);
}

/* The first phrase whose fields all exist. A broken one is the plugin's mistake, and named. */
static struct plug_phrase *find_phrase(struct plugin *pl, const struct kt_event *ev)
{
	const struct kt_phrase *ph = pl->api.phrases;
	struct plug_phrase *found;
	int error;

	for (; ph && ph->event; ph++) {
		if (!plug_event_matches(ph->event, ev))
			continue;
		found = plug_phrase_compile(pl, ev, ph->text, &error);
		if (found)
			return found;
		if (error == -EINVAL)
			plug_complain(pl, ev, "one of its phrases is broken");
	}
	return NULL;
}

static bool speaks_for(const struct plugin *pl, const struct kt_event *ev)
{
	const char *const *pattern = pl->api.events;

	if (!pl->used)
		return false;
	for (; *pattern; pattern++)
		if (plug_event_matches(*pattern, ev))
			return true;
	return false;
}

static struct plug_binding *bind(struct plug_view *v, const struct kt_event *ev)
{
	struct plug_binding *b = calloc(1, sizeof(*b));
	size_t i;

	for (i = 0; b && !b->plugin && i < v->plugins->nr; i++) {
		struct plugin *pl = v->plugins->list[i];

		if (!speaks_for(pl, ev))
			continue;
		b->phrase = find_phrase(pl, ev);
		if (b->phrase || pl->api.format || pl->api.column)
			b->plugin = pl;
	}
	return b;
}

static struct plug_binding *binding(struct plug_view *v, const struct kt_event *ev)
{
	struct plug_binding *b = atomic_load_explicit(&v->bindings[ev->id], memory_order_acquire);

	if (b)
		return b;
	pthread_mutex_lock(&v->lock);
	b = atomic_load_explicit(&v->bindings[ev->id], memory_order_relaxed);
	if (!b) {
		b = bind(v, ev);
		atomic_store_explicit(&v->bindings[ev->id], b, memory_order_release);
	}
	pthread_mutex_unlock(&v->lock);
	return b;
}

/* Returns 0, KT_PLUGIN_PASS or a negative errno. */
static int call(const struct plug_binding *b, const struct plug_call *c, struct kt_out *out)
{
	struct plugin *pl = b->plugin;
	int ret = KT_PLUGIN_PASS;

	if (pl->api.format)
		ret = pl->api.format(pl->self, &pl->host, &c->rec, out);
	if (ret == KT_PLUGIN_PASS && b->phrase)
		ret = plug_phrase_print(b->phrase, c, &out->text);
	return ret;
}

bool plug_format(struct plug_view *v, const struct kt_event *ev, const struct kt_record *rec,
		 struct kt_out *out)
{
	struct plug_call c = { .rec = *rec, .view = v, .ev = ev };
	size_t start = out->text.len, limit = out->limit;
	struct plug_binding *b = binding(v, ev);
	bool overrun;
	int ret;

	if (!b || !b->plugin)
		return false;
	c.plugin = b->plugin;
	out->limit = start + PLUG_MAX_TEXT;
	ret = call(b, &c, out);
	overrun = out->text.len >= out->limit;
	out->limit = limit;
	if (ret == 0 && !overrun)
		return true;
	if (overrun)
		plug_complain(b->plugin, ev, "it printed more than 4 KiB");
	else if (ret < 0 && ret != -ENOENT)
		plug_complain(b->plugin, ev, strerror(-ret));
	if (out->text.len > start) {
		out->text.len = start;
		out->text.buf[start] = '\0';
	}
	return false;
}

static const struct kt_column *find_column(const struct plugin *pl, const struct kt_event *ev,
					   const char *name)
{
	const struct kt_column *col = pl->api.columns;

	for (; col && col->name; col++)
		if (!strcmp(col->name, name) && plug_event_matches(col->event, ev))
			return col;
	return NULL;
}

int plug_column(struct plug_view *v, const struct kt_event *ev, const struct kt_record *rec,
		const char *name, uint64_t *value)
{
	struct plug_call c = { .rec = *rec, .view = v, .ev = ev };
	struct plug_binding *b = binding(v, ev);
	const struct kt_column *col = b && b->plugin ? find_column(b->plugin, ev, name) : NULL;
	const struct kt_field *f;

	if (!col)
		return -ENOENT;
	c.plugin = b->plugin;
	if (!col->field)
		return b->plugin->api.column ? b->plugin->api.column(b->plugin->self, &b->plugin->host,
								     &c.rec, name, value) : -ENOENT;
	f = plug_field(ev, col->field, strlen(col->field));
	return f ? v->model->field_u64(ev, f, rec, value) : -ENOENT;
}
