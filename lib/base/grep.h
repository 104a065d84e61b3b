/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grep.h - select the lines of a text that match a regular expression */
#ifndef BASE_GREP_H
#define BASE_GREP_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>

struct grep {
	regex_t re;
	bool all;		/* no expression: everything matches */
};

/* glibc recurses at each "(": this length is safe for any stack, and longer than users need */
#define GREP_LONGEST 4096

/* As regcomp(). -EINVAL with the reason: "'((': Unmatched ("; -ENOMEM. */
int  grep_compile(regex_t *re, const char *regex, int flags, struct kt_err *err);
/* @regex: POSIX extended; NULL matches all. */
int  grep_init(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err);
/* The same, but a comma separates alternatives, except in an expression such as "{1,2}" */
int  grep_init_list(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err);
void grep_fini(struct grep *g);
bool grep_match(const struct grep *g, const char *text, size_t len);

#endif
