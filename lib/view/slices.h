/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* slices.h - an analysis of a window of a model's trace, in slices of work */
#ifndef VIEW_SLICES_H
#define VIEW_SLICES_H

#include <ktrail/analysis.h>
#include <ktrail/model.h>

struct slices {
	struct kt_model *model;
	struct kt_reader *reader;	/* owned */
	struct kt_window window;
	struct kt_spot at;		/* where to continue */
	uint64_t reached;		/* time */
	bool done;			/* nothing is left to read; true before slices_begin() */
	bool partial;			/* it was stopped, or has failed */
	struct kt_err err;		/* why it has failed; .code 0: it has not */
};

int  slices_init(struct slices *s, struct kt_model *m, struct kt_err *err);
void slices_fini(struct slices *s);
int  slices_begin(struct slices *s, const struct kt_window *w, struct kt_err *err);
/* True: there is more to do. At the end finish() is called; -ECANCELED of record() ends it. */
bool slices_work(struct slices *s, struct kt_analysis *a, unsigned int budget_ms);
/* End it now. False: it had ended. */
bool slices_stop(struct slices *s, struct kt_analysis *a);
double slices_done(const struct slices *s);	/* 0 to 1 */

#endif
