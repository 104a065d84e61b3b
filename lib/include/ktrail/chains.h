/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* chains.h - how often each event of each task happened, and called by whom */
#ifndef KTRAIL_CHAINS_H
#define KTRAIL_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_chains;

/* A function that led to what stands above it. All borrowed until the chains or the trace go. */
struct kt_chain_caller {
	const char *function;
	uint64_t count;				/* how often it did */
	const struct kt_chain_caller *callers;	/* who called it; the most frequent first */
	const struct kt_chain_caller *next;	/* another caller of the same */
};

struct kt_chain {
	int         pid;		/* -1: of all tasks */
	const char *comm;		/* NULL: of all tasks */
	const char *name;		/* of the event or function */
	bool        is_function;
	uint64_t    count;
	const struct kt_chain_caller *callers;
};

/**
 * kt_chains_create - count the events of a trace by call chain, for kt_pass_run()
 * @ignore_pids: count the events of all tasks together
 *
 * The callers are those of the kernel stack recorded with the event. Without
 * one they are the functions that the function or function_graph tracer saw the
 * task call: those stand for themselves, too. Frames without a symbol are left
 * out. The stacks of user space that option userstacktrace records belong to
 * the event before them and are not counted.
 *
 * Memory: some 70 bytes for each different chain and function in it.
 * The most frequent come first. Returns new (kt_chains_destroy), or NULL: -ENOMEM.
 */
struct kt_chains *kt_chains_create(struct kt_trace *t, bool ignore_pids, struct kt_err *err);
void kt_chains_destroy(struct kt_chains *c);
/* What follows is valid once a pass has finished it. */
struct kt_analysis *kt_chains_analysis(struct kt_chains *c);

size_t kt_chains_nr(const struct kt_chains *c);
const struct kt_chain *kt_chains_at(const struct kt_chains *c, size_t i);
/* How many events and functions were counted */
uint64_t kt_chains_total(const struct kt_chains *c);

#ifdef __cplusplus
}
#endif
#endif
