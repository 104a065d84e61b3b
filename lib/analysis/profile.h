/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile.h - shared by the files of a profile */
#ifndef ANALYSIS_PROFILE_H
#define ANALYSIS_PROFILE_H

#include <ktrail/analysis.h>

#include "base/keymap.h"
#include "base/str.h"
#include "span/pairs.h"

enum pair_owner { OWNER_TASK, OWNER_INTERRUPTED, OWNER_CPU };

enum value_kind { VALUE_HEX, VALUE_NUMBER, VALUE_STATE, VALUE_SOFTIRQ, VALUE_NONE };

/* Order in the list of a task */
enum rank { RANK_SWITCH, RANK_WAKEUP, RANK_FUNCTION, RANK_PAIR, RANK_COUNT, NR_RANKS };

/* Labels of the rows of a pair; found by pair.index */
struct meaning {
	enum pair_owner owner;
	enum value_kind value;
	enum rank rank;
};

struct meanings {
	struct meaning *at;
	size_t nr;
};

/*
 * The known pairs and those of @hooks, and their labels. The caller frees both,
 * also on failure: -EINVAL, -ENOENT, -ENOMEM.
 */
int profile_pairs(struct kt_trace *t, const char *const *hooks, struct pairs *pairs,
		  struct meanings *meanings, struct kt_err *err);

void value_add(struct str *s, enum value_kind kind, uint64_t value);

/* ---- profile_kind.c: events that are not part of a pair ---- */

enum kind_role { ROLE_COUNT, ROLE_UNUSED, ROLE_STACK, ROLE_GRAPH_EXIT, ROLE_FUNCTION };

/* The meaning of an event */
struct kind {
	const struct kt_event *event;
	enum kind_role role;
	bool paired;			/* it is part of a pair */
	const struct kt_field *value, *calltime, *rettime;
};

struct kinds {
	struct kind *at;
	size_t nr;
	struct keymap of;	/* by address of the event */
};

/* Valid until the next call, NULL: no memory. *@is_new: first record of that event. */
struct kind *kinds_get(struct kinds *k, const struct kt_event *ev, bool *is_new);
void kinds_fini(struct kinds *k);

/* ---- profile_stack.c: stacks, and the times spent with them ---- */

void time_add(struct kt_profile_time *t, uint64_t ns, uint64_t ts);
/* Adds a stack with @ns spent; counts each of its frames. 0 or -ENOMEM */
int  stacks_add(const struct kt_profile_frame **list, struct kt_symbols *syms,
		const uint64_t *frames, size_t nr, uint64_t ns, uint64_t ts);
void stacks_sort(const struct kt_profile_frame **list);
void stacks_free(const struct kt_profile_frame *list);

/* ---- profile.c ---- */

struct row {
	struct kt_profile_row pub;
	uint32_t task, order;		/* order: of the first occurrence of the event */
	enum rank rank;
};

struct task {
	struct kt_profile_task pub;
	size_t   first_row;
	char     name[32];		/* "swapper/3" */
};

struct kt_profile {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_profile_opts opts;
	struct meanings meanings;	/* by kt_span.pair */
	struct kt_spans *spans;
	struct kinds kinds;
	uint32_t *last_rows;		/* by source: the row that a stack belongs to, or NONE */
	struct task *tasks;
	struct row  *rows;
	struct keymap task_of, row_of, number_of;
	struct keymap namesake_of;	/* with by_comm: task by its name */
	size_t nr_tasks, nr_rows;
	uint64_t nr_cut;
};

void profile_free_row(struct row *r);
/* The names of idle tasks are stored in the tasks: call it after the tasks have moved. */
void profile_name_idle(struct kt_profile *p);

#endif
