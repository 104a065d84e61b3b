/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* graph.c - the lines of the function graph tracer: calls and returns */
#include "import/graph.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shape/scan_text.h"

/* Source: Linux, kernel/trace/trace_functions_graph.c */

/* The fields of funcgraph_exit, in the order of known.c; funcgraph_entry has the first two */
enum { FUNC, DEPTH, OVERRUN, CALL_TIME, RETURN_TIME };

struct call {
	enum { CALL, LEAF, RETURN } kind;
	bool     has_duration;
	uint64_t duration;		/* nanoseconds */
	size_t   depth;
	const char *name;		/* of a return: may be empty */
	size_t   len;
};

void graph_fini(struct graph *g)
{
	size_t i;

	for (i = 0; i < g->nr_tasks; i++)
		free(g->tasks[i]);
	for (i = 0; i < SPOOL_CPUS; i++)
		free(g->cpus[i]);
	free(g->tasks);
	keymap_fini(&g->by_task);
}

/* ---- a line ---- */

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* "! 245.258 us": a mark before long durations, as many digits as fit */
static bool parse_duration(struct call *c, const char *p, const char *end)
{
	uint64_t us, part = 0, unit = 1000;
	size_t n, i;

	p = skip_blanks(p, end);
	if (p < end && strchr("+!#*@$", *p))
		p = skip_blanks(p + 1, end);
	c->has_duration = p < end;
	if (!c->has_duration)
		return true;
	p += n = scan_decimal(p, (size_t)(end - p), &us);
	if (!n || us > UINT64_MAX / 4000)
		return false;
	if (p < end && *p == '.') {
		n = scan_decimal(p + 1, (size_t)(end - p - 1), &part);
		if (!n || n > 3)
			return false;
		for (i = 0; i < n; i++)
			unit /= 10;
		p += n + 1;
	}
	c->duration = us * 1000 + part * unit;
	p = skip_blanks(p, end);
	return end - p >= 2 && memcmp(p, "us", 2) == 0 && skip_blanks(p + 2, end) == end;
}

/* "    vfs_read() {", "    vfs_open();", "    }", which may have the name as a comment */
static bool parse_name(struct call *c, const char *p, const char *end)
{
	const char *from = p;

	while (end > p && end[-1] == ' ')
		end--;
	p = skip_blanks(p, end);
	c->depth = p - from >= 2 ? (size_t)(p - from - 2) / 2 : 0;
	if (c->depth >= GRAPH_DEPTH || p == end)
		return false;
	c->name = p;
	if (*p == '}') {
		c->kind = RETURN;
		c->name = p + 1;
		c->len = 0;
		if (end - p > 8 && memcmp(p, "} /* ", 5) == 0 && memcmp(end - 3, " */", 3) == 0) {
			c->name = p + 5;
			c->len = (size_t)(end - 3 - c->name);
		}
		return c->len || p + 1 == end;
	}
	while (p < end && (isalnum((unsigned char)*p) || strchr("_.$[] ", *p)) && *p)
		p++;
	c->len = (size_t)(p - c->name);
	c->kind = end - p == 4 ? CALL : LEAF;
	return c->len && ((end - p == 4 && memcmp(p, "() {", 4) == 0) ||
			  (end - p == 3 && memcmp(p, "();", 3) == 0));
}

static bool parse_call(struct call *c, const char *text, size_t len)
{
	const char *bar = memrchr(text, '|', len);

	return bar && parse_duration(c, text, bar) && parse_name(c, bar + 1, text + len) &&
	       c->has_duration == (c->kind != CALL);
}

/* ---- records ---- */

static struct graph_cpu *cpu_of(struct graph *g, unsigned int cpu)
{
	if (!g->cpus[cpu])
		g->cpus[cpu] = calloc(1, sizeof(*g->cpus[cpu]));
	return g->cpus[cpu];
}

/* All idle tasks have pid 0 */
static struct graph_task *task_of(struct graph *g, const struct import_record *rec)
{
	uint64_t key = rec->pid ? (uint32_t)rec->pid : (uint64_t)rec->cpu << 32;
	struct graph_task **at;
	bool is_new;

	at = keymap_element(&g->by_task, key, (void **)&g->tasks, &g->nr_tasks, sizeof(*at),
			    &is_new);
	if (at && !*at)
		*at = calloc(1, sizeof(**at));
	return at ? *at : NULL;
}

static int put(struct graph *g, const char *event, const struct import_record *rec,
	       const struct shape_values *v, struct kt_err *err)
{
	struct shape_event *ev = shape_events_known(&g->im->events, "ftrace", event);

	return ev ? import_record(g->im, rec, ev, v, err) : kt_err_no_memory(err);
}

int graph_flush(struct graph *g, unsigned int cpu, uint64_t until, struct kt_err *err)
{
	struct graph_cpu *c = g->cpus[cpu];

	if (!c || !c->waits)
		return 0;
	c->waits = false;
	c->rec.ts = c->exit.number[RETURN_TIME] < until ? c->exit.number[RETURN_TIME] : until;
	return put(g, "funcgraph_exit", &c->rec, &c->exit, err);
}

int graph_flush_all(struct graph *g, struct kt_err *err)
{
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; cpu < SPOOL_CPUS && ret == 0; cpu++)
		ret = graph_flush(g, cpu, UINT64_MAX, err);
	return ret;
}

static int put_entry(struct graph *g, const struct import_record *rec, const struct call *c,
		     uint64_t func, struct kt_err *err)
{
	struct shape_values v = { .number = { [FUNC] = func, [DEPTH] = c->depth } };
	struct graph_cpu *cpu = cpu_of(g, rec->cpu);
	int ret = cpu ? put(g, "funcgraph_entry", rec, &v, err) : kt_err_no_memory(err);

	if (ret < 0 || c->kind != LEAF)
		return ret;
	v.number[CALL_TIME] = rec->ts;
	v.number[RETURN_TIME] = rec->ts + c->duration;
	cpu->waits = true;
	cpu->rec = *rec;
	cpu->exit = v;
	return 0;
}

static int put_exit(struct graph *g, const struct import_record *rec, const struct call *c,
		    uint64_t func, struct kt_err *err)
{
	struct shape_values v = { .number = {
		[FUNC] = func, [DEPTH] = c->depth, [RETURN_TIME] = rec->ts,
		[CALL_TIME] = rec->ts > c->duration ? rec->ts - c->duration : 0,
	} };

	return put(g, "funcgraph_exit", rec, &v, err);
}

/* A return shows a name only if the trace lacks its call; else the name is that of the call. */
static int put_call(struct graph *g, struct import_record *rec, const struct call *c,
		    struct kt_err *err)
{
	struct graph_task *task = task_of(g, rec);
	uint64_t func;
	int ret;

	if (!task)
		return kt_err_no_memory(err);
	func = c->len ? addresses_of(&g->im->addresses, c->name, c->len) :
			task->open[c->depth].func;
	if (!func)
		return c->len ? kt_err_no_memory(err) : 0;
	task->open[c->depth].func = c->kind == CALL ? func : 0;
	ret = c->kind == RETURN ? put_exit(g, rec, c, func, err) :
				  put_entry(g, rec, c, func, err);
	return ret < 0 ? ret : 1;
}

int graph_put(struct graph *g, const struct import_record *rec, const char *text, size_t len,
	      struct kt_err *err)
{
	struct import_record at = *rec;
	struct call c = { .len = 0 };

	return parse_call(&c, text, len) ? put_call(g, &at, &c, err) : 0;
}

/* ---- lines without the usual columns ---- */

/* "bash-123": the number of the task */
static bool parse_task(struct import *im, const char *p, const char *end, int32_t *pid,
		       int *ret, struct kt_err *err)
{
	const char *dash;
	uint64_t v;

	p = skip_blanks(p, end);
	while (end > p && end[-1] == ' ')
		end--;
	dash = memrchr(p, '-', (size_t)(end - p));
	if (!dash || scan_decimal(dash + 1, (size_t)(end - dash - 1), &v) !=
	    (size_t)(end - dash - 1) || v > INT32_MAX || dash + 1 == end)
		return false;
	*pid = (int32_t)v;
	*ret = import_task(im, *pid, p, (size_t)(dash - p), err);
	return true;
}

/* "  123.456789 " before the CPU */
static bool parse_time(const char *p, const char *end, uint64_t *ts)
{
	uint64_t s, us;
	size_t n;

	p = skip_blanks(p, end);
	p += n = scan_decimal(p, (size_t)(end - p), &s);
	if (!n || p == end || *p != '.' || s > UINT64_MAX / 2000000000)
		return false;
	n = scan_decimal(p + 1, (size_t)(end - p - 1), &us);
	*ts = s * 1000000000 + us * 1000;
	return n == 6;
}

/*
 * Lines without a time: the CPU's last time advances by each duration. The text does not hold the
 * time between calls.
 */
static void make_time(struct graph *g, struct graph_cpu *cpu, struct import_record *rec,
		      const struct call *c)
{
	struct graph_task *task = task_of(g, rec);
	uint64_t end;

	g->no_times = true;
	if (task && c->kind == RETURN) {
		end = c->duration + (task->open[c->depth].func ? task->open[c->depth].begin :
								 cpu->now);
		cpu->now = end > cpu->now ? end : cpu->now;
	}
	rec->ts = cpu->now;
	if (task && c->kind == CALL)
		task->open[c->depth].begin = rec->ts;
	cpu->now += c->kind == LEAF ? c->duration + 1 : 1;
}

int graph_put_line(struct graph *g, const char *line, size_t len, struct kt_err *err)
{
	const char *end = line + len, *bar = memchr(line, '|', len), *p = line, *arrow;
	struct import_record rec = { 0 };
	struct call c = { .len = 0 };
	struct graph_cpu *cpu;
	bool has_time = bar && parse_time(line, bar, &rec.ts);
	uint64_t v;
	size_t n;
	int ret = 0;

	p = skip_blanks(has_time ? bar + 1 : line, end);
	p += n = scan_decimal(p, (size_t)(end - p), &v);
	if (!n || p == end || *p != ')' || v >= SPOOL_CPUS)
		return 0;
	p++;
	rec.cpu = (unsigned int)v;
	cpu = cpu_of(g, rec.cpu);
	if (!cpu)
		return kt_err_no_memory(err);
	arrow = memmem(p, (size_t)(end - p), " => ", 4);
	bar = memchr(p, '|', (size_t)(end - p));
	if (!bar && arrow)
		return parse_task(g->im, arrow + 4, end, &cpu->pid, &ret, err) && ret == 0 ? 1 :
		       ret;
	if (bar && parse_task(g->im, p, bar, &cpu->pid, &ret, err))
		p = bar + 1;
	rec.pid = cpu->pid;
	if (ret < 0 || !parse_call(&c, p, (size_t)(end - p)))
		return ret;
	if (!has_time)
		make_time(g, cpu, &rec, &c);
	ret = graph_flush(g, rec.cpu, rec.ts, err);
	return ret < 0 ? ret : put_call(g, &rec, &c, err);
}
