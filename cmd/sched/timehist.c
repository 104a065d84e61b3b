/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timehist.c - `ktrail sched timehist`: each stay of a task on a CPU, line by line */
#include <errno.h>
#include <stdio.h>

#include <ktrail/span.h>

#include "base/str.h"
#include "cmd/print/moment.h"
#include "sched.h"

#define TASK_WIDTH 21	/* lines of 80 columns with --state */

/* "R+": it was preempted */
static void state_name(uint64_t state, char name[3])
{
	char letter = kt_task_state_letter(state);

	snprintf(name, 3, "%c%s", letter, letter == 'R' && state ? "+" : "");
}

static void add_name(struct sched_args *a, size_t file, int pid)
{
	str_add(&a->out, sched_comm(a, file, pid));
	if (pid)
		str_addf(&a->out, "[%d]", pid);
}

/* Time, CPU and task */
static void add_beginning(struct sched_args *a, const struct kt_sched_event *ev, int pid)
{
	size_t from, width;

	if (!a->lines++)
		str_addf(&a->out, "%14s  %6s  %-*s  %9s  %9s  %9s%s\n", "TIME", "CPU", TASK_WIDTH,
			 "TASK[TID]", "WAIT ms", "DELAY ms", "RUN ms", a->state ? "  STATE" : "");
	moment_add_aligned(&a->out, ev->ts, 7);
	str_addf(&a->out, "  [%04d]  ", ev->cpu);
	from = a->out.len;
	add_name(a, ev->file, pid);
	width = a->out.len - from;
	str_addf(&a->out, "%*s", width < TASK_WIDTH ? (int)(TASK_WIDTH - width) : 0, "");
}

/* Milliseconds, "-" if an end is not known */
static void add_span(struct str *s, uint64_t from, uint64_t until)
{
	if (from && until >= from)
		sched_add_ms(s, until - from, 11);
	else
		str_addf(s, "%11s", "-");
}

static void add_left(struct sched_args *a, const struct kt_sched_event *ev)
{
	const struct kt_sched_run *r = ev->run;
	char state[3];

	add_beginning(a, ev, ev->pid);
	add_span(&a->out, r->off, r->from);
	add_span(&a->out, r->ready, r->from);
	add_span(&a->out, r->flags ? 0 : r->from, r->until);
	state_name(r->state, state);
	if (a->state)
		str_addf(&a->out, "  %s", r->pid ? state : "-");
	str_addc(&a->out, '\n');
}

static void add_woken(struct sched_args *a, const struct kt_sched_event *ev)
{
	add_beginning(a, ev, ev->other);
	str_add(&a->out, "  awakened: ");
	add_name(a, ev->file, ev->pid);
	str_addc(&a->out, '\n');
}

static void add_migrated(struct sched_args *a, const struct kt_sched_event *ev)
{
	add_beginning(a, ev, ev->other);
	str_add(&a->out, "  migrated: ");
	add_name(a, ev->file, ev->pid);
	str_addf(&a->out, " CPU %d => %d\n", ev->cpu, ev->to_cpu);
}

/* ---- JSON: a line for each ---- */

static void json_known(struct json *j, const char *key, uint64_t from, uint64_t until)
{
	if (from && until >= from)
		json_uint(j, key, until - from);
}

static void add_json(struct sched_args *a, const struct kt_sched_event *ev)
{
	static const char *const names[] = {
		[KT_SCHED_LEFT] = "run", [KT_SCHED_WOKEN] = "wakeup",
		[KT_SCHED_MIGRATED] = "migration",
	};
	const struct kt_sched_run *r = ev->run;
	struct json j = JSON_LINE_INIT;
	char state[3];

	j.text = a->out;
	json_open(&j, NULL, '{');
	json_str(&j, "event", names[ev->kind]);
	json_uint(&j, "time", ev->ts);
	json_int(&j, "cpu", ev->cpu);
	sched_json_task(&j, a, ev->file, ev->pid);
	if (r) {
		json_known(&j, "wait", r->off, r->from);
		json_known(&j, "delay", r->ready, r->from);
		json_known(&j, "run", r->flags ? 0 : r->from, r->until);
		state_name(r->state, state);
		json_str(&j, "state", r->pid ? state : NULL);
	} else {
		json_int(&j, "by_pid", ev->other);
		json_str(&j, "by_comm", sched_comm(a, ev->file, ev->other));
	}
	if (ev->kind == KT_SCHED_MIGRATED)
		json_int(&j, "to_cpu", ev->to_cpu);
	json_close(&j, '}');
	a->out = j.text;
	str_addc(&a->out, '\n');
}

/* ---- */

static bool is_shown(struct sched_args *a, const struct kt_sched_event *ev)
{
	if (ev->kind == KT_SCHED_LEFT)
		return sched_chooses(a, ev->file, ev->pid);
	if (!(ev->kind == KT_SCHED_WOKEN && a->wakeups) &&
	    !(ev->kind == KT_SCHED_MIGRATED && a->migrations))
		return false;
	return sched_chooses(a, ev->file, ev->pid) || sched_chooses(a, ev->file, ev->other);
}

static int each(void *args, const struct kt_sched_event *ev, struct kt_err *err)
{
	struct sched_args *a = args;

	(void)err;
	if (!is_shown(a, ev))
		return 0;
	if (a->json)
		add_json(a, ev);
	else if (ev->kind == KT_SCHED_LEFT)
		add_left(a, ev);
	else if (ev->kind == KT_SCHED_WOKEN)
		add_woken(a, ev);
	else
		add_migrated(a, ev);
	return sched_write(a, false);
}

static int print(struct sched_args *a, const struct kt_sched *s)
{
	if (!a->with_summary)
		return 0;
	printf("\n");
	return sched_summary.print(a, s);
}

const struct sched_verb sched_timehist = { .each = each, .print = print };
