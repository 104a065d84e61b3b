/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grep.h - lines of a text that a regular expression matches */
#ifndef BASE_GREP_H
#define BASE_GREP_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>

struct grep {
	regex_t re;
	bool all;		/* no expression: everything matches */
};

/* glibc calls itself for each "(": as many as a stack can take, and more than a user means */
#define GREP_LONGEST 4096

/* As regcomp(). -EINVAL with the reason: "'((': Unmatched ("; -ENOMEM. */
int  grep_compile(regex_t *re, const char *regex, int flags, struct kt_err *err);
/* @regex: POSIX extended; NULL matches all. */
int  grep_init(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err);
/* The same, and a comma is an "or", for names that have none; not in an expression with "{1,2}". */
int  grep_init_list(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err);
void grep_fini(struct grep *g);
bool grep_match(const struct grep *g, const char *text, size_t len);

#endif
