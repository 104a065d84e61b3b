/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rec.h - record the ring buffers of live instances into a trace.dat */
#ifndef KTRAIL_REC_H
#define KTRAIL_REC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/file.h>
#include <ktrail/tracefs.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A recording has its own threads. For each CPU, one takes sub-buffers, a second one does so
 * while the first cannot run, and one compresses and stores them. One more thread collects
 * the meta data. They sleep until the kernel has enough data, ignore signals, and end with the
 * process of the caller. The caller switches tracing on and off.
 *
 *	create → add … → start → (tracing runs) → stop → option … → finish → destroy
 *
 * One thread makes all calls. The content of the file can be read at any moment: see
 * Documentation/trace-dat.md, "unfinished recordings".
 */
struct kt_rec;

enum kt_rec_kallsyms {
	KT_REC_KALLSYMS_USED,		/* symbols that a word in the recorded data points into */
	KT_REC_KALLSYMS_ALL,
	KT_REC_KALLSYMS_NONE,
};

struct kt_rec_opts {
	int         version;		/* 6 or 7; 0: 7 */
	const char *compression;	/* as in kt_writer_opts; NULL: "any" */
	enum kt_rec_kallsyms kallsyms;
	bool        all_formats;	/* formats of all events, not only of enabled ones */
	bool        at_rest;		/* nothing is written to the buffers, so they keep what does
					 * not fit on the disk: store the formats first, and take
					 * data only as fast as it can be stored */
	uint64_t    held;		/* with @at_rest: bytes in all buffers; 0: not known */
	bool        wake_for_all;	/* take data as soon as it arrives */
	bool        busy;		/* never sleep */
	bool        no_splice;		/* use read() */
	bool        snapshot;		/* record the snapshot buffers, not the active ones */
	uint64_t    interval_us;	/* check for data at least this often; 0: every second */
	int         rt_priority;	/* of the readers, SCHED_FIFO; 0: 1 if permitted; -1:
					 * ordinary priority with the lowest nice value */
	uint64_t    max_kb_per_cpu;	/* keep about this many KiB, the latest data; 0: all */
	bool        keep_old;		/* a previous file at @path becomes PATH.old; an unfinished
					 * one becomes PATH.unfinished if PATH.old is complete */
	bool        follow;		/* a reader follows: each sync drops the data before the
					 * previous sync, or only data beyond @max_kb_per_cpu; the
					 * file is never finished */
	bool        observe;		/* do not change the instances, not even temporarily */
	bool        hurry;		/* the caller has real-time priority until kt_rec_start()
					 * returns: only threads that read keep it */
	bool        goes_on;		/* tracing is still on at stop, which takes only the data in
					 * the buffers at that time */
	uint64_t    max_bytes;		/* stop at this file size; 0: never */
	bool        modules;		/* store /proc/modules; version 6 cannot */
	bool        no_wall;		/* the data is older than this boot: do not store the
					 * time of day at the clock's zero */
	const char *proc_dir;		/* NULL: "/proc"; for tests */
	const char *kallsyms_path;	/* NULL: "kallsyms" there */
	const char *btf_path;		/* NULL: "/sys/kernel/btf/vmlinux" */
};

/**
 * kt_rec_create - start a recording into @path
 * @opts: copied, including strings
 *
 * An existing file is replaced or, with @keep_old, renamed. An
 * unfinished recording is renamed with its parts. Returns new (kt_rec_destroy), or NULL with
 *   -EBUSY   another recording writes to @path
 *   -EINVAL  contradicting options
 *   …        from the system
 */
struct kt_rec *kt_rec_create(const char *path, const struct kt_rec_opts *opts,
			     struct kt_err *err);

/* Free it. An unfinished file stays and can be read and restored. */
void kt_rec_destroy(struct kt_rec *rec);
/* Free it and remove its files, if it never started. A renamed file gets its name back. */
void kt_rec_discard(struct kt_rec *rec);

/* The new name of the file that was at @path; borrowed. NULL: there was none */
const char *kt_rec_kept(const struct kt_rec *rec);
/* Remove that file, and its parts if it was not finished: call it when the new file is complete.
 * 0, or the error of unlink() */
int kt_rec_drop_kept(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_add - record this buffer too
 * @inst: borrowed until finish; its tracer, clock and sizes must be set before
 *
 * For the latency tracers (irqsoff, preemptoff, preemptirqsoff, wakeup*), the text
 * of the worst case is stored instead, as in trace-cmd.
 */
int kt_rec_add(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err);

/* The same under another @name in the file, copied; "": the top-level buffer. */
int kt_rec_add_as(struct kt_rec *rec, struct kt_instance *inst, const char *name,
		  struct kt_err *err);

/* Open the buffers and start the readers; switch tracing on after that. */
int kt_rec_start(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_threads - thread ids of the recording, for callers that do not want to trace them
 * @tids: array of @nr entries to fill; may be NULL if @nr is 0
 *
 * Returns the number of threads, which may be more than @nr: two or three for each
 * CPU, all started by kt_rec_start().
 */
size_t kt_rec_threads(const struct kt_rec *rec, int *tids, size_t nr);

/* Readable when the recording should be stopped: a reader failed, or max_bytes was reached. */
int kt_rec_fd(const struct kt_rec *rec);

struct kt_rec_stats {
	uint64_t events;		/* taken from the ring buffers, by the kernel's counters; 0
					 * for a snapshot, which has no counters */
	uint64_t raw_bytes;		/* taken from the ring buffers, or from the text of a
					 * latency tracer */
	uint64_t stored_raw_bytes;	/* the part of raw_bytes that reached the file: less only
					 * after a failure */
	uint64_t file_bytes;		/* written for that part */
	uint64_t lost;			/* events overwritten before they were taken, by the
					 * kernel's counters since the start */
	uint64_t dropped;		/* commit overruns and dropped events */
};

/* At any time after start; reads the kernel's counters. */
int kt_rec_stats(struct kt_rec *rec, struct kt_rec_stats *stats, struct kt_err *err);

/* Losses of one CPU of one buffer; 0 after the last. Call it after stop. */
struct kt_rec_cpu {
	const char *buffer;		/* borrowed */
	int      cpu;
	uint64_t raw_bytes, file_bytes, lost, commit_overrun, dropped;
};
int kt_rec_cpu(const struct kt_rec *rec, size_t i, struct kt_rec_cpu *out);

/**
 * kt_rec_sync - store the current content of the buffers in the unfinished file
 *
 * Waits a few milliseconds for the readers. With @follow, it also stores the names of tasks,
 * which otherwise are stored at the end.
 */
int kt_rec_sync(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_stop - take the rest of the buffers and end the threads
 *
 * Switch tracing off first, or set @goes_on; otherwise this may take long. Returns the first
 * failure of a reader, e.g. -ENOSPC; the data stored before it is valid.
 */
int kt_rec_stop(struct kt_rec *rec, struct kt_err *err);

/* Add an option (kt_option_id) to the file, between create and finish. */
int kt_rec_option(struct kt_rec *rec, uint16_t id, const void *data, size_t size,
		  struct kt_err *err);

/**
 * kt_rec_finish - join all parts into the file
 *
 * Does not compress or decompress event data; the kernel copies it if
 * needed. After a failure the file can still be read, and `ktrail restore` can finish it
 * later.
 */
int kt_rec_finish(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_describe - write a file with the meta data of a machine, without event data
 * @opts: compression, kallsyms (ALL or NONE) and the paths are used; the rest is ignored
 *
 * The file has the formats of all events, symbols and names of tasks; `ktrail restore -i` adds
 * data to it. Everything is read from kt_tracefs_dir(), which may be a copy from another
 * machine. 0, or a negative errno; then no new file exists.
 */
int kt_rec_describe(const char *path, const struct kt_rec_opts *opts, struct kt_err *err);

/* ==== live: record an instance into a temporary file, and read it at the same time ==== */

/*
 * The instance is not changed; its trace is recorded from now on. The file holds about the last
 * kt_live_opts.memory bytes; kt_trace_refresh() reads the new ones. For one thread.
 */
struct kt_live;

struct kt_live_opts {
	uint64_t memory;		/* bytes to keep, of all CPUs together; 0: 256 MiB */
};

/**
 * kt_live_open - start a live recording
 * @inst: borrowed
 *
 * New (kt_live_close, which removes the file). If the buffer cannot be read, the
 * file has no events, and kt_live_why() has the reason. NULL: no file could be created.
 */
struct kt_live *kt_live_open(struct kt_instance *inst, const struct kt_live_opts *opts,
			     struct kt_err *err);
void kt_live_close(struct kt_live *l);

/* The unfinished trace.dat; borrowed until the next kt_live_pause() */
const char *kt_live_path(const struct kt_live *l);
/* Why nothing is recorded; NULL: recording works */
const char *kt_live_why(const struct kt_live *l);

/**
 * kt_live_sync - bring the file up to date, in a thread
 * @wait: wait until it is; otherwise the first call begins, and further calls return the result
 *
 * 1: new events since the last result; 0: none; -EINPROGRESS: call again, and do not open or
 * refresh the file until then; or the first failure of a reader: the recording has ended.
 */
int kt_live_sync(struct kt_live *l, bool wait, struct kt_err *err);

/**
 * kt_live_pause - close the buffer (@on), or restart with another file
 *
 * The kernel refuses to change tracer, clock or sub-buffer size while the buffer is open.
 * The recorded data is dropped, and kt_live_path() changes.
 */
void kt_live_pause(struct kt_live *l, bool on);

/* Do not drop data while @on: at most the same amount again is recorded. */
void kt_live_hold(struct kt_live *l, bool on);

/* As of the last kt_live_sync(), counted since kt_live_open() or the last restart */
struct kt_rec_stats kt_live_stats(const struct kt_live *l);

/**
 * kt_live_save_start - save the recorded data as a finished and compressed trace.dat
 * @l: must live longer
 * @replace: also if a file @path exists; it stays unchanged until the end
 *
 * A thread writes it. Until kt_live_save_end() no data is dropped, as with
 * kt_live_hold(). New (kt_live_save_end), or NULL with
 *   -EEXIST  the file exists
 *   …        from the system
 */
struct kt_live_save;
struct kt_live_save *kt_live_save_start(struct kt_live *l, const char *path, bool replace,
					struct kt_err *err);
/* 100: it has finished or failed */
int kt_live_save_percent(const struct kt_live_save *s);
/* Wait until it has finished; with @stop, cancel it, and write no file. 0, or the failure;
 * -EINTR: it was cancelled. */
int kt_live_save_end(struct kt_live_save *s, bool stop, struct kt_err *err);

/* ==== folders for temporary files ==== */

struct kt_temp;

/**
 * kt_temp_open - create a folder for temporary files, in $TMPDIR, @where or /tmp
 * @prefix: of its name, "ktrail-stream"
 *
 * Only its owner can enter it. Removes folders with that prefix that killed processes left there,
 * or in /dev/shm, /var/tmp or /tmp. New (kt_temp_close), or NULL with @err set
 */
struct kt_temp *kt_temp_open(const char *where, const char *prefix, struct kt_err *err);
const char *kt_temp_path(const struct kt_temp *t);
/* Remove the folder and the files in it. */
void kt_temp_close(struct kt_temp *t);

#ifdef __cplusplus
}
#endif
#endif
