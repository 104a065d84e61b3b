/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_file.c - a tracing configuration in a file */
#include "state_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/args/output.h"

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

int state_file_save(const struct kt_state *state, const char *path, struct kt_err *err)
{
	char *text = kt_state_text(state);
	struct str s = STR_INIT;
	int ret = -ENOMEM;

	if (text) {
		add_head(&s);
		str_add(&s, text);
	}
	if (text && !s.failed && strcmp(path, "-") == 0)
		ret = fputs(s.buf, stdout) < 0 ? -EIO : 0;
	else if (text && !s.failed)
		ret = output_put_text(path, &s);
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
