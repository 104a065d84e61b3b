/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trace.h - one or more trace files, with everything needed to decode their records */
#ifndef KTRAIL_TRACE_H
#define KTRAIL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/event.h>
#include <ktrail/file.h>
#include <ktrail/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_trace;

struct kt_trace *kt_trace_create(void);
void kt_trace_destroy(struct kt_trace *t);

/* Open @path and add it, before the first read. @opts: copied, may be NULL. */
int kt_trace_add(struct kt_trace *t, const char *path, const struct kt_stream_opts *opts,
		 struct kt_err *err);

/**
 * kt_trace_refresh - add what a running recording has written since the files were opened
 *
 * The stream continues at the time of the last kt_trace_note_read(), or at the beginning.
 * During the call no other thread may use the trace, or objects made from it: call
 * kt_index_stop() first. The cost depends on the new data, plus some system calls for each CPU.
 *
 * Records and batches become invalid, since their memory is gone. Everything else
 * stays valid: readers keep their positions, and places, sources, events, symbols, names,
 * texts, filters and an index do not change. Names of tasks may be added. An index
 * has the new records after kt_index_extend(), declared in reader.h.
 *
 * Returns 0, 1, or -ENOMEM. 1: not only records were added, so call kt_trace_reopen(): the
 * recording has ended, a CPU has its first data, or formats or symbols were added. Until then
 * the trace can be read in its present state.
 */
int kt_trace_refresh(struct kt_trace *t, struct kt_err *err);

/**
 * kt_trace_reopen - reopen all files of a trace, with their original options
 *
 * The stream continues as after kt_trace_refresh(). Objects made from the trace (texts,
 * filters, readers, an index) must be destroyed first; records, events, symbols and names
 * become invalid. Times stay valid, and so does each struct kt_spot unless a CPU was added to
 * the file or the recording has ended. 0, or the error of kt_trace_add(): the trace is unchanged.
 */
int kt_trace_reopen(struct kt_trace *t, struct kt_err *err);

/* Note that all records up to time @until were read: the recorder may free them. 0, -ENOMEM. */
int kt_trace_note_read(struct kt_trace *t, uint64_t until, struct kt_err *err);

size_t kt_trace_nr_files(const struct kt_trace *t);
struct kt_file *kt_trace_file(const struct kt_trace *t, size_t file);
struct kt_events *kt_trace_events(const struct kt_trace *t, size_t file);
struct kt_symbols *kt_trace_symbols(const struct kt_trace *t, size_t file);
struct kt_stream *kt_trace_stream(const struct kt_trace *t);

/*
 * The symbols for the addresses in a record: those of its file, or of the earlier
 * boot if its buffer survived a reboot. Reads only @source of @rec.
 */
struct kt_symbols *kt_trace_record_symbols(const struct kt_trace *t, const struct kt_record *rec);

/**
 * kt_trace_comm - the name of a task
 *
 * "<idle>" for pid 0; otherwise from saved_cmdlines of the file, or from its events
 * (sched_switch, sched_wakeup, task_rename, fork, exec, any with pid and comm):
 * the last name in the first million records, or the first one after these.
 * "<...>" if not known. Names in events are read when first needed, and
 * only as far as needed. Borrowed until the trace is destroyed. Thread-safe.
 */
const char *kt_trace_comm(struct kt_trace *t, size_t file, int pid);
/*
 * The name known without further reading: never blocks. A name may change
 * while kt_trace_learn_comms() continues. Borrowed until the trace is destroyed. Thread-safe.
 */
const char *kt_trace_comm_known(struct kt_trace *t, size_t file, int pid);
/**
 * kt_trace_learn_comms - read a further part of a file for the names of its tasks
 *
 * A slice of work, less than a millisecond if chunks are not compressed. Returns 1,
 * or 0 when all names are known. Thread-safe.
 */
int kt_trace_learn_comms(struct kt_trace *t, size_t file);
/* The reverse: up to @max pids with the name @comm. Returns how many. Thread-safe. */
size_t kt_trace_pids(struct kt_trace *t, size_t file, const char *comm, int pids[], size_t max);
/* Call @tell for each task known without further reading, in no order. @tell must not call
 * these functions. */
void kt_trace_tasks(struct kt_trace *t, size_t file,
		    void (*tell)(void *data, int pid, const char *comm), void *data);
/* The name of a task that is nearest to @comm, for "did you mean"; NULL if none is near.
 * Borrowed, thread-safe. */
const char *kt_trace_comm_nearest(struct kt_trace *t, size_t file, const char *comm);

/* ---- the source, event and task of a record ---- */

/* Its CPU, buffer and file. Borrowed until the trace is destroyed. Reads only @source of @rec. */
const struct kt_source *kt_trace_source(const struct kt_trace *t, const struct kt_record *rec);
/* Its event, NULL if the file does not have the id. */
const struct kt_event *kt_trace_event(struct kt_trace *t, const struct kt_record *rec);

/* Its task; the name is that of kt_trace_comm_known(). */
struct kt_task {
	int pid;
	const char *comm;		/* borrowed until the trace is destroyed */
};
struct kt_task kt_trace_task(struct kt_trace *t, const struct kt_record *rec);

/* ==== the report of a latency tracer that a file stores as text, line by line ==== */

/* irqsoff, preemptoff, preemptirqsoff, wakeup, wakeup_rt and wakeup_dl write one. */
struct kt_latency_text;

#define KT_LATENCY_TEXT_NONE UINT64_MAX

struct kt_latency_line {
	const char *text;		/* not NUL-terminated; borrowed until the file closes */
	size_t   len;
	uint64_t us;			/* time since the tracer began to measure;
					 * KT_LATENCY_TEXT_NONE: not an event */
	uint64_t step;			/* us until the next event; 0 for the last */
};

/* All borrowed, and "" if the text lacks them */
struct kt_latency_head {
	const char *tracer, *task;	/* "wakeup"; "rcuc/0-22" */
	const char *started, *ended;	/* functions, for irqsoff and its variants */
	uint64_t us;			/* the latency; KT_LATENCY_TEXT_NONE: missing */
};

/**
 * kt_latency_text_open - the first report in the files of a trace
 * @t: borrowed, must live longer
 *
 * New (kt_latency_text_close); NULL with -ENOENT: no report, -ENOMEM, or the error of reading.
 */
struct kt_latency_text *kt_latency_text_open(struct kt_trace *t, struct kt_err *err);
void kt_latency_text_close(struct kt_latency_text *text);

size_t kt_latency_text_nr(const struct kt_latency_text *text);
bool kt_latency_text_line(const struct kt_latency_text *text, size_t i,
			  struct kt_latency_line *line);
struct kt_latency_head kt_latency_text_head(const struct kt_latency_text *text);
/* The line of the event that is followed by the longest pause; 0 if there are no events */
size_t kt_latency_text_worst(const struct kt_latency_text *text);
/* The next event of the report from line @i on, in @direction 1 or -1; @i if there is none */
size_t kt_latency_text_event(const struct kt_latency_text *text, size_t i, int direction);

#ifdef __cplusplus
}
#endif
#endif
