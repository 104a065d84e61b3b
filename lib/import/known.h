/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* known.h - the events whose fields the analyses use, as templates of their texts */
#ifndef IMPORT_KNOWN_H
#define IMPORT_KNOWN_H

#include <stddef.h>

struct known_event {
	const char *system, *name;
	const char *text;		/* as the kernel prints it; see shape.h */
	const char *other;		/* as ktrail prints the same record; NULL: alike */
};

/*
 * The next one of that name after @k, which is NULL for the first: the text of some events has
 * changed. @system NULL: any. NULL: there are no more
 */
const struct known_event *known_find(const struct known_event *k, const char *system,
				     const char *name);

#endif
