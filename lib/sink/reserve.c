/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reserve.c - disk space to store the data that has been taken, and to finish, on a full disk */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sink/file_priv.h"

/* A file without a name, next to the output. Without it, less can be saved. */
void file_reserve(struct sink *s, uint64_t bytes, bool texts)
{
	struct file_sink *f = file_sink_of(s);
	const char *slash = strrchr(f->path, '/');
	char *dir = slash ? strndup(f->path, (size_t)(slash - f->path) + 1) : strdup(".");

	f->reserve_fd = dir ? open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;
	free(dir);
	f->reserve_texts = texts;
	if (f->reserve_fd < 0 || fallocate(f->reserve_fd, 0, 0, (off_t)bytes) == 0)
		return;
	close(f->reserve_fd);
	f->reserve_fd = -1;
}

/* A second thread whose disk is full waits until the space is free */
bool file_use_reserve(struct file_sink *f)
{
	pthread_mutex_lock(&f->reserve_lock);
	if (f->reserve_fd >= 0) {
		close(f->reserve_fd);
		f->reserve_fd = -1;
		atomic_store(&f->sink.full, true);
	}
	pthread_mutex_unlock(&f->reserve_lock);
	return f->sink.full;
}

bool file_use_reserve_for_text(void *file_sink)
{
	struct file_sink *f = file_sink;

	return f->reserve_texts && file_use_reserve(f);
}

void file_free_reserve(struct file_sink *f)
{
	if (f->reserve_fd >= 0)
		close(f->reserve_fd);
	f->reserve_fd = -1;
}
