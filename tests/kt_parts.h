/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_parts.h - a recording that is not finished: its head, and a part for each CPU */
#ifndef KT_PARTS_H
#define KT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "file/part.h"

#define KT_PARTS_TRACE_ID 0x1234567890ull
#define KT_PARTS_RECORDS  1000		/* in a whole part, of type 7, 10 ns apart */

/* The path of part @nr, in the folder of the test; valid until the next call */
const char *kt_part_path(unsigned int nr);
void kt_parts_remove(void);

struct part_head kt_part_head(int cpu, const char *buffer, bool compressed);
/* A part with a chunk for each of the first sub-buffers; the last @cut bytes are missing. */
void kt_part_write_pages(unsigned int nr, const struct part_head *head, int cpu, size_t nr_pages,
			 size_t cut);
void kt_part_write(unsigned int nr, const struct part_head *head, int cpu, size_t cut);
/* The path of the file that exists before any part is joined */
const char *kt_parts_head_file(const char *compression);

#endif
