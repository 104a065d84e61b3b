/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* place.h - whether a thread of the recording is in the way of what is traced */
#ifndef REC_PLACE_H
#define REC_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct place {			/* of one thread, zeroed at first */
	uint64_t looked_ms;	/* when the machine was looked at last */
	bool idle;		/* what was seen: some CPU had nothing to do */
};

/* Does the caller run on CPU @cpu although others are idle, where another thread could work? */
bool place_in_the_way(struct place *p, int cpu);

#endif
