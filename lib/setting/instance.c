/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* instance.c - a handle on a trace buffer that remembers what it changed */
#include <ktrail/instance.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "base/suggest.h"
#include "setting/setting.h"
#include "tracefs/shell.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

struct kt_instance {
	char *name;		/* "" for the top buffer */
	char *dir;		/* absolute */
	const char *top;	/* the top buffer's folder, borrowed */
	bool  is_new;		/* this handle made it */
	bool  temporary;	/* … and will remove it: the first step of @undo */
	bool  dry;		/* nothing is written but @notes */
	struct str notes;	/* lines of shell */
	struct ctl_undo undo;
};

/* Files of the top buffer that are there for all buffers; the rest of it each has for itself. */
static const char *const global_files[] = {
	"saved_cmdlines_size", "max_graph_depth", "tracing_thresh", "set_graph_function",
	"set_graph_notrace", "dynamic_events", "kprobe_events", "uprobe_events",
	"synthetic_events", "stack_trace_filter",
};

#define SYSCTL "sysctl/"

static int out_of_memory(struct kt_err *err)
{
	return kt_err_set(err, -ENOMEM, "out of memory");
}

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
		return top ? out_of_memory(err) : err && err->code ? err->code : -ENODEV;
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

/* The journal knows of the new folder before it exists: a kill in between leaves nothing. */
static int create_dir(struct kt_instance *inst, struct kt_err *err)
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
		return note_new_dir(inst) < 0 ? out_of_memory(err) : 0;
	return create_dir(inst, err);
}

static void destroy(struct kt_instance *inst)
{
	ctl_undo_forget(&inst->undo);
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
		out_of_memory(err);
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
		out_of_memory(err);
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
	/* Its own folder is the first step: taken off, and noted again when the rest is done. */
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
	/* What goes with the folder needs no putting back; what is global does. */
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
		return kt_err_set(err, -EINVAL, "the top buffer cannot be deleted");
	if (inst->dry) {
		str_add(&inst->notes, "rmdir ");
		ctl_shell_word(&inst->notes, inst->dir);
		str_addc(&inst->notes, '\n');
		return 0;
	}
	ret = ctl_undo_step_run(&step, &mine);
	if (ret == 0)
		ctl_undo_forget_below(&inst->undo, inst->dir);
	/* The kernel made it, in memory that its command line names, and holds on to it. */
	if (ret == -EBUSY && kt_instance_is_persistent(inst))
		return kt_err_set(err, ret,
				  "the instance '%s' stays as long as this kernel runs: it keeps "
				  "its buffer over reboots", inst->name);
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
	/* What a new instance would have, the top buffer shows. */
	if (inst->dry && inst->is_new && global) {
		free(path);
		return global;
	}
	/* Events come and go with an instance of their own; those of the top are not ours. */
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
		out_of_memory(err);
		return NULL;
	}
	text = ctl_read_text(path, err);
	free(path);
	return text;
}

static int note(struct kt_instance *inst, const char *path, const char *value,
		enum ctl_mode mode, struct kt_err *err)
{
	ctl_shell_write(&inst->notes, path, value, mode == CTL_APPEND);
	return inst->notes.failed ? out_of_memory(err) : 0;
}

static int change_path(struct kt_instance *inst, const char *path, const char *value,
		       enum ctl_mode mode, struct kt_err *err)
{
	int ret;

	if (inst->dry)
		return note(inst, path, value, mode, err);
	ret = ctl_interrupt_check(err);
	if (ret == 0)
		ret = ctl_undo_remember(&inst->undo, path, err);
	return ret < 0 ? ret : ctl_write_path(path, value, mode, err);
}

/* As kt_instance_path, but a dry handle's new folder is named though it is not there. */
static char *path_to_write(const struct kt_instance *inst, const char *file)
{
	size_t i;

	if (!inst->dry || !inst->is_new || str_starts(file, SYSCTL))
		return kt_instance_path(inst, file);
	for (i = 0; i < sizeof(global_files) / sizeof(*global_files); i++)
		if (strcmp(global_files[i], file) == 0)
			return ctl_path(inst->top, file);
	return ctl_path(inst->dir, file);
}

static int change(struct kt_instance *inst, const char *file, const char *value,
		  enum ctl_mode mode, struct kt_err *err)
{
	char *path = path_to_write(inst, file), *alias;
	int ret;

	if (!path)
		return out_of_memory(err);
	ret = ctl_check_crash(inst, file, value, err);
	if (ret == 0)
		ret = change_path(inst, path, value, mode, err);
	alias = ret == 0 ? ctl_hist_alias(value) : NULL;
	if (alias)
		ret = change_path(inst, path, alias, mode, err);
	free(alias);
	free(path);
	return ret;
}

int kt_instance_write(struct kt_instance *inst, const char *file, const char *value,
		      struct kt_err *err)
{
	return change(inst, file, value, CTL_REPLACE, err);
}

int kt_instance_append(struct kt_instance *inst, const char *file, const char *value,
		       struct kt_err *err)
{
	return change(inst, file, value, CTL_APPEND, err);
}

int instance_try_write(struct kt_instance *inst, const char *file, const char *value,
		       struct kt_err *err)
{
	struct kt_err mine = { 0 };
	int ret = change(inst, file, value, CTL_REPLACE, &mine);

	if (ret < 0 && ctl_is_unavailable(ret))
		return 0;
	return ret < 0 ? ctl_pass(err, &mine) : 1;
}

int instance_write_number(struct kt_instance *inst, const char *file, long long value,
			  struct kt_err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", value);
	return change(inst, file, text, CTL_REPLACE, err);
}

int kt_instance_read_number(const struct kt_instance *inst, const char *file, long long *value,
			    struct kt_err *err)
{
	struct kt_err mine = { 0 };
	char *text, *end;
	int ret = 0;

	text = kt_instance_read(inst, file, &mine);
	if (!text)
		return ctl_pass(err, &mine);
	errno = 0;
	*value = strtoll(text, &end, 0);
	if (end == text || errno)
		ret = kt_err_set(err, -EINVAL, "%s/%s: '%s' is not a number", inst->dir, file,
				 text);
	free(text);
	return ret;
}

int instance_remember(struct kt_instance *inst, const char *file, struct kt_err *err)
{
	char *path = kt_instance_path(inst, file);
	int ret;

	if (!path)
		return out_of_memory(err);
	ret = inst->dry ? 0 : ctl_undo_remember(&inst->undo, path, err);
	free(path);
	return ret;
}

int instance_remember_top(struct kt_instance *inst, const char *file, struct kt_err *err)
{
	char *path = ctl_path(inst->top, file);
	int ret = 0;

	if (!path)
		return out_of_memory(err);
	if (!inst->dry && ctl_exists(path))
		ret = ctl_undo_remember(&inst->undo, path, err);
	free(path);
	return ret;
}

int instance_remember_as(struct kt_instance *inst, const char *file, const char *value,
			 struct kt_err *err)
{
	char *path = kt_instance_path(inst, file);
	int ret = 0;

	if (!path)
		return out_of_memory(err);
	if (!inst->dry && !ctl_undo_knows(&inst->undo, path))
		ret = ctl_undo_push(&inst->undo, CTL_UNDO_PUT, path, value, err);
	free(path);
	return ret;
}

int kt_instance_poke(struct kt_instance *inst, const char *file, const char *bytes,
		     struct kt_err *err)
{
	char *path = path_to_write(inst, file);
	int ret;

	if (!path)
		return out_of_memory(err);
	ret = inst->dry ? note(inst, path, bytes, CTL_RAW, err)
			: ctl_write_path(path, bytes, CTL_RAW, err);
	free(path);
	return ret;
}

int kt_instance_poke_bytes(struct kt_instance *inst, const char *file, const void *bytes,
			   size_t len, struct kt_err *err)
{
	char *path = path_to_write(inst, file);
	int ret = 0;

	if (!path)
		return out_of_memory(err);
	if (!inst->dry) {
		ret = ctl_write_bytes(path, bytes, len, err);
	} else {
		ctl_shell_bytes(&inst->notes, path, bytes, len);
		ret = inst->notes.failed ? out_of_memory(err) : 0;
	}
	free(path);
	return ret;
}

int instance_undo_append(struct kt_instance *inst, const char *path, const char *value,
			 struct kt_err *err)
{
	return inst->dry ? 0 : ctl_undo_push(&inst->undo, CTL_UNDO_APPEND, path, value, err);
}

void instance_undo_drop(struct kt_instance *inst)
{
	if (!inst->dry)
		ctl_undo_drop(&inst->undo, CTL_UNDO_APPEND);
}
