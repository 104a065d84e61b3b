/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* options.c - "-O plugin:option=value" finds its plugin */
#include "plug/plug.h"

#include <errno.h>
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

/* Without a plugin's name, of every plugin that has it. Returns how many took it. */
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

/* "name" is switched on, "noname" off, as trace options are. */
static int set_option(struct kt_plugins *p, const char *text, struct kt_err *err)
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
		return kt_err_set(err, nr, "no memory for option '%s'", text);
	if (nr == 0)
		return kt_err_set(err, -ENOENT, "no plugin has the option '%s'; `ktrail options` "
				  "lists them", text);
	return 0;
}

int plug_set_options(struct kt_plugins *p, const char *const *options, struct kt_err *err)
{
	int ret = 0;

	for (; ret == 0 && options && *options; options++)
		ret = set_option(p, *options, err);
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
