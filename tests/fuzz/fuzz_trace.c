/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_trace.c - any bytes: rows, records at random, calls, spans, latencies, differences */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ktrail/diff.h>
#include <ktrail/export.h>
#include <ktrail/latencies.h>
#include <ktrail/reader.h>
#include <ktrail/span.h>
#include <ktrail/why.h>

#define STEPS	 300		/* of a reader in one direction */
#define MAX_CALLS 10000

/* A figure that has a value and was not cut by losses must have a verdict. */
static void judge(struct kt_trace *t)
{
	struct kt_metric *m = kt_metric_parse("p50(wakeup) < 1ms and max(irq) > 1us and "
		"errors(syscall) < 3 and "
		"avg(sched_waking -> sched_switch by pid=next_pid) < 1ms and total(calls) < 1s and rate(event sched_switch) < 5/s", NULL);
	struct kt_analysis *const *list;
	struct kt_metric_row row;
	size_t nr, i;

	if (kt_metric_open(m, t, &(struct kt_metric_opts){ .duration_ns = 1 }, NULL) == 0) {
		list = kt_metric_analyses(m, &nr);
		kt_pass_run(t, list, nr, NULL, NULL);
	}
	for (i = 0; kt_metric_row(m, i, &row); i++)
		if (row.has_value && !row.unseen && row.verdict == KT_VERDICT_UNKNOWN)
			abort();
	kt_metric_destroy(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void step(struct kt_reader *r,
		 int (*to)(struct kt_reader *r, struct kt_record *rec, struct kt_err *err))
{
	struct kt_record rec;
	int i;

	for (i = 0; i < STEPS && to(r, &rec, NULL) > 0; i++)
		;
}

/*
 * If the records were counted, a row leads to its record. The index in a file may count others:
 * those of a damaged chunk, or any number at all.
 */
static void look_up(struct kt_index *ix, struct kt_reader *r, uint64_t row)
{
	struct kt_index_progress p;
	struct kt_record rec;
	uint64_t again;

	kt_index_progress(ix, &p);
	if (kt_reader_seek_row(r, row, NULL) < 0 || kt_reader_next(r, &rec, NULL) <= 0)
		return;
	if (kt_index_row_of(ix, KT_ALL_SOURCES, &rec, &again, NULL) == 0 && again != row &&
	    p.origin == KT_INDEX_OF_DATA)
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

/* The complete explanation of an interval */
static void explain(struct kt_trace *t, const struct kt_why_opts *o)
{
	struct kt_why *why = kt_why_create(t, o, NULL);
	struct kt_window window;
	size_t i;

	if (!why)
		return;
	window = kt_why_window(why);
	kt_pass_run(t, &(struct kt_analysis *){ kt_why_analysis(why) }, 1,
		    &(struct kt_pass_opts){ .windows = &window, .nr_windows = 1 }, NULL);
	for (i = 0; kt_why_line(why, i); i++)
		if (!kt_why_text(why, i))
			abort();
	for (i = 0; kt_why_missing(why, i); i++)
		;
	if (!kt_why_summary(why))
		abort();
	kt_why_destroy(why);
}

/* Explain two kinds, which depend on the input: each explanation needs another pass */
static void explain_worst(struct kt_trace *t, const struct kt_latency_table *table, size_t size)
{
	unsigned int i, kind, explained = 0;

	for (i = 0; i < KT_LATENCY_PAIR && explained < 2; i++) {
		const struct kt_latency *one;
		struct kt_why_opts o;

		kind = (size + i) % KT_LATENCY_PAIR;
		one = kt_latency_table_worst(table, kind, 0);
		if (!one)
			continue;
		explained++;
		o = (struct kt_why_opts){
			.file = one->file, .pid = one->pid, .from = one->from, .until = one->until,
			.cpu = one->cpu, .of_request = kind == KT_LATENCY_BLOCK_IO,
		};
		explain(t, &o);
		o.by_cpu = !o.of_request;
		if (o.by_cpu && kind == KT_LATENCY_WAKEUP)
			explain(t, &o);
	}
}

static void draw(const struct kt_latency_row *row)
{
	uint64_t counts[KT_LATENCY_LEVELS * KT_LATENCY_COLUMNS] = { 0 };
	const char *labels[KT_LATENCY_LEVELS];
	const struct kt_picture_heat_map map = {
		.title = row->name, .columns = KT_LATENCY_COLUMNS, .rows = KT_LATENCY_LEVELS,
		.counts = counts, .labels = labels, .until = UINT64_MAX,
	};
	size_t level, i;

	for (level = 0; level < KT_LATENCY_LEVELS; level++) {
		labels[level] = row->name;
		for (i = 0; row->map && row->map[level] && i < KT_LATENCY_COLUMNS; i++)
			counts[level * KT_LATENCY_COLUMNS + i] = row->map[level][i];
	}
	free(kt_picture_heat(&map, 1, NULL));
}

static void measure(struct kt_trace *t, size_t size)
{
	static const struct kt_window all = { 0, UINT64_MAX };
	const struct kt_latency_opts lo = {
		.kinds = (1u << KT_LATENCY_PAIR) - 1, .worst = 1, .map = &all,
	};
	struct kt_latency_table *table = kt_latency_table_create(t, &lo, NULL);
	struct kt_latency_row row;
	size_t i;

	if (!table)
		return;
	kt_pass_run(t, &(struct kt_analysis *){ kt_latency_table_analysis(table) }, 1, NULL, NULL);
	for (i = 0; kt_latency_table_row(table, i, &row); i++) {
		if (row.min > row.p50 || row.p50 > row.p999 || row.p999 > row.max)
			abort();
		if (!i)
			draw(&row);
	}
	explain_worst(t, table, size);
	kt_latency_table_destroy(table);
}

/* Compare the trace with itself: both sides have recorded the same. */
static void compare(struct kt_trace *t)
{
	const struct kt_diff_limits limits = { .threshold = 0.05, .confidence = 0.95 };
	const struct kt_diff_input in = { .trace = t };
	struct kt_diff *d = kt_diff_create(&(struct kt_diff_opts){ .frames = true }, NULL);
	struct kt_diff_frame frame;
	struct kt_analysis *run;
	struct kt_diff_row row;
	int side;
	size_t i;

	for (side = KT_DIFF_A; side <= KT_DIFF_B; side++)
		if ((run = kt_diff_add(d, side, &in, NULL)))
			kt_pass_run(t, &run, 1, NULL, NULL);
	kt_diff_compare(d, &limits, NULL);
	for (i = 0; kt_diff_row(d, i, &row); i++)
		if (!row.name || !(row.p >= 0 && row.p <= 1))
			abort();
	for (i = 1; kt_diff_frame(d, i, &frame); i++)
		if (!frame.name || frame.parent >= i)
			abort();
	kt_diff_destroy(d);
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
		measure(t, size);
		judge(t);
		compare(t);
	}
	kt_trace_destroy(t);
	close(fd);
	return 0;
}
