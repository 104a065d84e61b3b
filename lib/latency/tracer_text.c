/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracer_text.c - parse the report of a latency tracer that a file stores as text */
#include <ktrail/trace.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NONE KT_LATENCY_TEXT_NONE

struct kt_latency_text {
	struct kt_latency_line *lines;
	size_t nr, worst;
	char *tracer, *task, *started, *ended;	/* owned; NULL: not present */
	uint64_t us;
};

/* ---- lines ---- */

/* Source: Linux, kernel/trace/trace_output.c, lat_print_timestamp(): "%4lldus%c: " */
static uint64_t time_of(const char *text, size_t len)
{
	uint64_t us = NONE;
	size_t i, k;

	for (i = 1; i + 3 < len && us == NONE; i++) {
		if (text[i] != 'u' || text[i + 1] != 's' || text[i + 3] != ':' ||
		    !isdigit((unsigned char)text[i - 1]))
			continue;
		for (k = i; k > 0 && isdigit((unsigned char)text[k - 1]); k--)
			;
		us = strtoull(text + k, NULL, 10);
	}
	return us;
}

static int add_line(struct kt_latency_text *t, size_t *room, const char *text, size_t len)
{
	if (!array_fit(t->lines, t->nr, *room))
		return -ENOMEM;
	t->lines[t->nr++] = (struct kt_latency_line){
		.text = text, .len = len, .us = *text == '#' ? NONE : time_of(text, len),
	};
	return 0;
}

static int cut_lines(struct kt_latency_text *t, const char *text, size_t size)
{
	const char *end = text + size, *newline;
	size_t room = 0;

	for (; text < end; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			newline = end;
		/* The text may be padded with zero bytes. */
		if (!memchr(text, 0, (size_t)(newline - text)) &&
		    add_line(t, &room, text, (size_t)(newline - text)) < 0)
			return -ENOMEM;
	}
	return 0;
}

size_t kt_latency_text_event(const struct kt_latency_text *t, size_t i, int direction)
{
	size_t k;

	for (k = i + (size_t)direction; k < t->nr; k += (size_t)direction)
		if (t->lines[k].us != NONE)
			return k;
	return i;
}

static void measure(struct kt_latency_text *t)
{
	size_t i, next;

	for (i = 0; i < t->nr; i++) {
		struct kt_latency_line *l = &t->lines[i];

		next = kt_latency_text_event(t, i, 1);
		if (l->us == NONE || next == i)
			continue;
		l->step = t->lines[next].us > l->us ? t->lines[next].us - l->us : 0;
		if (t->lines[t->worst].us == NONE || l->step > t->lines[t->worst].step)
			t->worst = i;
	}
}

/* ---- the head ---- */

/* The text after @label, up to @ends or the end of the line; new, or NULL */
static char *word_after(const struct kt_latency_line *l, const char *label, const char *ends)
{
	const char *at = memmem(l->text, l->len, label, strlen(label));
	const char *end = l->text + l->len, *p;

	if (!at)
		return NULL;
	for (at += strlen(label); at < end && *at == ' '; at++)
		;
	for (p = at; p < end && !strchr(ends, *p); p++)
		;
	return strndup(at, (size_t)(p - at));
}

static void take_word(char **word, const struct kt_latency_line *l, const char *label,
		      const char *ends)
{
	if (!*word)
		*word = word_after(l, label, ends);
}

static void read_head(struct kt_latency_text *t)
{
	char *us = NULL;
	size_t i;

	for (i = 0; i < t->nr && t->lines[i].len && *t->lines[i].text == '#'; i++) {
		const struct kt_latency_line *l = &t->lines[i];

		take_word(&t->tracer, l, "# tracer:", " ");
		take_word(&t->task, l, "| task:", " ");
		take_word(&t->started, l, "=> started at:", " ");
		take_word(&t->ended, l, "=> ended at:", " ");
		take_word(&us, l, "# latency:", " ,");
	}
	t->us = us && isdigit((unsigned char)*us) ? strtoull(us, NULL, 10) : NONE;
	free(us);
}

/* ---- */

static struct kt_latency_text *read_text(struct kt_file *f, size_t buffer, struct kt_err *err)
{
	struct kt_latency_text *t;
	struct kt_blob blob;

	if (kt_file_buffer_text(f, buffer, &blob, err) < 0)
		return NULL;
	t = calloc(1, sizeof(*t));
	if (!t || cut_lines(t, (const char *)blob.data, blob.size) < 0) {
		kt_latency_text_close(t);
		kt_err_no_memory(err);
		return NULL;
	}
	read_head(t);
	if (t->nr)
		measure(t);
	return t;
}

struct kt_latency_text *kt_latency_text_open(struct kt_trace *trace, struct kt_err *err)
{
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(trace); file++) {
		struct kt_file *f = kt_trace_file(trace, file);

		for (i = 0; i < kt_file_nr_buffers(f); i++)
			if (kt_file_buffer(f, i)->is_text)
				return read_text(f, i, err);
	}
	kt_err_set(err, -ENOENT, "this trace has no report of a latency tracer");
	return NULL;
}

void kt_latency_text_close(struct kt_latency_text *t)
{
	if (!t)
		return;
	free(t->lines);
	free(t->tracer);
	free(t->task);
	free(t->started);
	free(t->ended);
	free(t);
}

size_t kt_latency_text_nr(const struct kt_latency_text *t)
{
	return t->nr;
}

bool kt_latency_text_line(const struct kt_latency_text *t, size_t i, struct kt_latency_line *line)
{
	if (i >= t->nr)
		return false;
	*line = t->lines[i];
	return true;
}

static const char *text_or_none(const char *text)
{
	return text ? text : "";
}

struct kt_latency_head kt_latency_text_head(const struct kt_latency_text *t)
{
	return (struct kt_latency_head){
		.tracer = text_or_none(t->tracer), .task = text_or_none(t->task),
		.started = text_or_none(t->started), .ended = text_or_none(t->ended), .us = t->us,
	};
}

size_t kt_latency_text_worst(const struct kt_latency_text *t)
{
	return t->worst;
}
