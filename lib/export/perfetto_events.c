/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto_events.c - the ftrace events that have a message of their own in Perfetto's traces */
#include "export/perfetto_events.h"

#include <string.h>

#include "base/str.h"

/*
 * The numbers of the messages in FtraceEvent, and the fields 1, 2 … of each: '$' is a text, '@'
 * the number of a symbol. Source: Perfetto, protos/perfetto/trace/ftrace. The table has the events
 * that its trace processor turns into slices and counters; all others are generic events.
 */
static const struct known {
	const char *system, *event;	/* a name that ends with '*' is a prefix */
	unsigned int number;
	const char *fields;
} known[] = {
	{ "sched", "sched_switch", 4, "$prev_comm prev_pid prev_prio prev_state "
				      "$next_comm next_pid next_prio" },
	{ "sched", "sched_wakeup", 17, "$comm pid prio success target_cpu" },
	{ "sched", "sched_wakeup_new", 114, "$comm pid prio success target_cpu" },
	{ "sched", "sched_waking", 20, "$comm pid prio success target_cpu" },
	{ "sched", "sched_process_exec", 237, "$filename pid old_pid" },
	{ "sched", "sched_process_exit", 238, "$comm pid tgid prio" },
	{ "sched", "sched_process_fork", 239, "$parent_comm parent_pid $child_comm child_pid" },
	{ "sched", "sched_process_free", 240, "$comm pid prio" },
	{ "sched", "sched_process_hang", 241, "$comm pid" },
	{ "sched", "sched_process_wait", 242, "$comm pid prio" },
	{ "task", "task_newtask", 235, "pid $comm clone_flags oom_score_adj" },
	{ "task", "task_rename", 236, "pid $oldcomm $newcomm oom_score_adj" },
	{ "irq", "irq_handler_entry", 36, "irq $name" },
	{ "irq", "irq_handler_exit", 37, "irq ret" },
	{ "irq", "softirq_entry", 24, "vec" },
	{ "irq", "softirq_exit", 25, "vec" },
	{ "irq", "softirq_raise", 26, "vec" },
	{ "ipi", "ipi_entry", 21, "$reason" },
	{ "ipi", "ipi_exit", 22, "$reason" },
	{ "power", "cpu_frequency", 11, "state cpu_id" },
	{ "power", "cpu_frequency_limits", 12, "min_freq max_freq cpu_id" },
	{ "power", "cpu_idle", 13, "state cpu_id" },
	{ "power", "suspend_resume", 113, "$action val start" },
	{ "raw_syscalls", "sys_enter", 329, "id" },
	{ "raw_syscalls", "sys_exit", 330, "id ret" },
	{ "syscalls", "sys_enter_*", 329, "__syscall_nr" },
	{ "syscalls", "sys_exit_*", 330, "__syscall_nr ret" },
	{ "workqueue", "workqueue_activate_work", 56, "work @function" },
	{ "workqueue", "workqueue_execute_end", 57, "work @function" },
	{ "workqueue", "workqueue_execute_start", 58, "work @function" },
	{ "workqueue", "workqueue_queue_work", 59, "work @function $workqueue req_cpu cpu" },
	{ "block", "block_rq_issue", 45, "dev sector nr_sector bytes $rwbs $comm $cmd" },
	{ "block", "block_rq_insert", 126, "dev sector nr_sector bytes $rwbs $comm $cmd" },
	{ "block", "block_rq_complete", 125, "dev sector nr_sector error $rwbs $cmd" },
	{ "ftrace", "funcgraph_entry", 437, "depth @func" },
	{ "ftrace", "fgraph_retaddr_entry", 437, "depth @func" },
	{ "ftrace", "funcgraph_exit", 438, "calltime depth @func overrun rettime" },
};

static bool is_event(const struct kt_event *ev, const struct known *k)
{
	size_t len = strlen(k->event);

	if (strcmp(ev->system, k->system) != 0)
		return false;
	return k->event[len - 1] == '*' ? strncmp(ev->name, k->event, len - 1) == 0 :
					  strcmp(ev->name, k->event) == 0;
}

static bool suits(const struct kt_field *f, bool text)
{
	unsigned int other = KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE;

	return f && (text ? f->flags & KT_FIELD_STRING :
		     !(f->flags & (other | KT_FIELD_STRING)));
}

static void take_fields(const struct kt_event *ev, const char *words, struct perfetto_message *m)
{
	char name[32];
	size_t len;

	for (; *words; words += len + strspn(words + len, " ")) {
		bool text = *words == '$', symbol = *words == '@';
		const struct kt_field *f;

		words += text || symbol;
		len = strcspn(words, " ");
		memcpy(name, words, len);
		name[len] = '\0';
		f = kt_event_field(ev, name);
		m->fields[m->nr].field = suits(f, text) ? f : NULL;
		m->fields[m->nr++].is_symbol = symbol;
	}
}

bool perfetto_find_message(const struct kt_event *ev, struct perfetto_message *m)
{
	size_t i;

	*m = (struct perfetto_message){ .number = PERFETTO_GENERIC };
	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (!is_event(ev, &known[i]))
			continue;
		m->number = known[i].number;
		take_fields(ev, known[i].fields, m);
		return true;
	}
	return false;
}

bool perfetto_find_event(unsigned int number, const char **system, const char **event,
			 const char **fields)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].number == number) {
			*system = known[i].system;
			*event = known[i].event;
			*fields = known[i].fields;
			return true;
		}
	return false;
}
