/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.c - the events of the output, created when the input first names them; their formats */
#include "shape/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "shape/known.h"

#define ONLY_TEXT "{text:text}"

static const char common_fields[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

static void free_event(struct shape_event *ev)
{
	if (!ev)
		return;
	shape_fini(&ev->shape);
	free(ev->system);
	free(ev->name);
	free(ev);
}

void shape_events_fini(struct shape_events *e)
{
	size_t i;

	for (i = 0; i < e->nr; i++)
		free_event(e->at[i]);
	free(e->at);
	keymap_fini(&e->by_name);
}

static uint64_t hash(const char *system, const char *name)
{
	uint64_t h = 5381;

	for (; system && *system; system++)
		h = h * 33 + (uint8_t)*system;
	for (h = h * 33 + ':'; *name; name++)
		h = h * 33 + (uint8_t)*name;
	return keymap_scramble(h);
}

static bool is_event(const struct shape_event *ev, const char *system, const char *name)
{
	return strcmp(ev->name, name) == 0 &&
	       strcmp(ev->system, system ? system : SHAPE_SYSTEM) == 0;
}

/* Its index, or KEYMAP_NONE and the key for a new one */
static uint32_t find(const struct shape_events *e, const char *system, const char *name,
		     uint64_t *key)
{
	uint32_t i;

	*key = hash(system, name);
	while ((i = keymap_get(&e->by_name, *key)) != KEYMAP_NONE &&
	       !is_event(e->at[i], system, name))
		++*key;
	return i;
}

struct shape_event *shape_events_find(struct shape_events *e, const char *system,
					const char *name)
{
	uint64_t key;
	uint32_t i = find(e, system, name, &key);

	return i == KEYMAP_NONE ? NULL : e->at[i];
}

static struct shape_event *make(struct shape_events *e, const char *system, const char *name)
{
	struct shape_event *ev;

	if (e->nr == SHAPE_EVENTS || !array_fit(e->at, e->nr, e->cap))
		return NULL;
	ev = calloc(1, sizeof(*ev));
	if (!ev)
		return NULL;
	ev->id = (uint16_t)(SHAPE_FIRST_ID + e->nr);
	ev->shape.literals = (struct str)STR_INIT;
	ev->system = strdup(system ? system : SHAPE_SYSTEM);
	ev->name = strdup(name);
	e->at[e->nr++] = ev;
	return ev->system && ev->name ? ev : NULL;
}

static struct shape_event *make_with(struct shape_events *e, const char *system,
				      const char *name, const char *text, const char *other)
{
	struct shape_event *ev = make(e, system, name);

	if (!ev || shape_add(&ev->shape, text) < 0 ||
	    (other && shape_add(&ev->shape, other) < 0))
		return NULL;
	return ev;
}

struct shape_event *shape_events_add(struct shape_events *e, const char *system,
				       const char *name, const char *text, const char *other)
{
	uint64_t key;
	struct shape_event *ev;

	find(e, system, name, &key);
	ev = make_with(e, system, name, text, other);
	return ev && keymap_put(&e->by_name, key, (uint32_t)e->nr - 1) == 0 ? ev : NULL;
}

struct shape_event *shape_events_add_shape(struct shape_events *e, struct shape_event *of,
					     const char *system, const char *name,
					     const char *text)
{
	struct shape_event *ev;

	if (!of)
		return shape_events_add(e, system, name, text, NULL);
	ev = make_with(e, system, name, text, NULL);
	if (ev) {
		ev->next = of->next;
		of->next = ev;
	}
	return ev;
}

struct shape_event *shape_events_known(struct shape_events *e, const char *system,
					 const char *name)
{
	struct shape_event *first = shape_events_find(e, system, name), **next;
	const struct known_event *k = known_find(NULL, system, name);

	if (first || !k)
		return first;
	first = shape_events_add(e, system, name, k->text, k->other);
	for (next = &first; *next && (k = known_find(k, system, name)); ) {
		next = &(*next)->next;
		*next = make_with(e, system, name, k->text, k->other);
	}
	return *next ? first : NULL;
}

struct shape_event *shape_events_guess(struct shape_events *e, const char *name,
					 const char *text, size_t len)
{
	struct shape_event *ev = shape_events_find(e, NULL, name);
	struct shape s = { .literals = STR_INIT };
	int ret;

	if (ev)
		return ev;
	ret = shape_guess(&s, text, len);
	if (ret == 0)
		ev = shape_events_add(e, NULL, name, "", NULL);
	else if (ret != -ENOMEM)
		return shape_events_add(e, NULL, name, ONLY_TEXT, NULL);
	if (ev) {
		shape_fini(&ev->shape);
		ev->shape = s;
	} else {
		shape_fini(&s);
	}
	return ev;
}

struct shape_event *shape_event_text(struct shape_events *e, struct shape_event *of)
{
	const struct shape *s = &of->shape;

	if (s->nr == 1 && s->fields[0].type == SHAPE_TEXT && !s->literals.len)
		return of;
	if (!of->next)
		of->next = make_with(e, NULL, of->name, ONLY_TEXT, NULL);
	return of->next ? shape_event_text(e, of->next) : NULL;
}

/* ---- formats ---- */

static void put_u64(struct str *s, uint64_t v)
{
	str_addn(s, &v, sizeof(v));
}

static void put_u32(struct str *s, uint32_t v)
{
	str_addn(s, &v, sizeof(v));
}

static void put_format(const struct shape_event *ev, struct str *to)
{
	struct str s = STR_INIT;

	str_addf(&s, "name: %s\nID: %u\nformat:\n%s", ev->name, ev->id, common_fields);
	shape_put_format(&ev->shape, &s);
	put_u64(to, s.len);
	str_addn(to, s.buf, s.len);
	to->failed |= s.failed;
	str_fini(&s);
}

/* Events without records are left out. */
static uint32_t put_system(const struct shape_events *e, const char *system, struct str *to)
{
	uint32_t nr = 0;
	size_t i;

	for (i = 0; i < e->nr; i++)
		nr += e->at[i]->nr && strcmp(e->at[i]->system, system) == 0;
	put_u32(to, nr);
	for (i = 0; i < e->nr; i++)
		if (e->at[i]->nr && strcmp(e->at[i]->system, system) == 0)
			put_format(e->at[i], to);
	return nr;
}

static bool is_first(const struct shape_events *e, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (strcmp(e->at[i]->system, e->at[j]->system) == 0)
			return false;
	return strcmp(e->at[i]->system, "ftrace") != 0;
}

int shape_events_write(struct shape_events *e, struct kt_writer *w, struct kt_err *err)
{
	struct str own = STR_INIT, all = STR_INIT;
	uint32_t systems = 0;
	size_t i;
	int ret;

	put_system(e, "ftrace", &own);
	put_u32(&all, 0);
	for (i = 0; i < e->nr; i++) {
		if (!is_first(e, i))
			continue;
		str_addn(&all, e->at[i]->system, strlen(e->at[i]->system) + 1);
		put_system(e, e->at[i]->system, &all);
		systems++;
	}
	if (own.failed || all.failed) {
		ret = kt_err_no_memory(err);
	} else {
		memcpy(all.buf, &systems, sizeof(systems));
		ret = kt_writer_meta(w, KT_OPTION_FTRACE_EVENTS, own.buf, own.len, err);
	}
	if (ret == 0)
		ret = kt_writer_meta(w, KT_OPTION_EVENT_FORMATS, all.buf, all.len, err);
	str_fini(&own);
	str_fini(&all);
	return ret;
}
