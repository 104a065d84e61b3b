/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter_events.c - the part of a filter that chooses events: "sched/sched_switch,irq : …" */
#include "model/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next ':' outside quotes, or -1. */
static ssize_t find_colon(const char *text, size_t from)
{
	char quote = 0;
	size_t i;

	for (i = from; text[i]; i++) {
		if (quote && text[i] == '\\' && text[i + 1])
			i++;
		else if (quote)
			quote = text[i] == quote ? 0 : quote;
		else if (text[i] == '"' || text[i] == '\'')
			quote = text[i];
		else if (text[i] == ':')
			return (ssize_t)i;
	}
	return -1;
}

/* Only what the names and patterns of events are made of? */
static bool is_choices(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !isspace((unsigned char)s[i]) &&
		    !strchr("_-./,*?[]\\|()+^$", s[i]))
			return false;
	return true;
}

/* One name and nothing else? A condition is more than that. */
static bool is_name(const char *s)
{
	size_t len;

	s += strspn(s, " \t");
	len = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*?");
	return len && !s[len + strspn(s + len, " \t")];
}

/* Regular expressions are anchored, and ignore case. An empty one matches everything. */
static int init_regex(struct filter_pattern *p, const char *text, size_t len, char *why, size_t size)
{
	struct str s = STR_INIT;
	int ret = -ENOMEM;

	if (len)
		str_addf(&s, "^%.*s$", (int)len, text);
	if (!s.failed)
		ret = filter_pattern_init(p, FILTER_LIKE, s.buf, why, size);
	str_fini(&s);
	return ret;
}

static int init_choice(struct filter_choice *c, const char *text, size_t len)
{
	char why[64];
	const char *slash;
	int ret;

	c->text = strndup(text, len);
	if (!c->text)
		return -ENOMEM;
	c->wild = strpbrk(c->text, ".*?[\\+^$(|") != NULL;
	slash = strchr(c->text, '/');
	c->both = !slash;
	ret = init_regex(&c->event, slash ? slash + 1 : c->text, strlen(slash ? slash + 1 : c->text),
			 why, sizeof(why));
	if (ret == 0 && slash)
		ret = init_regex(&c->system, c->text, slash - c->text, why, sizeof(why));
	return ret;
}

int filter_choice_make_glob(struct filter_choice *c)
{
	char *slash = strchr(c->text, '/'), why[64];
	int ret;

	filter_pattern_fini(&c->system);
	filter_pattern_fini(&c->event);
	ret = filter_pattern_init(&c->event, FILTER_GLOB, slash ? slash + 1 : c->text, why, sizeof(why));
	if (ret < 0 || !slash)
		return ret;
	*slash = '\0';
	ret = filter_pattern_init(&c->system, FILTER_GLOB, c->text, why, sizeof(why));
	*slash = '/';
	return ret;
}

static int add_choice(struct filter_expr *e, size_t from, size_t to, struct kt_err *err)
{
	struct filter_choice *more;
	int ret;

	while (from < to && isspace((unsigned char)e->text[from]))
		from++;
	while (to > from && isspace((unsigned char)e->text[to - 1]))
		to--;
	if (from == to)
		return filter_error(err, -EINVAL, e->text, from, "an event is missing here");

	more = realloc(e->choices, (e->nr_choices + 1) * sizeof(*more));
	if (!more)
		return filter_error(err, -ENOMEM, e->text, from, "no memory for the filter");
	e->choices = more;
	more += e->nr_choices++;
	*more = (struct filter_choice) { .pos = from };
	ret = init_choice(more, e->text + from, to - from);
	if (ret == -EINVAL)
		ret = filter_choice_make_glob(more);
	e->wild |= more->wild;
	return ret < 0 ? filter_error(err, ret, e->text, from, "no memory for the filter") : 0;
}

static int split(struct filter_expr *e, size_t len, struct kt_err *err)
{
	size_t from = 0, i;
	int ret;

	for (i = 0; i <= len; i++) {
		if (i < len && e->text[i] != ',')
			continue;
		ret = add_choice(e, from, i, err);
		if (ret < 0)
			return ret;
		from = i + 1;
	}
	return 0;
}

int filter_choose(struct filter_expr *e, ssize_t *expr_pos, struct kt_err *err)
{
	ssize_t colon = find_colon(e->text, 0), second = -1;
	size_t len = strlen(e->text);

	/* "system:event", as the options of record write it, with or without an expression behind */
	if (colon >= 0) {
		second = find_colon(e->text, colon + 1);
		if (second >= 0 || is_name(e->text + colon + 1))
			e->text[colon] = '/';
		colon = e->text[colon] == ':' ? colon : second;
	}
	*expr_pos = colon + 1;
	if (colon >= 0)
		return split(e, colon, err);
	if (is_choices(e->text, len)) {
		*expr_pos = -1;
		return split(e, len, err);
	}
	e->plain = true;
	return 0;
}

void filter_choices_free(struct filter_expr *e)
{
	size_t i;

	for (i = 0; i < e->nr_choices; i++) {
		filter_pattern_fini(&e->choices[i].system);
		filter_pattern_fini(&e->choices[i].event);
		free(e->choices[i].text);
	}
	free(e->choices);
}

bool filter_choice_match(const struct filter_choice *c, const struct event_slot *slot)
{
	const char *system = slot->source.system;
	bool event_fits = filter_pattern_match(&c->event, slot->name, slot->name_len);

	if (c->both)
		return event_fits || filter_pattern_match(&c->event, system, strlen(system));
	return event_fits && filter_pattern_match(&c->system, system, strlen(system));
}

bool filter_chooses(const struct filter_expr *e, const struct event_slot *slot)
{
	size_t i;

	if (e->plain)
		return true;
	for (i = 0; i < e->nr_choices; i++)
		if (filter_choice_match(&e->choices[i], slot))
			return true;
	return false;
}
