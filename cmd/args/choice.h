/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice.h - the verb list of settings with one of several values: tracer, clock */
#ifndef CHOICE_H
#define CHOICE_H

#include "noun.h"

struct choice {
	const char *head;	/* the columns: " |CLOCK|COUNTS" */
	const char *unknown;	/* the help for names that @help does not know */
	char *(*current)(const struct kt_instance *inst, struct kt_err *err);
	int (*all)(const struct kt_instance *inst, struct kt_names *out, struct kt_err *err);
	const char *(*help)(const char *name);
};

const char *choice_help(const struct choice *c, const char *name);
/* As verb.run: prints all values with their meaning, and marks the current one */
int choice_list(const struct choice *c, const struct noun *n, int argc, char **argv,
		struct kt_err *err);

#endif
