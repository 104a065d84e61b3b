/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* path.c - paths of tracefs, and reads without an error message */
#include "tracefs/tracefs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *ctl_path(const char *dir, const char *file)
{
	char *path;

	return asprintf(&path, "%s/%s", dir, file) < 0 ? NULL : path;
}

bool ctl_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

char *ctl_take_text(struct str *s)
{
	while (s->len && isspace((unsigned char)s->buf[s->len - 1]))
		s->buf[--s->len] = '\0';
	return str_take(s);
}

char *ctl_peek_text(const char *path)
{
	struct str s = STR_INIT;

	if (str_read_file(&s, path) < 0) {
		str_fini(&s);
		return NULL;
	}
	return ctl_take_text(&s);
}

bool ctl_is_unavailable(int error)
{
	switch (error < 0 ? -error : error) {
	case ENOENT:
	case EPERM:
	case EACCES:
	case ENODEV:
	case ENOSYS:
	case EOPNOTSUPP:
		return true;
	}
	return false;
}
