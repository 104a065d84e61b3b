/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trace.h - one or more trace files with all that is needed to understand their records */
#ifndef KTRAIL_TRACE_H
#define KTRAIL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/event.h>
#include <ktrail/file.h>
#include <ktrail/stream.h>
#include <ktrail/symbols.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_trace;

struct kt_trace *kt_trace_create(void);
void kt_trace_destroy(struct kt_trace *t);

/* Open @path and merge it in. Before the first read. @opts: copied, may be NULL. */
int kt_trace_add(struct kt_trace *t, const char *path, const struct kt_stream_opts *opts,
		 struct kt_err *err);

/**
 * kt_trace_refresh - take up what has come to the files since they were opened
 *
 * For a recording that goes on. The stream continues where kt_trace_note_read() said
 * that it was read up to, or at the beginning. No other thread may use the trace, or what
 * was made of it, meanwhile: kt_index_stop() first. Costs what has come, and some
 * system calls for each CPU.
 *
 * Records and batches are void after it, as they lie in memory that is gone. All else
 * stays: readers stand where they stood, and places, sources, events, symbols, names,
 * texts, filters and an index are what they were. Names of tasks may be added. An index
 * knows the new records after kt_index_extend(), declared in reader.h.
 *
 * Returns 0, 1, or -ENOMEM. 1: there is more than records, so kt_trace_reopen() is due.
 * The recording has ended, a CPU has come to it with its first data, or formats or
 * symbols have. Until then the trace can be read as it is.
 */
int kt_trace_refresh(struct kt_trace *t, struct kt_err *err);

/**
 * kt_trace_reopen - open all files of a trace again, with the options they were added with
 *
 * The stream continues as after kt_trace_refresh(). What was made of the trace (texts,
 * filters, readers, an index) must be gone before; records, events, symbols and names are
 * void. Times stay good, and each struct kt_spot unless a CPU has come to the file or the
 * recording has ended. 0, or what kt_trace_add() returns: the trace is as it was then.
 */
int kt_trace_reopen(struct kt_trace *t, struct kt_err *err);

/*
 * All records up to the time @until were read, so a recorder may free them. 0, -ENOMEM.
 */
int kt_trace_note_read(struct kt_trace *t, uint64_t until, struct kt_err *err);

size_t kt_trace_nr_files(const struct kt_trace *t);
struct kt_file *kt_trace_file(const struct kt_trace *t, size_t file);
struct kt_events *kt_trace_events(const struct kt_trace *t, size_t file);
struct kt_symbols *kt_trace_symbols(const struct kt_trace *t, size_t file);
struct kt_stream *kt_trace_stream(const struct kt_trace *t);

/*
 * The symbols for the addresses in a record: those of its file, or of the boot
 * before where its buffer survived that. Of @rec, only @source is looked at.
 */
struct kt_symbols *kt_trace_record_symbols(const struct kt_trace *t, const struct kt_record *rec);

/**
 * kt_trace_comm - the name of a task
 *
 * "<idle>" for pid 0; saved_cmdlines of the file; else what its events say
 * (sched_switch, sched_wakeup, task_rename, fork, exec, any with pid and comm):
 * the last name in the first million records, or the first one after these.
 * "<...>" if nobody knows. The file is walked for that when first needed, and
 * only as far as needed. Borrowed until the trace goes. Thread-safe.
 */
const char *kt_trace_comm(struct kt_trace *t, size_t file, int pid);
/*
 * … as far as it is known without reading on: never blocks. A name may become another one
 * while kt_trace_learn_comms() goes on. Borrowed until the trace goes. Thread-safe.
 */
const char *kt_trace_comm_known(struct kt_trace *t, size_t file, int pid);
/**
 * kt_trace_learn_comms - read some more of a file for the names of its tasks
 *
 * A slice of work, less than a millisecond where chunks are not compressed. Returns 1,
 * or 0 once there is nothing more to learn. Thread-safe.
 */
int kt_trace_learn_comms(struct kt_trace *t, size_t file);
/* The reverse: up to @max pids that bear the name @comm. Returns how many. Thread-safe. */
size_t kt_trace_pids(struct kt_trace *t, size_t file, const char *comm, int pids[], size_t max);
/* Calls @tell, which calls nothing of these, with each task that is known without reading on,
 * in no order. */
void kt_trace_tasks(struct kt_trace *t, size_t file,
		    void (*tell)(void *data, int pid, const char *comm), void *data);
/* A task's name that is nearly @comm, for "did you mean"; NULL if none is.
 * Borrowed, thread-safe. */
const char *kt_trace_comm_nearest(struct kt_trace *t, size_t file, const char *comm);

/* ---- what a record is of ---- */

/* Its CPU, buffer and file. Borrowed until the trace goes. Of @rec, only @source is looked at. */
const struct kt_source *kt_trace_source(const struct kt_trace *t, const struct kt_record *rec);
/* Its event, NULL if the file does not know the id. */
const struct kt_event *kt_trace_event(struct kt_trace *t, const struct kt_record *rec);

/* Its task; the name is that of kt_trace_comm_known(). */
struct kt_task {
	int pid;
	const char *comm;		/* borrowed until the trace goes */
};
struct kt_task kt_trace_task(struct kt_trace *t, const struct kt_record *rec);

/* ==== the report of a latency tracer that a file holds as text, line by line ==== */

/* irqsoff, preemptoff, preemptirqsoff, wakeup, wakeup_rt and wakeup_dl write one. */
struct kt_latency_text;

#define KT_LATENCY_TEXT_NONE UINT64_MAX

struct kt_latency_line {
	const char *text;		/* not NUL-terminated; borrowed until the file closes */
	size_t   len;
	uint64_t us;			/* when it was, since the tracer began to measure;
					 * KT_LATENCY_TEXT_NONE: not an event */
	uint64_t step;			/* us until the next event; 0 of the last */
};

/* All borrowed, and "" where the text does not say */
struct kt_latency_head {
	const char *tracer, *task;	/* "wakeup"; "rcuc/0-22" */
	const char *started, *ended;	/* functions, of irqsoff and its kin */
	uint64_t us;			/* the latency; KT_LATENCY_TEXT_NONE: not said */
};

/**
 * kt_latency_text_open - the first report in the files of a trace
 * @t: borrowed, must live longer
 *
 * New (kt_latency_text_close); NULL with -ENOENT: they have none, -ENOMEM, or what reading says.
 */
struct kt_latency_text *kt_latency_text_open(struct kt_trace *t, struct kt_err *err);
void kt_latency_text_close(struct kt_latency_text *text);

size_t kt_latency_text_nr(const struct kt_latency_text *text);
bool kt_latency_text_line(const struct kt_latency_text *text, size_t i,
			  struct kt_latency_line *line);
struct kt_latency_head kt_latency_text_head(const struct kt_latency_text *text);
/* The line of the event after which most time passed until the next; 0 if there are no events */
size_t kt_latency_text_worst(const struct kt_latency_text *text);
/* The next event of the report from line @i on, in @direction 1 or -1; @i if there is none */
size_t kt_latency_text_event(const struct kt_latency_text *text, size_t i, int direction);

#ifdef __cplusplus
}
#endif
#endif
