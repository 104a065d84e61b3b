/* SPDX-License-Identifier: GPL-2.0-or-later */
/* getppid.c - a pinned process that makes N system calls and prints their cost */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

#define BATCH 16	/* calls between readings of the clock, which do not enter the kernel */

/* usage: getppid N FILE [RATE]: "ns-per-call end-time cpu-seconds" goes to FILE; RATE: calls a second */
int main(int argc, char **argv)
{
	long i, n = argc > 2 ? atol(argv[1]) : 0;
	double rate = argc > 3 ? atof(argv[3]) : 0;
	double start, end;
	struct rusage u;
	cpu_set_t set;
	FILE *f;

	CPU_ZERO(&set);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
	sched_setaffinity(0, sizeof(set), &set);
	start = now();
	for (i = 0; i < n; i++) {
		while (rate && i % BATCH == 0 && (now() - start) * rate < i)
			;
		syscall(SYS_getppid);
	}
	end = now();
	getrusage(RUSAGE_SELF, &u);
	f = argc > 2 ? fopen(argv[2], "w") : NULL;
	if (!f)
		return 1;
	fprintf(f, "%.1f %.6f %.6f\n", (end - start) * 1e9 / n, end,
		u.ru_utime.tv_sec + u.ru_stime.tv_sec +
		(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6);
	return fclose(f) != 0;
}
