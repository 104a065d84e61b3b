/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* suggest.c - suggest known names for an unknown one, as the end of a message */
#include "base/suggest.h"

#include <stdio.h>

#include "base/str.h"

const char *suggest_one(const char *word, const char *const have[], char buf[SUGGEST_SIZE])
{
	const char *near = have ? str_nearest(word, have) : NULL;

	buf[0] = '\0';
	if (near)
		snprintf(buf, SUGGEST_SIZE, ", did you mean '%s'?", near);
	return buf;
}

const char *suggest(const char *word, const char *const have[], char buf[SUGGEST_SIZE])
{
	struct str list = STR_INIT;

	if (*suggest_one(word, have, buf))
		return buf;
	str_add_choices(&list, have);
	if (list.len)
		snprintf(buf, SUGGEST_SIZE, ", only: %s", list.buf);
	else if (!have || !have[0])
		snprintf(buf, SUGGEST_SIZE, ", there are none");
	str_fini(&list);
	return buf;
}
