/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* err.h - show where in a text an error is */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <ktrail/base.h>

/**
 * err_point - show the place of the failure in @text
 * @at: byte offset; beyond the end means the end
 *
 * Call it right after the kt_err_set() that reports the failure; it has no effect for a later
 * failure. A long text is cut to the part around the place.
 */
void err_point(struct kt_err *err, const char *text, size_t at);

#endif
