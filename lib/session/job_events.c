/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* job_events.c - the lines of a job that are about events, their filters and triggers */
#include "session/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/str.h"
#include "target/target.h"
#include "undo/undo.h"

/* The folder of the event in "sched:sched_switch TEXT" of a saved state. It need not exist: a dry
 * run does not create events. */
static int saved_dir(struct job *j, const char *value, size_t len, struct kt_names *dirs)
{
	size_t system = strcspn(value, ":/");
	char dir[512];

	if (!system || system >= len || memchr(value, '.', system))
		return kt_err_set(j->err, -EINVAL, "state, [%s]: '%s' is not the name of an event",
				  j->want->name, value);
	snprintf(dir, sizeof(dir), "events/%.*s/%.*s", (int)system, value,
		 (int)(len - system - 1), value + system + 1);
	return kt_names_add(dirs, dir) < 0 ? kt_err_no_memory(j->err) : 0;
}

typedef int (*find_fn)(const struct kt_instance *inst, const char *text, struct kt_names *dirs,
		       struct kt_err *err);

/* The folders of the event whose name is the first @len bytes of @value. -ENOENT: none */
static int find_dirs(struct job *j, const char *value, size_t len, find_fn find,
		     struct kt_names *dirs)
{
	char *name;
	int ret;

	if (!j->setup)
		return saved_dir(j, value, len, dirs);
	name = strndup(value, len);
	if (!name)
		return kt_err_no_memory(j->err);
	ret = find(j->inst, name, dirs, j->err);
	free(name);
	if (ret != -ENOENT || !j->setup->ignore_missing)
		return ret < 0 ? ret : 0;
	kt_err_clear(j->err);
	return 0;
}

static const char *text_of(const char *value)
{
	value += strcspn(value, " ");
	return value + (*value == ' ');
}

typedef int (*check_fn)(struct kt_instance *inst, const char *events, const char *text,
			struct kt_err *err);

/* The kernel gives no good reason for a refused filter or trigger: find one with a dry run. */
static int refused(struct job *j, check_fn check, const char *value)
{
	struct kt_instance *dry = kt_instance_open(kt_instance_name(j->inst),
						   KT_INSTANCE_CREATE | KT_INSTANCE_DRY, NULL);
	char *event = strndup(value, strcspn(value, " "));
	struct kt_err why = { 0 };
	int ret = j->err->code;

	if (dry && event && check(dry, event, text_of(value), &why) < 0 &&
	    (why.code == -EINVAL || why.code == -ENOTSUP))
		*j->err = why;
	kt_instance_close(dry, NULL);
	free(event);
	return ret;
}

static int put_filter(struct job *j, const char *value, const char *filter)
{
	struct kt_names dirs = { 0 };
	int ret = find_dirs(j, value, strcspn(value, " "), kt_selection_find, &dirs);
	size_t i;

	for (i = 0; ret == 0 && i < dirs.nr; i++) {
		j->writes++;
		ret = instance_filter_dir(j->inst, dirs.names[i], filter, j->err);
	}
	kt_names_fini(&dirs);
	return ret;
}

int job_set_filter(struct job *j, const char *value)
{
	int ret = put_filter(j, value, text_of(value));

	return ret == -EINVAL ? refused(j, kt_filter_set, value) : ret;
}

static bool has_filter(const struct kt_state_section *s, const char *event, size_t len)
{
	const char *value;
	size_t i = 0;

	while ((value = kt_state_next(s, "filter", &i)))
		if (strcspn(value, " ") == len && memcmp(value, event, len) == 0)
			return true;
	return false;
}

int job_drop_filter(struct job *j, const char *value)
{
	return has_filter(j->want, value, strcspn(value, " ")) ? 0 : put_filter(j, value, "0");
}

static int put_trigger(struct job *j, const char *value, const char *trigger)
{
	struct kt_names dirs = { 0 };
	char file[600];
	int ret = find_dirs(j, value, strcspn(value, " "), kt_selection_find_each, &dirs);
	size_t i;

	if (ret == 0)
		ret = ctl_remember_switched(j->inst, trigger, j->err);
	for (i = 0; ret == 0 && i < dirs.nr; i++) {
		snprintf(file, sizeof(file), "%.500s/trigger", dirs.names[i]);
		j->writes++;
		ret = kt_instance_append(j->inst, file, trigger, j->err);
	}
	kt_names_fini(&dirs);
	return ret;
}

static int add_any_trigger(struct job *j, const char *value)
{
	int ret = put_trigger(j, value, text_of(value));

	return ret == -EINVAL ? refused(j, kt_trigger_add, value) : ret;
}

int job_add_trigger(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? 0 : add_any_trigger(j, value);
}

int job_add_dependent(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? add_any_trigger(j, value) : 0;
}

static int drop_any_trigger(struct job *j, const char *value)
{
	char *off;
	int ret = asprintf(&off, "!%s", text_of(value));

	if (ret < 0)
		return kt_err_no_memory(j->err);
	ret = put_trigger(j, value, off);
	free(off);
	return ret;
}

int job_drop_trigger(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? 0 : drop_any_trigger(j, value);
}

int job_drop_dependent(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? drop_any_trigger(j, value) : 0;
}

static bool is_of_programs(const char *dir)
{
	return str_starts(dir, "events/user_events");
}

/* For a saved state the present values are known, so the write is not compared again. */
static int enable_dir(struct job *j, const char *dir, bool on)
{
	char file[600];

	if (j->setup)
		return instance_enable_dir(j->inst, dir, on, j->err);
	snprintf(file, sizeof(file), "%.500s/enable", dir);
	return job_write(j, file, on ? "1" : "0");
}

/* Events of programs are switched on after tracing has started (@late), in the same order. */
static int put_event(struct job *j, const char *name, bool on, bool late)
{
	struct kt_names dirs = { 0 };
	int ret = find_dirs(j, name, strlen(name), kt_selection_find, &dirs);
	size_t i;

	for (i = 0; ret == 0 && i < dirs.nr; i++) {
		bool waits = j->setup && j->setup->starts && is_of_programs(dirs.names[i]);

		if (waits)
			j->buf->late = true;
		if (late ? waits : !waits || !on)
			ret = enable_dir(j, dirs.names[i], on);
	}
	if (ret == 0 && !late && !dirs.nr)
		j->setup->nr_missing++;
	kt_names_fini(&dirs);
	return ret;
}

int job_enable(struct job *j, const char *value)
{
	bool off = *value == '!';

	return put_event(j, value + off, !off, false);
}

int job_disable(struct job *j, const char *value)
{
	return put_event(j, value, false, false);
}

static int enable_late(struct job *j, const char *value)
{
	bool off = *value == '!';

	return put_event(j, value + off, !off, true);
}

int job_enable_late(struct job *j)
{
	return job_each_missing(j, "event", j->want, NULL, enable_late);
}
