/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* spool.c - records of all CPUs, in any order, become the data of a trace.dat */
#include "import/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/temp.h"

/* Records in order of time */
struct run {
	struct page page;		/* being filled */
	uint32_t *pages;		/* numbers of the full ones in the temporary file */
	size_t nr, cap;
};

struct spool_cpu {
	struct run *runs[SPOOL_RUNS];
	size_t nr;
	uint64_t lost;			/* before the next record; 0: none */
};

struct spool {
	int fd;
	uint32_t nr_pages;		/* in the file */
	struct spool_cpu *cpus[SPOOL_CPUS];
	struct spool_count count;
};

struct spool *spool_create(struct kt_err *err)
{
	struct spool *s = calloc(1, sizeof(*s));

	if (!s) {
		kt_err_no_memory(err);
		return NULL;
	}
	s->fd = temp_open_unnamed(err);
	if (s->fd >= 0)
		return s;
	free(s);
	return NULL;
}

static void free_cpu(struct spool_cpu *c)
{
	size_t i;

	for (i = 0; c && i < c->nr; i++) {
		free(c->runs[i]->pages);
		free(c->runs[i]);
	}
	free(c);
}

void spool_destroy(struct spool *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < SPOOL_CPUS; i++)
		free_cpu(s->cpus[i]);
	close(s->fd);
	free(s);
}

const struct spool_count *spool_counted(const struct spool *s)
{
	return &s->count;
}

/* ---- sub-buffers in the temporary file ---- */

static int write_page(struct spool *s, struct run *r, struct kt_err *err)
{
	off_t at = (off_t)s->nr_pages * PAGE_SIZE;
	ssize_t done;

	if (!array_fit(r->pages, r->nr, r->cap))
		return kt_err_no_memory(err);
	page_finish(&r->page);
	done = pwrite(s->fd, r->page.data, PAGE_SIZE, at);
	if (done != PAGE_SIZE)
		return kt_err_set(err, done < 0 ? -errno : -ENOSPC,
				  "cannot write to a temporary file: %s",
				  strerror(done < 0 ? errno : ENOSPC));
	r->pages[r->nr++] = s->nr_pages++;
	r->page.used = 0;
	r->page.lost = 0;
	return 0;
}

static int read_page(struct spool *s, uint32_t nr, uint8_t *data, struct kt_err *err)
{
	ssize_t done = pread(s->fd, data, PAGE_SIZE, (off_t)nr * PAGE_SIZE);

	if (done == PAGE_SIZE)
		return 0;
	return kt_err_set(err, done < 0 ? -errno : -EIO, "cannot read a temporary file: %s",
			  strerror(done < 0 ? errno : EIO));
}

/* ---- records in ---- */

static struct spool_cpu *cpu_of(struct spool *s, unsigned int cpu)
{
	if (!s->cpus[cpu])
		s->cpus[cpu] = calloc(1, sizeof(*s->cpus[cpu]));
	return s->cpus[cpu];
}

/* Of the runs that end at or before @ts, the one that ends last */
static struct run *run_for(struct spool *s, struct spool_cpu *c, uint64_t *ts)
{
	struct run *best = NULL, *first = c->nr ? c->runs[0] : NULL;
	bool is_late = false;
	size_t i;

	for (i = 0; i < c->nr; i++) {
		struct run *r = c->runs[i];

		is_late |= r->page.last > *ts;
		first = r->page.last < first->page.last ? r : first;
		if (r->page.last <= *ts && (!best || r->page.last > best->page.last))
			best = r;
	}
	s->count.sorted += is_late && (best || c->nr < SPOOL_RUNS);
	if (best)
		return best;
	if (c->nr < SPOOL_RUNS) {
		best = calloc(1, sizeof(*best));
		if (best)
			c->runs[c->nr++] = best;
		return best;
	}
	s->count.late++;
	*ts = first->page.last;
	return first;
}

int spool_add(struct spool *s, unsigned int cpu, uint64_t ts, const void *rec, size_t size,
	      struct kt_err *err)
{
	struct spool_cpu *c = cpu_of(s, cpu);
	struct run *r = c ? run_for(s, c, &ts) : NULL;
	int ret = 0;

	if (!r)
		return kt_err_no_memory(err);
	if (r->page.used && c->lost)
		ret = write_page(s, r, err);
	if (ret == 0 && c->lost) {
		r->page.lost = c->lost;
		c->lost = 0;
	}
	if (ret == 0 && !page_add(&r->page, ts, rec, size)) {
		ret = write_page(s, r, err);
		if (ret == 0)
			page_add(&r->page, ts, rec, size);
	}
	s->count.events++;
	s->count.cpus = cpu >= s->count.cpus ? cpu + 1 : s->count.cpus;
	return ret;
}

int spool_lost(struct spool *s, unsigned int cpu, uint64_t nr, struct kt_err *err)
{
	struct spool_cpu *c = cpu_of(s, cpu);

	if (!c)
		return kt_err_no_memory(err);
	if (nr == PAGE_LOST_UNKNOWN || c->lost == PAGE_LOST_UNKNOWN || nr > INT64_MAX - c->lost)
		c->lost = PAGE_LOST_UNKNOWN;
	else
		c->lost += nr;
	s->count.losses++;
	s->count.lost += nr == PAGE_LOST_UNKNOWN ? 0 : nr;
	return 0;
}

/* ---- runs out ---- */

/* A run that is read: the sub-buffer of its next record */
struct source {
	const struct run *run;
	size_t next;			/* its next sub-buffer */
	struct page_reader at;
	uint8_t page[PAGE_SIZE];
};

/* 1: at a record, 0: the run has ended */
static int advance(struct spool *s, struct source *from, struct kt_err *err)
{
	int ret;

	while (!from->at.data || !page_next(&from->at)) {
		if (from->next == from->run->nr)
			return 0;
		ret = read_page(s, from->run->pages[from->next++], from->page, err);
		if (ret < 0)
			return ret;
		page_read(&from->at, from->page);
	}
	return 1;
}

static int flush_page(struct page *p, struct kt_writer *w, struct kt_err *err)
{
	int ret;

	if (!p->used)
		return 0;
	page_finish(p);
	ret = kt_writer_data(w, p->data, PAGE_SIZE, err);
	p->used = 0;
	p->lost = 0;
	return ret;
}

static int put_record(struct page *p, const struct page_reader *r, struct kt_writer *w,
		      struct kt_err *err)
{
	int ret = r->lost ? flush_page(p, w, err) : 0;

	if (ret == 0 && r->lost)
		p->lost = r->lost;
	if (ret == 0 && !page_add(p, r->ts, r->rec, r->size)) {
		ret = flush_page(p, w, err);
		page_add(p, r->ts, r->rec, r->size);
	}
	return ret;
}

/* Moves the @i-th run to its next record; removes it if it has ended. */
static int next_of(struct spool *s, struct source *from, size_t i, size_t *nr, struct kt_err *err)
{
	int ret = advance(s, &from[i], err);

	if (ret == 0)
		from[i] = from[--*nr];
	return ret < 0 ? ret : 0;
}

static int merge(struct spool *s, struct source *from, size_t nr, struct kt_writer *w,
		 struct kt_err *err)
{
	struct page *out = calloc(1, sizeof(*out));
	size_t i, first;
	int ret = out ? 0 : kt_err_no_memory(err);

	for (i = nr; i-- && ret == 0; )
		ret = next_of(s, from, i, &nr, err);
	while (nr && ret == 0) {
		for (i = 1, first = 0; i < nr; i++)
			if (from[i].at.ts < from[first].at.ts)
				first = i;
		ret = put_record(out, &from[first].at, w, err);
		if (ret == 0)
			ret = next_of(s, from, first, &nr, err);
	}
	if (ret == 0)
		ret = flush_page(out, w, err);
	free(out);
	return ret;
}

static int copy_run(struct spool *s, const struct run *r, struct kt_writer *w, struct kt_err *err)
{
	uint8_t page[PAGE_SIZE];
	int ret = 0;
	size_t i;

	for (i = 0; i < r->nr && ret == 0; i++) {
		ret = read_page(s, r->pages[i], page, err);
		if (ret == 0)
			ret = kt_writer_data(w, page, PAGE_SIZE, err);
	}
	return ret;
}

static int write_cpu(struct spool *s, struct spool_cpu *c, struct kt_writer *w, struct kt_err *err)
{
	struct source *from;
	int ret = 0;
	size_t i;

	for (i = 0; i < c->nr && ret == 0; i++)
		if (c->runs[i]->page.used)
			ret = write_page(s, c->runs[i], err);
	if (ret < 0 || c->nr == 1)
		return ret < 0 ? ret : copy_run(s, c->runs[0], w, err);
	from = calloc(c->nr, sizeof(*from));
	if (!from)
		return kt_err_no_memory(err);
	for (i = 0; i < c->nr; i++)
		from[i].run = c->runs[i];
	ret = merge(s, from, c->nr, w, err);
	free(from);
	return ret;
}

int spool_write(struct spool *s, struct kt_writer *w, int buffer, struct kt_err *err)
{
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; cpu < s->count.cpus && ret == 0; cpu++) {
		if (!s->cpus[cpu] || !s->cpus[cpu]->nr)
			continue;
		ret = kt_writer_begin_cpu(w, buffer, (int)cpu, err);
		if (ret == 0)
			ret = write_cpu(s, s->cpus[cpu], w, err);
	}
	return ret;
}
