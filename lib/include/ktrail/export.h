/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* export.h - a trace in the formats of other programs, and back; pictures for a browser */
#ifndef KTRAIL_EXPORT_H
#define KTRAIL_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/base.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_export_flag {
	KT_EXPORT_BINARY = 1 << 0,	/* not text: do not write it to a terminal */
	KT_EXPORT_PACKED = 1 << 1,	/* its readers accept compressed files */
	KT_EXPORT_PATH   = 1 << 2,	/* a database or a folder: written to a path, not to a
					 * descriptor */
	KT_EXPORT_FOLDER = 1 << 3,	/* a folder */
	KT_EXPORT_FIELDS = 1 << 4,	/* opts.fields chooses its columns */
	KT_EXPORT_WALL   = 1 << 5,	/* its lines may have the time of day: opts.wall */
	KT_EXPORT_KERNEL = 1 << 6,	/* its texts are the kernel's if kt_events_set_opts() has
					 * set kt_events_opts.kernel for each file, before any
					 * other use of its events */
};

struct kt_export_format {
	const char *name;		/* "chrome" */
	const char *summary;		/* what it is, and which programs read it, in a few words */
	const char *ending;		/* suffix of file names: ".json" */
	unsigned int flags;		/* enum kt_export_flag */
};

/* The @i-th format, NULL after the last. All strings are static. */
const struct kt_export_format *kt_export_format(size_t i);
/* By its name; NULL: there is none */
const struct kt_export_format *kt_export_find(const char *name);

enum kt_export_packing {
	KT_EXPORT_PLAIN,
	KT_EXPORT_GZIP,
	KT_EXPORT_ZSTD,
};

struct kt_export_opts {
	const struct kt_export_format *format;
	/*
	 * The records, and the progress callback. Spans are made from these records: a filter
	 * must not drop the events that begin and end them.
	 */
	struct kt_pass_opts pass;
	int fd;				/* open for writing; unused with KT_EXPORT_PATH */
	const char *path;		/* with KT_EXPORT_PATH: must not exist; borrowed */
	enum kt_export_packing packing;	/* only with KT_EXPORT_PACKED */
	/*
	 * KT_EXPORT_FIELDS: the columns: time, cpu, comm, pid, flags, event, text, or fields of
	 * events. A field with one of these names is written "fields.NAME". NULL: time, cpu,
	 * comm, pid, event, text. Borrowed.
	 */
	const char *const *fields;
	size_t nr_fields;
	bool tabs;			/* csv: tabs between values, no quotes, no header line,
					 * control characters escaped */
	bool wall;			/* KT_EXPORT_WALL: local date and time of day; for ndjson,
					 * as a further member */
	bool escape;			/* for a terminal: escape control characters */
};

/* Counts of the output */
struct kt_export_result {
	uint64_t events;		/* records; 0 for formats made of lines of text */
	uint64_t spans;			/* slices, rows of spans or stacks */
	uint64_t bytes;			/* before compression; 0 with KT_EXPORT_PATH */
	bool     is_valid;		/* the output is complete, or a valid file with the records
					 * read before an error */
};

/**
 * kt_export - write the records of a trace in another format
 * @t:      read from the beginning, as by kt_pass_run()
 * @result: may be NULL
 *
 * The trace is read once; memory does not grow with its length, only with the number of events,
 * tasks and open spans. If reading ends early, the output is a valid file of the records
 * read so far, see result.is_valid. Returns 0, or a negative errno:
 *   -EINVAL     the options do not suit the format
 *   -ENOENT     no event has a field for a column
 *   -ECANCELED  opts.pass.progress() stopped it
 */
int kt_export(struct kt_trace *t, const struct kt_export_opts *opts,
	      struct kt_export_result *result, struct kt_err *err);

/* ==== pictures as SVG files: flame graphs, heat maps ==== */

/* How a frame is coloured */
enum kt_picture_colour {
	KT_PICTURE_WARM,		/* by name, yellow to red */
	KT_PICTURE_CHANGE,		/* by @change: -1 blue, 0 grey, 1 red */
};

struct kt_picture_frame {
	const char *name;		/* any bytes: they are escaped */
	uint32_t parent;		/* index of an earlier frame; for the root, 0, itself */
	double   value;			/* its width, including all frames in it: not negative */
	double   change;		/* -1 to 1, for KT_PICTURE_CHANGE */
	const char *note;		/* optional: shown after the name under the pointer */
};

struct kt_picture_flame {
	const char *title;
	enum kt_picture_colour colour;
	const struct kt_picture_frame *frames;	/* the first is the root */
	size_t nr;
};

/**
 * kt_picture_flame - draw a flame graph as a self-contained SVG file
 *
 * A browser shows it: a click enlarges a frame, / or the button searches by regular expression.
 * Siblings are in the order of @frames. Frames below a 20,000th of the whole are left out.
 * Returns new (free), NUL-terminated; NULL: -EINVAL a parent does not come before its frame,
 * -ENOMEM
 */
char *kt_picture_flame(const struct kt_picture_flame *flame, struct kt_err *err);

/* Counts over time and size: a row for each size, a column for each part of the time */
struct kt_picture_heat_map {
	const char *title;
	size_t columns, rows;
	const uint64_t *counts;			/* [rows][columns], the smallest size first */
	const char *const *labels;		/* for each row, the size at which it begins */
	uint64_t from, until;			/* ns */
};

/* @maps, one below the other; each has its own scale. New (free), NULL: -ENOMEM */
char *kt_picture_heat(const struct kt_picture_heat_map *maps, size_t nr, struct kt_err *err);

enum kt_import_from {
	KT_IMPORT_ANY = 0,		/* detect it by the first bytes of the input */
	KT_IMPORT_TEXT,			/* lines of tracefs' trace or trace_pipe, of
					 * `trace-cmd report` or `ktrail report` */
	KT_IMPORT_PERFETTO,		/* a protobuf trace of Perfetto with ftrace packets */
};

struct kt_import_opts {
	enum kt_import_from from;
	int         fd;			/* open for reading; read from its current offset */
	const char *name;		/* of the input, for messages */
	const char *path;		/* of the trace.dat (version 7), replaced at the end */
	const char *machine;		/* the traced machine, which names system calls: "x86_64" …;
					 * NULL: as the input says */
	const char *compression;	/* as in kt_writer_opts; NULL: "any" */
	unsigned int threads;		/* compressing threads, besides the caller */
	/* Bytes read so far; @total is 0 if not known. False stops the import: -ECANCELED */
	bool      (*progress)(void *data, uint64_t done, uint64_t total);
	void       *data;
};

struct kt_import_result {
	enum kt_import_from from;
	uint64_t events;		/* records of the trace.dat */
	uint64_t lost;			/* lost events, as far as the input counts them */
	struct kt_names notes;		/* lines on what the input lacks; kt_names_fini() */
};

/* "text", "perfetto"; NULL for KT_IMPORT_ANY */
const char *kt_import_name(enum kt_import_from from);

/**
 * kt_import - convert the input to a trace.dat
 * @result: zeroed; filled if 0 is returned
 *
 * The input is read once. Records are kept in a temporary file of their size, since a trace.dat
 * stores one CPU after the other; memory grows only with the number of CPUs, kinds of events, tasks
 * and functions. Of a truncated or damaged input, the intact start is imported, and a note says
 * so. Returns 0, or a negative errno:
 *   -ENODATA    the input has no event
 *   -EBADMSG    it has neither format
 *   -ECANCELED  progress() stopped it
 */
int kt_import(const struct kt_import_opts *opts, struct kt_import_result *result,
	      struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
