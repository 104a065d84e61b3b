/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_work.h - recordings of a made-up workload, with the noise that real ones have */
#ifndef KT_WORK_H
#define KT_WORK_H

#include <stdint.h>

#include <ktrail/trace.h>

/*
 * A real-time task "app" wakes up every two milliseconds or so on a CPU that "hog" uses
 * meanwhile, makes system calls, and these call functions. Interrupts come at any time. Times are
 * lognormal; the machine's speed drifts (correlated over 100 ms), differs a little between
 * recordings, and interrupts come in bursts.
 */
struct kt_work {
	uint64_t workload;		/* seed of the workload: its functions, their times … */
	uint64_t run;			/* seed of this recording of it */
	uint64_t ns;			/* duration; 0: 4 s */
	/* What is planted */
	double function;		/* factor for the time of the function WORK_FUNCTION */
	double syscall;			/* factor for the number of calls of WORK_SYSCALL */
	double irqs;			/* number of interrupts "nvme0" per second */
	int    low_prio;		/* "app" has to wait until "hog" yields */
	double tail;			/* factor for the time of 1 in 50 calls of WORK_FUNCTION */
	double busy;			/* ns that "app" computes now and then, while "hog" preempts
					 * it: in some recordings often, in others not */
	int    lose;			/* events are lost in one of eight parts */
};

#define WORK_FUNCTION "copy_from_iter"
#define WORK_SYSCALL  "futex"

/* New (kt_trace_destroy) */
struct kt_trace *kt_work_record(const struct kt_work *w);

#endif
