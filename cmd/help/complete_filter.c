/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_filter.c - what may come next in a filter or a trigger */
#include "complete.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/filter.h>

#include "base/str.h"

static void offer_next(const struct typing *t, const char *path, const char *events,
		       const char *expr, const struct kt_filter_next *next)
{
	struct typing rest = typing_rest(t, expr + next->at);

	if (next->fields) {
		offer_fields(&rest, path, events);
		if (path)
			offer_words(&rest, "COMM PID CPU");
	}
	if (next->compares) {
		offer_words(&rest, "== != < <= > >=");
		offer_with(&rest, "~", "matches a glob");
		offer_with(&rest, "&", path ? "and, bit by bit" : "has a bit of");
		if (path)
			offer_with(&rest, "=~", "matches a regular expression");
	}
	if (next->joins) {
		offer_with(&rest, "&&", "and");
		offer_with(&rest, "||", "or");
	}
}

static void offer_in_expr(const struct typing *t, const char *path, const char *events,
			  const char *expr)
{
	struct kt_filter_next next;

	kt_filter_next_in_expr(expr, &next);
	offer_next(t, path, events, expr, &next);
}

void offer_filter(const struct typing *t, const char *path, const char *events)
{
	struct kt_filter_next next;
	struct typing part;
	char *chosen;

	if (events) {
		offer_in_expr(t, path, events, t->word);
		return;
	}
	kt_filter_next(t->word, &next);
	part = typing_rest(t, t->word + next.events_at);
	if (next.events)
		offer_events(&part, path);
	chosen = next.chosen_len ? strndup(t->word, next.chosen_len) : NULL;
	offer_next(t, path, chosen, t->word, &next);
	free(chosen);
}

void offer_trigger(const struct typing *t, const char *events)
{
	const char *condition = strstr(t->word, " if ");
	const char *name = t->word + strlen(t->word);
	struct typing rest, after = typing_rest(t, strchrnul(t->word, ':'));
	char c;

	while (name > t->word && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	rest = typing_rest(t, name);
	c = name > t->word ? name[-1] : '\0';
	after = *after.word ? typing_rest(t, after.word + 1) : after;

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
