/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes.h - filters and triggers of events, printed */
#ifndef NOTES_H
#define NOTES_H

#include <stdbool.h>

#include <ktrail/trigger.h>

/* @what: "filter" or "trigger", the name of the text in JSON. On stdout. 0 or -ENOMEM */
int notes_print(const struct kt_event_notes *notes, const char *what, bool as_json);

#endif
