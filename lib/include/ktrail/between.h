/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* between.h - how many events and calls there are between two moments */
#ifndef KTRAIL_BETWEEN_H
#define KTRAIL_BETWEEN_H

#include <ktrail/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts in slices of work, of the records that the filters of now let pass. */
struct kt_between;

struct kt_between_counts {
	uint64_t events;
	uint64_t calls;			/* that begin there: function_graph, function, syscalls */
	bool has_calls;			/* the trace has such events */
	bool done;			/* else the counts still grow */
};

/* From the event at the earlier spot on, up to the one before the other. New, NULL: -ENOMEM. */
struct kt_between *kt_between_create(struct kt_model *m, const struct kt_spot *a,
				     const struct kt_spot *b, struct kt_err *err);
void kt_between_destroy(struct kt_between *b);
/* True: there is more to do. */
bool kt_between_work(struct kt_between *b, unsigned int budget_ms);
struct kt_between_counts kt_between_counts(const struct kt_between *b);

#ifdef __cplusplus
}
#endif
#endif
