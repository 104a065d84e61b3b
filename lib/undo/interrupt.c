/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* interrupt.c - tell the program when it must not be interrupted, and ask whether it was */
#include <ktrail/tracefs.h>

#include <errno.h>

#include "undo/undo.h"

/* Signals belong to the process, so this does too: no handle could own it. */
static const struct kt_interrupt *calls;

void kt_interrupt_set(const struct kt_interrupt *wish)
{
	calls = wish;
}

void ctl_interrupt_hold(struct ctl_undo *undo, bool on)
{
	if (undo->held == on)
		return;
	undo->held = on;
	if (calls)
		calls->hold(on);
}

int ctl_interrupt_check(struct kt_err *err)
{
	return calls && calls->is_wanted() ? kt_err_set(err, -EINTR, "interrupted") : 0;
}
