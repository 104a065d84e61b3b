/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* hist_check.c - find errors in a hist trigger before the kernel refuses it */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "target/trigger.h"

#define MIN_SIZE 128u		/* entries of a table, in the kernel: a power of two */
#define MAX_SIZE 131072u
#define MAX_KEYS 3u

/* Names that every hist trigger can use besides the event's fields */
static const char *const builtin[] = {
	"hitcount", "stacktrace", "common_stacktrace", "common_timestamp", "cpu", "common_cpu",
	"common_comm", NULL
};

static const char *const modifiers[] = {
	"hex", "sym", "sym-offset", "syscall", "execname", "log2", "usecs", "buckets", "percent",
	"graph", "stacktrace", "descending", "ascending", NULL
};

/* Attributes of the trigger that are lists of names */
static const char *const lists[] = { "keys", "key", "values", "vals", "val", "sort", NULL };
static const char *const handlers[] = { "onmatch", "onmax", "onchange", NULL };
static const char *const plain[] = {
	"pause", "cont", "continue", "clear", "nohitcount", "NOHC", NULL
};

static bool is_one_of(const char *const words[], const char *s, size_t len)
{
	for (; *words; words++)
		if (strlen(*words) == len && memcmp(*words, s, len) == 0)
			return true;
	return false;
}

static size_t ident_len(const char *p, const char *end)
{
	size_t len = 0;

	while (p + len < end && (isalnum((unsigned char)p[len]) || p[len] == '_'))
		len++;
	return len;
}

static int check_name(const struct trigger_check *c, const char *name, size_t len)
{
	char hint[SUGGEST_SIZE];

	if (ctl_format_field(c->format, name, len) || is_one_of(builtin, name, len))
		return 0;
	return trigger_fail(c, name, -EINVAL, "no field '%.*s'%s", (int)len, name,
			    ctl_format_hint(c->format, name, len, hint));
}

/* Only the modifier "sym-offset" has a '-'; elsewhere it means minus:
 * "common_timestamp.usecs-$ts0" */
static size_t modifier_len(const char *p, const char *end)
{
	static const char sym_offset[] = "sym-offset";
	size_t n = strlen(sym_offset);

	return (size_t)(end - p) >= n && memcmp(p, sym_offset, n) == 0 ? n : ident_len(p, end);
}

static int check_modifier(const struct trigger_check *c, const char *p, size_t len)
{
	static const char pid[] = "common_pid.";
	const char *near;
	char word[32] = "";

	if (len == 8 && memcmp(p, "execname", 8) == 0 &&
	    (p - c->text < (ptrdiff_t)strlen(pid) ||
	     memcmp(p - strlen(pid), pid, strlen(pid)) != 0))
		return trigger_fail(c, p, -EINVAL, ".execname works for common_pid only");
	if (is_one_of(modifiers, p, len))
		return 0;
	memcpy(word, p, len < sizeof(word) - 1 ? len : sizeof(word) - 1);
	near = str_nearest(word, modifiers);
	return near ?
	       trigger_fail(c, p, -EINVAL, "no modifier '.%s', did you mean '.%s'?", word, near)
		    : trigger_fail(c, p, -EINVAL, "no modifier '.%s': .hex .sym .sym-offset "
				   ".syscall .execname .log2 .usecs .buckets=N .descending", word);
}

/* Check every name of an expression like "common_timestamp.usecs-$ts0" except $variables, which
 * another trigger may define. */
static int check_expression(const struct trigger_check *c, const char *p, const char *end)
{
	size_t len;
	int ret = 0;

	while (ret == 0 && p < end) {
		len = ident_len(p, end);
		if (*p == '$' || isdigit((unsigned char)*p)) {
			p++;
			p += ident_len(p, end);
		} else if (*p == '.') {
			len = modifier_len(p + 1, end);
			ret = check_modifier(c, p + 1, len);
			p += 1 + len;
		} else if (len) {
			ret = check_name(c, p, len);
			p += len;
		} else {
			p++;
		}
	}
	return ret;
}

/* "a.log2,b.buckets=10,$var" */
static int check_list(const struct trigger_check *c, const char *p, const char *end, bool is_key)
{
	unsigned int nr = 0;
	int ret = 0;

	if (p == end)
		return trigger_fail(c, p, -EINVAL, "the name of a field is expected here");
	while (ret == 0 && p < end) {
		const char *comma = memchr(p, ',', end - p), *stop = comma ? comma : end;

		if (is_key && ++nr > MAX_KEYS)
			return trigger_fail(c, p, -EINVAL, "more than %u keys", MAX_KEYS);
		ret = p == stop ?
		      trigger_fail(c, p, -EINVAL, "the name of a field is expected here")
				: check_expression(c, p, stop);
		p = stop + (comma != NULL);
	}
	return ret;
}

static int check_size(const struct trigger_check *c, const char *p, const char *end)
{
	char *stop;
	unsigned long size = isdigit((unsigned char)*p) ? strtoul(p, &stop, 10) : 0;

	if (size < MIN_SIZE || size > MAX_SIZE || stop != end)
		return trigger_fail(c, p, -EINVAL, "a number from %u to %u is expected here",
				    MIN_SIZE, MAX_SIZE);
	return 0;
}

/* "onmatch(system.event).trace(synthetic,$a,b)", "onmax($lat).save(comm)",
 * "onchange($x).snapshot()" */
static int check_handler(const struct trigger_check *c, const char *p, const char *end)
{
	const char *open = memchr(p, '(', end - p), *close = open ?
			   memchr(open, ')', end - open) : NULL;
	const char *action, *args;

	if (!close)
		return trigger_fail(c, open ? open : p, -EINVAL,
				    open ? "this parenthesis is never closed"
				    : "an event or variable in parentheses is expected after it");
	if (str_starts(p, "onmatch") ? !memchr(open, '.', close - open) : open[1] != '$')
		return trigger_fail(c, open + 1, -EINVAL, str_starts(p, "onmatch")
				    ? "SYSTEM.EVENT is expected here" : "a $variable is expected "
									"here");
	action = close + 1;
	if (action >= end || *action != '.')
		return trigger_fail(c, action, -EINVAL, "an action is expected here: .trace(…), "
				    ".save(…) or .snapshot()");
	args = memchr(action, '(', end - action);
	if (!args || end[-1] != ')')
		return trigger_fail(c, end, -EINVAL, "the action's parentheses are expected here");
	return 0;
}

static int check_attribute(const struct trigger_check *c, const char *p, const char *end)
{
	const char *eq = memchr(p, '=', end - p);
	size_t len = ident_len(p, end);

	if (is_one_of(handlers, p, len))
		return check_handler(c, p, end);
	if (!eq)
		return is_one_of(plain, p, end - p) ? 0 :
			trigger_fail(c, p, -EINVAL, "'%.*s' is not part of a hist trigger",
				     (int)(end - p), p);
	if (is_one_of(lists, p, len))
		return check_list(c, eq + 1, end, p[0] == 'k');
	if (len == 4 && memcmp(p, "size", 4) == 0)
		return check_size(c, eq + 1, end);
	if ((len == 4 && memcmp(p, "name", 4) == 0) || (len == 5 && memcmp(p, "clock", 5) == 0))
		return eq + 1 < end ? 0 : trigger_fail(c, end, -EINVAL, "a name is expected here");
	/* NAME=EXPRESSION defines a variable; commas separate several */
	while (p < end) {
		const char *comma = memchr(p, ',', end - p), *stop = comma ? comma : end;
		int ret;

		eq = memchr(p, '=', stop - p);
		if (!eq || ident_len(p, end) != (size_t)(eq - p))
			return trigger_fail(c, p, -EINVAL, "NAME=EXPRESSION is expected here");
		ret = check_expression(c, eq + 1, stop);
		if (ret < 0)
			return ret;
		p = stop + (comma != NULL);
	}
	return 0;
}

int hist_check(const struct trigger_check *c, const char *p, const char *end)
{
	bool keys = false;
	int ret = 0;

	while (ret == 0 && p < end) {
		const char *at = p + 1, *stop = memchr(at, ':', end - at);

		if (*p != ':')
			return trigger_fail(c, p, -EINVAL, "':' is expected here");
		stop = stop ? stop : end;
		/* A table that is shared by name already has keys. */
		keys |= str_starts(at, "key") || str_starts(at, "name=");
		ret = check_attribute(c, at, stop);
		p = stop;
	}
	if (ret == 0 && !keys)
		return trigger_fail(c, end, -EINVAL, "a hist trigger needs keys=FIELD");
	return ret;
}
