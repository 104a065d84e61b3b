/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugins.h - find formatter plugins, and choose which are used */
#ifndef KTRAIL_PLUGINS_H
#define KTRAIL_PLUGINS_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>
#include <ktrail/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_plugins;

/*
 * Plugins are searched in this order; of two with the same name, the first is used:
 *   KT_PLUGIN_EXPLICIT   a path given by the user
 *   KT_PLUGIN_ENV        the folder $KTRAIL_PLUGIN_DIR
 *   KT_PLUGIN_USER       ~/.local/lib/ktrail/plugins; never for root through sudo
 *   KT_PLUGIN_INSTALLED  the folder of the installation; not if $KTRAIL_PLUGIN_DIR is set
 *   KT_PLUGIN_BUILD      instead of that, the folder "plugins" next to a program "ktrail", if
 *                        it exists, as in the build tree
 *
 * A file, the target of its links, and the folder it is in, must belong to root or to
 * the user and must not be writable by others, or the file is refused; the same applies to parent
 * folders, except sticky ones like /tmp. A program with rights that its caller lacks (setuid,
 * file capabilities) ignores the environment and files of the caller.
 */
enum kt_plugin_origin {
	KT_PLUGIN_EXPLICIT, KT_PLUGIN_ENV, KT_PLUGIN_USER, KT_PLUGIN_INSTALLED,
	KT_PLUGIN_BUILD,
};

struct kt_plugins_opts {
	bool none;			/* -N: only explicit paths */
	bool local;			/* not those of the installation */
	const char *const *paths;	/* --plugin PATH: explicit files;
					 * ends with NULL, may be NULL */
	const char *const *only;	/* --plugin NAME: only these and explicit ones; likewise */
	const char *const *without;	/* --no-plugin NAME; likewise */
	const char *const *options;	/* -O "plugin:option=value", "option"; likewise */
	const char *const *others;	/* the caller's options, for "did you mean …"; likewise */
};

/**
 * kt_plugins_open - find, check and load plugins
 * @opts: borrowed for the call; NULL means all
 *
 * A plugin that is refused or cannot be loaded is not a failure: kt_plugins_at() has
 * the reason. New (kt_plugins_close), or NULL with
 *   -ENOENT   an explicit path, a name or an option does not exist
 *   -EACCES   an explicit path is refused
 *   -EINVAL   an explicit path is not a plugin of this ABI
 *   -ENOMEM
 * Threads and traces may share it.
 */
struct kt_plugins *kt_plugins_open(const struct kt_plugins_opts *opts, struct kt_err *err);
void kt_plugins_close(struct kt_plugins *p);

struct kt_plugin_info {
	const char *name;		/* name of the file if it could not be loaded */
	const char *path;
	const char *summary;		/* "" likewise */
	enum kt_plugin_origin origin;
	bool        used;
	const char *reason;		/* why it is used, or why not */
	const struct kt_plugin *plugin;	/* options, columns, events; NULL if not loaded */
};

/* In order of priority; unused ones last. */
size_t kt_plugins_nr(const struct kt_plugins *p);
void kt_plugins_at(const struct kt_plugins *p, size_t i, struct kt_plugin_info *info);

/* Current value of an option; NULL if there is no such option. */
const char *kt_plugins_option(const struct kt_plugins *p, size_t i, const char *name);

/* Errors while formatting, one line for each plugin; 0, 1, 2 … until NULL. Borrowed. */
const char *kt_plugins_complaint(struct kt_plugins *p, size_t i);

const char *kt_plugin_origin_name(enum kt_plugin_origin origin);

#ifdef __cplusplus
}
#endif
#endif
