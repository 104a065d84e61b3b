/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* worker.c - the thread that takes one CPU's sub-buffers, compresses and stores them */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bytes.h"
#include "rec/rec_priv.h"

static void alarm_caller(struct kt_rec *rec)
{
	eventfd_write(rec->alarm_fd, 1);
}

void rec_fail(struct kt_rec *rec, const struct kt_err *err)
{
	pthread_mutex_lock(&rec->lock);
	if (!rec->err.code)
		rec->err = *err;
	pthread_mutex_unlock(&rec->lock);
	atomic_store(&rec->failed, true);
	alarm_caller(rec);
	eventfd_write(rec->synced_fd, 1);
}

/*
 * The buffer holds some milliseconds of a heavy load: a reader that others are let
 * run before loses events. With as many as four busy processes to each CPU, 2 million
 * events a second for 2 s lost up to 27,000 in 4 of 6 runs, so with 0 in 6 runs.
 */
#define READER_NICE -19

struct packed {			/* a chunk as it is stored */
	const char *data;
	size_t size, raw;
};

static void count(struct reader *r, size_t file_bytes)
{
	struct kt_rec *rec = r->rec;
	uint64_t total = atomic_fetch_add(&rec->total_bytes, file_bytes) + file_bytes;

	atomic_fetch_add(&r->file_bytes, file_bytes);
	if (rec->opts.max_bytes && total >= rec->opts.max_bytes)
		alarm_caller(rec);
}

/* As it is stored: two sizes and a frame in w->frame, or the bare bytes */
static int pack(struct worker *w, const struct reader *r, const char *data, size_t raw,
		struct packed *out, struct kt_err *err)
{
	size_t len;

	*out = (struct packed){ data, raw, raw };
	if (!w->compress)
		return 0;
	len = compress_run(w->compress, w->frame + 8, w->frame_room - 8, data, raw);
	if (!len)
		return kt_err_set(err, -EIO, "cannot compress the data of CPU %d", r->cpu);
	store_u32(w->frame, (uint32_t)len, false);
	store_u32(w->frame + 4, (uint32_t)raw, false);
	*out = (struct packed){ w->frame, len + 8, raw };
	return 0;
}

static int put(struct reader *r, const struct packed *p, struct kt_err *err)
{
	int ret = rec_part_append(r, p->data, p->size, p->raw, err);

	if (ret == 0)
		count(r, p->size);
	return ret;
}

/* Store what is staged as one chunk */
static int flush(struct worker *w, struct reader *r, struct kt_err *err)
{
	uint32_t page = r->buffer->page_size;
	size_t raw = r->len, done = 0;
	struct packed p;
	int ret = 0;

	if (!raw)
		return 0;
	r->len = 0;
	/*
	 * What leads to another extent is a small chunk: there are readers that
	 * take it in with all that lies between, for each sub-buffer in it again.
	 */
	if (raw > page && rec_shared_is_full(r, r->part.last_size)) {
		ret = pack(w, r, r->stage, page, &p, err);
		r->part.leave = true;
		if (ret == 0)
			ret = put(r, &p, err);
		r->part.last_ts = load_u64(r->stage, false);
		done = page;
	}
	if (ret == 0)
		ret = pack(w, r, r->stage + done, raw - done, &p, err);
	if (ret < 0)
		return ret;
	if (raw == r->room)
		r->part.last_size = p.size;
	ret = put(r, &p, err);
	r->part.last_ts = load_u64(r->stage + raw - page, false);
	return ret;
}

/* A sub-buffer without events, on the way to a chunk that would be too far from the last one */
static int put_stone(struct worker *w, struct reader *r, struct kt_err *err)
{
	struct packed p;
	int ret;

	memset(r->stage, 0, r->buffer->page_size);
	store_u64(r->stage, r->part.last_ts, false);
	ret = pack(w, r, r->stage, r->buffer->page_size, &p, err);
	r->part.leave = true;
	return ret < 0 ? ret : put(r, &p, err);
}

static void see_symbols(struct kt_rec *rec, const void *data, size_t size)
{
	if (!rec->symbols)
		return;
	rec_symbols_see(rec->symbols, data, size);
	if (rec_symbols_any(rec->symbols) && !atomic_exchange(&rec->symbols_wanted, true))
		eventfd_write(rec->symbols_fd, 1);
}

#define MAX_CHUNKS 16	/* then the other buffers of this CPU have their turn */

/* Take what there is, chunk by chunk. @rest: the sub-buffer being filled as well */
static int drain(struct worker *w, struct reader *r, bool rest, struct kt_err *err)
{
	unsigned int chunks = 0;
	ssize_t n;
	int ret;

	while (chunks < MAX_CHUNKS || r->rec->stopping) {
		n = source_take(&r->source, &w->pipe, r->stage + r->len, r->room - r->len, rest);
		if (n < 0)
			return kt_err_set(err, (int)n, "cannot read the buffer of CPU %d: %s",
					  r->cpu, strerror((int)-n));
		if (n == 0)
			return 0;
		r->idle_rounds = 0;
		atomic_fetch_add(&r->raw_bytes, (uint64_t)n);
		see_symbols(r->rec, r->stage + r->len, (size_t)n);
		r->len += (size_t)n;
		if (r->len == r->room) {
			ret = flush(w, r, err);
			if (ret < 0)
				return ret;
			chunks++;
		}
		if (r->source.partial && !r->rec->stopping)
			return 0;	/* one look at a slow buffer, not one at each event */
	}
	return 0;
}

/* Nothing came for a while: what is here should not wait for more */
static int serve_idle(struct worker *w, struct reader *r, struct kt_err *err)
{
	bool rest = ++r->idle_rounds >= REC_REST_ROUNDS;
	int ret = drain(w, r, rest, err);

	if (ret == 0)
		ret = flush(w, r, err);
	return ret == 0 && rec_shared_needs_stone(r) ? put_stone(w, r, err) : ret;
}

static int poll_timeout_ms(const struct kt_rec *rec)
{
	if (rec->opts.busy)
		return 0;
	if (!rec->opts.interval_us)
		return REC_IDLE_MS;
	return (int)(rec->opts.interval_us / 1000 + 1);
}

/* Everything up to now goes to the disk: somebody wants to read it there */
static int sync_all(struct worker *w, struct kt_err *err)
{
	unsigned int wanted = w->rec->sync_seq;
	eventfd_t ignored;
	size_t i;
	int ret = 0;

	eventfd_read(w->wake_fd, &ignored);
	for (i = 0; ret == 0 && i < w->nr_readers; i++) {
		ret = drain(w, w->readers[i], true, err);
		if (ret == 0)
			ret = flush(w, w->readers[i], err);
		if (ret == 0 && w->rec->opts.follow)
			ret = rec_part_forget(&w->readers[i]->part);
	}
	atomic_store(&w->synced, wanted);
	eventfd_write(w->rec->synced_fd, 1);
	return ret;
}

/* One round: sleep until data is due, then take it */
static int round_of(struct worker *w, struct pollfd *fds, struct kt_err *err)
{
	bool wake_for_all = w->rec->opts.wake_for_all;
	int nr = poll(fds, w->nr_readers + 2, poll_timeout_ms(w->rec));
	int ret = 0;
	size_t i;

	if (nr < 0 && errno != EINTR)
		return kt_err_set(err, -errno, "cannot wait for data: %s", strerror(errno));
	if (w->rec->failed)
		return -EIO;
	if (nr > 0 && fds[w->nr_readers + 1].revents)
		return sync_all(w, err);
	for (i = 0; ret == 0 && !w->rec->stopping && i < w->nr_readers; i++) {
		if (nr == 0)
			ret = serve_idle(w, w->readers[i], err);
		else if (fds[i].revents)
			ret = drain(w, w->readers[i], wake_for_all, err);
	}
	return ret;
}

static int drain_all(struct worker *w, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < w->nr_readers; i++) {
		ret = drain(w, w->readers[i], true, err);
		if (ret == 0)
			ret = flush(w, w->readers[i], err);
	}
	return ret;
}

static int run(struct worker *w, struct kt_err *err)
{
	struct pollfd *fds = calloc(w->nr_readers + 2, sizeof(*fds));
	size_t i;
	int ret = 0;

	if (!fds)
		return kt_err_set(err, -ENOMEM, "no memory for a reader");
	for (i = 0; i < w->nr_readers; i++)
		fds[i] = (struct pollfd){ .fd = w->readers[i]->source.fd, .events = POLLIN };
	fds[i] = (struct pollfd){ .fd = w->rec->stop_fd, .events = POLLIN };
	fds[i + 1] = (struct pollfd){ .fd = w->wake_fd, .events = POLLIN };
	while (ret == 0 && !w->rec->stopping)
		ret = round_of(w, fds, err);
	free(fds);
	return ret < 0 ? ret : drain_all(w, err);
}

static void *thread(void *data)
{
	struct worker *w = data;
	struct kt_err err = { 0 };

	/* Not everybody may; of this thread alone */
	setpriority(PRIO_PROCESS, 0, READER_NICE);
	atomic_store(&w->tid, (int)syscall(SYS_gettid));
	if (run(w, &err) < 0 && err.code)
		rec_fail(w->rec, &err);
	return NULL;
}

static int set_priority(struct worker *w, struct kt_err *err)
{
	struct sched_param param = { .sched_priority = w->rec->opts.rt_priority };
	int ret;

	if (!param.sched_priority)
		return 0;
	ret = pthread_setschedparam(w->thread, SCHED_FIFO, &param);
	return ret ? kt_err_set(err, -ret, "cannot give the readers real-time priority %d: %s",
				param.sched_priority, strerror(ret))
		   : 0;
}

/* Threads take no signals: those are the caller's */
int rec_worker_start(struct worker *w, struct kt_err *err)
{
	char name[16];
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(&w->thread, NULL, thread, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret)
		return kt_err_set(err, -ret, "cannot start a reader: %s", strerror(ret));
	w->running = true;
	snprintf(name, sizeof(name), "ktrail/%d", w->readers[0]->cpu);
	pthread_setname_np(w->thread, name);
	while (!atomic_load(&w->tid))
		sched_yield();
	return set_priority(w, err);
}
