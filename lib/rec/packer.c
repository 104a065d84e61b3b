/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* packer.c - the thread that compresses and stores what a CPU's reader has taken */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/bytes.h"
#include "rec/rec_priv.h"

struct packed {			/* a chunk as it is stored */
	const char *data;
	size_t size, raw;
	struct kt_summary summary;
};

static void count(struct reader *r, size_t file_bytes)
{
	struct kt_rec *rec = r->rec;
	uint64_t total = atomic_fetch_add(&rec->total_bytes, file_bytes) + file_bytes;

	atomic_fetch_add(&r->file_bytes, file_bytes);
	if (rec->opts.max_bytes && total >= rec->opts.max_bytes)
		rec_alarm(rec);
}

/* As it is stored: two sizes and a frame in w->frame, or the bare bytes */
static int pack(struct worker *w, const struct reader *r, const char *data, size_t raw,
		struct packed *out, struct kt_err *err)
{
	static const struct kt_page_layout layout = {
		.commit_offset = 8, .commit_size = sizeof(long), .data_offset = 8 + sizeof(long),
	};	/* the writer makes sure of it */
	size_t len;

	*out = (struct packed){ .data = data, .size = raw, .raw = raw };
	if (!w->compress)
		return 0;
	len = compress_run(w->compress, w->frame + 8, w->frame_room - 8, data, raw);
	if (!len)
		return kt_err_set(err, -EIO, "cannot compress the data of CPU %d", r->cpu);
	store_u32(w->frame, (uint32_t)len, false);
	store_u32(w->frame + 4, (uint32_t)raw, false);
	out->data = w->frame;
	out->size = len + 8;
	if (w->summarizer)
		summary_make(w->summarizer, &layout, data, raw, r->buffer->page_size,
			     &out->summary);
	return 0;
}

static int put(const struct worker *w, struct reader *r, const struct packed *p, struct kt_err *err)
{
	int ret = rec_part_append(r, p->data, p->size, p->raw, err);

	if (ret < 0)
		return ret;
	count(r, p->size);
	if (w->summarizer)
		rec_part_note(&r->part, p->size, p->raw, &p->summary);
	return 0;
}

/* The sub-buffers of a block become one chunk */
static int store(struct worker *w, const struct block *b, struct kt_err *err)
{
	struct reader *r = b->reader;
	uint32_t page = r->buffer->page_size;
	size_t raw = b->len, done = 0;
	struct packed p;
	int ret = 0;

	/*
	 * What leads to another extent is a small chunk: there are readers that
	 * take it in with all that lies between, for each sub-buffer in it again.
	 */
	if (raw > page && rec_shared_is_full(r, r->part.last_size)) {
		ret = pack(w, r, b->data, page, &p, err);
		r->part.leave = true;
		if (ret == 0)
			ret = put(w, r, &p, err);
		r->part.last_ts = load_u64(b->data, false);
		done = page;
	}
	if (ret == 0)
		ret = pack(w, r, b->data + done, raw - done, &p, err);
	if (ret < 0)
		return ret;
	if (raw == r->room)
		r->part.last_size = p.size;
	ret = put(w, r, &p, err);
	r->part.last_ts = load_u64(b->data + raw - page, false);
	return ret;
}

/* A sub-buffer without events, on the way to a chunk that would be too far from the last one */
static int put_stone(struct worker *w, struct block *b, struct kt_err *err)
{
	struct reader *r = b->reader;
	struct packed p;
	int ret;

	memset(b->data, 0, r->buffer->page_size);
	store_u64(b->data, r->part.last_ts, false);
	ret = pack(w, r, b->data, r->buffer->page_size, &p, err);
	r->part.leave = true;
	return ret < 0 ? ret : put(w, r, &p, err);
}

static void see_symbols(struct kt_rec *rec, const struct block *b)
{
	if (!rec->symbols)
		return;
	rec_symbols_see(rec->symbols, b->data, b->len);
	if (rec_symbols_any(rec->symbols) && !atomic_exchange(&rec->symbols_wanted, true))
		eventfd_write(rec->symbols_fd, 1);
}

/* All that came before is on its way to the disk: somebody wants to read it there */
static int tell_synced(struct worker *w, unsigned int seq, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && w->rec->opts.follow && i < w->nr_readers; i++) {
		ret = rec_part_forget(&w->readers[i]->part);
		if (ret < 0)
			kt_err_set(err, ret, "cannot write the data of CPU %d for %s: %s",
				   w->readers[i]->cpu, w->rec->path, strerror(-ret));
	}
	atomic_store(&w->synced, seq);
	eventfd_write(w->rec->synced_fd, 1);
	return ret;
}

static int handle(struct worker *w, struct block *b, struct kt_err *err)
{
	switch (b->kind) {
	case BLOCK_DATA:
		see_symbols(w->rec, b);
		return store(w, b, err);
	case BLOCK_IDLE:
		return rec_shared_needs_stone(b->reader) ? put_stone(w, b, err) : 0;
	case BLOCK_SYNC:
		return tell_synced(w, b->seq, err);
	}
	return 0;
}

void *rec_pack(void *data)
{
	struct worker *w = data;
	struct kt_err err = { 0 };
	struct block *b;

	rec_thread_tell(w->rec, &w->packer_tid);
	while ((b = queue_take(&w->queue))) {
		/* After a failure what others stored is not made worse */
		if (!err.code && handle(w, b, &err) < 0) {
			rec_fail(w->rec, &err);
			queue_fail(&w->queue);
		}
		queue_give_back(&w->queue, b);
	}
	return NULL;
}
