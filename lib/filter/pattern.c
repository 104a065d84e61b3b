/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pattern.c - match texts by equality, glob and regular expression */
#include "filter/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grep.h"

/*
 * Regular expressions are trace-cmd's: POSIX basic, ignoring case. Most users write words with ^
 * or $, which need no regex. That matters: regexec() costs a microsecond and takes a lock on
 * which threads would wait.
 */
static bool plain_word(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("_-/:<> ", s[i]))
			return false;
	return true;
}

static void find_literal(struct filter_pattern *p, const char *text)
{
	size_t len = strlen(text);
	bool at_start = false, at_end = false;

	if (len && text[0] == '^') {
		at_start = strncmp(text + 1, ".*", 2) != 0;
		text++;
		len--;
	}
	if (len && text[len - 1] == '$') {
		at_end = len < 3 || strncmp(text + len - 3, ".*", 2) != 0;
		len--;
	}
	if (!at_end && len >= 2 && !strcmp(text + len - 2, ".*"))
		len -= 2;
	if (!at_start && len >= 2 && !strncmp(text, ".*", 2)) {
		text += 2;
		len -= 2;
	}
	if (!plain_word(text, len))
		return;
	memmove(p->text, text, len);
	p->text[len] = '\0';
	p->len = len;
	p->literal = true;
	p->at_start = at_start;
	p->at_end = at_end;
}

int filter_pattern_init(struct filter_pattern *p, enum filter_op op, const char *text,
			struct kt_err *err)
{
	int ret;

	*p = (struct filter_pattern) { .len = strlen(text), .text = strdup(text) };
	if (!p->text)
		return kt_err_no_memory(err);
	if (op == FILTER_EQ || op == FILTER_NE || op == FILTER_GLOB) {
		p->op = op == FILTER_GLOB ? FILTER_GLOB : FILTER_EQ;
		return 0;
	}
	p->op = FILTER_LIKE;
	find_literal(p, text);
	if (p->literal)
		return 0;
	ret = grep_compile(&p->regex, text, REG_ICASE | REG_NOSUB, err);
	p->compiled = ret == 0;
	return ret;
}

void filter_pattern_fini(struct filter_pattern *p)
{
	if (p->compiled)
		regfree(&p->regex);
	free(p->text);
	*p = (struct filter_pattern) { .text = NULL };
}

static bool find_word(const struct filter_pattern *p, const char *s, size_t len)
{
	size_t i, last;

	if (len < p->len || (p->at_start && p->at_end && len != p->len))
		return false;
	i = p->at_end ? len - p->len : 0;
	last = p->at_start ? 0 : len - p->len;
	for (; i <= last; i++)
		if (!strncasecmp(s + i, p->text, p->len))
			return true;
	return false;
}

/*
 * Matches one [set] of a glob at *@g, and moves *@g after it. Without a closing
 * bracket, '[' is an ordinary character.
 */
static bool match_set(const char **g, const char *end, char c)
{
	const char *s = *g + 1;
	bool deny = s < end && *s == '!', found = false;

	if (deny)
		s++;
	do {
		if (s >= end) {
			(*g)++;
			return c == '[';
		}
		if (s + 2 < end && s[1] == '-' && s[2] != ']') {
			found |= (unsigned char)s[0] <= (unsigned char)c &&
				 (unsigned char)c <= (unsigned char)s[2];
			s += 3;
		} else {
			found |= *s++ == c;
		}
	} while (s >= end || *s != ']');
	*g = s + 1;
	return found != deny;
}

/* Does the glob at *@g begin with an element that matches @c? Moves *@g after that element. */
static bool match_one(const char **g, const char *end, char c)
{
	if (**g == '[')
		return match_set(g, end, c);
	if (**g == '\\' && *g + 1 < end)
		(*g)++;
	else if (**g == '?') {
		(*g)++;
		return true;
	}
	return *(*g)++ == c;
}

/* The kernel's globs: * ? [a-z] [!a-z]. Backtracks to the last '*' only, so its time is bounded. */
static bool match_glob(const char *g, size_t glen, const char *s, size_t len)
{
	const char *gend = g + glen, *send = s + len, *star = NULL, *retry = NULL, *next;

	for (;;) {
		if (g < gend && *g == '*') {
			star = ++g;
			retry = s;
			continue;
		}
		if (s == send)
			break;
		next = g;
		if (g < gend && match_one(&next, gend, *s)) {
			g = next;
			s++;
		} else if (star) {
			g = star;
			s = ++retry;
		} else {
			return false;
		}
	}
	return g == gend;
}

#ifdef REG_STARTEND
static bool match_regex(const regex_t *regex, const char *s, size_t len)
{
	regmatch_t at = { .rm_so = 0, .rm_eo = (regoff_t)len };

	return regexec(regex, s, 1, &at, REG_STARTEND) == 0;
}
#else
/* musl's regexec() needs a NUL-terminated text. */
static bool match_regex(const regex_t *regex, const char *s, size_t len)
{
	char *text = strndup(s, len);
	bool found = text && regexec(regex, text, 0, NULL, 0) == 0;

	free(text);
	return found;
}
#endif

bool filter_pattern_match(const struct filter_pattern *p, const char *s, size_t len)
{
	if (p->op == FILTER_EQ)
		return len == p->len && !memcmp(s, p->text, len);
	if (p->op == FILTER_GLOB)
		return match_glob(p->text, p->len, s, len);
	if (p->literal)
		return find_word(p, s, len);
	return match_regex(&p->regex, s, len);
}
