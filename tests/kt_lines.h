/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_lines.h - made-up records of a few events, and the lines that a report makes of them */
#ifndef KT_LINES_H
#define KT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/text.h>

#include "kt_dat.h"

/* The ids of kt_lines_events() */
enum { ENTRY = 11, EXIT = 10, RETADDR = 12, TICK = 100, SWITCH = 101, NAME = 102, TOLD = 103 };

void kt_lines_events(struct kt_dat *d);
/* Three functions, "outer" at 0x1000, "inner" at 0x2000 and "end"; task 7, "saved"; and CPU 0 */
void kt_lines_begin_cpu(struct kt_dat *d);
/* A file with these events, symbols, task and CPU. New (the reports destroy it) */
struct kt_dat *kt_lines_dat(void);

void kt_lines_entry(struct kt_dat *d, uint64_t func, int depth, uint64_t ts);
void kt_lines_leave(struct kt_dat *d, uint64_t func, int depth, uint64_t ns, uint64_t value,
		    uint64_t ts);
void kt_lines_tick(struct kt_dat *d, int pid, int n, uint64_t ts);

/* The lines of @d; destroys @d; new (free).
 * @narrow: do not even read records that the filter drops */
char *kt_lines_report_of(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter,
			 bool narrow);
char *kt_lines_report(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter);
/* Check that the lines are @want. */
void kt_lines_check(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter,
		    const char *want);

#define KT_LINE "           saved-7     [000] ..... "

#endif
