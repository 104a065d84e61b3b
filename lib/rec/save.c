/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* save.c - write the content of a live recording as a trace.dat, in a thread */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/writer.h>

#include "base/threads.h"
#include "rec/live.h"

struct kt_live_save {
	struct kt_live *live;
	struct kt_file *in;		/* as it was when the save began */
	char *path;
	bool created;			/* @path is our empty file until the end */
	pthread_t thread;
	bool running;			/* the thread must be joined */
	struct kt_copy copy;
	_Atomic bool stop, ended;
	_Atomic uint64_t done, total;
	struct kt_err err;
};

static void note_progress(struct kt_copy *copy, void *data)
{
	struct kt_live_save *s = data;

	s->done = copy->done;
	s->total = copy->total;
	copy->stop = s->stop;
}

static void *save(void *data)
{
	struct kt_live_save *s = data;
	struct kt_writer_opts opts = { .version = 7, .compression = "any" };

	thread_is_background();
	kt_copy_opts(s->in, &opts);
	kt_copy_file(s->in, s->path, &opts, &s->copy, &s->err);
	if (s->err.code && s->created)
		unlink(s->path);
	s->ended = true;
	return NULL;
}

/* Reserves the name, so that the end replaces only our own file. */
static int take_name(struct kt_live_save *s, struct kt_err *err)
{
	int fd = open(s->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		return errno == EEXIST ? kt_err_set(err, -EEXIST, "%s exists already", s->path) :
		       kt_err_set(err, -errno, "cannot create %s: %s", s->path, strerror(errno));
	close(fd);
	s->created = true;
	return 0;
}

static int begin(struct kt_live_save *s, bool replace, struct kt_err *err)
{
	int ret = live_bring_up(s->live, err);

	if (ret < 0)
		return ret;
	s->in = kt_file_open(kt_live_path(s->live), err);
	if (!s->in)
		return -EIO;
	if (!replace && take_name(s, err) < 0)
		return -EEXIST;
	live_hold_to_save(s->live, true);
	ret = thread_start(&s->thread, save, s);
	if (ret < 0)
		return kt_err_set(err, ret, "cannot start a thread: %s", strerror(-ret));
	s->running = true;
	return 0;
}

struct kt_live_save *kt_live_save_start(struct kt_live *l, const char *path, bool replace,
					struct kt_err *err)
{
	struct kt_live_save *s = calloc(1, sizeof(*s));

	if (s) {
		s->live = l;
		s->copy.progress = note_progress;
		s->copy.progress_data = s;
		s->path = strdup(path);
	}
	if (!s || !s->path) {
		free(s);
		kt_err_no_memory(err);
		return NULL;
	}
	if (begin(s, replace, err) == 0)
		return s;
	if (s->created)
		unlink(s->path);
	kt_live_save_end(s, true, NULL);
	return NULL;
}

int kt_live_save_percent(const struct kt_live_save *s)
{
	uint64_t total = s->total;

	if (s->ended)
		return 100;
	return total ? (int)(s->done * 99 / total) : 0;
}

int kt_live_save_end(struct kt_live_save *s, bool stop, struct kt_err *err)
{
	int ret;

	if (!s)
		return 0;
	s->stop = stop;
	if (s->running)
		pthread_join(s->thread, NULL);
	live_hold_to_save(s->live, false);
	kt_file_close(s->in);
	ret = s->err.code;
	if (ret < 0)
		kt_err_set(err, ret, "%s", s->err.msg);
	free(s->path);
	free(s);
	return ret;
}
