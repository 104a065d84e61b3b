/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timeline.h - shared by the files of the timeline */
#ifndef VIEW_TIMELINE_H
#define VIEW_TIMELINE_H

#include <ktrail/span.h>
#include <ktrail/views.h>

#include "base/keymap.h"

#define TIMELINE_LEVELS 32		/* of calls; deeper ones are omitted */

enum share {
	SHARE_IDLE, SHARE_RUN, SHARE_WAIT, SHARE_PREEMPTED, SHARE_BLOCKED, SHARE_ENDED, SHARE_IRQ,
	SHARE_SOFTIRQ, SHARE_NMI, SHARES
};

struct timeline_cell {
	float    ns[SHARES];
	float    weight;		/* of @pid: for the majority vote */
	int32_t  pid;
	uint32_t events;
	bool     lost;
};

struct timeline_row {
	struct kt_timeline_row pub;
	struct timeline_cell *cells;
	struct kt_timeline_cell *shown;
	struct kt_timeline_wait longest;
	uint64_t woken;			/* end of its last sleep, 0: not known */
	size_t   known;			/* number of the part in which it last occurred */
	uint32_t last[TIMELINE_LEVELS];	/* its last slice at each depth, plus 1; 0: none */
};

struct kt_timeline {
	struct kt_model *model;
	struct kt_reader *reader;
	struct kt_spans *spans;
	struct kt_calls *calls;		/* NULL: sampled */
	struct timeline_row *rows;
	size_t nr, room;
	struct keymap row_of;		/* by file and pid, or CPU */
	struct kt_timeline_slice *slices;
	size_t nr_slices, slices_room;
	struct kt_window window;
	size_t nr_columns;
	uint64_t width;			/* of a column, ns, at least 1 */
	bool sampled, done, failed, full, partial;
	bool ending;			/* open spans extend beyond the window */
	unsigned int lead;		/* records to go back before reading starts */
	size_t part_nr;			/* the column being sampled, from 1 on; 0: not sampled */
	size_t nr_read;			/* records read in that column */
	uint64_t next;			/* time of the next relevant record, as far as known */
	uint64_t deadline;		/* of this slice of work, ms */
	bool   stopped;			/* by @deadline: the reader goes on from where it stands */
	struct kt_spot at;		/* where to continue */
	uint64_t reached;		/* time */
	struct kt_window part;		/* spans are clipped to it */
};

/* The row, created if needed; NULL: no memory, or too many */
struct timeline_row *timeline_row_of(struct kt_timeline *t, size_t file, bool is_cpu, int id);
size_t timeline_column_of(const struct kt_timeline *t, uint64_t ts);

/* timeline_cells.c: the effect of spans and records on columns */
int  timeline_take_span(void *data, const struct kt_span *s, struct kt_err *err);
void timeline_note_record(struct kt_timeline *t, const struct kt_event *ev,
			  const struct kt_record *rec);
/* The cells to show; NULL: no memory */
struct kt_timeline_cell *timeline_show_cells(const struct kt_timeline *t,
					     const struct timeline_row *r);

/* timeline_slices.c: calls */
int  timeline_take_call(void *data, const struct kt_call *c, struct kt_err *err);
/* Give each row its slices, before rows are sorted. */
void timeline_order_slices(struct kt_timeline *t);

#endif
