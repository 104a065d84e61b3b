/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_pretty.h - texts of plugins for made-up records of a kernel's events */
#ifndef KT_PRETTY_H
#define KT_PRETTY_H

#include <ktrail/event.h>

#include "plug/plug.h"

/* The shipped plugins looking at the formats of a kernel; a few symbols in kt_pretty.c */
struct kt_pretty {
	const char *machine;		/* of uname -m; may be changed at any time */
	struct kt_events *events;
	struct kt_plugins *plugins;
	struct plug_view *view;
};

/* @formats: a file made by tests/vm/make-formats. There is one at a time. */
struct kt_pretty *kt_pretty_open(const char *formats);
void kt_pretty_close(struct kt_pretty *p);

struct kt_made {
	uint8_t bytes[8192];
	uint32_t used;
};

/* A record of "field=value …"; text has no blanks, lists have commas. Borrowed from @m. */
struct kt_record kt_pretty_record(struct kt_made *m, const struct kt_event *ev, const char *fields);

/* "system/event"; the test fails if the kernel has none of that name. Borrowed. */
const struct kt_event *kt_pretty_event(struct kt_pretty *p, const char *name);
/* The text of such a record of "system/event"; NULL: no plugin has one. New. */
char *kt_pretty_text(struct kt_pretty *p, const char *event, const char *fields);

#endif
