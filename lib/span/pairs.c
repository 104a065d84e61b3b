/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pairs.c - the events that begin and end a span: those of Linux, and those of the caller */
#include "span/pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define SCHED(event, field) { "sched", event, { field } }
#define IRQ(event, field)   { "irq", event, { field } }
#define WORK(event)         { "workqueue", event, { "work" } }
/* An x86 interrupt without a handler */
#define VECTOR(name, family) { KT_SPAN_IRQ, PAIR_CPU | PAIR_UNBEGUN, family, 0, \
	{ "irq_vectors", name "_entry", { "vector" } }, \
	{ "irq_vectors", name "_exit", { "vector" } }, NULL, NULL, NULL }
#define BLOCK(event)        { "block", event, { "dev", "sector" } }
#define LOCK(event)         { "lock", event, { "lock_addr" } }
#define TIMER(event)        { "timer", event, { "hrtimer", "function" } }
#define WHEEL(event)        { "timer", event, { "timer", "function" } }
#define NET(event)          { "net", event, { "skbaddr" } }
#define SKB(event)          { "skb", event, { "skbaddr" } }
#define PREEMPTIRQ(event)   { "preemptirq", event, { NULL } }

static const struct pair known[] = {
	/* For a CPU: the next task ends the previous one, recorded or not. */
	{ KT_SPAN_RUN, PAIR_CPU | PAIR_UNBEGUN | PAIR_NO_STACK, 1, 0,
	  SCHED("sched_switch", NULL), SCHED("sched_switch", NULL),
	  "next_pid", "next_prio", "prev_state" },
	{ KT_SPAN_PREEMPTED, PAIR_CAN_RUN, 2, 0,
	  SCHED("sched_switch", "prev_pid"), SCHED("sched_switch", "next_pid"),
	  "prev_pid", "prev_state", NULL },
	{ KT_SPAN_BLOCKED, PAIR_CANNOT | PAIR_WAKEUP | PAIR_WAKING, 3, 0,
	  SCHED("sched_switch", "prev_pid"), SCHED("sched_switch", "next_pid"),
	  "prev_pid", "prev_state", NULL },
	/* A kernel that records all three reports the same three times; the last one counts. */
	{ KT_SPAN_WAIT, PAIR_LEAVES, 4, 0,
	  SCHED("sched_waking", "pid"), SCHED("sched_switch", "next_pid"), "pid", "prio", NULL },
	{ KT_SPAN_WAIT, 0, 4, 0,
	  SCHED("sched_wakeup", "pid"), SCHED("sched_switch", "next_pid"), "pid", "prio", NULL },
	{ KT_SPAN_WAIT, 0, 4, 0,
	  SCHED("sched_wakeup_new", "pid"), SCHED("sched_switch", "next_pid"),
	  "pid", "prio", NULL },
	{ KT_SPAN_IRQ, PAIR_CPU | PAIR_UNBEGUN, 5, 0,
	  IRQ("irq_handler_entry", "irq"), IRQ("irq_handler_exit", "irq"), NULL, NULL, "ret" },
	{ KT_SPAN_SOFTIRQ_WAIT, PAIR_CPU, 6, 0,
	  IRQ("softirq_raise", "vec"), IRQ("softirq_entry", "vec"), NULL, NULL, NULL },
	{ KT_SPAN_SOFTIRQ, PAIR_CPU | PAIR_UNBEGUN, 7, 0,
	  IRQ("softirq_entry", "vec"), IRQ("softirq_exit", "vec"), NULL, NULL, NULL },
	{ KT_SPAN_NMI, PAIR_CPU | PAIR_WHOLE, 8, 0,
	  { "nmi", "nmi_handler", { NULL } }, { "nmi", "nmi_handler", { NULL } },
	  NULL, "delta_ns", NULL },
	/* For a call that both systems record, the later begin and the earlier end count. */
	{ KT_SPAN_SYSCALL, PAIR_TASK | PAIR_UNBEGUN, 9, 0,
	  { "raw_syscalls", "sys_enter", { "id" } }, { "raw_syscalls", "sys_exit", { "id" } },
	  NULL, NULL, "ret" },
	{ KT_SPAN_SYSCALL, PAIR_TASK | PAIR_PREFIX | PAIR_UNBEGUN, 9, 0,
	  { "syscalls", "sys_enter_", { NULL } }, { "syscalls", "sys_exit_", { NULL } },
	  NULL, NULL, "ret" },
	{ KT_SPAN_BLOCK_IO, 0, 10, 0,
	  BLOCK("block_rq_issue"), BLOCK("block_rq_complete"), NULL, "nr_sector", "error" },
	{ KT_SPAN_WORK_WAIT, 0, 11, 0,
	  WORK("workqueue_queue_work"), WORK("workqueue_execute_start"), NULL, "function", NULL },
	{ KT_SPAN_WORK, PAIR_TASK | PAIR_UNBEGUN, 12, 0,
	  WORK("workqueue_execute_start"), WORK("workqueue_execute_end"), NULL, "function", NULL },
	{ KT_SPAN_LOCK, PAIR_TASK, 13, 0,
	  LOCK("contention_begin"), LOCK("contention_end"), NULL, "flags", "ret" },
	/* Two times of the timer's own clock: its expiry time, and the actual time */
	{ KT_SPAN_TIMER, 0, 14, 0,
	  TIMER("hrtimer_start"), TIMER("hrtimer_expire_entry"), NULL, "expires", "now" },
	/* … in jiffies, of a timer of the timer wheel */
	{ KT_SPAN_TIMER, 0, 30, 0,
	  WHEEL("timer_start"), WHEEL("timer_expire_entry"), NULL, "expires", "now" },
	{ KT_SPAN_NET_TX, 0, 15, 0, NET("net_dev_queue"), NET("net_dev_xmit"), NULL, "len", "rc" },
	{ KT_SPAN_NET_RX, 0, 16, 0,
	  NET("netif_receive_skb"), SKB("consume_skb"), NULL, "len", NULL },
	/* A packet that is dropped or sent on: its address may soon be reused. */
	{ KT_SPAN_NET_RX, PAIR_FORGETS, 16, 0, { 0 }, SKB("kfree_skb"), NULL, NULL, NULL },
	{ KT_SPAN_NET_RX, PAIR_FORGETS, 16, 0, { 0 }, NET("net_dev_queue"), NULL, NULL, NULL },
	{ KT_SPAN_IRQS_OFF, PAIR_CPU, 17, 0,
	  PREEMPTIRQ("irq_disable"), PREEMPTIRQ("irq_enable"), NULL, "caller_offs", NULL },
	{ KT_SPAN_PREEMPT_OFF, PAIR_CPU, 18, 0,
	  PREEMPTIRQ("preempt_disable"), PREEMPTIRQ("preempt_enable"), NULL, "caller_offs", NULL },
	{ KT_SPAN_PREEMPT_OFF, PAIR_CPU | PAIR_SWITCHES, 18, 0,
	  { 0 }, SCHED("sched_switch", NULL), NULL, NULL, NULL },
	/* Preemption is off while a CPU is idle. The key 0 means no field, and idle. */
	{ KT_SPAN_PREEMPT_OFF, PAIR_CPU, 18, 0,
	  { 0 }, SCHED("sched_switch", "next_pid"), NULL, NULL, NULL },
	VECTOR("local_timer", 19), VECTOR("reschedule", 20), VECTOR("call_function", 21),
	VECTOR("call_function_single", 22), VECTOR("irq_work", 23), VECTOR("x86_platform_ipi", 24),
	VECTOR("thermal_apic", 25), VECTOR("threshold_apic", 26), VECTOR("deferred_error_apic", 27),
	VECTOR("error_apic", 28), VECTOR("spurious_apic", 29),
};

/* larger than the families of the known pairs */
#define USER_FAMILY 1000

void pairs_fini(struct pairs *p)
{
	size_t i;

	for (i = 0; i < p->nr_owned; i++)
		free(p->owned[i]);
	free(p->owned);
	free(p->filters);
	free(p->at);
	*p = (struct pairs){ 0 };
}

int pairs_add(struct pairs *p, const struct pair *pair)
{
	struct pair *added = array_add(p->at, p->nr);

	if (!added)
		return -ENOMEM;
	*added = *pair;
	return 0;
}

char *pairs_keep(struct pairs *p, const char *text)
{
	if (!array_reserve(p->owned, p->nr_owned))
		return NULL;
	p->owned[p->nr_owned] = strdup(text);
	return p->owned[p->nr_owned] ? p->owned[p->nr_owned++] : NULL;
}

int pairs_add_known(struct pairs *p, unsigned int kinds)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < COUNT(known) && ret == 0; i++)
		if (!kinds || kinds & 1u << known[i].kind)
			ret = pairs_add(p, &known[i]);
	return ret;
}

/* "system:event" and "field,field", both split in place */
static bool cut_end(struct pair_end *end, char *event, char *keys)
{
	char *colon = strchr(event, ':');
	size_t i;

	if (colon) {
		*colon = 0;
		end->system = event;
	}
	end->name = colon ? colon + 1 : event;
	for (i = 0; keys && *keys && i < PAIR_KEYS; i++) {
		char *comma = strchr(keys, ',');

		if (comma)
			*comma = 0;
		end->key[i] = keys;
		keys = comma ? comma + 1 : NULL;
	}
	return *end->name && !(keys && *keys);
}

static int keep_end(struct pairs *p, struct pair_end *end, const char *event, const char *keys,
		    struct kt_err *err)
{
	char *name, *fields = NULL;

	if (!event || !*event)
		return kt_err_set(err, -EINVAL, "a pair of events lacks an event");
	name = pairs_keep(p, event);
	if (keys)
		fields = pairs_keep(p, keys);
	if (!name || (keys && !fields))
		return kt_err_no_memory(err);
	if (!cut_end(end, name, fields))
		return kt_err_set(err, -EINVAL,
				  "'%s' with '%s' is not an event with up to %d fields",
				  event, keys ? keys : "", PAIR_KEYS);
	return 0;
}

static int keep_filters(struct pairs *p, const struct kt_pair *user, size_t index)
{
	struct pair_filters *grown = reallocarray(p->filters, index + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	p->filters = grown;
	grown[index] = (struct pair_filters){ user->from_only, user->to_only };
	return 0;
}

int pairs_add_user(struct pairs *p, const struct kt_pair *user, size_t index, struct kt_err *err)
{
	struct pair pair = {
		.kind = KT_SPAN_PAIR, .family = USER_FAMILY + (uint32_t)index, .index = index,
		.flags = (user->same_cpu ? PAIR_CPU : 0) | (user->same_task ? PAIR_TASK : 0),
	};
	int ret = keep_end(p, &pair.from, user->from, user->from_key, err);

	if (ret == 0)
		ret = keep_end(p, &pair.to, user->to, user->to_key, err);
	if (ret < 0)
		return ret;
	if (!pair.from.key[0] != !pair.to.key[0])
		return kt_err_set(err, -EINVAL, "%s and %s each need a field to match",
				  user->from, user->to);
	if (!pair.from.key[1] != !pair.to.key[1])
		return kt_err_set(err, -EINVAL, "%s has more fields to match than %s",
				  pair.from.key[1] ? user->from : user->to,
				  pair.from.key[1] ? user->to : user->from);
	if (user->owner)
		pair.owner = pairs_keep(p, user->owner);
	if ((user->owner && !pair.owner) || keep_filters(p, user, index) < 0 ||
	    pairs_add(p, &pair) < 0)
		return kt_err_no_memory(err);
	return 0;
}

/* ---- names ---- */

static const struct {
	const char *name;
	const char *events[5];
} kinds[KT_SPAN_KINDS] = {
	[KT_SPAN_RUN]          = { "run", { "sched:sched_switch" } },
	[KT_SPAN_PREEMPTED]    = { "preempted", { "sched:sched_switch" } },
	[KT_SPAN_BLOCKED]      = { "blocked", { "sched:sched_switch", "sched:sched_waking" } },
	[KT_SPAN_WAIT]         = { "wait", { "sched:sched_switch", "sched:sched_wakeup",
					     "sched:sched_wakeup_new" } },
	[KT_SPAN_IRQ]          = { "irq", { "irq:irq_handler_entry", "irq:irq_handler_exit" } },
	[KT_SPAN_SOFTIRQ_WAIT] = { "softirq-wait", { "irq:softirq_raise", "irq:softirq_entry" } },
	[KT_SPAN_SOFTIRQ]      = { "softirq", { "irq:softirq_entry", "irq:softirq_exit" } },
	[KT_SPAN_NMI]          = { "nmi", { "nmi:nmi_handler" } },
	[KT_SPAN_SYSCALL]      =
		{ "syscall", { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" } },
	[KT_SPAN_BLOCK_IO]     = { "block", { "block:block_rq_issue", "block:block_rq_complete" } },
	[KT_SPAN_WORK_WAIT]    = { "work-wait", { "workqueue:workqueue_queue_work",
						  "workqueue:workqueue_execute_start" } },
	[KT_SPAN_WORK]         = { "work", { "workqueue:workqueue_execute_start",
					     "workqueue:workqueue_execute_end" } },
	[KT_SPAN_LOCK]         = { "lock", { "lock:contention_begin", "lock:contention_end" } },
	[KT_SPAN_TIMER]        =
		{ "timer", { "timer:hrtimer_start", "timer:hrtimer_expire_entry",
			     "timer:timer_start", "timer:timer_expire_entry" } },
	[KT_SPAN_NET_TX]       = { "net-tx", { "net:net_dev_queue", "net:net_dev_xmit" } },
	[KT_SPAN_NET_RX]       = { "net-rx", { "net:netif_receive_skb", "skb:consume_skb",
					       "skb:kfree_skb" } },
	[KT_SPAN_IRQS_OFF]     = { "irqs-off",
				   { "preemptirq:irq_disable", "preemptirq:irq_enable" } },
	[KT_SPAN_PREEMPT_OFF]  = { "preempt-off",
				   { "preemptirq:preempt_disable", "preemptirq:preempt_enable",
				     "sched:sched_switch" } },
	[KT_SPAN_PAIR]         = { "pair", { NULL } },
};

char kt_task_state_letter(uint64_t state)
{
	static const char letters[] = "SDTtXZPI";	/* Source: include/linux/sched.h */

	return state & 0xff ? letters[__builtin_ctzll(state & 0xff)] : 'R';
}

const char *kt_softirq_name(uint64_t vector)
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };

	return vector < COUNT(names) ? names[vector] : NULL;
}

const char *kt_span_kind_name(enum kt_span_kind kind)
{
	return kind < KT_SPAN_KINDS ? kinds[kind].name : "?";
}

const char *const *kt_span_kind_events(enum kt_span_kind kind)
{
	return kinds[kind < KT_SPAN_KINDS ? kind : KT_SPAN_PAIR].events;
}
