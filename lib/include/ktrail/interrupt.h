/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* interrupt.h - stop half-way through a change of settings, and have it put back */
#ifndef KTRAIL_INTERRUPT_H
#define KTRAIL_INTERRUPT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Signals are the program's: the library catches none. A program that is ended by one
 * while settings are half changed leaves them so, until the journal is put
 * back (ktrail/journal.h). These calls let a program hold signals back for
 * that time, and have the change given up in good order.
 */
struct kt_interrupt {
	/* @on: something is changed now that may have to be put back; !@on: nothing is any
	 * more. Calls nest, one pair for each handle that has changed something. */
	void (*hold)(bool on);
	/* Asked before each write: true refuses it with -EINTR, so that the caller puts back
	 * what it had changed, as after any refusal. Not asked while putting back. */
	bool (*is_wanted)(void);
};

/* @calls: borrowed for good; NULL: none. There is one set of signals per process,
 * so one of these. */
void kt_interrupt_set(const struct kt_interrupt *calls);

#ifdef __cplusplus
}
#endif
#endif
