/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment.c - times of a trace as text */
#include "moment.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/units.h"

#define NS UINT64_C(1000000000)		/* of a second */

void moment_add_aligned(struct str *s, uint64_t ns, int width)
{
	char text[32];

	str_addf(s, "%*s", width ? width + 7 : 0, units_format_moment(ns, text));
}

void moment_add(struct str *s, uint64_t ns)
{
	moment_add_aligned(s, ns, 0);
}

void moment_add_window(struct str *s, uint64_t from_ns, uint64_t until_ns)
{
	str_addf(s, "--time %" PRIu64 ".%09" PRIu64 ",%" PRIu64 ".%09" PRIu64, from_ns / NS,
		 from_ns % NS, until_ns / NS, until_ns % NS);
}
