/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* request.c - a request of block I/O: what its device did, and the task that issued it */
#include "why/why.h"

/* The requests of one device in the interval */
struct device {
	uint64_t before, issued, completed;	/* @before: pending at the start */
	uint64_t pause_from, pause_until;	/* the longest time without a completion */
};

static bool is_own(const struct kt_why *w, const struct stretch *s)
{
	const union detail *d = why_detail(w, s);

	return s->kind == KT_SPAN_BLOCK_IO && s->until == w->opts.until && d &&
	       d->io.issued == w->opts.from;
}

/* The request that took exactly the interval; NULL: the trace has changed since it was found */
static const struct stretch *own_request(const struct kt_why *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (is_own(w, &w->at[i]))
			return &w->at[i];
	return NULL;
}

static bool is_of(const struct kt_why *w, const struct stretch *s, uint32_t dev)
{
	const union detail *d = why_detail(w, s);

	return (s->kind == KT_SPAN_BLOCK_IO || s->kind == STRETCH_FLIGHT) && d && d->io.dev == dev;
}

/* Stretches are stored at their end, so completions come in order of time. */
static struct device watch(const struct kt_why *w, const struct stretch *own, uint32_t dev)
{
	struct device d = { 0 };
	uint64_t last = w->opts.from;
	size_t i;

	for (i = 0; i < w->nr; i++) {
		const struct stretch *s = &w->at[i];

		if (!is_of(w, s, dev) || s->until < w->opts.from)
			continue;
		if (s->until > last && s->until - last > d.pause_until - d.pause_from) {
			d.pause_from = last;
			d.pause_until = s->until;
		}
		last = s->until > last ? s->until : last;
		if (s == own)
			continue;
		if (why_detail(w, s)->io.issued < w->opts.from)
			d.before++;
		else
			d.issued++;
		d.completed += s->kind == KT_SPAN_BLOCK_IO;
	}
	return d;
}

static void add_fact(struct kt_why *w, struct kt_why_line line)
{
	line.depth = 1;
	line.pid = line.cpu = line.from_cpu = -1;
	why_add_line(w, &line);
}

static void add_device(struct kt_why *w, const struct stretch *own, uint32_t dev)
{
	const struct device d = watch(w, own, dev);
	uint64_t pause = d.pause_until - d.pause_from;

	add_fact(w, (struct kt_why_line){
		.kind = KT_WHY_IO_OTHERS, .count = d.before, .issued = d.issued,
		.completed = d.completed, .key = dev });
	/* With no other request pending, the wait was for the device itself. */
	if (d.before + d.issued && pause >= (w->opts.until - w->opts.from) / 2)
		add_fact(w, (struct kt_why_line){
			.kind = KT_WHY_IO_PAUSE, .from = d.pause_from, .until = d.pause_until,
			.delay = pause, .key = dev });
}

static void add_request(struct kt_why *w, const struct stretch *own)
{
	const union detail *d = why_detail(w, own);

	why_add_line(w, &(struct kt_why_line){
		.kind = KT_WHY_IO_DEVICE, .ns = own->until - d->io.issued, .from = d->io.issued,
		.until = own->until, .count = 1, .pid = -1, .cpu = -1, .from_cpu = -1,
		.key = d->io.dev, .addr = d->io.sector, .flags = d->io.nr_sectors,
		.name = d->io.what });
	if (d->io.inserted && d->io.inserted < d->io.issued)
		add_fact(w, (struct kt_why_line){
			.kind = KT_WHY_IO_BEFORE, .from = d->io.inserted, .until = d->io.issued,
			.delay = d->io.issued - d->io.inserted, .key = d->io.dev });
	add_device(w, own, d->io.dev);
	ended_complete(w, own, 1);
}

void request_explain(struct kt_why *w)
{
	const struct stretch *own = own_request(w);

	if (!own) {
		why_explain_task(w, 0);
		return;
	}
	add_request(w, own);
	why_add_line(w, &(struct kt_why_line){
		.kind = KT_WHY_IO_ISSUER, .pid = w->opts.pid, .cpu = -1, .from_cpu = -1,
		.key = KT_WHY_NO_KEY });
	why_explain_task(w, 1);
}
