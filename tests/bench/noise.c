/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noise.c - a process on each of N CPUs fills the trace with data that cannot be compressed */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WRITE 896		/* bytes of an event */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* @mb on @cpu, at most @rate MB a second, so that a recorder loses little of it */
static int fill(const char *marker, int cpu, long mb, double rate)
{
	uint64_t x = 88172645463325252ull + (uint64_t)cpu, i, nr = (uint64_t)mb * 1000000 / WRITE;
	uint64_t odd;
	double start = now();
	char text[WRITE];
	cpu_set_t set;
	size_t at;
	int fd;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	fd = open(marker, O_WRONLY);
	for (i = 0; fd >= 0 && i < nr; i++) {
		for (at = 0; at + 8 <= WRITE; at += 8) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			odd = x | 0x0101010101010101ull;	/* a marker ends at a zero byte */
			memcpy(text + at, &odd, 8);
		}
		if (write(fd, text, sizeof(text)) < 0)
			return 1;
		while ((now() - start) * rate * 1e6 < (double)(i * WRITE))
			usleep(1000);
	}
	return fd < 0;
}

/* usage: noise MARKER NR-CPUS MB RATE FILE: the time of the end goes to FILE */
int main(int argc, char **argv)
{
	int i, nr = argc > 5 ? atoi(argv[2]) : 0, status, bad = nr == 0;
	FILE *f;

	for (i = 0; i < nr; i++)
		if (fork() == 0)
			_exit(fill(argv[1], i, atol(argv[3]) / nr, atof(argv[4]) / nr));
	while (wait(&status) > 0)
		bad |= status != 0;
	f = bad ? NULL : fopen(argv[5], "w");
	if (!f)
		return 1;
	fprintf(f, "0 %.6f 0\n", now());
	return fclose(f) != 0;
}
