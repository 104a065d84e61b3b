/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - the report of a latency tracer, as the kernel wrote it */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "latency.h"

#define STEP_COLS 10			/* the time until the next event */

static int text_rows(const struct view *v)
{
	return v->rows > 2 ? v->rows - 2 : 1;
}

void latency_text_select(struct view *v, long to)
{
	struct latency_state *st = v->state;
	long nr = (long)kt_latency_text_nr(st->text), rows = text_rows(v);

	if (to >= nr)
		to = nr - 1;
	if (to < 0)
		to = 0;
	st->line = (size_t)to;
	if (to < (long)st->text_top)
		st->text_top = (size_t)to;
	if (to >= (long)st->text_top + rows)
		st->text_top = (size_t)(to - rows + 1);
}

void latency_text_worst(struct view *v)
{
	struct latency_state *st = v->state;
	size_t worst = kt_latency_text_worst(st->text), above = (size_t)text_rows(v) / 3;

	st->text_top = worst > above ? worst - above : 0;
	latency_text_select(v, (long)worst);
}

int latency_text_find(struct view *v, const regex_t *re, int direction)
{
	struct latency_state *st = v->state;
	struct kt_latency_line l;
	size_t i;

	for (i = st->line + (size_t)direction; kt_latency_text_line(st->text, i, &l);
	     i += (size_t)direction) {
		char *text = strndup(l.text, l.len);
		bool found = text && regexec(re, text, 0, NULL, 0) == 0;

		free(text);
		if (found) {
			latency_text_select(v, (long)i);
			return 1;
		}
	}
	return 0;
}

void latency_text_yank(const struct view *v, struct str *out)
{
	const struct latency_state *st = v->state;
	struct kt_latency_line l;

	if (kt_latency_text_line(st->text, st->line, &l))
		str_addf(out, "%.*s\n", (int)l.len, l.text);
}

/* "irqsoff of cat-22: 68.9 ms, longest step 68.5 ms after 2 us (W), in vfs_read" */
static void draw_head(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;
	struct kt_latency_head h = kt_latency_text_head(st->text);
	struct str text = STR_INIT;
	struct kt_latency_line worst;
	char time[32];

	str_addf(&text, "%s", *h.tracer ? h.tracer : "report");
	if (*h.task)
		str_addf(&text, " of %s", h.task);
	if (h.us != KT_LATENCY_TEXT_NONE)
		str_addf(&text, ": %s", units_format_time(h.us * 1000, time));
	if (kt_latency_text_line(st->text, kt_latency_text_worst(st->text), &worst) && worst.step)
		str_addf(&text, ", longest step %s after %" PRIu64 " us (W)",
			 units_format_time(worst.step * 1000, time), worst.us);
	if (*h.started && strcmp(h.started, h.ended) == 0)
		str_addf(&text, ", in %s", h.started);
	else if (*h.started)
		str_addf(&text, ", from %s to %s", h.started, h.ended);
	area_put(a, 0, 1, STYLE_HEAD, text.buf, -1);
	str_fini(&text);
	area_put_right(a, 1, STEP_COLS, STYLE_DIM, "until next");
}

static void draw_line(const struct view *v, struct area a, int row, size_t i, bool worst)
{
	const struct latency_state *st = v->state;
	struct kt_latency_line l;
	enum style style;
	char time[32];

	kt_latency_text_line(st->text, i, &l);
	style = l.len && *l.text == '#' ? STYLE_DIM : STYLE_NORMAL;
	if (l.us != KT_LATENCY_TEXT_NONE && l.step)
		area_put_right(a, row, STEP_COLS, worst ? STYLE_WARN : STYLE_NUMBER,
			       units_format_time(l.step * 1000, time));
	if (worst)
		area_char(a, row, STEP_COLS + 1, STYLE_WARN, 0x2502);
	area_putn(a, row, STEP_COLS + 3, worst ? STYLE_WARN : style, l.text, l.len, -1);
	if (i == st->line) {
		area_select(a, row);
		area_cursor(a, row, 0);
	}
}

void latency_text_draw(const struct view *v, struct area a)
{
	const struct latency_state *st = v->state;
	size_t worst = kt_latency_text_worst(st->text);
	size_t after = kt_latency_text_event(st->text, worst, 1), i;
	int row;

	draw_head(v, a);
	for (row = 0; row < text_rows(v); row++) {
		i = st->text_top + (size_t)row;
		if (i >= kt_latency_text_nr(st->text))
			break;
		/* The stack of the event belongs to it. */
		draw_line(v, a, row + 2, i, i >= worst && i < after);
	}
}
