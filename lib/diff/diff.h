/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* diff.h - names with their blocks, paths of calls, and the recordings that fill them */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include <ktrail/diff.h>
#include <ktrail/span.h>

#include "base/keymap.h"
#include "latency/dist.h"

#define DIFF_ENTRIES_MAX 4096
#define DIFF_NODES_MAX   (1u << 16)
#define DIFF_NONE        UINT32_MAX
/*
 * The most blocks of a recording. Its length is not known while it is read: when there are this
 * many, blocks are merged in pairs, so at least half of them remain.
 */
#define DIFF_FINE 32
/* Levels of times in a block: two for each power of two */
#define DIFF_LEVELS      (DIST_BUCKETS / 16)
/* A kind besides those of latencies: events that are only counted */
#define DIFF_EVENT       KT_LATENCY_KINDS

struct diff_block {
	uint64_t count, sum;
	double   logs;			/* sum of logarithms */
	uint32_t *levels;		/* DIFF_LEVELS; NULL: none timed */
};

/* A name in one recording */
struct diff_cell {
	struct diff_block blocks[DIFF_FINE];
};

struct diff_entry {
	unsigned int kind;		/* enum kt_latency_kind, or DIFF_EVENT */
	bool timed;
	char *name;
	struct diff_cell *cells[2][KT_DIFF_RUNS];	/* NULL: not in it */
	struct dist dist[2];
	uint64_t count[2], sum[2], min[2], max[2];
	double   logs[2];
	/* set by kt_diff_compare() */
	bool left_out;
	bool explained;			/* by the differences of other entries */
	unsigned int flags;
	double change_ns, more, slower, longer, in_total, p;
};

/* A frame of a path of calls */
struct diff_node {
	uint32_t parent, name;
	uint32_t entry;			/* DIFF_NONE: none yet, or no function */
	uint64_t own[2], count[2];
	double   total[2];
};

struct diff_run;

struct kt_diff {
	struct kt_diff_opts opts;
	struct diff_entry **entries;
	struct diff_entry **order;	/* of rows, after kt_diff_compare() */
	size_t nr;
	struct keymap entry_of;		/* by kind and name */
	struct diff_node *nodes;	/* [0]: the root */
	size_t nr_nodes;
	char **names;			/* of nodes */
	size_t nr_names;
	struct keymap name_of, node_of;
	struct diff_run *runs[2][KT_DIFF_RUNS];
	size_t nr_runs[2];
	struct kt_diff_method method;
	double scale[2];		/* of counts and totals of a side */
};

/* One recording; run.c */
struct diff_run {
	struct kt_analysis analysis;	/* first */
	struct kt_diff *d;
	enum kt_diff_side side;
	size_t index;			/* in its side */
	struct kt_diff_input in;
	struct kt_window *windows;	/* clipped to the trace; owned */
	size_t nr_windows;
	struct kt_diff_run pub;
	bool lossy[DIFF_FINE];
	uint64_t progress, size;	/* measurements so far; in each block */
	struct kt_latency_table *latencies;	/* NULL: no such kind */
	struct kt_calls *calls;			/* or NULL */
	struct diff_uses *uses;		/* by file */
	struct keymap entry_of;		/* by the keys of this trace */
	struct keymap node_of;
	unsigned int kinds;		/* kinds to compare that it has */
	struct keymap has_event;	/* by hash of "system:event" */
	const struct kt_record *rec;	/* the current record */
	bool failed;			/* no memory */
};

/* explain.c: set .explained of all entries */
void diff_explain(struct kt_diff *d);
/* Is it time that other activities leave over? */
bool diff_is_leftover(const struct diff_entry *e);

/* entries.c */
uint64_t diff_hash(const char *text);
/* The index of an entry, created if needed. DIFF_NONE: the table is full if *@full, or no memory */
uint32_t diff_entry(struct kt_diff *d, unsigned int kind, const char *name, bool *full);
/* NULL: there is none */
struct diff_entry *diff_entry_find(const struct kt_diff *d, unsigned int kind, const char *name);
/* Add a measurement that ended in @block. 0 or -ENOMEM */
int  diff_entry_add(struct diff_entry *e, const struct diff_run *run, unsigned int block,
		    bool timed, uint64_t ns);
/* Merge blocks in pairs. */
void diff_entry_fold(struct diff_entry *e, const struct diff_run *run);
void diff_entry_destroy(struct diff_entry *e);
/* The name as other recordings have it, too: without numbers of tasks, interrupts and CPUs */
void diff_canonical(unsigned int kind, const char *name, char *out, size_t size);

/* paths.c */
int  diff_paths_init(struct kt_diff *d);
void diff_paths_fini(struct kt_diff *d);
/* NULL: no memory. Its sink is @run */
struct kt_calls *diff_paths_follow(struct diff_run *run, struct kt_err *err);
void diff_paths_sum(struct kt_diff *d);

/* run.c */
/* Add one measurement. 0 or -ENOMEM */
int  diff_run_take(struct diff_run *run, uint32_t entry, bool timed, uint64_t ns);
bool diff_run_wants(const struct diff_run *run, size_t file, int pid);
/* Can the recording have one of these kinds? */
bool diff_run_has(const struct diff_run *run, const struct diff_entry *e);
void diff_run_destroy(struct diff_run *run);

/* exchange.c: the test */
struct diff_test {
	size_t entry;
	unsigned int what;		/* enum diff_what */
	double t, p;
	double difference;		/* of the means; set by diff_exchange() */
	double values[2][KT_DIFF_RUNS];	/* of the units of both sides; NAN: none */
	double weights[KT_DIFF_RUNS];	/* of pairs, 0 to 1 */
};

struct diff_design {
	bool paired;			/* unit i of A belongs to unit i of B */
	size_t nr[2];			/* units; equal if paired; at most KT_DIFF_RUNS */
	double least;			/* least deviation to assume, in the unit of the values */
	size_t exchanges;		/* set by diff_exchange() */
};
/* Can the test find anything with this probability of an error? */
bool diff_design_suffices(const struct diff_design *design, double error);
/* Sets .t and .p of all tests. 0 or -ENOMEM */
int diff_exchange(struct diff_design *design, struct diff_test tests[], size_t nr);

#endif
