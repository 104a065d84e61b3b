/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* null.c - a plugin that prints nothing; a template for new plugins */
#include <ktrail/plugin.h>

/*
 * Build with  cc -shared -fPIC -o null.so null.c  and put it into
 * ~/.local/lib/ktrail/plugins, or try it with  ktrail report --plugin ./null.so
 */
static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	(void)self;
	(void)host;
	(void)rec;
	(void)out;
	return KT_PLUGIN_PASS;
}

static const char *const events[] = { "null/null", NULL };

KT_PLUGIN(.name = "null", .summary = "nothing, to test the host", .events = events,
	  .format = format);
