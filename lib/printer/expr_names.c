/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* expr_names.c - enumerators that a format uses but does not define */
#include "printer/expr.h"

#include <string.h>

/*
 * TRACE_DEFINE_ENUM() makes the kernel replace names by numbers. If the authors of an event
 * forgot it, the format contains the name. Our recorder replaces such names, using the kernel's
 * types (kernel/enums.c); other recorders do not. The values of these names have never changed.
 */
static const struct {
	const char *name;
	int64_t value;
} names[] = {
	{ "NULL", 0 }, { "false", 0 }, { "true", 1 },
	/* enum hrtimer_mode, hrtimer_restart; linux/hrtimer.h */
	{ "HRTIMER_MODE_ABS", 0x00 }, { "HRTIMER_MODE_REL", 0x01 }, { "HRTIMER_MODE_PINNED", 0x02 },
	{ "HRTIMER_MODE_SOFT", 0x04 }, { "HRTIMER_MODE_HARD", 0x08 },
	{ "HRTIMER_MODE_ABS_PINNED", 0x02 }, { "HRTIMER_MODE_REL_PINNED", 0x03 },
	{ "HRTIMER_MODE_ABS_SOFT", 0x04 }, { "HRTIMER_MODE_REL_SOFT", 0x05 },
	{ "HRTIMER_MODE_ABS_PINNED_SOFT", 0x06 }, { "HRTIMER_MODE_REL_PINNED_SOFT", 0x07 },
	{ "HRTIMER_MODE_ABS_HARD", 0x08 }, { "HRTIMER_MODE_REL_HARD", 0x09 },
	{ "HRTIMER_MODE_ABS_PINNED_HARD", 0x0a }, { "HRTIMER_MODE_REL_PINNED_HARD", 0x0b },
	{ "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	/* enum of linux/interrupt.h */
	{ "HI_SOFTIRQ", 0 }, { "TIMER_SOFTIRQ", 1 }, { "NET_TX_SOFTIRQ", 2 },
	{ "NET_RX_SOFTIRQ", 3 }, { "BLOCK_SOFTIRQ", 4 }, { "IRQ_POLL_SOFTIRQ", 5 },
	{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 }, { "HRTIMER_SOFTIRQ", 8 },
	{ "RCU_SOFTIRQ", 9 },
	/* linux/ioprio.h, linux/tcp_states.h and linux/in.h, part of the user-space ABI */
	{ "IOPRIO_CLASS_NONE", 0 }, { "IOPRIO_CLASS_RT", 1 }, { "IOPRIO_CLASS_BE", 2 },
	{ "IOPRIO_CLASS_IDLE", 3 }, { "IOPRIO_CLASS_INVALID", 7 },
	{ "TCP_ESTABLISHED", 1 }, { "TCP_SYN_SENT", 2 }, { "TCP_SYN_RECV", 3 },
	{ "TCP_FIN_WAIT1", 4 }, { "TCP_FIN_WAIT2", 5 }, { "TCP_TIME_WAIT", 6 }, { "TCP_CLOSE", 7 },
	{ "TCP_CLOSE_WAIT", 8 }, { "TCP_LAST_ACK", 9 }, { "TCP_LISTEN", 10 }, { "TCP_CLOSING", 11 },
	{ "TCP_NEW_SYN_RECV", 12 }, { "IPPROTO_UDP", 17 },
};

bool expr_name_value(const char *name, size_t len, int64_t *value)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == len && memcmp(names[i].name, name, len) == 0) {
			*value = names[i].value;
			return true;
		}
	return false;
}
