/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part.h - the files that hold each CPU's data during a recording */
#ifndef FILE_PART_H
#define FILE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * While `trace.dat` is being recorded, each CPU of each buffer has a file of its own for its
 * data: trace.dat.part0, .part1 …, numbered in the order of creation.
 * The first page of a part describes it. From PART_DATA on, a part holds exactly
 * the data that the CPU will have in the finished file, so the end of the recording only
 * has to join the parts. The reader treats an unfinished file and its parts as one recording.
 * Documentation/trace-dat.md describes the layout.
 *
 * A long part moves into trace.dat.parts, a file that all long parts share and that
 * becomes the finished file. Each part has extents of its own there, but in a trace.dat
 * the data of a CPU must be one run of chunks. With zstd, the first chunk of an
 * extent therefore follows a frame that decompressors skip: that frame covers everything
 * back to the end of the previous extent. With zlib, an extent ends
 * with a chunk of an empty sub-buffer, whose size reaches up to the next extent:
 * decompressors stop at the end of the zlib stream.
 *
 * Integers have the byte order of the file that the parts belong to.
 */
#define PART_MAGIC "ktrpart1"
#define PART_DATA  4096		/* here: u32 number of chunks if compressed, as in version 7 */
#define PART_NAME  1024		/* size of each name field, including its NUL */

#define PART_STATS 1024

/* minimum bytes of an extent; extents start at PART_DATA in the shared file, without gaps */
#define PART_EXTENT (1u << 20)
#define PART_TAG    "ktrxtent"	/* starts an extent; then u32 number of its part, u32 real
				 * size of the block before it, if its stated size reaches up to
				 * here, else 0 */
#define PART_TAG_SIZE 16
#define PART_LINK   16		/* reserved at the end of an extent: u32 bytes and u32 raw bytes of
				 * the chunk in the next extent, then the header of a skipped
				 * frame */
#define PART_TAIL   512		/* the same with zlib: a whole chunk */

struct part_head {
	char     magic[8];
	uint64_t trace_id;	/* option TRACEID of the file it belongs to */
	uint64_t start;		/* of the first chunk or sub-buffer; earlier data was dropped */
	uint32_t cpu;
	uint32_t page_size;	/* bytes of a sub-buffer */
	uint32_t compressed;	/* 0, or 1: chunks, by the method of the file */
	uint32_t reserved;
	char     buffer[PART_NAME];
	char     clock[PART_NAME];
	uint64_t shared;	/* offset of its data in the shared file, then @start is unused;
				 * 0: none */
	char     stats[PART_STATS];	/* counters of the CPU as in option CPUSTAT, or "" */
};

/* The target of @path if it is a link: parts lie next to the target. New (free); NULL: no memory */
char *part_home(const char *path);
/* "PATH.partN", new (free); NULL: no memory */
char *part_path(const char *path, unsigned int nr);
/* "PATH.parts", the file that long parts share; new (free) */
char *part_shared_path(const char *path);
/* Does @path have parts, that is, is it an unfinished recording? */
bool part_any(const char *path);
/* Remove all parts of a file */
void part_unlink_all(const char *path);
/* Rename all parts to those of the file @to, as far as possible. */
void part_rename_all(const char *path, const char *to);

#endif
