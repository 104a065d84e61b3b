/* SPDX-License-Identifier: GPL-2.0-or-later */
/* input.c - the one trace file that a command reads */
#include "input.h"

#include "cmd/cmd.h"

int input_choose(const char **input, int argc, char **argv, struct kt_err *err)
{
	if (argc > 1 || (argc && *input))
		return cmd_misuse(err, "only one file at a time");
	if (argc)
		*input = argv[0];
	if (!*input)
		*input = "trace.dat";
	return 0;
}

struct kt_trace *input_open(const char *input, struct kt_err *err)
{
	struct kt_trace *t = kt_trace_create();

	if (!t)
		kt_err_no_memory(err);
	else if (kt_trace_add(t, input, NULL, err) == 0)
		return t;
	kt_trace_destroy(t);
	return NULL;
}
