/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* source.h - take whole sub-buffers out of one CPU's ring buffer */
#ifndef REC_SOURCE_H
#define REC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/err.h>

/*
 * Measured on Linux 6.18, CPU seconds to take a gigabyte of 4 KiB sub-buffers on
 * an otherwise idle machine: one readv for many of them 0.27, a read for each 0.35,
 * splice into a pipe and read from it 0.39 (the kernel makes and clears a page for
 * each), the mapped ring buffer (TRACE_MMAP_IOCTL_GET_READER) 1.4: it walks all
 * events of a page and needs a call per page. But reading takes the sub-buffer that
 * is being written as well, event by event. So readv takes what is known to be full,
 * and splice, which hands out full ones only, the rest.
 */
struct source {
	int      fd;		/* trace_pipe_raw, non-blocking */
	uint32_t page_size;
	bool     splice;
	bool     partial;	/* the last one taken was still being filled */
	size_t   due;		/* bytes in full sub-buffers, when poll says so; 0: not known */
};

/* A pipe that holds one chunk; a thread has one for all its sources */
struct source_pipe {
	int fd[2];		/* -1: none */
	size_t size;
};

int  source_pipe_open(struct source_pipe *pipe, size_t size);
void source_pipe_close(struct source_pipe *pipe);

int  source_open(struct source *s, const char *path, uint32_t page_size, bool splice,
		 struct kt_err *err);
void source_close(struct source *s);

/**
 * source_take - move sub-buffers into @room
 * @size: of @room, whole sub-buffers
 * @rest: take the one that is being filled as well
 *
 * Returns bytes, a multiple of the sub-buffer size, 0 when there are no more,
 * or a negative errno.
 */
ssize_t source_take(struct source *s, struct source_pipe *pipe, void *room, size_t size,
		    bool rest);

/**
 * source_take_due - move sub-buffers that are full into @room
 * @size: of @room, whole sub-buffers, no more than source.due since the last poll
 *
 * Returns as source_take. A kernel whose poll does not wait that long is found out:
 * source.due is 0 then.
 */
ssize_t source_take_due(struct source *s, void *room, size_t size);

#endif
