/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_print.c - the reasons that `ktrail why` found, as text and as JSON */
#include <stdio.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/print/moment.h"
#include "why.h"

static void add_task(struct str *s, const struct why_args *a, size_t file, int pid)
{
	const char *comm = kt_trace_comm(a->trace, file, pid);

	str_addf(s, "%s:%d", comm ? comm : "<...>", pid);
}

/* ---- text ---- */

void why_add_around(struct str *s, const struct why_args *a)
{
	const struct kt_why_run *r;
	char text[32];
	size_t i;

	str_add(s, "At ");
	moment_add(s, a->moment);
	str_add(s, ":\n");
	for (i = 0; (r = kt_why_around_run(a->around, i)); i++) {
		str_addf(s, "  CPU %-3d ", r->cpu);
		if (r->pid)
			add_task(s, a, 0, r->pid);
		else
			str_add(s, "idle");
		str_addf(s, ", for %s until ", units_format_time(r->until - r->from, text));
		moment_add(s, r->until);
		str_addc(s, '\n');
	}
	str_addf(s, a->nr_found ? "Of the tasks that waited for a CPU then, the longest:\n"
				: "No task waited for a CPU then.\n");
}

static void add_line(struct str *s, const struct kt_why_opts *o, struct kt_why *w, size_t i)
{
	const struct kt_why_line *l = kt_why_line(w, i);
	const char *what = kt_why_text(w, i);
	char text[32];

	str_addf(s, "%*s", 2 * (int)l->depth, "");
	if (l->ns)
		str_addf(s, "%9s %5.1f%%  ", units_format_time(l->ns, text),
			 100.0 * (double)l->ns / (double)(o->until - o->from));
	else
		str_addf(s, "%16s  ", "");
	str_addf(s, "%s\n", what ? what : "");
	s->failed |= !what;
}

/* The events that this recording lacks, as a command line */
static void add_missing(struct str *s, struct kt_why *w)
{
	const char *option;
	size_t i;

	if (!kt_why_missing(w, 0))
		return;
	str_addf(s, "To see more of the reasons, record these, too:\n  %s record -e sched",
		 cmd_program);
	for (i = 0; (option = kt_why_missing(w, i)); i++)
		str_addf(s, " %s", option);
	str_addc(s, '\n');
}

static void add_head(struct str *s, const struct why_args *a, const struct kt_why_opts *o,
		     struct kt_why *w)
{
	const char *summary = kt_why_summary(w);
	char text[32];

	str_addf(s, "%s\n%s until ", summary ? summary : "",
		 units_format_time(o->until - o->from, text));
	s->failed |= !summary;
	moment_add(s, o->until);
	if (a->subject)
		str_addf(s, ", %s", kt_latency_subject_text(a->subject));
	if (o->by_cpu) {
		str_add(s, " in ");
		add_task(s, a, o->file, o->pid);
	}
	str_add(s, ":\n");
}

void why_add_text(struct str *s, const struct why_args *a, const struct kt_why_opts *o,
		  struct kt_why *w)
{
	size_t i;

	add_head(s, a, o, w);
	for (i = 0; i < kt_why_nr(w); i++)
		add_line(s, o, w, i);
	str_addf(s, "Look at it:\n  %s report ", cmd_program);
	moment_add_window(s, o->from, o->until);
	str_addf(s, " %s\n", a->input);
	add_missing(s, w);
}

/* ---- JSON ---- */

void why_add_around_json(struct json *j, const struct why_args *a)
{
	const struct kt_why_run *r;
	size_t i;

	json_uint(j, "moment", a->moment);
	json_open(j, "cpus", '[');
	for (i = 0; (r = kt_why_around_run(a->around, i)); i++) {
		json_open(j, NULL, '{');
		json_int(j, "cpu", r->cpu);
		json_int(j, "pid", r->pid);
		json_str(j, "comm", kt_trace_comm(a->trace, 0, r->pid));
		json_uint(j, "from", r->from);
		json_uint(j, "until", r->until);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Members that do not apply to its kind are left out. */
static void add_reason(struct json *j, struct kt_why *w, size_t i)
{
	const struct kt_why_line *l = kt_why_line(w, i);

	json_open(j, NULL, '{');
	json_uint(j, "depth", l->depth);
	json_str(j, "kind", kt_why_kind_name(l->kind));
	json_bool(j, "part", kt_why_is_part(l->kind));
	json_uint(j, "ns", l->ns);
	json_uint(j, "from", l->from);
	json_uint(j, "until", l->until);
	json_uint(j, "count", l->count);
	json_int(j, "pid", l->pid);
	json_int(j, "cpu", l->cpu);
	if (l->from_cpu >= 0)
		json_int(j, "from_cpu", l->from_cpu);
	if (l->key != KT_WHY_NO_KEY && l->kind != KT_WHY_TIMER)
		json_uint(j, "key", l->key);
	if (l->kind == KT_WHY_TIMER && l->key)
		json_uint(j, "set_for", l->key);
	if (l->addr)
		json_uint(j, "addr", l->addr);
	if (l->delay || l->kind == KT_WHY_HOP)
		json_uint(j, "delay", l->delay);
	if (l->kind == KT_WHY_HOP)
		json_uint(j, "ran", l->ran);
	if (l->kind == KT_WHY_IO_OTHERS) {
		json_uint(j, "issued", l->issued);
		json_uint(j, "completed", l->completed);
	}
	if (l->name)
		json_str(j, "name", l->name);
	json_str(j, "text", kt_why_text(w, i));
	json_close(j, '}');
}

void why_add_json(struct json *j, const struct why_args *a, const struct kt_why_opts *o,
		  struct kt_why *w)
{
	const char *missing;
	size_t i;

	if (o->by_cpu)
		json_int(j, "cpu", o->cpu);
	json_int(j, "pid", o->pid);
	json_str(j, "comm", kt_trace_comm(a->trace, o->file, o->pid));
	json_uint(j, "from", o->from);
	json_uint(j, "until", o->until);
	json_str(j, "summary", kt_why_summary(w));
	json_open(j, "reasons", '[');
	for (i = 0; i < kt_why_nr(w); i++)
		add_reason(j, w, i);
	json_close(j, ']');
	json_open(j, "missing", '[');
	for (i = 0; (missing = kt_why_missing(w, i)); i++)
		json_str(j, NULL, missing);
	json_close(j, ']');
}
