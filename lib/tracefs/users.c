/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* users.c - find the processes that have files of tracefs or perf events open */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/status.h>
#include <ktrail/tracefs.h>

#include "base/array.h"
#include "tracefs/tracefs.h"

void kt_users_fini(struct kt_users *u)
{
	size_t i;

	for (i = 0; i < u->nr; i++)
		free(u->users[i].file);
	free(u->users);
	*u = (struct kt_users){ 0 };
}

static struct kt_user *new_user(struct kt_users *u, pid_t pid, const char *file)
{
	struct kt_user *more = array_room(u->users, u->nr, sizeof(*more));

	if (!more)
		return NULL;
	u->users = more;
	more = &u->users[u->nr];
	*more = (struct kt_user){ .pid = pid, .nr = 1 };
	if (file && !(more->file = strdup(file)))
		return NULL;
	u->nr++;
	return more;
}

/* A process that reads "per_cpu/cpu3/trace_pipe_raw" of every CPU is listed once. */
static void without_cpu(char *file)
{
	char *cpu = strstr(file, "per_cpu/cpu"), *rest;

	if (!cpu)
		return;
	rest = strchr(cpu + strlen("per_cpu/cpu"), '/');
	if (rest) {
		cpu[strlen("per_cpu/cpu")] = '*';
		memmove(cpu + strlen("per_cpu/cpu*"), rest, strlen(rest) + 1);
	}
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static int add(struct kt_users *u, size_t first, pid_t pid, const char *comm, const char *file)
{
	struct kt_user *user;
	size_t i;

	for (i = first; i < u->nr; i++) {
		if (is_same(u->users[i].file, file)) {
			u->users[i].nr++;
			return 0;
		}
	}
	user = new_user(u, pid, file);
	if (!user)
		return -ENOMEM;
	snprintf(user->comm, sizeof(user->comm), "%s", comm);
	return 0;
}

/* The files of a process. Those of other users are not visible, and it may end at any time. */
static int look_at(struct kt_users *u, pid_t pid, const char *top)
{
	char path[64], target[PATH_MAX], *comm = NULL;
	size_t first = u->nr, top_len = strlen(top);
	struct dirent *entry;
	ssize_t len;
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (ret == 0 && (entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);
		if (len <= 0)
			continue;
		target[len] = '\0';
		bool perf = strcmp(target, "anon_inode:[perf_event]") == 0;
		bool ours = strncmp(target, top, top_len) == 0 && target[top_len] == '/';
		if (!perf && !ours)
			continue;
		if (!comm) {
			snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
			comm = ctl_peek_text(path);
		}
		without_cpu(target);
		ret = add(u, first, pid, comm ? comm : "?", perf ? NULL : target + top_len + 1);
	}
	free(comm);
	closedir(dir);
	return ret;
}

int kt_users_find(struct kt_users *out, struct kt_err *err)
{
	const char *top = kt_tracefs_dir(err);
	struct dirent *entry;
	int ret = 0;
	pid_t pid;
	DIR *proc;

	if (!top)
		return kt_err_code(err, -ENODEV);
	proc = opendir("/proc");
	if (!proc)
		return kt_err_set(err, -errno, "cannot read /proc: %s", strerror(errno));
	while (ret == 0 && (entry = readdir(proc))) {
		pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
		if (pid > 0 && pid != getpid())
			ret = look_at(out, pid, top);
	}
	closedir(proc);
	return kt_err_result(err, ret);
}
