/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* spec.h - what stands between the % and the letter of a conversion */
#ifndef FORMAT_SPEC_H
#define FORMAT_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_WIDTH 4096			/* more is nothing that a kernel means */

struct spec {
	char    conv;			/* d u x X o s p c: set by the caller that parses on */
	bool    left, zero, alt;	/* - 0 # */
	char    plus;			/* + or blank, 0 if none */
	int8_t  length;			/* -2 hh, -1 h, 0, 1 l z, 2 ll L */
	bool    star_is_precision;	/* the * follows the point */
	bool    kernel;			/* as the kernel's printf, not as C's: %#x of 0 is 0x0 */
	int16_t width, precision;	/* -1: none; start with that */
};

/*
 * Flags, width, precision and length in C's order, from *@at on; *@at is then the
 * letter. False: too wide, or two stars. @star: a value for spec_set_star is to come.
 */
bool spec_parse(const char **at, struct spec *spec, bool *star);
void spec_set_star(struct spec *spec, int32_t value);

#endif
