/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.c - the lines of a trace as text */
#include "import/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shape/scan_text.h"

#define LINE_MAX (1u << 20)		/* longer ones are cut */
#define EVENT_MAX (64u << 10)		/* bytes of an event and its lines; the rest is dropped */

/* ---- the event that is pending ---- */

static int finish_event(struct text *t, struct kt_err *err)
{
	int ret = 0;

	if (t->pending && t->event.failed)
		ret = kt_err_no_memory(err);
	else if (t->pending)
		ret = text_put_event(t, err);
	t->pending = false;
	str_reset(&t->event);
	return ret;
}

/*
 * Lines with equal times keep their order: each gets a slightly later time that is shown as the
 * same, so readers keep the order of lines across CPUs.
 */
static uint64_t given_time(struct text *t, const struct columns *c)
{
	uint64_t ts = c->ts;

	if (ts == t->last_shown && t->last_given + 1 < ts + c->step / 2)
		ts = t->last_given + 1;
	t->last_shown = c->ts;
	t->last_given = ts;
	return ts;
}

static int begin_event(struct text *t, const char *line, size_t len, const struct columns *c,
		       struct kt_err *err)
{
	t->rec = (struct import_record){ .cpu = c->cpu, .pid = c->pid, .flags = c->flags,
					 .preempt_count = c->preempt_count };
	t->rec.ts = given_time(t, c);
	t->no_flags |= !c->has_flags;
	t->is_count |= c->is_count;
	t->is_latency |= c->is_latency;
	t->step = t->step && t->step < c->step ? t->step : c->step;
	t->pending = true;
	str_addn(&t->event, line + c->end, len - c->end);
	return import_task(t->im, c->pid, c->comm, c->comm_len, err);
}

/* ---- lines that belong to no event ---- */

/* "CPU:1 [LOST 12 EVENTS]" of the kernel, "CPU:1 [12 EVENTS DROPPED]", "CPU:1 [EVENTS DROPPED]" */
static bool parse_lost(const char *line, size_t len, uint64_t *cpu, uint64_t *nr)
{
	const char *p = line, *end = line + len;
	size_t n;

	if (len < 4 || memcmp(p, "CPU:", 4) != 0)
		return false;
	p += 4;
	p += n = scan_decimal(p, (size_t)(end - p), cpu);
	if (!n || *cpu >= SPOOL_CPUS || end - p < 3 || memcmp(p, " [", 2) != 0)
		return false;
	p += 2;
	if (end - p > 5 && memcmp(p, "LOST ", 5) == 0)
		p += 5;
	n = scan_decimal(p, (size_t)(end - p), nr);
	if (!n)
		*nr = PAGE_LOST_UNKNOWN;
	p += n;
	while (p < end && *p == ' ')
		p++;
	return end - p >= 7 && memcmp(p, "EVENTS", 6) == 0;
}

/* "# entries-in-buffer/entries-written: 120/450   #P:4", "# tracer: function" */
static void take_comment(struct text *t, const char *line, size_t len)
{
	const char *p, *end = line + len;
	uint64_t v;
	size_t n;

	p = memmem(line, len, "entries-written: ", 17);
	if (p) {
		p += 17;
		p += n = scan_decimal(p, (size_t)(end - p), &t->kept);
		if (n && p < end && *p == '/')
			scan_decimal(p + 1, (size_t)(end - p - 1), &t->written);
	}
	p = memmem(line, len, "#P:", 3);
	if (p && scan_decimal(p + 3, (size_t)(end - p - 3), &v) && v <= SPOOL_CPUS)
		t->im->nr_cpus = (unsigned int)v;
}

/* What `trace-cmd report` and `ktrail report` print before the first event */
static bool is_preamble(const char *line, size_t len)
{
	static const char *const begins[] = { "cpus=", "version = ", "CPU ", "trace-cmd" };
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (len >= strlen(begins[i]) && memcmp(line, begins[i], strlen(begins[i])) == 0)
			return true;
	return !len;
}

static int put_other_line(struct text *t, const char *line, size_t len, struct kt_err *err)
{
	uint64_t cpu, nr;
	int ret;

	if (parse_lost(line, len, &cpu, &nr)) {
		ret = finish_event(t, err);
		return ret < 0 ? ret : spool_lost(t->im->spool, (unsigned int)cpu, nr, err);
	}
	if (len >= 9 && memcmp(line, "##### CPU", 9) == 0)
		return 0;		/* where the buffer of a CPU begins */
	if (t->pending) {
		if (t->event.len + len < EVENT_MAX) {
			str_addc(&t->event, '\n');
			str_addn(&t->event, line, len);
		}
		return 0;
	}
	if (len && *line == '#') {
		take_comment(t, line, len);
	} else if (!is_preamble(line, len)) {
		t->first_unknown = t->first_unknown ? t->first_unknown : t->line;
		t->nr_unknown++;
	}
	return 0;
}

static int put_line(struct text *t, const char *line, size_t len, struct kt_err *err)
{
	struct columns c;
	int ret;

	if (!columns_parse(line, len, &c)) {
		ret = graph_put_line(&t->graph, line, len, err);
		if (ret)
			return ret < 0 ? ret : 0;
		return put_other_line(t, line, len, err);
	}
	ret = finish_event(t, err);
	return ret < 0 ? ret : begin_event(t, line, len, &c, err);
}

/* ---- facts that the text lacks ---- */

static const char *precision(uint64_t step_ns)
{
	if (step_ns >= 1000000)
		return "milliseconds or less";
	return step_ns >= 1000 ? "microseconds only" : "nanoseconds";
}

static void tell(struct text *t)
{
	struct import *im = t->im;

	if (t->is_count)
		im->clock = "counter";
	if (t->is_latency)
		import_note(im, "times are those since the start of a latency tracer");
	else if (t->graph.no_times)
		import_note(im, "calls have durations, but no times: the time between them is not "
				"known");
	else if (t->is_count)
		import_note(im, "times have no unit: they count what the clock counted");
	else
		import_note(im, "the clock is not known, and times have %s", precision(t->step));
	if (t->no_flags)
		import_note(im, "interrupt and preemption flags are not in all lines: "
				"they are empty there");
	if (t->written > t->kept)
		import_note(im, "older events overwritten before the text was made: %llu",
			    (unsigned long long)(t->written - t->kept));
	if (t->nr_as_text)
		import_note(im, "records of known events with unexpected words, kept as texts "
				"without fields: %llu",
			    (unsigned long long)t->nr_as_text);
	if (t->nr_unknown)
		import_note(im, "lines that belong to no event: %llu, the first is line %llu",
			    (unsigned long long)t->nr_unknown,
			    (unsigned long long)t->first_unknown);
	if (shape_events_find(&im->events, "raw_syscalls", "sys_enter") && !im->opts->machine)
		import_note(im, "system calls have numbers only; --machine names their machine");
	if (im->addresses.nr)
		import_note(im, "functions have made-up addresses");
}

/* The line at in.at: its length, without its end. Negative errno */
static ssize_t next_line(struct import *im, size_t *whole, struct kt_err *err)
{
	ssize_t n = import_fill(im, 1, err);
	const char *line, *end = NULL;

	while (n > 0) {
		line = im->in.text.buf + im->in.at;
		end = memchr(line, '\n', (size_t)n);
		if (end || im->in.ended || n >= LINE_MAX)
			break;
		n = import_fill(im, (size_t)n + 1, err);
	}
	if (n < 0)
		return n;
	line = im->in.text.buf + im->in.at;
	*whole = end ? (size_t)(end - line) + 1 : (size_t)n;
	n = end ? end - line : n;
	return n && line[n - 1] == '\r' ? n - 1 : n;
}

int import_text(struct import *im, struct kt_err *err)
{
	struct text t = { .im = im, .event = STR_INIT, .graph.im = im };
	size_t whole = 1;
	ssize_t len;
	int ret = 0;

	while (ret == 0) {
		len = next_line(im, &whole, err);
		if (len < 0 || !whole) {
			ret = (int)len;
			break;
		}
		t.line++;
		ret = put_line(&t, im->in.text.buf + im->in.at, (size_t)len, err);
		im->in.at += whole;
	}
	if (ret == 0)
		ret = finish_event(&t, err);
	if (ret == 0)
		ret = graph_flush_all(&t.graph, err);
	if (ret == 0)
		tell(&t);
	graph_fini(&t.graph);
	str_fini(&t.event);
	return ret;
}
