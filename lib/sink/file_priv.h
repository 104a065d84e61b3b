/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file_priv.h - the inside of a file sink, shared by its parts */
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

struct kept_chunk {		/* max_kb_per_cpu: what could be dropped */
	uint64_t offset;
	uint32_t size, raw_size;
};

/* The file next to the output that one CPU's data goes to; begun with its first data, or at
 * once where somebody reads along: then nothing is added to the sources of that reader */
struct part {
	struct sink_cpu head;
	struct part *next;		/* in the order of file_cpu() */
	int      buffer;
	size_t   room;			/* raw bytes of a full chunk */
	_Atomic int fd;			/* -1: not begun */
	unsigned int nr;
	uint64_t start, pos;		/* of what is in it, or of its data in the shared file: */
	bool     shared;		/* moved there */
	uint64_t room_end;		/* shared: of the extent that @pos is in */
	bool     leave;			/* the next chunk begins another extent */
	uint64_t stored;		/* bytes of all chunks so far */
	size_t   last_size;		/* of the last chunk that was not cut short */
	uint64_t last_ts;		/* of the last sub-buffer that was stored */
	uint64_t marks[2];		/* follow: the end at the last sync but one,
					 * and at the last */
	uint64_t synced, punched;	/* up to here on its way to the disk; given back */
	uint32_t nr_chunks;
	struct kept_chunk *kept;	/* only with a limit: ring of @cap, @nr_chunks in use */
	size_t   first, cap;
	uint64_t kept_raw;
	struct summary_list *index;	/* what its chunks hold; NULL: it is not told */
};

/* shared.c: the file that long parts move to, and that becomes the finished one */
struct shared {
	pthread_mutex_t lock;		/* while it is made */
	int      fd;			/* -1: not made yet, or @refused */
	bool     refused;		/* it cannot be made; parts are joined by copying */
	_Atomic uint64_t end;		/* where the next extent begins */
};

struct file_buffer {
	char *name, *clock;
	uint32_t page_size;
	char *text;			/* of a latency tracer, instead of data; NULL: data */
	size_t text_size;
};

struct file_text {		/* version 6: what its file will hold before the data */
	uint16_t id;
	bool is_option;
	struct str data;
};

struct file_sink {
	struct sink sink;
	struct file_sink_opts opts;
	char *path, *compression;
	char *kept;			/* what was at @path before; NULL: nothing */
	int lock_fd;			/* the output, locked against another recording */
	struct kt_writer *writer;	/* version 7, always: version 6 cannot grow */
	uint64_t trace_id;
	const char *skip_magic;		/* of frames that decompressors skip;
					 * NULL: there are none */
	bool ends_itself;		/* no, but they pass over what is behind a block */
	struct file_buffer *buffers;
	size_t nr_buffers;
	struct part *parts, **last;
	_Atomic unsigned int nr_parts;	/* that are files */
	struct shared shared;
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
/* Lock the output against others; what it holds makes way for @opts.keep_old. */
int   file_take_output(struct file_sink *f, struct kt_err *err);
/* Remove it and its parts; what made way gets the name again. */
void  file_give_output_back(struct file_sink *f);

/* part.c */
int  part_begin(struct part *p, struct kt_err *err);
int  part_append(struct sink_cpu *cpu, const struct sink_chunk *c, struct kt_err *err);
int  part_sync(struct sink_cpu *c, struct kt_err *err);
int  part_counters(struct sink_cpu *c, const char *text, size_t size);
int  part_write_at(int fd, const void *data, size_t size, uint64_t offset);
void part_destroy(struct part *p);

/* shared.c */
size_t shared_portion(struct sink_cpu *c, size_t raw);
int  shared_idle(struct sink_cpu *c, struct kt_err *err);
/* Bytes kept free at the end of an extent for the way to the next one */
size_t shared_link(const struct file_sink *f);
/* Move a part that has got long; 0 also when it has to stay */
int  shared_move(struct part *p);
/* A chunk of a part that has moved. */
int  shared_append(struct part *p, const void *data, size_t size);

/* join.c */
int  file_finish(struct sink *s, struct kt_err *err);

#endif
