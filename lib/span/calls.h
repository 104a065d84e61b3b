/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.h - what the files that follow calls share */
#ifndef SPAN_CALLS_H
#define SPAN_CALLS_H

#include <ktrail/calls.h>

#include "base/keymap.h"

/* ---- call_role.c: what an event means to calls ---- */

enum call_act {
	CALL_NOTHING,
	CALL_GRAPH_ENTRY, CALL_GRAPH_EXIT,
	CALL_FUNCTION,			/* the function tracer: who called whom, no exits */
	CALL_PROBE_ENTRY, CALL_PROBE_EXIT,
	CALL_NAMED_ENTRY, CALL_NAMED_EXIT,	/* synthetic events, by the ends of their names */
	CALL_SYSCALL_ENTRY, CALL_SYSCALL_EXIT,
	CALL_IRQ_ENTRY, CALL_IRQ_EXIT,
	CALL_SWITCH,
};

struct call_role {
	const struct kt_event *event;
	enum call_act act;
	enum kt_call_kind kind;		/* of what it begins or ends */
	const char *name;		/* of a system call, where the event tells it; or NULL */
	const struct kt_field *func, *depth, *retval;	/* parent_ip counts as @depth of
							 * CALL_FUNCTION */
	const struct kt_field *from, *to;	/* calltime and rettime; prev_pid and next_pid;
						 * or the number of a system call */
};

struct call_roles {
	struct call_role *at;
	size_t nr;
	struct keymap of;		/* by address of the event */
};

/* Valid until the next call; NULL: no memory */
/*
 * Set the bits of the events that enter and leave calls. Without the others no call is
 * missed, but one that does not end in the trace ends earlier.
 */
void call_roles_types(const struct kt_calls_opts *opts, const struct kt_trace *t, size_t file,
		      uint64_t bits[KT_ANALYSIS_WORDS]);
const struct call_role *call_roles_get(struct call_roles *r, const struct kt_calls_opts *opts,
				       const struct kt_event *ev);
void call_roles_fini(struct call_roles *r);
/* Do two names differ only in how they say that one begins what the other one ends? */
bool calls_is_pair(const char *begin, const char *end);
/* The first byte of the function that @addr lies in */
uint64_t calls_function_at(struct kt_symbols *syms, uint64_t addr);

/* ---- calls.c: for each task a stack of what it is in the middle of ---- */

struct frame {
	struct kt_call call;
	uint32_t id;			/* what the sink calls it */
	int32_t  level;			/* function_graph's depth, or CALLS_NO_LEVEL */
	uint64_t of_children;		/* time */
	uint64_t probed;		/* the function at whose entry a probe stands: it is
					 * seen once the function is @returning; 0: no probe */
	const char *name;		/* … of a function without a symbol: that of the probe */
};

struct task {
	struct frame *stack;		/* STACK_MAX of them, made when first needed */
	uint32_t nr;
	uint32_t last_source;		/* where it was seen last, and when */
	uint64_t last_ts;
	bool     met;			/* a graph event of it */
	bool     cut;			/* events were lost since the last one */
	bool     after_gap;		/* … and since the last call was entered */
	bool     away;			/* it has left its CPU, with @off from then on */
	struct kt_call off;
};

#define CALLS_NO_LEVEL (-1)		/* of a frame that is not of function_graph */

/*
 * How calls reach a tree: a number for each when it is entered, and the whole of it when
 * it is left. A call without an entry is entered when it is left: @late.
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
	struct keymap returning;	/* functions that a probe has seen to return */
	uint64_t last_ts;
	uint64_t lost_ts;		/* when events were lost last, on any CPU */
	uint32_t *last_task;		/* by source: of its last record */
};

/* A record, and whose calls it is about */
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
/* The calls of @pid, on this CPU where it is idle; KEYMAP_NONE: no memory */
uint32_t calls_task_of(struct now *n, int pid);
int  calls_enter(struct now *n, const struct frame *f, bool late);
/* The innermost frame ends at @end */
int  calls_leave(struct now *n, const struct kt_call_end *end);
/* All frames from @nr on: their exits were not recorded, */
int  calls_abandon(struct now *n, uint32_t nr);
/* … or cannot be: when they returned, the function tracer does not record */
int  calls_return_to(struct now *n, uint32_t keep);
/* The task has a CPU again, until now it was off */
int  calls_come_back(struct now *n, unsigned int flags);

/* call_acts.c: what the record does */
int  calls_act(struct now *n);

/* ---- calls.c: how others follow calls ---- */

/* A sink without data is given the struct kt_calls. */
struct kt_calls *calls_follow(struct kt_trace *t, const struct kt_calls_opts *opts,
			      const struct call_sink *sink, struct kt_err *err);
const struct kt_calls_opts *calls_opts(const struct kt_calls *c);

#endif
