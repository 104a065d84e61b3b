/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* parse.c - a metric as a text: "p99(wakeup comm==rt-app) < 200us and count(irq 24) < 1000" */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "base/suggest.h"
#include "base/units.h"
#include "latency/subject.h"
#include "metric/metric.h"

#define PARTS_MAX 64

struct parser {
	struct kt_metric *metric;
	const char *text, *at;
	struct kt_err *err;
};

static const struct {
	const char *name;
	enum figure figure;
	uint32_t rank;
} figures[] = {
	{ "count", FIGURE_COUNT, 0 }, { "rate", FIGURE_RATE, 0 }, { "errors", FIGURE_ERRORS, 0 },
	{ "total", FIGURE_TOTAL, 0 }, { "avg", FIGURE_AVG, 0 }, { "min", FIGURE_RANK, 0 },
	{ "max", FIGURE_RANK, PPM },
};

#define NR_FIGURES (sizeof(figures) / sizeof(*figures))

static int wrong(struct parser *p, const char *at, const char *what)
{
	return kt_err_set(p->err, -EINVAL, "%s, at character %zu of '%s'", what,
			  (size_t)(at - p->text) + 1, p->text);
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\n");
}

/* ---- the figure ---- */

/* "p99", "p99.9"; 0: not a percentile */
static uint32_t parse_percentile(const char *word)
{
	char *end;
	double percent;

	if (*word != 'p' || !strchr("0123456789", word[1]) || !word[1])
		return 0;
	percent = strtod(word + 1, &end);
	return *end || !(percent > 0 && percent < 100) ? 0 : (uint32_t)lround(percent * 1e4);
}

static int unknown_figure(struct parser *p, const char *at, const char *word)
{
	const char *names[NR_FIGURES + 4] = { "p50", "p90", "p99" };
	char list[SUGGEST_SIZE], text[SUGGEST_SIZE + 80];
	size_t i;

	for (i = 0; i < NR_FIGURES; i++)
		names[i + 3] = figures[i].name;
	snprintf(text, sizeof(text), "'%.32s' is not a figure%s", word, suggest(word, names, list));
	return wrong(p, at, text);
}

static int parse_figure(struct parser *p, struct part *part)
{
	const char *from = p->at;
	size_t len = strcspn(from, " \t\n("), i;
	char *word = strndup(from, len);
	int ret = 0;

	if (!word)
		return kt_err_no_memory(p->err);
	for (i = 0; i < NR_FIGURES && strcmp(word, figures[i].name) != 0; i++)
		;
	part->rank = parse_percentile(word);
	part->figure = FIGURE_RANK;
	if (i < NR_FIGURES) {
		part->figure = figures[i].figure;
		part->rank = figures[i].rank;
	} else if (!len) {
		ret = wrong(p, from, "a figure is expected, as in p99(wakeup) < 200us");
	} else if (!part->rank || part->rank >= PPM) {
		ret = unknown_figure(p, from, word);
	}
	free(word);
	p->at += len;
	return ret;
}

/* ---- the subject ---- */

/* The ')' of the '(' before @at; NULL: there is none */
static const char *find_close(const char *at)
{
	unsigned int open = 0;
	char quote = 0;

	for (; *at; at++) {
		if (quote || *at == '"' || *at == '\'') {
			quote = str_quote_after(quote, *at);
			continue;
		}
		if (*at == ')' && !open--)
			return at;
		open += *at == '(';
	}
	return NULL;
}

static int parse_event(struct source *s, const char *text, struct kt_err *err)
{
	s->event = strdup(text);
	if (!s->event)
		return kt_err_no_memory(err);
	s->filter = subject_cut_filter(s->event);
	if (!*s->event || strpbrk(s->event, " \t\n"))
		return kt_err_set(err, -EINVAL, "'event' needs a name, and a filter follows a "
				  "colon: event sched:sched_switch: prev_prio < 50");
	return 0;
}

static void free_source(struct source *s)
{
	if (!s)
		return;
	kt_latency_subject_destroy(s->latency);
	free(s->event);
	free(s->text);
	free(s);
}

static struct source *parse_source(const char *text, struct kt_err *err)
{
	struct source *s = calloc(1, sizeof(*s));
	int ret = 0;

	if (!s || !(s->text = strdup(text)))
		ret = kt_err_no_memory(err);
	else if (str_starts(text, "event ") || strcmp(text, "event") == 0)
		ret = parse_event(s, text + strlen("event") + strspn(text + 5, " \t"), err);
	else if (!(s->latency = kt_latency_subject_parse(text, err)))
		ret = kt_err_code(err, -ENOMEM);
	if (ret == 0)
		return s;
	free_source(s);
	return NULL;
}

/* The index of the source: shared with an earlier part of the same text, or new */
static int add_source(struct kt_metric *m, const char *text, struct kt_err *err)
{
	struct source *s;
	size_t i;

	for (i = 0; i < m->nr_sources; i++)
		if (strcmp(m->sources[i]->text, text) == 0)
			return (int)i;
	s = parse_source(text, err);
	if (!s)
		return kt_err_code(err, -ENOMEM);
	if (!array_reserve(m->sources, m->nr_sources)) {
		free_source(s);
		return kt_err_no_memory(err);
	}
	s->metric = m;
	m->sources[m->nr_sources] = s;
	return (int)m->nr_sources++;
}

/* Does this figure exist for that subject? */
static const char *refusal(const struct part *part, const struct source *s)
{
	if (!s->latency && part->figure != FIGURE_COUNT && part->figure != FIGURE_RATE)
		return "events have no duration: only count() and rate()";
	if (part->figure == FIGURE_ERRORS &&
	    kt_latency_subject_kind(s->latency) != KT_LATENCY_SYSCALL)
		return "only 'syscall' has errors";
	return NULL;
}

static int parse_subject(struct parser *p, struct part *part)
{
	const char *open, *close, *why;
	struct kt_err reason = { 0 };
	char *text;
	int i;

	skip_blanks(p);
	open = p->at;
	if (*open != '(')
		return wrong(p, open, "'(' and a subject are expected, as in p99(wakeup) < 200us");
	close = find_close(open + 1);
	if (!close)
		return wrong(p, open, "this parenthesis is not closed");
	text = strndup(open + 1, (size_t)(close - open) - 1);
	i = text ? add_source(p->metric, str_trim(text), &reason) : -ENOMEM;
	free(text);
	if (i < 0)
		return i == -ENOMEM ? kt_err_no_memory(p->err) : wrong(p, open + 1, reason.msg);
	part->source = (size_t)i;
	why = refusal(part, p->metric->sources[i]);
	p->at = close + 1;
	return why ? wrong(p, open + 1, why) : 0;
}

/* ---- the limit ---- */

static int parse_number(const char *text, const char *suffix, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end > text && strchr("0123456789.", *text) && isfinite(*value) &&
	       (!*end || strcmp(end, suffix) == 0) ? 0 : -EINVAL;
}

static int parse_value(struct parser *p, struct part *part, const char *text)
{
	enum kt_metric_unit unit = metric_unit(part);

	if (unit == KT_METRIC_NS) {
		if (units_parse_time(text, 0, &part->limit_ns, NULL) < 0 ||
		    (!part->limit_ns && strcmp(text, "0") != 0))
			return wrong(p, p->at, "a time with a unit is expected, such as 200us");
		part->limit = (double)part->limit_ns;
		return 0;
	}
	if (parse_number(text, unit == KT_METRIC_PER_SECOND ? "/s" : "", &part->limit) == 0)
		return 0;
	return wrong(p, p->at, unit == KT_METRIC_PER_SECOND ?
		     "a number is expected, such as 100 or 100/s" :
		     "a number is expected, such as 100");
}

static int parse_limit(struct parser *p, struct part *part)
{
	const char *from;
	char *value;
	size_t len;
	int ret, sign;

	skip_blanks(p);
	from = p->at;
	sign = compare_take_sign(&p->at);
	if (sign < 0)
		return wrong(p, from, "a comparison is expected, as in p99(wakeup) < 200us");
	if (metric_unit(part) == KT_METRIC_NS && sign <= COMPARE_NE)
		return wrong(p, from, "compare a time with <, <=, > or >=");
	part->sign = (enum compare)sign;
	skip_blanks(p);
	len = strcspn(p->at, " \t\n");
	value = strndup(p->at, len);
	ret = value ? parse_value(p, part, value) : kt_err_no_memory(p->err);
	free(value);
	p->at += len;
	part->limit_text = ret == 0 ? strndup(from, (size_t)(p->at - from)) : NULL;
	if (ret < 0)
		return ret;
	return part->limit_text ? 0 : kt_err_no_memory(p->err);
}

/* ---- the whole metric ---- */

static void free_part(struct part *part)
{
	free(part->name);
	free(part->limit_text);
	free(part->why);
}

static int keep_part(struct parser *p, const struct part *part)
{
	struct kt_metric *m = p->metric;
	struct part *added;

	if (m->nr == PARTS_MAX)
		return kt_err_set(p->err, -EINVAL, "more than %d conditions", PARTS_MAX);
	added = array_add(m->parts, m->nr);
	if (!added)
		return kt_err_no_memory(p->err);
	*added = *part;
	return 0;
}

static int fill_part(struct parser *p, struct part *part)
{
	const char *from = p->at;
	int ret = parse_figure(p, part);

	if (ret < 0)
		return ret;
	ret = parse_subject(p, part);
	if (ret < 0)
		return ret;
	part->name = strndup(from, (size_t)(p->at - from));
	if (!part->name)
		return kt_err_no_memory(p->err);
	ret = parse_limit(p, part);
	return ret < 0 ? ret : keep_part(p, part);
}

static int parse_part(struct parser *p)
{
	struct part part = { 0 };
	int ret;

	skip_blanks(p);
	ret = fill_part(p, &part);
	if (ret < 0)
		free_part(&part);
	return ret;
}

static bool take_and(struct parser *p)
{
	skip_blanks(p);
	if (!str_starts(p->at, "and") || !strchr(" \t\n", p->at[3]) || !p->at[3])
		return false;
	p->at += 3;
	return true;
}

int kt_metric_add(struct kt_metric *m, const char *text, struct kt_err *err)
{
	struct kt_err own = { 0 };
	struct parser p = { .metric = m, .text = text, .at = text, .err = &own };
	size_t nr = m->nr, nr_sources = m->nr_sources;
	int ret = parse_part(&p);

	while (ret == 0 && take_and(&p))
		ret = parse_part(&p);
	if (ret == 0 && *p.at)
		ret = wrong(&p, p.at, "'and' or the end is expected");
	if (ret == 0)
		return 0;
	while (m->nr > nr)
		free_part(&m->parts[--m->nr]);
	while (m->nr_sources > nr_sources)
		free_source(m->sources[--m->nr_sources]);
	return kt_err_set(err, ret, "%s", own.msg);
}

struct kt_metric *kt_metric_parse(const char *text, struct kt_err *err)
{
	struct kt_metric *m = calloc(1, sizeof(*m));

	if (!m)
		kt_err_no_memory(err);
	else if (kt_metric_add(m, text, err) == 0)
		return m;
	kt_metric_destroy(m);
	return NULL;
}

void kt_metric_destroy(struct kt_metric *m)
{
	if (!m)
		return;
	kt_metric_close(m);
	while (m->nr)
		free_part(&m->parts[--m->nr]);
	while (m->nr_sources)
		free_source(m->sources[--m->nr_sources]);
	free(m->parts);
	free(m->sources);
	free(m);
}
