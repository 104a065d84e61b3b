/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* note.h - what only the walk over the records asks of a file */
#ifndef FILE_NOTE_H
#define FILE_NOTE_H

#include <ktrail/file.h>

/* The data are damaged. @pos: of the sub-buffer, in the CPU's uncompressed data */
void file_note_page(struct kt_file *file, const char *buffer, int cpu, uint64_t pos,
		    const char *what);

/*
 * Give a decompressed chunk back and hold a copy of @size bytes from @offset on
 * instead: where so many CPUs are read that whole chunks of all of them would
 * take too much. 0, -ENOMEM.
 */
int file_chunk_cut(struct kt_chunk *chunk, size_t offset, size_t size);

#endif
