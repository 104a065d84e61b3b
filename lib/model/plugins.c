/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugins.c - the distribution's plugins of libtraceevent: found, checked, loaded */
#include "model/plugins.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/direct.h"

#define MAX_PLUGINS 64

struct tep_plugins {
	size_t nr;
	struct tep_plugin {
		void *handle;
		char *path;
		const char *name;	/* for options: its alias, or that of the file; in the plugin, or @path */
		struct tep_plugin_option *options;
		bool  own;		/* of the user or TRACEEVENT_PLUGIN_DIR, not of the system */
	} plugin[MAX_PLUGINS];
};

/* Owned by root or by us, and nobody else may write to it */
static bool is_trusted(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (st.st_uid == 0 || st.st_uid == geteuid()) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Code runs with our rights: a stranger's folder, or a relative one, gives none. */
static bool may_load(const char *path)
{
	char dir[4096];
	char *slash;

	if (path[0] != '/' || strlen(path) >= sizeof(dir))
		return false;
	strcpy(dir, path);
	slash = strrchr(dir, '/');
	*slash = '\0';
	return is_trusted(dir) && is_trusted(path);
}

static bool is_below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	return len && strncmp(path, dir, len) == 0 && (path[len] == '/' || dir[len - 1] == '/');
}

/* The user's and those of the environment come before ours; never the user's through sudo. */
static bool is_own(const char *path)
{
	return is_below(path, getenv("HOME")) || is_below(path, getenv("TRACEEVENT_PLUGIN_DIR"));
}

static void load_one(struct tep_handle *tep, const char *dir, const char *name, void *data)
{
	struct kt_events *evs = data;
	struct tep_plugins *all = evs->plugins;
	struct tep_plugin *p = &all->plugin[all->nr];
	int (*loader)(struct tep_handle *);
	const char *alias;
	char path[4096];

	if (all->nr == MAX_PLUGINS ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
		return;
	p->own = is_own(path);
	if (!may_load(path) || (p->own && is_below(path, getenv("HOME")) && getenv("SUDO_UID")) ||
	    (!p->own && direct_replaces(name)))
		return;
	p->handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (!p->handle)
		return;
	loader = (int (*)(struct tep_handle *))dlsym(p->handle, TEP_PLUGIN_LOADER_NAME);
	p->path = strdup(path);
	if (!loader || !p->path) {
		free(p->path);
		dlclose(p->handle);
		return;
	}
	alias = dlsym(p->handle, TEP_PLUGIN_ALIAS_NAME);
	p->name = alias ? alias : p->path + strlen(p->path) - strlen(name);
	p->options = dlsym(p->handle, TEP_PLUGIN_OPTIONS_NAME);
	if (p->options)
		tep_plugin_add_options(p->name, p->options);
	loader(tep);
	all->nr++;
}

/* The library turns a switch over where no value is given, and would do so for each file. */
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
		int (*unload)(struct tep_handle *) =
			(int (*)(struct tep_handle *))dlsym(p->handle, TEP_PLUGIN_UNLOADER_NAME);

		if (p->options)
			tep_plugin_remove_options(p->options);
		if (unload)
			unload(evs->tep);
		free(p->path);
		dlclose(p->handle);
	}
	free(evs->plugins);
	evs->plugins = NULL;
}

bool plugins_is_own(const struct kt_events *evs, const void *function)
{
	Dl_info info;
	size_t i;

	if (!evs->plugins || !dladdr(function, &info) || !info.dli_fname)
		return false;
	for (i = 0; i < evs->plugins->nr; i++)
		if (strcmp(evs->plugins->plugin[i].path, info.dli_fname) == 0)
			return evs->plugins->plugin[i].own;
	return false;
}

bool plugins_any_own(const struct kt_events *evs)
{
	size_t i;

	for (i = 0; evs->plugins && i < evs->plugins->nr; i++)
		if (evs->plugins->plugin[i].own)
			return true;
	return false;
}

const char *kt_events_plugin(struct kt_events *evs, size_t i)
{
	bool have;

	pthread_mutex_lock(&evs->lock);
	have = tep_start(evs) == 0 && evs->plugins && i < evs->plugins->nr;
	pthread_mutex_unlock(&evs->lock);
	return have ? evs->plugins->plugin[i].path : NULL;
}

bool kt_events_has_option(struct kt_events *evs, const char *option)
{
	const char *colon = strchr(option, ':'), *name = colon ? colon + 1 : option;
	bool have = false;
	size_t i;

	pthread_mutex_lock(&evs->lock);
	if (tep_start(evs) == 0)
		for (i = 0; evs->plugins && i < evs->plugins->nr && !have; i++)
			have = has_option(&evs->plugins->plugin[i], option, colon ? colon - option : 0,
					  name, strcspn(name, "="));
	pthread_mutex_unlock(&evs->lock);
	return have;
}
