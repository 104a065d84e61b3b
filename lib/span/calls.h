/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.h - shared by the files that follow calls */
#ifndef SPAN_CALLS_H
#define SPAN_CALLS_H

#include <ktrail/span.h>

#include "base/keymap.h"

/* ---- call_role.c: the effect of an event on calls ---- */

enum call_act {
	CALL_NOTHING,
	CALL_GRAPH_ENTRY, CALL_GRAPH_EXIT,
	CALL_FUNCTION,			/* the function tracer: function and caller, no exits */
	CALL_PROBE_ENTRY, CALL_PROBE_EXIT,
	CALL_NAMED_ENTRY, CALL_NAMED_EXIT,	/* synthetic events, by the endings of names */
	CALL_SYSCALL_ENTRY, CALL_SYSCALL_EXIT,
	CALL_IRQ_ENTRY, CALL_IRQ_EXIT,
	CALL_SWITCH,
};

struct call_role {
	const struct kt_event *event;
	enum call_act act;
	enum kt_call_kind kind;		/* of the call that it begins or ends */
	const char *name;		/* of a system call, if the event has it; or NULL */
	const struct kt_field *func, *depth, *retval;	/* for CALL_FUNCTION, @depth is parent_ip */
	const struct kt_field *from, *to;	/* calltime and rettime; prev_pid and next_pid; or
						 * the number of a system call */
};

struct call_roles {
	struct call_role *at;
	size_t nr;
	struct keymap of;		/* by address of the event */
};

/*
 * Set the bits of the events that enter and leave calls. Reading only these misses no call, but
 * a call that does not end in the trace gets an earlier end.
 */
void call_roles_types(const struct kt_calls_opts *opts, const struct kt_trace *t, size_t file,
		      uint64_t bits[KT_ANALYSIS_WORDS]);
/* Valid until the next call; NULL: no memory */
const struct call_role *call_roles_get(struct call_roles *r, const struct kt_calls_opts *opts,
				       const struct kt_event *ev);
void call_roles_fini(struct call_roles *r);
/* Do two names differ only in their begin and end markers? */
bool calls_is_pair(const char *begin, const char *end);
/* The address of the function that holds @addr */
uint64_t calls_function_at(struct kt_symbols *syms, uint64_t addr);

/* ---- calls.c: a stack of the open calls for each task ---- */

struct frame {
	struct kt_call call;
	uint32_t id;			/* the sink's number for it */
	int32_t  level;			/* function_graph's depth, or CALLS_NO_LEVEL */
	uint64_t of_children;		/* time of its callees */
	uint64_t probed;		/* the function whose entry has a probe: the call is known
					 * once the function is in @returning; 0: no probe */
	const char *name;		/* of the probe, if the function has no symbol */
};

struct task {
	struct frame *stack;
	uint32_t nr, room;
	uint32_t last_source;		/* source of its last record */
	uint64_t last_ts;		/* time of that record */
	bool     met;			/* it has a graph event */
	bool     cut;			/* events were lost since its last event */
	bool     after_gap;		/* events were lost since its last call was entered */
	bool     away;			/* it has left its CPU, at time @off */
	struct kt_call off;
};

#define CALLS_NO_LEVEL (-1)		/* for a frame that is not from function_graph */

/*
 * The interface to a tree of calls: a call gets a number when it is entered, and is complete when
 * it is left. A call without a recorded entry is entered when it is left: @late.
 */
struct call_sink {
	uint32_t (*enter)(void *data, const struct kt_call *call, uint32_t parent, uint32_t task,
			  bool late);
	int  (*leave)(void *data, uint32_t id, const struct kt_call *call, struct kt_err *err);
	void *data;
};

struct kt_calls {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_calls_opts opts;
	struct call_sink sink;
	struct call_roles roles;
	struct task *tasks;
	size_t nr_tasks;
	struct keymap task_of;
	struct keymap returning;	/* functions with a recorded return of a probe */
	uint64_t last_ts;
	uint64_t lost_ts;		/* time of the last loss of events, on any CPU */
	uint32_t *last_task;		/* by source: task of its last record */
};

/* The current record, and the task whose calls it affects */
struct now {
	struct kt_calls *c;
	const struct call_role *role;
	const struct kt_record *rec;
	const struct kt_source *src;
	struct kt_symbols *syms;
	int pid;
	uint32_t task;
	struct kt_err *err;
};

struct kt_call_end calls_here(const struct now *n);
/* The calls of @pid; an idle task has its own for each CPU; KEYMAP_NONE: no memory */
uint32_t calls_task_of(struct now *n, int pid);
int  calls_enter(struct now *n, const struct frame *f, bool late);
/* The innermost call ends at @end */
int  calls_leave(struct now *n, const struct kt_call_end *end);
/* Close all frames from @nr on, whose exits were not recorded */
int  calls_abandon(struct now *n, uint32_t nr);
/* Close the frames above @keep without a time: the function tracer does not record exits */
int  calls_return_to(struct now *n, uint32_t keep);
/* The task has a CPU again after a time off the CPU */
int  calls_come_back(struct now *n, unsigned int flags);

/* call_acts.c: apply the current record */
int  calls_act(struct now *n);

/* ---- calls.c: for users of calls ---- */

/* A sink without data receives the struct kt_calls. */
struct kt_calls *calls_follow(struct kt_trace *t, const struct kt_calls_opts *opts,
			      const struct call_sink *sink, struct kt_err *err);
const struct kt_calls_opts *calls_opts(const struct kt_calls *c);

#endif
