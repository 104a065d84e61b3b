/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* subject.c - the text that says what to measure: "wakeup comm==rt-app", "a -> b by pid" */
#include "latency/subject.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/str.h"
#include "base/units.h"

#define CONDITIONS 8

enum field { FIELD_COMM, FIELD_PID, FIELD_CPU, FIELD_PRIO };

static const char *const fields[] = { "comm", "pid", "cpu", "prio", NULL };

struct condition {
	enum field field;
	enum compare sign;
	const char *text;		/* for FIELD_COMM: a pattern */
	int64_t number;			/* for the others */
};

struct kt_latency_subject {
	enum kt_latency_kind kind;
	char *text;			/* as given */
	char *words;			/* holds all strings below */
	const char *name;		/* a pattern for the name of a row; NULL: all rows */
	struct condition conditions[CONDITIONS];
	size_t nr_conditions;
	struct kt_latency_step steps[KT_LATENCY_STEPS];
	const char *filters[KT_LATENCY_STEPS];	/* of the steps; NULL: none */
	size_t nr_steps;
};

/* ---- words ---- */

/* The next word, unquoted in place; NULL after the last. Quotes keep blanks together. */
static char *next_word(char **rest)
{
	char *p = *rest + strspn(*rest, " \t"), *word = p, *out = p, quote = 0;

	if (!*p)
		return NULL;
	for (; *p && (quote || !strchr(" \t", *p)); p++)
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else
			*out++ = *p;
	*rest = *p ? p + 1 : p;
	*out = '\0';
	return word;
}

static int take_name(struct kt_latency_subject *s, const char *word, struct kt_err *err)
{
	if (s->kind == KT_LATENCY_PAIR || s->name)
		return kt_err_set(err, -EINVAL, "unexpected '%s' in '%s'",
				  word, s->text);
	s->name = word;
	return 0;
}

static int take_condition(struct kt_latency_subject *s, char *word, struct kt_err *err)
{
	size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyz"), field;
	struct condition *c = &s->conditions[s->nr_conditions];
	const char *value = word + len;
	int sign = len ? compare_take_sign(&value) : -1, ret = 0;

	if (sign < 0)
		return take_name(s, word, err);
	if (s->nr_conditions == CONDITIONS)
		return kt_err_set(err, -EINVAL, "'%s' has more than %d conditions", s->text,
				  CONDITIONS);
	c->sign = (enum compare)sign;
	c->text = value;
	word[len] = '\0';
	for (field = 0; fields[field] && strcmp(word, fields[field]) != 0; field++)
		;
	if (!fields[field])
		return kt_err_set(err, -EINVAL,
				  "a condition compares comm, pid, cpu or prio, not '%s'", word);
	c->field = (enum field)field;
	if (c->field == FIELD_COMM && c->sign > COMPARE_NE)
		return kt_err_set(err, -EINVAL, "names can be compared only with == and !=");
	if (c->field == FIELD_PRIO && s->kind != KT_LATENCY_WAKEUP)
		return kt_err_set(err, -EINVAL, "only 'wakeup' has a prio");
	if (c->field != FIELD_COMM)
		ret = units_parse_i64(c->text, &c->number, err);
	s->nr_conditions += ret == 0;
	return ret;
}

static int take_conditions(struct kt_latency_subject *s, char *rest, struct kt_err *err)
{
	char *word;
	int ret = 0;

	while (ret == 0 && (word = next_word(&rest)))
		ret = take_condition(s, word, err);
	return ret;
}

/* ---- a kind ---- */

static int find_kind(const char *word, enum kt_latency_kind *kind, struct kt_err *err)
{
	const char *names[KT_LATENCY_PAIR + 1] = { NULL }, *near;
	unsigned int i;

	for (i = 0; i < KT_LATENCY_PAIR; i++)
		names[i] = kt_latency_kind_name(i);
	for (i = 0; i < KT_LATENCY_PAIR && strcmp(word, names[i]) != 0; i++)
		;
	*kind = strcmp(word, "call") == 0 ? KT_LATENCY_CALL : i;
	if (*kind < KT_LATENCY_PAIR)
		return 0;
	near = str_nearest(word, names);
	return near ? kt_err_set(err, -EINVAL,
				 "'%s' is not a kind of latency; did you mean '%s'?", word, near)
		    : kt_err_set(err, -EINVAL, "'%s' is not a kind of latency", word);
}

static int parse_kind(struct kt_latency_subject *s, struct kt_err *err)
{
	char *rest = s->words, *word = next_word(&rest);
	int ret = word ? find_kind(word, &s->kind, err)
		       : kt_err_set(err, -EINVAL, "a kind of latency is expected");

	if (ret == 0)
		ret = take_conditions(s, rest, err);
	/* Kinds whose rows are tasks */
	if (ret < 0 || !s->name || strcmp(kt_latency_kind_noun(s->kind), "task") != 0)
		return ret;
	if (s->nr_conditions == CONDITIONS)
		return kt_err_set(err, -EINVAL, "'%s' has more than %d conditions", s->text,
				  CONDITIONS);
	s->conditions[s->nr_conditions++] = (struct condition){ FIELD_COMM, .text = s->name };
	s->name = NULL;
	return 0;
}

/* ---- a pair or chain of events ---- */

const char *subject_cut_filter(char *step)
{
	char *p = step + strcspn(step, ":/");

	if (*p) {
		char *name = p + 1;
		size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz_"
					  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

		if (len && (*p == '/' || !name[len] || name[len] == ':')) {
			*p = ':';
			p = name + len;
		}
	}
	if (*p != ':')
		return NULL;
	*p = '\0';
	return p + 1;
}

static int take_step(struct kt_latency_subject *s, char *step, struct kt_err *err)
{
	step = str_trim(step);
	if (!*step)
		return kt_err_set(err, -EINVAL, "an event is missing in '%s'", s->text);
	if (s->nr_steps == KT_LATENCY_STEPS)
		return kt_err_set(err, -EINVAL, "at most %d events in a chain", KT_LATENCY_STEPS);
	s->filters[s->nr_steps] = subject_cut_filter(step);
	s->steps[s->nr_steps++].event = step;
	return 0;
}

/* "pid=next_pid": a key for each event; the last key also serves the events after it. */
static void take_keys(struct kt_latency_subject *s, char *keys)
{
	const char *key = NULL;
	size_t i;

	for (i = 0; i < s->nr_steps; i++) {
		if (keys)
			key = strsep(&keys, "=");
		s->steps[i].key = key;
	}
}

#define ARROW "->"

static int parse_pair(struct kt_latency_subject *s, struct kt_err *err)
{
	char *step = s->words, *arrow, *by = NULL, *keys = NULL;
	int ret = 0;

	s->kind = KT_LATENCY_PAIR;
	for (; ret == 0 && step; step = arrow ? arrow + strlen(ARROW) : NULL) {
		arrow = strstr(step, ARROW);
		if (arrow)
			*arrow = '\0';
		else
			by = strstr(step, " by ");
		if (by)
			*by = '\0';
		ret = take_step(s, step, err);
	}
	if (by) {
		by += strlen(" by ");
		keys = next_word(&by);
	}
	if (ret == 0)
		take_keys(s, keys);
	return ret < 0 || !by ? ret : take_conditions(s, by, err);
}

/* ---- creation and destruction ---- */

static struct kt_latency_subject *create(const char *text, struct kt_err *err)
{
	struct kt_latency_subject *s = calloc(1, sizeof(*s));

	if (s) {
		s->text = strdup(text);
		s->words = strdup(text);
		if (s->text && s->words)
			return s;
	}
	kt_latency_subject_destroy(s);
	kt_err_no_memory(err);
	return NULL;
}

struct kt_latency_subject *kt_latency_subject_parse(const char *text, struct kt_err *err)
{
	struct kt_latency_subject *s = create(text, err);

	if (s && (strstr(text, ARROW) ? parse_pair(s, err) : parse_kind(s, err)) < 0) {
		kt_latency_subject_destroy(s);
		s = NULL;
	}
	return s;
}

struct kt_latency_subject *kt_latency_subject_pair(const char *const events[], size_t nr,
						   const char *keys, struct kt_err *err)
{
	struct kt_latency_subject *s = NULL;
	struct str text = STR_INIT;
	char *word;
	size_t i;
	int ret = 0;

	for (i = 0; i < nr; i++)
		str_addf(&text, "%s%s", events[i], i + 1 < nr ? " " ARROW " " : "");
	s = create(text.buf, err);
	str_reset(&text);
	for (i = 0; i < nr; i++)
		str_addn(&text, events[i], strlen(events[i]) + 1);
	str_add(&text, keys ? keys : "");
	if (s) {
		free(s->words);
		s->words = word = str_take(&text);
		s->kind = KT_LATENCY_PAIR;
		ret = word ? 0 : kt_err_no_memory(err);
		for (i = 0; ret == 0 && i < nr; i++, word += strlen(events[i - 1]) + 1)
			ret = take_step(s, word, err);
		if (ret == 0)
			take_keys(s, keys ? word : NULL);
	}
	str_fini(&text);
	if (ret == 0)
		return s;
	kt_latency_subject_destroy(s);
	return NULL;
}

static void drop_filters(struct kt_latency_subject *s)
{
	size_t i;

	for (i = 0; i < s->nr_steps; i++) {
		kt_filter_destroy(s->steps[i].only);
		s->steps[i].only = NULL;
	}
}

void kt_latency_subject_destroy(struct kt_latency_subject *s)
{
	if (!s)
		return;
	drop_filters(s);
	free(s->words);
	free(s->text);
	free(s);
}

enum kt_latency_kind kt_latency_subject_kind(const struct kt_latency_subject *s)
{
	return s->kind;
}

const char *kt_latency_subject_text(const struct kt_latency_subject *s)
{
	return s->text;
}

/* The filter language names an event "system/event". */
struct kt_filter *subject_filter(struct kt_trace *t, const char *event, const char *expr,
				 struct kt_err *err)
{
	struct kt_filter *f = kt_filter_create(t);
	const char *colon = strchr(event, ':');
	struct str text = STR_INIT;
	int ret;

	if (colon)
		str_addf(&text, "%.*s/%s", (int)(colon - event), event, colon + 1);
	else
		str_add(&text, event);
	if (expr)
		str_addf(&text, ": %s", expr);
	ret = f && !text.failed ? kt_filter_add(f, text.buf, false, -1, err)
				: kt_err_no_memory(err);
	str_fini(&text);
	if (ret == 0)
		return f;
	kt_filter_destroy(f);
	return NULL;
}

int kt_latency_subject_steps(struct kt_latency_subject *s, struct kt_trace *t,
			     const struct kt_latency_step **steps, size_t *nr, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	drop_filters(s);
	for (i = 0; i < s->nr_steps && ret == 0; i++)
		if (s->filters[i]) {
			s->steps[i].only = subject_filter(t, s->steps[i].event, s->filters[i], err);
			ret = s->steps[i].only ? 0 : kt_err_code(err, -ENOMEM);
		}
	*steps = s->steps;
	*nr = s->nr_steps;
	return ret;
}

/* ---- matching a latency ---- */

static bool matches(const char *pattern, const char *text, size_t len)
{
	char part[128];

	if (len >= sizeof(part))
		return false;
	memcpy(part, text, len);
	part[len] = '\0';
	return fnmatch(pattern, part, 0) == 0;
}

const char *subject_name(const struct kt_latency_subject *s)
{
	return s->name;
}

bool subject_chooses_tasks(const struct kt_latency_subject *s)
{
	size_t i;

	for (i = 0; i < s->nr_conditions; i++)
		if (s->conditions[i].field == FIELD_COMM || s->conditions[i].field == FIELD_PID)
			return true;
	return false;
}

void subject_events(const struct kt_latency_subject *s, const char *names[KT_LATENCY_STEPS + 1])
{
	size_t i;

	for (i = 0; i < s->nr_steps; i++)
		names[i] = s->steps[i].event;
	names[i] = NULL;
}

bool subject_as_pair(const struct kt_latency_subject *s, struct subject_pair *p)
{
	if (s->nr_steps != 2 || !s->steps[0].key)
		return false;
	*p = (struct subject_pair){
		.from = s->steps[0].event, .from_key = s->steps[0].key, .from_only = s->filters[0],
		.to = s->steps[1].event, .to_key = s->steps[1].key, .to_only = s->filters[1],
	};
	return true;
}

bool subject_add_filter(const struct kt_latency_subject *s, bool comm, bool prio, struct str *out)
{
	static const char *const names[] = {
		[FIELD_PID] = "pid", [FIELD_CPU] = "CPU", [FIELD_PRIO] = "prio",
	};
	const struct condition *c;

	for (c = s->conditions; c < s->conditions + s->nr_conditions; c++) {
		if (c->field == FIELD_COMM && (!comm || strpbrk(c->text, "\"\\")))
			return false;
		if (c->field == FIELD_PRIO && !prio)
			return false;
		if (c->field == FIELD_COMM)
			str_addf(out, " && %s(comm ~ \"%s\")", c->sign == COMPARE_NE ? "!" : "",
				 c->text);
		else
			str_addf(out, " && %s %s %lld", names[c->field], compare_sign(c->sign),
				 (long long)c->number);
	}
	return true;
}

/* Each word of "24 eth0" and "mutex foo" matches, too. */
bool subject_has_name(const struct kt_latency_subject *s, const char *row)
{
	const char *blank = strchr(row, ' ');

	if (!s->name || fnmatch(s->name, row, 0) == 0)
		return true;
	return blank && (matches(s->name, row, (size_t)(blank - row)) ||
			 fnmatch(s->name, blank + 1, 0) == 0);
}

static bool holds(const struct condition *c, struct kt_trace *t, const struct kt_latency *one)
{
	const char *comm;

	switch (c->field) {
	case FIELD_COMM:
		comm = kt_trace_comm_known(t, one->file, one->pid);
		return (comm && fnmatch(c->text, comm, 0) == 0) == (c->sign == COMPARE_EQ);
	case FIELD_PID:
		return compare_holds(c->sign, one->pid, c->number);
	case FIELD_CPU:
		return compare_holds(c->sign, one->cpu, c->number);
	default:
		return compare_holds(c->sign, (int64_t)one->value, c->number);
	}
}

bool subject_has(const struct kt_latency_subject *s, struct kt_trace *t,
		 const struct kt_latency *one)
{
	size_t i;

	for (i = 0; i < s->nr_conditions && holds(&s->conditions[i], t, one); i++)
		;
	return i == s->nr_conditions;
}
