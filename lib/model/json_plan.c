/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json_plan.c - an event's fields and text as one list of literals and values */
#include "model/json_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/comm16.h"
#include "base/json.h"
#include "base/put.h"

/* What was added to the literals since the one before is that of @step; see place_literals(). */
static void set_literal(struct json_plan *plan, struct json_step *step)
{
	step->len = plan->text.len - plan->placed;
	plan->placed += step->len;
	plan->room += step->len;
}

/* Once no more text comes that moves them */
static void place_literals(struct json_plan *plan)
{
	const char *at = plan->text.buf;
	struct json_step *step;
	size_t i;

	for (i = 0; i < plan->nr_fields; at += plan->fields[i++].len)
		plan->fields[i].literal = at;
	for (step = plan->info; step; at += step->len, step = step->kind == JSON_END ? NULL : step + 1)
		step->literal = at;
}

static void add_head(struct str *s, const struct kt_event *ev)
{
	str_add(s, "\",\"system\":");
	json_quote(s, ev->system, strlen(ev->system));
	str_add(s, ",\"event\":");
	json_quote(s, ev->name, strlen(ev->name));
	str_add(s, ",\"fields\":{");
}

static void set_field(struct json_step *step, const struct kt_field *f)
{
	step->kind = JSON_OTHER;
	if ((f->flags & KT_FIELD_STRING) && !(f->flags & KT_FIELD_DYNAMIC) &&
	    f->size == COMM_SIZE && !KT_HOST_BIG) {
		step->kind = JSON_COMM;
		step->word.offset = f->offset;
		return;
	}
	if (f->flags & (KT_FIELD_STRING | KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE) ||
	    !word_place(&step->word, f->offset, f->size))
		return;
	step->kind = f->flags & KT_FIELD_POINTER ? JSON_POINTER :
		     f->flags & KT_FIELD_SIGNED ? JSON_SIGNED : JSON_UNSIGNED;
}

static bool add_fields(struct json_plan *plan, const struct kt_event *ev)
{
	size_t i;

	plan->nr_fields = ev->nr_fields ? ev->nr_fields : 1;
	plan->fields = calloc(plan->nr_fields, sizeof(*plan->fields));
	if (!plan->fields)
		return false;
	add_head(&plan->text, ev);
	for (i = 0; i < ev->nr_fields; i++) {
		if (i)
			str_addc(&plan->text, ',');
		json_quote(&plan->text, ev->fields[i].name, strlen(ev->fields[i].name));
		str_addc(&plan->text, ':');
		set_literal(plan, &plan->fields[i]);
		set_field(&plan->fields[i], &ev->fields[i]);
		plan->room += NUM_MAX + 4;
	}
	if (!ev->nr_fields)
		set_literal(plan, &plan->fields[0]);
	return true;
}

/* ---- the text ---- */

static bool is_ordinary(const char *text, size_t len)
{
	return json_ordinary(text, len) == len;
}

static bool has_ordinary_words(const struct program *p, const struct node *n)
{
	uint32_t i;

	for (i = 0; i < n->nr_entries; i++)
		if (!is_ordinary(p->entries[n->table + i].str, p->entries[n->table + i].len))
			return false;
	return true;
}

/* As what a field is shown a conversion shows it; JSON_OTHER: as none */
static enum json_kind shown_as(const struct step *step)
{
	switch (step->kind) {
	case STEP_DEC_FIELD:
		return JSON_SIGNED;
	case STEP_UDEC_FIELD:
		return JSON_UNSIGNED;
	case STEP_HEX_FIELD:
	case STEP_POINTER_FIELD:
		return JSON_POINTER;
	case STEP_TEXT_FIELD:
		return step->size == COMM_SIZE ? JSON_COMM : JSON_OTHER;
	default:
		return JSON_OTHER;
	}
}

static bool is_same_place(const struct json_step *field, const struct step *step)
{
	if (field->kind == JSON_COMM)
		return field->word.offset == step->offset;
	return field->word.offset == step->word.offset && field->word.shift == step->word.shift;
}

#define HEX_MAX  16		/* digits of a number … */
#define HEX_MORE 4		/* … and what stands around them */

static void set_known(struct json_step *step, const struct step *own, size_t field)
{
	int width = own->spec.width < HEX_MAX ? own->spec.width : HEX_MAX + 1;

	step->known = field;
	step->kind = own->kind == STEP_TEXT_FIELD ? JSON_AGAIN_COMM : JSON_AGAIN;
	if (own->kind == STEP_HEX_FIELD) {
		step->kind = JSON_AGAIN_HEX;
		step->least = HEX_MORE + (width > 1 ? width : 1);
	} else if (own->kind == STEP_POINTER_FIELD) {
		step->kind = JSON_AGAIN_POINTER;
		step->least = HEX_MORE + (width > 2 ? width : 2);	/* 0 is "(nil)" */
	}
}

static void find_known(const struct json_plan *plan, const struct step *own, struct json_step *step)
{
	enum json_kind kind = shown_as(own);
	size_t i;

	step->kind = JSON_OWN;
	step->own = own;
	if (own->kind == STEP_HEX_FIELD && own->spec.width <= HEX_MAX) {
		step->kind = JSON_HEX;
		step->word = own->word;
		step->least = own->spec.width > 0 ? own->spec.width : 0;
	}
	for (i = 0; i < plan->nr_fields && kind != JSON_OTHER; i++)
		if (plan->fields[i].kind == kind && is_same_place(&plan->fields[i], own)) {
			set_known(step, own, i);
			return;
		}
}

/* False: there may be something in it that JSON escapes, and that the fields do not tell. */
static bool set_info(struct json_step *to, const struct json_plan *plan, const struct program *p,
		     const struct step *own)
{
	if (own->kind > STEP_NUMBER)
		return false;
	if (own->kind == STEP_SYMBOLIC_FIELD && !has_ordinary_words(p, &p->nodes[own->node]))
		return false;
	find_known(plan, own, to);
	return own->kind != STEP_TEXT_FIELD || to->kind == JSON_AGAIN_COMM;
}

/* Many print formats end with a newline of their own: the text of a line has none. */
static size_t literal_len(const struct program *p, size_t i)
{
	const struct step *step = &p->steps[i];
	size_t len = step->literal_len;
	bool last = i + 1 == p->nr_steps && step->kind == STEP_END;

	return last && len && p->text.buf[step->literal + len - 1] == '\n' ? len - 1 : len;
}

/* False: the text is not one of those */
static bool fill_info(struct json_plan *plan, const struct program *p)
{
	struct json_step *to = plan->info;
	size_t i, len;

	str_add(&plan->text, "},\"info\":\"");
	for (i = 0; i < p->nr_steps; i++) {
		const struct step *own = &p->steps[i];

		len = literal_len(p, i);
		if (!is_ordinary(p->text.buf + own->literal, len))
			return false;
		str_addn(&plan->text, p->text.buf + own->literal, len);
		if (own->kind == STEP_END)
			break;
		if (!set_info(to, plan, p, own))
			return false;
		set_literal(plan, to++);
	}
	str_add(&plan->text, "\"}\n");
	to->kind = JSON_END;
	set_literal(plan, to);
	plan->room += p->room;
	return true;
}

static bool add_info(struct json_plan *plan, const struct program *p)
{
	plan->info = calloc(p->nr_steps + 1, sizeof(*plan->info));
	if (!plan->info)
		return false;
	if (!fill_info(plan, p)) {
		free(plan->info);
		plan->info = NULL;
	}
	return true;
}

struct json_plan *json_plan_create(const struct event *ev, event_text_fn text)
{
	struct json_plan *plan = calloc(1, sizeof(*plan));
	bool ok;

	if (!plan)
		return NULL;
	plan->text = (struct str)STR_INIT;
	plan->swap = ev->pub.events->swap;
	ok = add_fields(plan, &ev->pub);
	plan->min_size = plan->nr_fields <= JSON_KNOWN ? ev->min_size : UINT32_MAX;
	if (ok && text && text_is_program(text))
		ok = add_info(plan, (const struct program *)ev->pub.program);
	plan->safe = text && text_is_of_fields(ev, text);
	plan->room += JSON_HEAD;
	str_room(&plan->text, JSON_HEAD);
	if (!ok || plan->text.failed) {
		json_plan_destroy(plan);
		return NULL;
	}
	place_literals(plan);
	return plan;
}

void json_plan_destroy(struct json_plan *plan)
{
	if (!plan)
		return;
	str_fini(&plan->text);
	free(plan->fields);
	free(plan->info);
	free(plan);
}
