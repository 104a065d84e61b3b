/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* raw.h - show a record as " name=value …" */
#ifndef PRINTER_RAW_H
#define PRINTER_RAW_H

#include "format/events.h"

/* Call it after the print format was compiled */
int  raw_prepare(struct event *ev);
void raw_free(struct event *ev);
void raw_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	      struct kt_out *out);
extern const struct printer raw_printer;
/* "[FAILED TO PARSE] field=value …" */
void failed_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		 struct kt_out *out);

#endif
