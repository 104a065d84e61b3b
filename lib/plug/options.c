/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* options.c - "-O plugin:option=value" finds its plugin */
#include "base/suggest.h"
#include "plug/plug.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct plug_option *find_in(struct plugin *pl, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < pl->nr_options; i++)
		if (strlen(pl->options[i].name) == len && !memcmp(pl->options[i].name, name, len))
			return &pl->options[i];
	return NULL;
}

/* Without a plugin name, sets the option in every plugin that has it. Returns how many. */
static int set_all(struct kt_plugins *p, const char *plugin, size_t plugin_len, const char *name,
		   size_t len, const char *value)
{
	struct plug_option *o;
	int nr = 0;
	size_t i;

	for (i = 0; i < p->nr; i++) {
		struct plugin *pl = p->list[i];

		if (!pl->used || (plugin && (strlen(pl->name) != plugin_len ||
					     memcmp(pl->name, plugin, plugin_len))))
			continue;
		o = find_in(pl, name, len);
		if (!o)
			continue;
		free(o->value);
		o->value = strdup(value);
		if (!o->value)
			return -ENOMEM;
		nr++;
	}
	return nr;
}

static void add_candidate(const char **names, size_t *nr, const char *plugin, const char *option)
{
	char *full = NULL;

	if (asprintf(&full, plugin ? "%s:%s" : "%s%s", plugin ? plugin : "", option) >= 0)
		names[(*nr)++] = full;
}

/* All options: "plugin:option" if @full. New, entries and list; ends with NULL. */
static const char **candidates(const struct kt_plugins *p, const char *const *others, bool full)
{
	const char **names, *colon;
	size_t nr = 0, i, k;

	for (i = 0; i < p->nr; i++)
		nr += p->list[i]->nr_options;
	for (i = 0; others && others[i]; i++)
		nr++;
	names = calloc(nr + 1, sizeof(*names));
	nr = 0;
	for (i = 0; names && i < p->nr; i++)
		for (k = 0; p->list[i]->used && k < p->list[i]->nr_options; k++)
			add_candidate(names, &nr, full ? p->list[i]->name : NULL,
				      p->list[i]->options[k].name);
	for (i = 0; names && others && others[i]; i++) {
		colon = strchr(others[i], ':');
		add_candidate(names, &nr, NULL, full || !colon ? others[i] : colon + 1);
	}
	return names;
}

/* Suggests the correct form of the option, or lists all options */
static int no_such_option(const struct kt_plugins *p, const char *const *others, const char *text,
			  struct kt_err *err)
{
	const char **names = candidates(p, others, strchr(text, ':'));
	char word[128], hint[SUGGEST_SIZE];
	size_t i;

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, "="), text);
	kt_err_set(err, -ENOENT, "no plugin has the option '%s'%s", text,
		   suggest(word, names, hint));
	for (i = 0; names && names[i]; i++)
		free((char *)names[i]);
	free(names);
	return -ENOENT;
}

/* "name" switches an option on, "noname" off, like trace options. */
static int set_option(struct kt_plugins *p, const char *const *others, const char *text,
		      struct kt_err *err)
{
	const char *equals = strchr(text, '='), *colon = strchr(text, ':'), *name = text;
	const char *value = equals ? equals + 1 : "1";
	size_t len;
	int nr;

	if (colon && (!equals || colon < equals))
		name = colon + 1;
	len = equals ? (size_t)(equals - name) : strlen(name);
	nr = set_all(p, name == text ? NULL : text, name - text - (name != text), name, len, value);
	if (nr == 0 && !equals && !strncmp(name, "no", 2))
		nr = set_all(p, name == text ? NULL : text, name - text - (name != text), name + 2,
			     len - 2, "0");
	if (nr < 0)
		return kt_err_result(err, nr);
	return nr ? 0 : no_such_option(p, others, text, err);
}

int plug_set_options(struct kt_plugins *p, const struct kt_plugins_opts *opts, struct kt_err *err)
{
	const char *const *option = opts->options;
	int ret = 0;

	for (; ret == 0 && option && *option; option++)
		ret = set_option(p, opts->others, *option, err);
	return ret;
}

const char *kt_plugins_option(const struct kt_plugins *p, size_t i, const char *name)
{
	struct plug_option *o;

	if (i >= p->nr)
		return NULL;
	o = find_in(p->list[i], name, strlen(name));
	return o ? o->value : NULL;
}
