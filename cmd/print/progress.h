/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - the progress of operations that take more than a second, on a terminal */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/writer.h>

/*
 * A line on stderr that is updated a few times a second, after the first second. If stderr is not
 * a terminal, nothing is written.
 */
struct progress {
	const char *what;		/* borrowed: "convert" */
	const char *unit;		/* borrowed: the unit that is counted; NULL: bytes */
	uint64_t begun_ns, told_ns;
	bool on, shown;
};

void progress_begin(struct progress *p, const char *what);
/* @total 0: not known */
void progress_tell(struct progress *p, uint64_t done, uint64_t total);
/* Remove the line. Call this before any other output. */
void progress_end(struct progress *p);

/* For kt_pass_opts.progress, with a struct progress as kt_pass_opts.data: true */
bool progress_of_pass(void *data, uint64_t done, uint64_t total);
/* For kt_copy.progress, with a struct progress as kt_copy.progress_data */
void progress_of_copy(struct kt_copy *copy, void *data);

#endif
