/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_filter.c - what may come next in a filter or a trigger */
#include "complete.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Of @t, only what follows @start, a place in its word */
static struct typing rest_of(const struct typing *t, const char *start)
{
	struct typing rest = *t;

	rest.prefix_len += start - t->word;
	rest.word = start;
	return rest;
}

/* The beginning of the name that the word ends with; of an empty one, its end */
static const char *last_name(const char *word)
{
	const char *p = word + strlen(word);

	while (p > word && in_name(p[-1]))
		p--;
	return p;
}

/* The last character before @p that is not blank, '\0' if there is none after @begin */
static char before(const char *begin, const char *p)
{
	while (p > begin && p[-1] == ' ')
		p--;
	return p > begin ? p[-1] : '\0';
}

/* What a comparison can be made of; "after a value" once there is a sign of one before it */
static void offer_operators(const struct typing *t, const char *expr, bool kernel)
{
	const char *p = t->word;
	bool compared = false;

	while (p > expr && !strchr("&|(", *--p))
		compared |= strchr("=<>~", *p) != NULL;
	if (compared) {
		offer_with(t, "&&", "and");
		offer_with(t, "||", "or");
		return;
	}
	offer_words(t, "== != < <= > >=");
	offer_with(t, "~", "matches a glob");
	offer_with(t, "&", kernel ? "has a bit of" : "and, bit by bit");
	if (!kernel)
		offer_with(t, "=~", "matches a regular expression");
}

/* In the middle of the expression that begins at @expr, a place in the word of @t */
static void offer_in_expr(const struct typing *t, const char *path, const char *events,
			  const char *expr)
{
	struct typing rest = rest_of(t, last_name(expr));
	const char *sign = rest.word;
	char c = before(expr, sign);

	while (!*rest.word && sign > expr && strchr("=<>!~&|", sign[-1]))
		sign--;
	if (sign > expr && is_value_end(before(expr, sign)) && (*sign || sign[-1] == ' ')) {
		rest = rest_of(t, sign);
		offer_operators(&rest, expr, !path);
	} else if (!is_value_end(c) && !(c && strchr("=<>~", c))) {
		offer_fields(&rest, path, events);
		if (path)
			offer_words(&rest, "COMM PID CPU");
	}
}

void offer_filter(const struct typing *t, const char *path, const char *events)
{
	const char *colon = strchr(t->word, ':'), *comma = strrchr(t->word, ',');
	struct typing part = rest_of(t, comma ? comma + 1 : t->word);
	char *chosen;

	if (events) {
		offer_in_expr(t, path, events, t->word);
	} else if (colon) {
		chosen = strndup(t->word, colon - t->word);
		offer_in_expr(t, path, chosen, colon + 1 + strspn(colon + 1, " "));
		free(chosen);
	} else {
		if (!t->word[strcspn(t->word, " =<>&|(!~")])
			offer_events(&part, path);
		if (*t->word && !comma)
			offer_in_expr(t, path, NULL, t->word);
	}
}

void offer_trigger(const struct typing *t, const char *events)
{
	const char *condition = strstr(t->word, " if ");
	struct typing rest = rest_of(t, last_name(t->word));
	struct typing after = rest_of(t, strchrnul(t->word, ':'));
	char c = before(t->word, rest.word);

	after = *after.word ? rest_of(t, after.word + 1) : after;

	if (condition)
		offer_in_expr(t, NULL, events, condition + 4);
	else if (str_starts(t->word, "enable_event:") || str_starts(t->word, "disable_event:"))
		offer_events(&after, NULL);
	else if (!str_starts(t->word, "hist:"))
		offer_words(t, "traceon traceoff stacktrace snapshot enable_event: "
			    "disable_event: hist:");
	else if (c == ':')
		offer_words(&rest, "keys= values= sort= size= name= pause continue clear "
			    "nohitcount onmatch( onmax( onchange(");
	else if (c == '.')
		offer_words(&rest, "ascending descending hex sym sym-offset syscall execname "
			    "log2 buckets= usecs percent graph stacktrace");
	else
		offer_fields(&rest, NULL, events);
}
