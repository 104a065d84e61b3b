/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timeline.h - who had the CPUs, and who waited: cells of equal time for CPUs and tasks */
#ifndef KTRAIL_TIMELINE_H
#define KTRAIL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/model.h>
#include <ktrail/span.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A picture of a window of time, made in slices of work. Where the window has many
 * records, only the first ones of each column are read: it is sampled then, and each of
 * its cells tells how it was at the beginning of its time.
 */
struct kt_timeline;

enum kt_timeline_state {
	KT_TIMELINE_UNKNOWN,		/* nothing was recorded that says */
	KT_TIMELINE_IDLE,		/* a CPU without a task; a task that sleeps */
	KT_TIMELINE_RUN,
	KT_TIMELINE_WAIT,		/* a task that was woken, and has no CPU yet */
	KT_TIMELINE_PREEMPTED,		/* a task that lost its CPU though it could run */
	KT_TIMELINE_BLOCKED,		/* a task that sleeps and cannot be interrupted (D) */
};

/* What took most of its time */
struct kt_timeline_cell {
	uint8_t  state;			/* enum kt_timeline_state */
	uint8_t  irq;			/* share in interrupts, of 255 */
	bool     lost;			/* events were lost on that CPU; where the window is
					 * sampled that is known once there is an index */
	int32_t  pid;			/* of a CPU: the task that had it most */
	uint32_t events;		/* of the CPU or task, that were read */
};

struct kt_timeline_row {
	bool   is_cpu;
	int    cpu;			/* of a CPU; of a task the one it had last */
	int    pid;			/* of a task */
	size_t file;
	uint64_t run, wait;		/* ns, in the window, as far as it was read */
	const struct kt_timeline_cell *cells;	/* borrowed until the timeline goes
						 * or is set anew */
};

/* A wait for a CPU */
struct kt_timeline_wait {
	uint64_t from, until;
	size_t   file;
	int      pid;			/* who waited */
	int      cpu, holder;		/* the CPU it got in the end,
					 * and which task had that before */
};

/* @m: borrowed. New (kt_timeline_destroy), NULL: -ENOMEM */
struct kt_timeline *kt_timeline_create(struct kt_model *m, struct kt_err *err);
void kt_timeline_destroy(struct kt_timeline *t);

/* Begin anew with this window, in so many columns. 0, -ENOMEM */
int  kt_timeline_set(struct kt_timeline *t, const struct kt_window *w, size_t nr_columns,
		     struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_timeline_work(struct kt_timeline *t, unsigned int budget_ms);
/* Share of the work that is done, 0 to 1 */
double kt_timeline_done(const struct kt_timeline *t);
bool kt_timeline_is_sampled(const struct kt_timeline *t);

/* CPUs first, then tasks: those that waited or ran longest first. Ordered when work is done. */
size_t kt_timeline_nr(const struct kt_timeline *t);
bool kt_timeline_row(const struct kt_timeline *t, size_t i, struct kt_timeline_row *row);
/* The longest wait that was seen whole, of @pid or, with -1, of all: false: there is none */
bool kt_timeline_longest_wait(const struct kt_timeline *t, int pid, struct kt_timeline_wait *wait);

#ifdef __cplusplus
}
#endif
#endif
