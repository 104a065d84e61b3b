/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cut.h - what to say when a mapped file is cut by somebody else */
#ifndef CUT_H
#define CUT_H

/* From now on that ends the program with one line in the name of @command, and status 1. */
void cut_explain(const char *command);

/* Between these it does not: a thread that writes whole lines gets to their end. */
void cut_begin_write(void);
void cut_end_write(void);

#endif
