/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sigbus.h - report that another process has truncated a mapped file */
#ifndef SIGBUS_H
#define SIGBUS_H

/* From now on, SIGBUS ends the program with one line that begins with @command, and status 1. */
void sigbus_explain(const char *command);

/* Between these calls SIGBUS waits: a thread that is writing lines completes them. */
void sigbus_begin_write(void);
void sigbus_end_write(void);

#endif
