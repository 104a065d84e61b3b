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
	uint64_t workload;		/* seed: what functions there are, how long they take … */
	uint64_t run;			/* seed: this recording of it */
	uint64_t ns;			/* how long it is; 0: 4 s */
	/* What is planted */
	double function;		/* a function, WORK_FUNCTION, takes so many times as long */
	double syscall;			/* WORK_SYSCALL is made so many times as often */
	double irqs;			/* so many interrupts "nvme0" a second */
	int    low_prio;		/* "app" has to wait until "hog" yields */
	double tail;			/* one of 50 calls of WORK_FUNCTION takes so many times as
					 * long */
	double busy;			/* now and then "app" computes for so many ns, while "hog"
					 * preempts it: in some recordings often, in others not */
	int    lose;			/* events are lost in one part of eight */
};

#define WORK_FUNCTION "copy_from_iter"
#define WORK_SYSCALL  "futex"

/* New (kt_trace_destroy) */
struct kt_trace *kt_work_record(const struct kt_work *w);

#endif
