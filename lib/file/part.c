/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part.c - the files that hold each CPU's data while a recording goes on */
#include "file/part.h"

#include <stdio.h>

char *part_path(const char *path, unsigned int nr)
{
	char *name;

	return asprintf(&name, "%s.part%u", path, nr) < 0 ? NULL : name;
}
