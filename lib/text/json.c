/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json.c - print a record as one line of JSON, for programs */
#include <inttypes.h>
#include <stdlib.h>

#include "base/comm16.h"
#include "base/json.h"
#include "base/put.h"
#include "format/events.h"
#include "text/json_plan.h"
#include "trace/pretty.h"
#include "printer/program.h"
#include "text/text.h"
#include "plug/plug.h"

/* Documentation/json.md documents these members: add new ones, never change one. */

#define MAX_ELEMS 65536		/* of an array; a record holds at most so many bytes */

/* ---- fields ---- */

static void add_number(struct str *s, const struct kt_field *f, uint64_t v, unsigned int size)
{
	char *p = put_room(s, NUM_MAX + 4);

	if (!p)
		return;
	if (f->flags & KT_FIELD_POINTER) {
		p = put_lit(num_put_hex(put_lit(p, "\"0x"), v), "\"");
	} else if (f->flags & KT_FIELD_SIGNED) {
		if (size && size < 8)
			v = (int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size);
		p = num_put_i64(p, v);
	} else {
		p = num_put_u64(p, v);
	}
	put_done(s, p);
}

static void add_array(struct str *s, const struct kt_event *ev, const struct kt_field *f,
		      const struct kt_record *rec)
{
	uint64_t v;
	size_t i;

	str_addc(s, '[');
	for (i = 0; i < MAX_ELEMS && kt_field_elem(ev, f, rec, i, &v) == 0; i++) {
		if (i)
			str_addc(s, ',');
		add_number(s, f, v, f->elem_size);
	}
	str_addc(s, ']');
}

static void add_text_of(struct str *s, const struct kt_event *ev, const struct kt_field *f,
			const struct kt_record *rec)
{
	struct kt_blob text;

	if (kt_field_bytes(ev, f, rec, &text) == 0)
		json_quote(s, text.data, text.size);
	else
		str_addn(s, "null", 4);
}

/* Each has its own __data_loc. */
static void add_texts(struct str *s, const struct kt_event *ev, const struct kt_field *f,
		      const struct kt_record *rec)
{
	struct kt_field one = *f;
	size_t i;

	one.size = 4;
	for (i = 0; i < f->nr_elems; i++) {
		str_addc(s, i ? ',' : '[');
		one.offset = f->offset + 4 * i;
		add_text_of(s, ev, &one, rec);
	}
	str_addc(s, ']');
}

static void add_value(struct str *s, const struct kt_event *ev, const struct kt_field *f,
		      const struct kt_record *rec)
{
	uint64_t v;

	if (f->flags & KT_FIELD_STRING) {
		if ((f->flags & KT_FIELD_DYNAMIC) && f->nr_elems)
			add_texts(s, ev, f, rec);
		else
			add_text_of(s, ev, f, rec);
		return;
	} else if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE)) {
		add_array(s, ev, f, rec);
		return;
	} else if (kt_field_u64(ev, f, rec, &v) == 0) {
		add_number(s, f, v, f->size);
		return;
	}
	str_addn(s, "null", 4);
}

/* ---- members between time and flags; see put_start() ---- */

#define FLAGS ",\"flags\":\""

void json_task(const struct kt_text *x, const struct text_source *src, const char *comm, int pid,
	       struct str *s)
{
	str_addf(s, ",\"cpu\":%d", src->cpu);
	if (x->nr_files > 1)
		str_addf(s, ",\"file\":%zu", src->file);
	str_addf(s, ",\"pid\":%d,\"comm\":", pid);
	json_quote(s, comm, strlen(comm));
	if (*src->buffer) {
		str_add(s, ",\"buffer\":");
		json_quote(s, src->buffer, strlen(src->buffer));
	}
	str_add(s, FLAGS);
}

/* ---- up to the flags ---- */

#define LOW_DIGITS 1000000000u		/* the low digits of a time, which change between lines */
/* for the output of put_start() and text_put_flags(), without the task */
#define START_ROOM (5 * NUM_MAX + 96 + TEXT_DATE)

/* Like put_time() if the upper digits have changed; stores them */
static char *put_new_time(struct json_state *j, char *p, uint64_t ts, uint64_t base)
{
	if (ts >= LOW_DIGITS) {
		j->block = ts - ts % LOW_DIGITS + base;
		j->block_size = LOW_DIGITS;
		j->len = num_put_u64(put_lit(j->text, "{\"ts\":"), ts / LOW_DIGITS) - j->text;
	}
	return num_put_u64(put_lit(p, "{\"ts\":"), ts);
}

/* "{\"ts\":", the cached upper digits, and the low digits */
static inline char *put_time(const struct json_state *j, char *p, uint32_t low)
{
	memcpy(p, j->text, NUM_MAX);
	return num_put_nine(p + j->len, low);
}

/* Losses come after the CPU, within the task's text. */
static char *put_lost(char *p, const struct kt_text *x, const struct kt_record *rec,
		      const char *task, size_t len)
{
	char *start = p;
	size_t cpu;

	p = num_put_i64(put_lit(p, ",\"cpu\":"), x->sources[rec->source].cpu);
	cpu = p - start;
	if (rec->lost == KT_LOST_UNKNOWN)
		p = put_lit(p, ",\"lost\":null");
	else
		p = num_put_u64(put_lit(p, ",\"lost\":"), rec->lost);
	return put_bytes(p, task + cpu, len - cpu);
}

/* Such lines are written one by one, without cached digits. */
static char *put_wall(struct json_context *c, const struct kt_record *rec, char *p)
{
	const struct text_source *src = &c->x->sources[rec->source];

	c->state.block_size = 0;
	if (!src->in_ns)
		return p;
	p = text_put_date_ns(put_lit(p, ",\"wall\":\""), rec->ts + src->wall);
	*p++ = '"';
	return p;
}

/* The time, and @len bytes of the task's text */
static char *put_start(struct json_context *c, const struct kt_record *rec, char *p,
		       const char *task, size_t len)
{
	p = put_new_time(&c->state, p, rec->ts - c->x->base_ts, c->x->base_ts);
	if (c->x->opts.wall)
		p = put_wall(c, rec, p);
	if (__builtin_expect(rec->lost, 0))
		return put_lost(p, c->x, rec, task, len);
	return put_bytes(p, task, len);
}

static inline struct json_flags *known_flags(struct json_state *j, uint32_t flags)
{
	return &j->flags[text_flags_hash(flags)];
}

static char *put_new_flags(struct json_state *j, char *p, uint32_t flags)
{
	struct json_flags *f = known_flags(j, flags);

	f->key = flags + 1;
	text_put_flags(f->text, flags, (flags & 0xffff) == 0xffff ? KT_LAYOUT_CURRENT	/* unset */
								  : KT_LAYOUT_KERNEL);
	return put_bytes(p, f->text, FLAG_LETTERS);
}

/* ---- pieces of the line ---- */

static inline struct json_context *context(const struct input *in)
{
	return (struct json_context *)in;
}

static __attribute__((noinline)) char *put_unusual(struct json_context *c);

char *json_put_comm(char *to, const struct piece *piece, const struct input *in)
{
	const uint8_t *from = in->data + piece->offset;
	int len = comm16_len(from, true);

	if (__builtin_expect(len < 0, 0))
		return put_unusual(context(in));
	to = piece_literal(to, piece);
	memcpy(to, from, COMM_SIZE);
	return PIECE_NEXT(to + len);
}

char *json_put_other(char *to, const struct piece *piece, const struct input *in)
{
	const struct kt_event *ev = context(in)->m->ev->ev;
	struct str *s = &in->out->text;

	put_done(s, piece_literal(to, piece));
	add_value(s, ev, &ev->fields[piece->value], context(in)->rec);
	to = put_room(s, piece->room);
	return to ? PIECE_NEXT(to) : NULL;
}

char *json_put_nothing(char *to, const struct piece *piece, const struct input *in)
{
	(void)piece;
	(void)in;
	return to;
}

char *json_put_checked(char *to, const struct piece *piece, const struct input *in)
{
	struct str *s = &in->out->text;
	size_t start, len;

	to = piece_literal(to, piece);
	start = to - s->buf;
	to = piece->part->fn(to, piece->part, in);
	if (!to)
		return put_unusual(context(in));
	len = to - s->buf - start;
	if (json_ordinary(s->buf + start, len) != len)
		return put_unusual(context(in));
	return PIECE_NEXT(to);
}

/* Most texts need no escapes: they are written in place and checked there. */
static void add_text(struct json_context *c)
{
	struct str *s = &c->in.out->text;
	size_t start = s->len, len;
	char *p;

	text_info(c->x, c->names, c->rec, c->m, c->in.out);
	len = s->len - start;
	p = put_room(s, 1);
	if (!p)
		return;
	if (json_ordinary(s->buf + start, len) == len) {
		*p++ = '"';
		put_done(s, p);
		return;
	}
	kt_out_reset(c->scratch);
	str_addn(&c->scratch->text, s->buf + start, len);
	s->len = start - 1;
	json_quote(s, c->scratch->text.buf, c->scratch->text.len);
}

/* Columns of plugins: in ns and bytes, regardless of the unit in the record */
static void add_columns(const struct json_context *c)
{
	struct plug_view *view = pretty_view(c->x->pretty, c->x->sources[c->rec->source].file);
	const struct kt_event *ev = c->m->ev->ev;
	struct str *s = &c->in.out->text;
	const char *before = ",\"columns\":{";
	const struct kt_column *col;
	uint64_t value;
	size_t i;

	for (i = 0; (col = plug_column(view, ev, i)); i++) {
		if (plug_column_value(view, ev, c->rec, i, &value) < 0)
			continue;
		str_add(s, before);
		before = ",";
		json_quote(s, col->name, strlen(col->name));
		str_addf(s, col->kind == KT_COLUMN_ADDRESS ? ":\"0x%" PRIx64 "\"" : ":%" PRId64,
			 value);
	}
	if (*before == ',' && !before[1])
		str_addc(s, '}');
}

static void add_text_and_more(struct json_context *c)
{
	add_text(c);
	if (c->m->flags & MARK_LATENCY)
		str_addf(&c->in.out->text, ",\"latency\":%" PRIu64, c->m->duration);
	if (c->x->pretty)
		add_columns(c);
}

char *json_put_text(char *to, const struct piece *piece, const struct input *in)
{
	struct str *s = &in->out->text;

	put_done(s, piece_literal(to, piece));
	add_text_and_more(context(in));
	to = put_room(s, piece->room);
	return to ? PIECE_NEXT(to) : NULL;
}

/* ---- the line ---- */

static void end_line(struct str *s)
{
	str_addn(s, "}\n", 2);
}

static void add_unknown(struct json_context *c, const char *task, size_t task_len)
{
	struct str *s = &c->in.out->text;
	char *p = put_room(s, START_ROOM + task_len);

	if (!p)
		return;
	put_done(s, put_start(c, c->rec, p, task, task_len - strlen(FLAGS)));
	str_addf(s, ",\"id\":%u", c->rec->type);
	end_line(s);
}

/* A line that the pieces cannot print: a record without all fields, or text that needs escapes */
static char *put_unusual(struct json_context *c)
{
	const struct json_plan *plan = c->m->ev->json;
	const struct kt_event *ev = c->m->ev->ev;
	struct str *s = &c->in.out->text;
	size_t i;

	s->len = c->start;
	str_addn(s, plan->head.buf, plan->event_len);
	for (i = 0; i < ev->nr_fields; i++) {
		if (i)
			str_addc(s, ',');
		json_quote(s, ev->fields[i].name, strlen(ev->fields[i].name));
		str_addc(s, ':');
		add_value(s, ev, &ev->fields[i], c->rec);
	}
	str_add(s, "},\"info\":\"");
	add_text_and_more(c);
	end_line(s);
	return NULL;
}

char *json_put_end(char *to, const struct piece *piece, const struct input *in)
{
	to = piece_literal(to, piece);
	put_done(&in->out->text, to);
	return to;
}

/* Any line */
static __attribute__((noinline)) void add_line(struct json_context *c, const struct kt_record *rec,
					       const struct mark *m, const char *task,
					       size_t task_len)
{
	const struct json_plan *plan = m->ev->json;
	struct str *s = &c->in.out->text;
	char *p;

	if (!plan) {
		add_unknown(c, task, task_len);
		return;
	}
	p = put_room(s, START_ROOM + task_len + plan->room);
	if (!p)
		return;
	p = put_start(c, rec, p, task, task_len);
	p = put_new_flags(&c->state, p, text_shown_flags(rec, m->ev));
	c->start = p - s->buf;
	text_set_input(c->x, rec, m->ev, &c->in);
	if (rec->size < plan->min_size)
		put_unusual(c);
	else
		line_put(&plan->line, put_bytes(p, plan->head.buf, plan->head.len), &c->in);
}

/* For nearly all lines: rare cases are excluded first, so no register is saved for their calls. */
void json_line(struct json_context *c, const struct kt_record *rec, const struct mark *m,
	       const char *task, size_t task_len)
{
	const struct json_plan *plan = m->ev->json;
	struct str *s = &c->in.out->text;
	uint64_t low = rec->ts - c->state.block;
	struct json_flags *f;
	uint32_t flags;
	char *p;

	c->rec = rec;
	c->m = m;
	if (__builtin_expect(!plan || rec->size < plan->usual_size || rec->lost ||
			     task_len > TEXT_COPY || low >= c->state.block_size ||
			     s->cap - s->len <= START_ROOM + TEXT_COPY + PUT_SLACK + plan->room,
			     0)) {
		add_line(c, rec, m, task, task_len);
		return;
	}
	flags = load_u16(rec->data + 2, KT_HOST_BIG);
	f = known_flags(&c->state, flags);
	if (__builtin_expect(f->key != flags + 1, 0)) {
		add_line(c, rec, m, task, task_len);
		return;
	}
	p = put_time(&c->state, s->buf + s->len, low);
	memcpy(p, task, TEXT_COPY);
	p += task_len;
	memcpy(p, f->text, 8);
	p += FLAG_LETTERS;
	c->start = p - s->buf;
	if (plan->line.asks)
		text_set_input(c->x, rec, m->ev, &c->in);
	c->in.data = rec->data;
	memcpy(p, plan->head.buf, JSON_HEAD);
	line_put(&plan->line, p + plan->head.len, &c->in);
}
