/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment.c - times of a trace as text */
#include "moment.h"

#include <inttypes.h>

#include "base/str.h"

#define NS UINT64_C(1000000000)		/* of a second */

void moment_add(struct str *s, uint64_t ns)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);

	str_addf(s, "%" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
}

void moment_add_window(struct str *s, uint64_t from_ns, uint64_t until_ns)
{
	str_addf(s, "--time %" PRIu64 ".%09" PRIu64 ",%" PRIu64 ".%09" PRIu64, from_ns / NS,
		 from_ns % NS, until_ns / NS, until_ns % NS);
}
