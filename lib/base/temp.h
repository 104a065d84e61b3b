/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* temp.h - temporary files without a name */
#ifndef BASE_TEMP_H
#define BASE_TEMP_H

#include <ktrail/base.h>

/*
 * A descriptor of a file that vanishes with it, in $TMPDIR, /var/tmp or /tmp; or a negative errno
 */
int temp_open_unnamed(struct kt_err *err);

#endif
