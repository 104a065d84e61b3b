/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part.c - the files that hold each CPU's data during a recording */
#include "file/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *part_home(const char *path)
{
	struct stat st;
	char *real = NULL;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		real = realpath(path, NULL);
	return real ? real : strdup(path);	/* a dangling link: opening it reports that */
}

char *part_path(const char *path, unsigned int nr)
{
	char *home = part_home(path), *name;
	int ret = home ? asprintf(&name, "%s.part%u", home, nr) : -1;

	free(home);
	return ret < 0 ? NULL : name;
}

char *part_shared_path(const char *path)
{
	char *home = part_home(path), *name;
	int ret = home ? asprintf(&name, "%s.parts", home) : -1;

	free(home);
	return ret < 0 ? NULL : name;
}

bool part_any(const char *path)
{
	char *name = part_path(path, 0);
	bool any = name && access(name, F_OK) == 0;

	free(name);
	return any;
}

/* Parts are numbered without gaps, so the first missing one is the end */
void part_unlink_all(const char *path)
{
	char *name = part_shared_path(path);
	unsigned int nr = 0;
	int gone;

	if (name)
		unlink(name);
	free(name);
	do {
		name = part_path(path, nr++);
		gone = name ? unlink(name) : -1;
		free(name);
	} while (gone == 0);
}

/* Frees @from and @to. Returns false if the file does not exist. */
static bool rename_part(char *from, char *to)
{
	bool done = from && to && rename(from, to) == 0;

	free(from);
	free(to);
	return done;
}

void part_rename_all(const char *path, const char *to)
{
	unsigned int nr = 0;

	rename_part(part_shared_path(path), part_shared_path(to));
	while (rename_part(part_path(path, nr), part_path(to, nr)))
		nr++;
}
