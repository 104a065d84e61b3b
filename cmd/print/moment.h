/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment.h - times of a trace as text */
#ifndef MOMENT_H
#define MOMENT_H

#include <stdint.h>

struct str;

/* "12.345679": as units_format_moment() */
void moment_add(struct str *s, uint64_t ns);
/* … with the point in column @width, for lists */
void moment_add_aligned(struct str *s, uint64_t ns, int width);
/* "--time 12.345678901,12.400000000", for a command line that the user can run */
void moment_add_window(struct str *s, uint64_t from_ns, uint64_t until_ns);

#endif
