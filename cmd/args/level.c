/* SPDX-License-Identifier: GPL-2.0-or-later */
/* level.c - --verbose[=LEVEL] as trace-cmd has it */
#include "level.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"

#define INFO 4			/* levels are 0 to 6; 7 is accepted, too */

int level_parse(const char *value, bool *info, struct kt_err *err)
{
	/* A name may be abbreviated. */
	static const struct { const char *name; int level; } levels[] = {
		{ "none", 0 }, { "critical", 1 }, { "error", 2 }, { "warning", 3 },
		{ "info", INFO }, { "debug", 5 }, { "all", 6 },
	};
	size_t i, len = value ? strlen(value) : 0;

	*info = true;
	if (!value)
		return 0;
	if (len == 1 && *value >= '0' && *value <= '7') {
		*info = *value - '0' >= INFO;
		return 0;
	}
	for (i = 0; len && i < sizeof(levels) / sizeof(levels[0]); i++)
		if (strncmp(value, levels[i].name, len) == 0) {
			*info = levels[i].level >= INFO;
			return 0;
		}
	return cmd_misuse(err,
			  "no level '%s', only: 0 to 7, none, crit, err, warn, info, debug, all",
			  value);
}

int level_ignore(void *args, const char *value, struct kt_err *err)
{
	bool info;

	(void)args;
	return level_parse(value, &info, err);
}
