/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_find.h - the lists that `ktrail list` prints */
#ifndef LIST_FIND_H
#define LIST_FIND_H

#include <ktrail/settings.h>

/* In the order of trace-cmd's output */
enum list {
	LIST_EVENTS, LIST_TRACERS, LIST_OPTIONS, LIST_FUNCTIONS, LIST_INSTANCES, LIST_CLOCKS,
	LIST_SYSTEMS, LIST_COMPRESSION,
	NR_LISTS
};

/*
 * Append the entries that match, in the order of the kernel. @regex: NULL for all. Without a match,
 * -ENOENT; trace-cmd prints nothing.
 */
int list_find(const struct kt_instance *top, enum list what, const char *regex,
	      struct kt_names *out, struct kt_err *err);

#endif
