/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own.c - --live: hide the events of the viewer's own tasks */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "live.h"

#define INIT_PID_NS 0xeffffffc		/* inode of the first namespace: PROC_PID_INIT_INO */
#define TASKS_MAX   4096		/* all are forgotten when it is reached */

/* The kernel records pids of the first namespace. In another namespace, ours are not known. */
static bool knows_pids(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == INIT_PID_NS;
}

static bool has(const struct live_own *o, int pid)
{
	size_t i;

	for (i = 0; i < o->nr; i++)
		if (o->pids[i] == pid)
			return true;
	return false;
}

static bool add(struct live_own *o, int pid)
{
	int *grown = has(o, pid) ? NULL : reallocarray(o->pids, o->nr + 1, sizeof(*grown));

	if (!grown)
		return false;
	o->pids = grown;
	grown[o->nr++] = pid;
	return true;
}

/* Update the list of threads; events of ended ones stay hidden. True: there are new threads */
static bool look(struct live_own *o)
{
	DIR *d = knows_pids() ? opendir("/proc/self/task") : NULL;
	const struct dirent *e;
	bool more = false;
	int pid;

	if (o->nr > TASKS_MAX)
		o->nr = 0;
	while (d && (e = readdir(d))) {
		pid = atoi(e->d_name);
		if (pid > 0)
			more |= add(o, pid);
	}
	if (d)
		closedir(d);
	return more;
}

void live_leave_out_own(struct app *app)
{
	struct live_own *o = &app->live->own;

	if (!o->shown && look(o))
		kt_model_leave_out(app->model, o->pids, o->nr);
}

int live_toggle_own(struct view *v, const char *arg, struct kt_err *err)
{
	struct live_own *o = v->app->live ? &v->app->live->own : NULL;

	(void)arg;
	if (!o)
		return kt_err_set(err, -EINVAL, "this is a file: only with --live");
	if (!knows_pids())
		return kt_err_set(err, -ENOTSUP, "in a pid namespace its own are not known");
	o->shown = !o->shown;
	look(o);
	if (kt_model_leave_out(v->model, o->pids, o->shown ? 0 : o->nr) < 0)
		return kt_err_no_memory(err);
	app_say(v->app, o->shown ? "what ktrail itself does is shown"
			    : "what ktrail itself does is left out");
	return 0;
}
