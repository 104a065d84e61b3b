/* SPDX-License-Identifier: GPL-2.0-or-later */
/* input.h - the one trace file that a command reads */
#ifndef INPUT_H
#define INPUT_H

#include <ktrail/trace.h>

/* Use the file of -i, the word, or trace.dat. 0 or CMD_MISUSE */
int input_choose(const char **input, int argc, char **argv, struct kt_err *err);
/* New (kt_trace_destroy), NULL with @err set */
struct kt_trace *input_open(const char *input, struct kt_err *err);

#endif
