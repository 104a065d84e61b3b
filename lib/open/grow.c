/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grow.c - a running recording: read the data that its parts gained since they were opened */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/file.h"
#include "file/note.h"

static const struct kt_section *next_section(const struct kt_file *f, size_t *i)
{
	while (*i < f->nr_sections && f->sections[*i].pub.id == KT_OPTION_CMDLINES)
		++*i;
	return *i < f->nr_sections ? &f->sections[(*i)++].pub : NULL;
}

/* Is the file itself unchanged except for the names of tasks? */
static bool says_the_same(const struct kt_file *f, const struct kt_file *now)
{
	const struct kt_section *a, *b;
	size_t i = 0, j = 0;

	do {
		a = next_section(f, &i);
		b = next_section(now, &j);
		if (!a != !b || (a && (a->id != b->id || a->offset != b->offset ||
				       a->size != b->size)))
			return false;
	} while (a);
	return true;
}

/* 0; 1: more has changed than the names of tasks; -ENOMEM */
static int look_at_head(struct kt_file *f, struct str *names)
{
	struct kt_file *now = file_open(f->path, true, NULL);
	struct kt_blob text;
	int ret = !now || !says_the_same(f, now);

	if (ret == 0 && kt_file_meta(now, KT_META_CMDLINES, &text, NULL) == 0)
		str_addn(names, text.data, text.size);
	kt_file_close(now);
	return names->failed ? -ENOMEM : ret;
}

/*
 * A file may be written twice within one tick of the clock and keep its size: while it is being
 * recorded, an unchanged modification time proves nothing until it is more than a second old.
 */
static int check_head(struct kt_file *f, struct str *names)
{
	struct stat st, opened;
	struct timespec now;

	if (stat(f->path, &st) < 0 || fstat(f->fd, &opened) < 0 || st.st_dev != opened.st_dev ||
	    st.st_ino != opened.st_ino)
		return 1;
	clock_gettime(CLOCK_REALTIME, &now);
	if ((uint64_t)st.st_size == f->info.size && st.st_mtim.tv_sec == f->changed.tv_sec &&
	    st.st_mtim.tv_nsec == f->changed.tv_nsec &&
	    (!f->nr_parts || now.tv_sec - st.st_mtim.tv_sec > 1))
		return 0;
	f->changed = st.st_mtim;
	return f->nr_parts ? look_at_head(f, names) : 1;
}

/* The data has moved to the file that long parts share: adjust all known offsets. */
static void move_data(struct kt_cpu_data *cpu, struct chunk_index *index, uint64_t base)
{
	uint64_t shift = base - index->base;
	size_t i;

	for (i = 0; i < index->nr; i++)
		index->entries[i].offset += shift;
	index->offset += shift;
	index->last += shift;
	cpu->offset += shift;
	index->base = base;
}

static bool grow_cpu(struct kt_file *f, struct buffer *b, size_t i)
{
	struct chunk_index *index = &b->index[i];
	struct kt_cpu_data *cpu = &b->cpus[i];
	uint64_t base, start, end = cpu->offset + cpu->size;

	if (!file_part_base(f, index->part, &base, &start))
		return false;
	end += base - index->base;
	if (base != index->base)
		move_data(cpu, index, base);
	else if (start > cpu->offset)
		index->gone = start;
	cpu->size = file_scan(f, cpu->offset).left;
	file_index_grow(f, b, i, end);
	return true;
}

/* A trace has a fixed number of sources: after a new part appears, the file must be reopened. */
static int grow_parts(struct kt_file *f)
{
	size_t i, cpu;
	int ret;

	file_readers_fini(f);
	ret = file_map_again(f);
	if (ret <= 0)
		return ret < 0 ? ret : 1;
	for (i = 0; i < f->nr_buffers; i++)
		for (cpu = 0; cpu < f->buffers[i].pub.nr_cpus; cpu++)
			if (!grow_cpu(f, &f->buffers[i], cpu))
				return 1;
	return 0;
}

int file_take_growth(struct kt_file *f, struct str *names)
{
	int ret = check_head(f, names);

	if (ret == 0 && f->nr_parts)
		ret = grow_parts(f);
	return ret;
}
