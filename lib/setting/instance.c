/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* instance.c - a handle for a trace buffer that remembers its changes */
#include <ktrail/tracefs.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>


#include "base/suggest.h"
#include "setting/instance_priv.h"
#include "setting/setting.h"
#include "tracefs/shell.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

static int check_name(const char *name, struct kt_err *err)
{
	if (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    strlen(name) > 255)
		return kt_err_set(err, -EINVAL, "'%s' is not a valid name for an instance", name);
	return 0;
}

int kt_instance_list(struct kt_names *out, struct kt_err *err)
{
	const char *top = kt_tracefs_dir(err);
	char *path = top ? ctl_path(top, "instances") : NULL;
	struct dirent *entry;
	char hint[512];
	int ret = 0;
	DIR *dir;

	if (!path)
		return top ? kt_err_no_memory(err) : kt_err_code(err, -ENODEV);
	dir = opendir(path);
	if (!dir) {
		ret = kt_err_set(err, -errno, "cannot read %s: %s", path,
				 ctl_permission_hint(path, errno, hint, sizeof(hint)));
		goto out;
	}
	while (ret == 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' || !strchr("./", entry->d_name[1]))
			ret = kt_names_add(out, entry->d_name);
	closedir(dir);
	kt_names_sort(out);
out:
	free(path);
	return ret;
}

bool kt_instance_is_gone(const char *name, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(name, 0, NULL);
	bool gone = !inst;

	kt_instance_close(inst, NULL);
	if (gone)
		kt_err_clear(err);
	return gone;
}

static int unknown_instance(const char *name, struct kt_err *err)
{
	struct kt_names have = { 0 };
	char hint[SUGGEST_SIZE];

	kt_instance_list(&have, NULL);
	kt_err_set(err, -ENOENT, "no instance '%s'%s", name,
		   suggest(name, suggest_from(&have), hint));
	kt_names_fini(&have);
	return -ENOENT;
}

/* The journal has the new folder before it exists, so a kill in between leaves no folder. */
int instance_create_dir(struct kt_instance *inst, struct kt_err *err)
{
	char hint[512];
	int ret;

	ret = ctl_undo_push(&inst->undo, CTL_UNDO_RMDIR, inst->dir, NULL, err);
	if (ret < 0)
		return ret;
	if (mkdir(inst->dir, 0755) < 0) {
		ret = errno;
		ctl_undo_forget(&inst->undo);
		return kt_err_set(err, -ret, "cannot create the instance '%s': %s", inst->name,
				  ctl_permission_hint(inst->dir, ret, hint, sizeof(hint)));
	}
	inst->is_new = inst->temporary = true;
	return 0;
}

static int note_new_dir(struct kt_instance *inst)
{
	str_add(&inst->notes, "mkdir ");
	ctl_shell_word(&inst->notes, inst->dir);
	str_addc(&inst->notes, '\n');
	inst->is_new = true;
	return inst->notes.failed ? -ENOMEM : 0;
}

static int take_or_create(struct kt_instance *inst, unsigned int flags, struct kt_err *err)
{
	bool exists = ctl_exists(inst->dir);

	if (exists && (flags & KT_INSTANCE_CREATE) && (flags & KT_INSTANCE_EXCLUSIVE))
		return kt_err_set(err, -EEXIST, "the instance '%s' exists already", inst->name);
	if (exists)
		return 0;
	if (!(flags & KT_INSTANCE_CREATE))
		return unknown_instance(inst->name, err);
	if (inst->dry)
		return note_new_dir(inst) < 0 ? kt_err_no_memory(err) : 0;
	return instance_create_dir(inst, err);
}

static void destroy(struct kt_instance *inst)
{
	ctl_undo_forget(&inst->undo);
	instance_forget_steps(inst);
	str_fini(&inst->notes);
	free(inst->name);
	free(inst->dir);
	free(inst);
}

struct kt_instance *kt_instance_open(const char *name, unsigned int flags, struct kt_err *err)
{
	struct kt_instance *inst;
	int ret;

	if (!name)
		name = "";
	if (check_name(name, err) < 0)
		return NULL;
	inst = calloc(1, sizeof(*inst));
	if (!inst) {
		kt_err_no_memory(err);
		return NULL;
	}
	inst->notes = (struct str)STR_INIT;
	inst->dry = flags & KT_INSTANCE_DRY;
	inst->top = kt_tracefs_dir(err);
	if (!inst->top)
		goto fail;
	inst->name = strdup(name);
	ret = *name ? asprintf(&inst->dir, "%s/instances/%s", inst->top, name)
		    : asprintf(&inst->dir, "%s", inst->top);
	if (ret < 0)
		inst->dir = NULL;
	if (!inst->name || !inst->dir) {
		kt_err_no_memory(err);
		goto fail;
	}
	if (*name && take_or_create(inst, flags, err) < 0)
		goto fail;
	return inst;
fail:
	destroy(inst);
	return NULL;
}

void kt_instance_keep(struct kt_instance *inst)
{
	ctl_undo_forget(&inst->undo);
	inst->temporary = false;
}

int kt_instance_restore(struct kt_instance *inst, struct kt_err *err)
{
	int ret;

	if (!inst->temporary)
		return ctl_undo_run(&inst->undo, err);
	/* Its own folder is the first step: drop it, and note it again when the rest is done. */
	free(inst->undo.steps[0].path);
	free(inst->undo.steps[0].value);
	memmove(inst->undo.steps, inst->undo.steps + 1,
		--inst->undo.nr * sizeof(*inst->undo.steps));
	ret = ctl_undo_run(&inst->undo, err);
	ctl_undo_push(&inst->undo, CTL_UNDO_RMDIR, inst->dir, NULL, NULL);
	return ret;
}

int kt_instance_close(struct kt_instance *inst, struct kt_err *err)
{
	int ret;

	if (!inst)
		return 0;
	/* Settings in the folder need no restoring; global settings do. */
	if (inst->temporary)
		ctl_undo_forget_below(&inst->undo, inst->dir);
	ret = ctl_undo_run(&inst->undo, err);
	destroy(inst);
	return ret;
}

int kt_instance_delete(struct kt_instance *inst, struct kt_err *err)
{
	struct ctl_undo_step step = { .kind = CTL_UNDO_RMDIR, .path = inst->dir };
	struct kt_err mine = { 0 };
	int ret;

	if (!*inst->name)
		return kt_err_set(err, -EINVAL, "the top-level buffer cannot be deleted");
	if (inst->dry) {
		str_add(&inst->notes, "rmdir ");
		ctl_shell_word(&inst->notes, inst->dir);
		str_addc(&inst->notes, '\n');
		return 0;
	}
	ret = ctl_undo_step_run(&step, &mine);
	if (ret == 0)
		ctl_undo_forget_below(&inst->undo, inst->dir);
	/* The kernel created it, in memory named on its command line, and keeps it. */
	if (ret == -EBUSY && kt_instance_is_persistent(inst))
		return kt_err_set(err, ret,
				  "the instance '%s' cannot be deleted while this kernel runs: its "
				  "buffer is kept across reboots", inst->name);
	return ret < 0 ? ctl_pass(err, &mine) : 0;
}

const char *kt_instance_name(const struct kt_instance *inst)
{
	return inst->name;
}

const char *kt_instance_dir(const struct kt_instance *inst)
{
	return inst->dir;
}

bool instance_is_new(const struct kt_instance *inst)
{
	return inst->is_new;
}

const char *kt_instance_notes(const struct kt_instance *inst)
{
	return inst->notes.buf;
}

bool kt_instance_is_persistent(const struct kt_instance *inst)
{
	return kt_instance_has(inst, "last_boot_info");
}

bool instance_is_dry(const struct kt_instance *inst)
{
	return inst->dry;
}

bool kt_is_unavailable(int error)
{
	return ctl_is_unavailable(error);
}

char *kt_instance_path(const struct kt_instance *inst, const char *file)
{
	char *path, *global;

	if (str_starts(file, SYSCTL))
		return ctl_path(sysctl_dir(), file + strlen(SYSCTL));
	path = ctl_path(inst->dir, file);
	if (!path || !*inst->name || ctl_exists(path))
		return path;
	global = ctl_path(inst->top, file);
	/* The top-level buffer shows the values that a new instance would have. */
	if (inst->dry && inst->is_new && global) {
		free(path);
		return global;
	}
	/* The events folder of an instance is its own; global settings are elsewhere. */
	if (global && ctl_exists(global) && !str_starts(file, "events/") &&
	    !str_starts(file, "per_cpu/")) {
		free(path);
		return global;
	}
	free(global);
	return path;
}

bool kt_instance_has(const struct kt_instance *inst, const char *file)
{
	char *path = kt_instance_path(inst, file);
	bool has = path && ctl_exists(path);

	free(path);
	return has;
}

char *kt_instance_read(const struct kt_instance *inst, const char *file, struct kt_err *err)
{
	char *path = kt_instance_path(inst, file), *text;

	if (!path) {
		kt_err_no_memory(err);
		return NULL;
	}
	text = ctl_read_text(path, err);
	free(path);
	return text;
}

int kt_instance_read_words(const struct kt_instance *inst, const char *file,
			   const char *separators, struct kt_names *out, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	char *text = kt_instance_read(inst, file, &mine);
	int ret = text ? kt_names_add_words(out, text, separators) : 0;

	if (!text)
		return ctl_pass(err, &mine);
	free(text);
	return kt_err_result(err, ret);
}
