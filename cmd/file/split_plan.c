/* SPDX-License-Identifier: GPL-2.0-or-later */
/* split_plan.c - find the places where `ktrail split` cuts */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "split.h"

static bool is_wanted(const struct split_plan *p, size_t source)
{
	return p->only_cpu < 0 || kt_stream_source(p->stream, source)->cpu == p->only_cpu;
}

size_t split_source(const struct split_plan *p, size_t buffer, size_t cpu_index)
{
	size_t lo = 0, hi = p->nr_sources, mid;
	const struct kt_source *s;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		s = kt_stream_source(p->stream, mid);
		if (s->buffer < buffer || (s->buffer == buffer && s->cpu_index < cpu_index))
			lo = mid + 1;
		else
			hi = mid;
	}
	s = kt_stream_source(p->stream, lo);
	return s && s->buffer == buffer && s->cpu_index == cpu_index && is_wanted(p, lo) ?
	       lo : SIZE_MAX;
}

/* A new part that begins where the last one ended; it is empty so far */
static struct split_part *add_part(struct split_plan *p)
{
	struct split_part *part = array_add(p->parts, p->nr_parts);
	size_t size = p->nr_sources * sizeof(uint64_t);

	if (!part)
		return NULL;
	part->from = calloc(p->nr_sources + 1, sizeof(uint64_t));
	part->to = calloc(p->nr_sources + 1, sizeof(uint64_t));
	if (!part->from || !part->to)
		return NULL;
	if (p->nr_parts > 1) {
		memcpy(part->from, part[-1].to, size);
		memcpy(part->to, part[-1].to, size);
	}
	return part;
}

static struct kt_stream *open_stream(struct kt_file *in, struct kt_err *err)
{
	struct kt_stream *s = kt_stream_create();

	if (s && kt_stream_add(s, in, NULL, err) == 0)
		return s;
	kt_stream_destroy(s);
	kt_err_no_memory(err);
	return NULL;
}

/* One stream for each source, so that each can find a time in its data */
static struct kt_stream *open_source(struct kt_file *in, size_t source, size_t nr,
				     struct kt_err *err)
{
	struct kt_stream *s = open_stream(in, err);
	size_t i;

	for (i = 0; s && i < nr; i++)
		if (i != source)
			kt_stream_mute(s, i);
	return s;
}

/* The place of the first event of a source at @ns or later; after all events if there is none */
static int place_of(struct kt_stream *s, uint64_t ns, uint64_t *pos, struct kt_err *err)
{
	struct kt_record rec = { 0 };
	int ret = kt_stream_seek(s, ns, err);

	if (ret == 0)
		ret = kt_stream_next(s, &rec, err);
	*pos = ret > 0 ? rec.pos : UINT64_MAX;
	return ret < 0 ? ret : 0;
}

/* Cut at times: the data between two cuts is not read */
static int cut_at(struct split_plan *p, struct kt_file *in, uint64_t ns, uint64_t *places,
		  struct kt_err *err)
{
	struct kt_stream *s;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < p->nr_sources; i++) {
		if (!is_wanted(p, i))
			continue;
		/*
		 * The ends are known without searching; a part that begins at 0 is copied from
		 * the start
		 */
		if (ns == 0 || ns == UINT64_MAX) {
			places[i] = ns;
			continue;
		}
		s = open_source(in, i, p->nr_sources, err);
		ret = s ? place_of(s, ns, &places[i], err) : -ENOMEM;
		kt_stream_destroy(s);
	}
	return ret;
}

/* The time of the first event at or after the start; 1, or 0 if there is none */
static int first_time(struct split_plan *p, uint64_t *ns, struct kt_err *err)
{
	struct kt_record rec = { 0 };
	int ret = kt_stream_seek(p->stream, p->start_ns, err);

	if (ret == 0)
		ret = kt_stream_next(p->stream, &rec, err);
	*ns = ret > 0 ? rec.ts : 0;
	return ret;
}

static int plan_by_time(struct split_plan *p, struct kt_file *in, struct kt_err *err)
{
	struct split_part *part = add_part(p);
	uint64_t at = p->start_ns, last = 0, end;
	struct kt_record rec = { 0 };
	size_t i;
	int ret = part ? cut_at(p, in, at, part->from, err) : kt_err_no_memory(err);

	if (ret == 0 && p->length_ns)
		ret = first_time(p, &at, err);
	for (i = 0; ret >= 0 && i < p->nr_sources; i++)
		if (kt_stream_last(p->stream, i, &rec, NULL) > 0 && rec.ts > last)
			last = rec.ts;
	while (ret >= 0) {
		end = p->length_ns && p->length_ns < UINT64_MAX - at ? at + p->length_ns
								      : UINT64_MAX;
		if (end > p->end_ns)
			end = p->end_ns;
		ret = cut_at(p, in, end, part->to, err);
		at = end;
		if (ret < 0 || !p->repeat || at >= p->end_ns || at > last)
			break;
		part = add_part(p);
		ret = part ? 0 : kt_err_no_memory(err);
	}
	return ret < 0 ? ret : 0;
}

#define TELL_EVENTS 65536	/* progress is shown a few times a second */

static void tell_progress(struct split_plan *p, const struct kt_stream *s)
{
	uint64_t done, total;

	kt_stream_progress(s, &done, &total);
	progress_tell(&p->progress, done, total);
}

/* Count events, of all CPUs together or of each CPU separately, for each part */
static int count_events(struct split_plan *p, struct kt_stream *s, size_t first_part,
			struct kt_err *err)
{
	struct split_part *part = &p->parts[first_part];
	size_t nr_part = first_part;
	struct kt_record rec = { 0 };
	uint64_t nr = 0, seen = 0;
	int ret;

	while ((ret = kt_stream_next(s, &rec, err)) > 0 && rec.ts < p->end_ns) {
		if (nr == p->nr_events) {
			if (!p->repeat)
				break;
			if (++nr_part == p->nr_parts && !add_part(p))
				return kt_err_no_memory(err);
			part = &p->parts[nr_part];
			nr = 0;
		}
		/* Everything after the header belongs to the next event */
		part->to[rec.source] = rec.pos + 1;
		nr++;
		if (++seen % TELL_EVENTS == 0)
			tell_progress(p, s);
	}
	return ret < 0 ? ret : 0;
}

/* If CPUs are counted separately, a part begins on each CPU where its last one ended */
static void connect_parts(struct split_plan *p, size_t source)
{
	size_t i;

	for (i = 1; i < p->nr_parts; i++) {
		p->parts[i].from[source] = p->parts[i - 1].to[source];
		if (p->parts[i].to[source] < p->parts[i].from[source])
			p->parts[i].to[source] = p->parts[i].from[source];
	}
}

static int plan_by_events(struct split_plan *p, struct kt_file *in, struct kt_err *err)
{
	struct split_part *part = add_part(p);
	struct kt_stream *s;
	size_t i;
	int ret = part ? cut_at(p, in, p->start_ns, part->from, err) : kt_err_no_memory(err);

	if (ret == 0)
		memcpy(part->to, part->from, p->nr_sources * sizeof(*part->to));
	for (i = 0; ret == 0 && i < (p->per_cpu ? p->nr_sources : 1); i++) {
		if (p->per_cpu && !is_wanted(p, i))
			continue;
		s = p->per_cpu ? open_source(in, i, p->nr_sources, err) : open_stream(in, err);
		if (!s)
			return err->code;
		if (!p->per_cpu && p->only_cpu >= 0)
			for (size_t j = 0; j < p->nr_sources; j++)
				if (!is_wanted(p, j))
					kt_stream_mute(s, j);
		ret = kt_stream_seek(s, p->start_ns, err);
		if (ret == 0)
			ret = count_events(p, s, 0, err);
		kt_stream_destroy(s);
	}
	for (i = 0; i < p->nr_sources; i++)
		connect_parts(p, i);
	return ret;
}

static uint64_t data_size(const struct split_plan *p, size_t source)
{
	struct kt_record rec = { 0 };

	return kt_stream_last(p->stream, source, &rec, NULL) > 0 ? rec.pos + 1 : 0;
}

static int plan_by_pages(struct split_plan *p, struct kt_file *in, struct kt_err *err)
{
	struct split_part *part = add_part(p);
	bool more;
	size_t i;
	int ret = part ? cut_at(p, in, p->start_ns, part->from, err) : kt_err_no_memory(err);

	while (ret == 0) {
		more = false;
		for (i = 0; i < p->nr_sources; i++) {
			const struct kt_source *s = kt_stream_source(p->stream, i);
			uint64_t page = kt_file_buffer(in, s->buffer)->page_size;

			if (!is_wanted(p, i) || part->from[i] == UINT64_MAX)
				continue;
			part->to[i] = (part->from[i] / page + p->nr_pages) * page;
			more = more || part->to[i] < data_size(p, i);
		}
		if (!p->repeat || !more)
			break;
		part = add_part(p);
		ret = part ? 0 : kt_err_no_memory(err);
	}
	return ret;
}

int split_plan(struct split_plan *p, struct kt_file *in, struct kt_err *err)
{
	p->stream = open_stream(in, err);
	if (!p->stream)
		return err->code;
	p->nr_sources = kt_stream_nr_sources(p->stream);
	if (p->nr_pages)
		return plan_by_pages(p, in, err);
	return p->nr_events ? plan_by_events(p, in, err) : plan_by_time(p, in, err);
}

void split_plan_fini(struct split_plan *p)
{
	size_t i;

	for (i = 0; i < p->nr_parts; i++) {
		free(p->parts[i].from);
		free(p->parts[i].to);
	}
	free(p->parts);
	kt_stream_destroy(p->stream);
}
