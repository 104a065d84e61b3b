/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* graph.h - the lines of the function graph tracer: calls and returns */
#ifndef IMPORT_GRAPH_H
#define IMPORT_GRAPH_H

#include "import/import.h"

#define GRAPH_DEPTH 128			/* nested calls; deeper ones are kept as texts */

/* The calls of a task that have not returned */
struct graph_task {
	struct { uint64_t func, begin; } open[GRAPH_DEPTH];
};

struct graph_cpu {
	bool     waits;			/* a return is not written yet */
	struct import_record rec;
	struct shape_values exit;
	uint64_t now;			/* for lines without a time: the least that has passed */
	int32_t  pid;			/* the task of such lines */
};

struct graph {
	struct import *im;
	struct graph_task **tasks;
	size_t nr_tasks;
	struct keymap by_task;
	struct graph_cpu *cpus[SPOOL_CPUS];
	bool no_times;			/* some lines had none */
};

void graph_fini(struct graph *g);

/*
 * Writes the call or the return in "  0.500 us    |    rw_verify_area();": 1; or 0 if the line is
 * neither, or has more than a name and a duration. @rec: its time is that of the line
 */
int graph_put(struct graph *g, const struct import_record *rec, const char *text, size_t len,
	      struct kt_err *err);
/* The same for a whole line of `trace`, " 0)   0.500 us    |    rw_verify_area();" */
int graph_put_line(struct graph *g, const char *line, size_t len, struct kt_err *err);

/*
 * A call without calls in it is one line, with its duration. This writes its return before the
 * next line of its CPU, at @until at the latest. Call it before each record of a CPU.
 */
int graph_flush(struct graph *g, unsigned int cpu, uint64_t until, struct kt_err *err);
int graph_flush_all(struct graph *g, struct kt_err *err);

#endif
