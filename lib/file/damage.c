/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* damage.c - remember what is missing or broken in a file */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "file/file.h"
#include "file/note.h"

static bool is_known(const struct kt_file *f, const char *line)
{
	size_t i;

	for (i = 0; i < f->nr_damages; i++)
		if (strcmp(f->damages[i], line) == 0)
			return true;
	return false;
}

void file_damage(struct kt_file *f, const char *fmt, ...)
{
	char raw[512], line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	kt_escape(line, sizeof(line), raw, strlen(raw));

	pthread_mutex_lock(&f->lock);
	if (f->nr_damages < FILE_MAX_DAMAGES && !is_known(f, line)) {
		f->damages[f->nr_damages] = strdup(line);
		if (f->damages[f->nr_damages])
			f->nr_damages++;
	}
	pthread_mutex_unlock(&f->lock);
}

const char *kt_file_damage(const struct kt_file *file, size_t i)
{
	return i < kt_file_nr_damages(file) ? file->damages[i] : NULL;
}

size_t kt_file_nr_damages(const struct kt_file *file)
{
	struct kt_file *f = (struct kt_file *)file;
	size_t nr;

	pthread_mutex_lock(&f->lock);
	nr = f->nr_damages;
	pthread_mutex_unlock(&f->lock);
	return nr;
}

void file_note_page(struct kt_file *file, const char *buffer, int cpu, uint64_t pos,
		    const char *what)
{
	file_damage(file, "CPU %d%s%s%s, sub-buffer at %" PRIu64 " of its data: %s", cpu,
		    *buffer ? " of buffer '" : "", buffer, *buffer ? "'" : "", pos, what);
}
