/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pending.c - journals of killed processes, and restoring the values in them */
#include <ktrail/tracefs.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "tracefs/tracefs.h"
#include "tracefs/shell.h"
#include "undo/journal.h"
#include "undo/shared_settings.h"

static void journal_fini(struct kt_journal *j)
{
	size_t i;

	for (i = 0; i < j->nr_steps; i++)
		free(j->steps[i]);
	free(j->steps);
	free(j->path);
	free(j->command);
	*j = (struct kt_journal){ 0 };
}

void kt_journals_fini(struct kt_journals *js)
{
	size_t i;

	for (i = 0; i < js->nr; i++)
		journal_fini(&js->journals[i]);
	free(js->journals);
	*js = (struct kt_journals){ 0 };
}

static int add_step(struct kt_journal *j, const char *line, size_t len)
{
	size_t nr = j->nr_steps;
	char **steps = array_room(j->steps, nr, sizeof(*steps));

	if (!steps)
		return -ENOMEM;
	j->steps = steps;
	steps[nr] = strndup(line, len);
	if (!steps[nr])
		return -ENOMEM;
	j->nr_steps++;
	return 0;
}

/* The owner of a journal. @start: 0 if the line is invalid */
struct owner {
	unsigned long long start;
	char boot[64];
};

/* A last line without newline was cut off by the kill, so its change was never made. */
static int parse(struct kt_journal *j, struct owner *who, const char *text)
{
	const char *end;
	int pid, ret = 0;

	for (; ret == 0 && (end = strchr(text, '\n')); text = end + 1) {
		if (*text == '#')
			continue;
		/* sscanf() takes strlen() of the rest: too slow for each line of a long journal */
		if (!j->pid && str_starts(text, "pid ") &&
		    sscanf(text, "pid %d start %llu boot %63s", &pid, &who->start, who->boot) == 3)
			j->pid = pid;
		else if (str_starts(text, "command ") && !j->command)
			j->command = strndup(text + 8, end - text - 8);
		else
			ret = add_step(j, text, end - text);
	}
	return ret;
}

/* Opens it and checks that it is a plain file of ours that others cannot write. */
static int open_checked(int dir, const char *name, time_t *changed)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st = { 0 };

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022) && st.st_nlink == 1) {
		*changed = st.st_mtime;
		return fd;
	}
	close(fd);
	return -EPERM;
}

static bool is_dead(const struct kt_journal *j, const struct owner *who)
{
	return j->pid > 0 && ctl_start_time(j->pid) != who->start;
}

static bool is_live(const struct kt_journal *j, const struct owner *who)
{
	return j->pid > 0 && j->pid != getpid() && !is_dead(j, who);
}

static int keep(struct kt_journals *js, struct kt_journal *j)
{
	struct kt_journal *added = array_add(js->journals, js->nr);

	if (!added)
		return -ENOMEM;
	*added = *j;
	*j = (struct kt_journal){ 0 };
	return 0;
}

/* Its process was killed before its first line, and thus before its first change */
static bool is_stillborn(const struct kt_journal *j, const char *name)
{
	int pid;

	return !j->pid && !j->nr_steps && sscanf(name, "%d.", &pid) == 1 && pid > 0 &&
	       !ctl_start_time(pid);
}

/* Returns 0 (also for a journal that is not pending) or -ENOMEM. */
static int load(int dir, const char *dir_path, const char *name, bool dead, struct kt_journals *out)
{
	struct kt_journal j = { 0 };
	struct owner who = { 0 };
	struct str text = STR_INIT;
	char boot[64];
	int fd, ret = 0;

	/* "123.journal", then "123.1.journal" */
	sscanf(name, "%*u.%u.", &j.seq);
	fd = open_checked(dir, name, &j.time);
	if (fd < 0)
		return 0;
	if (str_read_fd(&text, fd) < 0)
		goto out;
	ret = parse(&j, &who, text.buf);
	if (ret < 0)
		goto out;
	j.start = who.start;
	ctl_boot_id(boot);
	if ((j.pid > 0 && strcmp(boot, who.boot) != 0) || is_stillborn(&j, name)) {
		unlinkat(dir, name, 0);
	} else if (dead ? is_dead(&j, &who) : is_live(&j, &who)) {
		j.path = ctl_path(dir_path, name);
		ret = j.path ? keep(out, &j) : -ENOMEM;
	}
out:
	close(fd);
	str_fini(&text);
	journal_fini(&j);
	return ret;
}

static int oldest_first(const void *a, const void *b)
{
	const struct kt_journal *x = a, *y = b;

	if (x->start != y->start)
		return (x->start > y->start) - (x->start < y->start);
	return x->pid != y->pid ? x->pid - y->pid : (int)x->seq - (int)y->seq;
}

static int find(struct kt_journals *out, bool dead)
{
	struct str path = STR_INIT;
	struct dirent *entry;
	int fd, ret = 0;
	DIR *dir;

	fd = ctl_journal_dir(false, &path);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir)
		goto out;
	while (ret == 0 && (entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (dot && strcmp(dot, ".journal") == 0)
			ret = load(fd, path.buf, entry->d_name, dead, out);
	}
	closedir(dir);
	if (out->nr)
		qsort(out->journals, out->nr, sizeof(*out->journals), oldest_first);
out:
	str_fini(&path);
	return ret;
}

int kt_journal_pending(struct kt_journals *out, struct kt_err *err)
{
	int ret = find(out, true);

	return ret < 0 ? kt_err_no_memory(err) : (int)out->nr;
}

int kt_journal_live(struct kt_journals *out)
{
	int ret = find(out, false);

	return ret < 0 ? ret : (int)out->nr;
}

static bool is_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return len && strncmp(path, dir, len) == 0 && path[len] == '/';
}

/* A journal may only contain files of tracefs and some of /proc/sys/kernel. */
static bool may_touch(const char *path)
{
	const char *top = kt_tracefs_dir(NULL);

	if (strstr(path, "/../"))
		return false;
	return (top && is_below(path, top)) ||
	       is_below(path, sysctl_dir());
}

static int run_line(const char *line, struct kt_err *err)
{
	struct ctl_undo_step step;
	int ret;

	if (ctl_step_parse(line, strlen(line), &step) < 0)
		return kt_err_set(err, -EINVAL, "invalid journal line '%s'", line);
	if (may_touch(step.path))
		ret = ctl_undo_step_run(&step, err);
	else
		ret = kt_err_set(err, -EPERM, "journal line '%s' is not for a tracing setting",
				 line);
	if (ctl_undo_is_done(&step, ret))
		ret = 0;
	free(step.path);
	free(step.value);
	return ret;
}

/* A running process may have changed the setting after the kill: its former value is newer. */
static int run_or_leave(const struct ctl_shared *others, const char *line, struct kt_err *err)
{
	bool same;
	const struct kt_journal *heir = ctl_shared_heir(others, line, &same);

	if (!heir)
		return run_line(line, err);
	return same ? 0 : kt_err_set(err, -EBUSY, "'%s': pid %d (%s) changed it as well and still "
				     "runs: try again when it has ended", line, (int)heir->pid,
				     heir->command ? heir->command : "?");
}

static int run_all(const struct kt_journal *j, const struct ctl_shared *others, struct kt_err *err)
{
	int ret, first = 0;
	size_t i;

	for (i = j->nr_steps; i-- > 0; ) {
		struct kt_err step_err = { 0 };

		ret = run_or_leave(others, j->steps[i], &step_err);
		if (ret < 0 && !first)
			first = ctl_pass(err, &step_err);
	}
	return first;
}

int kt_journal_restore(const struct kt_journal *j, struct kt_err *err)
{
	struct ctl_shared others;
	time_t changed;
	int fd, ret;

	if (!kt_tracefs_dir(err))
		return kt_err_code(err, -ENODEV);
	fd = open_checked(AT_FDCWD, j->path, &changed);
	if (fd < 0)
		return kt_err_set(err, fd, "%s: %s", j->path, strerror(-fd));
	ctl_shared_begin(&others, false);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		ret = kt_err_set(err, -EBUSY, "%s: another process is restoring it", j->path);
	else
		ret = run_all(j, &others, err);
	if (ret == 0 && unlink(j->path) < 0 && errno != ENOENT)
		ret = kt_err_set(err, -errno, "cannot remove %s: %s", j->path, strerror(errno));
	ctl_shared_end(&others);
	close(fd);
	return ret < 0 ? ret : (int)j->nr_steps;
}

/* A file of triggers accepts one trigger per write. */
static void shell_lines(struct str *s, const char *path, const char *lines)
{
	size_t len;

	for (; *lines; lines += len + (lines[len] == '\n')) {
		char *line;

		len = strcspn(lines, "\n");
		line = len && *lines != '#' ? strndup(lines, len) : NULL;
		if (line)
			ctl_shell_write(s, path, line, true);
		else if (len && *lines != '#')
			s->failed = true;
		free(line);
	}
}

static void shell_step(struct str *s, const char *line)
{
	struct ctl_undo_step step;

	if (ctl_step_parse(line, strlen(line), &step) < 0) {
		str_addf(s, "# invalid line: %s\n", line);
		return;
	}
	if (!may_touch(step.path)) {
		str_addf(s, "# not about tracing: %s\n", line);
	} else if (step.kind == CTL_UNDO_RMDIR) {
		str_add(s, "rmdir ");
		ctl_shell_word(s, step.path);
		str_addc(s, '\n');
	} else if (fnmatch("*/trigger", step.path, 0) == 0) {
		shell_lines(s, step.path, step.value);
	} else {
		ctl_shell_write(s, step.path, step.value, step.kind == CTL_UNDO_APPEND);
	}
	free(step.path);
	free(step.value);
}

char *kt_journal_shell(const struct kt_journal *j)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = j->nr_steps; i-- > 0; )
		shell_step(&s, j->steps[i]);
	return str_take(&s);
}

int kt_journal_discard(const struct kt_journal *j, struct kt_err *err)
{
	if (unlink(j->path) < 0 && errno != ENOENT)
		return kt_err_set(err, -errno, "cannot remove %s: %s", j->path, strerror(errno));
	return 0;
}
