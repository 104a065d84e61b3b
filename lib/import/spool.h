/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* spool.h - records of all CPUs, in any order, become the data of a trace.dat */
#ifndef IMPORT_SPOOL_H
#define IMPORT_SPOOL_H

#include <ktrail/writer.h>

#include "import/page.h"

/*
 * A trace.dat has the data of one CPU after the other, and of each CPU in order of time. Full
 * sub-buffers go to a temporary file until the input ends; memory holds one for each CPU.
 *
 * Late records of a CPU are sorted: up to SPOOL_RUNS runs are kept for it, each in order, and
 * merged in the end. A record that would need another run takes the time of the last record of
 * the run that is least ahead.
 */
#define SPOOL_RUNS 16
#define SPOOL_CPUS 4096

struct spool;

struct spool_count {
	uint64_t events, lost;		/* @lost: the sum of known numbers */
	uint64_t losses;
	uint64_t sorted;		/* came late and were sorted */
	uint64_t late;			/* could not be sorted */
	unsigned int cpus;		/* the highest CPU with records + 1 */
};

struct spool *spool_create(struct kt_err *err);
void spool_destroy(struct spool *s);

/* @cpu: below SPOOL_CPUS. @size: at most PAGE_RECORD_MAX */
int spool_add(struct spool *s, unsigned int cpu, uint64_t ts, const void *rec, size_t size,
	      struct kt_err *err);
/* Record a loss before the next record of @cpu: @nr, or PAGE_LOST_UNKNOWN */
int spool_lost(struct spool *s, unsigned int cpu, uint64_t nr, struct kt_err *err);
/* Write all CPUs as the data of that buffer; once, after the last record */
int spool_write(struct spool *s, struct kt_writer *w, int buffer, struct kt_err *err);

const struct spool_count *spool_counted(const struct spool *s);

#endif
