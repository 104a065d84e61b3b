/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* diff.h - compare two sides, each of one or several recordings */
#ifndef KTRAIL_DIFF_H
#define KTRAIL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/base.h>
#include <ktrail/latencies.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Records of both sides are aligned by kind and name: system calls, interrupts, names of tasks,
 * paths of calls … A recording is divided into blocks of equal progress, that is, with the same
 * number of measurements in each. Differences between blocks show how much a name varies by
 * itself. Use:
 *
 *	d = kt_diff_create(&opts, &err);
 *	for each recording: kt_pass_run() with kt_diff_add() as the analysis
 *	kt_diff_compare(d, &limits, &err);
 *	kt_diff_row(d, 0), kt_diff_row(d, 1) …
 *
 * Memory: up to 50 KiB for each name, plus 17 KiB for each further recording; at most 4096 names.
 */
struct kt_diff;

#define KT_DIFF_BLOCKS 16		/* blocks of a recording */
#define KT_DIFF_RUNS   32		/* maximum number of recordings of a side */

enum kt_diff_side { KT_DIFF_A, KT_DIFF_B };

struct kt_diff_opts {
	/* Bits 1 << enum kt_latency_kind; 0: all kinds that a trace has, and its other events.
	 * KT_LATENCY_CALL means the own time of functions, by path of calls. */
	unsigned int kinds;
	/* As in struct kt_latency_opts; borrowed */
	struct kt_latency_subject *const *subjects;
	size_t nr_subjects;
	const char *pair;		/* name of the pair among the subjects; NULL: none */
	bool frames;			/* without recorded functions, kt_diff_frame() has system
					 * calls and interrupts */
};

/* New (kt_diff_destroy); NULL: -ENOMEM */
struct kt_diff *kt_diff_create(const struct kt_diff_opts *opts, struct kt_err *err);
void kt_diff_destroy(struct kt_diff *d);

struct kt_diff_input {
	struct kt_trace *trace;		/* borrowed until its pass has finished, or, if that
					 * fails, until kt_diff_destroy() */
	const struct kt_window *windows;	/* as in struct kt_pass_opts; borrowed likewise */
	size_t nr_windows;
	/* Optional: as in struct kt_latency_opts */
	bool (*counts)(void *data, const struct kt_record *rec);
	bool (*chosen)(void *data, size_t file, int pid);
	void *data;
};

/**
 * kt_diff_add - an analysis that takes one recording of @side
 *
 * Returns it, borrowed; NULL with
 *   -E2BIG   the side has KT_DIFF_RUNS recordings
 *   -ENODATA the trace is empty
 *   …        as kt_latency_table_create()
 */
struct kt_analysis *kt_diff_add(struct kt_diff *d, enum kt_diff_side side,
				const struct kt_diff_input *in, struct kt_err *err);

/* Facts about a recording, in order of kt_diff_add() on that side; valid after its pass */
struct kt_diff_run {
	uint64_t ns;			/* its length, or that of its windows */
	uint64_t nr_lost;		/* lost events; a loss of unknown size counts as one */
	unsigned int lossy_percent;	/* percentage of its blocks in which events were lost */
	uint64_t cut;			/* incomplete spans and calls, which are not counted */
	bool full;			/* it has more names than the limit */
};
size_t kt_diff_nr_runs(const struct kt_diff *d, enum kt_diff_side side);
void kt_diff_run(const struct kt_diff *d, enum kt_diff_side side, size_t i,
		 struct kt_diff_run *run);

/* Counts are compared per recording, or per second */
enum kt_diff_per { KT_DIFF_PER_ANY, KT_DIFF_PER_RECORDING, KT_DIFF_PER_SECOND };

struct kt_diff_limits {
	double threshold;		/* 0.05: changes of less than 5 % are ignored */
	double confidence;		/* 0.95: 95 % of comparisons of the same work find no
					 * difference at all */
	enum kt_diff_per per;		/* ANY: the one in which most counts agree */
};

/**
 * kt_diff_compare - find out what has changed
 *
 * A name is left out if some of the recordings lack its events. Sorts the rows: differences first,
 * by their change of the total time. May be repeated, but no recording can be added after it.
 * Returns how many rows differ, or
 *   -EINVAL  a limit is out of range, or a side has no recording
 *   -ENOMEM
 */
int kt_diff_compare(struct kt_diff *d, const struct kt_diff_limits *limits, struct kt_err *err);

enum kt_diff_flag {
	KT_DIFF_ADDED   = 1 << 0,	/* only in B */
	KT_DIFF_REMOVED = 1 << 1,	/* only in A */
	KT_DIFF_MORE    = 1 << 2,	/* more often */
	KT_DIFF_LESS    = 1 << 3,
	KT_DIFF_SLOWER  = 1 << 4,	/* it typically takes longer */
	KT_DIFF_FASTER  = 1 << 5,
	KT_DIFF_LONGER  = 1 << 6,	/* the longest take longer, or their share is larger */
	KT_DIFF_SHORTER = 1 << 7,
	KT_DIFF_MORE_TIME = 1 << 8,	/* a task runs longer in total */
	KT_DIFF_LESS_TIME = 1 << 9,
};

/* "added", "more often" … for one flag */
const char *kt_diff_flag_name(enum kt_diff_flag flag);

/* Values of all recordings of a side */
struct kt_diff_value {
	double count, total;		/* mean of the recordings, see per_second below; ns */
	double avg;			/* ns */
	double typical;			/* geometric mean, ns */
	uint64_t p50, p90, p99, max;	/* ns, to within 1.6 % */
};

struct kt_diff_row {
	const char *kind, *name;	/* borrowed until kt_diff_destroy(). Kind "event": counted
					 * only. For calls the path, outermost first: "a;b;c" */
	bool timed;			/* false: only counts are known */
	unsigned int flags;		/* enum kt_diff_flag; 0: the same, as far as is known */
	struct kt_diff_value a, b;
	double change_ns;		/* change of the total time of a recording */
	double more, slower, longer;	/* changes of count, typical time and p99: 0.2: 20 %;
					 * infinite: from nothing */
	double in_total;		/* the same, of the total time */
	bool explained;			/* by rows before it: a call by its callees … */
	double p;			/* of its clearest change: the probability of such a
					 * difference anywhere in recordings of the same work */
};

size_t kt_diff_nr(const struct kt_diff *d);
bool kt_diff_row(const struct kt_diff *d, size_t i, struct kt_diff_row *row);

/* What kt_diff_compare() has done */
struct kt_diff_method {
	bool by_run;			/* recordings were exchanged, else blocks */
	size_t units[2];		/* recordings, or blocks, of A and of B */
	size_t exchanges;		/* ways to exchange them that were tried: all or a sample */
	bool per_second;		/* rates are compared: counts and totals of B are scaled to
					 * the length of A */
	size_t nr_tests;
	unsigned int left_out;		/* bits of kinds whose events some recordings lack */
};
void kt_diff_method(const struct kt_diff *d, struct kt_diff_method *m);

/* ---- the paths of calls with their times, for a flame graph ---- */

struct kt_diff_frame {
	const char *name;		/* borrowed until kt_diff_destroy() */
	uint32_t parent;		/* an earlier frame; for the root, 0, itself */
	double own[2];			/* ns per recording of A and B, without time off the CPU */
	double total[2];		/* including all frames below */
	double count[2];
};

/* Frame 0 is the root, and always exists. Valid after kt_diff_compare(). */
size_t kt_diff_nr_frames(const struct kt_diff *d);
bool kt_diff_frame(const struct kt_diff *d, size_t i, struct kt_diff_frame *frame);

#ifdef __cplusplus
}
#endif
#endif
