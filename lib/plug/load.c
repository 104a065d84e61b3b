/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* load.c - open a plugin's shared object and check it */
#include "plug/plug.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int plug_set_reason(struct plugin *pl, bool used, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	free(pl->reason);
	pl->reason = str_take(&s);
	pl->used = used;
	return used ? 0 : -EINVAL;
}

/* Copies the members that both ktrail and the plugin have; those an older plugin lacks stay 0. */
static int take_api(struct plugin *pl, const struct kt_plugin *api)
{
	size_t least = offsetof(struct kt_plugin, phrases);

	if (api->abi != KT_PLUGIN_ABI)
		return plug_set_reason(pl, false, "made for plugin ABI %u, this is %u",
				       api->abi, KT_PLUGIN_ABI);
	if (api->size < least || api->size > 65536)
		return plug_set_reason(pl, false,
				       "its description has %u bytes, at least %zu are needed",
				       api->size, least);
	memcpy(&pl->api, api, api->size < sizeof(pl->api) ? api->size : sizeof(pl->api));
	if (!pl->api.name || !pl->api.name[0] || !pl->api.events)
		return plug_set_reason(pl, false, "it has no name or no events");
	if (!pl->api.summary)
		pl->api.summary = "";
	return 0;
}

static int copy_options(struct plugin *pl)
{
	const struct kt_plugin_option *o = pl->api.options;
	size_t nr = 0;

	for (; o && o[nr].name; nr++)
		;
	pl->options = calloc(nr + 1, sizeof(*pl->options));
	if (!pl->options)
		return -ENOMEM;
	for (; pl->nr_options < nr; pl->nr_options++) {
		pl->options[pl->nr_options].name = o[pl->nr_options].name;
		pl->options[pl->nr_options].value = strdup(o[pl->nr_options].value ?
							   o[pl->nr_options].value : "");
		if (!pl->options[pl->nr_options].value)
			return -ENOMEM;
	}
	return 0;
}

int plug_load(struct plugin *pl, struct kt_err *err)
{
	const struct kt_plugin *api;
	char why[512], *real;
	int ret;

	real = plug_safe_path(pl->path, why, sizeof(why));
	if (!real) {
		plug_set_reason(pl, false, "refused: %s", why);
		return kt_err_set(err, -EACCES, "plugin %s is refused: %s", pl->path, why);
	}
	pl->handle = dlopen(real, RTLD_NOW | RTLD_LOCAL);
	free(real);
	if (!pl->handle) {
		plug_set_reason(pl, false, "%s", dlerror());
		return kt_err_set(err, -EINVAL, "cannot load plugin: %s", pl->reason);
	}
	api = dlsym(pl->handle, "kt_plugin");
	if (!api)
		ret = plug_set_reason(pl, false,
				      "it is not a plugin: it has no symbol kt_plugin");
	else
		ret = take_api(pl, api);
	if (ret < 0)
		return kt_err_set(err, ret, "cannot use plugin %s: %s", pl->path, pl->reason);
	if (copy_options(pl) < 0)
		return kt_err_no_memory(err);
	free(pl->name);
	pl->name = strdup(pl->api.name);
	if (!pl->name)
		return kt_err_no_memory(err);
	pl->used = true;
	return 0;
}

void plug_unload(struct plugin *pl)
{
	size_t i;

	if (!pl)
		return;
	if (pl->used && pl->api.close)
		pl->api.close(pl->self);
	for (i = 0; i < pl->nr_options; i++)
		free(pl->options[i].value);
	free(pl->options);
	if (pl->handle)
		dlclose(pl->handle);
	free(pl->path);
	free(pl->name);
	free(pl->reason);
	free(pl);
}
