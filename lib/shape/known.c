/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* known.c - the events whose fields the analyses use, as templates of their texts */
#include "shape/known.h"

#include <string.h>

#define TASK	"comm={comm:comm} pid={pid:int} prio={prio:int}"
#define WAKEUP	TASK " target_cpu={target_cpu:cpu}"
#define WAKEUP_OTHER "{comm}:{pid} [{prio}] CPU:{target_cpu}"
#define VECTOR	"vec={vec:uint} [action={vec:softirq}]"
#define WORK	"work struct {work:pointer}: function {function:symbol}"
#define HRTIMER	"hrtimer={hrtimer:pointer}"
#define HRTIMER_START HRTIMER " function={function:symbol} expires={expires:ulong} " \
		"softexpires={softexpires:ulong}"
#define REQUEST	"({cmd:text}) {sector:ulong} + {nr_sector:uint}"
#define NET_DEV	"dev={name:text} skbaddr={skbaddr:pointer} len={len:uint}"
#define CPU_STATE "state={state:uint} cpu_id={cpu_id:uint}"
#define X86_VECTOR(event) { "irq_vectors", event "_entry", "vector={vector:int}", NULL }, \
			  { "irq_vectors", event "_exit", "vector={vector:int}", NULL }

/* Source: the print formats of Linux 6.1 to 7.2 */
static const struct known_event known[] = {
	{ "sched", "sched_switch",
	  "prev_comm={prev_comm:comm} prev_pid={prev_pid:int} prev_prio={prev_prio:int} "
	  "prev_state={prev_state:state} ==> next_comm={next_comm:comm} next_pid={next_pid:int} "
	  "next_prio={next_prio:int}",
	  "{prev_comm}:{prev_pid} [{prev_prio}] {prev_state} ==> "
	  "{next_comm}:{next_pid} [{next_prio}]" },
	{ "sched", "sched_waking", WAKEUP, NULL },
	{ "sched", "sched_wakeup", WAKEUP, WAKEUP_OTHER },
	{ "sched", "sched_wakeup_new", WAKEUP, WAKEUP_OTHER },
	{ "sched", "sched_migrate_task",
	  TASK " orig_cpu={orig_cpu:int} dest_cpu={dest_cpu:int}", NULL },
	{ "sched", "sched_process_exec",
	  "filename={filename:text} pid={pid:int} old_pid={old_pid:int}", NULL },
	{ "sched", "sched_process_exit", TASK, NULL },
	{ "sched", "sched_process_exit", TASK " group_dead={group_dead:text}", NULL },
	{ "sched", "sched_process_free", TASK, NULL },
	{ "sched", "sched_process_wait", TASK, NULL },
	{ "sched", "sched_process_fork",
	  "comm={parent_comm:comm} pid={parent_pid:int} child_comm={child_comm:comm} "
	  "child_pid={child_pid:int}", NULL },
	{ "sched", "sched_stat_runtime",
	  "comm={comm:comm} pid={pid:int} runtime={runtime:ulong} [ns]", NULL },
	{ "sched", "sched_stat_wait",
	  "comm={comm:comm} pid={pid:int} delay={delay:ulong} [ns]", NULL },
	{ "sched", "sched_stat_sleep",
	  "comm={comm:comm} pid={pid:int} delay={delay:ulong} [ns]", NULL },
	{ "sched", "sched_stat_iowait",
	  "comm={comm:comm} pid={pid:int} delay={delay:ulong} [ns]", NULL },
	{ "sched", "sched_stat_blocked",
	  "comm={comm:comm} pid={pid:int} delay={delay:ulong} [ns]", NULL },
	{ "task", "task_newtask",
	  "pid={pid:int} comm={comm:comm} clone_flags={clone_flags:hex} "
	  "oom_score_adj={oom_score_adj:int}", NULL },
	{ "task", "task_rename",
	  "pid={pid:int} oldcomm={oldcomm:comm} newcomm={newcomm:comm} "
	  "oom_score_adj={oom_score_adj:int}", NULL },
	{ "irq", "irq_handler_entry", "irq={irq:int} name={name:text}", NULL },
	{ "irq", "irq_handler_exit", "irq={irq:int} ret={ret:handled}", NULL },
	{ "irq", "softirq_raise", VECTOR, NULL },
	{ "irq", "softirq_entry", VECTOR, NULL },
	{ "irq", "softirq_exit", VECTOR, NULL },
	X86_VECTOR("local_timer"), X86_VECTOR("reschedule"), X86_VECTOR("call_function"),
	X86_VECTOR("call_function_single"), X86_VECTOR("irq_work"),
	{ "ipi", "ipi_entry", "({reason:text})", NULL },
	{ "ipi", "ipi_exit", "({reason:text})", NULL },
	{ "nmi", "nmi_handler",
	  "{handler:symbol}() delta_ns: {delta_ns:long} handled: {handled:int}", NULL },
	{ "raw_syscalls", "sys_enter", "NR {id:long} ({args:args})", NULL },
	{ "raw_syscalls", "sys_exit", "NR {id:long} = {ret:long}", NULL },
	{ "timer", "hrtimer_start", HRTIMER_START " mode={mode:text} was_armed={was_armed:uint}",
	  NULL },
	{ "timer", "hrtimer_start", HRTIMER_START " mode={mode:text}", NULL },
	{ "timer", "hrtimer_start", HRTIMER_START, NULL },
	{ "timer", "hrtimer_start",		/* trace-cmd 3.1 */
	  HRTIMER " function={function:symbol}/0x0 expires={expires:ulong} "
	  "softexpires={softexpires:ulong}", NULL },
	{ "timer", "hrtimer_expire_entry", HRTIMER " function={function:symbol} now={now:ulong}",
	  NULL },
	{ "timer", "hrtimer_expire_entry", HRTIMER " now={now:ulong} function={function:symbol}",
	  NULL },
	{ "timer", "hrtimer_expire_entry",
	  HRTIMER " now={now:ulong} function={function:symbol}/0x0", NULL },
	{ "timer", "hrtimer_expire_exit", HRTIMER, NULL },
	{ "timer", "hrtimer_cancel", HRTIMER, NULL },
	{ "timer", "timer_start",
	  "timer={timer:pointer} function={function:symbol} expires={expires:ulong} "
	  "[timeout={timeout:long}] bucket_expiry={bucket_expiry:ulong} cpu={cpu:uint} "
	  "idx={idx:uint} flags={flags:text}", NULL },
	{ "timer", "timer_expire_entry",
	  "timer={timer:pointer} function={function:symbol} now={now:ulong} "
	  "baseclk={baseclk:ulong}", NULL },
	{ "timer", "timer_expire_exit", "timer={timer:pointer}", NULL },
	{ "timer", "timer_cancel", "timer={timer:pointer}", NULL },
	{ "workqueue", "workqueue_queue_work",
	  "work struct={work:pointer} function={function:symbol} workqueue={workqueue:text} "
	  "req_cpu={req_cpu:int} cpu={cpu:int}", NULL },
	{ "workqueue", "workqueue_activate_work", "work struct {work:pointer}", NULL },
	{ "workqueue", "workqueue_activate_work",
	  "work struct {work:pointer} function={function:symbol} ", NULL },
	{ "workqueue", "workqueue_execute_start", WORK, NULL },
	{ "workqueue", "workqueue_execute_end", WORK, NULL },
	{ "block", "block_rq_issue",
	  "{dev:device} {rwbs:text} {bytes:uint} " REQUEST " {ioprio:text} [{comm:comm}]", NULL },
	{ "block", "block_rq_issue",
	  "{dev:device} {rwbs:text} {bytes:uint} " REQUEST " [{comm:comm}]", NULL },
	{ "block", "block_rq_complete",
	  "{dev:device} {rwbs:text} " REQUEST " {ioprio:text} [{error:int}]", NULL },
	{ "block", "block_rq_complete", "{dev:device} {rwbs:text} " REQUEST " [{error:int}]",
	  NULL },
	{ "lock", "contention_begin", "{lock_addr:pointer} (flags={flags:text})", NULL },
	{ "lock", "contention_end", "{lock_addr:pointer} (ret={ret:int})", NULL },
	{ "net", "net_dev_queue", NET_DEV, NULL },
	{ "net", "netif_receive_skb", NET_DEV, NULL },
	{ "net", "net_dev_xmit", NET_DEV " rc={rc:int}", NULL },
	{ "power", "cpu_idle", CPU_STATE, NULL },
	{ "power", "cpu_frequency", CPU_STATE, NULL },
	{ "ftrace", "print", "{ip:symbol}: {buf:rest}", NULL },
	{ "ftrace", "function", "{ip:symbol} <-{parent_ip:symbol}", "{ip}" },
	{ "ftrace", "kernel_stack", "{size:int}{caller:stack}", NULL },
	{ "ftrace", "user_stack", "{tgid:uint}{caller:stack}", NULL },
	{ "ftrace", "funcgraph_entry", "{func:hex} {depth:int}", NULL },
	{ "ftrace", "funcgraph_exit",
	  "{func:hex} {depth:int} {overrun:uint} {calltime:ulong} {rettime:ulong}", NULL },
};

const struct known_event *known_find(const struct known_event *k, const char *system,
				     const char *name)
{
	for (k = k ? k + 1 : known; k < known + sizeof(known) / sizeof(*known); k++)
		if (strcmp(k->name, name) == 0 && (!system || strcmp(k->system, system) == 0))
			return k;
	return NULL;
}
