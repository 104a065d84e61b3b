/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cause.h - what a capture is about, as text */
#ifndef CAUSE_H
#define CAUSE_H

#include <ktrail/capture.h>

struct str;

/* "wakeup of rt-app:123 took 812 us at 12.345678, CPU 1", escaped */
void cause_add(struct str *s, const struct kt_cause *cause);
/* A line "cause: …" for each cause of a file; nothing for other files */
void cause_add_lines(struct str *s, const struct kt_file *file);

#endif
