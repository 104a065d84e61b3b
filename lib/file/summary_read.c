/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* summary_read.c - read the index of a file, which is untrusted input */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "file/file.h"
#include "file/summary.h"

#define CHUNK_SIZES 8		/* bytes before a block */
#define LEAST_RECORD 4		/* bytes */
#define CPU_BYTES   20		/* of a CPU in the option of its buffer */
#define DAMAGED	    "the index is damaged or of a later version, it is not used"

/*
 * A row is valid only for a chunk with exactly these sizes at exactly this offset: if another
 * program has rewritten our file, no row is used.
 */
struct entry {
	uint64_t offset;		/* of the chunk's block in the file */
	uint32_t size, raw_size;
	struct kt_summary summary;
};

/* The chunks of one CPU */
struct summary_run {
	uint64_t data;			/* offset of the CPU's data in the file */
	struct entry *entries;		/* by offset; owned */
	size_t nr;
};

struct summaries {
	struct summary_run *runs;
	size_t nr_runs;
	uint16_t **ids;			/* lists that the entries refer to; owned */
	size_t nr_ids;
	struct kt_file_index pub;
};

static void destroy(struct summaries *all)
{
	size_t i;

	if (!all)
		return;
	for (i = 0; i < all->nr_runs; i++)
		free(all->runs[i].entries);
	for (i = 0; i < all->nr_ids; i++)
		free(all->ids[i]);
	free(all->ids);
	free(all->runs);
	free(all);
}

void file_summaries_free(struct kt_file *f)
{
	destroy(f->summaries);
	f->summaries = NULL;
}

static uint64_t take_number(struct scan *s)
{
	uint64_t v = 0;
	unsigned int shift;
	uint8_t byte;

	for (shift = 0; shift < 64; shift += 7) {
		byte = scan_u8(s);
		v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return v;
	}
	s->failed = true;
	return 0;
}

static int64_t take_signed(struct scan *s)
{
	uint64_t v = take_number(s);

	return (int64_t)(v >> 1 ^ -(v & 1));
}

static uint32_t take_u32(struct scan *s)
{
	uint64_t v = take_number(s);

	s->failed |= v > UINT32_MAX;
	return (uint32_t)v;
}

/* A list of event ids, ascending; later entries may share it */
static int take_ids(struct summaries *all, struct scan *s, struct kt_summary *out)
{
	uint64_t nr = take_number(s), id = 0, step, i;
	uint16_t *ids;

	if (s->failed || nr > SUMMARY_IDS)
		return -EBADMSG;
	ids = array_reserve(all->ids, all->nr_ids) ? malloc((nr + 1) * sizeof(*ids)) : NULL;
	if (!ids)
		return -ENOMEM;
	all->ids[all->nr_ids++] = ids;
	for (i = 0; i < nr; i++) {
		step = take_number(s);
		id += step;
		if (s->failed || step > UINT16_MAX || id > UINT16_MAX || (i && !step))
			return -EBADMSG;
		ids[i] = (uint16_t)id;
	}
	out->ids = ids;
	out->nr_ids = (uint16_t)nr;
	return 0;
}

static int take_pids(struct scan *s, struct kt_summary *out)
{
	const uint8_t *p = scan_bytes(s, sizeof(out->pids));
	size_t i;

	for (i = 0; p && i < SUMMARY_PIDS; i++)
		out->pids[i] = load_u64(p + 8 * i, KT_HOST_BIG);
	return p ? 0 : -EBADMSG;
}

/*
 * @e holds the previous row; a row omits what did not change. @end: end of the previous block.
 * Blocks do not overlap, each follows its sizes, and each belongs to one CPU: so the rows of all
 * CPUs together are limited by the size of the file.
 */
static int take_row(struct summaries *all, struct scan *s, uint64_t file_size, struct entry *e,
		    uint64_t *end)
{
	uint64_t gap = take_number(s);
	uint8_t flags;
	int ret = 0;

	e->size = take_u32(s);
	e->raw_size = take_u32(s);
	flags = scan_u8(s);
	e->summary.first += (uint64_t)take_signed(s);
	e->summary.known = flags & SUMMARY_KNOWN;
	e->summary.counted = flags & SUMMARY_COUNTED;
	e->summary.nr = e->summary.counted ? take_number(s) : 0;
	e->summary.last = e->summary.first + (e->summary.counted ? take_number(s) : 0);
	e->summary.lost = flags & SUMMARY_LOST;
	if (s->failed || e->summary.nr > e->raw_size / LEAST_RECORD || gap < CHUNK_SIZES ||
	    gap > file_size - *end)
		return -EBADMSG;
	e->offset = *end + gap;
	if (!e->size || e->size > file_size - e->offset)
		return -EBADMSG;
	*end = e->offset + e->size;
	if (e->summary.known && !(flags & SUMMARY_SAME_IDS))
		ret = take_ids(all, s, &e->summary);
	if (ret == 0 && e->summary.known && !(flags & SUMMARY_SAME_PIDS))
		ret = take_pids(s, &e->summary);
	all->pub.nr_chunks++;
	all->pub.nr_known += e->summary.known;
	return all->pub.nr_chunks > file_size / (CHUNK_SIZES + 1) ? -EBADMSG : ret;
}

static int take_run(struct summaries *all, struct scan *s, uint64_t file_size, uint64_t *data)
{
	struct entry e = { 0 };
	struct summary_run *run;
	uint64_t nr, end;
	int ret = 0;

	*data += (uint64_t)take_signed(s);
	nr = take_number(s);
	if (s->failed || *data > file_size || all->nr_runs >= file_size / CPU_BYTES)
		return -EBADMSG;
	run = array_add(all->runs, all->nr_runs);
	if (!run)
		return -ENOMEM;
	*run = (struct summary_run){ .data = end = *data };
	while (nr-- && ret == 0) {
		ret = take_row(all, s, file_size, &e, &end);
		if (ret == 0 && !array_reserve(run->entries, run->nr))
			ret = -ENOMEM;
		if (ret == 0)
			run->entries[run->nr++] = e;
	}
	return ret;
}

static int take_all(struct summaries *all, struct scan *s, uint64_t file_size)
{
	uint64_t data = 0;
	int ret = 0;

	while (s->left && ret == 0)
		ret = take_run(all, s, file_size, &data);
	return ret;
}

/* The decompressed rows, new (free). NULL: damaged, or of a later version */
static uint8_t *unpack(struct kt_file *f, const struct kt_option *o, uint32_t *size)
{
	struct scan s = scan_init(o->raw.data, o->raw.size, f->swap);
	uint32_t version = scan_u32(&s);
	struct unpacker *u = NULL;
	uint64_t sum;
	uint8_t *rows;

	*size = scan_u32(&s);
	sum = scan_u64(&s);
	if (s.failed || !version || version > SUMMARY_VERSION || !f->codec ||
	    *size > FILE_MAX_CHUNK ||
	    *size / FILE_MAX_RATIO > s.left || sum != summary_checksum(s.at, s.left, *size))
		return NULL;
	rows = malloc((size_t)*size + 1);
	if (rows)
		u = file_unpacker_get(f);
	if (!u || f->codec->decompress(u->ctx, rows, *size, s.at, s.left) != (ssize_t)*size) {
		free(rows);
		rows = NULL;
	}
	if (u)
		file_unpacker_put(f, u);
	return rows;
}

/* All or nothing: if a part of the index is damaged, the rest cannot be trusted either. */
void file_take_summaries(struct kt_file *f, const uint8_t *rows, size_t size)
{
	struct summaries *all = calloc(1, sizeof(*all));
	struct scan s = scan_init(rows, size, false);
	int ret = all ? take_all(all, &s, f->info.size) : -ENOMEM;

	f->summaries_loaded = true;
	if (ret < 0) {
		destroy(all);
		all = NULL;
	}
	if (ret == -EBADMSG)
		file_damage(f, DAMAGED);
	f->summaries = all;
}

static void load(struct kt_file *f)
{
	const struct kt_option *o = kt_file_find_option(f, KT_OPTION_INDEX);
	uint8_t *rows;
	uint32_t size;

	f->summaries_loaded = true;
	if (!o)
		return;
	rows = unpack(f, o, &size);
	if (rows)
		file_take_summaries(f, rows, size);
	else
		file_damage(f, DAMAGED);
	free(rows);
}

static const struct summary_run *find_run(const struct summaries *all, uint64_t data)
{
	size_t i;

	for (i = 0; i < all->nr_runs; i++)
		if (all->runs[i].data == data)
			return &all->runs[i];
	return NULL;
}

/* Called with f->load_lock held; NULL: the index does not describe that CPU */
static const struct summary_run *run_of(struct kt_file *f, struct buffer *b, size_t cpu_index)
{
	struct chunk_index *index = &b->index[cpu_index];

	if (!f->summaries_loaded)
		load(f);
	if (!index->run_sought && f->summaries)
		index->run = find_run(f->summaries, b->cpus[cpu_index].offset);
	index->run_sought = true;
	return index->run;
}

static const struct kt_summary *find_entry(const struct summary_run *run,
					   const struct chunk_entry *e)
{
	size_t lo = 0, hi = run->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (run->entries[mid].offset < e->offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == run->nr || run->entries[lo].offset != e->offset ||
	    run->entries[lo].size != e->size || run->entries[lo].raw_size != e->raw_size)
		return NULL;
	return &run->entries[lo].summary;
}

const struct kt_summary *file_summary(struct kt_file *f, size_t buffer, size_t cpu_index,
				      uint64_t nr)
{
	const struct summary_run *run;
	struct chunk_entry e;
	struct buffer *b;

	if (buffer >= f->nr_buffers || cpu_index >= f->buffers[buffer].pub.nr_cpus)
		return NULL;
	b = &f->buffers[buffer];
	if (!b->compressed)
		return NULL;
	pthread_mutex_lock(&f->load_lock);
	run = run_of(f, b, cpu_index);
	pthread_mutex_unlock(&f->load_lock);
	if (!run || file_index_find(f, b, cpu_index, nr, &e) <= 0)
		return NULL;
	return find_entry(run, &e);
}

int kt_file_index(struct kt_file *file, struct kt_file_index *out)
{
	pthread_mutex_lock(&file->load_lock);
	if (!file->summaries_loaded)
		load(file);
	pthread_mutex_unlock(&file->load_lock);
	if (!file->summaries)
		return -ENOENT;
	*out = file->summaries->pub;
	return 0;
}
