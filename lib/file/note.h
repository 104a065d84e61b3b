/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* note.h - what only the walk over the records asks of a file */
#ifndef FILE_NOTE_H
#define FILE_NOTE_H

#include <sys/types.h>

#include <ktrail/file.h>

#include "base/str.h"

/* The data are damaged. @pos: of the sub-buffer, in the CPU's uncompressed data */
void file_note_page(struct kt_file *file, const char *buffer, int cpu, uint64_t pos,
		    const char *what);

/*
 * As kt_file_chunk_get, but of a compressed chunk of more than @most bytes a piece
 * of at most so many from @offset on: where whole chunks would take too much memory.
 * @left: bytes of the chunk after it
 */
int file_chunk_piece(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		     size_t offset, size_t most, struct kt_chunk *out, size_t *left);

/*
 * A hash of device, inode, size, time of change, first and last bytes; 0: it cannot be told,
 * or the recording goes on.
 */
uint64_t file_identity(const struct kt_file *file);
/* Of size, first and last bytes only: the same for a copy */
uint64_t file_fingerprint(const struct kt_file *file);

/*
 * Take up what has come to an unfinished recording since. All that was read of its data
 * is void; places in them stay. @names: saved_cmdlines as they are now are added, if they may
 * have changed. 0, 1: there is more than data, so it must be opened anew; -ENOMEM
 */
int file_take_growth(struct kt_file *file, struct str *names);

/* Where a chunk is, without reading it */
struct file_extent {
	uint64_t pos;			/* of its first sub-buffer in the CPU's uncompressed data */
	uint64_t stored;		/* bytes of the CPU's stored data up to its end */
	uint32_t size;			/* bytes, uncompressed */
	bool     compressed;
};
/* Of the @nr-th chunk: 1, 0 after the last, -ENOMEM */
int file_chunk_extent(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct file_extent *out);
/* Which chunk holds the byte at @pos of the CPU's uncompressed data? 1,
 * 0 after the last, -ENOMEM */
int file_chunk_at(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t pos,
		  uint64_t *nr);
/*
 * At most @size bytes from @offset of an uncompressed chunk into @to: how many there
 * are. They are read where the map could end the process, see kt_file_open().
 */
ssize_t file_chunk_copy(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
			size_t offset, void *to, size_t size);

/* What decompresses chunks piece by piece shares its memory with as many files. */
void file_limit_readers(struct kt_file *file, size_t nr_files);

#endif
