/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* write.c - write files of an instance, or note what would be written */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


#include "base/array.h"
#include "setting/instance_priv.h"
#include "setting/setting.h"
#include "tracefs/shell.h"

/* Files that exist once and apply to all buffers. Each buffer has its own copy of the others. */
static const char *const global_files[] = {
	"saved_cmdlines_size", "max_graph_depth", "tracing_thresh", "set_graph_function",
	"set_graph_notrace", "dynamic_events", "kprobe_events", "uprobe_events",
	"synthetic_events", "stack_trace_filter",
};

void instance_forget_steps(struct kt_instance *inst)
{
	while (inst->nr_steps--) {
		free(inst->steps[inst->nr_steps].file);
		free(inst->steps[inst->nr_steps].value);
		free(inst->steps[inst->nr_steps].undo);
	}
	free(inst->steps);
	inst->steps = NULL;
	inst->nr_steps = 0;
}

/* For kt_instance_commit() */
static int keep_step(struct kt_instance *inst, const char *file, const void *bytes, size_t len,
		     enum ctl_mode mode, struct kt_err *err)
{
	struct step *step = array_add(inst->steps, inst->nr_steps);

	if (!step)
		return kt_err_no_memory(err);
	*step = (struct step){ .mode = mode, .file = strdup(file), .value = calloc(1, len + 1),
			       .len = len };
	if (!step->file || !step->value)
		return kt_err_no_memory(err);
	memcpy(step->value, bytes, len);
	return 0;
}

/* A removal ("!") works only once. */
static bool is_noted(const struct kt_instance *inst, const char *file, const char *value,
		     enum ctl_mode mode)
{
	const struct step *s = inst->steps, *end = s + inst->nr_steps;

	while (s < end && (s->mode != mode || strcmp(s->file, file) != 0 ||
			   strcmp(s->value, value) != 0))
		s++;
	return s < end && *value == '!';
}

static int note(struct kt_instance *inst, const char *path, const char *value,
		enum ctl_mode mode, struct kt_err *err)
{
	ctl_shell_write(&inst->notes, path, value, mode == CTL_APPEND);
	return inst->notes.failed ? kt_err_no_memory(err) : 0;
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

/* Like kt_instance_path(), but a dry handle's new folder need not exist. */
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
	char *path, *alias;
	int ret;

	if (inst->dry && is_noted(inst, file, value, mode))
		return 0;
	path = path_to_write(inst, file);
	if (!path)
		return kt_err_no_memory(err);
	ret = ctl_check_crash(inst, file, value, err);
	if (ret == 0 && inst->dry)
		ret = keep_step(inst, file, value, strlen(value), mode, err);
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
		return kt_err_no_memory(err);
	ret = inst->dry ? 0 : ctl_undo_remember(&inst->undo, path, err);
	free(path);
	return ret;
}

int instance_remember_top(struct kt_instance *inst, const char *file, struct kt_err *err)
{
	char *path = ctl_path(inst->top, file);
	int ret = 0;

	if (!path)
		return kt_err_no_memory(err);
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
		return kt_err_no_memory(err);
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
		return kt_err_no_memory(err);
	if (inst->dry)
		ret = keep_step(inst, file, bytes, strlen(bytes), CTL_RAW, err);
	else
		ret = ctl_write_path(path, bytes, CTL_RAW, err);
	if (ret == 0 && inst->dry)
		ret = note(inst, path, bytes, CTL_RAW, err);
	free(path);
	return ret;
}

int kt_instance_poke_bytes(struct kt_instance *inst, const char *file, const void *bytes,
			   size_t len, struct kt_err *err)
{
	char *path = path_to_write(inst, file);
	int ret = 0;

	if (!path)
		return kt_err_no_memory(err);
	if (inst->dry)
		ret = keep_step(inst, file, bytes, len, CTL_RAW, err);
	else
		ret = ctl_write_bytes(path, bytes, len, err);
	if (ret == 0 && inst->dry) {
		ctl_shell_bytes(&inst->notes, path, bytes, len);
		ret = inst->notes.failed ? kt_err_no_memory(err) : 0;
	}
	free(path);
	return ret;
}

int kt_instance_define(struct kt_instance *inst, const char *file, const char *line,
		       const char *undo, struct kt_err *err)
{
	char *path = undo ? path_to_write(inst, file) : NULL;
	int ret = !undo || path ? 0 : kt_err_no_memory(err);

	if (ret == 0 && path && !inst->dry)
		ret = ctl_undo_push(&inst->undo, CTL_UNDO_APPEND, path, undo, err);
	free(path);
	if (ret < 0)
		return ret;
	ret = change(inst, file, line, CTL_APPEND, err);
	/* If it is gone, it was removed together with another one; undo restores it too. */
	if (ret < 0 && undo && !inst->dry && !(ret == -ENOENT && *line == '-'))
		ctl_undo_drop(&inst->undo, CTL_UNDO_APPEND);
	if (ret < 0 || !undo || !inst->dry)
		return ret;
	inst->steps[inst->nr_steps - 1].undo = strdup(undo);
	return inst->steps[inst->nr_steps - 1].undo ? 0 : kt_err_no_memory(err);
}

static int commit_step(struct kt_instance *inst, const struct step *s, struct kt_err *err)
{
	if (s->mode == CTL_RAW)
		return kt_instance_poke_bytes(inst, s->file, s->value, s->len, err);
	return s->undo ? kt_instance_define(inst, s->file, s->value, s->undo, err)
		       : change(inst, s->file, s->value, s->mode, err);
}

int kt_instance_commit(struct kt_instance *inst, struct kt_err *err)
{
	size_t i;
	int ret;

	if (!inst->dry)
		return 0;
	inst->dry = false;
	ret = inst->is_new ? instance_create_dir(inst, err) : 0;
	for (i = 0; ret == 0 && i < inst->nr_steps; i++)
		ret = commit_step(inst, &inst->steps[i], err);
	instance_forget_steps(inst);
	return ret;
}
