/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* spec.h - parse a conversion between the % and its letter */
#ifndef FORMAT_SPEC_H
#define FORMAT_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_WIDTH 4096			/* no kernel uses a larger one */

struct spec {
	char    conv;			/* d u x X o s p c: set by the caller */
	bool    left, zero, alt;	/* - 0 # */
	char    plus;			/* + or blank, 0 if neither */
	int8_t  length;			/* -2 hh, -1 h, 0, 1 l z, 2 ll L */
	bool    star_is_precision;	/* the * follows the point */
	bool    kernel;			/* the kernel's printf, not C's: %#x of 0 is 0x0 */
	int16_t width, precision;	/* -1: none, the initial value */
};

/*
 * Parses flags, width, precision and length, in C's order, at *@at, and moves *@at to the
 * letter. False: too wide, or two stars. @star: spec_set_star() must provide a value.
 */
bool spec_parse(const char **at, struct spec *spec, bool *star);
void spec_set_star(struct spec *spec, int32_t value);

#endif
