/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sidecar.h - where one was in a trace: marks, filters, cursor, kept beside its file */
#ifndef KTRAIL_SIDECAR_H
#define KTRAIL_SIDECAR_H

#include <ktrail/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A text file, FILE.view for the trace FILE, that says which trace it is about: the size
 * and the first and last bytes of each of its files. So it goes with copies of the trace,
 * and one that is not about this trace is refused. It may come from anyone: what is in it is
 * checked as a trace is, and is taken as a whole or not at all.
 */

#define KT_SIDECAR_VIEW 24		/* longest name of a view, with its zero byte */

/**
 * kt_sidecar_restore - take marks, filters and the cursor into a model that has none
 * @path: NULL: FILE.view, or the one that is kept in the home of the user
 * @view: the view that was shown, "" if that is not known
 *
 * Returns 1, or 0 if there is none; with @err set: -ESTALE (it is about another trace),
 * -EBADMSG (it is damaged), -ENOMEM, or why it cannot be read. The model is as it was then.
 */
int kt_sidecar_restore(struct kt_model *m, const char *path, char view[KT_SIDECAR_VIEW],
		       struct kt_err *err);

/**
 * kt_sidecar_save - keep marks, filters, the cursor and @view for the next time
 * @path: NULL: beside the file if there are marks or filters, or if FILE.view is there;
 *        else, and where that cannot be written, in $XDG_STATE_HOME/ktrail
 *
 * A file of that name that is not a side-car is not replaced. A recording that goes on has
 * no side-car: -EAGAIN. 0, or a negative errno with @err set.
 */
int kt_sidecar_save(struct kt_model *m, const char *path, const char *view, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
