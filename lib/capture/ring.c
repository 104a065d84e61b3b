/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ring.c - the buffer that nobody reads until something happens, and the parts taken from it */
#include "capture/capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/rec.h>
#include <ktrail/settings.h>

#include "base/array.h"
#include "base/threads.h"

#define MEMORY   (64ull << 20)
#define FIRST_KB 1024			/* per CPU, until the rate of events is known */
#define SPARE	 8			/* factor over the needed size: rates change, and the
					 * ring may be taken late on a busy machine */

/* Counters of a CPU's buffer since it was cleared */
struct counts {
	uint64_t entries, overrun, bytes, read;
};

static int read_counts(const struct ring *r, int i, struct counts *c)
{
	static const char *const names[] = { "entries: ", "overrun: ", "bytes: ", "read events: " };
	uint64_t *const to[] = { &c->entries, &c->overrun, &c->bytes, &c->read };
	char file[64], *text, *line, *rest;
	size_t n;

	*c = (struct counts){ 0 };
	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", r->cpus[i]);
	text = kt_instance_read(r->inst, file, NULL);
	if (!text)
		return -EIO;
	for (rest = text; (line = strsep(&rest, "\n"));)
		for (n = 0; n < sizeof(names) / sizeof(*names); n++)
			if (str_starts(line, names[n]))
				*to[n] = strtoull(line + strlen(names[n]), NULL, 10);
	free(text);
	return 0;
}

/* The CPUs that have overwritten events since the last call */
static void note_overwrites(struct ring *r, bool *overwrote)
{
	struct counts c;
	int i;

	for (i = 0; i < r->nr_cpus; i++) {
		bool unknown = read_counts(r, i, &c) < 0;

		if (overwrote)
			overwrote[i] = unknown || c.overrun != r->overruns[i];
		r->overruns[i] = c.overrun;
	}
}

int ring_open(struct ring *r, struct kt_instance *inst, const char *dir, uint64_t memory,
	      struct kt_err *err)
{
	int ret;

	*r = (struct ring){ .inst = inst, .dir = dir };
	r->nr_cpus = kt_instance_cpus(inst, &r->cpus, err);
	if (r->nr_cpus < 0)
		return r->nr_cpus;
	r->events = calloc((size_t)r->nr_cpus + 1, sizeof(*r->events));
	r->overruns = calloc((size_t)r->nr_cpus + 1, sizeof(*r->overruns));
	if (!r->events || !r->overruns)
		return kt_err_no_memory(err);
	r->bound_kb = (memory ? memory : MEMORY) / 1024 / (uint64_t)(r->nr_cpus ? r->nr_cpus : 1);
	if (r->bound_kb < 64)
		r->bound_kb = 64;
	r->kb = r->bound_kb < FIRST_KB ? r->bound_kb : FIRST_KB;
	ret = kt_instance_set_option(inst, "overwrite", true, err);
	return ret < 0 ? ret : kt_instance_set_buffer_size(inst, -1, r->kb, err);
}

void ring_begin(struct ring *r)
{
	note_overwrites(r, NULL);
	r->taken = r->looked = moment_ns();
}

static void free_part(struct part *p)
{
	if (p->path)
		unlink(p->path);
	free(p->path);
	free(p->overwrote);
}

static void drop_parts(struct ring *r, uint64_t oldest)
{
	size_t nr = 0, i;

	while (nr < r->nr_parts && r->parts[nr].end < oldest)
		free_part(&r->parts[nr++]);
	for (i = nr; i < r->nr_parts; i++)
		r->parts[i - nr] = r->parts[i];
	r->nr_parts -= nr;
}

void ring_close(struct ring *r)
{
	drop_parts(r, UINT64_MAX);
	free(r->parts);
	free(r->cpus);
	free(r->events);
	free(r->overruns);
}

/* KiB that a CPU needs for @span, at its rate since the last look */
static uint64_t needed_kb(struct ring *r, int i, uint64_t ns, uint64_t span)
{
	struct counts c;
	uint64_t all, came;
	double bytes;

	if (read_counts(r, i, &c) < 0 || !c.entries)
		return 0;
	all = c.entries + c.overrun + c.read;
	came = all > r->events[i] ? all - r->events[i] : 0;
	r->events[i] = all;
	bytes = (double)came * (double)c.bytes / (double)c.entries;
	return (uint64_t)(bytes * (double)span / (double)ns * SPARE / 1024);
}

static bool resize(struct ring *r, uint64_t kb)
{
	struct hole hole = { .from = moment_ns() };
	bool hurries = thread_hurry();
	int ret = kt_instance_set_buffer_size(r->inst, -1, kb, NULL);

	if (hurries)
		thread_hurry_no_more();
	hole.until = moment_ns();
	if (r->nr_holes < HOLES)
		r->holes[r->nr_holes++] = hole;
	if (ret == 0)
		r->kb = kb;
	return ret == 0;
}

bool ring_fit(struct ring *r, uint64_t span)
{
	uint64_t now = moment_ns(), most = 0, kb;
	int i;

	for (i = 0; now > r->looked && i < r->nr_cpus; i++) {
		kb = needed_kb(r, i, now - r->looked, span);
		most = kb > most ? kb : most;
	}
	r->looked = now;
	if (most <= r->kb)
		return false;
	/* Resize rarely, by more than needed: the kernel records nothing meanwhile. */
	kb = 2 * most;
	if (kb > r->bound_kb)
		kb = r->bound_kb;
	return kb > r->kb && resize(r, kb);
}

static int record(struct ring *r, const char *path, struct kt_err *err)
{
	const struct kt_rec_opts o = {
		.compression = "none", .kallsyms = KT_REC_KALLSYMS_USED, .observe = true,
		.goes_on = true, .hurry = thread_hurry(),
	};
	struct kt_rec *rec = kt_rec_create(path, &o, err);
	int ret = rec ? kt_rec_add_as(rec, r->inst, "", err) : kt_err_code(err, -ENOMEM);

	if (ret == 0)
		ret = kt_rec_start(rec, err);
	if (o.hurry)
		thread_hurry_no_more();
	if (ret < 0)
		goto out;
	ret = kt_rec_stop(rec, err);
	if (ret < 0)
		goto out;
	ret = kt_rec_finish(rec, err);
out:
	kt_rec_destroy(rec);
	return ret;
}

static struct part *add_part(struct ring *r, uint64_t until)
{
	struct part *p;

	if (!array_reserve(r->parts, r->nr_parts))
		return NULL;
	p = &r->parts[r->nr_parts];
	*p = (struct part){ .since = r->taken, .until = until };
	p->overwrote = calloc((size_t)r->nr_cpus + 1, sizeof(*p->overwrote));
	if (asprintf(&p->path, "%s/ring-%u.dat", r->dir, r->number++) < 0)
		p->path = NULL;
	if (p->path && p->overwrote) {
		r->nr_parts++;
		return p;
	}
	free_part(p);
	return NULL;
}

/*
 * Reading removes the events while others are added, so no event is missed between two parts. The
 * end of a part differs between CPUs.
 */
int ring_take(struct ring *r, uint64_t oldest, struct kt_err *err)
{
	uint64_t now = moment_ns();
	struct part *p;
	int ret;

	drop_parts(r, oldest);
	p = add_part(r, now);
	if (!p)
		return kt_err_no_memory(err);
	ret = record(r, p->path, err);
	if (ret < 0)
		return ret;
	p->end = moment_ns();
	note_overwrites(r, p->overwrote);
	r->taken = now;
	return 0;
}
