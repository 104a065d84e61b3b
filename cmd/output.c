/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - files that are written: a trace that is there already stays, unless it is to go */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "style.h"
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

/* Somebody at the terminal can decide now */
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

	/* What is not a file is refused when it is written */
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
		kt_err_set(err, -EEXIST, "%s is a trace, and is not replaced by a text", path) : 0;
}
