/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* handlers.c - the events that the distribution's plugins, and trace-cmd itself, print */
#include "event/handlers.h"

#include <string.h>

/* Those of each plugin in the order in which it unregisters them */
const struct handler handlers[] = {
	{ "", "ftrace", "raw_data" },
	{ "", "ftrace", "kernel_stack" },
	{ "", "ftrace", "func_repeats" },
	{ "", "ftrace", "funcgraph_entry" },
	{ "", "ftrace", "funcgraph_exit" },
	{ "plugin_function.so", "ftrace", "function" },
	{ "plugin_futex.so", "syscalls", "sys_enter_futex" },
	{ "plugin_hrtimer.so", "timer", "hrtimer_expire_entry" },
	{ "plugin_hrtimer.so", "timer", "hrtimer_start" },
	{ "plugin_kmem.so", "kmem", "kfree" },
	{ "plugin_kmem.so", "kmem", "kmalloc" },
	{ "plugin_kmem.so", "kmem", "kmalloc_node" },
	{ "plugin_kmem.so", "kmem", "kmem_cache_alloc" },
	{ "plugin_kmem.so", "kmem", "kmem_cache_alloc_node" },
	{ "plugin_kmem.so", "kmem", "kmem_cache_free" },
	{ "plugin_sched_switch.so", "sched", "sched_switch" },
	{ "plugin_sched_switch.so", "sched", "sched_wakeup" },
	{ "plugin_sched_switch.so", "sched", "sched_wakeup_new" },
	{ "plugin_tlb.so", "tlb", "tlb_flush" },
};

const size_t nr_handlers = sizeof(handlers) / sizeof(handlers[0]);

bool handlers_has(const char *file)
{
	size_t i;

	for (i = 0; i < nr_handlers; i++)
		if (strcmp(file, handlers[i].file) == 0)
			return true;
	return false;
}
