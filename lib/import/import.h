/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* import.h - one import: what all inputs share */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <ktrail/export.h>

#include "shape/events.h"
#include "import/spool.h"

/* ---- the input ---- */

#define IMPORT_BLOCK (256u << 10)

/* A window of the input; import_fill() extends it and may move it. */
struct import_input {
	struct str text;		/* bytes read so far */
	size_t   at;			/* the first byte not yet consumed */
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
	struct shape_events events;
	struct addresses addresses;
	struct import_task { int32_t pid; char comm[16]; } *tasks;
	size_t nr_tasks;
	struct keymap by_pid;
	struct str rec;			/* the record being built */
	const char *clock;		/* static; "": not known */
	char    *uname;			/* owned, NULL: not known */
	unsigned int nr_cpus;		/* from the input, 0: unknown */
	uint64_t cut;			/* texts that were too long */
};

/* The common fields of a record, and facts kept outside it */
struct import_record {
	unsigned int cpu;
	uint64_t ts;
	int32_t  pid;
	uint8_t  flags, preempt_count;
};

/* record.c */
/* Reads until @size bytes follow in.at, or all. Returns how many follow, or a negative errno */
ssize_t import_fill(struct import *im, size_t size, struct kt_err *err);

int import_record(struct import *im, const struct import_record *r, struct shape_event *ev,
		  const struct shape_values *v, struct kt_err *err);
/* The same with a text only, which is cut to the size of a record. */
int import_text_record(struct import *im, const struct import_record *r, struct shape_event *ev,
		       const char *text, size_t len, struct kt_err *err);
/* The last name reported for a task counts. 0 or -ENOMEM with @err set */
int import_task(struct import *im, int32_t pid, const char *comm, size_t len, struct kt_err *err);
void import_note(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

int import_text(struct import *im, struct kt_err *err);
int import_perfetto(struct import *im, struct kt_err *err);

#endif
