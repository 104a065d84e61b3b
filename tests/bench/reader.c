/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.c - what a viewer waits for: opening, the index, jumps to rows and times, steps
 *
 * reader FILE [THREADS [CACHE]]: a line for each; CACHE is a folder for the index, kept
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <ktrail/reader.h>

#define JUMPS 200
#define STEPS 1000000

static struct kt_err err;

static void check(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "reader: %s\n", err.msg);
	exit(1);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double cpu_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double say(const char *what, double since)
{
	double t = now();

	printf("%-40s %10.3f ms\n", what, (t - since) * 1e3);
	return t;
}

static uint64_t pick(uint64_t nr)
{
	static uint64_t seed = 88172645463325252;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % nr;
}

/* What a key of a viewer asks for: a screen of records at that place, and its row */
static void screen(struct kt_reader *r)
{
	struct kt_record rec;
	int i, ret = 1;

	for (i = 0; i < 50 && ret > 0; i++)
		ret = kt_reader_next(r, &rec, &err);
	check(ret);
}

static void measure_jumps(struct kt_reader *r, uint64_t nr, uint64_t first, uint64_t last)
{
	double t, worst_row = 0, worst_time = 0, sum_row = 0, sum_time = 0, took;
	uint64_t row;
	int i;

	for (i = 0; i < JUMPS; i++) {
		t = now();
		check(kt_reader_seek_row(r, pick(nr), &err));
		screen(r);
		took = now() - t;
		sum_row += took;
		worst_row = took > worst_row ? took : worst_row;
		t = now();
		check(kt_reader_seek(r, first + pick(last - first), &err));
		screen(r);
		check(kt_reader_row(r, &row, &err));
		took = now() - t;
		sum_time += took;
		worst_time = took > worst_time ? took : worst_time;
	}
	printf("%-40s %10.3f ms, at most %.3f ms\n", "jump to a row, 50 records", sum_row / JUMPS * 1e3,
	       worst_row * 1e3);
	printf("%-40s %10.3f ms, at most %.3f ms\n", "jump to a time, 50 records, their row",
	       sum_time / JUMPS * 1e3, worst_time * 1e3);
}

static void measure_steps(struct kt_reader *r)
{
	struct kt_record rec;
	double t = now(), forward;
	int i, k;

	check(kt_reader_seek(r, 0, &err));
	for (i = 0; i < STEPS && kt_reader_next(r, &rec, &err) > 0; i++)
		;
	forward = now() - t;
	t = now();
	for (k = 0; k < i && kt_reader_prev(r, &rec, &err) > 0; k++)
		;
	if (i)
		printf("%-40s %10.1f ns, backward %.1f ns\n", "a step forward", forward / i * 1e9,
		       (now() - t) / i * 1e9);
}

static struct kt_index *measure_index(struct kt_trace *t, const struct kt_index_opts *o)
{
	struct kt_index *ix = kt_index_create(t, o, &err);
	struct kt_index_progress p;
	double began = now(), took, cpu = cpu_time();

	check(ix ? kt_index_start(ix, &err) : -1);
	check(kt_index_wait(ix, &err));
	took = now() - began;
	kt_index_progress(ix, &p);
	printf("%-40s %10.3f ms (%.3f ms of CPU), %.1f M records/s, %zu KiB, %.3f bytes a record, "
	       "from the %s\n", "index", took * 1e3, (cpu_time() - cpu) * 1e3, (double)p.nr_records / took / 1e6, p.memory >> 10,
	       p.nr_records ? (double)p.memory / (double)p.nr_records : 0.,
	       p.origin == KT_INDEX_OF_FILE ? "file" :
	       p.origin == KT_INDEX_OF_CACHE ? "cache" : "data");
	return ix;
}

int main(int argc, char **argv)
{
	struct kt_index_opts o = { .threads = argc > 2 ? (unsigned int)atoi(argv[2]) : 0,
				   .cache = argc > 3 ? argv[3] : "", .cache_least = 1 };
	struct kt_trace *t = kt_trace_create();
	struct kt_record rec = { 0 };
	struct kt_index *ix;
	struct kt_reader *r;
	struct rusage use;
	uint64_t nr, first, last;
	double began;

	if (argc < 2 || !t) {
		fprintf(stderr, "usage: reader FILE [THREADS [CACHE]]\n");
		return 2;
	}
	began = now();
	check(kt_trace_add(t, argv[1], NULL, &err));
	r = kt_reader_create(t, NULL, &err);
	screen(r);
	began = say("opened, the first 50 records", began);
	check(kt_reader_seek_percent(r, 50, &err));
	screen(r);
	began = say("50 % of the bytes, 50 records", began);
	check(kt_reader_seek(r, UINT64_MAX, &err));
	check(kt_reader_prev(r, &rec, &err));
	say("the last record", began);
	check(kt_reader_seek(r, 0, &err));
	last = rec.ts;
	check(kt_reader_next(r, &rec, &err));
	first = rec.ts;
	kt_reader_destroy(r);
	ix = measure_index(t, &o);
	r = kt_reader_create(t, ix, &err);
	measure_steps(r);
	check(kt_index_nr(ix, KT_ALL_SOURCES, &nr, &err));
	if (nr && last > first)
		measure_jumps(r, nr, first, last);
	kt_reader_destroy(r);
	kt_index_destroy(ix);
	kt_trace_destroy(t);
	getrusage(RUSAGE_SELF, &use);
	printf("%-40s %10ld KiB\n", "memory at most", use.ru_maxrss);
	return 0;
}
