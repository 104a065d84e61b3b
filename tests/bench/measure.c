/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.c - run a command; "exit-time cpu-seconds peak-KiB", its children's included, go to a file */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec t;
	struct rusage u;
	int status = 1;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		return 2;
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	wait4(pid, &status, 0, &u);
	clock_gettime(CLOCK_MONOTONIC, &t);
	f = fopen(argv[1], "w");
	if (!f)
		return 1;
	fprintf(f, "%.6f %.6f %ld\n", t.tv_sec + t.tv_nsec / 1e9,
		u.ru_utime.tv_sec + u.ru_stime.tv_sec +
		(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6, u.ru_maxrss);
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
