/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* undo.c - remember former values of settings and restore them */
#include "undo/undo.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/str.h"
#include "tracefs/tracefs.h"
#include "undo/shared_settings.h"

bool ctl_undo_has(const struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path)
{
	size_t i;

	for (i = 0; i < undo->nr; i++)
		if (undo->steps[i].kind == kind && strcmp(undo->steps[i].path, path) == 0)
			return true;
	return false;
}

bool ctl_undo_knows(const struct ctl_undo *undo, const char *path)
{
	return ctl_undo_has(undo, CTL_UNDO_PUT, path);
}

static int make_room(struct ctl_undo *undo)
{
	struct ctl_undo_step *steps = array_room(undo->steps, undo->nr, sizeof(*steps));

	if (!steps)
		return -ENOMEM;
	undo->steps = steps;
	return 0;
}

static void step_fini(struct ctl_undo_step *step)
{
	free(step->path);
	free(step->value);
	free(step->found);
}

int ctl_undo_add(struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path,
		 const char *value, struct kt_err *err)
{
	struct ctl_undo_step step = { .kind = kind };

	step.path = strdup(path);
	step.value = strdup(value ? value : "");
	if (!step.path || !step.value || make_room(undo) < 0) {
		step_fini(&step);
		return kt_err_no_memory(err);
	}
	ctl_interrupt_hold(undo, true);
	if (!undo->is_private)
		ctl_journal_add(undo, &step);
	undo->steps[undo->nr++] = step;
	return 0;
}

/* A former value, unless another process of ours has an older one */
static int add_value(struct ctl_undo *undo, const struct ctl_shared *others, const char *path,
		     const char *value, struct kt_err *err)
{
	int ret = ctl_shared_take(others, undo, path, err);

	if (ret < 0 || ctl_undo_knows(undo, path))
		return ret;
	return ctl_undo_add(undo, CTL_UNDO_PUT, path, value, err);
}

int ctl_undo_push(struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path,
		  const char *value, struct kt_err *err)
{
	struct ctl_shared others;
	int ret;

	if (kind != CTL_UNDO_PUT || undo->is_private || ctl_undo_knows(undo, path))
		return ctl_undo_add(undo, kind, path, value, err);
	ctl_shared_begin(&others, true);
	ret = add_value(undo, &others, path, value, err);
	ctl_shared_end(&others);
	return ret;
}

void ctl_undo_drop(struct ctl_undo *undo, enum ctl_undo_kind kind)
{
	size_t i = undo->nr;

	while (i > 0 && undo->steps[i - 1].kind != kind)
		i--;
	if (i == 0)
		return;
	step_fini(&undo->steps[i - 1]);
	memmove(&undo->steps[i - 1], &undo->steps[i], (undo->nr - i) * sizeof(*undo->steps));
	undo->nr--;
}

/*
 * A hist trigger that uses time sets its buffer's clock when it is created, also when it is
 * restored. So remember the clock before the trigger: it is then restored after the trigger.
 */
static int remember_clock_of(struct ctl_undo *undo, const char *path, struct kt_err *err)
{
	const char *end = path + strlen(path);
	struct str clock = STR_INIT;
	int up, ret = 0;

	if (fnmatch("*/events/*/*/trigger", path, 0) != 0)
		return 0;
	for (up = 0; up < 4; up++)
		end = memrchr(path, '/', end - path);
	str_addf(&clock, "%.*s/trace_clock", (int)(end - path), path);
	if (clock.failed)
		ret = kt_err_no_memory(err);
	else if (access(clock.buf, R_OK) == 0)
		ret = ctl_undo_remember(undo, clock.buf, err);
	str_fini(&clock);
	return ret;
}

/* The setting made last is undone first: see undo.h. */
static int remember_again(struct ctl_undo *undo, const char *path, struct kt_err *err)
{
	char *now;
	int ret;

	if (strcmp(str_base_name(path), "current_tracer") != 0 ||
	    strcmp(undo->steps[undo->nr - 1].path, path) == 0)
		return 0;
	now = ctl_read_text(path, err);
	ret = now ? ctl_undo_add(undo, CTL_UNDO_VIA, path, now, err) : kt_err_code(err, -EIO);
	free(now);
	return ret;
}

int ctl_undo_remember(struct ctl_undo *undo, const char *path, struct kt_err *err)
{
	struct ctl_shared others = { .lock_fd = -1 };
	char *now, *text;
	int ret;

	if (ctl_undo_knows(undo, path))
		return remember_again(undo, path, err);
	ret = remember_clock_of(undo, path, err);
	if (ret < 0)
		return ret;
	if (access(path, R_OK) < 0 && errno != EPERM)
		return ctl_exists(path) ?
		       0 : kt_err_set(err, -ENOENT, "this kernel has no %s", path);
	/* Read it with the lock held, so that no other process restores it. */
	if (!undo->is_private)
		ctl_shared_begin(&others, true);
	now = ctl_read_text(path, err);
	text = now ? ctl_former_text(path, now) : NULL;
	if (!now)
		ret = kt_err_code(err, -EIO);
	else if (text)
		ret = add_value(undo, &others, path, text, err);
	ctl_shared_end(&others);
	free(text);
	free(now);
	return ret;
}

/* A program that walks all instances holds each of them for a moment: wait. */
static bool remove_patiently(const char *dir)
{
	int tries;

	for (tries = 0; rmdir(dir) < 0; tries++) {
		if (errno != EBUSY || tries == 20)
			return false;
		usleep(50000);
	}
	return true;
}

/*
 * Triggers that share variables hold their instance. So remove the triggers first, those
 * that use another's variables before the others. If the instance remains busy for another
 * reason, restore them.
 */
static bool remove_with_triggers(const char *dir)
{
	struct ctl_undo undo = { .is_private = true };
	char *pattern = ctl_path(dir, "events/*/*/trigger");
	glob_t files = { 0 };
	bool gone = false;
	size_t i;
	int pass;

	if (pattern && glob(pattern, GLOB_NOSORT, NULL, &files) == 0) {
		for (i = 0; i < files.gl_pathc; i++)
			ctl_undo_remember(&undo, files.gl_pathv[i], NULL);
		for (pass = 0; pass < 2; pass++)
			for (i = 0; i < files.gl_pathc; i++)
				ctl_former_put(files.gl_pathv[i], "", NULL);
		gone = remove_patiently(dir);
		if (!gone)
			ctl_undo_run(&undo, NULL);
		globfree(&files);
	}
	ctl_undo_forget(&undo);
	free(pattern);
	errno = EBUSY;
	return gone;
}

int ctl_undo_step_run(const struct ctl_undo_step *step, struct kt_err *err)
{
	int ret;

	switch (step->kind) {
	case CTL_UNDO_PUT:
	case CTL_UNDO_VIA:
		return ctl_former_put(step->path, step->value, err);
	case CTL_UNDO_APPEND:
		ret = ctl_write_path(step->path, step->value, CTL_APPEND, err);
		/* If the process was killed early, a probe may still exist. */
		return ret == -EEXIST ? 0 : ret;
	case CTL_UNDO_RMDIR:
		if (rmdir(step->path) == 0 || errno == ENOENT ||
		    (errno == EBUSY && remove_with_triggers(step->path)))
			return 0;
		return kt_err_set(err, -errno, "cannot remove the instance %s: %s", step->path,
				  errno == EBUSY ? "it is in use" : strerror(errno));
	}
	return 0;
}

bool ctl_undo_is_done(const struct ctl_undo_step *step, int error)
{
	return error == -ENOENT || (error == -EEXIST && step->kind == CTL_UNDO_APPEND);
}

/* Writes a journal of the failed steps; later the complete one is removed. Was it written? */
static bool leave_failed(const struct ctl_undo *undo)
{
	struct ctl_undo left = { 0 };
	bool written;
	size_t i;

	for (i = 0; i < undo->nr; i++)
		if (undo->steps[i].failed)
			ctl_journal_add(&left, &undo->steps[i]);
	written = left.journal_path;
	ctl_journal_leave(&left);
	return written;
}

static void tell_failed(const struct ctl_undo *undo, size_t nr, const struct kt_err *first,
			struct kt_err *err)
{
	bool left = leave_failed(undo);

	kt_err_add(err, first->code, "%zu setting%s not restored%s: %s", nr, nr == 1 ? "" : "s",
		   left ? " (`ktrail restore-settings` tries again)" : "", first->msg);
}

static int put_back(const struct ctl_shared *others, const struct ctl_undo_step *step,
		    struct kt_err *err)
{
	const struct ctl_undo_step found = {
		.kind = step->kind, .path = step->path, .value = step->found,
	};

	switch (ctl_shared_holder(others, step)) {
	case CTL_HELD_BY_NONE:
		return ctl_undo_step_run(step, err);
	case CTL_HELD_BY_EARLIER:
		return step->found ? ctl_undo_step_run(&found, err) : 0;
	case CTL_HELD_BY_LATER:
		break;
	}
	return 0;
}

int ctl_undo_run(struct ctl_undo *undo, struct kt_err *err)
{
	struct ctl_shared others = { .lock_fd = -1 };
	struct kt_err first = { 0 };
	size_t i, nr_failed = 0;
	int ret;

	/* Locked until the journal is removed: others see all of the restore, or nothing. */
	if (undo->nr && !undo->is_private)
		ctl_shared_begin(&others, false);
	for (i = undo->nr; i-- > 0; ) {
		struct ctl_undo_step *step = &undo->steps[i];
		struct kt_err mine = { 0 };

		ret = put_back(&others, step, &mine);
		step->failed = ret < 0 && !ctl_undo_is_done(step, ret);
		if (step->failed && nr_failed++ == 0)
			first = mine;
	}
	if (nr_failed)
		tell_failed(undo, nr_failed, &first, err);
	ctl_undo_forget(undo);
	ctl_shared_end(&others);
	return first.code;
}

void ctl_undo_forget(struct ctl_undo *undo)
{
	size_t i;

	for (i = 0; i < undo->nr; i++)
		step_fini(&undo->steps[i]);
	free(undo->steps);
	ctl_journal_drop(undo);
	ctl_interrupt_hold(undo, false);
	*undo = (struct ctl_undo){ 0 };
}

void ctl_undo_forget_below(struct ctl_undo *undo, const char *dir)
{
	size_t i, nr = 0, len = strlen(dir);

	for (i = 0; i < undo->nr; i++) {
		struct ctl_undo_step *step = &undo->steps[i];

		if (strncmp(step->path, dir, len) == 0 && step->path[len] == '/')
			step_fini(step);
		else
			undo->steps[nr++] = *step;
	}
	undo->nr = nr;
}
