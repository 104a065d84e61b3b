/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.c - the part of a filter that selects events: "sched/sched_switch,irq : …" */
#include "filter/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/grep.h"

/* The next ':' outside of quotes, or -1. */
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

/* Does it contain only characters of event names and patterns? */
static bool is_choices(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !isspace((unsigned char)s[i]) &&
		    !strchr("_-./,*?[]\\|()+^$", s[i]))
			return false;
	return true;
}

/* Is it a single name? A condition has more than that. */
static bool is_name(const char *s)
{
	size_t len;

	s += strspn(s, " \t");
	len = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*?");
	return len && !s[len + strspn(s + len, " \t")];
}

/* Regular expressions are anchored and ignore case. An empty one matches everything. */
static int init_regex(struct filter_pattern *p, const char *text, size_t len)
{
	struct str s = STR_INIT;
	int ret = -ENOMEM;

	if (len)
		str_addf(&s, "^%.*s$", (int)len, text);
	if (!s.failed)
		ret = filter_pattern_init(p, FILTER_LIKE, s.buf, NULL);
	str_fini(&s);
	return ret;
}

/* Removes the blanks of "sched : sched_switch" */
static void close_up(char *text)
{
	char *slash = strchr(text, '/'), *event;

	if (!slash)
		return;
	event = slash + 1;
	while (isspace((unsigned char)*event))
		event++;
	while (slash > text && isspace((unsigned char)slash[-1]))
		slash--;
	*slash++ = '/';
	memmove(slash, event, strlen(event) + 1);
}

static int init_choice(struct filter_choice *c, const char *text, size_t len)
{
	const char *slash;
	int ret;

	c->text = strndup(text, len);
	if (!c->text)
		return -ENOMEM;
	close_up(c->text);
	c->wild = strpbrk(c->text, ".*?[\\+^$(|") != NULL;
	slash = strchr(c->text, '/');
	c->both = !slash;
	ret = init_regex(&c->event, slash ? slash + 1 : c->text,
			 strlen(slash ? slash + 1 : c->text));
	if (ret == 0 && slash)
		ret = init_regex(&c->system, c->text, slash - c->text);
	return ret;
}

int filter_choice_make_glob(struct filter_choice *c)
{
	char *slash = strchr(c->text, '/');
	int ret;

	filter_pattern_fini(&c->system);
	filter_pattern_fini(&c->event);
	ret = filter_pattern_init(&c->event, FILTER_GLOB, slash ? slash + 1 : c->text, NULL);
	if (ret < 0 || !slash)
		return ret;
	*slash = '\0';
	ret = filter_pattern_init(&c->system, FILTER_GLOB, c->text, NULL);
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
		return filter_error(err, -EINVAL, e->text, from, "expected an event here");
	if (to - from > GREP_LONGEST)
		return filter_error(err, -EINVAL, e->text, from,
				    "an event name cannot have %zu characters", to - from);

	more = array_add(e->choices, e->nr_choices);
	if (!more)
		return filter_error(err, -ENOMEM, e->text, from, "no memory for the filter");
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

static bool fits_system(const struct kt_filter *f, const struct filter_pattern *p)
{
	size_t file, i;

	for (file = 0; file < f->nr_files; file++) {
		const struct kt_events *evs = f->files[file].events;

		for (i = 0; i < events_nr_formats(evs); i++) {
			const char *system = evs->slots[i].source.system;

			if (filter_pattern_match(p, system, strlen(system)))
				return true;
		}
	}
	return false;
}

/* Is it the name of a system in one of the files, or a pattern that matches one? 1, 0, -ENOMEM. */
static int is_system(const struct kt_filter *f, const char *text, size_t len)
{
	struct filter_pattern regex = { 0 }, glob = { 0 };
	char *copy = strndup(text, len), *name;
	int ret = -ENOMEM, found = 0;

	if (copy) {
		name = str_trim(copy);
		ret = init_regex(&regex, name, strlen(name));
		found = ret == 0 && fits_system(f, &regex);
		if (!found && ret != -ENOMEM)
			ret = filter_pattern_init(&glob, FILTER_GLOB, name, NULL);
		found = found || (ret == 0 && fits_system(f, &glob));
	}
	filter_pattern_fini(&regex);
	filter_pattern_fini(&glob);
	free(copy);
	return ret == -ENOMEM ? ret : found;
}

/*
 * "system:event", as in the options of record, with or without an expression after it.
 * "function: name" has the same form: "name" is an event only if "function" is a system.
 * 1, 0, -ENOMEM.
 */
static int names_system(const struct kt_filter *f, const struct filter_expr *e, ssize_t colon)
{
	if (colon < 0)
		return 0;
	if (find_colon(e->text, (size_t)colon + 1) >= 0)
		return 1;
	return is_name(e->text + colon + 1) ? is_system(f, e->text, (size_t)colon) : 0;
}

int filter_choose(const struct kt_filter *f, struct filter_expr *e, ssize_t *expr_pos,
		  struct kt_err *err)
{
	ssize_t colon = find_colon(e->text, 0), first = colon;
	size_t len = strlen(e->text);
	int ret = names_system(f, e, colon);

	if (ret < 0)
		return ret;
	if (ret) {
		e->text[first] = '/';
		colon = find_colon(e->text, (size_t)first + 1);
	}
	*expr_pos = colon < 0 ? -1 : colon + 1;
	if (colon < 0 && !ret && !is_choices(e->text, len)) {
		*expr_pos = 0;
		e->plain = true;
		return 0;
	}
	ret = split(e, colon < 0 ? len : (size_t)colon, err);
	if (first != colon)
		e->text[first] = ':';	/* restore it for messages */
	return ret;
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

bool filter_keeps_some(const struct kt_filter *f, size_t file)
{
	size_t i;

	for (i = 0; i < f->nr_exprs; i++)
		if (!f->exprs[i].exclude &&
		    (f->exprs[i].file < 0 || (size_t)f->exprs[i].file == file))
			return true;
	return false;
}
