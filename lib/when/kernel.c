/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel.c - latencies that the kernel measures: it reports only those beyond the limit */
#include "when/when.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/probe.h>
#include <ktrail/settings.h>
#include <ktrail/trace.h>

#include "base/str.h"
#include "latency/subject.h"

/*
 * Two hist triggers: one stores the time of each begin by its key. The other one looks the key up
 * at each end, removes the time, and writes a synthetic event. A filter passes only latencies
 * beyond the limit. Entries stay until the tables are removed.
 * Source: Linux, Documentation/trace/histogram.rst, "Inter-event hist triggers".
 */
#define TABLE "clock=mono:size=4096"

/* "sched:sched_wakeup" and "pid", whose filter is "prio < 100"; NULL: all */
struct side {
	char event[128];
	const char *key, *only;
};

struct measured {
	struct side from, to;
	bool is_wakeup;
};

/* ---- what the kernel can measure ---- */

static const char *set_side(struct side *s, const struct kt_instance *top, const char *event,
			    const char *key, const char *only)
{
	struct kt_names dirs = { 0 };
	int nr = kt_selection_find_each(top, event, &dirs, NULL);
	const char *why = nr == 1 ? NULL : "it does not have exactly this event";
	char hist[160], *slash;

	s->key = key;
	s->only = only;
	if (!why) {
		snprintf(hist, sizeof(hist), "%s/hist", dirs.names[0]);
		snprintf(s->event, sizeof(s->event), "%s", dirs.names[0] + strlen("events/"));
		slash = strchr(s->event, '/');
		if (slash)
			*slash = ':';
		if (!kt_instance_has(top, hist) || !kt_instance_has(top, "synthetic_events"))
			why = "it has no hist triggers with synthetic events";
	}
	kt_names_fini(&dirs);
	return why;
}

static const char *set_sides(struct measured *m, const struct kt_instance *top, const char *from,
			     const char *to, const char *from_key, const char *to_key)
{
	const char *why = set_side(&m->from, top, from, from_key, NULL);

	return why ? why : set_side(&m->to, top, to, to_key, NULL);
}

static const char *set_pair(struct measured *m, const struct kt_instance *top,
			    const struct kt_latency_subject *s)
{
	struct subject_pair p;
	const char *why;

	if (!subject_as_pair(s, &p))
		return "it measures pairs of events with a key";
	why = set_side(&m->from, top, p.from, p.from_key, p.from_only);
	if (!why)
		why = set_side(&m->to, top, p.to, p.to_key, p.to_only);
	return !why && strcmp(m->from.event, m->to.event) == 0 ?
	       "both events are the same" : why;
}

static const char *set_syscall(struct measured *m, const struct kt_instance *top, const char *name)
{
	char from[96], to[96];

	if (!name)
		return set_sides(m, top, "raw_syscalls:sys_enter", "raw_syscalls:sys_exit",
				 "common_pid,id", "common_pid,id");
	if (strpbrk(name, "*?[\\"))
		return "it measures one system call, or all";
	snprintf(from, sizeof(from), "syscalls:sys_enter_%s", name);
	snprintf(to, sizeof(to), "syscalls:sys_exit_%s", name);
	return set_sides(m, top, from, to, "common_pid", "common_pid");
}

/* NULL, or the reason why two events cannot measure it */
static const char *set_measured(struct measured *m, const struct kt_instance *top,
				const struct kt_latency_subject *s)
{
	const char *name = subject_name(s), *why;

	*m = (struct measured){ 0 };
	switch (kt_latency_subject_kind(s)) {
	case KT_LATENCY_WAKEUP:
		m->is_wakeup = true;
		why = set_sides(m, top, "sched:sched_wakeup", "sched:sched_switch", "pid",
				"next_pid");
		m->to.only = "next_pid != 0";	/* idle tasks are never woken */
		return why;
	case KT_LATENCY_IRQ:
		return name ? "it compares no names" :
		       set_sides(m, top, "irq:irq_handler_entry", "irq:irq_handler_exit",
				 "irq,common_cpu", "irq,common_cpu");
	case KT_LATENCY_SOFTIRQ:
		return name ? "it compares no names" :
		       set_sides(m, top, "irq:softirq_entry", "irq:softirq_exit",
				 "vec,common_cpu", "vec,common_cpu");
	case KT_LATENCY_SYSCALL:
		return set_syscall(m, top, name);
	case KT_LATENCY_PAIR:
		return set_pair(m, top, s);
	default:
		return "it does not measure this kind";
	}
}

static const char *misses_call(const struct kt_instance *top, const struct atom *a)
{
	char *tracers = kt_instance_read(top, "available_tracers", NULL);
	bool has = tracers && strstr(tracers, "function_graph");

	free(tracers);
	if (kt_latency_subject_kind(a->subject) != KT_LATENCY_CALL)
		return "it does not measure this kind";
	if (a->ns < 1000)	/* 0 would be no limit */
		return "its limit is in microseconds";
	if (!has)
		return "it does not have the tracer function_graph";
	return subject_name(a->subject) ? NULL : "no function is named";
}

const char *kernel_misses(const struct atom *a)
{
	struct str filter = STR_INIT;
	struct measured m;
	struct kt_instance *top;
	const char *why;

	if (a->sign != COMPARE_GT && a->sign != COMPARE_GE)
		return "it reports only what takes longer";
	top = kt_instance_open(NULL, 0, NULL);
	if (!top)
		return "its tracefs cannot be read";
	why = atom_needs_tracer(a) ? misses_call(top, a) : set_measured(&m, top, a->subject);
	if (!why && !atom_needs_tracer(a) &&
	    !subject_add_filter(a->subject, m.is_wakeup, m.is_wakeup, &filter))
		why = "it cannot check these conditions";
	str_fini(&filter);
	kt_instance_close(top, NULL);
	return why;
}

/* ---- two events: hist triggers and a synthetic event ---- */

static int add_trigger(struct kt_instance *inst, const struct side *s, struct str *table,
		       struct kt_err *err)
{
	int ret;

	if (s->only)
		str_addf(table, " if %s", s->only);
	ret = table->failed ? kt_err_no_memory(err)
			    : kt_trigger_add(inst, s->event, table->buf, err);
	str_fini(table);
	return ret < 0 ? ret : 0;
}

/* @tag: makes names of variables unique */
static int add_begins(struct kt_instance *inst, const struct measured *m, const char *tag,
		      struct kt_err *err)
{
	struct str table = STR_INIT;

	str_addf(&table, "hist:keys=%s:ts%s=common_timestamp,of%s=%s:" TABLE, m->from.key, tag, tag,
		 m->is_wakeup ? "prio" : "common_pid");
	return add_trigger(inst, &m->from, &table, err);
}

/* Reading "ts" in an expression removes it, so each end belongs to one begin. */
static int add_ends(struct kt_instance *inst, const struct atom *a, const struct measured *m,
		    const char *tag, struct kt_err *err)
{
	size_t system = strcspn(m->from.event, ":");
	struct str table = STR_INIT;

	str_addf(&table, "hist:keys=%s:took%s=common_timestamp-$ts%s,until%s=common_timestamp:"
		 TABLE ":onmatch(%.*s.%s).trace(%s,$took%s,$until%s,%s$of%s%s)", m->to.key, tag,
		 tag, tag, (int)system, m->from.event, m->from.event + system + 1, a->event, tag,
		 tag, m->is_wakeup ? "next_pid," : "", tag, m->is_wakeup ? ",next_comm" : "");
	return add_trigger(inst, &m->to, &table, err);
}

/* As for spans of waits: a task that leaves its CPU was woken while it ran, and did not wait. */
static int add_leaves(struct kt_instance *inst, const char *tag, struct kt_err *err)
{
	struct side leaves = { "sched:sched_switch", NULL, "prev_pid != 0" };
	struct str table = STR_INIT;

	str_addf(&table, "hist:keys=prev_pid:left%s=common_timestamp-$ts%s:" TABLE, tag, tag);
	return add_trigger(inst, &leaves, &table, err);
}

/*
 * New tasks are woken by another event. All begins are set up first: if this process is killed,
 * the tables of the first event are removed last, when no other uses them.
 */
static int add_tables(struct kt_instance *inst, const struct atom *a, const struct measured *m,
		      size_t nr, struct kt_err *err)
{
	struct measured each[2] = { *m, *m };
	char tags[2][24];
	size_t kinds = m->is_wakeup ? 2 : 1, i;
	int ret = 0;

	snprintf(tags[0], sizeof(tags[0]), "%zu", nr);
	snprintf(tags[1], sizeof(tags[1]), "%zun", nr);
	snprintf(each[1].from.event, sizeof(each[1].from.event), "sched:sched_wakeup_new");
	for (i = 0; ret == 0 && i < kinds; i++)
		ret = add_begins(inst, &each[i], tags[i], err);
	for (i = 0; ret == 0 && i < kinds; i++)
		ret = add_ends(inst, a, &each[i], tags[i], err);
	return ret == 0 && m->is_wakeup ? add_leaves(inst, tags[0], err) : ret;
}

int kernel_define(struct kt_instance *events, struct atom *a, size_t nr, struct kt_err *err)
{
	struct measured m;
	const char *why = atom_needs_tracer(a) ? NULL : set_measured(&m, events, a->subject);
	struct str text = STR_INIT;
	int ret;

	if (why)
		return kt_err_set(err, -ENOTSUP, "%s", why);
	if (atom_needs_tracer(a))
		return 0;
	snprintf(a->event, sizeof(a->event), "ktrail_%d_%zu", (int)getpid(), nr);
	str_addf(&text, "%s u64 took; u64 until; pid_t pid%s", a->event,
		 m.is_wakeup ? "; int prio; char comm[16]" : "");
	ret = text.failed ? kt_err_no_memory(err)
			  : kt_synth_add(events, text.buf, err);
	str_fini(&text);
	return ret;
}

/* Only latencies beyond the limit that match the condition */
static int enable_event(struct kt_instance *inst, const struct atom *a, struct kt_err *err)
{
	struct str filter = STR_INIT;
	char name[96];
	int ret;

	str_addf(&filter, "took %s %" PRIu64, compare_sign(a->sign), a->ns);
	subject_add_filter(a->subject, true, true, &filter);
	snprintf(name, sizeof(name), "events/synthetic/%s/filter", a->event);
	ret = filter.failed ? kt_err_no_memory(err)
			    : kt_instance_write(inst, name, filter.buf, err);
	str_fini(&filter);
	snprintf(name, sizeof(name), "synthetic:%s", a->event);
	return ret < 0 ? ret : kt_instance_enable_events(inst, name, true, err);
}

static int watch_pair(struct kt_instance *inst, struct atom *a, size_t nr, struct kt_err *err)
{
	struct measured m;
	const char *why = set_measured(&m, inst, a->subject);
	int ret = why ? kt_err_set(err, -ENOTSUP, "%s", why) : enable_event(inst, a, err);

	return ret < 0 ? ret : add_tables(inst, a, &m, nr, err);
}

/* ---- calls: tracing_thresh ---- */

/* The limit applies to all buffers: other recordings of calls would lose the short ones. */
static int check_alone(const struct kt_instance *inst, struct kt_err *err)
{
	struct kt_names names = { 0 };
	struct kt_instance *other;
	char *tracer;
	size_t i;
	int ret = kt_instance_list(&names, err);

	for (i = 0; ret == 0 && i <= names.nr; i++) {
		const char *name = i < names.nr ? names.names[i] : "";

		other = strcmp(name, kt_instance_name(inst)) == 0 ? NULL :
			kt_instance_open(name, 0, NULL);
		tracer = other ? kt_instance_tracer(other, NULL) : NULL;
		if (tracer && strcmp(tracer, "function_graph") == 0)
			ret = kt_err_set(err, -EBUSY, "'%s' traces calls, too, and would lose "
					 "short ones", *name ? name : "the top-level buffer");
		free(tracer);
		kt_instance_close(other, NULL);
	}
	kt_names_fini(&names);
	return ret;
}

static int watch_calls(struct kt_instance *inst, struct atom *a, struct kt_err *err)
{
	long long now = 0;
	char us[32];
	int ret = check_alone(inst, err);

	if (ret < 0)
		return ret;
	ret = kt_instance_read_number(inst, "tracing_thresh", &now, err);
	if (ret < 0)
		return ret;
	if (now)
		return kt_err_set(err, -EBUSY, "another limit is in tracing_thresh");
	snprintf(us, sizeof(us), "%" PRIu64, a->ns / 1000);
	ret = kt_instance_write(inst, "tracing_thresh", us, err);
	if (ret < 0)
		return ret;
	ret = kt_instance_add_functions(inst, KT_FUNCTIONS_FILTER, subject_name(a->subject), NULL,
					err);
	return ret < 0 ? ret : kt_instance_set_tracer(inst, "function_graph", err);
}

int kernel_watch(struct kt_instance *inst, struct atom *a, size_t nr, struct kt_err *err)
{
	return atom_needs_tracer(a) ? watch_calls(inst, a, err) : watch_pair(inst, a, nr, err);
}

/* ---- its events ---- */

static bool read_field(const struct kt_event *ev, const struct kt_record *rec, const char *name,
		       uint64_t *value)
{
	const struct kt_field *f = kt_event_field(ev, name);

	return f && kt_field_u64(ev, f, rec, value) == 0;
}

static bool read_pair(const struct kt_event *ev, const struct kt_record *rec,
		      struct kt_latency *one, char comm[17])
{
	const struct kt_field *f = kt_event_field(ev, "comm");
	uint64_t took, pid;
	struct kt_blob text;

	if (!read_field(ev, rec, "took", &took) || !read_field(ev, rec, "until", &one->until) ||
	    !read_field(ev, rec, "pid", &pid) || took > one->until)
		return false;
	one->from = one->until - took;
	one->pid = (int)pid;
	if (f && kt_field_bytes(ev, f, rec, &text) == 0)
		snprintf(comm, 17, "%.*s", (int)text.size, (const char *)text.data);
	return true;
}

static bool read_call(const struct atom *a, struct kt_trace *t, const struct kt_event *ev,
		      const struct kt_record *rec, struct kt_latency *one)
{
	uint64_t begin, end;

	if (strcmp(ev->system, "ftrace") != 0 || strcmp(ev->name, "funcgraph_exit") != 0 ||
	    !read_field(ev, rec, "calltime", &begin) || !read_field(ev, rec, "rettime", &end) ||
	    begin > end || end - begin > rec->ts)
		return false;
	one->until = rec->ts;
	one->from = rec->ts - (end - begin);
	return compare_holds(a->sign, (int64_t)(end - begin), (int64_t)a->ns) &&
	       subject_has(a->subject, t, one);
}

bool kernel_read(const struct atom *a, struct kt_trace *t, const struct kt_event *ev,
		 const struct kt_record *rec, struct kt_latency *one, char comm[17])
{
	*comm = '\0';
	*one = (struct kt_latency){ .pid = kt_trace_task(t, rec).pid,
				    .cpu = kt_trace_source(t, rec)->cpu };
	if (atom_needs_tracer(a))
		return read_call(a, t, ev, rec, one);
	return strcmp(ev->system, "synthetic") == 0 && strcmp(ev->name, a->event) == 0 &&
	       read_pair(ev, rec, one, comm);
}

/* ---- are its tables full? ---- */

static unsigned int count_entries(const struct kt_instance *inst, const char *event)
{
	static const char entries[] = "\n    Entries: ", dropped[] = "\n    Dropped: ";
	char file[160], *text, *at;
	unsigned long most = 0, nr;

	snprintf(file, sizeof(file), "events/%.*s/%s/hist", (int)strcspn(event, ":"), event,
		 event + strcspn(event, ":") + 1);
	text = kt_instance_read(inst, file, NULL);
	for (at = text; at && (at = strstr(at, entries)); at += strlen(entries)) {
		nr = strtoul(at + strlen(entries), NULL, 10);
		most = nr > most ? nr : most;
	}
	for (at = text; at && (at = strstr(at, dropped)); at += strlen(dropped))
		if (strtoul(at + strlen(dropped), NULL, 10) > 0)
			most = KERNEL_MISSES;
	free(text);
	return (unsigned int)most;
}

unsigned int kernel_entries(const struct kt_instance *inst, const struct kt_when *w)
{
	unsigned int most = 0, from, to;
	struct measured m;
	size_t i;

	for (i = 0; i < w->nr; i++) {
		const struct atom *a = w->atoms[i];

		if (!*a->event || a->place != KT_WHEN_IN_KERNEL ||
		    set_measured(&m, inst, a->subject))
			continue;
		from = count_entries(inst, m.from.event);
		to = count_entries(inst, m.to.event);
		most = most > from ? most : from;
		most = most > to ? most : to;
	}
	return most;
}
