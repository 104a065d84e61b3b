/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* note.h - how the layers above tell a file that its data are damaged */
#ifndef FILE_NOTE_H
#define FILE_NOTE_H

#include <ktrail/file.h>

/* @pos: of the sub-buffer, in the CPU's uncompressed data */
void file_note_page(struct kt_file *file, const char *buffer, int cpu, uint64_t pos,
		    const char *what);

#endif
