/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose_windows.c - --time: which windows of a trace are chosen */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "choose.h"

#define NS_PER_SEC 1000000000ull

/* Seconds with up to nine decimals, without the rounding of a double */
static int parse_seconds(const char *text, size_t len, uint64_t *ns)
{
	uint64_t seconds = 0, fraction = 0, unit = NS_PER_SEC / 10;
	const char *p = text, *end = text + len;

	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(seconds, 10, &seconds) ||
		    __builtin_add_overflow(seconds, *p - '0', &seconds))
			return -ERANGE;
	if (p < end && *p == '.')
		for (p++; p < end && *p >= '0' && *p <= '9'; p++, unit /= 10)
			fraction += (*p - '0') * unit;
	if (p != end || __builtin_mul_overflow(seconds, NS_PER_SEC, &seconds) ||
	    __builtin_add_overflow(seconds, fraction, ns))
		return -EINVAL;
	return 0;
}

/* "12.5", or with the sign that selects the origin: "+20ms", "-20ms" */
static int parse_end(const char *text, size_t len, struct choose_time *t)
{
	char word[64];

	if (*text != '+' && *text != '-')
		return parse_seconds(text, len, &t->ns);
	if (len >= sizeof(word))
		return -EINVAL;
	t->sign = *text;
	memcpy(word, text + 1, len - 1);
	word[len - 1] = '\0';
	return units_parse_time(word, NS_PER_SEC, &t->ns, NULL);
}

/* If both ends have the same origin, they can be compared now. */
static bool ends_early(const struct choose_window *w)
{
	if (w->from.sign != w->until.sign)
		return false;
	return w->from.sign == '-' ? w->until.ns > w->from.ns :
	       !w->from.sign && w->until.ns < w->from.ns;
}

static int add_window(struct choose *c, const struct choose_window *w, struct kt_err *err)
{
	if (!array_reserve(c->asked, c->nr_windows))
		return kt_err_no_memory(err);
	c->asked[c->nr_windows++] = *w;
	return 0;
}

int choose_take_window(void *args, const char *value, struct kt_err *err)
{
	const char *comma = strchr(value, ',');
	struct choose_window w = { .until.ns = UINT64_MAX };

	if (!comma || (comma > value && parse_end(value, comma - value, &w.from) < 0) ||
	    (comma[1] && parse_end(comma + 1, strlen(comma + 1), &w.until) < 0) || ends_early(&w))
		return cmd_misuse(err,
				  "'%s' is not a time window: FROM,UNTIL in seconds, FROM,+500ms, "
				  "FROM, or ,UNTIL; +2s,+10ms from the beginning, -10ms, "
				  "to the end",
				  value);
	if (comma == value && w.until.sign == '+')
		w.from.sign = '+';
	return add_window(args, &w, err);
}

int choose_take_moment(void *args, const char *value, struct kt_err *err)
{
	struct choose_window w = { .until.sign = '+' };

	if (!*value || parse_end(value, strlen(value), &w.from) < 0)
		return cmd_misuse(err, "'%s' is not a time: 12.345 in seconds, +2s from the "
				  "beginning, -10ms from the end", value);
	return add_window(args, &w, err);
}

int choose_find_span(struct kt_stream *stream, struct kt_window *span, struct kt_err *err)
{
	struct kt_record first, last;
	struct kt_err damage = { 0 };	/* reported later, with all other damage */
	size_t i;

	*span = (struct kt_window){ UINT64_MAX, 0 };
	for (i = 0; i < kt_stream_nr_sources(stream); i++) {
		if (!kt_stream_source_in_ns(stream, i))
			return kt_err_set(err, -EINVAL,
					  "--time: the clock of %s does not count seconds",
					  kt_file_info(kt_stream_source(stream, i)->file)->path);
		if (kt_stream_first(stream, i, &first, &damage) <= 0 ||
		    kt_stream_last(stream, i, &last, &damage) <= 0)
			continue;
		span->from = first.ts < span->from ? first.ts : span->from;
		span->until = last.ts > span->until ? last.ts : span->until;
	}
	return span->from <= span->until;
}

/* "+": after @start, "-": before @end */
static uint64_t place(const struct choose_time *t, uint64_t start, uint64_t end)
{
	uint64_t ns;

	switch (t->sign) {
	case '+':
		return __builtin_add_overflow(start, t->ns, &ns) ? UINT64_MAX : ns;
	case '-':
		return end > t->ns ? end - t->ns : 0;
	default:
		return t->ns;
	}
}

static bool wants_span(const struct choose *c)
{
	size_t i;

	for (i = 0; i < c->nr_windows; i++)
		if (c->asked[i].from.sign || c->asked[i].until.sign == '-')
			return true;
	return false;
}

int choose_place_windows(struct kt_trace *t, struct choose *c, struct kt_err *err)
{
	struct kt_window span = { 0, UINT64_MAX }, *w;
	size_t i;
	int ret = wants_span(c) ? choose_find_span(kt_trace_stream(t), &span, err) : 0;

	if (ret < 0)
		return ret;
	c->windows = calloc(c->nr_windows + 1, sizeof(*c->windows));
	if (!c->windows)
		return kt_err_no_memory(err);
	for (i = 0, w = c->windows; i < c->nr_windows; i++, w++) {
		w->from = place(&c->asked[i].from, span.from, span.until);
		w->until = place(&c->asked[i].until, w->from, span.until);
	}
	return 0;
}
