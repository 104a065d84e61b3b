/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format.h - the fields of a live event, to check filters and triggers */
#ifndef TARGET_FORMAT_H
#define TARGET_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>
#include <ktrail/tracefs.h>

#include "base/suggest.h"

/* How the kernel's filters and hist triggers treat a field */
enum ctl_kind {
	CTL_NUMBER,
	CTL_STRING,		/* char array, dynamic or relative string, char pointer */
	CTL_CPUMASK,
	CTL_BYTES,		/* any other array: cannot be compared */
};

struct ctl_field {
	char         *name, *type;	/* "prev_comm", "char[16]" */
	unsigned int  offset, size;
	bool          is_signed;
	bool          is_common;	/* one of the common fields, which every event has */
	enum ctl_kind kind;
};

/* A name without a field, and the field that was probably meant ("": none) */
struct ctl_missed {
	char name[64], near[64];
};

struct ctl_format {
	char *name;			/* of the event; NULL if the text has none */
	unsigned int id;
	size_t nr_fields;
	struct ctl_field *fields;	/* common ones first */
	struct ctl_missed *missed;	/* the caller's, or NULL: receives the last name that
					 * ctl_format_hint() was called with */
};

/**
 * ctl_format_parse - parse the text of events/SYSTEM/EVENT/format
 *
 * Returns new (ctl_format_destroy), or NULL with
 *   -EBADMSG  a line of a field is invalid
 *   -ENOMEM
 * Source: Linux, Documentation/trace/events.rst, section "Event formats".
 */
struct ctl_format *ctl_format_parse(const char *text, struct kt_err *err);
/* The same for a live event. @dir: "events/SYSTEM/EVENT". NULL also if the file cannot be read. */
struct ctl_format *ctl_format_read(const struct kt_instance *inst, const char *dir,
				   struct kt_err *err);
void ctl_format_destroy(struct ctl_format *f);

/* NULL: the event has no such field. @len: of @name, which need not be terminated. */
const struct ctl_field *ctl_format_field(const struct ctl_format *f, const char *name, size_t len);

/* The end of a message that suggests a similar field, see suggest_one() */
const char *ctl_format_hint(const struct ctl_format *f, const char *name, size_t len,
			    char buf[SUGGEST_SIZE]);

#endif
