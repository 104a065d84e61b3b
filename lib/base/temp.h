/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* temp.h - temporary files without a name */
#ifndef BASE_TEMP_H
#define BASE_TEMP_H

#include <ktrail/base.h>

/* A new file in $TMPDIR, /var/tmp or /tmp, which closing deletes: its descriptor or -errno */
int temp_open_unnamed(struct kt_err *err);

#endif
