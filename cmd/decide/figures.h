/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.h - a metric measured in a file, for people and for programs */
#ifndef CMD_FIGURES_H
#define CMD_FIGURES_H

#include <ktrail/latencies.h>

#include "cmd/args/choose.h"

#define FIGURES_CANNOT_TELL 125	/* the exit status that makes `git bisect run` skip a commit */

struct json;

/* --metric: all of them must hold. 0 or CMD_MISUSE */
int figures_take(struct kt_metric **m, const char *text, struct kt_err *err);

/*
 * Read @path once. Then kt_metric_row() has the figures until figures_end().
 * New (figures_end), NULL with @err set
 */
struct kt_trace *figures_measure(struct kt_metric *m, const char *path, struct choose *c,
				 struct kt_err *err);
void figures_end(struct kt_metric *m, struct kt_trace *t);

/* "812 us", "17", "3.5/s"; @size at least 32 */
const char *figures_format(enum kt_metric_unit unit, double value, char *text, size_t size);
/* An array of all rows */
void figures_add_json(struct json *j, const char *key, struct kt_metric *m);
/* "holds", "fails", "unknown": words for programs */
const char *figures_word(enum kt_verdict v);
/* The exit status that `git bisect run` understands: 0, 1 or FIGURES_CANNOT_TELL */
int figures_status(enum kt_verdict v);
/* "-e a:b -e c:d": what to record, for a message; new (free), NULL: no memory */
char *figures_record_line(const struct kt_metric *m);

#endif
