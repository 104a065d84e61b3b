/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rec_priv.h - internals of a recording, shared by its files */
#ifndef REC_REC_PRIV_H
#define REC_REC_PRIV_H

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include <ktrail/rec.h>

#include "base/str.h"
#include "codec/compress.h"
#include "file/summary.h"
#include "kernel/kernel.h"
#include "rec/queue.h"
#include "rec/source.h"
#include "sink/sink.h"

/*
 * Readers wake at this fill level of the ring buffer. At 2 million events a second, a buffer of
 * the default size then has room for another 8 ms, in which they must run. A wakeup costs
 * 0.1 ms: at a quarter, wakeups took a tenth of the total time. A smaller buffer needs the early
 * wakeup more.
 */
#define REC_WAKE_PERCENT  40
#define REC_WAKE_EARLIER  25
#define REC_SMALL_KB	  1024	/* per CPU; the kernel's default is 1.4 MiB */
#define REC_IDLE_MS	 1000	/* full sub-buffers are stored at least this often */
#define REC_REST_ROUNDS	 2	/* idle rounds before an incomplete sub-buffer is taken too */

/*
 * The buffer holds a few milliseconds of a heavy load: a reader that must wait for other
 * tasks loses events. With up to four busy processes per CPU, 2 million
 * events a second for 2 s lost up to 27,000 in 4 of 6 runs; with this niceness, 0 in 6 runs.
 */
#define REC_NICE	 -19

struct cpu_stats {			/* per_cpu/cpuN/stats */
	uint64_t overrun, commit_overrun, dropped, read;
};

struct reader {				/* one CPU of one buffer */
	struct kt_rec *rec;
	struct rec_buffer *buffer;
	int cpu;
	struct source source;
	struct block *block;		/* receives the next sub-buffers; NULL: none yet */
	size_t room;			/* bytes of a chunk */
	unsigned int idle_rounds;
	struct sink_cpu *out;
	_Atomic uint64_t raw_bytes, stored_raw, file_bytes;
	uint64_t counted;		/* @stored_raw when its counters were last stored */
	struct cpu_stats before, after;
};

struct rec_buffer {
	struct kt_instance *inst;	/* borrowed */
	char *name, *clock;
	uint32_t page_size;
	long long percent_before;	/* its buffer_percent; -1: not known */
	unsigned int percent;		/* current fill level at which readers wake; 0: at any data,
					 * or not known */
	bool is_text;			/* a latency tracer's: its text is stored at the end */
	size_t text_bytes;
	struct reader *readers;
	size_t nr_readers;
};

struct worker {				/* threads that serve one CPU of every buffer */
	struct kt_rec *rec;
	pthread_t thread, packer;	/* one takes, one stores */
	pthread_t backup;		/* takes while the first cannot run */
	bool running, has_backup;
	pthread_mutex_t taking;		/* held by the taking thread: @readers, @pipe, queue_get */
	_Atomic int64_t came_ns;	/* time of the reader's last read */
	_Atomic int64_t apart_ns;	/* time between two reads: the shortest recently */
	_Atomic uint64_t taken;		/* bytes so far, by both readers */
	int wake_fd;			/* eventfd: see rec->sync_seq */
	_Atomic unsigned int synced;	/* number of the last sync done */
	_Atomic int tid, packer_tid, backup_tid;
	int packer_nice;
	struct queue queue;		/* between taking and storing thread */
	int64_t told_ns;		/* when the storing thread was last woken for certain */
	struct reader **readers;
	size_t nr_readers;
	struct source_pipe pipe;
	struct compress *compress;
	char *frame;			/* room for a compressed chunk after its sizes */
	size_t frame_room;
	struct summarizer *summarizer;	/* of the packer; NULL: the sink does not want summaries */
};

struct rec_option {
	uint16_t id;
	struct str data;
};

/* State of the metadata */
struct rec_meta {
	char *events;			/* "sys:event" lines of the stored formats, sorted */
	char *kallsyms;			/* size and text as stored; NULL: not read, or not needed */
	size_t kallsyms_size;
	bool kallsyms_stored;		/* provisionally; will be replaced */
};

struct kt_rec {
	struct kt_rec_opts opts;
	struct sink *sink;		/* owned */

	struct rec_buffer *buffers;
	size_t nr_buffers;
	struct worker *workers;		/* by the index of their CPU in the list of CPUs */
	size_t nr_workers;
	uint64_t backlog;		/* limit of the data taken and not stored yet, bytes */
	pthread_t collector;
	bool collecting;
	_Atomic int collector_tid;
	sem_t told;			/* a thread has stored its id */
	sem_t collected;		/* the collector has stored the formats, or failed: */
	int collect_result;
	struct kt_err collect_err;

	int nice;			/* of the recording process */
	_Atomic bool stopping, failed;
	_Atomic int64_t held_room;	/* rec_hold(): bytes that may still be taken */
	int stop_fd, alarm_fd;		/* eventfds: for the threads; for the caller */
	int synced_fd;			/* eventfd for the caller: a worker has finished its sync */
	_Atomic unsigned int sync_seq;	/* number of the last sync requested */
	bool cmdlines_stored;		/* follow: provisionally */
	int symbols_fd;			/* eventfd for the collector: symbols will be needed */
	int first_fd;			/* eventfd for the collector: a CPU stored its first data */
	pthread_mutex_t lock;		/* for @err, by the workers */
	struct kt_err err;		/* first failure of a worker */
	_Atomic uint64_t total_bytes;

	struct rec_option *options;	/* written at the end */
	size_t nr_options;
	struct rec_meta meta;
	struct used_symbols *symbols; /* symbols that the data uses; NULL: not wanted */
	_Atomic bool symbols_wanted;	/* symbols_fd was signalled */
	bool stopped, joined;
};

/* rec.c: record into a sink, which the recording then owns; @opts: copied, without the file's */
struct kt_rec *rec_create(struct sink *sink, const struct kt_rec_opts *opts, struct kt_err *err);

/* thread.c */
struct rec_thread {
	void *(*body)(void *);
	void *data;			/* for @body, which must first call rec_thread_tell() */
	const char *name;		/* printf format for @cpu */
	int   cpu;
	bool  reads;			/* it takes data from the kernel */
};
int  rec_thread_start(struct kt_rec *rec, const struct rec_thread *t, pthread_t *id,
		      struct kt_err *err);
void rec_thread_tell(struct kt_rec *rec, _Atomic int *tid);
/* Wake the caller and end the recording; only the first failure is reported */
void rec_alarm(struct kt_rec *rec);
void rec_fail(struct kt_rec *rec, const struct kt_err *err);

/* worker.c */
int  rec_worker_start(struct worker *w, struct kt_err *err);
int64_t rec_now_ns(void);
/* The recording is held and has taken its limit */
static inline bool rec_is_full(const struct kt_rec *rec)
{
	return rec->sink->held && rec->held_room <= 0;
}
/* Run before all ordinary processes, if permitted and wanted */
void rec_hurry(const struct worker *w);
/* Take the due data of buffers whose @fds are readable. With @taking held. */
int  rec_take_due(struct worker *w, const struct pollfd *fds, bool rest, struct kt_err *err);

/* backup_reader.c */
bool rec_backup_start(struct worker *w);	/* false: not available, or not needed */
void rec_backup_trust(const struct worker *w);	/* by the reader: leave its CPU, as the backup
						 * reader is there */

/* packer.c */
void *rec_pack(void *worker);			/* the thread */

/* collect.c */
void *rec_collect(void *rec);			/* the thread */
int   rec_collect_now(struct kt_rec *rec, struct kt_err *err);	/* in this thread */
int   rec_collect_kallsyms(struct kt_rec *rec, struct kt_err *err);
void  rec_collect_layout(struct kt_rec *rec);	/* addresses of kernel code, before data is seen */
int   rec_collect_again(struct kt_rec *rec, struct kt_err *err);
/* Store the formats of all events after the present texts; with the first call, all symbols */
int   rec_collect_more(struct kt_rec *rec, struct kt_err *err);
void  rec_meta_fini(struct rec_meta *m);

/* counters.c */
int   rec_read_stats(const struct reader *r, struct cpu_stats *stats, struct str *text);
/* Store the counters of all CPUs that have stored data since the last call. */
void  rec_store_counters(struct kt_rec *rec);

/* describe.c: kt_rec_describe() for a user who may read only this instance */
int rec_describe(struct kt_instance *inst, const char *path, const struct kt_rec_opts *opts,
		 struct kt_err *err);

/* finish.c */
int rec_store_identity(struct kt_rec *rec, struct kt_err *err);
int rec_store_cmdlines(struct sink *s, struct kt_err *err);
/* For a recording that is read before it is finished: replace the stored names by current ones */
int rec_store_names(struct kt_rec *rec, struct kt_err *err);
int rec_retract_names(struct kt_rec *rec, struct kt_err *err);

/* formats.c */
int rec_header_info(const struct kt_rec *rec, struct str *out);
int rec_ftrace_events(const struct kt_rec *rec, struct str *out);
int rec_event_formats(const struct kt_rec *rec, char *events, struct str *out);
int rec_enabled_events(const struct kt_rec *rec, const char *more, struct str *out);

/*
 * For a recording with @max_kb_per_cpu: drop no data until this is called with 0. At most @more
 * bytes are taken meanwhile; further data stays in the ring buffers.
 */
void rec_hold(struct kt_rec *rec, uint64_t more);
/* Bytes from the ring buffers that are in the file; grows when events have arrived */
uint64_t rec_stored(const struct kt_rec *rec);

#endif
