/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* find.c - where plugins may come from, and whom to trust */
#include "plug/plug.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PLUGIN_DIR
#define PLUGIN_DIR "/usr/local/lib/ktrail/plugins"
#endif

static bool through_sudo(void)
{
	return geteuid() == 0 && getenv("SUDO_UID") && strcmp(getenv("SUDO_UID"), "0") != 0;
}

/* Code of a stranger is not run: neither what he owns nor what he can write to. */
static bool only_ours(const char *path, char *why, size_t size)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return false;
	}
	if (st.st_uid != 0 && st.st_uid != geteuid()) {
		snprintf(why, size, "%s belongs to another user", path);
		return false;
	}
	if (st.st_mode & (S_IWGRP | S_IWOTH)) {
		snprintf(why, size, "%s is writable by %s", path,
			 st.st_mode & S_IWOTH ? "everybody" : "its group");
		return false;
	}
	return true;
}

/* Folders above may be anybody's like /tmp, as long as only the owner of an entry can replace it. */
static bool above_is_safe(char *path, char *why, size_t size)
{
	struct stat st;
	char *slash;

	while ((slash = strrchr(path, '/')) && slash != path) {
		*slash = '\0';
		if (stat(path, &st) == 0 && (st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX)) {
			snprintf(why, size, "%s is writable by everybody", path);
			return false;
		}
	}
	return true;
}

bool plug_is_safe(const char *path, char *why, size_t size)
{
	char *real = realpath(path, NULL), *slash;
	bool safe;

	if (!real) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return false;
	}
	safe = only_ours(real, why, size);
	slash = strrchr(real, '/');
	if (safe && slash && slash != real) {
		*slash = '\0';
		safe = only_ours(real, why, size) && above_is_safe(real, why, size);
	}
	free(real);
	return safe;
}

static int add(struct kt_plugins *p, const char *path, enum kt_plugin_origin origin)
{
	struct plugin **more = realloc(p->list, (p->nr + 1) * sizeof(*more)), *pl;
	const char *base = strrchr(path, '/');

	if (!more)
		return -ENOMEM;
	p->list = more;
	pl = calloc(1, sizeof(*pl));
	if (!pl)
		return -ENOMEM;
	pl->all = p;
	pl->origin = origin;
	pl->host = plug_host;
	pl->path = strdup(path);
	pl->name = strdup(base ? base + 1 : path);
	p->list[p->nr++] = pl;
	if (!pl->path || !pl->name)
		return -ENOMEM;
	if (strlen(pl->name) > 3 && !strcmp(pl->name + strlen(pl->name) - 3, ".so"))
		pl->name[strlen(pl->name) - 3] = '\0';
	return 0;
}

static int is_object(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return d->d_name[0] != '.' && len > 3 && !strcmp(d->d_name + len - 3, ".so");
}

/* In the order of their names. A folder that is not there holds none. */
static int add_folder(struct kt_plugins *p, const char *dir, enum kt_plugin_origin origin)
{
	struct dirent **names = NULL;
	char path[PATH_MAX];
	int nr = scandir(dir, &names, is_object, alphasort), ret = 0, i;

	for (i = 0; i < nr; i++) {
		if (ret == 0 && (size_t)snprintf(path, sizeof(path), "%s/%s", dir,
						 names[i]->d_name) < sizeof(path))
			ret = add(p, path, origin);
		free(names[i]);
	}
	free(names);
	return ret;
}

static int add_standard(struct kt_plugins *p, bool local)
{
	const char *env = getenv("KTRAIL_PLUGIN_DIR"), *home = getenv("HOME");
	char dir[PATH_MAX];
	int ret = 0;

	/* "." would be whatever folder a trace happens to lie in */
	if (env && env[0] == '/')
		ret = add_folder(p, env, KT_PLUGIN_ENV);
	if (ret == 0 && home && home[0] == '/' && !through_sudo()) {
		snprintf(dir, sizeof(dir), "%s/.local/lib/ktrail/plugins", home);
		ret = add_folder(p, dir, KT_PLUGIN_USER);
	}
	if (ret == 0 && !local && !env)
		ret = add_folder(p, PLUGIN_DIR, KT_PLUGIN_INSTALLED);
	return ret;
}

int plug_find(struct kt_plugins *p, const struct kt_plugins_opts *opts, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && opts->paths && opts->paths[i]; i++) {
		if (access(opts->paths[i], F_OK) < 0)
			return kt_err_set(err, -errno, "no plugin %s: %s", opts->paths[i],
					  strerror(errno));
		ret = add(p, opts->paths[i], KT_PLUGIN_EXPLICIT);
	}
	if (ret == 0 && !opts->none)
		ret = add_standard(p, opts->local);
	return ret < 0 ? kt_err_set(err, ret, "no memory for plugins") : 0;
}

const char *kt_plugin_origin_name(enum kt_plugin_origin origin)
{
	static const char *const names[] = {
		[KT_PLUGIN_EXPLICIT] = "given", [KT_PLUGIN_ENV] = "KTRAIL_PLUGIN_DIR",
		[KT_PLUGIN_USER] = "user", [KT_PLUGIN_INSTALLED] = "installed",
	};

	return names[origin];
}
