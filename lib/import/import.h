/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* import.h - one import: what all inputs share */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <ktrail/export.h>

#include "import/events.h"
#include "import/spool.h"

/* ---- the input ---- */

#define IMPORT_BLOCK (256u << 10)

/* Bytes in order; import_fill() makes more of them available, and moves them. */
struct import_input {
	struct str text;		/* what was read */
	size_t   at;			/* and is not consumed before here */
	uint64_t offset;		/* of the first byte of @text in the input */
	bool     ended;
};

/* ---- the trace ---- */

struct import {
	const struct kt_import_opts *opts;
	struct kt_import_result *result;
	struct import_input in;
	uint64_t total;			/* bytes of the input, 0: not known */
	struct spool *spool;
	struct import_events events;
	struct addresses addresses;
	struct import_task { int32_t pid; char comm[16]; } *tasks;
	size_t nr_tasks;
	struct keymap by_pid;
	struct str rec;			/* the record being made */
	const char *clock;		/* static; "": not known */
	char    *uname;			/* owned, NULL: not known */
	unsigned int nr_cpus;		/* as the input tells, 0: it does not */
	uint64_t cut;			/* texts that were too long */
};

/* The common fields of a record, and what is not in it */
struct import_record {
	unsigned int cpu;
	uint64_t ts;
	int32_t  pid;
	uint8_t  flags, preempt_count;
};

/* record.c */
/* At least @size bytes from in.at on, or as many as there are: how many. Negative errno */
ssize_t import_fill(struct import *im, size_t size, struct kt_err *err);

int import_record(struct import *im, const struct import_record *r, struct import_event *ev,
		  const struct shape_values *v, struct kt_err *err);
/* The same as a text alone; it is cut if it is too long for a record. */
int import_text_record(struct import *im, const struct import_record *r, struct import_event *ev,
		       const char *text, size_t len, struct kt_err *err);
/* The last name of a task that is told counts. 0 or -ENOMEM with @err set */
int import_task(struct import *im, int32_t pid, const char *comm, size_t len, struct kt_err *err);
void import_note(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

int import_text(struct import *im, struct kt_err *err);
int import_perfetto(struct import *im, struct kt_err *err);

#endif
