/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* status.h - what the kernel says of itself, and what is wrong with it */
#ifndef KTRAIL_STATUS_H
#define KTRAIL_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>
#include <ktrail/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== how a buffer is set and what it holds; who is tracing ==== */

enum kt_events_state { KT_EVENTS_NONE, KT_EVENTS_SOME, KT_EVENTS_ALL };

enum kt_pid_list {
	KT_PIDS_EVENT, KT_PIDS_EVENT_NOT, KT_PIDS_FUNCTION, KT_PIDS_FUNCTION_NOT, KT_NR_PID_LISTS
};

/* Sums over the CPUs of per_cpu/cpuN/stats */
struct kt_buffer_stats {
	uint64_t entries, overrun, commit_overrun, bytes, dropped, read;
};

/**
 * struct kt_status - the settings of one buffer; strings are owned
 *
 * NULL or empty: this kernel does not have it, a policy hides it, or it is at
 * its default: no filter, no restriction.
 */
struct kt_status {
	char *name;			/* "" for the top buffer */
	char *tracer, *clock, *cpumask;
	int   tracing;			/* 0, 1; -1 unknown */
	enum kt_events_state events_state;
	struct kt_names systems;	/* enabled as a whole */
	struct kt_names events;		/* enabled, of other systems: "system:event" */
	struct kt_names filtered, filters;	/* same length: event and its filter */
	struct kt_names triggered, triggers;	/* the same; an event once for each trigger */
	/* by enum kt_function_list */
	struct kt_names functions[KT_FUNCTIONS_GRAPH_NOTRACE + 1];
	struct kt_names pids[KT_NR_PID_LISTS];
	int64_t buffer_kb;		/* per CPU; -1 when they differ */
	int64_t total_kb, subbuf_kb;	/* -1 unknown */
	int    *cpus, nr_cpus;
	int64_t *cpu_kb;		/* for each of @cpus */
	int64_t max_latency_us;		/* 0: none */
	struct kt_names options;	/* in the kernel's order, "no…" when off */
	struct kt_buffer_stats stats;
};

/**
 * kt_status_read - look at everything; what cannot be read is left out
 *
 * 0, or -EACCES when the files of this buffer may not be read at all.
 */
int  kt_status_read(const struct kt_instance *inst, struct kt_status *status, struct kt_err *err);
void kt_status_fini(struct kt_status *status);
/* Only the sums; a CPU that cannot be read counts nothing. 0 or -ENOMEM. */
int  kt_buffer_stats_read(const struct kt_instance *inst, struct kt_buffer_stats *stats,
			  struct kt_err *err);

/* Of one CPU; the age of its oldest event where the clock is one of nanoseconds */
struct kt_cpu_stats {
	struct kt_buffer_stats sum;
	bool     has_age;
	uint64_t age_ns;
};
/* -ENODEV: there is no such CPU. */
int  kt_cpu_stats_read(const struct kt_instance *inst, int cpu, struct kt_cpu_stats *stats,
		       struct kt_err *err);

/* A process that has files of tracefs or perf events open */
struct kt_user {
	pid_t pid;
	char  comm[32];			/* as the kernel has it; escape it for a terminal */
	char *file;			/* below tracefs; NULL: perf events */
	unsigned int nr;		/* how many descriptors of this kind */
};

struct kt_users {
	struct kt_user *users;
	size_t nr, cap;
};

/**
 * kt_users_find - who is tracing, as far as this process may see
 * @out: zeroed; kt_users_fini() frees it. By pid; ourselves left out.
 */
int  kt_users_find(struct kt_users *out, struct kt_err *err);
void kt_users_fini(struct kt_users *users);

/* Something that the kernel calls at functions, or kprobes that are not of tracefs */
struct kt_function_user {
	char  *who;			/* "function tracer", "kprobes", "livepatch", "BPF" …; for
					   what is not known the name of its handler in the
					   kernel */
	size_t nr;			/* functions or places */
	struct kt_names some;		/* the first of them */
};

struct kt_function_users {
	struct kt_function_user *at;
	size_t nr;
};

/**
 * kt_function_users_read - who has hooked functions, tracefs or not
 * @out: zeroed; kt_function_users_fini() frees it
 *
 * From enabled_functions, and from debugfs the kprobes that no event of tracefs
 * explains ("kprobes of others": perf, BPF, a module). A function may count for
 * several. Files that are not there or may not be read add nothing. 0 or -ENOMEM.
 * Source: Linux, kernel/trace/ftrace.c, t_show(), and Documentation/trace/kprobes.rst.
 */
int  kt_function_users_read(const struct kt_instance *top, struct kt_function_users *out,
			    struct kt_err *err);
void kt_function_users_fini(struct kt_function_users *h);

/* ==== what this machine can trace, and why not the rest ==== */

enum kt_presence {
	KT_PRESENT,
	KT_ABSENT,		/* this kernel does not have it */
	KT_REFUSED,		/* it is there, but a policy keeps us out */
	KT_UNKNOWN,		/* may not look */
};

struct kt_feature {
	const char *name, *what;	/* "kprobes", "events at any kernel function" */
	const char *since;		/* kernel version */
	const char *config;		/* "CONFIG_KPROBE_EVENTS" */
	enum kt_presence presence;
	bool  newer;			/* absent because the kernel is older */
	char *why;			/* if not present: the cause and what would help; owned */
};

/* A line about the machine; strings are owned */
struct kt_finding {
	const char *name;		/* "tracefs", "lockdown" … */
	char *value;
	char *remedy;			/* NULL: all is well */
};

struct kt_doctor {
	size_t nr_features, nr_findings;
	struct kt_feature *features;
	struct kt_finding *findings;
	struct kt_users users;		/* who has files of tracefs open */
};

/* What to look at; NULL members mean this machine. For tests. */
struct kt_doctor_opts {
	const char *release;		/* "6.12.1-foo" */
	const char *config;		/* path of a kernel configuration */
};

/**
 * kt_doctor_examine - look at everything that a user may look at
 * @opts: may be NULL
 *
 * Never needs root: what cannot be seen is KT_UNKNOWN, with the reason. New
 * (kt_doctor_destroy), NULL: no memory. Reads files only; changes nothing.
 */
struct kt_doctor *kt_doctor_examine(const struct kt_doctor_opts *opts, struct kt_err *err);
void kt_doctor_destroy(struct kt_doctor *d);

#ifdef __cplusplus
}
#endif
#endif
