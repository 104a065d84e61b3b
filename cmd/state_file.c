/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_file.c - a tracing configuration in a file */
#include "state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

static void add_head(struct str *s)
{
	struct utsname u;
	char when[64] = "";
	time_t now = time(NULL);
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M UTC", &tm);
	if (uname(&u) == 0)
		str_addf(s, "# ktrail state: %s, Linux %s, %s\n", u.nodename, u.release, when);
}

/* 0 or a negative errno */
static int write_all(int fd, const struct str *s)
{
	size_t done = 0;
	ssize_t n;

	while (done < s->len) {
		n = write(fd, s->buf + done, s->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		done += (size_t)n;
	}
	return 0;
}

static int write_to(const char *path, const struct str *s)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write_all(fd, s);
	return close(fd) < 0 && ret == 0 ? -errno : ret;
}

/* Whole or not at all: the file that was there stays until then. @st: of it, NULL: there is none */
static int replace(const char *path, const struct stat *st, const struct str *s)
{
	mode_t mask = umask(0), mode = st ? st->st_mode & 0777 : 0666 & ~mask;
	char *temp;
	int fd, ret;

	umask(mask);
	if (asprintf(&temp, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkstemp(temp);
	ret = fd < 0 ? -errno : write_all(fd, s);
	if (ret == 0 && (fchmod(fd, mode) < 0 || rename(temp, path) < 0))
		ret = -errno;
	if (ret < 0 && fd >= 0)
		unlink(temp);
	if (fd >= 0)
		close(fd);
	free(temp);
	return ret;
}

/* The target of a link is replaced, not the link. A pipe or a device is written to. */
static int put_file(const char *path, const struct str *s)
{
	char *real = realpath(path, NULL);
	struct stat st;
	bool there = stat(path, &st) == 0;
	int ret = there && !S_ISREG(st.st_mode) ? write_to(path, s)
						: replace(real ? real : path, there ? &st : NULL,
							  s);

	free(real);
	return ret;
}

int state_file_save(const struct kt_state *state, const char *path, struct kt_err *err)
{
	char *text = kt_state_text(state);
	struct str s = STR_INIT;
	int ret = -ENOMEM;

	if (text) {
		add_head(&s);
		str_add(&s, text);
	}
	if (text && !s.failed)
		ret = strcmp(path, "-") ? put_file(path, &s) : fputs(s.buf, stdout) < 0 ? -EIO : 0;
	if (ret < 0)
		kt_err_set(err, ret, "cannot write %s: %s", path, strerror(-ret));
	free(text);
	str_fini(&s);
	return ret;
}

struct kt_state *state_file_load(const char *path, struct kt_err *err)
{
	struct kt_state *state = NULL;
	struct str text = STR_INIT;
	int ret = strcmp(path, "-") == 0 ? str_read_fd(&text, STDIN_FILENO)
					 : str_read_file(&text, path);

	if (ret < 0) {
		kt_err_set(err, ret, "cannot read %s: %s", path, strerror(-ret));
	} else {
		state = kt_state_parse(text.buf, err);
		if (!state)
			kt_err_wrap(err, err->code, "%s", path);
	}
	str_fini(&text);
	return state;
}
