/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * race.c - let commands run in turns and compare their medians
 *
 * race [RUNS] <<< "NAME<TAB>COMMAND" lines: each round runs every command once, so
 * that a noisy neighbour disturbs all alike. Prints wall and CPU seconds, peak
 * memory, and how many times faster than the first one each is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_RUNNERS 16
#define MAX_RUNS 25

struct runner {
	char  *name, *command;
	double wall[MAX_RUNS], cpu[MAX_RUNS];	/* seconds */
	long   rss_kb;
	int    status;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static double seconds(struct timeval tv)
{
	return tv.tv_sec + tv.tv_usec / 1e6;
}

static void run_once(struct runner *r, int run)
{
	double start = now();
	struct rusage use;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", r->command, NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &r->status, 0, &use) < 0) {
		perror("race");
		exit(1);
	}
	r->wall[run] = now() - start;
	r->cpu[run] = seconds(use.ru_utime) + seconds(use.ru_stime);
	if (use.ru_maxrss > r->rss_kb)
		r->rss_kb = use.ru_maxrss;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int nr)
{
	qsort(values, nr, sizeof(*values), by_value);
	return values[nr / 2];
}

static int read_runners(struct runner *r)
{
	char line[4096], *tab;
	int nr = 0;

	while (nr < MAX_RUNNERS && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		tab = strchr(line, '\t');
		if (!tab)
			continue;
		*tab = '\0';
		r[nr].name = strdup(line);
		r[nr++].command = strdup(tab + 1);
	}
	return nr;
}

int main(int argc, char **argv)
{
	static struct runner r[MAX_RUNNERS];
	int runs = argc > 1 ? atoi(argv[1]) : 5, nr = read_runners(r), i, run;
	double first_wall = 0, first_cpu = 0;

	if (runs < 1 || runs > MAX_RUNS || !nr)
		return 2;
	for (run = 0; run < runs; run++)
		for (i = 0; i < nr; i++)
			run_once(&r[i], run);
	for (i = 0; i < nr; i++) {
		double wall = median(r[i].wall, runs), cpu = median(r[i].cpu, runs);

		if (!i) {
			first_wall = wall;
			first_cpu = cpu;
		}
		printf("  %-28s %8.3f s %8.3f s cpu %6ld MiB %7.2fx %7.2fx cpu%s\n", r[i].name, wall,
		       cpu, r[i].rss_kb >> 10, first_wall / wall, first_cpu / cpu,
		       r[i].status ? "  FAILED" : "");
	}
	return 0;
}
