/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_scene.h - what happens on some CPUs, as a trace, and the reasons that `why` finds in it */
#ifndef KT_SCENE_H
#define KT_SCENE_H

#include <stdint.h>

#include <ktrail/why.h>

#define US  1000ull

enum { SWITCH = 20, WAKEUP, WAKING, IRQ_ENTRY, IRQ_EXIT, SOFT_ENTRY, SOFT_EXIT, IDLE, MOVE,
       LOCK_BEGIN, LOCK_END, INSERT, ISSUE, COMPLETE, TIMER_START, EXPIRE, EXPIRE_EXIT, FUTEX,
       FUTEX_EXIT, VECTOR, VECTOR_EXIT, WAKEUP_NEW, SCENE_IDS };
enum { RUNS = 0, SLEEPS = 1, DISK = 2, APP = 42, HOG = 50, OTHER = 60, THIRD = 70 };
#define NOT_IDLE 0xffffffffull
#define HARDIRQ  0x08
#define SOFTIRQ  0x10

/* A record of a scene; in a file, the records of each CPU are together. */
struct happening {
	int cpu, id, pid;
	uint64_t ts, values[5];
	uint8_t flags;
};

struct scene {
	struct happening at[4000];
	size_t nr;
	unsigned int without;		/* bits of WITHOUT(id): events that are not recorded */
};

#define WITHOUT(id) (1u << ((id) - SWITCH))

/* Event @id with its first fields. Borrowed until the next one */
struct happening *put(struct scene *s, int cpu, uint64_t ts, int id, int pid, uint64_t a,
		      uint64_t b, uint64_t c);
void run_next(struct scene *s, int cpu, uint64_t ts, int prev, int state, int next);
/* As the kernel does it: sched_waking, then sched_wakeup on the CPU that it is queued on */
void wake(struct scene *s, int cpu, uint64_t ts, int by, int pid, int target);

/*
 * Each line as "depth kind ns text", then what is missing. Checks that parts add up to no more
 * than their line, and the outermost lines to the interval. New (free)
 */
char *scene_explain(const struct scene *s, const struct kt_why_opts *o);
/* The summary of these lines. New (free) */
char *scene_summary(const struct scene *s, const struct kt_why_opts *o);
/* Check that the lines for the task APP are @wanted */
void scene_check(const struct scene *s, uint64_t from, uint64_t until, const char *wanted);

#endif
