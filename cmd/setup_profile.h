/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup_profile.h - the options that record --profile and profile share */
#ifndef SETUP_PROFILE_H
#define SETUP_PROFILE_H

#include <ktrail/rec.h>

#include "setup.h"

struct profile_setup {
	bool enabled;
	bool only_given;		/* -S: no events but those that were named */
	bool global_irqs, by_comm;	/* for the report */
	const char **hooks;		/* ends with NULL; NULL: none. free */
	size_t nr_hooks;
};

/* -H: @value behind the others */
int profile_add_hook(struct profile_setup *p, const char *value, struct kt_err *err);

/**
 * profile_add_events - have traced what a profile is made of
 *
 * Between the options and setup_finish. Adds the events of the hooks and, unless
 * -S, scheduling with stacks, interrupts, system calls and the first function in
 * the kernel: what this kernel has of these.
 */
int profile_add_events(const struct profile_setup *p, struct setup_args *a, struct kt_err *err);

/* The hooks into the file, where report --profile finds them */
int profile_add_options(const struct profile_setup *p, struct kt_rec *rec, struct kt_err *err);

#endif
