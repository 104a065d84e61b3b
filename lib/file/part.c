/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part.c - the files that hold each CPU's data while a recording goes on */
#include "file/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *part_path(const char *path, unsigned int nr)
{
	char *name;

	return asprintf(&name, "%s.part%u", path, nr) < 0 ? NULL : name;
}

char *part_shared_path(const char *path)
{
	char *name;

	return asprintf(&name, "%s.parts", path) < 0 ? NULL : name;
}

/* Parts are numbered without gaps, so the first that is missing ends them */
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
