/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_usage.h - what may stand where on a command line, as the usage of the command says */
#ifndef COMPLETE_USAGE_H
#define COMPLETE_USAGE_H

#include <stddef.h>

#define USAGE_ITEMS 6
#define USAGE_ALTERNATIVES 12

/* "<tracer> [<param>=<value>]…": what comes one after the other */
struct usage_alternative {
	char items[USAGE_ITEMS][64];	/* "<tracer>", "off|all|cpu"; the last one may repeat */
	size_t nr;
};

/* Of "[-B <name>] <event>… | <file>" both alternatives, options left out. Their number. */
size_t usage_parse(const char *usage, struct usage_alternative out[USAGE_ALTERNATIVES]);

#endif
