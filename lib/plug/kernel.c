/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel.c - find the names of a field's values in a print format */
#include "plug/plug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * "__print_flags(REC->gfp_flags, "|", { 0x1, "A" }, { (1UL << 3) | 2, "B" })":
 * numbers and bits differ between kernels, so a plugin should take them
 * from the recording, not from its author's headers.
 */
#define MAX_NAMES 512
#define MAX_DEPTH 64

struct scan {
	const char *p;
	int depth;
	bool bad;
};

static void skip_space(struct scan *s)
{
	while (isspace((unsigned char)*s->p))
		s->p++;
}

static bool take(struct scan *s, const char *word)
{
	skip_space(s);
	if (strncmp(s->p, word, strlen(word)))
		return false;
	s->p += strlen(word);
	return true;
}

static uint64_t expression(struct scan *s);

/* "(unsigned long)", "(gfp_t)": a name in parentheses before an operand. */
static bool skip_cast(struct scan *s)
{
	const char *p = s->p;

	while (isspace((unsigned char)*p))
		p++;
	if (!isalpha((unsigned char)*p) && *p != '_')
		return false;
	while (isalnum((unsigned char)*p) || *p == '_' || *p == ' ')
		p++;
	if (*p != ')')
		return false;
	s->p = p + 1;
	return true;
}

static uint64_t number(struct scan *s)
{
	char *end;
	uint64_t v = strtoull(s->p, &end, 0);

	if (end == s->p)
		s->bad = true;
	while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L')
		end++;
	s->p = end;
	return v;
}

static uint64_t operand(struct scan *s)
{
	uint64_t v;

	skip_space(s);
	if (s->depth >= MAX_DEPTH)
		s->bad = true;
	if (s->bad)
		return 0;
	s->depth++;
	if (take(s, "~")) {
		v = ~operand(s);
	} else if (take(s, "-")) {
		v = -operand(s);
	} else if (take(s, "(")) {
		if (skip_cast(s)) {
			v = operand(s);
		} else {
			v = expression(s);
			s->bad |= !take(s, ")");
		}
	} else {
		v = number(s);
	}
	s->depth--;
	return v;
}

/* Evaluates from left to right: print formats have parentheses where precedence matters. */
static uint64_t expression(struct scan *s)
{
	uint64_t v = operand(s), shift;

	while (!s->bad) {
		if (take(s, "<<")) {
			shift = operand(s);
			v = shift < 64 ? v << shift : 0;
		} else if (take(s, "|")) {
			v |= operand(s);
		} else if (take(s, "+")) {
			v += operand(s);
		} else if (take(s, "-")) {
			v -= operand(s);
		} else if (take(s, "&")) {
			v &= operand(s);
		} else {
			break;
		}
	}
	return v;
}

/* A string of one or several parts: "APIC_" "ID". New, or NULL. */
static char *string(struct scan *s)
{
	struct str text = STR_INIT;
	const char *end;

	while (take(s, "\"")) {
		end = strchr(s->p, '"');
		if (!end) {
			str_fini(&text);
			return NULL;
		}
		str_addn(&text, s->p, end - s->p);
		s->p = end + 1;
	}
	return str_take(&text);
}

/* "{ value, "name" }"; the name is new. */
static bool pair(struct scan *s, struct kt_name *n)
{
	if (!take(s, "{"))
		return false;
	n->value = expression(s);
	n->mask = 0;
	if (s->bad || !take(s, ","))
		return false;
	n->name = string(s);
	return n->name && take(s, "}");
}

static struct kt_table *read_names(struct scan *s, enum kt_table_kind kind)
{
	struct kt_table *t = calloc(1, sizeof(*t));
	struct kt_name *names = calloc(MAX_NAMES + 1, sizeof(*names));
	size_t nr = 0;

	if (t && names) {
		t->kind = kind;
		t->names = names;
		while (nr < MAX_NAMES && pair(s, &names[nr])) {
			nr++;
			if (!take(s, ","))
				break;
		}
		if (nr < MAX_NAMES) {		/* left over from a broken pair */
			free((char *)names[nr].name);
			names[nr].name = NULL;
		}
	}
	if (nr)
		return t;
	free(names);
	free(t);
	return NULL;
}

/* Does the first argument read REC->field, perhaps within an expression? */
static bool is_about(const char *arg, const char *end, const char *field, size_t len)
{
	const char *p = arg;

	while ((p = memmem(p, end - p, "REC->", 5))) {
		p += 5;
		if ((size_t)(end - p) >= len && !memcmp(p, field, len) &&
		    !isalnum((unsigned char)p[len]) && p[len] != '_')
			return true;
	}
	return false;
}

/* The comma after an argument, at the same depth of parentheses. */
static const char *end_of_argument(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth-- == 0)
			return NULL;
		else if (*p == ',' && depth == 0)
			return p;
	}
	return NULL;
}

static struct kt_table *names_in(const char *fmt, const char *call, enum kt_table_kind kind,
				 const char *field, size_t len)
{
	struct kt_table *t = NULL;
	const char *end;

	while (!t && (fmt = strstr(fmt, call))) {
		fmt += strlen(call);
		end = end_of_argument(fmt);
		if (!end || !is_about(fmt, end, field, len))
			continue;
		if (kind == KT_TABLE_FLAGS) {		/* the separator */
			end = strchr(end + 1, '{');
			if (!end)
				continue;
			end--;
		}
		t = read_names(&(struct scan) { .p = end + 1 }, kind);
	}
	return t;
}

struct kt_table *plug_kernel_names(const struct kt_event *ev, const char *field, size_t len)
{
	const char *fmt = ev->print_fmt ? ev->print_fmt : "";
	struct kt_table *t = names_in(fmt, "__print_symbolic(", KT_TABLE_ENUM, field, len);

	return t ? t : names_in(fmt, "__print_flags(", KT_TABLE_FLAGS, field, len);
}

void plug_names_free(struct kt_table *t)
{
	const struct kt_name *n;

	if (!t)
		return;
	for (n = t->names; n->name; n++)
		free((char *)n->name);
	free((struct kt_name *)t->names);
	free(t);
}

/* "0x%08lx", "%#x", "%llx" */
static bool is_hex(const char *p)
{
	if (!strncmp(p, "0x", 2))
		p += 2;
	if (*p++ != '%')
		return false;
	return p[strspn(p, "#0123456789.lhz")] == 'x';
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool plug_kernel_hex(const struct kt_event *ev, const char *field, size_t len)
{
	const char *start = ev->print_fmt ?
			    ev->print_fmt : "", *p = start, *end = strstr(p, "REC->");

	if (!end)
		end = p + strlen(p);
	while ((p = memmem(p, end - p, field, len))) {
		p += len;
		if ((p - len == start || !is_word(p[-1 - (ptrdiff_t)len])) && !is_word(*p) &&
		    is_hex(p + strspn(p, "=: ")))
			return true;
	}
	return false;
}
