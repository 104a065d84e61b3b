/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* waiting.h - where in the kernel a task sleeps */
#ifndef LATENCY_WAITING_H
#define LATENCY_WAITING_H

#include <ktrail/span.h>

/*
 * The address of the first function in a span's stack that shows the reason, not the mechanics
 * of sleeping; 0: no stack was recorded, or it shows none.
 */
uint64_t waiting_function(struct kt_trace *t, const struct kt_span *s);

#endif
