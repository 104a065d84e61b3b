/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_oracle.h - the records of a trace in the order of the stream, to compare readers with */
#ifndef KT_ORACLE_H
#define KT_ORACLE_H

#include <ktrail/reader.h>

#include "kt_dat.h"

/* All records of a trace in the order of the stream; their data are gone */
struct oracle {
	struct kt_trace *trace;
	struct kt_index *index;		/* not started, without a cache */
	struct kt_record *recs;
	size_t nr;
};

struct oracle oracle_open(const char *path);
/* Writes @d to a file, destroys it and opens the file. */
struct oracle oracle_of(struct kt_dat *d);
/* Of a trace with files whose losses are forgotten; takes it. */
struct oracle oracle_take(struct kt_trace *t);
void oracle_close(struct oracle *o);
/* A trace of one file, losses forgotten as by a reader */
struct kt_trace *oracle_trace(const char *path);

/* Make its index, which has as many records */
void oracle_get_ready(struct oracle *o);
/* Is it row @i? */
void oracle_check(const struct oracle *o, size_t i, const struct kt_record *rec);
/* From the reader's place, before row @i: @nr records on, back again, and @nr further back */
void oracle_walk(const struct oracle *o, struct kt_reader *r, size_t i, size_t nr);

#endif
