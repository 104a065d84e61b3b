/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* window.c - cut the window of a cause from the parts taken from the ring */
#include "capture/capture.h"

#include <errno.h>
#include <stdlib.h>

#include <ktrail/stream.h>
#include <ktrail/writer.h>

#include "write/write.h"

#define BATCH 4096

struct cut {
	const struct ring *ring;
	const struct part **parts;	/* those with data of the window, and their files */
	struct kt_file **files;
	size_t nr_files;
	struct kt_stream *stream;
	size_t nr_sources;
	uint64_t *from, *to;		/* range of each source; equal: empty */
	bool *has, *passed;		/* by CPU of the ring: events in it, after it */
	int nr_passed;
};

static void close_cut(struct cut *c)
{
	free(c->from);
	free(c->to);
	free(c->has);
	free(c->passed);
	kt_stream_destroy(c->stream);
	while (c->nr_files)
		kt_file_close(c->files[--c->nr_files]);
	free(c->files);
	free(c->parts);
}

static int add_part(struct cut *c, const struct part *part, struct kt_err *err)
{
	struct kt_file *file = kt_file_open(part->path, err);

	if (!file)
		return kt_err_code(err, -ENOMEM);
	c->parts[c->nr_files] = part;
	c->files[c->nr_files++] = file;
	return kt_stream_add(c->stream, file, NULL, err);
}

static int open_cut(struct cut *c, const struct ring *ring, uint64_t from, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	c->stream = kt_stream_create();
	c->parts = calloc(ring->nr_parts + 1, sizeof(*c->parts));
	c->files = calloc(ring->nr_parts + 1, sizeof(*c->files));
	if (!c->stream || !c->parts || !c->files)
		return kt_err_no_memory(err);
	for (i = 0; ret == 0 && i < ring->nr_parts; i++)
		if (ring->parts[i].end >= from || i + 1 == ring->nr_parts)
			ret = add_part(c, &ring->parts[i], err);
	if (ret < 0)
		return ret;
	c->nr_sources = kt_stream_nr_sources(c->stream);
	c->from = calloc(c->nr_sources + 1, sizeof(*c->from));
	c->to = calloc(c->nr_sources + 1, sizeof(*c->to));
	c->has = calloc((size_t)ring->nr_cpus + 1, sizeof(*c->has));
	c->passed = calloc((size_t)ring->nr_cpus + 1, sizeof(*c->passed));
	return c->from && c->to && c->has && c->passed ? 0 : kt_err_no_memory(err);
}

static int cpu_of(const struct cut *c, size_t source)
{
	int cpu = kt_stream_source(c->stream, source)->cpu, i;

	for (i = 0; i < c->ring->nr_cpus; i++)
		if (c->ring->cpus[i] == cpu)
			return i;
	return c->ring->nr_cpus;
}

/* One CPU lacks the events of the window before @ts. */
static void miss(struct kt_capture_note *note, uint64_t ts)
{
	if (ts > note->until)
		ts = note->until;
	if (ts > note->from + note->missing)
		note->missing = ts - note->from;
}

/* Events were lost just before this one: overwritten, possibly while the ring was read. */
static void see_loss(const struct cut *c, const struct kt_record *rec, int cpu,
		     struct kt_capture_note *note, struct kt_capture_file *out)
{
	if (!c->has[cpu])
		miss(note, rec->ts);
	else
		out->nr_lost += rec->lost == KT_LOST_UNKNOWN ? 1 : rec->lost;
}

static void see(struct cut *c, const struct kt_record *rec, struct kt_capture_note *note,
		struct kt_capture_file *out)
{
	int cpu = cpu_of(c, rec->source);

	if (c->passed[cpu])
		return;
	if (rec->lost)
		see_loss(c, rec, cpu, note, out);
	c->passed[cpu] = rec->ts > note->until;
	c->nr_passed += c->passed[cpu];
	if (c->passed[cpu])
		return;
	/* The bytes after the header belong to the next event. */
	if (!c->to[rec->source])
		c->from[rec->source] = rec->pos;
	c->to[rec->source] = rec->pos + 1;
	c->has[cpu] = true;
	out->nr_events++;
}

/* One pass over the window and the next event of each CPU finds the range of each CPU */
static int find_places(struct cut *c, struct kt_capture_note *note,
		       struct kt_capture_file *out, struct kt_err *err)
{
	struct kt_batch *batch = kt_batch_create(BATCH);
	const struct kt_record *rec, *end;
	int ret = batch ? kt_stream_seek(c->stream, note->from, err) : kt_err_no_memory(err);

	while (ret >= 0 && c->nr_passed < c->ring->nr_cpus) {
		ret = kt_stream_read(c->stream, batch, err);
		if (ret <= 0)
			break;
		rec = kt_batch_records(batch);
		for (end = rec + ret; rec < end; rec++)
			see(c, rec, note, out);
	}
	kt_batch_destroy(batch);
	return ret < 0 ? ret : 0;
}

/* The start of the window is missing if the ring was full, or had just begun. */
static void find_missing(struct cut *c, struct kt_capture_note *note)
{
	const struct kt_source *s;
	struct kt_record rec;
	size_t i;

	miss(note, c->parts[0]->since);
	for (i = 0; i < c->ring->nr_holes; i++)
		if (c->ring->holes[i].from <= note->until)
			miss(note, c->ring->holes[i].until);
	for (i = 0; i < c->nr_sources; i++) {
		s = kt_stream_source(c->stream, i);
		if (c->parts[s->file_index]->overwrote[cpu_of(c, i)])
			miss(note, kt_stream_first(c->stream, i, &rec, NULL) > 0 ? rec.ts :
				   note->until);
	}
}

/* The data of a CPU in the parts, one after the other */
static int write_cpu(struct cut *c, struct kt_writer *w, const struct kt_source *cpu,
		     struct kt_err *err)
{
	struct kt_copy copy = { 0 };
	const struct kt_source *s;
	bool begun = false;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < c->nr_sources; i++) {
		s = kt_stream_source(c->stream, i);
		if (s->cpu != cpu->cpu || c->from[i] >= c->to[i])
			continue;
		if (!begun)
			ret = kt_writer_begin_cpu(w, 0, s->cpu, err);
		begun = true;
		if (ret == 0)
			ret = kt_copy_range(w, s->file, 0, s->cpu_index, c->from[i], c->to[i],
					    &copy, err);
	}
	return ret;
}

/* All parts have one buffer and the same CPUs. */
static int write_cpus(struct cut *c, struct kt_writer *w, struct kt_err *err)
{
	const struct kt_source *s;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < c->nr_sources; i++) {
		s = kt_stream_source(c->stream, i);
		if (!s->file_index)
			ret = write_cpu(c, w, s, err);
	}
	return ret;
}

static int write_file(struct cut *c, const char *path, const struct kt_capture_note *note,
		      struct kt_err *err)
{
	struct kt_writer_opts o = { .compression = "any", .durable = true };
	struct str text = STR_INIT;
	struct kt_file *last = c->files[c->nr_files - 1];
	struct kt_writer *w;
	int ret;

	kt_copy_opts(last, &o);
	w = kt_writer_create(path, &o, err);
	if (!w)
		return kt_err_code(err, -ENOMEM);
	note_add_text(note, &text);
	ret = text.failed ? kt_err_no_memory(err)
			  : copy_meta_of_parts(w, c->files, c->nr_files, err);
	if (ret >= 0)
		ret = kt_writer_option(w, KT_OPTION_CAPTURE, text.buf, text.len + 1, err);
	if (ret >= 0)
		ret = kt_copy_add_buffer(w, last, 0, err);
	if (ret >= 0)
		ret = write_cpus(c, w, err);
	if (ret >= 0)
		ret = kt_writer_finish(w, err);
	kt_writer_close(w);
	str_fini(&text);
	return ret < 0 ? ret : 0;
}

int window_write(const struct ring *ring, const char *path, struct kt_capture_note *note,
		 struct kt_capture_file *out, struct kt_err *err)
{
	struct cut c = { 0 };
	int ret = open_cut(&c, ring, note->from, err);

	c.ring = ring;
	*out = (struct kt_capture_file){ .path = path, .note = note };
	if (ret == 0)
		ret = find_places(&c, note, out, err);
	if (ret == 0) {
		find_missing(&c, note);
		ret = write_file(&c, path, note, err);
	}
	close_cut(&c);
	return ret;
}
