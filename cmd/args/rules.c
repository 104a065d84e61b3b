/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules.c - options that have no effect together with other options */
#include "rules.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct check {
	const struct cmd *cmd;
	const struct opts_given *given;
	const char *verb;
};

#define MAX_WORD 64

/* Copy the next word of *@list to @word and advance *@list: false at the end */
static bool next_word(const char **list, const char *separators, char word[MAX_WORD])
{
	size_t len;

	if (!*list)
		return false;
	*list += strspn(*list, separators);
	len = strcspn(*list, separators);
	assert(len < MAX_WORD);
	memcpy(word, *list, len);
	word[len] = '\0';
	*list += len;
	return len > 0;
}

static size_t find_option(const struct cmd *cmd, const char *word)
{
	const struct cmd_opt *o;

	for (o = cmd->opts; !opt_is_end(o); o++)
		if ((o->name && strcmp(o->name, word) == 0) ||
		    (!word[1] && o->ch == word[0]))
			return o - cmd->opts;
	assert(!"a rule names an option that the command lacks");
	return 0;
}

static bool is_given(const struct check *c, const char *word)
{
	if (word[0] == '@')
		return word[1] ? c->verb && strcmp(c->verb, word + 1) == 0 : !c->verb;
	return c->given->at[find_option(c->cmd, word)];
}

/* The word as a user writes it */
static const char *spell(const char *word, char spelt[MAX_WORD + 4])
{
	if (word[0] == '@')
		snprintf(spelt, MAX_WORD + 4, "`%s`", word + 1);
	else
		snprintf(spelt, MAX_WORD + 4, "%s%s", word[1] ? "--" : "-", word);
	return spelt;
}

/*
 * Is one of the words of @list given? All words are looked up, so that every mistake in a table
 * is found.
 */
static bool any_given(const struct check *c, const char *list, char word[MAX_WORD])
{
	char next[MAX_WORD];
	bool found = false;

	while (next_word(&list, " |", next))
		if (is_given(c, next) && !found) {
			found = true;
			memcpy(word, next, MAX_WORD);
		}
	return found;
}

/* "--a, --b or `set`"; aliases of verbs and the missing verb are not listed */
static void spell_list(const char *list, char *text, size_t size)
{
	char word[MAX_WORD], spelt[MAX_WORD + 4];
	size_t len = 0;

	text[0] = '\0';
	while (next_word(&list, " ", word) && len < size)
		if (strcmp(word, "@") != 0)
			len += snprintf(text + len, size - len, "%s%s", len ? " or " : "",
					spell(word, spelt));
}

static int check_alone(const struct check *c, const char *list, struct kt_err *err)
{
	char group[MAX_WORD], word[MAX_WORD], first[MAX_WORD] = "";
	char a[MAX_WORD + 4], b[MAX_WORD + 4];
	int ret = 0;

	while (next_word(&list, " ", group)) {
		if (!any_given(c, group, word))
			continue;
		if (first[0] && ret == 0)
			ret = cmd_misuse(err, "%s and %s exclude each other", spell(first, a),
					 spell(word, b));
		memcpy(first, word, MAX_WORD);
	}
	return ret;
}

static int check_one(const struct check *c, const struct cmd_rule *r, const char *word,
		     struct kt_err *err)
{
	char other[MAX_WORD], a[MAX_WORD + 4], b[MAX_WORD + 4], list[160];

	if (r->never)
		return cmd_misuse(err, "%s %s", spell(word, a), r->never);
	if (r->with && !any_given(c, r->with, other)) {
		spell_list(r->with, list, sizeof(list));
		return cmd_misuse(err, "%s goes with %s", spell(word, a), list);
	}
	if (r->without && any_given(c, r->without, other))
		return cmd_misuse(err, "%s has no effect with %s", spell(word, a), spell(other, b));
	return 0;
}

static int check_rule(const struct check *c, const struct cmd_rule *r, struct kt_err *err)
{
	const char *list = r->options;
	char word[MAX_WORD];
	int ret = 0;

	if (r->alone)
		return check_alone(c, list, err);
	any_given(c, r->with, word);
	any_given(c, r->without, word);
	while (next_word(&list, " ", word))
		if (is_given(c, word) && ret == 0)
			ret = check_one(c, r, word, err);
	return ret;
}

int rules_check(const struct cmd *cmd, const struct opts_given *given, const char *verb,
		bool lenient, struct kt_err *err)
{
	const struct check c = { .cmd = cmd, .given = given, .verb = verb };
	const struct cmd_rule *r;
	int ret = 0;

	for (r = cmd->rules; r && r->options && ret == 0; r++)
		if (r->always || !lenient)
			ret = check_rule(&c, r, err);
	return ret;
}
