/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lane_page.h - the sub-buffers of one source, decoded step by step */
#ifndef TRACE_LANE_PAGE_H
#define TRACE_LANE_PAGE_H

#include "trace/lane.h"

#define LAST_PAGE SIZE_MAX	/* offset of the last sub-buffer of a chunk */

/* Decompressed, unless it is held. 1, 0 after the last chunk, -EBADMSG, -ENOMEM */
int lane_hold_chunk(struct lane *l, uint64_t nr);

/*
 * Stand before the first record of a sub-buffer. 1, 0: there is none, the lane has not
 * moved then; -ENOMEM
 */
int lane_open_at(struct lane *l, uint64_t chunk, size_t offset);
/* … of the one after that which is open, whose last step is decoded */
int lane_open_next(struct lane *l);
/* What it held may be gone. */
void lane_close_page(struct lane *l);

/* Decode the @step-th step of the sub-buffer; the gap is before its first record. 0, -ENOMEM */
int lane_load_step(struct lane *l, size_t step);
/* … the last one; the gap is behind its last record */
int lane_last_step(struct lane *l);

#endif
