/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info.h - shared by the files of the view of the file */
#ifndef TUI_INFO_H
#define TUI_INFO_H

#include "base/keymap.h"
#include "tui/app/app.h"

#define INFO_SOME 8			/* that are named */

/* Missing items, each identified by a number */
struct info_missing {
	struct keymap seen;
	uint64_t some[INFO_SOME];	/* the first of them */
	uint64_t nr_events;		/* with such an item */
};

/* info_scan.c: facts from the records; only the first ones of a trace are examined */
struct info_scan {
	struct kt_reader *reader;
	uint64_t nr;			/* looked at */
	bool done, whole;		/* whole: these were all records */
	struct info_missing names, formats;	/* by pid, by id */
	bool uses_symbols;		/* functions or stacks occurred */
};

int  info_scan_begin(struct info_scan *s, struct kt_model *m, struct kt_err *err);
void info_scan_end(struct info_scan *s);
/* A slice; true: there is more to do */
bool info_scan_work(struct info_scan *s, struct kt_model *m, unsigned int budget_ms);

#endif
