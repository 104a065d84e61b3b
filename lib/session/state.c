/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state.c - a configuration as text, and the difference of two */
#include "session/state.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"

struct kt_state_section *state_add_section(struct kt_state *state, const char *name)
{
	struct kt_state_section *grown;

	grown = reallocarray(state->sections, state->nr + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	state->sections = grown;
	grown[state->nr] = (struct kt_state_section){ .name = strdup(name) };
	return grown[state->nr].name ? &grown[state->nr++] : NULL;
}

int state_add_line(struct kt_state_section *s, const char *key, const char *value, size_t len)
{
	struct kt_state_line *line = array_add(s->lines, s->nr);

	if (!line)
		return -ENOMEM;
	*line = (struct kt_state_line){ strdup(key), strndup(value, len) };
	return line->key && line->value ? 0 : -ENOMEM;
}

void state_section_fini(struct kt_state_section *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		free(s->lines[i].key);
		free(s->lines[i].value);
	}
	free(s->lines);
	free(s->name);
	*s = (struct kt_state_section){ 0 };
}

void kt_state_destroy(struct kt_state *state)
{
	size_t i;

	if (!state)
		return;
	for (i = 0; i < state->nr; i++)
		state_section_fini(&state->sections[i]);
	free(state->sections);
	free(state);
}

const struct kt_state_section *state_find(const struct kt_state *state, const char *name)
{
	size_t i;

	for (i = 0; i < state->nr; i++)
		if (strcmp(state->sections[i].name, name) == 0)
			return &state->sections[i];
	return NULL;
}

void kt_state_keep_sections(struct kt_state *state, const struct kt_state *other)
{
	size_t i, kept = 0;

	for (i = 0; i < state->nr; i++)
		if (state_find(other, state->sections[i].name))
			state->sections[kept++] = state->sections[i];
		else
			state_section_fini(&state->sections[i]);
	state->nr = kept;
}

bool state_has(const struct kt_state_section *s, const char *key, const char *value)
{
	size_t i;

	for (i = 0; s && i < s->nr; i++)
		if (strcmp(s->lines[i].key, key) == 0 && strcmp(s->lines[i].value, value) == 0)
			return true;
	return false;
}

const char *kt_state_next(const struct kt_state_section *s, const char *key, size_t *i)
{
	while (s && *i < s->nr) {
		const struct kt_state_line *line = &s->lines[(*i)++];

		if (strcmp(line->key, key) == 0)
			return line->value;
	}
	return NULL;
}

const char *kt_state_value(const struct kt_state_section *s, const char *key)
{
	size_t i = 0;

	return kt_state_next(s, key, &i);
}

int kt_state_add(struct kt_state_section *s, const char *key, const char *value)
{
	return state_add_line(s, key, value, strlen(value));
}

int state_addf(struct kt_state_section *s, const char *key, const char *fmt, ...)
{
	va_list ap;
	char *value;
	int ret;

	va_start(ap, fmt);
	ret = vasprintf(&value, fmt, ap);
	va_end(ap);
	if (ret < 0)
		return -ENOMEM;
	ret = kt_state_add(s, key, value);
	free(value);
	return ret;
}

int kt_state_set(struct kt_state_section *s, const char *key, const char *value)
{
	char *copy;
	size_t i;

	for (i = 0; i < s->nr && strcmp(s->lines[i].key, key) != 0; i++)
		;
	if (i == s->nr)
		return kt_state_add(s, key, value);
	copy = strdup(value);
	if (!copy)
		return -ENOMEM;
	free(s->lines[i].value);
	s->lines[i].value = copy;
	return 0;
}

int state_words(const struct kt_state_section *s, const char *key, struct kt_names *words)
{
	const char *value;
	size_t i = 0;
	int ret = 0;

	while (ret == 0 && (value = kt_state_next(s, key, &i)))
		ret = kt_names_add_words(words, value, " ");
	return ret;
}

bool state_is_machine(const struct kt_state_section *s)
{
	return strcmp(s->name, "machine") == 0;
}

const char *state_instance(const struct kt_state_section *s)
{
	return str_starts(s->name, "instance ") ? s->name + strlen("instance ") : "";
}

/* A trigger may need a buffer that accepts events, so it counts. */
bool state_traces(const struct kt_state_section *s)
{
	const char *tracer = kt_state_value(s, "current_tracer");

	return kt_state_value(s, "event") || kt_state_value(s, "trigger") ||
	       (tracer && strcmp(tracer, "nop") != 0);
}

bool state_wants_functions(const struct kt_state_section *s)
{
	const char *tracer = kt_state_value(s, "current_tracer");
	int list;

	for (list = 0; list <= KT_FUNCTIONS_GRAPH_NOTRACE; list++)
		if (kt_state_value(s, kt_function_list_file(list)))
			return true;
	return tracer && strcmp(tracer, "nop") != 0;
}

static int parse_section(struct kt_state *state, char *line, size_t nr, struct kt_err *err)
{
	char *end = line + strlen(line) - 1;
	const char *name = str_trim(line + 1);

	if (*end != ']')
		return kt_err_set(err, -EINVAL, "state, line %zu: ']' is missing", nr);
	*end = '\0';
	if (strcmp(name, "machine") != 0 && strcmp(name, "buffer") != 0 &&
	    !(str_starts(name, "instance ") && name[9]))
		return kt_err_set(err, -EINVAL, "state, line %zu: no section '[%s]': [machine], "
				  "[buffer] or [instance NAME]", nr, name);
	if (state_find(state, name))
		return kt_err_set(err, -EINVAL, "state, line %zu: [%s] comes twice", nr, name);
	return state_add_section(state, name) ? 0 : -ENOMEM;
}

/* A key must be a file below the buffer: this text may come from another user. */
static bool is_key(const char *key)
{
	return *key && *key != '/' && !strstr(key, "..") &&
	       strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/") ==
	       strlen(key);
}

/* For some keys, the value begins with a name that becomes part of a path: it must not leave the
 * folder of events or monitors. */
static bool is_value(const char *key, const char *value)
{
	size_t len = strcspn(value, " ");

	return !str_has_word("event filter trigger rv", key) || !memmem(value, len, "..", 2);
}

static int parse_line(struct kt_state *state, char *line, size_t nr, struct kt_err *err)
{
	char *eq = strchr(line, '='), *key, *value;

	if (*line == '[')
		return parse_section(state, line, nr, err);
	if (!eq)
		return kt_err_set(err, -EINVAL, "state, line %zu: 'KEY = VALUE' is expected", nr);
	if (!state->nr)
		return kt_err_set(err, -EINVAL, "state, line %zu: a section is expected first, "
				  "e.g. [buffer]", nr);
	*eq = '\0';
	key = str_trim(line);
	value = str_trim(eq + 1);
	if (!is_key(key))
		return kt_err_set(err, -EINVAL, "state, line %zu: '%s' is not a setting", nr, key);
	if (!is_value(key, value))
		return kt_err_set(err, -EINVAL, "state, line %zu: '%s' is not the name of %s", nr,
				  value, strcmp(key, "rv") == 0 ? "a monitor" : "an event");
	return state_add_line(&state->sections[state->nr - 1], key, value, strlen(value));
}

struct kt_state *kt_state_parse(const char *text, struct kt_err *err)
{
	struct kt_state *state = calloc(1, sizeof(*state));
	int ret = state ? 0 : -ENOMEM;
	size_t len, nr;

	for (nr = 1; ret == 0 && *text; nr++, text += len + (text[len] == '\n')) {
		char *copy, *line;

		len = strcspn(text, "\n");
		copy = strndup(text, len);
		line = copy ? str_trim(copy) : NULL;
		if (!line)
			ret = -ENOMEM;
		else if (*line && *line != '#')
			ret = parse_line(state, line, nr, err);
		free(copy);
	}
	if (ret == 0)
		return state;
	kt_err_result(err, ret);
	kt_state_destroy(state);
	return NULL;
}

char *kt_state_text(const struct kt_state *state)
{
	struct str s = STR_INIT;
	size_t i, l;

	for (i = 0; i < state->nr; i++) {
		const struct kt_state_section *sec = &state->sections[i];

		str_addf(&s, "%s[%s]\n", i ? "\n" : "", sec->name);
		for (l = 0; l < sec->nr; l++)
			str_addf(&s, "%s =%s%s\n", sec->lines[l].key,
				 *sec->lines[l].value ? " " : "",
				 sec->lines[l].value);
	}
	return str_take(&s);
}

/* Add the lines of @a that @b lacks, each after @sign; before the first, the section's name */
static void add_missing(struct str *out, char sign, const struct kt_state_section *a,
			const struct kt_state_section *b, bool *named)
{
	size_t i;

	for (i = 0; a && i < a->nr; i++) {
		if (state_has(b, a->lines[i].key, a->lines[i].value))
			continue;
		if (!*named)
			str_addf(out, "[%s]\n", a->name);
		*named = true;
		str_addf(out, "%c%s = %s\n", sign, a->lines[i].key, a->lines[i].value);
	}
}

char *kt_state_diff(const struct kt_state *a, const struct kt_state *b)
{
	struct str out = STR_INIT;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		const struct kt_state_section *other = state_find(b, a->sections[i].name);
		bool named = false;

		add_missing(&out, '-', &a->sections[i], other, &named);
		add_missing(&out, '+', other, &a->sections[i], &named);
	}
	for (i = 0; i < b->nr; i++) {
		bool named = false;

		if (!state_find(a, b->sections[i].name))
			add_missing(&out, '+', &b->sections[i], NULL, &named);
	}
	return str_take(&out);
}
