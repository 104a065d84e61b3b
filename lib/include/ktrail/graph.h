/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* graph.h - what a screen shows of a tree of calls: one task, folded, without what is short */
#ifndef KTRAIL_GRAPH_H
#define KTRAIL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/calls.h>
#include <ktrail/err.h>
#include <ktrail/index.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Calls are numbers: their indices in the tree. Rows are those calls of the chosen task
 * that are to be seen, in the order of time; there are at most as many as calls. All
 * functions take time for what they look at, none reads the trace.
 */
struct kt_graph;

struct kt_graph_task {
	size_t   file;
	uint32_t buffer;		/* as of its sources */
	int      pid;
	int      cpu;			/* of an idle task; -1: of others */
	uint32_t first, nr;		/* its calls in the tree */
};

/**
 * kt_graph_create - all tasks of a tree, the first one chosen, nothing folded
 * @t, @tree: borrowed, must live longer; the tree was made without by_task or with it
 *
 * New (kt_graph_destroy), NULL: -ENOMEM. Memory: 5 bytes a call.
 */
struct kt_graph *kt_graph_create(struct kt_trace *t, const struct kt_call_tree *tree,
				 struct kt_err *err);
void kt_graph_destroy(struct kt_graph *g);

/* ---- tasks ---- */

size_t kt_graph_nr_tasks(const struct kt_graph *g);
/* NULL after the last */
const struct kt_graph_task *kt_graph_task(const struct kt_graph *g, size_t i);
size_t kt_graph_chosen(const struct kt_graph *g);
/* Rows are those of another task now; the focus is left. Nothing happens if there is none. */
void kt_graph_choose(struct kt_graph *g, size_t task);
/* The task that a call is of */
size_t kt_graph_task_of(const struct kt_graph *g, uint32_t call);

/* ---- rows ---- */

size_t kt_graph_nr_rows(const struct kt_graph *g);
/* KT_CALL_NONE after the last */
uint32_t kt_graph_row(const struct kt_graph *g, size_t row);
/* The row of a call, or of the nearest row before it, as its caller is if that is folded */
size_t kt_graph_row_of(const struct kt_graph *g, uint32_t call);
/* How many calls of the task, or in the focus, are too short to be seen */
size_t kt_graph_nr_hidden(const struct kt_graph *g);

/* ---- what is to be seen ---- */

bool kt_graph_is_folded(const struct kt_graph *g, uint32_t call);
void kt_graph_fold(struct kt_graph *g, uint32_t call, bool fold);
/* The call and all below it */
void kt_graph_fold_below(struct kt_graph *g, uint32_t call, bool fold);
/* All calls of the same function; returns how many there are with calls inside */
size_t kt_graph_fold_same(struct kt_graph *g, uint32_t call, bool fold);
/* Calls of fewer than @depth levels are unfolded, all others folded; of all tasks */
void kt_graph_fold_depth(struct kt_graph *g, uint32_t depth);

/*
 * Leave out calls that took less, with all that is inside. Calls of which nobody knows how
 * long they took are never left out. 0: none is.
 */
void kt_graph_hide_below(struct kt_graph *g, uint64_t ns);
uint64_t kt_graph_hides_below(const struct kt_graph *g);

/* Only this call and what is inside; KT_CALL_NONE: the whole task again */
void kt_graph_focus(struct kt_graph *g, uint32_t call);
uint32_t kt_graph_focused(const struct kt_graph *g);

/* Unfold its callers, leave a focus that it is not in, choose its task: so that it has a row,
 * unless it is too short. */
void kt_graph_reveal(struct kt_graph *g, uint32_t call);

/* ---- from one call to another: KT_CALL_NONE if there is none ---- */

uint32_t kt_graph_caller(const struct kt_graph *g, uint32_t call);
/* The next call by the same caller, in @direction 1 or -1; too short ones are passed over */
uint32_t kt_graph_sibling(const struct kt_graph *g, uint32_t call, int direction);
uint32_t kt_graph_longest_child(const struct kt_graph *g, uint32_t call);
/* The next call of the same function by the task, in @direction 1 or -1 */
uint32_t kt_graph_same(const struct kt_graph *g, uint32_t call, int direction);
/* The innermost call of the chosen task around a moment; the one of this very record, if any */
uint32_t kt_graph_at(const struct kt_graph *g, const struct kt_spot *spot);

/* Calls of one function by the task */
struct kt_graph_same {
	uint32_t nr;			/* how many */
	uint32_t slower;		/* how many of them took longer than this one */
	uint32_t slowest;		/* which took longest; the first of several */
};
struct kt_graph_same kt_graph_compare(const struct kt_graph *g, uint32_t call);

/* Did these two call the same function? */
bool kt_graph_is_same(const struct kt_call *a, const struct kt_call *b);

#ifdef __cplusplus
}
#endif
#endif
