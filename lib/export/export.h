/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* export.h - a format, and the state that all formats share */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <ktrail/export.h>
#include <ktrail/span.h>
#include <ktrail/text.h>

#include "base/str.h"

/* An event of a file, made at its first record */
struct export_event {
	const struct kt_event *ev;
	size_t file;
	void  *plan;			/* of the format: what it needs for each record; see
					 * export_format.plan */
	struct export_event *next;	/* in export.made */
};

struct export_record {
	const struct kt_record *rec;
	struct export_event *ev;
	const struct kt_source *src;
	int pid;
};

struct export;

/*
 * All functions but event() are optional, and return 0 or a negative errno with @err set.
 * Stream formats append to export.text, which is written from time to time.
 */
struct export_format {
	struct kt_export_format is;
	size_t state_size;		/* zeroed bytes for export.state */
	unsigned int spans;		/* kinds of spans it uses: bits 1 << kind */

	int  (*begin)(struct export *x, struct kt_err *err);
	/* At the first record of an event: set ev->plan; no_plan() frees it */
	int  (*plan)(struct export *x, struct export_event *ev, struct kt_err *err);
	int  (*event)(struct export *x, const struct export_record *r, struct kt_err *err);
	int  (*lost)(struct export *x, const struct kt_record *rec, struct kt_err *err);
	int  (*span)(struct export *x, const struct kt_span *span, struct kt_err *err);
	int  (*call)(struct export *x, const struct kt_call *call, struct kt_err *err);
	/* After the last record, also if reading failed: completes the output */
	int  (*end)(struct export *x, struct kt_err *err);
	void (*no_plan)(struct export_event *ev);
	void (*fini)(struct export *x);
	/* Replaces all of the above: does the whole export */
	int  (*run)(struct export *x, struct kt_err *err);
};

struct task_name {
	size_t file;
	int pid;
	const char *comm;		/* NULL: unused */
};

#define EXPORT_TASKS 1024
#define EXPORT_WRITE (256u << 10)	/* bytes of one write */

struct export {
	struct kt_trace *trace;
	const struct kt_export_opts *opts;
	const struct export_format *format;
	void *state;
	struct str text;		/* not yet written */
	struct output *out;		/* NULL with KT_EXPORT_PATH */
	struct kt_export_result done;
	struct export_event ***events;	/* [file][type] */
	struct export_event *made;	/* owns all of them */
	struct task_name tasks[EXPORT_TASKS];
	struct kt_text *lines;		/* made by export_info() */
	struct kt_out *info;
};

/* The name of a task, as `report` prints it. Borrowed until the trace is destroyed */
const char *export_comm(struct export *x, size_t file, int pid);
/* The text of a record, without the columns before it: borrowed until the next call */
int export_info(struct export *x, const struct kt_record *rec, struct kt_blob *text,
		struct kt_err *err);
/* Write export.text and empty it. */
int export_flush(struct export *x, struct kt_err *err);

extern const struct export_format export_chrome, export_csv, export_ctf, export_folded,
				  export_ndjson, export_perfetto, export_sqlite,
				  export_trace_text;

#endif
