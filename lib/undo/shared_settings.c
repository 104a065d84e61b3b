/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * shared_settings.c - settings that several of our processes have changed at the same time
 *
 * The rule: all processes that have changed a setting have the same former value in their
 * journals, the value before the first change. A later process copies that value and also
 * remembers the value it found, which the previous process had set. If a process ends while a
 * later one still runs, it leaves the setting alone. If only earlier ones still run, it restores
 * the value it found. The last process restores the former value. So the order in which processes
 * end does not matter. Nor does a killed process: the others restore the value in its journal.
 *
 * An event's enable also depends on the enable of its system and of all events: values are
 * copied in the order of the other journal, all those of a buffer at once. The same holds for
 * buffer sizes, which each CPU has. The last process also removes an instance that another made.
 *
 * Known limits: no single write restores a group that was partly on, so events that
 * a later process enabled in it can stay on until the earlier process ends. And `ktrail start`,
 * whose settings stay, counts as a process until it ends: a process that began meanwhile
 * restores the value before `ktrail start`.
 */
#include "undo/shared_settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tracefs/tracefs.h"
#include "undo/journal.h"

#define PATIENCE_MS 5000	/* then the holder is stopped or stuck: continue unlocked */

void ctl_shared_begin(struct ctl_shared *o, bool create)
{
	struct str path = STR_INIT;
	int tries;

	*o = (struct ctl_shared){ .lock_fd = ctl_journal_dir(create, &path) };
	str_fini(&path);
	if (o->lock_fd < 0)
		return;
	for (tries = 0; flock(o->lock_fd, LOCK_EX | LOCK_NB) < 0 && tries < PATIENCE_MS / 5;
	     tries++)
		usleep(5000);
	kt_journal_live(&o->live);
}

void ctl_shared_end(struct ctl_shared *o)
{
	if (o->lock_fd >= 0)
		close(o->lock_fd);
	kt_journals_fini(&o->live);
	o->lock_fd = -1;
}

/* The length of the instance in a path; 0: the top-level buffer */
static size_t instance_len(const char *path)
{
	const char *name = strstr(path, "/instances/");

	if (!name)
		return 0;
	name += strlen("/instances/");
	return name + strcspn(name, "/") - path;
}

/* Must a process that notes @path know the value that @step restores? */
static bool concerns(const struct ctl_undo_step *step, const char *path)
{
	const char *name = str_base_name(path);
	size_t len = strlen(step->path);

	if (step->kind == CTL_UNDO_RMDIR)
		return strncmp(path, step->path, len) == 0 && path[len] == '/';
	if (step->kind != CTL_UNDO_PUT)
		return false;
	if (strcmp(step->path, path) == 0)
		return true;
	if (strcmp(name, "enable") != 0 && strcmp(name, "buffer_size_kb") != 0)
		return false;
	len = instance_len(path);
	return strcmp(str_base_name(step->path), name) == 0 && instance_len(step->path) == len &&
	       strncmp(step->path, path, len) == 0;
}

/* The value before our change; NULL if a group is partly on, which no single write restores */
static char *what_is_there(const struct ctl_undo_step *step)
{
	char *now = step->kind == CTL_UNDO_PUT ? ctl_read_text(step->path, NULL) : NULL;
	char *text = now ? ctl_former_text(step->path, now) : NULL;

	free(now);
	return text;
}

static int take_line(const char *line, struct ctl_undo *undo, const char *path, struct kt_err *err)
{
	struct ctl_undo_step step;
	int ret = 0;

	if (ctl_step_parse(line, strlen(line), &step) < 0)
		return 0;
	if (concerns(&step, path) && !ctl_undo_has(undo, step.kind, step.path)) {
		ret = ctl_undo_add(undo, step.kind, step.path, step.value, err);
		if (ret == 0)
			undo->steps[undo->nr - 1].found = what_is_there(&step);
	}
	free(step.path);
	free(step.value);
	return ret;
}

int ctl_shared_take(const struct ctl_shared *o, struct ctl_undo *undo, const char *path,
		    struct kt_err *err)
{
	size_t i, n;
	int ret = 0;

	for (i = 0; i < o->live.nr; i++)
		for (n = 0; ret == 0 && n < o->live.journals[i].nr_steps; n++)
			ret = take_line(o->live.journals[i].steps[n], undo, path, err);
	return ret;
}

static bool is_via(const char *line)
{
	return str_starts(line, "via ");
}

/*
 * The journal's line for the same setting as @line, with any value: "put PATH …". For an
 * intermediate value ("via PATH …"), the line with the former value.
 */
static const char *find_line(const struct kt_journal *j, const char *line)
{
	size_t verb = strcspn(line, " "), len, i;

	if (!line[verb])
		return NULL;
	len = strcspn(line + verb + 1, " ");
	for (i = 0; i < j->nr_steps; i++) {
		const char *its = j->steps[i], *path = its + verb + 1;

		if (strncmp(its, is_via(line) ? "put " : line, verb + 1) == 0 &&
		    strncmp(path, line + verb + 1, len) == 0 && (!path[len] || path[len] == ' '))
			return its;
	}
	return NULL;
}

static bool is_later(const struct kt_journal *j)
{
	unsigned long long start = ctl_start_time(getpid());

	return j->start != start ? j->start > start : j->pid > getpid();
}

enum ctl_holder ctl_shared_holder(const struct ctl_shared *o, const struct ctl_undo_step *step)
{
	enum ctl_holder holder = CTL_HELD_BY_NONE;
	struct str line = STR_INIT;
	size_t i;

	if (!o->live.nr || step->kind == CTL_UNDO_APPEND)
		return CTL_HELD_BY_NONE;
	ctl_step_format(&line, step);
	if (!line.failed)
		line.buf[line.len - 1] = '\0';
	for (i = 0; !line.failed && i < o->live.nr && holder != CTL_HELD_BY_LATER; i++)
		if (find_line(&o->live.journals[i], line.buf))
			holder = is_later(&o->live.journals[i]) ?
				 CTL_HELD_BY_LATER : CTL_HELD_BY_EARLIER;
	str_fini(&line);
	return holder;
}

const struct kt_journal *ctl_shared_heir(const struct ctl_shared *o, const char *line, bool *same)
{
	const char *its;
	size_t i;

	if (str_starts(line, "append "))
		return NULL;
	for (i = 0; i < o->live.nr; i++) {
		its = find_line(&o->live.journals[i], line);
		*same = its && (is_via(line) || strcmp(its, line) == 0);
		if (its)
			return &o->live.journals[i];
	}
	return NULL;
}
