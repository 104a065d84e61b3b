/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_oracle.h - the records of a trace in the order of the stream, to compare readers with */
#ifndef KT_ORACLE_H
#define KT_ORACLE_H

#include <ktrail/reader.h>

#include "kt_dat.h"

/* All records of a trace in the order of the stream, without their data */
struct oracle {
	struct kt_trace *trace;
	struct kt_index *index;		/* not started, without a cache */
	struct kt_record *recs;
	size_t nr;
};

struct oracle oracle_open(const char *path);
/* Writes @d to a file, destroys it and opens the file. */
struct oracle oracle_of(struct kt_dat *d);
/* Takes a trace whose files were added with forget_lost. */
struct oracle oracle_take(struct kt_trace *t);
void oracle_close(struct oracle *o);
/* A trace of one file, with forget_lost as in a reader */
struct kt_trace *oracle_trace(const char *path);

/* Make the index, and check that it has as many records */
void oracle_get_ready(struct oracle *o);
/* Check that @rec is row @i */
void oracle_check(const struct oracle *o, size_t i, const struct kt_record *rec);
/* With the reader before row @i: read @nr records forward, back again, and @nr further back */
void oracle_walk(const struct oracle *o, struct kt_reader *r, size_t i, size_t nr);

#endif
