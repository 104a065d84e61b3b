/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sigbus.h - what to say when a mapped file is cut by somebody else */
#ifndef SIGBUS_H
#define SIGBUS_H

/* From now on that ends the program with one line in the name of @command, and status 1. */
void sigbus_explain(const char *command);

/* Between these it does not: a thread that writes whole lines gets to their end. */
void sigbus_begin_write(void);
void sigbus_end_write(void);

#endif
