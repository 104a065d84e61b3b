/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info.h - shared by the files of the view of the file */
#ifndef TUI_INFO_H
#define TUI_INFO_H

#include "base/keymap.h"
#include "tui/app/app.h"

#define INFO_SOME 8			/* missing items to list */

/* Missing items, each identified by a number */
struct info_missing {
	struct keymap seen;
	uint64_t some[INFO_SOME];	/* the first items */
	uint64_t nr_events;		/* events with a missing item */
};

/* counts.c: the number of events of each kind */
struct info_event {
	const char *name;
	uint64_t nr;
};

struct info_counts {
	struct keymap number;		/* of each event: its index in @at */
	struct info_event *at;
	size_t nr;
	const struct kt_event *last;	/* the event counted last, or NULL */
	uint32_t last_number;
};

int  info_count(struct info_counts *c, const struct kt_event *ev);
/* Lines for the text of the view, in descending order; @all: events of any kind */
void info_counts_print(const struct info_counts *c, uint64_t all, struct str *out);
void info_counts_fini(struct info_counts *c);

/* scan.c: facts from the first 50 million records */
struct info_scan {
	struct kt_reader *reader;
	struct info_counts counts;
	int named_pid;			/* the last task with a name; 0: none */
	size_t named_file;
	uint64_t nr;			/* records examined */
	bool done, whole;		/* whole: all records were examined */
	struct info_missing names, formats;	/* by pid, by id */
	bool uses_symbols;		/* functions or stacks occurred */
};

int  info_scan_begin(struct info_scan *s, struct kt_model *m, struct kt_err *err);
void info_scan_end(struct info_scan *s);
/* A slice; true: there is more to do */
bool info_scan_work(struct info_scan *s, struct kt_model *m, unsigned int budget_ms);

#endif
