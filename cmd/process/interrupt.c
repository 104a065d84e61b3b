/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupt.c - commands that are interrupted restore the settings that they had changed */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include <ktrail/tracefs.h>

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* The signal mask is per process: these hold its value from before the first hold. */
static sigset_t before;
static int holds;

/* When released, a pending signal ends the process, with all settings restored or all made. */
static void hold(bool on)
{
	sigset_t set;
	size_t i;

	if (!on) {
		if (--holds == 0)
			sigprocmask(SIG_SETMASK, &before, NULL);
		return;
	}
	if (holds++)
		return;
	sigemptyset(&set);
	for (i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
}

/* Commands that wait for signals themselves (record, stream) have blocked them already. */
static bool is_wanted(void)
{
	struct sigaction act;
	sigset_t pending;
	size_t i;

	if (!holds || sigpending(&pending) < 0)
		return false;
	for (i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigismember(&pending, ending[i]) && !sigismember(&before, ending[i]) &&
		    sigaction(ending[i], NULL, &act) == 0 && act.sa_handler != SIG_IGN)
			return true;
	return false;
}

void interrupt_init(void)
{
	static const struct kt_interrupt calls = { .hold = hold, .is_wanted = is_wanted };

	kt_interrupt_set(&calls);
}
