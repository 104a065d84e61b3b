/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lane_page.h - decode the sub-buffers of one source step by step */
#ifndef TRACE_LANE_PAGE_H
#define TRACE_LANE_PAGE_H

#include "trace/lane.h"

#define LAST_PAGE SIZE_MAX	/* offset of the last sub-buffer of a chunk */

/* Decompress the chunk unless it is kept. 1, 0 after the last chunk, -EBADMSG, -ENOMEM */
int lane_hold_chunk(struct lane *l, uint64_t nr);

/* Move before the first record of a sub-buffer. 1; 0: there is none, nothing moved; -ENOMEM */
int lane_open_at(struct lane *l, uint64_t chunk, size_t offset);
/* The same for the sub-buffer after the open one, whose last step is decoded */
int lane_open_next(struct lane *l);
/* The kept chunk is not used: it may be invalid. */
void lane_close_page(struct lane *l);

/* Decode the @step-th step of the sub-buffer and put the gap before its first record. 0, -ENOMEM */
int lane_load_step(struct lane *l, size_t step);
/* The same for the last step; the gap is after its last record */
int lane_last_step(struct lane *l);

#endif
