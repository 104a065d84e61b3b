/* SPDX-License-Identifier: GPL-2.0-or-later */
/* safe.h - text of the kernel on stdout: for a terminal with control characters made visible */
#ifndef SAFE_H
#define SAFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* @escape: a person reads it; then what a terminal could obey is written as \xNN, except newlines.
 * 0 or a negative errno: -EPIPE when nobody reads any more. */
int safe_write(const char *text, size_t len, bool escape);
int safe_puts(const char *text, bool escape);	/* and a newline */

/* Does a person read stdout: a terminal, or a pager on one? */
bool safe_for_person(void);

/* Names, filters and commands that anybody may have chosen, to stdout and never as they are */
void safe_put(const char *text);
void safe_put_to(FILE *to, const char *text);
/* The same at the end of @s; for a person without UTF-8 in ASCII alone */
struct str;
void safe_add(struct str *s, const char *text);
/* Characters of ours that not every terminal can show, or these in their place */
const char *safe_sign(const char *utf8, const char *ascii);
/* A line for stderr, "PROGRAM COMMAND: NOTE"; @command NULL: without */
void safe_tell(const char *command, const char *note);

#endif
