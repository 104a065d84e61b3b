/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugins.c - find, check and load the distribution's plugins of libtraceevent */
#include "event/plugins.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/events.h"
#include "event/handlers.h"
#include "plug/plug.h"

#define MAX_PLUGINS 64

/* Symbols that a plugin may export. libtraceevent 1.9 no longer has the names in its header. */
#define PLUGIN_ALIAS   "tep_plugin_alias"
#define PLUGIN_OPTIONS "tep_plugin_options"

struct tep_plugins {
	size_t nr;
	struct tep_plugin {
		char *path;
		void *handle;		/* NULL: not loaded, see @reason */
		char *reason;
		/* for options: its alias, or that of the file; points into the plugin or @path */
		const char *name;
		struct tep_plugin_option *options;
		bool  replaced;		/* by our formatters */
		/* from the user or TRACEEVENT_PLUGIN_DIR, not from the system */
		bool  own;
	} plugin[MAX_PLUGINS];
};

static bool is_below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	return len && strncmp(path, dir, len) == 0 && (path[len] == '/' || dir[len - 1] == '/');
}

/* Plugins of the user and of the environment have priority over ours, but not through sudo. */
static bool is_own(const char *path)
{
	return is_below(path, getenv("HOME")) || is_below(path, getenv("TRACEEVENT_PLUGIN_DIR"));
}

/* The reason not to load a plugin, or NULL: load it from @real, which is new. */
static char *find_objection(const struct tep_plugin *p, const char *file, char **real)
{
	char why[512], *reason = NULL;

	*real = NULL;
	if (p->path[0] != '/')
		return strdup("its folder is a relative path");
	if (p->own && is_below(p->path, getenv("HOME")) && getenv("SUDO_UID"))
		return strdup("the user's own folder is ignored under sudo");
	if (!p->own && handlers_has(file))
		return strdup("ktrail's own formatter prints the same");
	*real = plug_safe_path(p->path, why, sizeof(why));
	if (!*real && asprintf(&reason, "refused: %s", why) < 0)
		return NULL;
	return reason;
}

static void register_plugin(struct tep_handle *tep, struct tep_plugin *p)
{
	int (*loader)(struct tep_handle *) =
		(int (*)(struct tep_handle *))dlsym(p->handle, TEP_PLUGIN_LOADER_NAME);
	const char *alias = dlsym(p->handle, PLUGIN_ALIAS);

	if (!loader) {
		p->reason = strdup("it is not a plugin of libtraceevent");
		dlclose(p->handle);
		p->handle = NULL;
		return;
	}
	p->name = alias ? alias : strrchr(p->path, '/') + 1;
	p->options = dlsym(p->handle, PLUGIN_OPTIONS);
	if (p->options)
		tep_plugin_add_options(p->name, p->options);
	loader(tep);
}

static void load_one(struct tep_handle *tep, const char *dir, const char *name, void *data)
{
	struct kt_events *evs = data;
	struct tep_plugins *all = evs->plugins;
	struct tep_plugin *p = &all->plugin[all->nr];
	char *real;

	if (all->nr == MAX_PLUGINS || asprintf(&p->path, "%s/%s", dir, name) < 0)
		return;
	all->nr++;
	p->own = is_own(p->path);
	p->reason = find_objection(p, name, &real);
	p->replaced = !p->own && p->path[0] == '/' && handlers_has(name);
	if (!real)
		return;
	p->handle = dlopen(real, RTLD_NOW | RTLD_GLOBAL);
	free(real);
	if (p->handle)
		register_plugin(tep, p);
	else
		p->reason = strdup(dlerror());
}

/* Without a value the library toggles a switch, and would do so for each file. */
static void set_option(const char *option)
{
	char *name = strdup(option), *value = name ? strchr(name, '=') : NULL;

	if (value)
		*value++ = '\0';
	if (name)
		tep_plugin_add_option(name, value ? value : "1");
	free(name);
}

static bool has_option(const struct tep_plugin *p, const char *plugin, size_t plugin_len,
		       const char *name, size_t len)
{
	const struct tep_plugin_option *o;
	const char *own;

	for (o = p->options; o && o->name; o++) {
		own = o->plugin_alias ? o->plugin_alias : p->name;
		if (strlen(o->name) == len && strncmp(o->name, name, len) == 0 &&
		    (!plugin_len || (strlen(own) == plugin_len &&
				     strncmp(own, plugin, plugin_len) == 0)))
			return true;
	}
	return false;
}

void plugins_load(struct kt_events *evs)
{
	size_t i;

	if (evs->opts.no_plugins)
		return;
	evs->plugins = calloc(1, sizeof(*evs->plugins));
	if (!evs->plugins)
		return;
	for (i = 0; i < evs->nr_options; i++)
		set_option(evs->options[i]);
	if (evs->opts.local_plugins)
		tep_set_flag(evs->tep, TEP_DISABLE_SYS_PLUGINS);
	tep_load_plugins_hook(evs->tep, ".so", load_one, evs);
}

void plugins_unload(struct kt_events *evs)
{
	size_t i;

	for (i = 0; evs->plugins && i < evs->plugins->nr; i++) {
		struct tep_plugin *p = &evs->plugins->plugin[i];
		int (*unload)(struct tep_handle *) = p->handle ?
			(int (*)(struct tep_handle *))dlsym(p->handle, TEP_PLUGIN_UNLOADER_NAME)
			: NULL;

		if (p->options)
			tep_plugin_remove_options(p->options);
		if (unload)
			unload(evs->tep);
		free(p->path);
		free(p->reason);
		if (p->handle)
			dlclose(p->handle);
	}
	free(evs->plugins);
	evs->plugins = NULL;
}

/* Is this the user's code? Compare the object, as the library may have it under another path. */
bool plugins_is_own(const struct kt_events *evs, const void *function)
{
	Dl_info info, of;
	void *loader;
	size_t i;

	if (!evs->plugins || !dladdr(function, &info))
		return false;
	for (i = 0; i < evs->plugins->nr; i++) {
		const struct tep_plugin *p = &evs->plugins->plugin[i];

		loader = p->handle ? dlsym(p->handle, TEP_PLUGIN_LOADER_NAME) : NULL;
		if (loader && dladdr(loader, &of) && of.dli_fbase == info.dli_fbase)
			return p->own;
	}
	return false;
}

bool plugins_any_own(const struct kt_events *evs)
{
	size_t i;

	for (i = 0; evs->plugins && i < evs->plugins->nr; i++)
		if (evs->plugins->plugin[i].own && evs->plugins->plugin[i].handle)
			return true;
	return false;
}

/* Returns NULL after the last */
static const struct tep_plugin *plugin_at(struct kt_events *evs, size_t i)
{
	bool have;

	pthread_mutex_lock(&evs->lock);
	have = tep_start(evs) == 0 && evs->plugins && i < evs->plugins->nr;
	pthread_mutex_unlock(&evs->lock);
	return have ? &evs->plugins->plugin[i] : NULL;
}

bool kt_events_plugin(struct kt_events *evs, size_t i, struct kt_events_plugin *info)
{
	const struct tep_plugin *p = plugin_at(evs, i);

	if (!p)
		return false;
	*info = (struct kt_events_plugin){
		.path = p->path, .loaded = p->handle != NULL, .own = p->own,
		.replaced = p->replaced, .reason = "",
	};
	if (!p->handle)
		info->reason = p->reason ? p->reason : "no memory";
	return true;
}

bool kt_events_plugin_option(struct kt_events *evs, size_t i, size_t nr,
			     struct kt_events_option *o)
{
	const struct tep_plugin *p = plugin_at(evs, i);
	const struct tep_plugin_option *of = p ? p->options : NULL;

	for (; of && of->name && nr; nr--)
		of++;
	if (!of || !of->name)
		return false;
	*o = (struct kt_events_option){
		.plugin = of->plugin_alias ? of->plugin_alias : p->name, .name = of->name,
		.value = of->set ? "1" : "0", .summary = of->description ? of->description : "",
	};
	if (of->value)
		o->value = of->value;
	return true;
}

bool kt_events_has_option(struct kt_events *evs, const char *option)
{
	const char *colon = strchr(option, ':'), *name = colon ? colon + 1 : option;
	bool have = false;
	size_t i;

	pthread_mutex_lock(&evs->lock);
	if (tep_start(evs) == 0)
		for (i = 0; evs->plugins && i < evs->plugins->nr && !have; i++)
			have = has_option(&evs->plugins->plugin[i], option,
					  colon ? colon - option : 0, name, strcspn(name, "="));
	pthread_mutex_unlock(&evs->lock);
	return have;
}
