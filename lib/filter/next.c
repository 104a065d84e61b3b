/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* next.c - the possible continuations of a filter that is being typed */
#include <ktrail/filter.h>

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_value_end(char c)
{
	return in_name(c) || (c && strchr("\"')", c));
}

/* The start of the name at the end of the text, or its end if there is no name */
static size_t last_name(const char *text)
{
	size_t at = strlen(text);

	while (at && in_name(text[at - 1]))
		at--;
	return at;
}

/* The last non-blank character before @at, '\0' if there is none */
static char before(const char *text, size_t at)
{
	while (at && text[at - 1] == ' ')
		at--;
	return at ? text[at - 1] : '\0';
}

/* Does the comparison that is being typed have an operator already? */
static bool is_compared(const char *text, size_t at)
{
	while (at && !strchr("&|(", text[--at]))
		if (strchr("=<>~", text[at]))
			return true;
	return false;
}

/* The start of a string that is not closed; -1: all are closed */
static long open_quote(const char *text)
{
	long at = -1, i;

	for (i = 0; text[i]; i++)
		if (text[i] == '"')
			at = at < 0 ? i : -1;
	return at;
}

/* Finds the field of the comparison whose operator ends at @at */
static void find_field(const char *text, size_t at, struct kt_filter_next *next)
{
	while (at && strchr(" =<>!~&", text[at - 1]))
		at--;
	next->field_len = at;
	while (at && in_name(text[at - 1]))
		at--;
	next->field_at = at;
	next->field_len -= at;
	next->values = next->field_len;
}

void kt_filter_next_in_expr(const char *text, struct kt_filter_next *next)
{
	long quote = open_quote(text);
	size_t at = quote < 0 ? last_name(text) : (size_t)quote, sign = at;
	char c = before(text, at);

	*next = (struct kt_filter_next){ .at = at };
	while (!text[at] && sign && strchr("=<>!~&|", text[sign - 1]))
		sign--;
	if (c && strchr("=<>~", c) && (text[at] || text[at - 1] == ' ')) {
		find_field(text, at, next);
	} else if (sign && is_value_end(before(text, sign)) &&
		   (text[sign] || text[sign - 1] == ' ')) {
		next->at = sign;
		next->joins = is_compared(text, sign);
		next->compares = !next->joins;
	} else {
		next->fields = !is_value_end(c) && !(c && strchr("=<>~", c));
	}
}

void kt_filter_next(const char *text, struct kt_filter_next *next)
{
	const char *colon = strchr(text, ':'), *comma = strrchr(text, ','), *expr = text;

	if (colon)
		expr = colon + 1 + strspn(colon + 1, " ");
	kt_filter_next_in_expr(expr, next);
	next->at += (size_t)(expr - text);
	next->field_at += (size_t)(expr - text);
	if (colon) {
		next->chosen_len = (size_t)(colon - text);
		return;
	}
	next->events = !text[strcspn(text, " =<>&|(!~")];
	next->events_at = comma ? (size_t)(comma + 1 - text) : 0;
	if (!*text || comma)
		next->fields = next->values = next->compares = next->joins = false;
}

bool kt_filter_names_event(const char *events, size_t len, const char *system, const char *name)
{
	char text[256], both[256], *part;
	size_t at = 0, part_len;

	snprintf(both, sizeof(both), "%s/%s", system, name);
	for (; at < len; at += part_len + 1) {
		for (part_len = 0; at + part_len < len && events[at + part_len] != ','; part_len++)
			;
		snprintf(text, sizeof(text), "%.*s", (int)part_len, events + at);
		part = str_trim(text);
		if (strchr(part, ':'))
			*strchr(part, ':') = '/';
		if (fnmatch(part, name, 0) == 0 || fnmatch(part, system, 0) == 0 ||
		    fnmatch(part, both, 0) == 0)
			return true;
	}
	return false;
}
