/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file_priv.h - internals of a file sink, shared by its files */
#ifndef SINK_FILE_PRIV_H
#define SINK_FILE_PRIV_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include <ktrail/writer.h>

#include "base/str.h"
#include "codec/compress.h"
#include "file/part.h"
#include "file/summary.h"
#include "sink/file_sink.h"

struct kept_chunk {		/* max_kb_per_cpu: a chunk that can be dropped */
	uint64_t offset;
	uint32_t size, raw_size;
};

/*
 * The file next to the output for the data of one CPU. It is created with the first data; if a
 * reader follows the recording, at the start, so that the reader's number of sources stays the same
 */
struct part {
	struct sink_cpu head;
	struct part *next;		/* in the order of the file_cpu() calls */
	int      buffer;
	size_t   room;			/* raw bytes of a full chunk */
	_Atomic int fd;			/* -1: not created */
	unsigned int nr;
	uint64_t start, pos;		/* range of its data, here or in the shared file */
	bool     shared;		/* moved to the shared file */
	uint64_t room_end;		/* shared: end of the current extent */
	bool     leave;			/* the next chunk needs another extent */
	uint64_t stored;		/* bytes of all chunks so far */
	size_t   last_size;		/* of the last complete chunk */
	uint64_t last_ts;		/* of the last stored sub-buffer */
	uint64_t marks[2];		/* follow: the ends at the last two syncs, older first */
	uint64_t synced, punched;	/* ends of the data being written back, and freed */
	uint32_t nr_chunks;
	struct kept_chunk *kept;	/* only with a limit: ring of @cap, @nr_chunks in use */
	size_t   first, cap;
	uint64_t kept_raw;
	struct summary_list *index;	/* summaries of its chunks; NULL: none */
};

/* shared.c: the file for long parts, which becomes the finished file */
struct shared {
	pthread_mutex_t lock;		/* held while it is created */
	int      fd;			/* -1: not created yet, or @refused */
	bool     refused;		/* it cannot be created; parts are copied at the end */
	_Atomic uint64_t end;		/* the start of the next extent */
};

struct file_buffer {
	char *name, *clock;
	uint32_t page_size;
	char *text;			/* of a latency tracer, instead of data; NULL: data */
	size_t text_size;
};

struct file_text {		/* version 6: the texts of the file before its data */
	uint16_t id;
	bool is_option;
	struct str data;
};

struct file_sink {
	struct sink sink;
	struct file_sink_opts opts;
	char *path, *compression;
	char *kept;			/* previous file at @path; NULL: none */
	int lock_fd;			/* the output, locked against another recording */
	struct kt_writer *writer;	/* always version 7: version 6 cannot grow */
	uint64_t trace_id;
	const char *skip_magic;		/* of frames that decompressors skip; NULL: not supported */
	bool ends_itself;		/* decompressors ignore bytes after the end of a block */
	struct file_buffer *buffers;
	size_t nr_buffers;
	struct part *parts, **last;
	_Atomic unsigned int nr_parts;	/* number of files */
	struct shared shared;
	pthread_mutex_t reserve_lock;
	int reserve_fd;			/* space to save data on a full disk; -1: none, or in use */
	bool reserve_texts;		/* texts may use it, too */
	struct file_text *texts;
	size_t nr_texts;
};

static inline struct file_sink *file_sink_of(const struct sink *s)
{
	return (struct file_sink *)s;
}

static inline struct file_sink *file_of(const struct part *p)
{
	return file_sink_of(p->head.sink);
}

/* output.c */
/* Lock the output against other recordings; with @opts.keep_old, rename its previous content. */
int   file_take_output(struct file_sink *f, struct kt_err *err);
/* Remove it and its parts, and rename the previous file back. */
void  file_give_output_back(struct file_sink *f);

/* part.c */
int  part_begin(struct part *p, struct kt_err *err);
int  part_append(struct sink_cpu *cpu, const struct sink_chunk *c, struct kt_err *err);
int  part_sync(struct sink_cpu *c, struct kt_err *err);
int  part_counters(struct sink_cpu *c, const char *text, size_t size);
int  part_write_at(struct file_sink *f, int fd, const void *data, size_t size, uint64_t offset);
/* Writes a chunk. If it does not fit, readers ignore the part of it that was written. */
int  part_put_chunk(struct file_sink *f, int fd, const void *chunk, size_t size, uint64_t offset);
void part_destroy(struct part *p);

/* shared.c */
size_t shared_portion(struct sink_cpu *c, size_t raw);
int  shared_idle(struct sink_cpu *c, struct kt_err *err);
/* Bytes reserved at the end of an extent for the link to the next one */
size_t shared_link(const struct file_sink *f);
/* Move a part that has become long; 0 also if it must stay */
int  shared_move(struct part *p);
/* Append a chunk to a part that has moved. */
int  shared_append(struct part *p, const void *data, size_t size);

/* reserve.c */
void file_reserve(struct sink *s, uint64_t bytes, bool texts);
/* The disk is full: is there more room now? */
bool file_use_reserve(struct file_sink *f);
/* … for texts; @file_sink: as the writer calls it */
bool file_use_reserve_for_text(void *file_sink);
/* All data is stored: leave its space to the end of the file */
void file_free_reserve(struct file_sink *f);

/* join.c */
int  file_finish(struct sink *s, struct kt_err *err);

#endif
