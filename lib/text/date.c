/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* date.c - date and time of day, in the time zone of the user */
#include <time.h>

#include "base/num.h"
#include "base/put.h"
#include "text/text.h"

#define NS_PER_SEC 1000000000u

static size_t put_local(char *to, size_t size, const char *format, uint64_t second)
{
	time_t t = (time_t)second;
	struct tm tm;

	return localtime_r(&t, &tm) ? strftime(to, size, format, &tm) : 0;
}

char *text_put_date(char *p, uint64_t second)
{
	return p + put_local(p, TEXT_DATE, "%Y-%m-%dT%H:%M:%S", second);
}

/* "2026-11-23T16:01:02.123456789+01:00" */
char *text_put_date_ns(char *p, uint64_t ns)
{
	char zone[8];

	p = text_put_date(p, ns / NS_PER_SEC);
	*p++ = '.';
	p = num_put_nine(p, (uint32_t)(ns % NS_PER_SEC));
	if (put_local(zone, sizeof(zone), "%z", ns / NS_PER_SEC) != 5)
		return p;
	p = put_bytes(p, zone, 3);
	*p++ = ':';
	return put_bytes(p, zone + 3, 2);
}
