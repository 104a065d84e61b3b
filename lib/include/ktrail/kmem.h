/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kmem.h - who allocated kernel memory in a trace, and how much of it was padding */
#ifndef KTRAIL_KMEM_H
#define KTRAIL_KMEM_H

#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_kmem;

/* One calling function; all sizes in bytes */
struct kt_kmem_row {
	const char *function;		/* borrowed until the report goes */
	uint64_t alloc, req;		/* still held at the end: given out, and asked for */
	uint64_t total_alloc, total_req;	/* over the whole trace */
	uint64_t max_alloc, max_req;	/* the most that was held at a time */
	uint64_t max_waste;		/* the most that alloc exceeded req by */
};

/**
 * kt_kmem_create - add up the kmem events of a trace, for kt_pass_run()
 *
 * Counts kmalloc, kmalloc_node, kmem_cache_alloc, kmem_cache_alloc_node, kfree
 * and kmem_cache_free. What was allocated before the trace began is not known,
 * and freeing it counts nowhere. Memory: 40 bytes for each object held.
 *
 * Rows are sorted by bytes wasted. Returns new (kt_kmem_destroy), or NULL with
 *   -ENOENT  the trace has no formats of kmem events
 *   -ENOMEM
 */
struct kt_kmem *kt_kmem_create(struct kt_trace *t, struct kt_err *err);
void kt_kmem_destroy(struct kt_kmem *k);
/* What follows is valid once a pass has finished it. */
struct kt_analysis *kt_kmem_analysis(struct kt_kmem *k);

size_t kt_kmem_nr(const struct kt_kmem *k);
const struct kt_kmem_row *kt_kmem_row(const struct kt_kmem *k, size_t i);

#ifdef __cplusplus
}
#endif
#endif
