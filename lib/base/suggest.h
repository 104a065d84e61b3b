/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* suggest.h - suggest known names for an unknown one, as the end of a message */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <ktrail/base.h>

#define SUGGEST_SIZE 640	/* for a dozen names */

/**
 * suggest_one - ", did you mean 'sched_switch'?", or "" if no name is near
 * @have: ends with NULL; NULL: no names
 *
 * For sets of names that are too large to list. Returns @buf.
 */
const char *suggest_one(const char *word, const char *const have[], char buf[SUGGEST_SIZE]);

/* suggest - the same, or ", only: nop printk panic", or ", there are none" */
const char *suggest(const char *word, const char *const have[], char buf[SUGGEST_SIZE]);

/* The same for a struct kt_names, whose array is NULL when it is empty */
static inline const char *const *suggest_from(const struct kt_names *have)
{
	return (const char *const *)have->names;
}

#endif
