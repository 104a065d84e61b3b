/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* find.c - find plugins, and decide which files to trust */
#include "plug/plug.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

#ifndef PLUGIN_DIR
#define PLUGIN_DIR "/usr/local/lib/ktrail/plugins"
#endif

static bool through_sudo(void)
{
	return geteuid() == 0 && getenv("SUDO_UID") && strcmp(getenv("SUDO_UID"), "0") != 0;
}

/* A program with more rights than its user (setuid, capabilities) must not trust that user. */
static bool is_owner_trusted(uid_t uid)
{
	return uid == 0 || (uid == geteuid() && !getauxval(AT_SECURE));
}

/*
 * Do not run another user's code: no other user may own the file or be able to write to it.
 * @sticky: accept a folder like /tmp that everybody can write to, since only the owner of an
 * entry can replace it.
 */
static bool only_ours(const char *path, mode_t type, bool sticky, char *why, size_t size)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return false;
	}
	if ((st.st_mode & S_IFMT) != type) {
		snprintf(why, size, "%s is not a %s", path, type == S_IFREG ? "file" : "folder");
		return false;
	}
	if (!is_owner_trusted(st.st_uid)) {
		snprintf(why, size, "%s belongs to another user", path);
		return false;
	}
	if (st.st_mode & (S_IWGRP | S_IWOTH) && !(sticky && st.st_mode & S_ISVTX)) {
		snprintf(why, size, "%s is writable by %s", path,
			 st.st_mode & S_IWOTH ? "everybody" : "its group");
		return false;
	}
	return true;
}

/* A user who can replace a parent folder can replace the file between check and use. */
static bool folders_are_ours(const char *real, char *why, size_t size)
{
	char path[PATH_MAX];
	char *slash;
	bool sticky = false;

	snprintf(path, sizeof(path), "%s", real);
	while ((slash = strrchr(path, '/'))) {
		slash[slash == path] = '\0';
		if (!only_ours(path, S_IFDIR, sticky, why, size))
			return false;
		if (slash == path)
			break;
		sticky = true;
	}
	return true;
}

char *plug_safe_path(const char *path, char *why, size_t size)
{
	char *real = realpath(path, NULL);

	if (!real)
		snprintf(why, size, "%s: %s", path, strerror(errno));
	else if (only_ours(real, S_IFREG, false, why, size) && folders_are_ours(real, why, size))
		return real;
	free(real);
	return NULL;
}

static int add(struct kt_plugins *p, const char *path, enum kt_plugin_origin origin)
{
	struct plugin *pl = array_reserve(p->list, p->nr) ? calloc(1, sizeof(*pl)) : NULL;
	const char *base = strrchr(path, '/');

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

/* Adds the plugins of a folder in the order of their names. The folder need not exist. */
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

/*
 * The plugins folder next to the program in the build tree: "build/plugins" of
 * "build/ktrail". It is used only for a program of that name, since "plugins" next to another
 * program is unrelated, and only if no other user except root could have created it.
 */
static bool find_beside(char dir[PATH_MAX])
{
	char exe[PATH_MAX - sizeof("/plugins/x")], why[256];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	if (len < 0)
		return false;
	exe[len] = '\0';
	slash = strrchr(exe, '/');
	if (!slash || strcmp(slash, "/ktrail") != 0)
		return false;
	*slash = '\0';
	snprintf(dir, PATH_MAX, "%s/plugins/x", exe);
	if (!folders_are_ours(dir, why, sizeof(why)))
		return false;
	*strrchr(dir, '/') = '\0';
	return true;
}

static int add_standard(struct kt_plugins *p, bool local)
{
	const char *env = secure_getenv("KTRAIL_PLUGIN_DIR"), *home = secure_getenv("HOME");
	char dir[PATH_MAX];
	int ret = 0;

	/* Only absolute paths: "." may be any folder that contains a trace. */
	if (env && env[0] == '/')
		ret = add_folder(p, env, KT_PLUGIN_ENV);
	if (ret < 0)
		return ret;
	if (home && home[0] == '/' && !through_sudo()) {
		snprintf(dir, sizeof(dir), "%s/.local/lib/ktrail/plugins", home);
		ret = add_folder(p, dir, KT_PLUGIN_USER);
	}
	if (ret < 0 || local || env)
		return ret;
	if (find_beside(dir))
		return add_folder(p, dir, KT_PLUGIN_BUILD);
	return add_folder(p, PLUGIN_DIR, KT_PLUGIN_INSTALLED);
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
	return kt_err_result(err, ret);
}

const char *kt_plugin_origin_name(enum kt_plugin_origin origin)
{
	static const char *const names[] = {
		[KT_PLUGIN_EXPLICIT] = "given", [KT_PLUGIN_ENV] = "KTRAIL_PLUGIN_DIR",
		[KT_PLUGIN_USER] = "user", [KT_PLUGIN_INSTALLED] = "installed",
		[KT_PLUGIN_BUILD] = "build",
	};

	return names[origin];
}
