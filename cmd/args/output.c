/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - output files: an existing trace is only replaced if the user agrees */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/style.h"
#include "verb.h"

#define MAGIC "\x17\x08\x44tracing"	/* of every version of trace.dat */

int output_check_name(const char *path, struct kt_err *err)
{
	if (strcmp(path, "-") != 0)
		return 0;
	return cmd_misuse(err,
			  "a trace cannot be written to stdout ('-'); ./- is a file of that name");
}

static bool is_trace(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[sizeof(MAGIC) - 1];
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, head, sizeof(head)) == sizeof(head) && memcmp(head, MAGIC, sizeof(head)) == 0;
	close(fd);
	return is;
}

/* The user at the terminal can decide. */
static int ask(const char *path, struct kt_err *err)
{
	char question[300];
	int ret;

	snprintf(question, sizeof(question), "%.200s exists already. Replace it?", path);
	ret = verb_confirm(false, question, err);
	if (ret == 0)
		return kt_err_set(err, -EEXIST, "%s stays as it is", path);
	return ret < 0 ? ret : 0;
}

int output_check(const char *path, bool force, struct kt_err *err)
{
	struct stat st;
	int ret = cmd_style->replaces ? 0 : output_check_name(path, err);

	/* Writing to anything but a regular file is refused later. */
	if (ret < 0 || force || cmd_style->replaces || stat(path, &st) < 0 ||
	    !S_ISREG(st.st_mode) || !st.st_size)
		return ret;
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		return ask(path, err);
	return kt_err_set(err, -EEXIST, "%s exists already: -f replaces it, -o names another file",
			  path);
}

int output_check_text(const char *path, struct kt_err *err)
{
	return is_trace(path) && !cmd_style->replaces ?
		kt_err_set(err, -EEXIST, "%s is a trace file: text does not replace it", path) : 0;
}

static int write_to(const char *path, const struct str *s)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = str_write_fd(fd, s->buf, s->len);
	return close(fd) < 0 && ret == 0 ? -errno : ret;
}

/* @st: of the old file, NULL: it does not exist */
static int replace(const char *path, const struct stat *st, const struct str *s)
{
	mode_t mask = umask(0), mode = st ? st->st_mode & 0777 : 0666 & ~mask;
	char *temp;
	int fd, ret;

	umask(mask);
	if (asprintf(&temp, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkstemp(temp);
	ret = fd < 0 ? -errno : str_write_fd(fd, s->buf, s->len);
	if (ret == 0 && (fchmod(fd, mode) < 0 || rename(temp, path) < 0))
		ret = -errno;
	if (ret < 0 && fd >= 0)
		unlink(temp);
	if (fd >= 0)
		close(fd);
	free(temp);
	return ret;
}

int output_put_text(const char *path, const struct str *s)
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
