/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bundle.c - chunks that the thread which takes the data compresses at once */
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "rec/rec_priv.h"

/*
 * What was just copied is still in the cache: compressed by the same thread it
 * costs a quarter less than by another, which had to be woken for it besides. And
 * an ordinary thread that waits for a busy CPU takes from the share of the command
 * that is traced, for both are of one session. (With an idle CPU, and this thread on
 * that of the command, it is the other way round.) Only the chunks, several together,
 * go to the thread that may have to wait for the disk.
 */
#define BUNDLE_BYTES (128u << 10)	/* then they are sent; or at this age: */
#define BUNDLE_NS    250000000ull
#define QUICK_NS     2000000ull		/* a chunk that takes longer is for the other thread, */
#define PASS_ON	     64			/* and so are so many after it */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void rec_bundle_send(struct worker *w, struct reader *r)
{
	if (r->bundle)
		rec_worker_put(w, r->bundle);
	r->bundle = NULL;
}

void rec_bundle_send_old(struct worker *w, struct reader *r)
{
	if (r->bundle && now_ns() - r->bundle_ns >= BUNDLE_NS)
		rec_bundle_send(w, r);
}

/* Room for @size bytes more; NULL: no memory, or there was a failure */
static struct block *open_bundle(struct worker *w, struct reader *r, size_t size)
{
	if (r->bundle && r->bundle->len + size > w->queue.room)
		rec_bundle_send(w, r);
	if (!r->bundle) {
		r->bundle = queue_get(&w->queue);
		r->bundle_ns = now_ns();
	}
	if (r->bundle) {
		r->bundle->kind = BLOCK_CHUNKS;
		r->bundle->reader = r;
	}
	return r->bundle;
}

static void add(struct worker *w, struct reader *r, const struct block *b, size_t size)
{
	struct block *bundle = open_bundle(w, r, size);

	if (!bundle)
		return;
	memcpy(bundle->data + bundle->len, w->press.chunk, size);
	bundle->len += size;
	bundle->last_ts = load_u64(b->data + b->len - r->buffer->page_size, false);
	if (bundle->len >= BUNDLE_BYTES)
		rec_bundle_send(w, r);
}

bool rec_bundle_add(struct worker *w, struct reader *r, const struct block *b)
{
	uint64_t begin = now_ns();
	size_t size;

	if (!w->press.compress || place_in_the_way(&w->place, r->cpu))
		return false;
	if (w->pass_on) {
		w->pass_on--;
		return false;
	}
	rec_see_symbols(w->rec, b);
	size = rec_press(&w->press, b->data, b->len);
	if (!size || size > w->queue.room || now_ns() - begin > QUICK_NS)
		w->pass_on = PASS_ON;
	if (!size || size > w->queue.room)
		return false;
	add(w, r, b, size);
	return true;
}
