/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sink.h - the destination of a recording: packed data of each CPU, and the metadata */
#ifndef SINK_SINK_H
#define SINK_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>

#include "file/summary.h"
#include "write/write.h"

struct sink;

/* One CPU of one buffer. A sink's own structure begins with it. */
struct sink_cpu {
	struct sink *sink;
	int cpu;
};

struct sink_chunk {
	const void *data;	/* in the format of version 7: two sizes and a frame, or
				 * sub-buffers */
	size_t   size, raw;	/* bytes of @data, and of the sub-buffers in it */
	uint64_t last_ts;	/* of its last sub-buffer */
	const struct kt_summary *summary;	/* NULL: none */
};

struct sink_buffer {
	const char *name, *clock;	/* copied */
	uint32_t    page_size;		/* bytes of a sub-buffer */
};

/*
 * The recorder first calls buffer and cpu, for each CPU of each buffer, and perhaps reserve. Then
 * these run in parallel:
 *
 *   one thread for each CPU:  portion, append, idle, sync
 *   one thread for all:       counters
 *   one thread for all:       meta, retract, option, flush
 *
 * When these are finished, one thread calls text, finish and close. Functions without a type in
 * their comment return 0, or a negative errno with @err set. Members that may be NULL say so.
 */
struct sink_ops {
	/* Returns the number of the buffer, from 0 on. */
	int  (*buffer)(struct sink *s, const struct sink_buffer *b, struct kt_err *err);
	/* @room: raw bytes of its largest chunk. Lives as long as the sink; NULL with @err */
	struct sink_cpu *(*cpu)(struct sink *s, int buffer, int cpu, size_t room,
				struct kt_err *err);

	/* Reserves @bytes if possible. On a full disk they store the data that was taken, and with
	 * @texts also the texts, so that the file can be finished. May be NULL. */
	void (*reserve)(struct sink *s, uint64_t bytes, bool texts);
	/* How many of @raw bytes should the next chunk hold? Whole sub-buffers. NULL: all */
	size_t (*portion)(struct sink_cpu *c, size_t raw);
	int  (*append)(struct sink_cpu *c, const struct sink_chunk *chunk, struct kt_err *err);
	/* No data arrived for a second. May be NULL. */
	int  (*idle)(struct sink_cpu *c, struct kt_err *err);
	/* A reader follows the recording and will read the data appended so far. May be NULL. */
	int  (*sync)(struct sink_cpu *c, struct kt_err *err);
	/* The counters of its ring buffer, the text of per_cpu/cpuN/stats. May be NULL. */
	int  (*counters)(struct sink_cpu *c, const char *text, size_t size);

	/* Like kt_writer_meta() or writer_provisional(), writer_retract() and so on */
	int  (*meta)(struct sink *s, uint16_t id, const void *data, size_t size, bool provisional,
		     struct kt_err *err);
	int  (*retract)(struct sink *s, uint16_t id, struct kt_err *err);
	int  (*option)(struct sink *s, uint16_t id, const void *data, size_t size,
		       struct kt_err *err);
	int  (*flush)(struct sink *s, struct kt_err *err);
	/* A whole buffer as the text of a latency tracer */
	int  (*text)(struct sink *s, const struct sink_buffer *b, const char *text, size_t size,
		     struct kt_err *err);

	int  (*finish)(struct sink *s, struct kt_err *err);
	/* Bytes of texts and head; after finish, of everything */
	uint64_t (*size)(const struct sink *s);
	/* Without finish, the stored data stays readable. @discard: remove it */
	void (*close)(struct sink *s, bool discard);
};

struct sink {
	const struct sink_ops *ops;
	const char *compression;	/* of chunks, as in kt_writer_opts */
	bool compressed;		/* not "none" */
	bool wants_summaries;
	_Atomic bool held;		/* by the recorder: do not drop data now */
	_Atomic bool full;		/* only what is reserved is left: take no more data */
};

#endif
