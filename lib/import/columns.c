/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* columns.c - the columns of a line before its event: task, CPU, flags and time */
#include "import/columns.h"

#include <string.h>

#include "shape/scan_text.h"
#include "import/spool.h"

/*
 *	          <idle>-0     (-----) [001] d..2.   126.603656: sched_switch: …
 *	            bash-195           [000]   126.604954321: …		no flags
 *	  <idle>-0       1d..2.   126.603656: …		`trace-cmd report -l`
 *	  <idle>-0       1d..2.   12us : …		a latency tracer
 *	mine:           bash-195   [000] d..2.   126.604954: …		of the instance "mine"
 *
 * Source: Linux, kernel/trace/trace_output.c; trace-cmd, `trace-cmd report`
 */

/* A position in the line; each step moves it past the text that it accepts */
struct at {
	const char *p, *end;
};

static bool skip_blanks(struct at *a)
{
	const char *from = a->p;

	while (a->p < a->end && *a->p == ' ')
		a->p++;
	return a->p > from;
}

static bool take(struct at *a, char c)
{
	if (a->p == a->end || *a->p != c)
		return false;
	a->p++;
	return true;
}

static bool take_number(struct at *a, uint64_t most, uint64_t *v)
{
	size_t n = scan_decimal(a->p, (size_t)(a->end - a->p), v);

	a->p += n;
	return n && *v <= most;
}

/* "(  123)" or "(-----)": the process of a thread; a trace.dat cannot store it */
static void skip_tgid(struct at *a)
{
	const char *close;

	if (a->p < a->end && *a->p == '(') {
		close = memchr(a->p, ')', (size_t)(a->end - a->p));
		if (close && close - a->p <= 9) {
			a->p = close + 1;
			skip_blanks(a);
		}
	}
}

/* ---- flags ---- */

/* Source: Linux, include/linux/trace_events.h */
enum {
	FLAG_IRQS_OFF = 0x01, FLAG_LAZY = 0x02, FLAG_RESCHED = 0x04, FLAG_HARDIRQ = 0x08,
	FLAG_SOFTIRQ = 0x10, FLAG_PREEMPT = 0x20, FLAG_NMI = 0x40, FLAG_BH_OFF = 0x80,
};

static const struct { char letter; uint8_t flags; } letters[3][10] = {
	{ { '.', 0 }, { 'd', FLAG_IRQS_OFF }, { 'D', FLAG_IRQS_OFF | FLAG_BH_OFF },
	  { 'b', FLAG_BH_OFF }, { 'X', FLAG_LAZY } },
	{ { '.', 0 }, { 'N', FLAG_RESCHED | FLAG_PREEMPT }, { 'n', FLAG_RESCHED },
	  { 'p', FLAG_PREEMPT }, { 'l', FLAG_LAZY }, { 'L', FLAG_LAZY | FLAG_PREEMPT },
	  { 'b', FLAG_LAZY | FLAG_RESCHED }, { 'B', FLAG_LAZY | FLAG_RESCHED | FLAG_PREEMPT } },
	{ { '.', 0 }, { 'h', FLAG_HARDIRQ }, { 's', FLAG_SOFTIRQ },
	  { 'H', FLAG_HARDIRQ | FLAG_SOFTIRQ }, { 'z', FLAG_NMI },
	  { 'Z', FLAG_NMI | FLAG_HARDIRQ } },
};

static bool take_letter(char c, size_t column, uint8_t *flags)
{
	size_t i;

	for (i = 0; i < 10 && letters[column][i].letter; i++)
		if (letters[column][i].letter == c) {
			*flags |= letters[column][i].flags;
			return true;
		}
	return false;
}

static bool take_depth(char c, unsigned int shift, uint8_t *count)
{
	unsigned int v = 0;

	if (c >= '0' && c <= '9')
		v = (unsigned int)(c - '0');
	else if (c >= 'a' && c <= 'f')
		v = (unsigned int)(c - 'a' + 10);
	*count |= (uint8_t)(v << shift);
	return c == '.' || v || c == '0';
}

/* "d..2", "d..2.", and with a lazy need to schedule and its depth, "dn.h1..", of PREEMPT_RT */
static bool take_flags(struct at *a, struct columns *c)
{
	size_t n = 0, i;
	const char *p = a->p;
	bool good;

	while (p + n < a->end && p[n] != ' ')
		n++;
	if (n != 4 && n != 5 && n != 7)
		return false;
	good = take_letter(p[0], 0, &c->flags) && take_letter(p[1], 1, &c->flags);
	if (n == 7) {
		if (p[2] == 'L')
			c->flags |= FLAG_LAZY;
		good = good && (p[2] == 'L' || p[2] == '.');
	}
	i = n == 7 ? 3 : 2;
	good = good && take_letter(p[i], 2, &c->flags) &&
	       take_depth(p[i + 1], 0, &c->preempt_count);
	if (n > 4)
		good = good && take_depth(p[n - 1], 4, &c->preempt_count);
	a->p += n;
	c->has_flags = true;
	return good;
}

/* ---- times ---- */

static bool take_time(struct at *a, struct columns *c)
{
	uint64_t whole, part = 0, step = 1000000000;
	const char *from;
	size_t n;

	if (!take_number(a, UINT64_MAX, &whole))
		return false;
	if (!take(a, '.')) {
		c->is_count = true;
		c->ts = whole;
		c->step = 1;
		return take(a, ':');
	}
	from = a->p;
	n = scan_decimal(a->p, (size_t)(a->end - a->p), &part);
	if (!n || n > 9 || whole > UINT64_MAX / 1000000000 - 1)
		return false;
	for (a->p += n; from < a->p; from++)
		step /= 10;
	c->step = step;
	c->ts = whole * 1000000000 + part * step;
	return take(a, ':');
}

/* "12us+:": the mark shows the time until the next event */
static bool take_latency_time(struct at *a, struct columns *c)
{
	uint64_t us;

	if (!take_number(a, UINT64_MAX / 1000, &us) || !take(a, 'u') || !take(a, 's'))
		return false;
	c->is_latency = true;
	c->is_count = false;
	c->ts = us * 1000;
	c->step = 1000;
	if (a->p < a->end && strchr(" +!#*@$", *a->p))
		a->p++;
	return take(a, ':');
}

/* ---- lines ---- */

static bool take_rest(struct at a, const char *line, struct columns *c)
{
	uint64_t cpu;
	struct at before;
	bool brackets;

	if (!skip_blanks(&a))
		return false;
	skip_tgid(&a);
	c->flags = c->preempt_count = 0;
	c->has_flags = c->is_count = false;
	c->is_latency = false;
	brackets = take(&a, '[');
	if (!take_number(&a, SPOOL_CPUS - 1, &cpu))
		return false;
	c->cpu = (unsigned int)cpu;
	if (!brackets) {
		if (!take_flags(&a, c) || !skip_blanks(&a))
			return false;
		before = a;
		if (!take_time(&a, c)) {
			a = before;
			if (!take_latency_time(&a, c))
				return false;
		}
	} else {
		if (!take(&a, ']') || !skip_blanks(&a))
			return false;
		before = a;
		if (!take_flags(&a, c) || !skip_blanks(&a)) {
			a = before;
			c->has_flags = false;
			c->flags = c->preempt_count = 0;
		}
		if (!take_time(&a, c))
			return false;
	}
	take(&a, ' ');
	c->end = (size_t)(a.p - line);
	return true;
}

/*
 * A task name may hold any character: it ends at the first '-' after which the rest of the line
 * parses. A name has at most 15 bytes, which limits the candidates.
 */
static bool parse_from(struct at a, const char *line, struct columns *c)
{
	const char *dash;
	uint64_t pid;

	skip_blanks(&a);
	c->comm = a.p;
	for (dash = a.p; dash < a.end && dash - c->comm <= 17; dash++) {
		struct at next = { dash + 1, a.end };

		if (*dash != '-' || !take_number(&next, INT32_MAX, &pid))
			continue;
		if (!take_rest(next, line, c))
			continue;
		c->comm_len = (size_t)(dash - c->comm);
		c->pid = (int32_t)pid;
		return true;
	}
	return false;
}

/*
 * trace-cmd prints the name of an instance before the task's column, which is 16 wide. It moves
 * the '-' of the task.
 */
bool columns_parse(const char *line, size_t len, struct columns *c)
{
	struct at a = { line, line + len };
	const char *colon = memchr(line, ':', len);

	if (parse_from(a, line, c))
		return true;
	if (!colon || colon + 1 == a.end || colon[1] != ' ')
		return false;
	a.p = colon + 1;
	return parse_from(a, line, c);
}
