/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_functions.h - `ktrail profile --functions`: the kernel's function profiler */
#ifndef PROFILE_FUNCTIONS_H
#define PROFILE_FUNCTIONS_H

#include "cmd/record/record.h"
#include "profile_print.h"

struct function_profile_args {
	bool enabled;
	const struct profile_order *order;
};

/*
 * Count until the command, the time limit or the user ends it; @text gets the table, or JSON.
 * Returns the exit status of the command, as cmd.run
 */
struct str;
int profile_functions(const struct function_profile_args *f, struct setup_args *s,
		      uint64_t duration_ns, bool json, int argc, char **argv, struct str *text,
		      struct kt_err *err);

#endif
