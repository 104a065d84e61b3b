/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* suggest.h - what a name that nobody has may have meant, as the end of a message */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <ktrail/names.h>

#define SUGGEST_SIZE 640	/* for a dozen names */

/**
 * suggest_one - ", did you mean 'sched_switch'?", or "" when nothing is near
 * @have: ends with NULL; NULL: none
 *
 * For what there is too much of to be listed. Returns @buf.
 */
const char *suggest_one(const char *word, const char *const have[], char buf[SUGGEST_SIZE]);

/* suggest - the same, or ", only: nop printk panic", or ", there are none" */
const char *suggest(const char *word, const char *const have[], char buf[SUGGEST_SIZE]);

/* For lists that know how many there are: their array is NULL when they are empty. */
static inline const char *const *suggest_from(const struct kt_names *have)
{
	return (const char *const *)have->names;
}

#endif
