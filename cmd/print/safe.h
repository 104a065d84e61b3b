/* SPDX-License-Identifier: GPL-2.0-or-later */
/* safe.h - text of the kernel on stdout: for a terminal with control characters made visible */
#ifndef SAFE_H
#define SAFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * @escape: the output is a terminal; control characters are then written as \xNN, except
 * newlines. 0 or a negative errno: -EPIPE if the reader has closed the pipe.
 */
int safe_write(const char *text, size_t len, bool escape);
int safe_puts(const char *text, bool escape);	/* and a newline */

/* Is stdout a terminal, or a pager on one? */
bool safe_for_person(void);

/* Write names, filters and commands, which any user may have chosen, to stdout; always escaped */
void safe_put(const char *text);
void safe_put_to(FILE *to, const char *text);
/* The same at the end of @s; for a terminal without UTF-8 in ASCII only */
struct str;
void safe_add(struct str *s, const char *text);
/* The same in a file or pipe, too: for code that knows only the characters of the locale */
void safe_add_known(struct str *s, const char *text);
/* ktrail's own non-ASCII characters, or replacements if the terminal does not support them */
const char *safe_sign(const char *utf8, const char *ascii);
/* A line on stderr, "PROGRAM COMMAND: NOTE"; @command NULL: without it */
void safe_tell(const char *command, const char *note);

#endif
