/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json.c - a record as one line of JSON, for programs */
#include <inttypes.h>
#include <stdlib.h>

#include "base/comm16.h"
#include "base/json.h"
#include "base/put.h"
#include "model/events.h"
#include "model/json_plan.h"
#include "model/pretty.h"
#include "model/text.h"
#include "plug/plug.h"

/* Documentation/json.md promises what stands here: add members, never change one. */

#define MAX_ELEMS 65536		/* of an array; a record holds no more bytes than that */

/* ---- flags, in the letters of the kernel's own trace file ---- */

enum {
	FLAG_IRQS_OFF = 0x01, FLAG_LAZY = 0x02, FLAG_RESCHED = 0x04, FLAG_HARDIRQ = 0x08,
	FLAG_SOFTIRQ = 0x10, FLAG_PREEMPT = 0x20, FLAG_NMI = 0x40, FLAG_BH_OFF = 0x80,
};

static char irqs_letter(unsigned int flags)
{
	if (flags & FLAG_IRQS_OFF)
		return flags & FLAG_BH_OFF ? 'D' : 'd';
	return flags & FLAG_BH_OFF ? 'b' : '.';
}

static char resched_letter(unsigned int flags)
{
	/* bit 0: lazily, bit 1: at once, bit 2: on preemption */
	static const char letters[8] = { '.', 'l', 'n', 'b', 'p', 'L', 'N', 'B' };

	return letters[(flags & FLAG_LAZY ? 1 : 0) | (flags & FLAG_RESCHED ? 2 : 0) |
		       (flags & FLAG_PREEMPT ? 4 : 0)];
}

static char context_letter(unsigned int flags)
{
	if (flags & FLAG_NMI)
		return flags & FLAG_HARDIRQ ? 'Z' : 'z';
	if (flags & FLAG_HARDIRQ)
		return flags & FLAG_SOFTIRQ ? 'H' : 'h';
	return flags & FLAG_SOFTIRQ ? 's' : '.';
}

static char hex_or_dot(unsigned int v)
{
	return v ? "0123456789abcdef"[v & 15] : '.';
}

/* @flags: text_flags() */
static char *put_flags(char *p, uint32_t flags)
{
	unsigned int depth = flags >> 8;

	*p++ = irqs_letter(flags);
	*p++ = resched_letter(flags);
	*p++ = context_letter(flags);
	*p++ = hex_or_dot(depth & 15);
	*p++ = hex_or_dot(depth >> 4);
	return p;
}

#define FLAGS_LEN   5
#define FLAGS_KNOWN (sizeof(((struct json_state *)NULL)->flags) / sizeof(struct json_flags))

/* ---- fields ---- */

static inline char *put_pointer(char *p, uint64_t v)
{
	p = num_put_hex(put_lit(p, "\"0x"), v);
	*p++ = '"';
	return p;
}

static void add_number(struct str *s, const struct kt_field *f, uint64_t v, unsigned int size)
{
	char *p = put_room(s, NUM_MAX + 4);

	if (!p)
		return;
	if (f->flags & KT_FIELD_POINTER) {
		p = put_pointer(p, v);
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

/* Not a number that json_plan_create() has found a place for */
static void add_value(struct str *s, const struct kt_event *ev, const struct kt_field *f,
		      const struct kt_record *rec)
{
	struct kt_blob text;
	uint64_t v;

	if (f->flags & KT_FIELD_STRING) {
		if (kt_field_bytes(ev, f, rec, &text) == 0) {
			json_quote(s, text.data, text.size);
			return;
		}
	} else if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE)) {
		add_array(s, ev, f, rec);
		return;
	} else if (kt_field_u64(ev, f, rec, &v) == 0) {
		add_number(s, f, v, f->size);
		return;
	}
	str_addn(s, "null", 4);
}

/* ---- what stands between the time and the flags; see put_start() ---- */

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

/* ---- the line ---- */

#define LOW_DIGITS 1000000u		/* of a time: those that change from line to line */
#define START_ROOM (5 * NUM_MAX + 96)	/* for what put_start() and put_flags() write, without the task */

/* "{\"ts\":" and the upper digits, as long as they stay the same */
static char *put_new_time(struct json_state *j, char *p, uint64_t ts)
{
	char *end;

	if (ts >= LOW_DIGITS) {
		j->block = ts - ts % LOW_DIGITS;
		end = num_put_u64(put_lit(j->text, "{\"ts\":"), ts / LOW_DIGITS);
		j->len = end - j->text;
	}
	return num_put_u64(put_lit(p, "{\"ts\":"), ts);
}

static inline char *put_time(struct json_state *j, char *p, uint64_t ts)
{
	if (__builtin_expect(ts - j->block >= LOW_DIGITS || !j->len, 0))
		return put_new_time(j, p, ts);
	memcpy(p, j->text, NUM_MAX);
	return num_put_six(p + j->len, ts - j->block);
}

/* Losses stand behind the CPU, inside of the task's text. */
static char *put_lost(char *p, const struct text_source *src, uint32_t lost,
		      struct json_context *c, size_t len)
{
	char *start = p;
	size_t cpu;

	p = num_put_i64(put_lit(p, ",\"cpu\":"), src->cpu);
	cpu = p - start;
	if (lost == KT_LOST_UNKNOWN)
		p = put_lit(p, ",\"lost\":null");
	else
		p = num_put_u64(put_lit(p, ",\"lost\":"), lost);
	return put_bytes(p, c->task + cpu, len - cpu);
}

/* @copy: a constant that @len seldom exceeds; as much of @text can be read */
static inline __attribute__((always_inline)) char *
put_mostly(char *p, const char *text, size_t len, size_t copy)
{
	if (__builtin_expect(len > copy, 0))
		return put_bytes(p, text, len);
	memcpy(p, text, copy);
	return p + len;
}

/* The first @len bytes of the task's text, or all */
static inline __attribute__((always_inline)) char *
put_start(const struct kt_text *x, const struct text_source *src, const struct kt_record *rec,
	  struct json_context *c, char *p, size_t len)
{
	p = put_time(&c->state, p, rec->ts - x->base_ts);
	if (__builtin_expect(rec->lost, 0))
		return put_lost(p, src, rec->lost, c, len);
	return put_mostly(p, c->task, len, TEXT_COPY);
}

static inline char *put_known_flags(struct json_state *j, char *p, uint32_t flags)
{
	struct json_flags *f = &j->flags[(flags ^ flags >> 6) % FLAGS_KNOWN];

	if (f->key != flags + 1) {
		f->key = flags + 1;
		put_flags(f->text, flags);
	}
	memcpy(p, f->text, sizeof(f->text));
	return p + FLAGS_LEN;
}

/* The common case of a text; NULL: another one */
static inline char *put_comm(char *p, const uint8_t *from)
{
	int len = comm16_len(from, true);

	if (__builtin_expect(len < 0, 0))
		return NULL;
	*p++ = '"';
	memcpy(p, from, COMM_SIZE);
	p += len;
	*p++ = '"';
	return p;
}

/* Where the values of the fields stand in the text; not set: of one that is JSON_OTHER */
struct known {
	struct text_at {
		const char *start, *end;
	} texts[JSON_KNOWN];
	bool plain;			/* there is none of those */
};

/* One that needs a look at the event: back comes the place behind, with room for all others */
static char *put_other(const struct text_event *te, size_t field, const struct kt_record *rec,
		       struct str *s, char *p)
{
	put_done(s, p);
	add_value(s, te->ev, &te->ev->fields[field], rec);
	return put_room(s, te->json->room);
}

/* A record that ends before its fields do */
static char *put_few_fields(const struct text_event *te, const struct kt_record *rec, struct str *s,
			    char *p)
{
	const struct json_plan *plan = te->json;
	size_t i;

	for (i = 0; p && i < plan->nr_fields; i++) {
		p = put_padded(p, plan->fields[i].literal, plan->fields[i].len);
		if (plan->fields[i].kind != JSON_NONE)
			p = put_other(te, i, rec, s, p);
	}
	return p;
}

/* As put_few_fields() for all others; @p: room for all of the plan, as what comes back has */
static inline __attribute__((always_inline)) char *
put_fields(const struct text_event *te, const struct kt_record *rec, struct str *s, char *p,
	   struct known *known, bool swap)
{
	const struct json_step *step = te->json->fields, *end = step + te->json->nr_fields;
	struct text_at *at = known->texts;
	const uint8_t *data = rec->data;

	/* It has the name of the event in it. */
	p = put_mostly(p, step->literal, step->len, JSON_HEAD);
	for (;;) {
		at->start = p;
		switch (step->kind) {
		case JSON_UNSIGNED:
			p = num_put_u64(p, word_u64(step->word, data, swap));
			break;
		case JSON_SIGNED:
			p = num_put_i64(p, word_i64(step->word, data, swap));
			break;
		case JSON_POINTER:
			p = put_pointer(p, word_u64(step->word, data, swap));
			break;
		case JSON_COMM:
			p = put_comm(p, data + step->word.offset);
			if (__builtin_expect(p != NULL, 1))
				break;
			p = (char *)at->start;
			/* fall through */
		case JSON_OTHER:
			known->plain = false;
			p = put_other(te, step - te->json->fields, rec, s, p);
			if (!p)
				return NULL;
			break;
		case JSON_NONE:
			break;
		default:
			__builtin_unreachable();	/* json_plan_create() knows no other */
		}
		at++->end = p;
		if (++step == end)
			return p;
		p = put_padded(p, step->literal, step->len);
	}
}

static __attribute__((noinline)) char *
put_swapped_fields(const struct text_event *te, const struct kt_record *rec, struct str *s, char *p,
		   struct known *known)
{
	return put_fields(te, rec, s, p, known, true);
}

static char *put_any_fields(const struct text_event *te, const struct kt_record *rec, struct str *s,
			    char *p, struct known *known)
{
	known->plain = rec->size >= te->json->min_size;
	if (__builtin_expect(!known->plain, 0))
		return put_few_fields(te, rec, s, p);
	if (__builtin_expect(te->json->swap, 0))
		return put_swapped_fields(te, rec, s, p, known);
	return put_fields(te, rec, s, p, known, false);
}

/* What the print format makes of it; back comes the place behind, with room again, or NULL */
static char *put_own(const struct text_source *src, const struct text_event *te,
		     const struct kt_record *rec, const struct step *own, struct kt_out *out, char *p)
{
	struct kt_events *evs = src->events;
	const struct input in = {
		.p = (const struct program *)te->ev->program, .evs = evs, .data = rec->data,
		.size = rec->size, .swap = evs->swap, .out = out,
	};

	if (own->kind < STEP_NUMBER)
		return program_put_field(&in, own, p, in.swap);
	put_done(&out->text, p);
	program_run_step(&in, own);
	return put_room(&out->text, te->json->room);
}

static inline char *put_hex(char *p, uint64_t v, unsigned int least)
{
	unsigned int len = num_hex_len(v);

	return num_put_hex_words(p, v, len < least ? least : len);
}

/* At most as long as a number, less @front bytes and @back; the two may overlap. */
static inline char *put_again(char *p, const struct text_at *at, ptrdiff_t moved, size_t front,
			      size_t back)
{
	const char *from = at->start + front + moved;
	char first[16], rest[8];

	memcpy(first, from, sizeof(first));
	memcpy(rest, from + sizeof(first), sizeof(rest));
	memcpy(p, first, sizeof(first));
	memcpy(p + sizeof(first), rest, sizeof(rest));
	return p + (at->end - at->start - front - back);
}

static inline bool is_long_enough(const struct text_at *at, const struct json_step *step)
{
	return at->end - at->start >= step->least;
}

/* Behind put_fields(), if all fields are known: up to the end of the line. NULL: no memory */
static char *put_info(const struct text_source *src, const struct text_event *te,
		      const struct kt_record *rec, const struct known *known, struct kt_out *out,
		      char *p)
{
	const struct json_step *step = te->json->info;
	const struct text_at *at = known->texts;
	const char *buf = out->text.buf;
	ptrdiff_t moved = 0;

	for (; p; step++) {
		p = put_padded(p, step->literal, step->len);
		switch (step->kind) {
		case JSON_END:
			return p;
		case JSON_AGAIN:
			p = put_again(p, &at[step->known], moved, 0, 0);
			continue;
		case JSON_AGAIN_COMM:
			p = put_again(p, &at[step->known], moved, 1, 1);
			continue;
		case JSON_AGAIN_POINTER:
			if (!is_long_enough(&at[step->known], step))
				break;
			p = put_again(p, &at[step->known], moved, 1, 1);
			continue;
		case JSON_AGAIN_HEX:
			if (!is_long_enough(&at[step->known], step))
				break;
			p = put_again(p, &at[step->known], moved, 3, 1);
			continue;
		case JSON_HEX:
			p = put_hex(p, word_u64(step->word, rec->data, te->json->swap), step->least);
			continue;
		case JSON_OWN:
			break;
		default:
			__builtin_unreachable();	/* as above */
		}
		p = put_own(src, te, rec, step->own, out, p);
		moved = out->text.buf - buf;
	}
	return NULL;
}

/* Most texts need no escapes: they are written in place, and looked at there. */
static void add_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		     struct json_context *c, struct kt_out *out)
{
	struct str *s = &out->text;
	size_t start = s->len, len;
	char *p;

	text_info(x, c->names, rec, m, out);
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

/* One that has no more to escape than the fields had */
static void add_safe_text(const struct text_source *src, const struct text_event *te,
			  const struct kt_record *rec, struct kt_out *out)
{
	char *p;

	te->text(src->events, to_event(te->ev), rec, out);
	p = put_room(&out->text, 1);
	if (!p)
		return;
	*p++ = '"';
	put_done(&out->text, p);
}

/* What plugins name in the event: ns and bytes, whatever unit the record has */
static void add_columns(const struct kt_text *x, const struct text_source *src,
			const struct kt_event *ev, const struct kt_record *rec, struct str *s)
{
	struct plug_view *view = pretty_view(x->pretty, src->file);
	const char *before = ",\"columns\":{";
	const struct kt_column *col;
	uint64_t value;
	size_t i;

	for (i = 0; (col = plug_column(view, ev, i)); i++) {
		if (plug_column_value(view, ev, rec, i, &value) < 0)
			continue;
		str_add(s, before);
		before = ",";
		json_quote(s, col->name, strlen(col->name));
		str_addf(s, col->kind == KT_COLUMN_ADDRESS ? ":\"0x%" PRIx64 "\"" : ":%" PRId64, value);
	}
	if (*before == ',' && !before[1])
		str_addc(s, '}');
}

static void end_line(struct str *s)
{
	char *p = put_room(s, 2);

	if (p)
		put_done(s, put_lit(p, "}\n"));
}

static __attribute__((noinline)) void
add_unknown(const struct kt_text *x, const struct text_source *src, const struct kt_record *rec,
	    struct json_context *c, struct str *s)
{
	char *p = put_room(s, START_ROOM + c->task_len);

	if (!p)
		return;
	put_done(s, put_start(x, src, rec, c, p, c->task_len - strlen(FLAGS)));
	str_addf(s, ",\"id\":%u", rec->type);
	end_line(s);
}

void json_line(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
	       struct json_context *c, struct kt_out *out)
{
	const struct text_source *src = &x->sources[rec->source];
	const struct text_event *te = m->ev;
	struct str *s = &out->text;
	struct known known;
	char *p;

	if (__builtin_expect(!te->ev, 0)) {
		add_unknown(x, src, rec, c, s);
		return;
	}
	p = put_room(s, START_ROOM + c->task_len + te->json->room);
	if (!p)
		return;
	p = put_start(x, src, rec, c, p, c->task_len);
	p = put_known_flags(&c->state, p, text_flags(rec, te));
	p = put_any_fields(te, rec, s, p, &known);
	if (!p)
		return;
	if (known.plain && te->json->info) {
		p = put_info(src, te, rec, &known, out, p);
		if (p)
			put_done(s, p);
		return;
	}
	put_done(s, put_lit(p, "},\"info\":\""));
	if (known.plain && te->json->safe)
		add_safe_text(src, te, rec, out);
	else
		add_text(x, rec, m, c, out);
	if (x->pretty)
		add_columns(x, src, te->ev, rec, s);
	end_line(s);
}
