/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto_event.c - one FtraceEvent: a message of its own, a print, or an event of any name */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "export/perfetto_events.h"
#include "export/perfetto_numbers.h"
#include "shape/known.h"
#include "import/perfetto.h"

/* Numbers of functions become addresses in a range of their own, far from each other */
#define SYMBOLS		0xffffa00000000000
#define SYMBOL_DISTANCE	0x10000
#define SYMBOL_MOST	(1u << 24)

uint64_t perfetto_symbol(uint64_t number)
{
	return number && number < SYMBOL_MOST ? SYMBOLS + number * SYMBOL_DISTANCE : number;
}

/* A name that can be in a format: other characters become '_' */
static void take_name(char to[SHAPE_NAME], struct wire w)
{
	const char *end = to + SHAPE_NAME - 1;
	size_t i;

	if (!w.size || isdigit(*w.data))
		*to++ = '_';
	for (i = 0; i < w.size && to < end; i++)
		*to++ = isalnum(w.data[i]) ? (char)w.data[i] : '_';
	*to = '\0';
}

/* ---- messages of their own ---- */

static void add_message_field(struct message *m, int field, bool is_symbol)
{
	if (m->nr < SHAPE_FIELDS)
		m->fields[m->nr++] = (struct message_field){ (int16_t)field, is_symbol };
}

/* "prev_comm=… prev_pid=…" for an event that has no template of its own */
static void put_template(const char *words, struct str *to)
{
	const char *word, *type;
	size_t len;

	for (word = words; *word; word += len + strspn(word + len, " ")) {
		type = "long";
		if (*word == '$' || *word == '@')
			type = *word++ == '$' ? "text" : "symbol";
		len = strcspn(word, " ");
		str_addf(to, "%s%.*s={%.*s:%s}", to->len ? " " : "", (int)len, word, (int)len,
			 word, type);
	}
}

static int make_known(struct perfetto *p, struct message *m, const char *system, const char *name,
		      const char *words)
{
	struct shape_events *events = &p->im->events;
	struct str template = STR_INIT;
	size_t len;

	m->is_known = true;
	m->ev = shape_events_known(events, system, name);
	if (!m->ev) {
		put_template(words, &template);
		m->ev = template.failed ? NULL : shape_events_add(events, system, name,
								   template.buf, NULL);
		str_fini(&template);
	}
	for (; m->ev && *words; words += len + strspn(words + len, " ")) {
		bool is_symbol = *words == '@';

		words += *words == '$' || is_symbol;
		len = strcspn(words, " ");
		add_message_field(m, shape_field(&m->ev->shape, words, len), is_symbol);
	}
	return m->ev ? 0 : -ENOMEM;
}

/* A message without a known name: "ftrace_event_77", its fields guessed from the first one */
static int make_unnamed(struct perfetto *p, struct message *m, struct wire w)
{
	struct str template = STR_INIT;
	char name[32];
	uint32_t i;

	for (i = 1; wire_next(&w); )
		for (; w.number < SHAPE_FIELDS && i <= w.number; i++)
			str_addf(&template, "%sfield_%u={field_%u:%s}", template.len ? " " : "", i,
				 i, w.number == i && w.type == WIRE_LENGTH ? "text" : "long");
	snprintf(name, sizeof(name), "ftrace_event_%u", m->number);
	m->ev = template.failed ? NULL : shape_events_add(&p->im->events, NULL, name,
							   template.buf, NULL);
	for (i = 0; m->ev && i < m->ev->shape.nr; i++)
		add_message_field(m, (int)i, false);
	str_fini(&template);
	return m->ev ? 0 : -ENOMEM;
}

static struct message *message_of(struct perfetto *p, uint32_t number, struct wire w)
{
	const char *system, *name, *words;
	struct message *m;
	bool is_new;
	int ret = 0;

	m = keymap_element(&p->by_number, number, (void **)&p->messages, &p->nr_messages,
			   sizeof(*m), &is_new);
	if (!m || m->ev)
		return m;
	m->number = number;
	if (number == PERFETTO_PRINT)
		ret = make_known(p, m, "ftrace", "print", "@ip $buf");
	else if (perfetto_find_event(number, &system, &name, &words))
		ret = make_known(p, m, system, name, words);
	else
		ret = make_unnamed(p, m, w);
	return ret < 0 ? NULL : m;
}

/* Some events carry names of tasks */
static int learn_task(struct perfetto *p, const struct shape *s, const struct shape_values *v,
		      const char *pid, const char *comm, struct kt_err *err)
{
	int i = shape_field(s, pid, strlen(pid)), j = shape_field(s, comm, strlen(comm));

	if (i < 0 || j < 0 || s->fields[j].type != SHAPE_COMM)
		return 0;
	return import_task(p->im, (int32_t)v->number[i], v->text[j].data, v->text[j].size, err);
}

static int learn_tasks(struct perfetto *p, const struct shape *s, const struct shape_values *v,
		       struct kt_err *err)
{
	int ret = learn_task(p, s, v, "prev_pid", "prev_comm", err);

	if (ret == 0)
		ret = learn_task(p, s, v, "next_pid", "next_comm", err);
	return ret < 0 ? ret : learn_task(p, s, v, "pid", "comm", err);
}

static int put_message(struct perfetto *p, const struct import_record *r, uint32_t number,
		       struct wire w, struct kt_err *err)
{
	struct message *m = message_of(p, number, w);
	struct shape_values v = { 0 };
	const struct message_field *f;
	int ret;

	if (!m)
		return kt_err_no_memory(err);
	while (wire_next(&w)) {
		f = w.number && w.number <= m->nr ? &m->fields[w.number - 1] : NULL;
		if (!f || f->field < 0)
			continue;
		if (shape_is_text(m->ev->shape.fields[f->field].type))
			v.text[f->field] = (struct kt_blob){ (const char *)w.data, w.size };
		else
			v.number[f->field] = f->is_symbol ? perfetto_symbol(w.value) : w.value;
	}
	p->nr_damaged += w.failed;
	p->nr_unnamed += !m->is_known;
	ret = learn_tasks(p, &m->ev->shape, &v, err);
	return ret < 0 ? ret : import_record(p->im, r, m->ev, &v, err);
}

/* ---- events of any name ---- */

struct generic {
	char name[SHAPE_NAME];
	size_t nr;
	struct generic_field { char name[SHAPE_NAME]; struct wire value; } fields[SHAPE_FIELDS];
};

/* If several fields have one name, the first one counts. */
static bool take_field(struct generic *g, struct wire w)
{
	struct generic_field *f = &g->fields[g->nr];
	size_t i;

	f->value.number = 0;
	take_name(f->name, (struct wire){ 0 });
	while (wire_next(&w)) {
		if (w.number == FIELD_NAME)
			take_name(f->name, w);
		else if (w.number >= FIELD_TEXT && w.number <= FIELD_UNSIGNED &&
			 (w.number == FIELD_TEXT) == (w.type == WIRE_LENGTH))
			f->value = w;
	}
	for (i = 0; i < g->nr; i++)
		if (strcmp(f->name, g->fields[i].name) == 0)
			return false;
	return !w.failed && f->value.number;
}

static void take_generic(struct generic *g, struct wire w)
{
	take_name(g->name, (struct wire){ 0 });
	while (wire_next(&w)) {
		if (w.number == GENERIC_NAME)
			take_name(g->name, w);
		else if (w.number == GENERIC_FIELD && g->nr < SHAPE_FIELDS)
			g->nr += take_field(g, wire_inside(&w));
	}
}

static void generic_template(const struct generic *g, struct str *to)
{
	static const char *const types[] = { [FIELD_TEXT] = "text", [FIELD_SIGNED] = "long",
					     [FIELD_UNSIGNED] = "ulong" };
	const char *name;
	size_t i;

	for (i = 0; i < g->nr; i++) {
		name = g->fields[i].name;
		str_addf(to, "%s%s={%s:%s}", i ? " " : "", name, name,
			 types[g->fields[i].value.number]);
	}
}

/* The values of the event, if it has exactly these fields in this order */
static bool suits(const struct shape *s, const struct generic *g, struct shape_values *v)
{
	struct wire w;
	size_t i;

	memset(v, 0, sizeof(*v));
	for (i = 0; i < g->nr && i < s->nr; i++) {
		w = g->fields[i].value;
		if (shape_is_text(s->fields[i].type) != (w.type == WIRE_LENGTH) ||
		    strcmp(s->fields[i].name, g->fields[i].name) != 0)
			return false;
		v->text[i] = (struct kt_blob){ (const char *)w.data, w.size };
		v->number[i] = w.value;
	}
	return i == g->nr && i == s->nr;
}

/* The event with the fields of @g; a known name determines its system */
static struct shape_event *generic_event(struct perfetto *p, const struct generic *g,
					  struct shape_values *v)
{
	struct shape_events *events = &p->im->events;
	const struct known_event *k;
	struct str template = STR_INIT;
	struct shape_event *ev, *at;

	k = known_find(NULL, NULL, g->name);
	ev = at = shape_events_find(events, k ? k->system : NULL, g->name);
	while (at && !suits(&at->shape, g, v))
		at = at->next;
	if (!at) {
		generic_template(g, &template);
		if (!template.failed)
			at = shape_events_add_shape(events, ev, k ? k->system : NULL, g->name,
						     template.buf);
		if (at)
			suits(&at->shape, g, v);
	}
	str_fini(&template);
	return at;
}

static int put_generic(struct perfetto *p, const struct import_record *r, struct wire w,
		       struct kt_err *err)
{
	struct generic g = { 0 };
	struct shape_values v;
	struct shape_event *ev;

	take_generic(&g, w);
	ev = generic_event(p, &g, &v);
	return ev ? import_record(p->im, r, ev, &v, err) : kt_err_no_memory(err);
}

/* ---- one event ---- */

int perfetto_put_event(struct perfetto *p, unsigned int cpu, struct wire w, struct kt_err *err)
{
	struct import_record r = { .cpu = cpu };
	struct wire event = { 0 };

	while (wire_next(&w)) {
		if (w.number == EVENT_TIMESTAMP)
			r.ts = w.value;
		else if (w.number == EVENT_PID)
			r.pid = (int32_t)w.value;
		else if (w.number == EVENT_FLAGS)
			r.flags = (uint8_t)w.value;
		else if (w.type == WIRE_LENGTH)
			event = w;
	}
	p->nr_damaged += w.failed;
	if (w.failed || !event.number)
		return 0;
	if (event.number == PERFETTO_GENERIC)
		return put_generic(p, &r, wire_inside(&event), err);
	return put_message(p, &r, event.number, wire_inside(&event), err);
}
