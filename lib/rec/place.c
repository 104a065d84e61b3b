/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* place.c - whether a thread of the recording is in the way of what is traced */
#include "rec/place.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/*
 * A real-time thread stays on the CPU where it began, even when all others are
 * idle; an ordinary one that is woken goes to one of those. Moving the first by
 * force was tried: then, on a virtual machine, a host that takes the CPU away from
 * it alone makes it late, and events were lost.
 */
#define EVERY_MS 100

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Do fewer threads run than there are CPUs? The caller and the one it would wake are one. */
static bool any_idle(void)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
	FILE *f = fopen("/proc/loadavg", "re");

	if (f && fscanf(f, "%*s %*s %*s %ld/", &running) != 1)
		running = 0;
	if (f)
		fclose(f);
	return nr_cpus > 1 && running > 0 && running - 1 <= nr_cpus;
}

bool place_in_the_way(struct place *p, int cpu)
{
	uint64_t now;

	if (sched_getcpu() != cpu)
		return false;
	now = now_ms();
	if (!p->looked_ms || now - p->looked_ms >= EVERY_MS) {
		p->idle = any_idle();
		p->looked_ms = now;
	}
	return p->idle;
}
