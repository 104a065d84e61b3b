/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compare.c - comparison signs: read, and applied */
#include "base/compare.h"

#include <string.h>

#include "base/str.h"

/* The longer ones first */
static const char *const signs[] = {
	[COMPARE_EQ] = "==", [COMPARE_NE] = "!=", [COMPARE_LE] = "<=", [COMPARE_GE] = ">=",
	[COMPARE_LT] = "<", [COMPARE_GT] = ">",
};
#define NR_SIGNS (sizeof(signs) / sizeof(*signs))

int compare_take_sign(const char **text)
{
	size_t i;

	for (i = 0; i < NR_SIGNS; i++)
		if (str_starts(*text, signs[i])) {
			*text += strlen(signs[i]);
			return (int)i;
		}
	return -1;
}

const char *compare_sign(enum compare sign)
{
	return signs[sign];
}

bool compare_holds(enum compare sign, int64_t value, int64_t limit)
{
	switch (sign) {
	case COMPARE_EQ:
		return value == limit;
	case COMPARE_NE:
		return value != limit;
	case COMPARE_LE:
		return value <= limit;
	case COMPARE_GE:
		return value >= limit;
	case COMPARE_LT:
		return value < limit;
	default:
		return value > limit;
	}
}
