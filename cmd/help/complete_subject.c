/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_subject.c - what may come next in a metric, and in what is measured */
#include "complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/latencies.h>

#include "base/str.h"

#define EVENT "event "

/* From the last blank on */
static struct typing last_word(const struct typing *t)
{
	const char *blank = strrchr(t->word, ' ');

	return typing_rest(t, blank ? blank + 1 : t->word);
}

/* ---- a subject: "wakeup comm==rt-app", "syscall read", "a -> b by pid" ---- */

static void offer_all_kinds(const struct typing *t)
{
	int kind;

	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		if (kind != KT_LATENCY_PAIR)
			offer_with(t, kt_latency_kind_name(kind), kt_latency_kind_title(kind));
}

/* The kind that @text begins with, before a blank; KT_LATENCY_KINDS: none */
static unsigned int kind_of(const char *text)
{
	size_t len = strcspn(text, " ");
	unsigned int kind;

	for (kind = 0; text[len] && kind < KT_LATENCY_KINDS; kind++)
		if (strlen(kt_latency_kind_name(kind)) == len &&
		    strncmp(text, kt_latency_kind_name(kind), len) == 0)
			return kind;
	return KT_LATENCY_KINDS;
}

static void offer_conditions(const struct typing *t, const char *path, unsigned int kind)
{
	struct typing word = last_word(t), value;

	if (str_starts(word.word, "comm==") || str_starts(word.word, "comm!=")) {
		value = typing_rest(&word, word.word + strlen("comm=="));
		offer_file_tasks(&value, path, true);
		return;
	}
	offer_words(&word, "comm== comm!= pid== cpu==");
	if (kind == KT_LATENCY_WAKEUP)
		offer_with(&word, "prio<", "priority of the kernel: below 100 is real-time");
	if (kind == KT_LATENCY_SYSCALL)
		offer_file_syscalls(&word, path);
	else if (strcmp(kt_latency_kind_noun(kind), "task") == 0)
		offer_file_tasks(&word, path, true);
}

static void offer_subject(const struct typing *t, const char *path)
{
	unsigned int kind = kind_of(t->word);
	const char *arrow = strstr(t->word, "->");
	struct typing word = last_word(t);

	if (kind < KT_LATENCY_KINDS)
		offer_conditions(t, path, kind);
	else if (arrow)
		offer_events(&word, path);
	else
		offer_all_kinds(t);
}

void offer_kinds(const struct typing *t, const char *path)
{
	const char *comma = strrchr(t->word, ',');
	struct typing rest = typing_rest(t, comma ? comma + 1 : t->word);

	offer_subject(&rest, path);
}

/* ---- a metric: "p99(wakeup) < 1ms and count(event sched_switch: next_pid == 1) > 5" ---- */

/* "[SYSTEM:]EVENT[: FILTER]" */
static void offer_event_filter(const struct typing *t, const char *path)
{
	const char *colon = strstr(t->word, ": "), *name = t->word, *system;
	struct typing filter;
	char *event;

	if (!colon) {
		offer_events(t, path);
		return;
	}
	system = memchr(name, ':', (size_t)(colon - name));
	name = system ? system + 1 : name;
	event = strndup(name, (size_t)(colon - name));
	filter = typing_rest(t, colon + 2);
	if (event)
		offer_filter(&filter, path, event);
	free(event);
}

/*
 * If only one kind matches, the figure may end or a condition may follow. Offer both: a shell that
 * gets only one candidate closes the quote.
 */
static bool offer_only_kind(const struct typing *t)
{
	const char *name, *only = NULL;
	char text[64];
	int kind;

	for (kind = 0; kind < KT_LATENCY_KINDS; kind++) {
		name = kt_latency_kind_name(kind);
		if (kind == KT_LATENCY_PAIR || !str_starts(name, t->word))
			continue;
		if (only)
			return false;
		only = name;
	}
	if (!only)
		return false;
	snprintf(text, sizeof(text), "%s)", only);
	offer(t, text);
	snprintf(text, sizeof(text), "%s comm==", only);
	offer(t, text);
	return true;
}

static void offer_in_figure(const struct typing *t, const char *path)
{
	struct typing event = typing_rest(t, t->word + strspn(t->word, " "));

	if (str_starts(event.word, EVENT)) {
		event = typing_rest(&event, event.word + strlen(EVENT));
		offer_event_filter(&event, path);
		return;
	}
	if (!strchr(event.word, ' ') && offer_only_kind(&event))
		return;
	offer_subject(&event, path);
	if (!strchr(event.word, ' '))
		offer_with(&event, "event", "an event, by its name");
}

static void offer_figures(const struct typing *t)
{
	static const char *const figures[] = { "p50", "p90", "p99", "p99.9", "max", "min", "avg",
					       "total", "count", "rate", "errors" };
	char text[16];
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		snprintf(text, sizeof(text), "%s(", figures[i]);
		offer(t, text);
	}
}

/* The parenthesis that closes what is open before @p, or NULL */
static const char *closing(const char *p)
{
	size_t depth = 1;

	for (; *p; p++) {
		depth += *p == '(';
		depth -= *p == ')';
		if (!depth)
			return p;
	}
	return NULL;
}

/* After "p99(wakeup)" */
static void offer_comparison(const struct typing *t)
{
	const char *p = t->word + strspn(t->word, " ");
	const char *value = p + strspn(p, "<>=!");
	struct typing rest = typing_rest(t, p);

	if (!*value)
		offer_words(&rest, "< <= > >=");
	rest = last_word(t);
	value += strspn(value, " ");
	if (strchr(value, ' '))
		offer(&rest, "and");
}

void offer_metric(const struct typing *t, const char *path)
{
	const char *open, *close, *join;
	struct typing rest = *t;

	while ((open = strchr(rest.word, '('))) {
		close = closing(open + 1);
		rest = typing_rest(&rest, close ? close + 1 : open + 1);
		if (!close) {
			offer_in_figure(&rest, path);
			return;
		}
		join = strstr(rest.word, " and ");
		if (!join) {
			offer_comparison(&rest);
			return;
		}
		rest = typing_rest(&rest, join + strlen(" and "));
	}
	offer_figures(&rest);
}
