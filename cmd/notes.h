/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes.h - filters and triggers of events, printed */
#ifndef NOTES_H
#define NOTES_H

#include <stdbool.h>

#include <ktrail/trigger.h>

/* @what: "filter" or "trigger", the name of the text in JSON. On stdout. 0 or -ENOMEM */
int notes_print(const struct kt_event_notes *notes, const char *what, bool as_json);

/* As kt_filters_read and kt_triggers_read: those of events that match a pattern, NULL: all */
typedef int notes_reader(const struct kt_instance *inst, const char *events,
			 struct kt_event_notes *out, struct kt_err *err);
/* The verb list of both commands; argv: a pattern, or nothing. */
int notes_list(const char *instance, notes_reader *read, const char *what, bool as_json, int argc,
	       char **argv, struct kt_err *err);

#endif
