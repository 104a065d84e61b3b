/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* source.h - take whole sub-buffers from one CPU's ring buffer */
#ifndef REC_SOURCE_H
#define REC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/base.h>

/*
 * CPU seconds to take a gigabyte of 4 KiB sub-buffers, measured on Linux 6.18 on
 * an otherwise idle machine: one readv for many of them 0.27, a read for each 0.35,
 * splice into a pipe and read from it 0.39 (the kernel allocates and clears a page for
 * each), the mapped ring buffer (TRACE_MMAP_IOCTL_GET_READER) 1.4: it walks all
 * events of a page and needs a call per page. But reading also takes the sub-buffer
 * being written, event by event. So readv takes sub-buffers known to be full,
 * and splice, which returns only full ones, takes the rest.
 */
struct source {
	int      fd;		/* trace_pipe_raw, non-blocking */
	uint32_t page_size;
	bool     splice;
	bool     partial;	/* the last one taken was still being filled */
	unsigned int nr_tiny;	/* how many of the last ones were less than a quarter full */
	size_t   due;		/* bytes in full sub-buffers when poll returns; 0: not known */
};

/* A pipe that holds one chunk; all sources of a thread share it */
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
 * @rest: also take the one that is being filled
 *
 * Returns bytes, a multiple of the sub-buffer size, 0 if there are no more,
 * or a negative errno.
 */
ssize_t source_take(struct source *s, struct source_pipe *pipe, void *room, size_t size,
		    bool rest);

/**
 * source_take_due - move full sub-buffers into @room
 * @size: of @room, whole sub-buffers, no more than source.due since the last poll
 *
 * Returns as source_take(). This detects kernels whose poll returns earlier, and sets
 * source.due to 0.
 */
ssize_t source_take_due(struct source *s, void *room, size_t size);

#endif
