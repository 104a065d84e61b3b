/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup_profile.h - the events that a profile needs, and its hooks in the file */
#ifndef SETUP_PROFILE_H
#define SETUP_PROFILE_H

#include <ktrail/rec.h>

#include "setup.h"

/**
 * profile_add_events - have traced what a profile is made of, if it is wanted
 *
 * Between the options and setup_finish. Adds the events of the hooks and, unless
 * -S, scheduling with stacks, interrupts, system calls and the first function in
 * the kernel: what this kernel has of these.
 */
int profile_add_events(struct setup_args *a, struct kt_err *err);

/* Store the hooks in the file, for report --profile */
int profile_add_options(const struct profile_setup *p, struct kt_rec *rec, struct kt_err *err);

#endif
