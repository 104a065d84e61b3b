/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* known.h - the events whose fields the analyses use, as templates of their texts */
#ifndef SHAPE_KNOWN_H
#define SHAPE_KNOWN_H

#include <stddef.h>

struct known_event {
	const char *system, *name;
	const char *text;		/* as the kernel prints it; see shape.h */
	const char *other;		/* as ktrail prints the same record; NULL: the same */
};

/*
 * The next template of that name after @k, NULL for the first: the text of some events has
 * changed over time. @system NULL: any. Returns NULL after the last
 */
const struct known_event *known_find(const struct known_event *k, const char *system,
				     const char *name);

#endif
