/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* home.c - our folders in a user's home: XDG Base Directory Specification */
#include "base/home.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"

char *home_folder(const char *variable, const char *below)
{
	const char *folder = getenv(variable), *home = getenv("HOME");
	struct str path = STR_INIT;

	if (folder && *folder == '/')
		str_addf(&path, "%s/ktrail", folder);
	else if (home && *home == '/')
		str_addf(&path, "%s/%s/ktrail", home, below);
	else
		return NULL;
	return str_take(&path);
}

void home_make_folder(const char *path)
{
	char *copy = strdup(path), *slash = copy;

	while (slash && (slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(copy, 0700);
		*slash = '/';
	}
	free(copy);
	mkdir(path, 0700);
}
