/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* damage.c - the list of what is missing or broken in a file */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "file/file.h"
#include "file/note.h"

#define MORE_SLOTS 4096

static bool is_known(const struct kt_file *f, const char *line)
{
	size_t i;

	for (i = 0; i < f->nr_damages; i++)
		if (strcmp(f->damages[i], line) == 0)
			return true;
	return false;
}

/*
 * Lines that do not fit are counted, each once even if the file is read twice: their hashes tell
 * them apart. Above a limit, the exact number is of no use.
 */
static void count_more(struct kt_file *f, const char *line)
{
	uint64_t hash = 0xcbf29ce484222325;	/* FNV-1a */
	size_t i;

	for (; *line; line++)
		hash = (hash ^ (uint8_t)*line) * 0x100000001b3;
	hash |= 1;
	if (!f->more_hashes)
		f->more_hashes = calloc(MORE_SLOTS, sizeof(*f->more_hashes));
	for (i = hash >> 40; f->more_hashes && f->more_damages < MORE_SLOTS / 2; i++) {
		if (f->more_hashes[i % MORE_SLOTS] == hash)
			return;
		if (f->more_hashes[i % MORE_SLOTS])
			continue;
		f->more_hashes[i % MORE_SLOTS] = hash;
		break;
	}
	f->more_damages++;
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
	if (!is_known(f, line)) {
		if (f->nr_damages < FILE_MAX_DAMAGES)
			f->damages[f->nr_damages] = strdup(line);
		if (f->nr_damages < FILE_MAX_DAMAGES && f->damages[f->nr_damages])
			f->nr_damages++;
		else
			count_more(f, line);
	}
	pthread_mutex_unlock(&f->lock);
}

const char *kt_file_damage(const struct kt_file *file, size_t i)
{
	struct kt_file *f = (struct kt_file *)file;
	const char *line = NULL;

	pthread_mutex_lock(&f->lock);
	if (i < f->nr_damages) {
		line = f->damages[i];
	} else if (i == f->nr_damages && f->more_damages) {
		snprintf(f->more_line, sizeof(f->more_line), "and %" PRIu64 " more",
			 f->more_damages);
		line = f->more_line;
	}
	pthread_mutex_unlock(&f->lock);
	return line;
}

size_t kt_file_nr_damages(const struct kt_file *file)
{
	struct kt_file *f = (struct kt_file *)file;
	size_t nr;

	pthread_mutex_lock(&f->lock);
	nr = f->nr_damages + !!f->more_damages;
	pthread_mutex_unlock(&f->lock);
	return nr;
}

void file_note_page(struct kt_file *file, const char *buffer, int cpu, uint64_t pos,
		    const char *what)
{
	file_damage(file, "CPU %d%s%s%s, sub-buffer at %" PRIu64 " of its data: %s", cpu,
		    *buffer ? " of buffer '" : "", buffer, *buffer ? "'" : "", pos, what);
}
