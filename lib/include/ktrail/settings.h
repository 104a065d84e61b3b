/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* settings.h - the settings of an instance and of its tracer */
#ifndef KTRAIL_SETTINGS_H
#define KTRAIL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== tracer, clock, options, sizes and limits of an instance ==== */

/*
 * Each setter remembers the former value (kt_instance_close puts it back) and
 * returns 0 or a negative errno: -EINVAL with the nearest or the possible
 * names for an unknown one, "not available" as in ktrail/instance.h, else what
 * the kernel answered. Facts: Linux, Documentation/trace/ftrace.rst.
 */

/* tracing_on: does the ring buffer take events? */
int kt_instance_set_tracing(struct kt_instance *inst, bool on, struct kt_err *err);
int kt_instance_is_tracing(const struct kt_instance *inst, struct kt_err *err);	/* 0, 1 */

/* current_tracer; "nop" is none: events only. Results: new (free), names of available_tracers. */
int   kt_instance_set_tracer(struct kt_instance *inst, const char *name, struct kt_err *err);
char *kt_instance_tracer(const struct kt_instance *inst, struct kt_err *err);
int   kt_instance_tracers(const struct kt_instance *inst, struct kt_names *out,
			  struct kt_err *err);

/* trace_clock. Changing it empties the buffer. Result new (free). */
int   kt_instance_set_clock(struct kt_instance *inst, const char *name, struct kt_err *err);
char *kt_instance_clock(const struct kt_instance *inst, struct kt_err *err);
int   kt_instance_clocks(const struct kt_instance *inst, struct kt_names *out,
			 struct kt_err *err);
/* One line on what a clock counts and when to take it; NULL for one we do not know. */
const char *kt_clock_help(const char *name);

/*
 * options/NAME. A name that begins with "no" and is not an option itself means: off.
 * Returns 0, or 1 when the other buffers have it now, too, as those of a tracer are one
 * for all buffers (Linux up to 6.18); closing @inst puts it back there as well.
 */
int kt_instance_set_option(struct kt_instance *inst, const char *name, bool on,
			   struct kt_err *err);
int kt_instance_is_option(const struct kt_instance *inst, const char *name,
			  struct kt_err *err);		/* 0, 1 */
/* Those that trace_options shows, in its order, then those of other tracers;
 * with "no" before those that are off. */
int kt_instance_options(const struct kt_instance *inst, struct kt_names *out,
			struct kt_err *err);

/**
 * kt_instance_set_buffer_size - how much trace one CPU can hold
 * @cpu: CPU number, or -1 for each of them
 * @kb:  KiB per CPU; whole pages, so a little more may fit
 *
 * When the CPUs differ now, each is remembered. -ENODEV: there is no such CPU.
 * -ENOMEM: too large for this machine; the kernel leaves the size as it was.
 */
int kt_instance_set_buffer_size(struct kt_instance *inst, int cpu, uint64_t kb,
				struct kt_err *err);
/**
 * kt_instance_buffer_size - KiB per CPU that the buffer has, or will grow to when first used
 * @cpu: CPU number, or -1 for "all, if they agree"
 *
 * -EXDEV: @cpu is -1 and the CPUs differ. -ENODEV: there is no such CPU.
 */
int64_t kt_instance_buffer_size(const struct kt_instance *inst, int cpu, struct kt_err *err);
int kt_instance_set_subbuf_size(struct kt_instance *inst, uint64_t kb, struct kt_err *err);
/* How full a CPU's buffer is before a waiting reader wakes; 0: at any event */
int kt_instance_set_buffer_percent(struct kt_instance *inst, unsigned int percent,
				   struct kt_err *err);
/* CPU numbers that have a buffer here, each "cpuN" of per_cpu/, sorted by number; new (free) */
int kt_instance_cpus(const struct kt_instance *inst, int **cpus, struct kt_err *err);

/* tracing_cpumask: a kernel hex mask ("ff", "-1" for all) */
int kt_instance_set_cpumask(struct kt_instance *inst, const char *hex, struct kt_err *err);
/* tracing_thresh, microseconds; max_graph_depth, saved_cmdlines_size: these are global */
int kt_instance_set_threshold(struct kt_instance *inst, uint64_t us, struct kt_err *err);
int kt_instance_set_graph_depth(struct kt_instance *inst, unsigned int depth,
				struct kt_err *err);
int kt_instance_set_cmdlines_size(struct kt_instance *inst, unsigned int nr,
				  struct kt_err *err);

/*
 * Which processes are traced: by events, by function tracers
 * @pids: decimal, separated by white space; "" for no restriction
 *
 * A kernel without function tracing is not an error for the function part.
 */
int kt_instance_set_event_pids(struct kt_instance *inst, const char *pids, struct kt_err *err);
int kt_instance_set_function_pids(struct kt_instance *inst, const char *pids,
				  struct kt_err *err);

enum kt_function_list {
	KT_FUNCTIONS_FILTER,		/* set_ftrace_filter: only these */
	KT_FUNCTIONS_NOTRACE,		/* set_ftrace_notrace: not these */
	KT_FUNCTIONS_GRAPH,		/* set_graph_function: these and what they call */
	KT_FUNCTIONS_GRAPH_NOTRACE,	/* set_graph_notrace */
};
const char *kt_function_list_file(enum kt_function_list list);

/**
 * kt_instance_add_functions - add to a function list
 * @pattern: a name, a glob as the kernel knows it, or a regular expression when
 *           it begins with '^' or ends with '$'; "mod:MODULE" or
 *           "mod:MODULE:GLOB"; "path:kernel/sched" by source file, folder or
 *           glob, where debug information tells; or a filter command such as
 *           "schedule:traceoff:3"
 * @module:  NULL, or only functions of this module
 *
 * Returns 0, or
 *   -ENOENT  nothing matches, the message has the nearest name; no debug
 *            information for a path
 *   -EINVAL  a regular expression that cannot be compiled
 * or not available: no function tracing here. The kernel chooses by name, so of
 * two functions of one name both are meant.
 */
int kt_instance_add_functions(struct kt_instance *inst, enum kt_function_list list,
			      const char *pattern, const char *module, struct kt_err *err);
/**
 * kt_function_namesakes - of which names is there more than one function in a list?
 * @text: result, new (free): "2 names are those of 5 functions: …", NULL if there are none
 *
 * That is how what "path:" chose by its file comes along with what is called the
 * same elsewhere. 0 or a negative errno.
 */
int kt_function_namesakes(const struct kt_instance *inst, enum kt_function_list list, char **text,
			  struct kt_err *err);
bool kt_is_function_path(const char *pattern);	/* "path:…" */
/* Take away what @pattern would add. */
int kt_instance_remove_functions(struct kt_instance *inst, enum kt_function_list list,
				 const char *pattern, const char *module, struct kt_err *err);
/* How many functions that can be traced @pattern fits; commands are none. Errors as above. */
int kt_instance_count_functions(struct kt_instance *inst, const char *pattern, const char *module,
				struct kt_err *err);
/* Empty the list: no restriction. Does nothing when it is empty. */
int kt_instance_clear_functions(struct kt_instance *inst, enum kt_function_list list,
				struct kt_err *err);

/* ==== what the latency tracers can be told, and what they found ==== */

/*
 * Source: Linux, Documentation/trace/{ftrace,hwlat_detector,osnoise-tracer,
 * timerlat-tracer}.rst
 */
struct kt_tracer_param {
	const char *tracers;		/* separated by spaces; "*" at the end of one: a family */
	const char *name;		/* as we call it */
	const char *file;		/* where it is */
	const char *help;		/* with the unit */
	int read_only;			/* a result */
};

/* Ends with a zeroed entry. */
extern const struct kt_tracer_param kt_tracer_params[];

/* Is the parameter one of this tracer? */
int kt_tracer_has_param(const char *tracer, const struct kt_tracer_param *param);
/* One line on what a tracer shows; NULL: unknown to us. */
const char *kt_tracer_help(const char *tracer);
/**
 * kt_param_widens - can this value contradict no other parameter?
 *
 * A window of time is as long as what is measured in it, at least: one that gets
 * longer, or a measurement that gets shorter, fits whatever the other is. So
 * these go first when several are set. False for what is neither.
 */
int kt_param_widens(const struct kt_instance *inst, const char *tracer, const char *name,
		    const char *value);
/* Does its "trace" show a longest time, kept aside, rather than what the buffer holds? So it is
 * with the tracer irqsoff and its kin, and with wakeup and its. */
bool kt_instance_shows_max(const struct kt_instance *inst);
/**
 * kt_instance_set_param - set a parameter of a tracer
 *
 * -EINVAL: no such parameter, with those there are; a result cannot be set
 * except to 0.
 */
int kt_instance_set_param(struct kt_instance *inst, const char *tracer, const char *name,
			  const char *value, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
