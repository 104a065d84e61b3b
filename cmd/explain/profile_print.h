/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_print.h - a profile as text and as JSON */
#ifndef PROFILE_PRINT_H
#define PROFILE_PRINT_H

#include <ktrail/analysis.h>

#include "base/str.h"

/* --sort and --top of the commands that print a profile */
struct profile_order {
	const char *sort;		/* NULL: total */
	uint64_t top;			/* rows; 0: all */
};

/* total, count, avg, max or name; any other word is misuse */
int profile_check_order(const struct profile_order *order, enum kt_profile_order *by,
			struct kt_err *err);
int profile_sort(struct kt_profile *p, const struct profile_order *order, struct kt_err *err);

/* In the layout of trace-cmd report --profile. @escape: the output is a terminal */
void profile_text(const struct kt_profile *p, struct str *s, bool escape);
/* profile_table.c: for people; @width: of the terminal, longer lines are cut; 0: unlimited */
void profile_table(const struct kt_profile *p, struct str *s, bool escape, int width);
void profile_json(const struct kt_profile *p, struct str *s);

#endif
