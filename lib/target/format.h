/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format.h - the fields of a live event, to check what people say about them */
#ifndef TARGET_FORMAT_H
#define TARGET_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>

#include "base/suggest.h"

/* What the kernel's filters and hist triggers make of a field */
enum ctl_kind {
	CTL_NUMBER,
	CTL_STRING,		/* char array, dynamic or relative string, char pointer */
	CTL_CPUMASK,
	CTL_BYTES,		/* any other array: can be named, not compared */
};

struct ctl_field {
	char         *name, *type;	/* "prev_comm", "char[16]" */
	unsigned int  offset, size;
	bool          is_signed;
	bool          is_common;	/* one of the first, that every event has */
	enum ctl_kind kind;
};

/* A name that no field has, and the field that it may have meant; "": none */
struct ctl_missed {
	char name[64], near[64];
};

struct ctl_format {
	char *name;			/* of the event; NULL if the text has none */
	unsigned int id;
	size_t nr_fields;
	struct ctl_field *fields;	/* common ones first */
	struct ctl_missed *missed;	/* the caller's, or NULL: gets what
					 * ctl_format_hint is asked */
};

/**
 * ctl_format_parse - understand the text of events/SYSTEM/EVENT/format
 *
 * Returns new (ctl_format_destroy), or NULL with
 *   -EBADMSG  a field line that is none
 *   -ENOMEM
 * Source: Linux, Documentation/trace/events.rst, section "Event formats".
 */
struct ctl_format *ctl_format_parse(const char *text, struct kt_err *err);
/* The same of a live event. @dir: "events/SYSTEM/EVENT". NULL also for what the read says. */
struct ctl_format *ctl_format_read(const struct kt_instance *inst, const char *dir,
				   struct kt_err *err);
void ctl_format_destroy(struct ctl_format *f);

/* NULL if the event has none of that name. @len: of @name, which need not end there. */
const struct ctl_field *ctl_format_field(const struct ctl_format *f, const char *name, size_t len);

/* The field that a typing mistake was probably meant to be:
 * the end of a message, see suggest_one() */
const char *ctl_format_hint(const struct ctl_format *f, const char *name, size_t len,
			    char buf[SUGGEST_SIZE]);

#endif
