/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile_pairs.c - the pairs of events in a profile, and the labels of their rows */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/profile.h"
#include "base/array.h"

#define SCHED(event, field) { "sched", event, { field } }
#define IRQ(event, field)   { "irq", event, { field } }

/* As in trace-cmd: a task is off the CPU from sched_switch to sched_wakeup or the next switch */
static const struct {
	struct pair pair;
	struct meaning meaning;
} known[] = {
	{ { KT_SPAN_BLOCKED, PAIR_WAKEUP, 1, 0, SCHED("sched_switch", "prev_pid"),
	    SCHED("sched_switch", "next_pid"), "prev_pid", "prev_state", NULL },
	  { OWNER_TASK, VALUE_STATE, RANK_SWITCH } },
	{ { KT_SPAN_WAIT, 0, 2, 0, SCHED("sched_wakeup", "pid"),
	    SCHED("sched_switch", "next_pid"), "pid", "pid", NULL },
	  { OWNER_TASK, VALUE_NUMBER, RANK_WAKEUP } },
	{ { KT_SPAN_WAIT, 0, 3, 0, SCHED("sched_wakeup_new", "pid"),
	    SCHED("sched_switch", "next_pid"), "pid", "pid", NULL },
	  { OWNER_TASK, VALUE_NUMBER, RANK_WAKEUP } },
	{ { KT_SPAN_IRQ, PAIR_CPU, 4, 0, IRQ("irq_handler_entry", "irq"),
	    IRQ("irq_handler_exit", "irq"), NULL, NULL, NULL },
	  { OWNER_INTERRUPTED, VALUE_NUMBER, RANK_PAIR } },
	{ { KT_SPAN_SOFTIRQ_WAIT, PAIR_CPU, 5, 0, IRQ("softirq_raise", "vec"),
	    IRQ("softirq_entry", "vec"), NULL, NULL, NULL },
	  { OWNER_INTERRUPTED, VALUE_SOFTIRQ, RANK_PAIR } },
	{ { KT_SPAN_SOFTIRQ, PAIR_CPU, 6, 0, IRQ("softirq_entry", "vec"),
	    IRQ("softirq_exit", "vec"), NULL, NULL, NULL },
	  { OWNER_INTERRUPTED, VALUE_SOFTIRQ, RANK_PAIR } },
	{ { KT_SPAN_SYSCALL, PAIR_TASK, 7, 0, { "raw_syscalls", "sys_enter", { "id" } },
	    { "raw_syscalls", "sys_exit", { "id" } }, NULL, NULL, NULL },
	  { OWNER_TASK, VALUE_NUMBER, RANK_PAIR } },
	{ { KT_SPAN_SYSCALL, PAIR_TASK | PAIR_PREFIX, 8, 0, { "syscalls", "sys_enter_", { NULL } },
	    { "syscalls", "sys_exit_", { NULL } }, NULL, NULL, NULL },
	  { OWNER_TASK, VALUE_NONE, RANK_PAIR } },
	{ { KT_SPAN_WORK, PAIR_TASK, 9, 0, { "workqueue", "workqueue_execute_start", { "work" } },
	    { "workqueue", "workqueue_execute_end", { "work" } }, NULL, "function", NULL },
	  { OWNER_TASK, VALUE_HEX, RANK_PAIR } },
};

static int add(struct pairs *pairs, struct meanings *m, const struct pair *pair,
	       struct meaning meaning)
{
	struct pair copy = *pair;

	if (!array_reserve(m->at, m->nr))
		return -ENOMEM;
	m->at[m->nr] = meaning;
	copy.index = m->nr++;
	if (!copy.family)
		copy.family = 1000 + (uint32_t)copy.index;
	return pairs_add(pairs, &copy);
}

/* ---- hooks: "[system:]start,field[,pid]/[system:]end,field[,flags]" ---- */

/* "system:event,field" and an optional third word; all point into @half, which is split in place */
static bool cut_half(char *half, struct pair_end *end, const char **third)
{
	char *comma = strchr(half, ','), *colon, *field;

	if (!comma)
		return false;
	*comma = 0;
	field = comma + 1;
	comma = strchr(field, ',');
	if (comma)
		*comma = 0;
	*third = comma ? comma + 1 : NULL;
	colon = strchr(half, ':');
	if (colon)
		*colon = 0;
	*end = (struct pair_end){
		.system = colon ? half : NULL, .name = colon ? colon + 1 : half, .key = { field },
	};
	return *end->name && *field && (!comma || **third);
}

static bool parse_flags(const char *text, struct pair *pair, struct meaning *meaning)
{
	for (; text && *text; text++)
		switch (*text | 0x20) {
		case 'g': meaning->owner = OWNER_CPU;	/* fall through */
		case 'p': pair->flags |= PAIR_CPU; break;
		case 's': break;	/* affects only the recorder */
		default:  return false;
		}
	return true;
}

static int add_hook(struct kt_trace *t, const char *hook, struct pairs *pairs, struct meanings *m,
		    struct kt_err *err)
{
	char *text = pairs_keep(pairs, hook), *slash = text ? strchr(text, '/') : NULL;
	struct pair pair = { .kind = KT_SPAN_PAIR };
	struct meaning meaning = { .rank = RANK_PAIR };
	const char *flags;
	char what[256];

	if (!text)
		return kt_err_no_memory(err);
	if (slash)
		*slash = 0;
	if (!slash || !cut_half(text, &pair.from, &pair.owner) ||
	    !cut_half(slash + 1, &pair.to, &flags) || !parse_flags(flags, &pair, &meaning))
		return kt_err_set(err, -EINVAL, "'%s' is not a hook: [SYSTEM:]START,FIELD[,PID]/"
				  "[SYSTEM:]END,FIELD[,FLAGS], flags p, s and g", hook);
	if (add(pairs, m, &pair, meaning) < 0)
		return kt_err_no_memory(err);
	snprintf(what, sizeof(what), "hook '%s'", hook);
	return pairs_check(t, &pair, what, err);
}

int profile_pairs(struct kt_trace *t, const char *const *hooks, struct pairs *pairs,
		  struct meanings *meanings, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (add(pairs, meanings, &known[i].pair, known[i].meaning) < 0)
			return kt_err_no_memory(err);
	for (; hooks && *hooks && ret == 0; hooks++)
		ret = add_hook(t, *hooks, pairs, meanings, err);
	return ret;
}

/* ---- values ---- */

void value_add(struct str *s, enum value_kind kind, uint64_t value)
{
	if (kind == VALUE_SOFTIRQ && kt_softirq_name(value))
		str_add(s, kt_softirq_name(value));
	else if (kind == VALUE_STATE)
		str_addc(s, kt_task_state_letter(value));
	else if (kind == VALUE_HEX)
		str_addf(s, "0x%" PRIx64, value);
	else if (kind != VALUE_NONE)
		str_addf(s, "%" PRIu64, value);
}
