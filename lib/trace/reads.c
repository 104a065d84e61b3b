/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * reads.c - remember how far each CPU of a growing recording was read
 *
 * One time for all CPUs is not enough: if the host stops a CPU while it writes an
 * event, that event arrives after later ones of other CPUs. CPUs are added to the file
 * with their first data.
 */
#include "trace/reads.h"
#include "stream/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void reads_fini(struct reads *r)
{
	while (r->nr)
		free(r->of[--r->nr].buffer);
	free(r->of);
	*r = (struct reads){ 0 };
}

static const char *buffer_of(const struct kt_source *src)
{
	return kt_file_buffer(src->file, src->buffer)->name;
}

static struct read_source *find(const struct reads *r, const struct kt_source *src)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (r->of[i].file == src->file_index && r->of[i].cpu == src->cpu &&
		    strcmp(r->of[i].buffer, buffer_of(src)) == 0)
			return &r->of[i];
	return NULL;
}

static struct read_source *add(struct reads *r, const struct kt_source *src)
{
	struct read_source *grown = array_add(r->of, r->nr);

	if (!grown)
		return NULL;
	*grown = (struct read_source){ .file = src->file_index, .buffer = strdup(buffer_of(src)),
				       .cpu = src->cpu };
	r->nr -= !grown->buffer;
	return grown->buffer ? grown : NULL;
}

/* An empty place: the data read before is no longer in the file. */
static int note(struct reads *r, const struct kt_source *src, const struct read_place *place)
{
	struct read_source *of = find(r, src);

	if (!place->nr)
		return 0;
	if (!of)
		of = add(r, src);
	if (!of)
		return -ENOMEM;
	of->place = *place;
	return 0;
}

int reads_note(struct reads *r, struct kt_stream *s, uint64_t until, struct kt_err *err)
{
	struct read_place place;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < kt_stream_nr_sources(s); i++) {
		ret = stream_place(s, i, until, &place, err);
		if (ret == 0)
			ret = note(r, kt_stream_source(s, i), &place);
	}
	return kt_err_result(err, ret);
}

int reads_resume(const struct reads *r, struct kt_stream *s, struct kt_err *err)
{
	size_t nr = kt_stream_nr_sources(s), i;
	struct read_place *places = calloc(nr + 1, sizeof(*places));
	const struct read_source *of;
	int ret;

	if (!places)
		return kt_err_no_memory(err);
	for (i = 0; i < nr; i++) {
		of = find(r, kt_stream_source(s, i));
		if (of)
			places[i] = of->place;
	}
	ret = stream_resume(s, places, nr, err);
	free(places);
	return ret;
}
