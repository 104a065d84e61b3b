/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter_check.c - find errors in an event filter before the kernel refuses it */
#include "target/filter_check.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

#define MAX_DEPTH   64		/* nested parentheses: limits the recursion */
#define MAX_STRING 255		/* of a quoted value: the limit in the kernel */

struct check {
	const struct ctl_format *format;
	const char *event, *text;
	const char *p;			/* next byte to read */
	unsigned int depth;
	struct kt_err *err;
};

/* The meaning of a name in a filter */
struct operand {
	const char *name;
	size_t len;
	enum ctl_kind kind;
	unsigned int size;		/* of a number, bytes */
	bool is_signed;
	bool is_function;		/* name.function: the value is a kernel symbol */
};

static int fail(struct check *c, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(struct check *c, const char *at, const char *fmt, ...)
{
	char msg[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	kt_err_set(c->err, -EINVAL, "filter of %s: %s", c->event, msg);
	err_point(c->err, c->text, at - c->text);
	return -EINVAL;
}

static void skip_space(struct check *c)
{
	while (isspace((unsigned char)*c->p))
		c->p++;
}

static size_t name_len(const char *p)
{
	size_t len = 0;

	while (isalnum((unsigned char)p[len]) || p[len] == '_')
		len++;
	return len;
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(s, word, len) == 0;
}

/* Names that need no field: CPU and comm of the running task */
static bool builtin(struct operand *o)
{
	if (is_word(o->name, o->len, "CPU") || is_word(o->name, o->len, "cpu") ||
	    is_word(o->name, o->len, "common_cpu")) {
		o->kind = CTL_NUMBER;
		o->size = 4;
		return true;
	}
	if (is_word(o->name, o->len, "COMM") || is_word(o->name, o->len, "comm") ||
	    is_word(o->name, o->len, "common_comm")) {
		o->kind = CTL_STRING;
		return true;
	}
	return false;
}

static int take_modifier(struct check *c, struct operand *o)
{
	const char *at = c->p + 1;
	size_t len = name_len(at);

	c->p = at + len;
	if (is_word(at, len, "ustring")) {	/* a pointer to user memory, read as text */
		o->kind = CTL_STRING;
		return 0;
	}
	if (is_word(at, len, "function")) {
		o->is_function = true;
		return 0;
	}
	return fail(c, at, "'.%.*s' is not a modifier, only .ustring and .function are", (int)len,
		    at);
}

static int take_operand(struct check *c, struct operand *o)
{
	const struct ctl_field *field;
	char hint[SUGGEST_SIZE];

	*o = (struct operand){ .name = c->p, .len = name_len(c->p) };
	if (!o->len)
		return fail(c, c->p, *c->p ? "a field name is expected here"
					   : "it ends where a field name is expected");
	field = ctl_format_field(c->format, o->name, o->len);
	if (field) {
		o->kind = field->kind;
		o->size = field->size;
		o->is_signed = field->is_signed;
	} else if (!builtin(o)) {
		return fail(c, o->name, "no field '%.*s'%s", (int)o->len, o->name,
			    ctl_format_hint(c->format, o->name, o->len, hint));
	}
	c->p += o->len;
	if (*c->p == '.')
		return take_modifier(c, o);
	if (o->kind == CTL_BYTES)
		return fail(c, o->name,
			    "'%.*s' is an array but not a string: it cannot be compared",
			    (int)o->len, o->name);
	return 0;
}

static int take_operator(struct check *c, char op[3])
{
	static const char *const all[] = { "==", "!=", "<=", ">=", "<", ">", "&", "~", NULL };
	size_t i;

	skip_space(c);
	for (i = 0; all[i]; i++) {
		if (!str_starts(c->p, all[i]) || str_starts(c->p, "&&"))
			continue;
		strcpy(op, all[i]);
		c->p += strlen(op);
		return 0;
	}
	if (*c->p == '=')
		return fail(c, c->p, "'=' does not compare, write '=='");
	if (str_starts(c->p, "!~"))
		return fail(c, c->p, "the kernel has no '!~', write !(field ~ \"pattern\")");
	return fail(c, c->p, "an operator is expected here: == != < <= > >= & ~");
}

static int check_operator(struct check *c, const struct operand *o, const char *op, const char *at)
{
	const char *what = "a number", *allowed = "== != < <= > >= &";

	if (o->is_function) {
		what = "a function";
		allowed = "== !=";
	} else if (o->kind == CTL_STRING) {
		what = "text";
		allowed = "== != ~";
	} else if (o->kind == CTL_CPUMASK) {
		what = "a CPU mask";
		allowed = "== != &";
	}
	if (str_has_word(allowed, op))
		return 0;
	return fail(c, at, "'%.*s' is %s, which takes only %s", (int)o->len, o->name, what,
		    allowed);
}

static int take_string(struct check *c)
{
	const char *at = c->p, *end;

	end = strchr(at + 1, *at);
	if (!end)
		return fail(c, at, "this quotation mark is never closed");
	if (end - at - 1 > MAX_STRING)
		return fail(c, at, "text of more than %d bytes", MAX_STRING);
	c->p = end + 1;
	return 0;
}

/* Does @value fit the bytes of the field, read as signed or as unsigned? */
static bool fits(const struct operand *o, bool negative, unsigned long long value)
{
	unsigned int bits = o->size * 8;

	if (o->size == 0 || o->size >= 8)
		return true;
	return negative ? value <= 1ULL << (bits - 1) : value < 1ULL << bits;
}

static int take_number(struct check *c, const struct operand *o)
{
	const char *at = c->p, *digits = at + (*at == '-');
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*digits))
		return fail(c, at, isalpha((unsigned char)*at) || *at == '_'
			    ? "a number is expected here (names of constants are unknown to the "
			      "kernel)"
			    : "a number is expected here");
	errno = 0;
	value = strtoull(digits, &end, 0);
	if (errno == ERANGE || !fits(o, *at == '-', value))
		return fail(c, at, "this number does not fit into '%.*s' (%u bytes)", (int)o->len,
			    o->name, o->size ? o->size : 8);
	if (name_len(end))
		return fail(c, end, "'%.*s' does not belong to a number", (int)name_len(end), end);
	c->p = end;
	return 0;
}

/* CPUS{0-3,8}: check only the characters and the closing brace; the kernel parses the list */
static int take_cpus(struct check *c)
{
	const char *at = c->p + strlen("CPUS{");
	size_t len = strspn(at, "0123456789-,");

	if (at[len] != '}')
		return fail(c, at + len, "a list of CPUs like CPUS{0-3,8} is expected here");
	c->p = at + len + 1;
	return 0;
}

static int take_value(struct check *c, const struct operand *o, const char *op)
{
	size_t len;

	skip_space(c);
	if (str_starts(c->p, "CPUS{"))
		return o->kind == CTL_STRING ? fail(c, c->p, "'%.*s' is text, not a set of CPUs",
						    (int)o->len, o->name) : take_cpus(c);
	if (!*c->p)
		return fail(c, c->p, "it ends where a value for '%.*s' is expected", (int)o->len,
			    o->name);
	if (o->is_function) {
		len = strcspn(c->p, " \t\n)&|");
		if (!len)
			return fail(c, c->p, "the name of a function is expected here");
		c->p += len;
		return 0;
	}
	if (o->kind == CTL_STRING) {
		if (*c->p != '"' && *c->p != '\'')
			return fail(c, c->p, "'%.*s' is text: put the value in quotation marks, "
				    "%.*s %s \"…\"", (int)o->len, o->name, (int)o->len, o->name,
				    op);
		return take_string(c);
	}
	if (*c->p == '"' || *c->p == '\'')
		return fail(c, c->p, "'%.*s' is a number, not text", (int)o->len, o->name);
	return take_number(c, o);
}

static int take_comparison(struct check *c)
{
	const char *at;
	struct operand o;
	char op[3];
	int ret;

	ret = take_operand(c, &o);
	if (ret < 0)
		return ret;
	skip_space(c);
	at = c->p;
	ret = take_operator(c, op);
	if (ret == 0)
		ret = check_operator(c, &o, op, at);
	return ret < 0 ? ret : take_value(c, &o, op);
}

static int take_or(struct check *c);

static int take_term(struct check *c)
{
	const char *open;
	int ret;

	skip_space(c);
	while (*c->p == '!') {
		c->p++;
		skip_space(c);
	}
	if (*c->p != '(')
		return take_comparison(c);
	open = c->p++;
	if (++c->depth > MAX_DEPTH)
		return fail(c, open, "more than %d parentheses inside each other", MAX_DEPTH);
	ret = take_or(c);
	if (ret < 0)
		return ret;
	c->depth--;
	if (*c->p != ')')
		return fail(c, open, "this parenthesis is never closed");
	c->p++;
	return 0;
}

/* Terms joined by @op, which is "&&" or "||" */
static int take_joined(struct check *c, const char *op, int (*take)(struct check *c))
{
	int ret = take(c);

	for (skip_space(c); ret == 0 && str_starts(c->p, op); skip_space(c)) {
		c->p += 2;
		ret = take(c);
	}
	return ret;
}

static int take_and(struct check *c)
{
	return take_joined(c, "&&", take_term);
}

static int take_or(struct check *c)
{
	return take_joined(c, "||", take_and);
}

int ctl_filter_check(const struct ctl_format *f, const char *event, const char *text,
		     struct kt_err *err)
{
	struct check c = { .format = f, .event = event, .text = text, .p = text, .err = err };
	int ret = take_or(&c);

	if (ret < 0)
		return ret;
	if (*c.p == ')')
		return fail(&c, c.p, "this parenthesis was never opened");
	if (*c.p)
		return fail(&c, c.p, "'&&' or '||' is expected here");
	return 0;
}
