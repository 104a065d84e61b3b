/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk.c - how fast the records of a file are walked: FILE */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <ktrail/file.h>
#include <ktrail/stream.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int walk(struct kt_file *file, struct kt_err *err)
{
	struct kt_stream *s = kt_stream_create();
	struct kt_batch *b = kt_batch_create(4096);
	double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
	uint64_t nr = 0;
	struct rusage u;
	int n = -1;

	if (s && b && kt_stream_add(s, file, NULL, err) == 0)
		while ((n = kt_stream_read(s, b, err)) > 0)
			nr += n;
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = seconds(CLOCK_MONOTONIC) - wall;
	getrusage(RUSAGE_SELF, &u);
	printf("%llu records, %.1f M/s of wall time, %.1f M/s of CPU time, %ld MiB\n",
	       (unsigned long long)nr, nr / wall / 1e6, nr / cpu / 1e6, u.ru_maxrss >> 10);
	kt_batch_destroy(b);
	kt_stream_destroy(s);
	return n;
}

int main(int argc, char **argv)
{
	struct kt_err err = { 0 };
	struct kt_file *file;
	int ret = 1;

	if (argc < 2) {
		fprintf(stderr, "usage: walk FILE\n");
		return 2;
	}
	file = kt_file_open(argv[1], &err);
	if (file)
		ret = walk(file, &err) < 0;
	if (err.code)
		fprintf(stderr, "walk: %s\n", err.msg);
	kt_file_close(file);
	return ret;
}
