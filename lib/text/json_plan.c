/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json_plan.c - prepare an event's fields and text as a list of literals and values */
#include "text/json_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/comm16.h"
#include "base/json.h"
#include "base/put.h"
#include "event/events.h"

#define COMMON_SIZE 8			/* bytes of all common fields */

static void add_head(struct str *s, const struct kt_event *ev)
{
	str_add(s, "\",\"system\":");
	json_quote(s, ev->system, strlen(ev->system));
	str_add(s, ",\"event\":");
	json_quote(s, ev->name, strlen(ev->name));
	str_add(s, ",\"fields\":{");
}

/* ---- fields ---- */

enum value { VALUE_OTHER, VALUE_COMM, VALUE_POINTER, VALUE_SIGNED, VALUE_UNSIGNED };

/* The text around them */
static const char *const opening[] = { "", "\"", "\"0x", "", "" };
static const char *const closing[] = { "", "\"", "\"", "", "" };

/* @word: the place of a number that fits in a word */
static enum value value_of(const struct kt_field *f, struct word *word)
{
	if ((f->flags & KT_FIELD_STRING) && !(f->flags & KT_FIELD_DYNAMIC) &&
	    f->size == COMM_SIZE && !KT_HOST_BIG)
		return VALUE_COMM;
	if (f->flags & (KT_FIELD_STRING | KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE) ||
	    !word_place(word, f->offset, f->size))
		return VALUE_OTHER;
	if (f->flags & KT_FIELD_POINTER)
		return VALUE_POINTER;
	return f->flags & KT_FIELD_SIGNED ? VALUE_SIGNED : VALUE_UNSIGNED;
}

static piece_fn *value_fn(enum value value, struct word word, bool swap)
{
	switch (value) {
	case VALUE_COMM:
		return json_put_comm;
	case VALUE_POINTER:
		return line_number(PIECE_HEX, word, swap);
	case VALUE_SIGNED:
		return line_number(PIECE_SIGNED, word, swap);
	case VALUE_UNSIGNED:
		return line_number(PIECE_UNSIGNED, word, swap);
	default:
		return json_put_other;
	}
}

static void add_fields(struct json_plan *plan, const struct kt_event *ev)
{
	enum value value = VALUE_OTHER;
	size_t i;

	for (i = 0; i < ev->nr_fields; i++) {
		struct str *s = i ? &plan->line.text : &plan->head;
		struct piece piece = { .value = i, .offset = ev->fields[i].offset };

		if (i)
			str_addf(s, "%s,", closing[value]);
		json_quote(s, ev->fields[i].name, strlen(ev->fields[i].name));
		value = value_of(&ev->fields[i], &piece.word);
		str_addf(s, ":%s", opening[value]);
		piece.fn = value_fn(value, piece.word, ev->events->swap);
		line_add(&plan->line, piece, NUM_MAX);
		plan->line.asks |= value == VALUE_OTHER;
	}
	str_addf(&plan->line.text, "%s},\"info\":\"", ev->nr_fields ? closing[value] : "");
}

/* ---- the text ---- */

static bool is_ordinary(const char *text, size_t len)
{
	return json_ordinary(text, len) == len;
}

/* Many print formats end with a newline, which the text of a line must not have. */
static size_t literal_len(const struct line *l, const struct piece *piece)
{
	bool last = piece + 1 == l->pieces + l->nr;

	return last && piece->len && piece->literal[piece->len - 1] == '\n' ?
	       piece->len - 1 : piece->len;
}

static bool has_ordinary_literals(const struct line *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (!is_ordinary(l->pieces[i].literal, literal_len(l, &l->pieces[i])))
			return false;
	return true;
}

/* A piece without literal copies PUT_SLACK bytes of this */
static const char no_literal[PUT_SLACK];

/* A piece whose output is checked before the next one runs */
static struct piece checked(struct line *l, const struct piece *piece)
{
	struct piece *part = calloc(2, sizeof(*part));

	l->failed |= !part;
	if (part) {
		part[0] = *piece;
		part[0].literal = part[1].literal = no_literal;
		part[0].len = 0;
		part[1].fn = json_put_nothing;
	}
	return (struct piece){ .fn = json_put_checked, .part = part };
}

/* Was the field at this place already checked? */
static bool is_known(const struct line *l, const struct piece *comm)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (l->pieces[i].fn == json_put_comm && l->pieces[i].offset == comm->offset)
			return true;
	return false;
}

static void add_shown(struct line *l, const struct piece *piece)
{
	struct piece copy = *piece;

	if (copy.shows == SHOWS_COMM && !is_known(l, piece))
		copy.fn = json_put_comm;
	line_add(l, copy.shows == SHOWS_ANYTHING ? checked(l, piece) : copy, piece->most);
}

static void add_line(struct line *l, const struct line *from)
{
	const struct piece *piece = from->pieces, *end = piece + from->nr - 1;

	for (; piece < end; piece++) {
		str_addn(&l->text, piece->literal, piece->len);
		add_shown(l, piece);
	}
	str_addn(&l->text, end->literal, literal_len(from, end));
	str_addc(&l->text, '"');
	l->asks |= from->asks;
}

static void add_info(struct json_plan *plan, const struct printer *printer)
{
	const struct line *from = printer ? printer->line : NULL;
	struct line *l = &plan->line;

	if (from && has_ordinary_literals(from)) {
		add_line(l, from);
		if (plan->min_size < printer->min_size)
			plan->min_size = printer->min_size;
	} else {
		line_add(l, (struct piece){ .fn = json_put_text }, 0);
		l->asks = true;
	}
	str_add(&l->text, "}\n");
}

struct json_plan *json_plan_create(const struct event *ev, const struct printer *printer,
				   bool usual)
{
	struct json_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	plan->line = (struct line)LINE_INIT;
	plan->head = (struct str)STR_INIT;
	plan->min_size = ev->min_size;
	add_head(&plan->head, &ev->pub);
	plan->event_len = plan->head.len;
	add_fields(plan, &ev->pub);
	add_info(plan, printer);
	str_room(&plan->head, JSON_HEAD);
	if (line_end(&plan->line, json_put_end) && !plan->head.failed) {
		usual &= plan->head.len <= JSON_HEAD && plan->min_size >= COMMON_SIZE;
		plan->usual_size = usual ? plan->min_size : UINT32_MAX;
		plan->room = plan->head.len + JSON_HEAD + plan->line.room;
		return plan;
	}
	json_plan_destroy(plan);
	return NULL;
}

void json_plan_destroy(struct json_plan *plan)
{
	size_t i;

	if (!plan)
		return;
	for (i = 0; i < plan->line.nr; i++)
		free(plan->line.pieces[i].part);
	line_fini(&plan->line);
	str_fini(&plan->head);
	free(plan);
}
