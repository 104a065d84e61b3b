/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* spans.c - which events begin and end a span of time, and how to name it */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/profile.h"

static const struct {
	const char *system, *start, *start_field, *start_pid, *end, *end_field, *value_field;
	unsigned int flags;
	enum span_value value;
	enum span_rank rank;
} known[] = {
	{ "sched", "sched_switch", "prev_pid", "prev_pid", "sched_switch", "next_pid", "prev_state",
	  0, VALUE_STATE, RANK_SWITCH },
	{ "sched", "sched_wakeup", "pid", "pid", "sched_switch", "next_pid", "pid",
	  0, VALUE_NUMBER, RANK_WAKEUP },
	{ "sched", "sched_wakeup_new", "pid", "pid", "sched_switch", "next_pid", "pid",
	  0, VALUE_NUMBER, RANK_WAKEUP },
	{ "irq", "irq_handler_entry", "irq", NULL, "irq_handler_exit", "irq", NULL,
	  SPAN_CPU | SPAN_IRQ, VALUE_NUMBER, RANK_PAIR },
	{ "irq", "softirq_raise", "vec", NULL, "softirq_entry", "vec", NULL,
	  SPAN_CPU | SPAN_IRQ, VALUE_SOFTIRQ, RANK_PAIR },
	{ "irq", "softirq_entry", "vec", NULL, "softirq_exit", "vec", NULL,
	  SPAN_CPU | SPAN_IRQ, VALUE_SOFTIRQ, RANK_PAIR },
	{ "raw_syscalls", "sys_enter", "id", NULL, "sys_exit", "id", NULL,
	  SPAN_TASK, VALUE_NUMBER, RANK_PAIR },
	{ "workqueue", "workqueue_execute_start", "work", NULL, "workqueue_execute_end", "work",
	  "function", SPAN_TASK, VALUE_HEX, RANK_PAIR },
};

static char *copy(const char *text, bool *failed)
{
	char *to = text ? strdup(text) : NULL;

	*failed |= text && !to;
	return to;
}

static void free_span(struct span *s)
{
	free(s->start_system);
	free(s->start);
	free(s->start_field);
	free(s->start_pid);
	free(s->end_system);
	free(s->end);
	free(s->end_field);
	free(s->value_field);
}

static int add(struct spans *s, struct span span, bool failed)
{
	struct span *grown = failed ? NULL : reallocarray(s->at, s->nr + 1, sizeof(*grown));

	if (!grown) {
		free_span(&span);
		return -ENOMEM;
	}
	s->at = grown;
	s->at[s->nr++] = span;
	return 0;
}

static int add_known(struct spans *s, size_t i)
{
	bool failed = false;
	struct span span = {
		.start_system = copy(known[i].system, &failed),
		.start = copy(known[i].start, &failed),
		.start_field = copy(known[i].start_field, &failed),
		.start_pid = copy(known[i].start_pid, &failed),
		.end_system = copy(known[i].system, &failed),
		.end = copy(known[i].end, &failed),
		.end_field = copy(known[i].end_field, &failed),
		.value_field = copy(known[i].value_field, &failed),
		.wakeup_ends = known[i].rank == RANK_SWITCH,
		.flags = known[i].flags, .value = known[i].value, .rank = known[i].rank,
	};

	return add(s, span, failed);
}

/* ---- hooks: "[system:]start,field[,pid]/[system:]end,field[,flags]" ---- */

/* "system:event,field" and a third word if there is one; all borrow from @half, which is cut */
static bool cut_half(char *half, char **system, char **event, char **field, char **third)
{
	char *comma = strchr(half, ','), *colon;

	if (!comma)
		return false;
	*comma = 0;
	*field = comma + 1;
	comma = strchr(*field, ',');
	if (comma)
		*comma = 0;
	*third = comma ? comma + 1 : NULL;
	colon = strchr(half, ':');
	if (colon)
		*colon = 0;
	*system = colon ? half : NULL;
	*event = colon ? colon + 1 : half;
	return **event && **field && (!comma || **third);
}

static bool parse_flags(const char *text, unsigned int *flags)
{
	for (; text && *text; text++)
		switch (*text | 0x20) {
		case 'p': *flags |= SPAN_CPU; break;
		case 'g': *flags |= SPAN_GLOBAL | SPAN_CPU; break;
		case 's': break;	/* was for the recorder */
		default:  return false;
		}
	return true;
}

static int add_hook(struct spans *s, const char *hook, struct kt_err *err)
{
	char *text = strdup(hook), *slash = text ? strchr(text, '/') : NULL;
	char *start_system, *start, *start_field, *pid, *end_system, *end, *end_field, *flags;
	struct span span = { .rank = RANK_PAIR };
	bool failed = !text, valid = false;

	if (slash) {
		*slash = 0;
		valid = cut_half(text, &start_system, &start, &start_field, &pid) &&
			cut_half(slash + 1, &end_system, &end, &end_field, &flags) &&
			parse_flags(flags, &span.flags);
	}
	if (text && !valid) {
		free(text);
		return kt_err_set(err, -EINVAL, "'%s' is no hook: [SYSTEM:]START,FIELD[,PID]/"
				  "[SYSTEM:]END,FIELD[,FLAGS], flags p, s and g", hook);
	}
	if (valid) {
		span.start_system = copy(start_system, &failed);
		span.start = copy(start, &failed);
		span.start_field = copy(start_field, &failed);
		span.start_pid = copy(pid, &failed);
		span.end_system = copy(end_system, &failed);
		span.end = copy(end, &failed);
		span.end_field = copy(end_field, &failed);
	}
	free(text);
	return add(s, span, failed) < 0 ? kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

int spans_init(struct spans *s, const char *const *hooks, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	*s = (struct spans){ 0 };
	for (i = 0; i < sizeof(known) / sizeof(*known) && ret == 0; i++)
		if (add_known(s, i) < 0)
			ret = kt_err_set(err, -ENOMEM, "out of memory");
	for (; hooks && *hooks && ret == 0; hooks++)
		ret = add_hook(s, *hooks, err);
	return ret;
}

void spans_fini(struct spans *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		free_span(&s->at[i]);
	free(s->at);
	*s = (struct spans){ 0 };
}

/* ---- values ---- */

/* Linux 4.14 and later, as its sched_switch prints it; bit 8 says preempted */
static void add_state(struct str *s, uint64_t state)
{
	static const char letters[] = "SDTtXZPI";
	int bit;

	for (bit = 0; bit < 8; bit++)
		if (state & 1u << bit) {
			str_addc(s, letters[bit]);
			return;
		}
	str_addc(s, 'R');
}

void span_add_value(struct str *s, enum span_value kind, uint64_t value)
{
	static const char *const softirqs[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };

	if (kind == VALUE_SOFTIRQ && value < sizeof(softirqs) / sizeof(*softirqs))
		str_add(s, softirqs[value]);
	else if (kind == VALUE_STATE)
		add_state(s, value);
	else if (kind == VALUE_HEX)
		str_addf(s, "0x%" PRIx64, value);
	else if (kind != VALUE_NONE)
		str_addf(s, "%" PRIu64, value);
}
