/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rec.c - a recording: its buffers, its threads, start and stop */
#include <ktrail/rec.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "base/array.h"
#include "rec/rec_priv.h"
#include "sink/file_sink.h"

static int init(struct kt_rec *rec, struct kt_err *err)
{
	rec->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rec->alarm_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rec->symbols_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rec->first_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rec->synced_fd = eventfd(0, EFD_CLOEXEC);
	if (rec->stop_fd < 0 || rec->alarm_fd < 0 || rec->symbols_fd < 0 || rec->first_fd < 0 ||
	    rec->synced_fd < 0)
		return kt_err_set(err, -errno, "cannot create an eventfd: %s", strerror(errno));
	return 0;
}

struct kt_rec *rec_create(struct sink *sink, const struct kt_rec_opts *opts, struct kt_err *err)
{
	struct kt_rec *rec = calloc(1, sizeof(*rec));

	if (!rec) {
		kt_err_no_memory(err);
		return NULL;
	}
	rec->opts = *opts;
	rec->opts.compression = NULL;	/* belongs to the sink */
	pthread_mutex_init(&rec->lock, NULL);
	sem_init(&rec->told, 0, 0);
	sem_init(&rec->collected, 0, 0);
	if (init(rec, err) < 0) {
		kt_rec_destroy(rec);
		return NULL;
	}
	rec->sink = sink;
	return rec;
}

struct kt_rec *kt_rec_create(const char *path, const struct kt_rec_opts *opts, struct kt_err *err)
{
	const struct file_sink_opts file = {
		.version = opts->version, .compression = opts->compression,
		.keep_old = opts->keep_old, .follow = opts->follow,
		.max_kb_per_cpu = opts->max_kb_per_cpu,
	};
	struct sink *sink = file_sink_create(path, &file, err);
	struct kt_rec *rec = sink ? rec_create(sink, opts, err) : NULL;

	if (sink && !rec)
		sink->ops->close(sink, true);
	return rec;
}

const char *kt_rec_kept(const struct kt_rec *rec)
{
	return file_sink_kept(rec->sink);
}

int kt_rec_drop_kept(struct kt_rec *rec, struct kt_err *err)
{
	return file_sink_drop_kept(rec->sink, err);
}

static int find_page_size(struct kt_instance *inst, uint32_t *size)
{
	long long kb;

	*size = 4096;
	if (kt_instance_read_number(inst, "buffer_subbuf_size_kb", &kb, NULL) == 0 && kb > 0 &&
	    kb <= 1 << 14)
		*size = (uint32_t)kb * 1024;
	else if (sysconf(_SC_PAGESIZE) > 0)
		*size = (uint32_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static size_t stage_size(const struct kt_rec *rec, uint32_t page_size)
{
	size_t size = COMPRESS_CHUNK;

	/* The limit drops whole chunks: they must be small compared to it */
	if (rec->opts.max_kb_per_cpu && rec->opts.max_kb_per_cpu * 256 < size)
		size = rec->opts.max_kb_per_cpu * 256;
	size -= size % page_size;
	return size ? size : page_size;
}

static int add_readers(struct kt_rec *rec, struct rec_buffer *b, struct kt_err *err)
{
	const struct sink_buffer sb = { .name = b->name, .clock = b->clock,
					.page_size = b->page_size };
	int number = rec->sink->ops->buffer(rec->sink, &sb, err);
	int *cpus = NULL, nr = number < 0 ? number : kt_instance_cpus(b->inst, &cpus, err), i;
	size_t room = stage_size(rec, b->page_size);

	if (nr < 0)
		return nr;
	b->readers = calloc((size_t)nr + 1, sizeof(*b->readers));
	for (i = 0; b->readers && i < nr; i++) {
		b->readers[i] = (struct reader){
			.rec = rec, .cpu = cpus[i], .source.fd = -1, .room = room,
			.out = rec->sink->ops->cpu(rec->sink, number, cpus[i], room, err),
		};
		b->nr_readers++;
		if (!b->readers[i].out)
			break;
	}
	free(cpus);
	if (!b->readers)
		return kt_err_no_memory(err);
	return i < nr ? -ENOMEM : 0;
}

/* A negative size: the CPUs differ, and one of them may be small */
static unsigned int wake_percent(const struct kt_instance *inst)
{
	return kt_instance_buffer_size(inst, -1, NULL) < REC_SMALL_KB ?
	       REC_WAKE_EARLIER : REC_WAKE_PERCENT;
}

int kt_rec_add(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err)
{
	return kt_rec_add_as(rec, inst, kt_instance_name(inst), err);
}

/* Readers of raw data should wake at a different fill level than readers of text */
static int set_percent(struct kt_rec *rec, struct rec_buffer *b, struct kt_err *err)
{
	int ret;

	if (kt_instance_read_number(b->inst, "buffer_percent", &b->percent_before, NULL) < 0)
		b->percent_before = -1;
	if (rec->opts.observe) {
		b->percent = b->percent_before > 0 ? (unsigned int)b->percent_before : 0;
		b->percent_before = -1;		/* nothing to restore */
		return 0;
	}
	b->percent = rec->opts.wake_for_all ? 0 : wake_percent(b->inst);
	ret = kt_instance_set_buffer_percent(b->inst, b->percent, err);
	if (ret < 0 && !kt_is_unavailable(ret))
		return ret;
	if (ret < 0) {
		kt_err_clear(err);
		b->percent = 0;
	}
	return 0;
}

int kt_rec_add_as(struct kt_rec *rec, struct kt_instance *inst, const char *name,
		  struct kt_err *err)
{
	struct rec_buffer *b = array_add(rec->buffers, rec->nr_buffers);
	int ret;

	if (!b)
		return kt_err_no_memory(err);
	*b = (struct rec_buffer){ .inst = inst, .percent_before = -1 };
	b->name = strdup(name);
	b->clock = kt_instance_clock(inst, NULL);
	if (!b->clock)
		b->clock = strdup("local");
	if (!b->name || !b->clock)
		return kt_err_no_memory(err);
	find_page_size(inst, &b->page_size);
	/* The worst case is kept elsewhere: its text is the trace, not the buffer's data */
	b->is_text = kt_instance_shows_max(inst);
	if (b->is_text)
		return 0;
	ret = add_readers(rec, b, err);
	return ret < 0 ? ret : set_percent(rec, b, err);
}

/* Bytes in full sub-buffers when a reader wakes; the kernel also counts the one being written */
static size_t due_bytes(const struct kt_rec *rec, const struct rec_buffer *b, int cpu)
{
	int64_t kb = kt_instance_buffer_size(b->inst, cpu, NULL);
	uint64_t pages = kb > 0 ? (uint64_t)kb * 1024 / b->page_size * b->percent / 100 : 0;

	if (rec->opts.snapshot || rec->opts.no_splice)
		return 0;
	return pages > 1 ? (size_t)(pages - 1) * b->page_size : 0;
}

static int open_reader(struct kt_rec *rec, struct rec_buffer *b, struct reader *r,
		       struct kt_err *err)
{
	char file[64];
	char *path;
	int ret;

	r->buffer = b;
	snprintf(file, sizeof(file), "per_cpu/cpu%d/%s", r->cpu,
		 rec->opts.snapshot ? "snapshot_raw" : "trace_pipe_raw");
	path = kt_instance_path(b->inst, file);
	if (!path)
		return kt_err_no_memory(err);
	ret = source_open(&r->source, path, b->page_size, !rec->opts.no_splice, err);
	free(path);
	r->source.due = due_bytes(rec, b, r->cpu);
	rec_read_stats(r, &r->before, NULL);
	return ret;
}

/* A worker for each CPU; it serves that CPU of every buffer */
static int make_workers(struct kt_rec *rec, struct kt_err *err)
{
	size_t i, j, nr = 0;
	struct worker *w;

	for (i = 0; i < rec->nr_buffers; i++)
		if (rec->buffers[i].nr_readers > nr)
			nr = rec->buffers[i].nr_readers;

	rec->workers = calloc(nr ? nr : 1, sizeof(*w));
	if (!rec->workers)
		return kt_err_no_memory(err);
	rec->nr_workers = nr;
	for (w = rec->workers; w < rec->workers + nr; w++) {
		w->rec = rec;
		queue_init(&w->queue);
		queue_lock_init(&w->taking);
		w->wake_fd = -1;
		w->pipe.fd[0] = w->pipe.fd[1] = -1;
		w->readers = calloc(rec->nr_buffers, sizeof(*w->readers));
		if (!w->readers)
			return kt_err_no_memory(err);
	}
	for (i = 0; i < rec->nr_buffers; i++)
		for (j = 0; j < rec->buffers[i].nr_readers; j++) {
			w = &rec->workers[j];
			w->readers[w->nr_readers++] = &rec->buffers[i].readers[j];
		}
	return 0;
}

/*
 * How far a CPU may be ahead of its compressor and the disk: a third of a second of
 * the heaviest load. The end of the recording compresses and stores all of it.
 */
#define BACKLOG_BYTES (32u << 20)
#define PARTIAL_BYTES (64u << 10)	/* an unfilled sub-buffer takes as much as a full one */

static size_t backlog_bytes(const struct kt_rec *rec)
{
	uint64_t ram = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t share = ram / 32 / rec->nr_workers;

	return share < BACKLOG_BYTES ? (size_t)share : BACKLOG_BYTES;
}

static int prepare_worker(struct kt_rec *rec, struct worker *w, struct kt_err *err)
{
	size_t room = 0, i;
	int ret = compress_open(&w->compress, rec->sink->compression, err);

	if (ret < 0)
		return ret;
	for (i = 0; i < w->nr_readers; i++)
		if (w->readers[i]->room > room)
			room = w->readers[i]->room;
	queue_limit(&w->queue, room, rec->opts.at_rest ? 0 : backlog_bytes(rec),
		    w->nr_readers + 2);
	rec->backlog += w->queue.max * room;
	w->frame_room = compress_bound(w->compress, room) + 8;
	w->frame = malloc(w->frame_room);
	if (!w->frame)
		return kt_err_no_memory(err);
	if (rec->sink->wants_summaries)
		w->summarizer = calloc(1, sizeof(*w->summarizer));
	w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->wake_fd < 0)
		return kt_err_set(err, -errno, "cannot create an eventfd: %s", strerror(errno));
	if (!rec->opts.no_splice)
		source_pipe_open(&w->pipe, room);
	return 0;
}

#define TEXT_BYTES (4u << 20)		/* for texts, which are stored twice, and the index */
#define SMALL_BYTES (64u << 10)		/* of a CPU: its last chunk */

/*
 * At rest: space for all data that may be taken and not stored; with many CPUs, usually more than
 * exists. Otherwise recording ends with the chunks that no longer fit: space to finish the file.
 */
static void reserve(struct kt_rec *rec)
{
	uint64_t bytes = TEXT_BYTES + rec->nr_workers * SMALL_BYTES;
	uint64_t held = rec->opts.held + rec->nr_workers * PARTIAL_BYTES;

	if (!rec->sink->ops->reserve || rec->opts.follow || rec->opts.observe)
		return;
	if (rec->opts.at_rest)
		bytes = rec->opts.held && held < rec->backlog ? held : rec->backlog;
	rec->sink->ops->reserve(rec->sink, bytes, !rec->opts.at_rest);
}

static int start_collector(struct kt_rec *rec, struct kt_err *err)
{
	const struct rec_thread collect = { rec_collect, rec, "ktrail/formats", 0, false };
	int ret;

	if (rec->opts.kallsyms == KT_REC_KALLSYMS_USED)
		rec->symbols = used_symbols_create();
	if (rec->symbols)
		rec_collect_layout(rec);
	ret = rec_thread_start(rec, &collect, &rec->collector, err);
	rec->collecting = ret == 0;
	if (ret < 0 || !rec->opts.at_rest)
		return ret;
	while (sem_wait(&rec->collected) < 0 && errno == EINTR)
		;
	ret = rec->collect_result;
	return ret < 0 ? kt_err_set(err, ret, "%s", rec->collect_err.msg) : 0;
}

static int open_readers(struct kt_rec *rec, struct kt_err *err)
{
	size_t i, j;
	int ret = 0;

	for (i = 0; i < rec->nr_buffers; i++)
		for (j = 0; ret == 0 && j < rec->buffers[i].nr_readers; j++)
			ret = open_reader(rec, &rec->buffers[i], &rec->buffers[i].readers[j], err);
	return ret;
}

int kt_rec_start(struct kt_rec *rec, struct kt_err *err)
{
	size_t i;
	int ret;

	if (!rec->nr_buffers)
		return kt_err_set(err, -EINVAL, "no buffer to record");
	rec->nice = getpriority(PRIO_PROCESS, 0);
	ret = open_readers(rec, err);
	if (ret < 0)
		return ret;
	ret = make_workers(rec, err);
	for (i = 0; ret == 0 && i < rec->nr_workers; i++)
		ret = prepare_worker(rec, &rec->workers[i], err);
	if (ret < 0)
		return ret;
	reserve(rec);
	/* Readers of the unfinished file need these first */
	ret = rec_store_identity(rec, err);
	if (ret < 0)
		return ret;
	ret = rec->sink->ops->flush(rec->sink, err);
	if (ret < 0)
		return ret;
	ret = rec->opts.follow ? rec_collect_now(rec, err) : start_collector(rec, err);
	for (i = 0; ret == 0 && i < rec->nr_workers; i++)
		ret = rec_worker_start(&rec->workers[i], err);
	return ret;
}

static void add_tid(int tid, int *tids, size_t nr, size_t *n)
{
	if (*n < nr)
		tids[*n] = tid;
	(*n)++;
}

size_t kt_rec_threads(const struct kt_rec *rec, int *tids, size_t nr)
{
	size_t i, n = 0;

	for (i = 0; i < rec->nr_workers; i++) {
		const struct worker *w = &rec->workers[i];

		if (!w->running)
			continue;
		add_tid(w->tid, tids, nr, &n);
		add_tid(w->packer_tid, tids, nr, &n);
		if (w->has_backup)
			add_tid(w->backup_tid, tids, nr, &n);
	}
	if (rec->collecting)
		add_tid(rec->collector_tid, tids, nr, &n);
	return n;
}

int kt_rec_fd(const struct kt_rec *rec)
{
	return rec->alarm_fd;
}

static void join_threads(struct kt_rec *rec)
{
	size_t i;

	atomic_store(&rec->stopping, true);
	if (rec->stop_fd >= 0)
		eventfd_write(rec->stop_fd, 1);
	for (i = 0; i < rec->nr_workers; i++)
		if (rec->workers[i].running)
			pthread_join(rec->workers[i].thread, NULL);
	for (i = 0; i < rec->nr_workers; i++)
		rec->workers[i].running = false;
	if (rec->collecting)
		pthread_join(rec->collector, NULL);
	rec->collecting = false;
}

int kt_rec_stop(struct kt_rec *rec, struct kt_err *err)
{
	struct str text = STR_INIT;
	size_t i, j;

	if (rec->stopped)
		return 0;
	join_threads(rec);
	for (i = 0; i < rec->nr_buffers; i++) {
		struct rec_buffer *b = &rec->buffers[i];

		/* Restore it even if the user keeps the settings: we changed it, not the user. */
		if (b->percent_before >= 0)
			kt_instance_set_buffer_percent(b->inst, (unsigned int)b->percent_before,
						       NULL);
		str_reset(&text);
		str_addf(&text, "\nBuffer: %s\n\n", b->name);
		if (*b->name)
			kt_rec_option(rec, KT_OPTION_CPUSTAT, text.buf, text.len + 1, NULL);
		for (j = 0; j < b->nr_readers; j++) {
			str_reset(&text);
			rec_read_stats(&b->readers[j], &b->readers[j].after, &text);
			kt_rec_option(rec, KT_OPTION_CPUSTAT, text.buf, text.len + 1, NULL);
			source_close(&b->readers[j].source);
		}
	}
	str_fini(&text);
	rec->stopped = true;
	if (rec->err.code)
		return kt_err_set(err, rec->err.code, "%s", rec->err.msg);
	return rec->opts.follow ? rec_store_names(rec, err) : 0;
}

int kt_rec_option(struct kt_rec *rec, uint16_t id, const void *data, size_t size,
		  struct kt_err *err)
{
	struct rec_option *o = array_add(rec->options, rec->nr_options);

	if (!o)
		return kt_err_no_memory(err);
	*o = (struct rec_option){ .id = id, .data = STR_INIT };
	str_addn(&o->data, data, size);
	return o->data.failed ? kt_err_no_memory(err) : 0;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void free_buffers(struct kt_rec *rec)
{
	struct reader *r;
	size_t i;

	for (i = 0; i < rec->nr_buffers; i++) {
		struct rec_buffer *b = &rec->buffers[i];

		for (r = b->readers; r < b->readers + b->nr_readers; r++)
			source_close(&r->source);
		free(b->readers);
		free(b->name);
		free(b->clock);
	}
	free(rec->buffers);
}

static void free_workers(struct kt_rec *rec)
{
	struct worker *w;

	for (w = rec->workers; w < rec->workers + rec->nr_workers; w++) {
		source_pipe_close(&w->pipe);
		close_fd(w->wake_fd);
		compress_close(w->compress);
		queue_fini(&w->queue);
		pthread_mutex_destroy(&w->taking);
		free(w->frame);
		free(w->summarizer);
		free(w->readers);
	}
	free(rec->workers);
}

static void destroy(struct kt_rec *rec, bool discard)
{
	size_t i;

	join_threads(rec);
	free_workers(rec);
	free_buffers(rec);
	if (rec->sink)
		rec->sink->ops->close(rec->sink, discard);
	used_symbols_destroy(rec->symbols);
	rec_meta_fini(&rec->meta);
	for (i = 0; i < rec->nr_options; i++)
		str_fini(&rec->options[i].data);
	free(rec->options);
	close_fd(rec->stop_fd);
	close_fd(rec->alarm_fd);
	close_fd(rec->symbols_fd);
	close_fd(rec->first_fd);
	close_fd(rec->synced_fd);
	pthread_mutex_destroy(&rec->lock);
	sem_destroy(&rec->told);
	sem_destroy(&rec->collected);
	free(rec);
}

void kt_rec_destroy(struct kt_rec *rec)
{
	if (rec)
		destroy(rec, false);
}

void kt_rec_discard(struct kt_rec *rec)
{
	if (rec)
		destroy(rec, true);
}
