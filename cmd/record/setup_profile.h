/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup_profile.h - the events that a profile needs, and its hooks in the file */
#ifndef SETUP_PROFILE_H
#define SETUP_PROFILE_H

#include <ktrail/rec.h>

#include "setup.h"

/**
 * profile_add_events - trace the events that a profile needs, if one was requested
 *
 * Call this after the options are parsed and before setup_finish. Adds the events of the
 * hooks and, without -S, those that this kernel has of these: scheduling with stacks,
 * interrupts, system calls, and the first function in the kernel.
 */
int profile_add_events(struct setup_args *a, struct kt_err *err);

/* Store the hooks in the file, for report --profile */
int profile_add_options(const struct profile_setup *p, struct kt_rec *rec, struct kt_err *err);

#endif
