/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* check.c - report mistakes: unknown events and fields, text compared with numbers */
#include "filter/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 4096		/* names to compare a misspelt one with */

/* A list of borrowed names for str_nearest() */
struct words {
	const char **word;
	size_t nr;
};

static void add_word(struct words *w, const char *word)
{
	if (!w->word)
		w->word = calloc(MAX_WORDS + 1, sizeof(*w->word));
	if (w->word && w->nr < MAX_WORDS)
		w->word[w->nr++] = word;
}

/* Calls @fn for each event of the files that @e applies to, until it returns true. */
static bool any_slot(struct kt_filter *f, const struct filter_expr *e,
		     bool (*fn)(void *data, struct kt_events *evs, size_t i), void *data)
{
	size_t file, i;

	for (file = 0; file < f->nr_files; file++) {
		struct kt_events *evs = f->files[file].events;

		if (e->file >= 0 && (size_t)e->file != file)
			continue;
		for (i = 0; i < events_nr_formats(evs); i++)
			if (fn(data, evs, i))
				return true;
	}
	return false;
}

/* ---- events ---- */

static bool choice_fits(void *choice, struct kt_events *evs, size_t i)
{
	return filter_choice_match(choice, &evs->slots[i]);
}

static bool collect_name(void *data, struct kt_events *evs, size_t i)
{
	str_addn(data, evs->slots[i].name, evs->slots[i].name_len);
	str_addc(data, '\0');
	str_add(data, evs->slots[i].source.system);
	str_addc(data, '\0');
	return false;
}

/* A field used in place of an event */
static bool names_field(void *data, struct kt_events *evs, size_t i)
{
	const struct kt_event *ev = kt_events_at(evs, i);

	return ev && kt_event_field(ev, data);
}

static int no_such_event(struct kt_filter *f, const struct filter_expr *e,
			 const struct filter_choice *c, struct kt_err *err)
{
	struct str names = STR_INIT;
	struct words words = { NULL, 0 };
	const char *near = NULL, *slash = strchr(c->text, '/');
	size_t at;

	if (any_slot(f, e, names_field, c->text))
		return filter_error(err, -EINVAL, e->text, c->pos,
				    "'%s' is a field, not an event: compare it with a value",
				    c->text);
	any_slot(f, e, collect_name, &names);
	for (at = 0; at < names.len; at += strlen(names.buf + at) + 1)
		add_word(&words, names.buf + at);
	if (words.word)
		near = str_nearest(slash ? slash + 1 : c->text, words.word);
	filter_error(err, -EINVAL, e->text, c->pos,
		     near ? "the trace has no event '%s', did you mean '%s'?"
		     : "the trace has no event '%s'", c->text, near);
	free(words.word);
	str_fini(&names);
	return -EINVAL;
}

static int check_choices(struct kt_filter *f, struct filter_expr *e, struct kt_err *err)
{
	size_t i;

	for (i = 0; i < e->nr_choices; i++) {
		struct filter_choice *c = &e->choices[i];

		if (any_slot(f, e, choice_fits, c))
			continue;
		if (filter_choice_make_glob(c) < 0)
			return filter_error(err, -ENOMEM, e->text, c->pos,
					    "no memory for the filter");
		if (!any_slot(f, e, choice_fits, c))
			return no_such_event(f, e, c, err);
	}
	return 0;
}

/* ---- fields ---- */

struct search {
	const struct filter_expr *e;
	const struct filter_node *n;	/* the comparison */
	const struct filter_node *absent;	/* a field that some event lacks */
	bool   found_absent;		/* another event has @absent */
	struct filter_complaint why;	/* from an event that has all the fields */
	size_t nr;			/* events examined */
	const char *event;		/* name of one of these */
	struct words words;
};

static bool has_absent(void *data, struct kt_events *evs, size_t i)
{
	struct search *s = data;

	return filter_chooses(s->e, &evs->slots[i]) &&
	       !filter_absent(s->e, &evs->slots[i], s->absent);
}

/* Is the comparison valid for this event? Parses its format only if it may be. */
static bool makes_sense(void *data, struct kt_events *evs, size_t i)
{
	const struct event_slot *slot = &evs->slots[i];
	const struct filter_node *absent;
	const struct kt_event *ev;
	struct search *s = data;

	if (!filter_chooses(s->e, slot))
		return false;
	s->nr++;
	absent = filter_absent(s->e, slot, s->n);
	if (absent) {
		s->absent = absent;
		return false;
	}
	ev = kt_events_at(evs, i);
	return !ev || filter_check_test(s->e, ev, s->n, &s->why) == FILTER_SENSE_OK;
}

static bool collect_fields(void *data, struct kt_events *evs, size_t i)
{
	struct search *s = data;
	const struct kt_event *ev;
	size_t k;

	if (!filter_chooses(s->e, &evs->slots[i]))
		return false;
	ev = kt_events_at(evs, i);
	if (!ev)
		return false;
	s->event = ev->name;
	for (k = 0; k < ev->nr_fields; k++)
		add_word(&s->words, ev->fields[k].name);
	for (k = 0; k < ev->nr_common; k++)
		add_word(&s->words, ev->common[k].name);
	return false;
}

static int no_such_field(struct kt_filter *f, struct search *s, struct kt_err *err)
{
	const struct filter_node *n = s->absent;
	const char *near = NULL;
	char where[160];

	add_word(&s->words, "COMM");
	add_word(&s->words, "CPU");
	add_word(&s->words, "PID");
	any_slot(f, s->e, collect_fields, s);
	if (s->words.word)
		near = str_nearest(n->text, s->words.word);
	if (s->nr == 1 && s->event)
		snprintf(where, sizeof(where), "%s has no field", s->event);
	else
		snprintf(where, sizeof(where), "none of these events has a field");
	filter_error(err, -EINVAL, s->e->text, n->pos,
		     near ? "%s '%s', did you mean '%s'?" : "%s '%s'", where, n->text, near);
	free(s->words.word);
	return -EINVAL;
}

static int check_test(struct kt_filter *f, const struct filter_expr *e,
		      const struct filter_node *n, struct kt_err *err)
{
	struct search s = { .e = e, .n = n };

	if (any_slot(f, e, makes_sense, &s))
		return 0;
	if (s.why.at)
		return filter_error(err, -EINVAL, e->text, s.why.at->pos, "%s", s.why.why);
	if (e->wild || !s.absent)
		return 0;
	if (any_slot(f, e, has_absent, &s))
		return filter_error(err, -EINVAL, e->text, n->pos,
				    "no event has all of these fields");
	return no_such_field(f, &s, err);
}

static int check_tree(struct kt_filter *f, const struct filter_expr *e,
		      const struct filter_node *n, struct kt_err *err)
{
	int ret;

	for (; n->op <= FILTER_NOT; n = n->left) {
		if (n->op == FILTER_NOT)
			continue;
		ret = check_tree(f, e, n->right, err);
		if (ret < 0)
			return ret;
	}
	return check_test(f, e, n, err);
}

int filter_check(struct kt_filter *f, struct filter_expr *e, struct kt_err *err)
{
	int ret = check_choices(f, e, err);

	return ret < 0 || !e->root ? ret : check_tree(f, e, e->root, err);
}
