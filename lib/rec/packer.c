/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* packer.c - the thread that compresses and stores the data taken by a CPU's reader */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/bytes.h"
#include "rec/rec_priv.h"

static void count(struct reader *r, const struct sink_chunk *c)
{
	struct kt_rec *rec = r->rec;
	uint64_t total = atomic_fetch_add(&rec->total_bytes, c->size) + c->size;

	if (atomic_fetch_add(&r->stored_raw, c->raw) == 0)
		eventfd_write(rec->first_fd, 1);
	atomic_fetch_add(&r->file_bytes, c->size);
	if (rec->opts.max_bytes && total >= rec->opts.max_bytes)
		rec_alarm(rec);
}

/* The stored form: two sizes and a frame in w->frame, or the bare bytes */
static int pack(struct worker *w, const struct reader *r, const char *data, struct sink_chunk *c,
		struct kt_summary *summary, struct kt_err *err)
{
	static const struct kt_page_layout layout = {
		.commit_offset = 8, .commit_size = sizeof(long), .data_offset = 8 + sizeof(long),
	};	/* the writer ensures it */
	size_t len;

	c->data = data;
	c->size = c->raw;
	c->last_ts = load_u64(data + c->raw - r->buffer->page_size, false);
	if (!w->compress)
		return 0;
	len = compress_run(w->compress, w->frame + 8, w->frame_room - 8, data, c->raw);
	if (!len)
		return kt_err_set(err, -EIO, "cannot compress the data of CPU %d", r->cpu);
	store_u32(w->frame, (uint32_t)len, false);
	store_u32(w->frame + 4, (uint32_t)c->raw, false);
	c->data = w->frame;
	c->size = len + 8;
	if (!w->summarizer)
		return 0;
	summary_make(w->summarizer, &layout, data, c->raw, r->buffer->page_size, summary);
	c->summary = summary;
	return 0;
}

/* Stores the sub-buffers of a block as one chunk, or as several if the sink prefers that */
static int store(struct worker *w, const struct block *b, struct kt_err *err)
{
	struct reader *r = b->reader;
	const struct sink_ops *ops = w->rec->sink->ops;
	struct kt_summary summary;
	size_t done = 0;
	int ret = 0;

	for (; ret == 0 && done < b->len;) {
		struct sink_chunk c = { .raw = b->len - done };

		if (ops->portion)
			c.raw = ops->portion(r->out, c.raw);
		ret = pack(w, r, b->data + done, &c, &summary, err);
		if (ret == 0)
			ret = ops->append(r->out, &c, err);
		if (ret == 0)
			count(r, &c);
		done += c.raw;
	}
	return ret;
}

static void see_symbols(struct kt_rec *rec, const struct block *b)
{
	if (!rec->symbols)
		return;
	used_symbols_see(rec->symbols, b->data, b->len);
	if (used_symbols_any(rec->symbols) && !atomic_exchange(&rec->symbols_wanted, true))
		eventfd_write(rec->symbols_fd, 1);
}

/* The sink has all earlier data: a reader waits for it */
static int tell_synced(struct worker *w, unsigned int seq, struct kt_err *err)
{
	const struct sink_ops *ops = w->rec->sink->ops;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && ops->sync && i < w->nr_readers; i++)
		ret = ops->sync(w->readers[i]->out, err);
	atomic_store(&w->synced, seq);
	eventfd_write(w->rec->synced_fd, 1);
	return ret;
}

static int handle(struct worker *w, const struct block *b, struct kt_err *err)
{
	const struct sink_ops *ops = w->rec->sink->ops;

	switch (b->kind) {
	case BLOCK_DATA:
		see_symbols(w->rec, b);
		return store(w, b, err);
	case BLOCK_IDLE:
		return ops->idle ? ops->idle(b->reader->out, err) : 0;
	case BLOCK_SYNC:
		return tell_synced(w, b->seq, err);
	}
	return 0;
}

/* Data that has been taken can still be stored, but no more is taken. */
static void end_full(struct worker *w)
{
	struct kt_err err = { 0 };

	kt_err_set(&err, -ENOSPC, "there is no space for more data");
	rec_fail(w->rec, &err);
	queue_fail(&w->queue);
}

void *rec_pack(void *data)
{
	struct worker *w = data;
	struct kt_err err = { 0 };
	struct block *b;

	rec_thread_tell(w->rec, &w->packer_tid);
	while ((b = queue_take(&w->queue))) {
		/* After a failure, do not damage the data that others have stored */
		if (!err.code && handle(w, b, &err) < 0) {
			rec_fail(w->rec, &err);
			queue_fail(&w->queue);
		} else if (w->rec->sink->full) {
			end_full(w);
		}
		queue_give_back(&w->queue, b);
	}
	return NULL;
}
