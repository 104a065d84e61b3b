/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sched.c - which task runs, which task wakes another, how long tasks waited */
#include <ktrail/plugin.h>

/* Bits of prev_state since Linux 4.14; the last one means preempted. */
static const struct kt_name states[] = {
	{ 0x00, "running", 0xff }, { 0x01, "sleeping", 0 }, { 0x02, "uninterruptible", 0 },
	{ 0x04, "stopped", 0 }, { 0x08, "traced", 0 }, { 0x10, "dead", 0 }, { 0x20, "zombie", 0 },
	{ 0x40, "parked", 0 }, { 0x80, "idle", 0 }, { 0x100, "preempted", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "state", KT_TABLE_FLAGS, states },
	{ NULL, 0, NULL },
};

static const struct kt_phrase phrases[] = {
	{ "sched/sched_switch",
	  "{prev_comm}:{prev_pid} [{prev_prio}] {prev_state|state} -> "
	  "{next_comm}:{next_pid} [{next_prio}]{*}" },
	{ "sched/sched_waking", "wakes {comm}:{pid} [{prio}] for CPU {target_cpu}{*}" },
	{ "sched/sched_wakeup_new", "starts {comm}:{pid} [{prio}] on CPU {target_cpu}{*}" },
	{ "sched/sched_wakeup", "{comm}:{pid} [{prio}] is runnable on CPU {target_cpu}{*}" },
	{ "sched/sched_migrate_task",
	  "{comm}:{pid} [{prio}] moves from CPU {orig_cpu} to CPU {dest_cpu}{*}" },
	{ "sched/sched_stat_runtime", "{comm}:{pid} ran {runtime|time}{*}" },
	{ "sched/sched_stat_wait", "{comm}:{pid} waited for a CPU {delay|time}{*}" },
	{ "sched/sched_stat_sleep", "{comm}:{pid} slept {delay|time}{*}" },
	{ "sched/sched_stat_iowait", "{comm}:{pid} waited for I/O {delay|time}{*}" },
	{ "sched/sched_stat_blocked", "{comm}:{pid} was blocked {delay|time}{*}" },
	{ "sched/sched_process_fork",
	  "{parent_comm}:{parent_pid} forks {child_comm}:{child_pid}{*}" },
	{ "sched/sched_process_exec",
	  "{pid} executes {filename}{?pid-old_pid , was thread {old_pid}}{*}" },
	{ "sched/sched_prepare_exec", "{comm}:{pid} is about to execute {filename}{*}" },
	{ "sched/sched_process_exit",
	  "{comm}:{pid} [{prio}] exits{?group_dead , the last of its process}{*}" },
	{ "sched/sched_process_free", "{comm}:{pid} [{prio}] is gone{*}" },
	{ "sched/sched_process_wait", "{comm} [{prio}] waits for {pid}{!pid  (any child)}{*}" },
	{ "sched/sched_process_hang", "{comm}:{pid} hangs{*}" },
	{ "sched/sched_wait_task", "waits until {comm}:{pid} [{prio}] is off its CPU{*}" },
	{ "sched/sched_pi_setprio", "{comm}:{pid} inherits priority {newprio}, had {oldprio}{*}" },
	{ "sched/sched_move_numa",
	  "{pid} moves from CPU {src_cpu} (node {src_nid}) to CPU {dst_cpu} (node {dst_nid}){*}" },
	{ "sched/sched_kthread_stop", "asks {comm}:{pid} to stop{*}" },
	{ "sched/sched_kthread_stop_ret", "it stopped: {ret|errno}{*}" },
	{ "sched/sched_kthread_work_queue_work",
	  "queues {function|symbol} for worker {worker}, work {work|address}{*}" },
	{ "sched/sched_kthread_work_execute_start",
	  "runs {function|symbol}, work {work|address}{*}" },
	{ "sched/sched_kthread_work_execute_end",
	  "finished {function|symbol}, work {work|address}{*}" },
	{ "sched/sched_wake_idle_without_ipi", "idle CPU {cpu} sees the work by itself{*}" },
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "runtime", "sched/sched_stat_runtime", KT_COLUMN_TIME_NS, "runtime", "time on the CPU" },
	{ "delay", "sched/sched_stat_*", KT_COLUMN_TIME_NS, "delay", "time off the CPU" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "sched/sched_*", NULL };

KT_PLUGIN(.name = "sched", .summary = "scheduling in sentences", .events = events,
	  .phrases = phrases, .tables = tables, .columns = columns);
