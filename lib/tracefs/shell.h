/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shell.h - format a write to tracefs as an equivalent shell line */
#ifndef TRACEFS_SHELL_H
#define TRACEFS_SHELL_H

#include "base/str.h"

void ctl_shell_word(struct str *s, const char *word);	/* quoted if the shell needs it */
/* The same for any bytes without a newline at the end, with printf */
void ctl_shell_bytes(struct str *s, const char *path, const void *bytes, size_t len);
/* "echo value > path" and a newline */
void ctl_shell_write(struct str *s, const char *path, const char *value, bool append);

#endif
