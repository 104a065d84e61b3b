/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* function_profile.h - the kernel's own counts of function calls, without a trace */
#ifndef KTRAIL_FUNCTION_PROFILE_H
#define KTRAIL_FUNCTION_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One function, over all CPUs; strings are owned */
struct kt_function_cost {
	char    *name;			/* as the kernel cuts it: 30 characters at most */
	uint64_t hits;
	double   total_us, avg_us;	/* 0 unless the profile is timed */
	double   stddev_us;		/* of the single calls; 0 below two calls */
	double   squares;		/* sum of the squared times, us²: for the merging */
};

struct kt_function_profile {
	struct kt_function_cost *at;
	size_t nr, cap;
	bool timed;	/* the kernel has CONFIG_FUNCTION_GRAPH_TRACER: else hits only */
};

enum kt_function_order {
	KT_FUNCTIONS_BY_TOTAL, KT_FUNCTIONS_BY_HITS, KT_FUNCTIONS_BY_AVG, KT_FUNCTIONS_BY_NAME,
};

/**
 * kt_function_profile_start - begin to count, from zero
 * @top: the top buffer; its set_ftrace_filter says which functions
 *
 * There is one profile in a machine.
 *   -ENOTSUP  this kernel has none (CONFIG_FUNCTION_PROFILER)
 *   -EBUSY    somebody is profiling already
 * Closing @top stops it. Source: Linux, kernel/trace/ftrace.c, trace_stat.c.
 */
int kt_function_profile_start(struct kt_instance *top, struct kt_err *err);
int kt_function_profile_stop(struct kt_instance *top, struct kt_err *err);

/* What was counted; stop first. @out: zeroed, kt_function_profile_fini() frees it. */
int  kt_function_profile_read(const struct kt_instance *top, struct kt_function_profile *out,
			      struct kt_err *err);
/* The table of one more CPU, as its file reads: functions that are known are added up. */
int  kt_function_profile_add(struct kt_function_profile *p, const char *text, struct kt_err *err);
/* Most first; names from a to z */
void kt_function_profile_sort(struct kt_function_profile *p, enum kt_function_order order);
void kt_function_profile_fini(struct kt_function_profile *p);

#ifdef __cplusplus
}
#endif
#endif
