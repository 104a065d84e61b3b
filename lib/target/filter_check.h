/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter_check.h - find errors in an event filter before the kernel refuses it */
#ifndef TARGET_FILTER_CHECK_H
#define TARGET_FILTER_CHECK_H

#include "target/format.h"

/**
 * ctl_filter_check - would the kernel accept this filter for this event?
 * @f:     format of the event
 * @event: "system:event", for messages
 * @text:  e.g. `prev_prio < 100 && comm ~ "kworker*"`
 *
 * Returns 0, or -EINVAL with the reason, the nearest field name and an excerpt
 * with a caret. Features that only some kernels have (`.function`, `CPUS{}`)
 * pass: the kernel decides. Never reads beyond @text; nesting is limited.
 * Source: Linux, Documentation/trace/events.rst, section "Event filtering".
 */
int ctl_filter_check(const struct ctl_format *f, const char *event, const char *text,
		     struct kt_err *err);

#endif
