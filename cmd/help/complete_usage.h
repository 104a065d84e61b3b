/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_usage.h - which words a command line may have, according to the usage of the command */
#ifndef COMPLETE_USAGE_H
#define COMPLETE_USAGE_H

#include <stddef.h>

#define USAGE_ITEMS 6
#define USAGE_ALTERNATIVES 12

/* "<tracer> [<param>=<value>]…": words that follow each other */
struct usage_alternative {
	char items[USAGE_ITEMS][64];	/* "<tracer>", "off|all|cpu"; the last one may repeat */
	size_t nr;
};

/* Both alternatives of "<event>… | <file>", without options. Returns their number. */
size_t usage_parse(const char *usage, struct usage_alternative out[USAGE_ALTERNATIVES]);

#endif
