/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* import.h - a trace.dat from what other programs have recorded */
#ifndef KTRAIL_IMPORT_H
#define KTRAIL_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_import_from {
	KT_IMPORT_ANY = 0,		/* by the first bytes of the input */
	KT_IMPORT_TEXT,			/* lines of tracefs' trace or trace_pipe, of
					 * `trace-cmd report` or `ktrail report` */
	KT_IMPORT_PERFETTO,		/* a protobuf trace of Perfetto with ftrace packets */
};

struct kt_import_opts {
	enum kt_import_from from;
	int         fd;			/* open for reading, from where it stands on */
	const char *name;		/* of the input, for messages */
	const char *path;		/* of the trace.dat (version 7), replaced at the end */
	const char *machine;		/* that was traced: "x86_64" …, which names system calls;
					 * NULL: as the input says */
	const char *compression;	/* as in kt_writer_opts; NULL: "any" */
	unsigned int threads;		/* that compress, besides the caller */
	/* Bytes read so far, of @total or 0 if that is not known. False stops: -ECANCELED */
	bool      (*progress)(void *data, uint64_t done, uint64_t total);
	void       *data;
};

struct kt_import_result {
	enum kt_import_from from;
	uint64_t events;		/* records of the trace.dat */
	uint64_t lost;			/* events that the input says were lost, as far as it counts
					 * them */
	struct kt_names notes;		/* what the input does not tell: lines; kt_names_fini() */
};

/* "text", "perfetto"; NULL for KT_IMPORT_ANY */
const char *kt_import_name(enum kt_import_from from);

/**
 * kt_import - make a trace.dat that all readers can read
 * @result: zeroed; filled if 0 is returned
 *
 * The input is read once. Records wait in a temporary file of their size, since a trace.dat has the
 * CPUs one after the other; memory grows with the number of CPUs, kinds of events, tasks and
 * functions only. An input that is cut or damaged in its middle yields what was before that, and
 * a note. Returns 0, or a negative errno:
 *   -ENODATA    the input has no event
 *   -EBADMSG    it is neither of the two
 *   -ECANCELED  progress() stopped it
 */
int kt_import(const struct kt_import_opts *opts, struct kt_import_result *result,
	      struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
