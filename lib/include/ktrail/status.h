/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* status.h - the tracing state of the kernel, its counters and its problems */
#ifndef KTRAIL_STATUS_H
#define KTRAIL_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/base.h>
#include <ktrail/session.h>
#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== settings and content of a buffer; processes that are tracing ==== */

enum kt_events_state { KT_EVENTS_NONE, KT_EVENTS_SOME, KT_EVENTS_ALL };

/* Sums over the CPUs of per_cpu/cpuN/stats */
struct kt_buffer_stats {
	uint64_t entries, overrun, commit_overrun, bytes, dropped, read;
};

/**
 * struct kt_status - settings and content of one buffer; strings are owned
 *
 * @settings has the keys of a saved state (ktrail/session.h) and their values, lists as the kernel
 * shows them. A setting that is absent, hidden by a policy, or without effect is not in it.
 */
struct kt_status {
	char *name;			/* "" for the top-level buffer */
	int   tracing;			/* 0, 1 */
	struct kt_state_section settings;	/* files, lists and "options"; the lists of
						 * functions to graph, too */
	enum kt_events_state events_state;
	struct kt_names systems;	/* systems with all events enabled */
	struct kt_names events;		/* enabled events of other systems: "system:event" */
	struct kt_event_notes filters, triggers;
	int64_t buffer_kb;		/* per CPU; -1 when they differ */
	int64_t total_kb, subbuf_kb;	/* -1 unknown */
	int    *cpus, nr_cpus;
	int64_t *cpu_kb;		/* for each of @cpus */
	int64_t max_latency_us;		/* 0: none */
	struct kt_buffer_stats stats;
};

/**
 * kt_status_read - read everything; unreadable parts are omitted
 *
 * 0, or -EACCES if the files of this buffer cannot be read at all.
 */
int  kt_status_read(const struct kt_instance *inst, struct kt_status *status, struct kt_err *err);
void kt_status_fini(struct kt_status *status);
/* Only the sums; an unreadable CPU counts as zero. 0 or -ENOMEM. */
int  kt_buffer_stats_read(const struct kt_instance *inst, struct kt_buffer_stats *stats,
			  struct kt_err *err);

/* Of one CPU, with the time and age of its oldest event if the clock counts nanoseconds */
struct kt_cpu_stats {
	struct kt_buffer_stats sum;
	bool     has_age;		/* false also if the event is of an earlier boot, whose
					 * clock was ahead of this one's */
	uint64_t age_ns;
	uint64_t oldest_ns;		/* 0: not known */
};
/* -ENODEV: there is no such CPU. */
int  kt_cpu_stats_read(const struct kt_instance *inst, int cpu, struct kt_cpu_stats *stats,
		       struct kt_err *err);

/* A process that has files of tracefs or perf events open */
struct kt_user {
	pid_t pid;
	char  comm[32];			/* as in the kernel; escape it for a terminal */
	char *file;			/* below tracefs; NULL: perf events */
	unsigned int nr;		/* number of descriptors for it */
};

struct kt_users {
	struct kt_user *users;
	size_t nr;
};

/**
 * kt_users_find - find the processes that are tracing, as far as this process may see
 * @out: zeroed; kt_users_fini() frees it. Sorted by pid, without this process.
 */
int  kt_users_find(struct kt_users *out, struct kt_err *err);
void kt_users_fini(struct kt_users *users);

/* A user of kernel function hooks, or of kprobes outside of tracefs */
struct kt_function_user {
	char  *who;			/* "function tracer", "kprobes", "livepatch", "BPF" …; if
					 * unknown, the name of its handler in the kernel */
	size_t nr;			/* functions or places */
	struct kt_names some;		/* the first of them */
};

struct kt_function_users {
	struct kt_function_user *at;
	size_t nr;
};

/**
 * kt_function_users_read - find the users of function hooks, in tracefs or not
 * @out: zeroed; kt_function_users_fini() frees it
 *
 * From enabled_functions, and from debugfs the kprobes that do not belong to an event of tracefs
 * ("kprobes of others": perf, BPF, a module). A function may count for
 * several users. Missing or unreadable files add nothing. 0 or -ENOMEM.
 * Source: Linux, kernel/trace/ftrace.c, t_show(), and Documentation/trace/kprobes.rst.
 */
int  kt_function_users_read(const struct kt_instance *top, struct kt_function_users *out,
			    struct kt_err *err);
void kt_function_users_fini(struct kt_function_users *h);

/* ==== what this machine can trace, and why it cannot trace the rest ==== */

enum kt_presence {
	KT_PRESENT,
	KT_ABSENT,		/* this kernel does not have it */
	KT_REFUSED,		/* it exists, but a policy denies access */
	KT_UNKNOWN,		/* access to the information is denied */
};

struct kt_feature {
	const char *name, *what;	/* "kprobes", "events at any kernel function" */
	const char *since;		/* kernel version */
	const char *config;		/* "CONFIG_KPROBE_EVENTS" */
	enum kt_presence presence;
	bool  newer;			/* absent because the kernel is older */
	char *why;			/* if not present: the cause and a remedy; owned */
};

/* A fact about the machine; strings are owned */
struct kt_finding {
	const char *name;		/* "tracefs", "lockdown" … */
	char *value;
	char *remedy;			/* NULL: no problem */
};

struct kt_doctor {
	size_t nr_features, nr_findings;
	struct kt_feature *features;
	struct kt_finding *findings;
	struct kt_users users;		/* processes that have files of tracefs open */
};

/* The input; NULL members mean this machine. For tests. */
struct kt_doctor_opts {
	const char *release;		/* "6.12.1-foo" */
	const char *config;		/* path of a kernel configuration */
};

/**
 * kt_doctor_examine - examine everything that this user may read
 * @opts: may be NULL
 *
 * Never needs root: unreadable parts are KT_UNKNOWN, with the reason. New
 * (kt_doctor_destroy), NULL: no memory. Only reads files.
 */
struct kt_doctor *kt_doctor_examine(const struct kt_doctor_opts *opts, struct kt_err *err);
void kt_doctor_destroy(struct kt_doctor *d);

/* ==== the tables that hist triggers fill in the kernel ==== */

struct kt_hist_key {
	char    *text;			/* as the kernel shows it: "kworker/0:1 [12]", "~ 2^5" */
	bool     is_number;
	int64_t  low, high;		/* of a number: range of values, both included; equal
					 * unless a bucket */
};

struct kt_hist_row {
	struct kt_hist_key *keys;	/* nr_keys of the table */
	uint64_t           *values;	/* nr_values of the table */
	char               *saved;	/* the fields saved by onmax()/onchange(), "" if none */
};

/* The last snapshot of an onmax(…).snapshot() handler, from the text below the rows */
struct kt_hist_snapshot {
	char    *handler;		/* "onmax(lat)" */
	uint64_t value;			/* the value that triggered it */
	char    *key;			/* of its row: "{ next_pid: 12 }" */
};

struct kt_hist {
	char    *trigger;		/* "hist:keys=…", without the state in brackets */
	char    *state;			/* "active", "paused" … */
	size_t   nr_keys, nr_values, nr_rows;
	char   **key_names, **value_names;	/* the first value is "hitcount", except in a table
						 * with "nohitcount" */
	struct kt_hist_row *rows;
	struct kt_hist_snapshot *snapshots;	/* one per handler that took a snapshot */
	size_t   nr_snapshots;
	uint64_t hits, entries, dropped;
};

struct kt_hists {
	size_t nr;
	struct kt_hist *at;
};

/**
 * kt_hists_parse - parse the text of events/SYSTEM/EVENT/hist
 *
 * One table for each hist trigger of the event. Keys are separated by the
 * names that the trigger gives them, so a comm that contains "} hitcount:" is
 * harmless. Returns new (kt_hists_destroy), or NULL with
 *   -EBADMSG  a line outside of a table, or a row that does not fit its trigger
 *   -ENOMEM
 * Source: Linux, Documentation/trace/histogram.rst.
 */
struct kt_hists *kt_hists_parse(const char *text, struct kt_err *err);

/**
 * kt_hists_read - the tables of one live event
 * @event: "system:event"
 *
 * Returns as kt_hists_parse(), or NULL with the error of the read; -ENOTSUP: this
 * kernel was built without hist triggers.
 */
struct kt_hists *kt_hists_read(const struct kt_instance *inst, const char *event,
			       struct kt_err *err);
void kt_hists_destroy(struct kt_hists *hists);

/* Find a column by name; keys and values share the name space. False: not found. */
bool kt_hist_column(const struct kt_hist *h, const char *name, bool *is_key, size_t *column);

/* Sort the rows; the sort is stable. Numbers by value, then texts by bytes. */
void kt_hist_sort(struct kt_hist *h, bool by_key, size_t column, bool descending);

/* The usual order: buckets by value, otherwise the most hits first. Does nothing if the trigger
 * specifies an order. */
void kt_hist_sort_default(struct kt_hist *h);
/* Does the key of a row cover more than one value? */
bool kt_hist_is_buckets(const struct kt_hist *h, size_t key);

/* Sum of a value over all rows */
uint64_t kt_hist_total(const struct kt_hist *h, size_t value);

/**
 * kt_hist_percentile - the value of a numeric key below which @percent of the hits lie
 * @key:     column of a numeric key: plain, .log2 or .buckets
 * @percent: 0 to 100
 *
 * Interpolates within a bucket as if its hits were evenly spread. Returns 0,
 * or -EINVAL if a row has no number there, -ENODATA if there are no hits.
 */
int kt_hist_percentile(const struct kt_hist *h, size_t key, double percent, double *out);

/* ==== the kernel's own counts of function calls, without a trace ==== */

/* One function, over all CPUs; strings are owned */
struct kt_function_cost {
	char    *name;			/* as the kernel truncates it: 30 characters at most */
	uint64_t hits;
	double   total_us, avg_us;	/* 0 without times */
	double   stddev_us;		/* of single calls; 0 below two calls */
	double   squares;		/* sum of the squared times, us²: for merging */
};

struct kt_function_profile {
	struct kt_function_cost *at;
	size_t nr;
	bool timed;	/* the kernel has CONFIG_FUNCTION_GRAPH_TRACER; otherwise hits only */
};

enum kt_function_order {
	KT_FUNCTIONS_BY_TOTAL, KT_FUNCTIONS_BY_HITS, KT_FUNCTIONS_BY_AVG, KT_FUNCTIONS_BY_NAME,
};

/**
 * kt_function_profile_start - start to count, from zero
 * @top: the top-level buffer; its set_ftrace_filter selects the functions
 *
 * There is one profile per machine.
 *   -ENOTSUP  this kernel has none (CONFIG_FUNCTION_PROFILER)
 *   -EBUSY    the function profiler is in use already
 * Closing @top stops it. Source: Linux, kernel/trace/ftrace.c, trace_stat.c.
 */
int kt_function_profile_start(struct kt_instance *top, struct kt_err *err);
int kt_function_profile_stop(struct kt_instance *top, struct kt_err *err);

/* Read the counters; stop the profile first. @out: zeroed, kt_function_profile_fini() frees it. */
int  kt_function_profile_read(const struct kt_instance *top, struct kt_function_profile *out,
			      struct kt_err *err);
/* Largest first; names from a to z */
void kt_function_profile_sort(struct kt_function_profile *p, enum kt_function_order order);
void kt_function_profile_fini(struct kt_function_profile *p);

#ifdef __cplusplus
}
#endif
#endif
