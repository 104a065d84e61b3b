/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* temp.h - folders for temporary files */
#ifndef KTRAIL_TEMP_H
#define KTRAIL_TEMP_H

#include <ktrail/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * kt_temp_create - make a folder for temporary files, below $TMPDIR, @where or /tmp
 * @prefix: of its name, "ktrail-stream"
 *
 * Only its owner can enter it. Folders of that prefix that killed processes left behind
 * are removed. Returns its path, new (free), or NULL with @err set.
 */
char *kt_temp_create(const char *where, const char *prefix, struct kt_err *err);
/* Remove the folder and the files in it. */
void kt_temp_remove(const char *dir);

#ifdef __cplusplus
}
#endif
#endif
