/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rec.h - record the ring buffers of live instances into a trace.dat */
#ifndef KTRAIL_REC_H
#define KTRAIL_REC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/file.h>
#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A recording has threads of its own. For each CPU, one takes sub-buffers, one steps
 * in when that is not let run, and one compresses and stores them; one for all collects
 * what explains the data. They sleep until the kernel has enough for them, ignore
 * signals, and end with the process: nothing survives the caller. The caller switches
 * tracing on and off.
 *
 *	create → add … → start → (tracing goes on) → stop → option … → finish → destroy
 *
 * All calls by one thread. What is in the file at any moment can be read: see
 * Documentation/trace-dat.md, "unfinished recordings".
 */
struct kt_rec;

enum kt_rec_kallsyms {
	KT_REC_KALLSYMS_USED,		/* symbols that a recorded word falls in */
	KT_REC_KALLSYMS_ALL,
	KT_REC_KALLSYMS_NONE,
};

struct kt_rec_opts {
	int         version;		/* 6 or 7; 0: 7 */
	const char *compression;	/* as in kt_writer_opts; NULL: "any" */
	enum kt_rec_kallsyms kallsyms;
	bool        all_formats;	/* of all events, not only the enabled ones */
	bool        wake_for_all;	/* take data as soon as there is some */
	bool        busy;		/* do not sleep at all */
	bool        no_splice;		/* use read() */
	bool        snapshot;		/* take the snapshot buffers, not the ones being written */
	uint64_t    interval_us;	/* look for data at least this often; 0: when it is due */
	int         rt_priority;	/* of the readers, SCHED_FIFO: 0: 1 where that is allowed;
					   -1: ordinary ones, but nicest */
	uint64_t    max_kb_per_cpu;	/* keep about the last so many KiB of data; 0: all */
	bool        keep_old;		/* what @path holds already becomes PATH.old; what is
					   unfinished PATH.unfinished, where PATH.old is whole */
	bool        follow;		/* a reader follows: each sync drops what was there at the
					   one before, or only what is more than
					   @max_kb_per_cpu; there will be no finished file */
	bool        observe;		/* change nothing of the instances, not even for a while */
	uint64_t    max_bytes;		/* stop at this size of file; 0: never */
	bool        modules;		/* store /proc/modules; version 6 has no place for it */
	const char *proc_dir;		/* NULL: "/proc"; a test's own tree */
	const char *kallsyms_path;	/* NULL: "kallsyms" there */
	const char *btf_path;		/* NULL: "/sys/kernel/btf/vmlinux" */
};

/**
 * kt_rec_create - begin a recording into @path
 * @opts: copied, strings as well
 *
 * A file of that name is replaced, with @keep_old by giving it another name: an
 * unfinished recording takes its parts with it. Returns new (kt_rec_destroy), or NULL with
 *   -EBUSY   another recording writes to @path
 *   -EINVAL  the options contradict each other
 *   …        from the system
 */
struct kt_rec *kt_rec_create(const char *path, const struct kt_rec_opts *opts,
			     struct kt_err *err);

/* Let go. Not finished: the file stays as it is, can be read and restored. */
void kt_rec_destroy(struct kt_rec *rec);
/* Let go and remove what was written: for a recording that never began. What had to make way for it
 * gets its name back. */
void kt_rec_discard(struct kt_rec *rec);

/* Where the file is now that had the name of the output; borrowed. NULL: there was none */
const char *kt_rec_kept(const struct kt_rec *rec);
/* Remove that file, with its parts if it was not finished: for when the new one is whole.
 * 0, or what unlink() says */
int kt_rec_drop_kept(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_add - record this buffer too
 * @inst: borrowed until finish; its tracer, clock and sizes must be set already
 *
 * Of the latency tracers (irqsoff, preemptoff, preemptirqsoff, wakeup*) the text
 * of the worst case is stored instead, as trace-cmd does.
 */
int kt_rec_add(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err);

/* The same under another @name in the file, copied; "": as the top-level buffer. */
int kt_rec_add_as(struct kt_rec *rec, struct kt_instance *inst, const char *name,
		  struct kt_err *err);

/* Open the buffers and start the readers; then switch tracing on. */
int kt_rec_start(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_threads - thread ids of the recording, for callers that do not want to trace them
 * @tids: array of @nr entries to fill; may be NULL if @nr is 0
 *
 * Returns how many there are, which may be more than @nr: two or three for each
 * CPU, all of them begun by kt_rec_start.
 */
size_t kt_rec_threads(const struct kt_rec *rec, int *tids, size_t nr);

/* Readable when the recording should be stopped: a reader failed, or max_bytes is reached. */
int kt_rec_fd(const struct kt_rec *rec);

struct kt_rec_stats {
	uint64_t events;		/* taken from the ring buffers, by the kernel's counters;
					   0 of a snapshot, which has none */
	uint64_t raw_bytes;		/* taken from the ring buffers,
					 * or of a latency tracer's text */
	uint64_t stored_raw_bytes;	/* those of raw_bytes that reached the file: after a
					   failure they may be fewer */
	uint64_t file_bytes;		/* written for them */
	uint64_t lost;			/* events overwritten before they were taken, from
					   the kernel's counters since start; events of the
					   time before are no business of the recording */
	uint64_t dropped;		/* commit overruns and dropped events */
};

/* Any time after start; reads the kernel's counters. */
int kt_rec_stats(struct kt_rec *rec, struct kt_rec_stats *stats, struct kt_err *err);

/* What one CPU of one buffer lost; 0 after the last. After stop. */
struct kt_rec_cpu {
	const char *buffer;		/* borrowed */
	int      cpu;
	uint64_t raw_bytes, file_bytes, lost, commit_overrun, dropped;
};
int kt_rec_cpu(const struct kt_rec *rec, size_t i, struct kt_rec_cpu *out);

/**
 * kt_rec_sync - what the buffers hold now is in the unfinished file when this returns
 *
 * Waits for the readers, milliseconds. With @follow, names of tasks are stored
 * too; without, they come with the end.
 */
int kt_rec_sync(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_stop - take what is left in the buffers and end the threads
 *
 * Switch tracing off before, or it may take long. Returns the first failure of
 * a reader, e.g. -ENOSPC; what was stored until then is fine.
 */
int kt_rec_stop(struct kt_rec *rec, struct kt_err *err);

/* Add an option (kt_option_id) to the file. Between create and finish. */
int kt_rec_option(struct kt_rec *rec, uint16_t id, const void *data, size_t size,
		  struct kt_err *err);

/**
 * kt_rec_finish - join everything into the file
 *
 * Does not compress or decompress event data, and copies it only inside the
 * kernel. After a failure the file can still be read, and be finished later by
 * `ktrail restore`.
 */
int kt_rec_finish(struct kt_rec *rec, struct kt_err *err);

/**
 * kt_rec_describe - what explains any trace of a machine: a file without data
 * @opts: compression, kallsyms (ALL or NONE) and where to read count; the rest is ignored
 *
 * Formats of all events, symbols, names of tasks: `ktrail restore -i` puts data
 * to it. Everything comes from kt_tracefs_dir(), which may be a copy of another
 * machine's. 0, or a negative errno; then there is no new file.
 */
int kt_rec_describe(const char *path, const struct kt_rec_opts *opts, struct kt_err *err);

/* ==== record an instance into a temporary file that is read meanwhile ==== */

/*
 * Nothing of the instance is changed by it: what is traced now is recorded, from
 * now on. The file holds about the last @memory bytes; kt_trace_refresh() reads along.
 * One thread.
 */
struct kt_live;

struct kt_live_opts {
	uint64_t memory;		/* bytes held, of all CPUs together; 0: 256 MiB */
};

/**
 * kt_live_open - begin
 * @inst: borrowed
 *
 * New (kt_live_close, which removes the file). Where the buffer cannot be read, there is a
 * file without events, and kt_live_why() says why. NULL: there cannot even be that.
 */
struct kt_live *kt_live_open(struct kt_instance *inst, const struct kt_live_opts *opts,
			     struct kt_err *err);
void kt_live_close(struct kt_live *l);

/* The trace.dat, which is not finished; borrowed until the next kt_live_pause() */
const char *kt_live_path(const struct kt_live *l);
/* Why nothing is recorded; NULL: something is */
const char *kt_live_why(const struct kt_live *l);

/**
 * kt_live_sync - bring the file up to date
 *
 * 1: events have come since the last time; 0: none; or the first failure of a reader:
 * nothing is recorded from then on.
 */
int kt_live_sync(struct kt_live *l, struct kt_err *err);

/**
 * kt_live_pause - close the buffer (@on), and begin anew with another file
 *
 * The kernel refuses another tracer, clock or size of sub-buffers as long as the buffer is open.
 * What was held is given up. Then kt_live_path() is another one.
 */
void kt_live_pause(struct kt_live *l, bool on);

/* What is held is not given up while @on: then as much again is taken, and no more. */
void kt_live_hold(struct kt_live *l, bool on);

/* Since kt_live_open(), or since it began anew */
int kt_live_stats(struct kt_live *l, struct kt_rec_stats *stats, struct kt_err *err);

/**
 * kt_live_save_start - what is held now, as a finished and compressed trace.dat
 * @l: must live longer
 * @replace: also where there is a file @path; it stays as it is until the end
 *
 * A thread writes it. Until kt_live_save_end() what is held is not given up, as with
 * kt_live_hold(). New (kt_live_save_end), or NULL with
 *   -EEXIST  there is such a file
 *   …        from the system
 */
struct kt_live_save;
struct kt_live_save *kt_live_save_start(struct kt_live *l, const char *path, bool replace,
					struct kt_err *err);
/* 100: it is done, or has failed */
int kt_live_save_percent(const struct kt_live_save *s);
/* Waits until it is done; with @stop it is given up, and there is no file. 0, or the failure;
 * -EINTR: it was stopped. */
int kt_live_save_end(struct kt_live_save *s, bool stop, struct kt_err *err);

/* ==== folders for temporary files ==== */

/**
 * kt_temp_create - make a folder for temporary files, below $TMPDIR, @where or /tmp
 * @prefix: of its name, "ktrail-stream"
 *
 * Only its owner can enter it. Folders of that prefix that killed processes left behind
 * are removed. Returns its path, new (free), or NULL with @err set.
 */
char *kt_temp_create(const char *where, const char *prefix, struct kt_err *err);
/* Remove the folder and the files in it. */
void kt_temp_remove(const char *dir);

#ifdef __cplusplus
}
#endif
#endif
