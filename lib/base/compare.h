/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compare.h - comparison signs in the conditions that people write */
#ifndef BASE_COMPARE_H
#define BASE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

enum compare { COMPARE_EQ, COMPARE_NE, COMPARE_LE, COMPARE_GE, COMPARE_LT, COMPARE_GT };

/* The sign that *@text begins with, and *@text after it; -1: none */
int  compare_take_sign(const char **text);
const char *compare_sign(enum compare sign);
bool compare_holds(enum compare sign, int64_t value, int64_t limit);

#endif
