/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part.h - the files that hold each CPU's data while a recording goes on */
#ifndef FILE_PART_H
#define FILE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * While `trace.dat` is being recorded, the data of every CPU of every buffer
 * goes to a file of its own next to it: trace.dat.part0, .part1 …, numbered in
 * the order they were begun. The first page of a part says what it is; from
 * PART_DATA on it holds what the CPU's place in the finished file will hold,
 * so that the end of the recording only has to join them. Unfinished, the file
 * and its parts are read as one. Documentation/trace-dat.md has the layout.
 *
 * A part that gets long moves into trace.dat.parts, which all of them share and
 * which becomes the finished file. There each has extents of its own. A CPU's
 * data must be one run of chunks in the file. With zstd, the first chunk of an
 * extent has a frame before it that decompressors skip: it holds all that
 * lies between, back to the end of the extent before. With zlib, an extent ends
 * with a chunk of an empty sub-buffer, whose size reaches up to the next extent:
 * decompressors stop where the stream does.
 *
 * Integers are in the byte order of the file they belong to.
 */
#define PART_MAGIC "ktrpart1"
#define PART_DATA  4096		/* here: u32 of chunks when compressed, as in version 7 */
#define PART_NAME  1024		/* room for each name, with its NUL */

#define PART_STATS 1024

/* least bytes; from PART_DATA of the shared file on, without gaps */
#define PART_EXTENT (1u << 20)
#define PART_TAG    "ktrxtent"	/* an extent begins with this, a u32 number of its part, and u32
				   bytes of the block before that reaches up to it, 0 if none
				   does */
#define PART_TAG_SIZE 16
#define PART_LINK   16		/* kept free at the end of an extent: u32 bytes and u32 raw bytes of
				   the chunk that follows elsewhere, then the head of a skipped
				   frame */
#define PART_TAIL   512		/* the same with zlib: a whole chunk */

struct part_head {
	char     magic[8];
	uint64_t trace_id;	/* option TRACEID of the file it belongs to */
	uint64_t start;		/* of the first chunk, or sub-buffer; all before it was dropped */
	uint32_t cpu;
	uint32_t page_size;	/* bytes of a sub-buffer */
	uint32_t compressed;	/* 0, or 1: chunks, by the method of the file */
	uint32_t reserved;
	char     buffer[PART_NAME];
	char     clock[PART_NAME];
	uint64_t shared;	/* 0, or where its data now are in the shared file,
				 * @start is void */
	char     stats[PART_STATS];	/* counters of the CPU, as in option CPUSTAT, or "" */
};

/* The file itself, if @path is a link to it: parts lie next to that. New (free); NULL: no memory */
char *part_home(const char *path);
/* "PATH.partN", new (free); NULL: no memory */
char *part_path(const char *path, unsigned int nr);
/* "PATH.parts", the file that long parts share; new (free) */
char *part_shared_path(const char *path);
/* Has the file @path parts: is it an unfinished recording? */
bool part_any(const char *path);
/* Remove all parts of a file */
void part_unlink_all(const char *path);
/* They become those of the file @to, as far as they can. */
void part_rename_all(const char *path, const char *to);

#endif
