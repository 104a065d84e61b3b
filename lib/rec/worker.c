/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* worker.c - the thread that takes one CPU's sub-buffers */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>

#include "base/bytes.h"
#include "base/moment.h"
#include "rec/rec_priv.h"

int64_t rec_now_ns(void)
{
	return (int64_t)moment_ns();
}

#define MAX_CHUNKS 16	/* then serve the other buffers of this CPU */
#define TELL_MS	   20	/* wake the packer for a block this often, otherwise for several at once */

/* The block for sub-buffers of @r */
static struct block *open_block(struct worker *w, struct reader *r)
{
	if (!r->block)
		r->block = queue_get(&w->queue);
	if (r->block)
		r->block->reader = r;
	return r->block;
}

/* Not done by the packer itself, which would first have to run */
static void set_nice(struct worker *w, int nice)
{
	if (nice != w->packer_nice)
		setpriority(PRIO_PROCESS, (id_t)w->packer_tid, nice);
	w->packer_nice = nice;
}

/* Under load blocks follow each other, so none waits long; the last one always wakes the packer */
static bool is_time_to_tell(struct worker *w)
{
	int64_t now = rec_now_ns();

	if (now - w->told_ns < TELL_MS * 1000000)
		return false;
	w->told_ns = now;
	return true;
}

/*
 * The packer has the niceness of the recording process, which is mostly that of the traced
 * processes: it must not take more than its share of a busy CPU. If the queue is about to
 * overflow, its priority is raised.
 */
static void send(struct worker *w, struct reader *r, enum block_kind kind)
{
	size_t waiting, max = w->queue.max;

	r->block->kind = kind;
	waiting = queue_put(&w->queue, r->block, is_time_to_tell(w) || kind != BLOCK_DATA);
	r->block = NULL;
	if (waiting > max / 4)
		set_nice(w, REC_NICE);
	else if (waiting < max / 16)
		set_nice(w, w->rec->nice);
}

static void send_rest(struct worker *w, struct reader *r)
{
	if (r->block && r->block->len)
		send(w, r, BLOCK_DATA);
}

static int cannot_read(const struct reader *r, ssize_t ret, struct kt_err *err)
{
	return kt_err_set(err, (int)ret, "cannot read the buffer of CPU %d: %s", r->cpu,
			  strerror((int)-ret));
}

/* @n bytes were added to the block. If it is full, send it. */
static bool took(struct worker *w, struct reader *r, ssize_t n)
{
	r->idle_rounds = 0;
	w->taken += (uint64_t)n;
	if (w->rec->sink->held)
		atomic_fetch_sub(&w->rec->held_room, n);
	atomic_fetch_add(&r->raw_bytes, (uint64_t)n);
	r->block->len += (size_t)n;
	if (r->block->len < r->room)
		return false;
	send(w, r, BLOCK_DATA);
	return true;
}

/*
 * Has the data present been taken? While tracing goes on, each read may itself cause an event. A
 * first nearly empty sub-buffer may be the rest of one that was read before. A second one is
 * still being filled: no event is so large that it would not fit.
 */
static bool is_taken(const struct reader *r)
{
	if (!r->source.partial)
		return false;
	return !r->rec->stopping || (r->rec->opts.goes_on && r->source.nr_tiny > 1);
}

/* Take all data, block by block. @rest: also the sub-buffer being filled */
static int drain(struct worker *w, struct reader *r, bool rest, struct kt_err *err)
{
	unsigned int chunks = 0;
	struct block *b;
	ssize_t n;

	while ((chunks < MAX_CHUNKS || r->rec->stopping) && !rec_is_full(w->rec)) {
		b = open_block(w, r);
		if (!b)
			return w->rec->failed ? -EIO : kt_err_no_memory(err);
		n = source_take(&r->source, &w->pipe, b->data + b->len, r->room - b->len, rest);
		if (n <= 0)
			return n ? cannot_read(r, n, err) : 0;
		chunks += took(w, r, n);
		if (is_taken(r))
			return 0;	/* check a slow buffer once, not at each event */
	}
	return 0;
}

/* Take the data that was full when poll returned. Later data will become due again. */
static int drain_due(struct worker *w, struct reader *r, struct kt_err *err)
{
	size_t left = r->source.due, room;
	struct block *b;
	ssize_t n;

	for (; left && r->source.due && !r->rec->stopping; left -= (size_t)n) {
		if (rec_is_full(w->rec))
			return 0;
		b = open_block(w, r);
		if (!b)
			return w->rec->failed ? -EIO : kt_err_no_memory(err);
		room = r->room - b->len;
		n = source_take_due(&r->source, b->data + b->len, left < room ? left : room);
		if (n <= 0)
			return n ? cannot_read(r, n, err) : 0;
		took(w, r, n);
	}
	return 0;
}

/* No data arrived for a while: store the existing data now */
static int serve_idle(struct worker *w, struct reader *r, struct kt_err *err)
{
	bool rest = ++r->idle_rounds >= REC_REST_ROUNDS;
	int ret = drain(w, r, rest, err);

	if (ret < 0)
		return ret;
	send_rest(w, r);
	if (open_block(w, r))
		send(w, r, BLOCK_IDLE);
	return 0;
}

static int poll_timeout_ms(const struct kt_rec *rec)
{
	if (rec->opts.busy)
		return 0;
	if (!rec->opts.interval_us)
		return REC_IDLE_MS;
	return (int)(rec->opts.interval_us / 1000 + 1);
}

static int drain_all(struct worker *w, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < w->nr_readers; i++) {
		ret = drain(w, w->readers[i], true, err);
		if (ret == 0)
			send_rest(w, w->readers[i]);
	}
	return ret;
}

/* Writes all data so far to the disk, since a reader waits for it */
static int sync_all(struct worker *w, struct kt_err *err)
{
	unsigned int wanted = w->rec->sync_seq;
	struct reader *first = w->readers[0];
	eventfd_t ignored;
	int ret;

	eventfd_read(w->wake_fd, &ignored);
	ret = drain_all(w, err);
	if (ret == 0 && open_block(w, first)) {
		first->block->seq = wanted;
		send(w, first, BLOCK_SYNC);
	}
	return ret;
}

int rec_take_due(struct worker *w, const struct pollfd *fds, bool rest, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && !w->rec->stopping && i < w->nr_readers; i++)
		if (fds[i].revents)
			ret = w->readers[i]->source.due && !rest ?
				drain_due(w, w->readers[i], err) :
				drain(w, w->readers[i], rest, err);
	return ret;
}

static int serve_all_idle(struct worker *w, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && !w->rec->stopping && i < w->nr_readers; i++)
		ret = serve_idle(w, w->readers[i], err);
	return ret;
}

/*
 * Data was due and is missing: the host may have stopped a CPU while it wrote. Retrying at once
 * could keep this CPU from the task that must continue.
 */
static void let_others(const struct worker *w)
{
	const struct timespec patience = { .tv_nsec = 1000000 };

	if (!w->rec->opts.busy && !w->rec->stopping)
		nanosleep(&patience, NULL);
}

/* Load comes in bursts: remember its rate across a short pause */
static void note_coming(struct worker *w)
{
	int64_t now = rec_now_ns(), apart = now - w->came_ns, most = w->apart_ns / 2 * 3 + 1000;

	w->apart_ns = apart < most ? apart : most;
	w->came_ns = now;
}

/* One round: sleep until data is due, then take it */
static int round_of(struct worker *w, struct pollfd *fds, struct kt_err *err)
{
	size_t first = rec_is_full(w->rec) ? w->nr_readers : 0;	/* then wait only for its end */
	uint64_t before = w->taken;
	int nr = poll(fds + first, w->nr_readers + 2 - first, poll_timeout_ms(w->rec));
	bool due = nr > 0 && !fds[w->nr_readers].revents && !fds[w->nr_readers + 1].revents;
	int ret = 0;

	if (nr < 0 && errno != EINTR)
		return kt_err_set(err, -errno, "cannot wait for data: %s", strerror(errno));
	if (w->rec->failed)
		return -EIO;
	pthread_mutex_lock(&w->taking);
	note_coming(w);
	if (nr == 0)
		ret = serve_all_idle(w, err);
	else if (nr > 0 && fds[w->nr_readers + 1].revents)
		ret = sync_all(w, err);
	else if (nr > 0 && w->taken == before)	/* otherwise the backup reader has taken the data */
		ret = rec_take_due(w, fds, w->rec->opts.wake_for_all, err);
	due = due && w->taken == before;
	pthread_mutex_unlock(&w->taking);
	if (due && ret == 0)
		let_others(w);
	return ret;
}

/* Runs until the recording ends */
static int serve(struct worker *w, struct kt_err *err)
{
	struct pollfd *fds = calloc(w->nr_readers + 2, sizeof(*fds));
	size_t i;
	int ret = 0;

	if (!fds)
		return kt_err_no_memory(err);
	for (i = 0; i < w->nr_readers; i++)
		fds[i] = (struct pollfd){ .fd = w->readers[i]->source.fd, .events = POLLIN };
	fds[i] = (struct pollfd){ .fd = w->rec->stop_fd, .events = POLLIN };
	fds[i + 1] = (struct pollfd){ .fd = w->wake_fd, .events = POLLIN };
	while (ret == 0 && !w->rec->stopping)
		ret = round_of(w, fds, err);
	free(fds);
	return ret;
}

static int run(struct worker *w, struct kt_err *err)
{
	int ret = serve(w, err);

	/* Report it at once: the backup reader continues until the recording is stopped. */
	if (ret < 0 && err->code)
		rec_fail(w->rec, err);
	if (w->has_backup)
		pthread_join(w->backup, NULL);
	/* The caller waits for the end */
	set_nice(w, REC_NICE);
	return ret < 0 ? ret : drain_all(w, err);
}

/*
 * Run before all ordinary processes of any session or group (niceness
 * counts only within one): the work of a reader is short. Not every
 * machine permits it. A reader that never sleeps must not do it, since others could not run.
 * Nor must a latency tracer of real-time tasks measure the readers.
 */
void rec_hurry(const struct worker *w)
{
	struct sched_param param = { .sched_priority = 1 };
	const struct kt_rec *rec = w->rec;
	bool hurry = rec->opts.rt_priority == 0 && !rec->opts.busy;
	size_t i;

	setpriority(PRIO_PROCESS, 0, REC_NICE);
	for (i = 0; i < rec->nr_buffers; i++)
		hurry &= !rec->buffers[i].is_text;
	if (hurry)
		sched_setscheduler(0, SCHED_FIFO, &param);
	else if (rec->opts.hurry)
		sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
}

static void *thread(void *data)
{
	struct worker *w = data;
	struct kt_err err = { 0 };
	size_t i;

	rec_backup_trust(w);
	rec_hurry(w);
	rec_thread_tell(w->rec, &w->tid);
	if (run(w, &err) < 0 && err.code)
		rec_fail(w->rec, &err);
	/* After a failure, a sink may still have room for what has been taken */
	for (i = 0; i < w->nr_readers; i++) {
		send_rest(w, w->readers[i]);
		if (w->readers[i]->block)
			queue_give_back(&w->queue, w->readers[i]->block);
	}
	queue_done(&w->queue);
	pthread_join(w->packer, NULL);
	return NULL;
}

static int set_priority(struct worker *w, struct kt_err *err)
{
	struct sched_param param = { .sched_priority = w->rec->opts.rt_priority };
	int ret;

	if (param.sched_priority <= 0)
		return 0;
	ret = pthread_setschedparam(w->thread, SCHED_FIFO, &param);
	return ret ? kt_err_set(err, -ret, "cannot give the readers real-time priority %d: %s",
				param.sched_priority, strerror(ret))
		   : 0;
}

int rec_worker_start(struct worker *w, struct kt_err *err)
{
	int cpu = w->readers[0]->cpu, ret;
	const struct rec_thread pack = { rec_pack, w, "ktrail/%d:pack", cpu, false };
	const struct rec_thread take = { thread, w, "ktrail/%d", cpu, true };

	w->packer_nice = w->rec->nice;
	ret = rec_thread_start(w->rec, &pack, &w->packer, err);
	if (ret < 0)
		return ret;
	w->has_backup = rec_backup_start(w);
	ret = rec_thread_start(w->rec, &take, &w->thread, err);
	if (ret < 0) {
		atomic_store(&w->rec->stopping, true);
		eventfd_write(w->rec->stop_fd, 1);
		if (w->has_backup)
			pthread_join(w->backup, NULL);
		queue_done(&w->queue);
		pthread_join(w->packer, NULL);
		return ret;
	}
	w->running = true;
	return set_priority(w, err);
}
