/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* search.c - find names that contain the letters of a few words, the best first */
#include "control/control_priv.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"

#define WORDS_MAX 8
#define SCORES 1024			/* scores of a word are below this; 0: no match */

struct query {
	char text[256];			/* lower case, words ended by zero bytes */
	const char *words[WORDS_MAX];
	size_t nr;
};

struct hit {
	uint16_t score;
	uint32_t item;			/* nodes, then functions */
};

static void parse(struct query *q, const char *text)
{
	char *p = q->text;
	size_t i;

	for (i = 0; text[i] && i < sizeof(q->text) - 1; i++)
		q->text[i] = (char)tolower((unsigned char)text[i]);
	q->text[i] = 0;
	for (q->nr = 0; *p && q->nr < WORDS_MAX; ) {
		p += strspn(p, " ");
		if (*p)
			q->words[q->nr++] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = 0;
	}
}

static int lower(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? ch + 'a' - 'A' : ch;
}

static bool begins_word(const char *name, size_t at)
{
	return at == 0 || !isalnum((unsigned char)name[at - 1]);
}

static size_t common(const char *name, const char *word)
{
	size_t len = 0;

	while (word[len] && lower(name[len]) == word[len])
		len++;
	return len;
}

/* The word as a whole: best as the whole name, then at the start of a word. 0: not found */
static unsigned int score_whole(const char *name, const char *word, size_t len)
{
	unsigned int best = 0;
	size_t at;

	for (at = 0; name[at]; at++) {
		unsigned int score;

		if (lower(name[at]) != *word || common(name + at, word) < len)
			continue;
		score = 600 + (at == 0 ? 150 : 0) + (begins_word(name, at) ? 100 : 0) +
			(!isalnum((unsigned char)name[at + len]) ? 50 : 0);
		best = score > best ? score : best;
	}
	return best;
}

/* The letters in order: fewer pieces are better, and pieces at the start of words */
static unsigned int score_letters(const char *name, const char *word)
{
	unsigned int score = 400;
	bool apart = true;
	size_t at;

	for (at = 0; name[at] && *word; at++) {
		if (lower(name[at]) == *word) {
			if (apart)
				score -= begins_word(name, at) ? 5 : 40;
			score = score > 400 ? 1 : score;
			apart = false;
			word++;
		} else {
			apart = true;
		}
	}
	if (*word)
		return 0;
	return score ? score : 1;
}

/* The score of a name: 0 if a word is missing */
static unsigned int score_of(const struct query *q, const char *name)
{
	unsigned int sum = 0, score, len = (unsigned int)strlen(name);
	size_t i;

	for (i = 0; i < q->nr; i++) {
		score = score_whole(name, q->words[i], strlen(q->words[i]));
		if (!score)
			score = score_letters(name, q->words[i]);
		if (!score)
			return 0;
		sum += score;
	}
	sum /= (unsigned int)q->nr;
	/* Of names with equal scores, prefer short ones */
	sum = sum * 1000 / (1000 + len * 2);
	return clamp(sum, 1, SCORES - 1);
}

static unsigned int score_node(const struct kt_control *c, const struct query *q,
			       const struct node *n)
{
	unsigned int score = 0, with;
	char name[256];

	switch (n->kind) {
	case KT_CONTROL_EVENT:		/* "sched:sched_switch" too; but that matches many */
		snprintf(name, sizeof(name), "%s:%s", c->nodes[n->parent].name, n->name);
		score = score_of(q, n->name);
		with = score_of(q, name);
		return score > with ? score : with;
	case KT_CONTROL_EVENTS:
	case KT_CONTROL_OPTIONS:
	case KT_CONTROL_FUNCTIONS:
		return 0;
	default:
		return score_of(q, n->name);
	}
}

static int by_score(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

/* The lowest score that is shown */
static unsigned int least_shown(const size_t counts[SCORES])
{
	unsigned int score = SCORES - 1;
	size_t nr = 0;

	for (; score > 1; score--) {
		nr += counts[score];
		if (nr >= KT_CONTROL_FOUND)
			break;
	}
	return score;
}

static void show_hits(struct kt_control *c, const uint16_t *scores, size_t nr, unsigned int least)
{
	struct hit *hits = calloc(nr + 1, sizeof(*hits));
	size_t i, found = 0;

	for (i = 0; hits && i < nr; i++)
		if (scores[i] >= least)
			hits[found++] = (struct hit){ scores[i], (uint32_t)i };
	if (hits)
		qsort(hits, found, sizeof(*hits), by_score);
	for (i = 0; i < found && i < KT_CONTROL_FOUND; i++) {
		size_t item = hits[i].item;

		if (item < c->nr_nodes)
			control_add_row(c, (uint32_t)item, NULL);
		else
			control_add_row(c, TOP_FUNCTIONS + (uint32_t)c->list, c->functions_text +
					c->functions[item - c->nr_nodes]);
	}
	free(hits);
}

size_t kt_control_search(struct kt_control *c, const char *text)
{
	size_t counts[SCORES] = { 0 }, i, nr, found = 0;
	struct query q;
	uint16_t *scores;

	parse(&q, text ? text : "");
	if (!q.nr) {
		control_show_rows(c);
		return c->nr_rows;
	}
	control_read_functions(c, NULL);
	nr = c->nr_nodes + c->nr_functions;
	scores = calloc(nr + 1, sizeof(*scores));
	if (!scores)
		return 0;
	for (i = 0; i < nr; i++) {
		scores[i] = (uint16_t)(i < c->nr_nodes ? score_node(c, &q, &c->nodes[i]) :
				       score_of(&q, c->functions_text +
						c->functions[i - c->nr_nodes]));
		counts[scores[i]]++;
		found += scores[i] != 0;
	}
	c->nr_rows = 0;
	c->searching = true;
	show_hits(c, scores, nr, least_shown(counts));
	free(scores);
	return found;
}
