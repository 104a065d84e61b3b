/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* busy.c - find why the kernel refuses to change a setting of a buffer */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/status.h>
#include <ktrail/tracefs.h>

#include "tracefs/tracefs.h"

/*
 * Readers of trace_pipe lock the tracer, readers of trace lock the buffers. Source: Linux,
 * kernel/trace/trace.c.
 */
static bool is_held_by_readers(const char *file)
{
	static const char *const files[] = {
		"current_tracer", "buffer_size_kb", "buffer_subbuf_size_kb", "snapshot", "per_cpu/",
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (str_starts(file, files[i]))
			return true;
	return false;
}

static bool is_trace(const char *file)
{
	const char *name = str_base_name(file);

	return strcmp(name, "trace") == 0 || str_starts(name, "trace_pipe") ||
	       str_starts(name, "snapshot");
}

/* The length of the instance in "instances/mine/trace"; 0 for the top-level buffer */
static size_t instance_len(const char *file)
{
	static const char dir[] = "instances/";

	return str_starts(file, dir) ? strlen(dir) + strcspn(file + strlen(dir), "/") + 1 : 0;
}

static void add_readers(struct str *s, const char *file, size_t len)
{
	struct kt_users users = { 0 };
	size_t i;

	kt_users_find(&users, NULL);
	for (i = 0; i < users.nr; i++) {
		const struct kt_user *u = &users.users[i];

		if (u->file && instance_len(u->file) == len && strncmp(u->file, file, len) == 0 &&
		    is_trace(u->file))
			str_addf(s, "%s%d %s, which reads %s", s->len ? "; " : " by ", (int)u->pid,
				 u->comm, u->file + len);
	}
	kt_users_fini(&users);
}

/* The setting @file of the buffer in @dir; new, or NULL */
static char *read_setting(const char *dir, const char *file)
{
	char *path = ctl_path(dir, file), *text = path ? ctl_peek_text(path) : NULL;

	free(path);
	return text;
}

/* Source: Linux, kernel/trace/trace_{irqsoff,sched_wakeup}.c, print_max and use_max_tr */
bool ctl_tracer_keeps_max(const char *tracer)
{
	return str_has_word("irqsoff preemptoff preemptirqsoff wakeup wakeup_rt wakeup_dl", tracer);
}

char *ctl_find_trigger(const char *dir, bool (*is_it)(const char *trigger), char *event,
		       size_t size)
{
	char *pattern = ctl_path(dir, "events/*/*/trigger"), *text, *line, *next, *found = NULL;
	size_t i, at = strlen(dir) + strlen("/events/"), system;
	glob_t files = { 0 };

	if (!pattern || glob(pattern, GLOB_NOSORT, NULL, &files) != 0)
		files.gl_pathc = 0;
	for (i = 0; !found && i < files.gl_pathc; i++) {
		text = ctl_peek_text(files.gl_pathv[i]);
		for (next = text; !found && (line = strsep(&next, "\n")); )
			if (*line != '#' && is_it(line))
				found = strdup(line);
		free(text);
		if (!found)
			continue;
		system = strcspn(files.gl_pathv[i] + at, "/");
		snprintf(event, size, "%.*s:%.*s", (int)system, files.gl_pathv[i] + at,
			 (int)strcspn(files.gl_pathv[i] + at + system + 1, "/"),
			 files.gl_pathv[i] + at + system + 1);
	}
	globfree(&files);
	free(pattern);
	return found;
}

static bool takes_snapshots(const char *trigger)
{
	return strstr(trigger, ".snapshot(");
}

/* The exclusive user of the spare buffer: a latency tracer, or a table that takes snapshots */
static void add_snapshot_owner(struct str *s, const char *dir)
{
	char *tracer = read_setting(dir, "current_tracer"), *trigger = NULL, event[256];

	if (tracer && ctl_tracer_keeps_max(tracer))
		str_addf(s, "the snapshot holds the maximum of the tracer '%s'", tracer);
	else
		trigger = ctl_find_trigger(dir, takes_snapshots, event, sizeof(event));
	if (trigger)
		str_addf(s, "the snapshot belongs to a trigger of %s", event);
	free(trigger);
	free(tracer);
}

/* Source: Linux, kernel/trace/trace_{osnoise,hwlat}.c */
static bool excludes(const char *tracer, const char *other)
{
	if (strcmp(tracer, "hwlat") == 0 || strcmp(other, "hwlat") == 0)
		return strcmp(tracer, other) == 0;
	return strcmp(tracer, other) != 0 && str_has_word("osnoise timerlat", tracer) &&
	       str_has_word("osnoise timerlat", other);
}

static void add_excluding(struct str *s, const char *top, const char *dir, const char *wanted)
{
	char *instances = ctl_path(top, "instances/*"), *tracer;
	glob_t dirs = { 0 };
	size_t i;

	if (instances && glob(instances, GLOB_NOSORT, NULL, &dirs) != GLOB_NOSPACE)
		for (i = 0; !s->len && i <= dirs.gl_pathc; i++) {
			const char *other = i < dirs.gl_pathc ? dirs.gl_pathv[i] : top;

			tracer = strcmp(other, dir) == 0 ?
				 NULL : read_setting(other, "current_tracer");
			if (tracer && excludes(wanted, tracer))
				str_addf(s, BUFFER_FMT " has the tracer '%s', which excludes it",
					 BUFFER_ARGS(other == top ? "" : str_base_name(other)),
					 tracer);
			free(tracer);
		}
	globfree(&dirs);
	free(instances);
}

static void add_reason(struct str *s, const char *top, const char *file, const char *value)
{
	size_t len = instance_len(file);
	char *dir;

	if (asprintf(&dir, "%s%s%.*s", top, len ? "/" : "", len ? (int)len - 1 : 0, file) < 0)
		return;
	file += len;
	/* Source: Linux, kernel/trace/trace.c: both need the same spare buffer. */
	if (value && strcmp(file, "current_tracer") == 0)
		add_excluding(s, top, dir, value);
	if (!s->len && (str_has_word("current_tracer snapshot", file) ||
			(value && *value != '!' && strstr(value, ".snapshot("))))
		add_snapshot_owner(s, dir);
	free(dir);
}

/* The part of @path after the tracing folder, or NULL */
static const char *below_top(const char *path, const char *top)
{
	return top && str_starts(path, top) ?
	       path + strlen(top) + (path[strlen(top)] == '/') : NULL;
}

bool ctl_readers_hint(const char *path, char *buf, size_t size)
{
	const char *file = below_top(path, kt_tracefs_dir(NULL));
	struct str readers = STR_INIT;
	bool any;

	if (file && is_held_by_readers(file + instance_len(file)))
		add_readers(&readers, file, instance_len(file));
	any = readers.len;
	if (any)
		snprintf(buf, size, "it is in use%s", readers.buf);
	str_fini(&readers);
	return any;
}

const char *ctl_busy_hint(const char *path, const char *value, char *buf, size_t size)
{
	const char *top = kt_tracefs_dir(NULL), *file = below_top(path, top);
	struct str why = STR_INIT;

	if (ctl_readers_hint(path, buf, size))
		return buf;
	if (file)
		add_reason(&why, top, file, value);
	snprintf(buf, size, "%s", why.len ? why.buf : "it is in use");
	str_fini(&why);
	return buf;
}
