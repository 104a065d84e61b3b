/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trigger.h - the checks of triggers */
#ifndef TARGET_TRIGGER_H
#define TARGET_TRIGGER_H

#include <ktrail/tracefs.h>

#include "target/format.h"

/* A trigger to be checked */
struct trigger_check {
	const struct kt_instance *inst;
	const struct ctl_format *format;
	const char *event;		/* "system:event" */
	const char *text;		/* the whole trigger */
	struct kt_err *err;
};

int trigger_fail(const struct trigger_check *c, const char *at, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Would the kernel accept it? 0, -EINVAL, -ENOENT (an event that it names), -ENOTSUP */
int trigger_check(const struct trigger_check *c);
/* hist_check.c: what follows "hist:", up to @end */
int hist_check(const struct trigger_check *c, const char *p, const char *end);

/* An event's filter in one line, "none" if it has none. A refused filter, which matches all events,
 * is shown with the reason. New, or NULL. */
char *ctl_read_filter(const struct kt_instance *inst, const char *file);

/* Where " if FILTER" begins (at the space), or the end of the text */
const char *trigger_filter(const char *text);

#endif
