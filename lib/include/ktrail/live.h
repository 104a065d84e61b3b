/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* live.h - record an instance into a temporary file that is read meanwhile */
#ifndef KTRAIL_LIVE_H
#define KTRAIL_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>
#include <ktrail/rec.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Nothing of the instance is changed by it: what is traced now is recorded, from
 * now on. The file holds about the last @memory bytes; kt_trace_refresh() reads along.
 * One thread.
 */
struct kt_live;

struct kt_live_opts {
	uint64_t memory;		/* bytes held, of all CPUs together; 0: 256 MiB */
};

/**
 * kt_live_open - begin
 * @inst: borrowed
 *
 * New (kt_live_close, which removes the file). Where the buffer cannot be read, there is a
 * file without events, and kt_live_why() says why. NULL: there cannot even be that.
 */
struct kt_live *kt_live_open(struct kt_instance *inst, const struct kt_live_opts *opts,
			     struct kt_err *err);
void kt_live_close(struct kt_live *l);

/* The trace.dat, which is not finished; borrowed until the next kt_live_pause() */
const char *kt_live_path(const struct kt_live *l);
/* Why nothing is recorded; NULL: something is */
const char *kt_live_why(const struct kt_live *l);

/**
 * kt_live_sync - bring the file up to date
 *
 * 1: events have come since the last time; 0: none; or the first failure of a reader:
 * nothing is recorded from then on.
 */
int kt_live_sync(struct kt_live *l, struct kt_err *err);

/**
 * kt_live_pause - close the buffer (@on), and begin anew with another file
 *
 * The kernel refuses another tracer, clock or size of sub-buffers as long as the buffer is open.
 * What was held is given up. Then kt_live_path() is another one.
 */
void kt_live_pause(struct kt_live *l, bool on);

/* What is held is not given up while @on: then as much again is taken, and no more. */
void kt_live_hold(struct kt_live *l, bool on);

/* Since kt_live_open(), or since it began anew */
int kt_live_stats(struct kt_live *l, struct kt_rec_stats *stats, struct kt_err *err);

/**
 * kt_live_save - what is held, as a finished trace.dat
 * @replace: also where there is a file @path
 *
 * -EEXIST: there is one. Takes as long as writing it does.
 */
int kt_live_save(struct kt_live *l, const char *path, bool replace, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
