/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_reading.h - read a generated file record by record, and compare */
#ifndef KT_READING_H
#define KT_READING_H

#include <ktrail/analysis.h>
#include <ktrail/file.h>
#include <ktrail/model.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#include "kt_dat.h"

struct kt_reading {
	struct kt_file *file;
	struct kt_stream *stream;
};

struct kt_reading kt_reading_open(const char *path, const struct kt_stream_opts *opts);
/* Writes @d to a file, destroys it and opens the file. */
struct kt_reading kt_reading_of(struct kt_dat *d, const struct kt_stream_opts *opts);
/* Nothing may have been damaged. */
void kt_reading_close(struct kt_reading *r);

/* The next record has this time, event and CPU. */
void kt_reading_expect(struct kt_reading *r, uint64_t ts, unsigned int type, int cpu);
void kt_reading_end(struct kt_reading *r);

/* A version 7 file with one buffer, clock local, standing at CPU 0 */
struct kt_dat *kt_dat_small(void);
/* Writes @d to a file, destroys it and opens the file as a trace (kt_trace_destroy). */
struct kt_trace *kt_dat_trace(struct kt_dat *d);
/* The same as a model of one file, whose index is not kept (kt_model_close) */
struct kt_model *kt_dat_model(struct kt_dat *d);
/* A file of three CPUs with 4999 records each, event 1 at i * 100 + CPU ns, in small chunks */
struct kt_reading kt_reading_long(const char *compression);
/* A record without fields of its own */
void kt_dat_add(struct kt_dat *d, uint16_t id, uint64_t ts);

/* A file with a text of each kind and four formats, for buffers to be added to */
struct kt_dat *kt_dat_texts(const struct kt_dat_opts *o);
/* The same with two CPUs with 1000 records each, event 1 at the same times */
struct kt_dat *kt_dat_two_cpus(const struct kt_dat_opts *o);

/* Opens the file, or fails the test. kt_file_close, or kt_close_intact */
struct kt_file *kt_open(const char *path);
/* Writes @d to a file, destroys it and opens the file. */
struct kt_file *kt_dat_open(struct kt_dat *d);
/* Nothing may have been damaged. */
void kt_close_intact(struct kt_file *f);
/* Does a noted damage contain the text @says? */
bool kt_has_damage(const struct kt_file *f, const char *says);
/* Run @a alone over the trace; must succeed. */
void kt_pass(struct kt_trace *t, struct kt_analysis *a, const struct kt_pass_opts *opts);
/* All records of a file */
unsigned int kt_count(struct kt_file *f);

#endif
