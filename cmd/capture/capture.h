/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.h - shared by the files of `ktrail capture` */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/capture.h>

#include "cmd/record/record.h"

/* The words of --config, then those of the command line */
struct words {
	int argc;
	char **argv;
	char *trace;			/* the lines of the file that choose what to trace */
};

struct capture_args {
	struct setup_args s;		/* first: SETUP_TRACE_OPTS */
	struct kt_when *when;
	struct kt_capture_opts o;
	const char *now;		/* --now NAME: trigger a running capture */
	const char *status_of;		/* --status=NAME; NULL: all */
	const char *config, *metrics;
	bool explain, status, json, prometheus;
	uint64_t duration_ns;
	uint64_t nr_saved;
	struct words words;		/* the words it was made of, and … */
	struct words later;		/* … those adopted since; owned */
};

/* capture.c: read the options again, with the file of --config. New (capture_free_args), or NULL
 * with @err set */
struct capture_args *capture_reread(struct kt_err *err);
void capture_free_args(struct capture_args *a);
void capture_free_words(struct words *w);

/* watch.c: run with the ring of @r, which is set up */
struct watching {
	struct capture_args *args;
	struct recording *recording;
	struct kt_capture *capture;
	int signal_fd;			/* of the conditions */
	uint64_t until;			/* ns; UINT64_MAX: no limit */
	uint64_t measured;		/* when the metrics were last written */
	bool ended, reload;
	bool armed;			/* result: it has begun */
	struct capture_args *next;	/* result: continue with these; NULL: end */
};

int capture_watch(struct watching *w, struct kt_err *err);

/* tell.c: messages on stderr, unless --quiet */
void capture_tell(const struct capture_args *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void capture_tell_saved(void *data, const struct kt_capture_file *f);
void capture_tell_passed(void *data, const struct kt_cause *cause, enum kt_capture_pass why,
			 const char *text);
void capture_tell_displaced(void *data, const char *text);
void capture_tell_end(const struct capture_args *a, const struct kt_capture *c);
int  capture_explain(const struct kt_when *when);
/* recover.c: restore the settings of captures that were killed */
void capture_recover(const struct capture_args *a);
/* status.c: --status, and the file of --metrics */
int  capture_status(const struct capture_args *a, struct kt_err *err);
int  capture_check_metrics(const char *path, struct kt_err *err);
int  capture_write_metrics(const char *path, const struct kt_capture *c, struct kt_err *err);

#endif
