/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* note.h - what the code that walks the records of a file needs from it */
#ifndef FILE_NOTE_H
#define FILE_NOTE_H

#include <sys/types.h>

#include <ktrail/file.h>

#include "base/str.h"

/* Note a damaged sub-buffer. @pos: its offset in the CPU's uncompressed data */
void file_note_page(struct kt_file *file, const char *buffer, int cpu, uint64_t pos,
		    const char *what);

/*
 * Like kt_file_chunk_get(). To save memory, if a compressed chunk is larger than @most bytes, it
 * returns a piece of at most @most bytes from @offset on.
 * @left: bytes of the chunk after the piece
 */
int file_chunk_piece(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		     size_t offset, size_t most, struct kt_chunk *out, size_t *left);

/*
 * A hash of device, inode, size, time of change, first and last bytes; 0: not available,
 * or the recording is still running.
 */
uint64_t file_identity(const struct kt_file *file);
/* A hash of size, first and last bytes only: a copy of the file has the same */
uint64_t file_fingerprint(const struct kt_file *file);

/*
 * Read what an unfinished recording has gained. This invalidates all chunks that were read;
 * positions stay valid. Adds the current saved_cmdlines to @names if they may have changed.
 * 0; 1: more than data has changed, the file must be reopened; -ENOMEM
 */
int file_take_growth(struct kt_file *file, struct str *names);

/* The position of a chunk, known without reading it */
struct file_extent {
	uint64_t pos;			/* of its first sub-buffer in the CPU's uncompressed data */
	uint64_t stored;		/* bytes of the CPU's stored data up to its end */
	uint32_t size;			/* bytes, uncompressed */
	bool     compressed;
};
/* The extent of the @nr-th chunk: 1, 0 after the last, -ENOMEM */
int file_chunk_extent(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct file_extent *out);
/*
 * The first uncompressed chunk from the @nr-th on that the recorder has not freed. Freed chunks
 * read as zeros; a recording of an hour has many of them.
 */
uint64_t file_kept_chunk(const struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr);
/* Which chunk holds byte @pos of the CPU's uncompressed data? 1, 0 after the last, -ENOMEM */
int file_chunk_at(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t pos,
		  uint64_t *nr);
/*
 * Copy at most @size bytes from @offset of an uncompressed chunk into @to and return how many.
 * They are read if using the map could kill the process, see kt_file_open().
 */
ssize_t file_chunk_copy(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
			size_t offset, void *to, size_t size);

/* @nr_files files share the memory limit of the decompressors of chunk pieces. */
void file_limit_readers(struct kt_file *file, size_t nr_files);

#endif
