/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - what the steps of `ktrail record` hand to each other */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/rec.h>

#include "child.h"
#include "daemon.h"
#include "setup.h"
#include "setup_profile.h"

struct record_args {
	struct setup_args s;		/* first: SETUP_OPTS */
	const char *output;
	char     shown[512];		/* @output as a terminal may have it */
	const char *compression;
	const char *kallsyms;
	const char *temp;		/* accepted for trace-cmd's sake:
					 * there are no temporary files */
	int      file_version;
	uint64_t max_kb;		/* per CPU */
	uint64_t max_file_size;
	uint64_t duration_ns;
	bool     daemonize;
	bool     view;			/* open the viewer afterwards */
	bool     hide_threads;		/* our own, from events as well */
	struct daemon daemon;
};

/* Why a recording ended */
enum record_end {
	RECORD_END_COMMAND,		/* the command, or all processes of -P, are gone */
	RECORD_END_SIGNAL,
	RECORD_END_TIME,
	RECORD_END_READER,		/* one failed, or the file is as big as it may be */
};

struct record_wait {
	struct kt_rec *rec;		/* NULL: nothing is recorded */
	struct child  *child;		/* @child->pid -1: no command */
	const char    *output;
	const char    *pids;		/* NULL: none; else it ends when they are gone */
	uint64_t       duration_ns;	/* 0: none */
	uint64_t       tick_ns;		/* 0: none */
	int          (*tick)(void *data, uint64_t since_ns, struct kt_err *err);
	void          *tick_data;
	int            signal_fd;
	int            child_status;	/* result: exit status, once @child->pid is -1 */
	uint64_t       ran_ns;		/* result: how long it waited */
	int            signal;		/* result: what ended it, 0: no signal */
};

/* Signals that end a recording are taken from here on through the returned descriptor. */
int record_catch_signals(struct kt_err *err);
/* Is there still any task of this list of ids? */
bool record_any_task(const char *pids);
/* Wait for the first reason to end. enum record_end, or a negative errno. */
int record_wait(struct record_wait *w, struct kt_err *err);

/*
 * What record and stream have in common: how a recording begins and ends. In
 * between, each waits and writes in its own way.
 *
 *	open → begin → go → record_wait → close
 */
struct recording {
	struct setup_args *s;
	struct child child;
	struct record_wait wait;	/* @rec, @child, @pids and @signal_fd are filled in */
};

/* Signals, and the command, which waits. Behind setup_finish(). Then close, also when it fails. */
int recording_open(struct recording *r, struct setup_args *s, int argc, char **argv,
		   struct kt_err *err);
/* --dry-run instead of all that: print what would be set at the beginning */
int recording_show(struct setup_args *s, struct kt_err *err);
/* Settings are made, readers of @path wait. @hide_events: no events of our own threads. */
int recording_begin(struct recording *r, const char *path, const struct kt_rec_opts *opts,
		    bool hide_events, struct kt_err *err);
/* Tracing is on and the command runs. */
int recording_go(struct recording *r, struct kt_err *err);
/* @ret: how it went. Settings are put back.
 * Returns @ret, or what failed here, or the command's status. */
int recording_close(struct recording *r, int ret, struct kt_err *err);

struct kt_instance *record_first_instance(const struct kt_setup *s);
/* A command that still runs when its recording was ended: by a signal it ends too */
void record_end_command(struct record_wait *w);

/* Time of the trace clock now, in its units (ns, but only to the microsecond). -1: unknown */
int64_t record_clock_now(struct kt_instance *inst);

/* record_end.c: what a recording has brought, in words */
struct record_told {
	const char *output;
	uint64_t ns;			/* how long it was; 0: not to be told */
	bool quiet;			/* only what was lost */
	bool whole;			/* of all processes */
	bool last_only;			/* -m: not all that was taken is in the file */
	bool     viewed;		/* the viewer comes next */
};
void record_tell_end(struct kt_rec *rec, const struct record_told *t);
/* Where the former file of that name is now */
void record_tell_kept(const struct kt_rec *rec);

/* record_info.c: options that say more about the trace */
int record_add_date(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err);
int record_add_offset(struct kt_rec *rec, const char *offset, struct kt_err *err);
int record_add_tsc2nsec(struct kt_rec *rec, struct kt_err *err);
/* Address maps of a running process, collected until they are added. */
struct str;
void record_read_maps(struct str *maps, pid_t pid);
int record_add_maps(struct kt_rec *rec, const struct str *maps, struct kt_err *err);

#endif
