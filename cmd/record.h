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

struct record_args {
	struct setup_args s;		/* first: SETUP_OPTS */
	const char *output;
	const char *compression;
	const char *kallsyms;
	const char *temp;		/* accepted for trace-cmd's sake: there are no temporary files */
	int      file_version;
	uint64_t max_kb;		/* per CPU */
	uint64_t max_file_size;
	uint64_t duration_ns;
	bool     daemonize;
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
	struct kt_rec *rec;
	struct child  *child;		/* @child->pid -1: no command */
	const char    *output;
	const char    *pids;		/* NULL: none; else it ends when they are gone */
	uint64_t       duration_ns;	/* 0: none */
	bool           status;		/* show a line on the terminal */
	int            signal_fd;
	int            child_status;	/* result: exit status, once @child->pid is -1 */
	int            signal;		/* result: what ended it, 0: no signal */
};

/* Signals that end a recording are taken from here on through the returned descriptor. */
int record_catch_signals(struct kt_err *err);
/* Wait for the first reason to end. enum record_end, or a negative errno. */
int record_wait(struct record_wait *w, struct kt_err *err);

/* record_info.c: options that say more about the trace */
int record_add_date(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err);
int record_add_offset(struct kt_rec *rec, const char *offset, struct kt_err *err);
int record_add_tsc2nsec(struct kt_rec *rec, struct kt_err *err);
/* Address maps of a running process, collected until they are added. */
struct str;
void record_read_maps(struct str *maps, pid_t pid);
int record_add_maps(struct kt_rec *rec, const struct str *maps, struct kt_err *err);

#endif
