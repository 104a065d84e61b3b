/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* view.c - find the plugin for an event of a file, and call it */
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

static void free_binding(struct plug_binding *b)
{
	struct plug_cached *c, *next;

	for (c = atomic_load_explicit(&b->cache, memory_order_relaxed); c; c = next) {
		next = c->next;
		plug_phrase_free(c->phrase);
		free(c->text);
		free(c);
	}
	plug_phrase_free(b->phrase);
	free(b->columns);
	free(b);
}

void plug_view_destroy(struct plug_view *v)
{
	struct plug_binding *b;
	size_t i;

	if (!v)
		return;
	for (i = 0; v->bindings && i < NR_TYPES; i++) {
		b = atomic_load_explicit(&v->bindings[i], memory_order_relaxed);
		if (b)
			free_binding(b);
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

/* The first phrase whose fields all exist. Reports an invalid one as an error of the plugin. */
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
			plug_complain(pl, ev, "one of its phrases is invalid");
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

/* Can the event have this column? An invalid text is an error, a missing field is not. */
static bool resolve(struct plugin *pl, const struct kt_event *ev, struct plug_column *c)
{
	int used;

	if (!plug_event_matches(c->column->event, ev))
		return false;
	if (!c->column->field)
		return pl->api.column != NULL;
	used = plug_operand_parse(ev, c->column->field, &c->what);
	if (used < 0 || c->column->field[used]) {
		plug_complain(pl, ev, "one of its columns is invalid");
		return false;
	}
	return c->what.field != NULL;
}

/* Of two columns with one name, the first wins: more general patterns come last. */
static void add_column(struct plug_binding *b, const struct plug_column *c)
{
	size_t i;

	for (i = 0; i < b->nr_columns; i++)
		if (!strcmp(b->columns[i].column->name, c->column->name))
			return;
	b->columns[b->nr_columns++] = *c;
}

static void bind_columns(struct plug_binding *b, const struct kt_event *ev)
{
	const struct kt_column *col = b->plugin->api.columns;
	size_t nr = 0;

	for (; col && col[nr].name; nr++)
		;
	b->columns = nr ? calloc(nr, sizeof(*b->columns)) : NULL;
	for (; b->columns && col->name; col++) {
		struct plug_column c = { .column = col };

		if (resolve(b->plugin, ev, &c))
			add_column(b, &c);
	}
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
		if (b->phrase || pl->api.format || pl->api.columns)
			b->plugin = pl;
	}
	if (b && b->plugin)
		bind_columns(b, ev);
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
	c.binding = b;
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

const struct kt_column *plug_column(struct plug_view *v, const struct kt_event *ev, size_t i)
{
	const struct plug_binding *b = binding(v, ev);

	return b && i < b->nr_columns ? b->columns[i].column : NULL;
}

const char *plug_column_plugin(struct plug_view *v, const struct kt_event *ev)
{
	return binding(v, ev)->plugin->name;
}

static int scale(uint64_t *value, int64_t factor)
{
	int64_t scaled;

	if (__builtin_mul_overflow((int64_t)*value, factor, &scaled))
		return -ERANGE;
	*value = (uint64_t)scaled;
	return 0;
}

int plug_column_value(struct plug_view *v, const struct kt_event *ev, const struct kt_record *rec,
		      size_t i, uint64_t *value)
{
	struct plug_binding *b = binding(v, ev);
	struct plug_call c =
		{ .rec = *rec, .view = v, .ev = ev, .plugin = b->plugin, .binding = b };
	const struct plug_column *col = &b->columns[i];
	const struct kt_plugin *api = &b->plugin->api;
	int ret;

	if (col->what.field)
		ret = plug_operand_get(&c, &col->what, value);
	else
		ret = api->column(b->plugin->self, &b->plugin->host, &c.rec, col->column->name,
				  value);
	if (ret < 0)
		return ret;
	switch (col->column->kind) {
	case KT_COLUMN_TIME_US:
		return scale(value, 1000);
	case KT_COLUMN_SECTORS:
		return scale(value, 512);
	default:
		return 0;
	}
}
