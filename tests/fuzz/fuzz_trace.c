/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_trace.c - whatever bytes: rows, records at random, calls, spans, latencies of a trace */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ktrail/calls.h>
#include <ktrail/latencies.h>
#include <ktrail/reader.h>
#include <ktrail/span.h>
#include <ktrail/why.h>

#define STEPS	 300		/* of a reader in one direction */
#define MAX_CALLS 10000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void step(struct kt_reader *r,
		 int (*to)(struct kt_reader *r, struct kt_record *rec, struct kt_err *err))
{
	struct kt_record rec;
	int i;

	for (i = 0; i < STEPS && to(r, &rec, NULL) > 0; i++)
		;
}

/* A row is where its record is. */
static void look_up(struct kt_index *ix, struct kt_reader *r, uint64_t row)
{
	struct kt_record rec;
	uint64_t again;

	if (kt_reader_seek_row(r, row, NULL) < 0 || kt_reader_next(r, &rec, NULL) <= 0)
		return;
	if (kt_index_row_of(ix, KT_ALL_SOURCES, &rec, &again, NULL) == 0 && again != row)
		abort();
}

static void read_at_random(struct kt_trace *t, const uint8_t *data, size_t size)
{
	struct kt_index_opts opts = { .cache = "", .threads = 1 };
	struct kt_index *ix = kt_index_create(t, &opts, NULL);
	struct kt_reader *r = kt_reader_create(t, ix, NULL);
	uint64_t nr = 0;
	size_t i;

	step(r, kt_reader_next);
	step(r, kt_reader_prev);
	kt_index_start(ix, NULL);
	kt_index_wait(ix, NULL);
	kt_index_nr(ix, KT_ALL_SOURCES, &nr, NULL);
	for (i = 0; i < 8 && nr; i++)
		look_up(ix, r, (uint64_t)data[size - 1 - i % size] * nr / 256);
	kt_reader_seek(r, UINT64_MAX, NULL);
	step(r, kt_reader_prev);
	kt_reader_destroy(r);
	kt_index_destroy(ix);
}

static int take_span(void *data, const struct kt_span *span, struct kt_err *err)
{
	(void)err;
	*(uint64_t *)data += span->end.ts - span->begin.ts;
	return 0;
}

static void follow(struct kt_trace *t)
{
	uint64_t sum = 0;
	struct kt_spans_opts spans = { .sink = take_span, .data = &sum };
	struct kt_call_tree_opts calls = { .max_calls = MAX_CALLS };
	struct kt_spans *s = kt_spans_create(t, &spans, NULL);
	struct kt_call_tree *tree = kt_call_tree_create(t, &calls, NULL);
	const struct kt_call *c;
	size_t i;

	if (s && tree) {
		struct kt_analysis *list[] = { kt_spans_analysis(s), kt_call_tree_analysis(tree) };

		kt_pass_run(t, list, 2, NULL, NULL);
	}
	for (i = 0; tree && (c = kt_call_tree_at(tree, i)); i++)
		if (!kt_call_name(t, c) || (c->parent != KT_CALL_NONE && c->parent >= i))
			abort();
	kt_call_tree_destroy(tree);
	kt_spans_destroy(s);
}

static void measure(struct kt_trace *t)
{
	const struct kt_latency_opts lo = { .kinds = (1u << KT_LATENCY_PAIR) - 1, .worst = 1 };
	struct kt_latency_table *table = kt_latency_table_create(t, &lo, NULL);
	const struct kt_latency *one;
	struct kt_why *why = NULL;
	struct kt_latency_row row;
	size_t i;

	if (table)
		kt_pass_run(t, &(struct kt_analysis *){ kt_latency_table_analysis(table) }, 1,
			    NULL, NULL);
	for (i = 0; table && kt_latency_table_row(table, i, &row); i++)
		if (row.min > row.p50 || row.p50 > row.p999 || row.p999 > row.max)
			abort();
	one = table ? kt_latency_table_worst(table, KT_LATENCY_WAKEUP, 0) : NULL;
	if (one)
		why = kt_why_create(t, &(struct kt_why_opts){ one->file, one->pid, one->from,
							      one->until }, NULL);
	if (why)
		kt_pass_run(t, &(struct kt_analysis *){ kt_why_analysis(why) }, 1, NULL, NULL);
	kt_why_destroy(why);
	kt_latency_table_destroy(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_trace *t = kt_trace_create();
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[40];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (size && kt_trace_add(t, path, NULL, NULL) == 0) {
		read_at_random(t, data, size);
		follow(t);
		measure(t);
	}
	kt_trace_destroy(t);
	close(fd);
	return 0;
}
