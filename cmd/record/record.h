/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - what the steps of `ktrail record` share */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/rec.h>

#include "cmd/args/output.h"
#include "cmd/process/child.h"
#include "cmd/process/daemon.h"
#include "setup.h"
#include "setup_profile.h"

struct record_args {
	struct setup_args s;		/* first: SETUP_OPTS */
	const char *output;
	struct output_pipe pipe;	/* for -o - */
	char     shown[512];		/* @output, escaped for a terminal */
	const char *compression;
	const char *kallsyms;
	const char *temp;		/* accepted for compatibility with trace-cmd: temporary
					 * files are not used */
	int      file_version;
	uint64_t max_kb;		/* per CPU */
	uint64_t max_file_size;
	uint64_t duration_ns;
	bool     daemonize;
	bool     view;			/* open the viewer afterwards */
	bool     hide_threads;		/* hide our own threads from events as well */
	struct daemon daemon;
};

/* Why a recording ended */
enum record_end {
	RECORD_END_COMMAND,		/* the command, or all processes of -P, have ended */
	RECORD_END_SIGNAL,
	RECORD_END_TIME,
	RECORD_END_READER,		/* a reader failed, or the file has reached its maximum
					 * size */
};

struct record_wait {
	struct kt_rec *rec;		/* NULL: nothing is recorded */
	struct child  *child;		/* @child->pid -1: no command is running */
	const char    *output;
	const char    *pids;		/* wait for these tasks to end; NULL: none */
	uint64_t       duration_ns;	/* 0: none */
	uint64_t       tick_ns;		/* 0: none */
	int          (*tick)(void *data, uint64_t since_ns, struct kt_err *err);
	void          *tick_data;
	int            signal_fd;
	int            child_status;	/* result: exit status, once @child->pid is -1 */
	uint64_t       ran_ns;		/* result: how long the recording took */
	int            signal;		/* result: the signal that ended it, 0: none */
};

/* From here on, signals that end a recording are read from the returned descriptor. */
int record_catch_signals(struct kt_err *err);
/* Does any task of this list of ids still exist? */
bool record_any_task(const char *pids);
/* Wait for the first reason to end. enum record_end, or a negative errno. */
int record_wait(struct record_wait *w, struct kt_err *err);

/*
 * How a recording begins and ends, for record and stream. In between, each waits and writes in
 * its own way.
 *
 *	open → begin → go → record_wait → close
 */
struct recording {
	struct setup_args *s;
	struct child child;
	struct record_wait wait;	/* @rec, @child, @pids and @signal_fd are filled in */
};

/*
 * Prepare signals and the command, which waits. After setup_finish(). Then close, even on
 * failure.
 */
int recording_open(struct recording *r, struct setup_args *s, int argc, char **argv,
		   struct kt_err *err);
/* --dry-run instead of all of these: print the settings that would be made at the beginning */
int recording_show(struct setup_args *s, struct kt_err *err);
/* Make the settings and start readers for @path. @hide_events: no events of our own threads. */
int recording_begin(struct recording *r, const char *path, const struct kt_rec_opts *opts,
		    bool hide_events, struct kt_err *err);
/* Turn tracing on and start the command. */
int recording_go(struct recording *r, struct kt_err *err);
/*
 * @ret: the result so far. Restores the settings. Returns @ret, an error of its own, or the
 * command's status.
 */
int recording_close(struct recording *r, int ret, struct kt_err *err);

struct kt_instance *record_first_instance(const struct kt_setup *s);
/* Wait for a command that is still running when its recording has ended; a signal ends it too */
void record_end_command(struct record_wait *w);

/* end.c: the summary of a recording, in words */
struct record_told {
	const char *output;
	uint64_t ns;			/* its duration; 0: do not print it */
	bool quiet;			/* print only the number of lost events */
	bool whole;			/* it recorded all processes */
	bool last_only;			/* -m: the file does not have all events that were read */
	bool no_next;			/* do not suggest the next command */
};
void record_tell_end(struct kt_rec *rec, const struct record_told *t);
/* The path to which the former file of that name was moved */
void record_tell_kept(const struct kt_rec *rec);

/* info.c: options with additional information about the trace */
int record_add_date(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err);
int record_add_offset(struct kt_rec *rec, const char *offset, struct kt_err *err);
int record_add_tsc2nsec(struct kt_rec *rec, struct kt_err *err);
/* Address maps of a running process, collected for storing later. */
struct str;
void record_read_maps(struct str *maps, pid_t pid);
int record_add_maps(struct kt_rec *rec, const struct str *maps, struct kt_err *err);

#endif
