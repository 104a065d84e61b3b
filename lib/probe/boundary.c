/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boundary.c - ask the kernel where the instructions of a function begin */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "probe/probe.h"

#define LONGEST 15	/* bytes of an x86 instruction */

/* The kernel decodes the function: it accepts a probe only where an instruction begins. The probe
 * is never enabled and is removed before this returns; after a kill, the journal removes it. */
static bool takes_probe(struct kt_instance *inst, const char *function, unsigned long offset)
{
	char *add, undo[64];
	bool takes;

	snprintf(undo, sizeof(undo), "-:ktrail/boundary_%d", getpid());
	if (asprintf(&add, "p:%s %s+%lu", undo + 2, function, offset) < 0)
		add = NULL;
	takes = add && kt_instance_define(inst, "kprobe_events", add, undo, NULL) == 0;
	free(add);
	return kt_instance_restore(inst, NULL) == 0 && takes;
}

int probe_boundaries(const char *function, unsigned long offset, unsigned long size,
		     unsigned long *before, unsigned long *after)
{
	struct kt_instance *inst = kt_instance_open(NULL, 0, NULL);
	unsigned long n;
	int found = 0;

	for (n = 1; inst && !(found & 1) && n <= LONGEST && n <= offset; n++)
		if (takes_probe(inst, function, *before = offset - n))
			found |= 1;
	for (n = 1; inst && !(found & 2) && n <= LONGEST && offset + n < size; n++)
		if (takes_probe(inst, function, *after = offset + n))
			found |= 2;
	kt_instance_close(inst, NULL);
	return found;
}
