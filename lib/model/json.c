/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json.c - a record as one line of JSON, for programs */
#include <inttypes.h>
#include <stdlib.h>

#include "base/comm16.h"
#include "base/json.h"
#include "base/put.h"
#include "model/events.h"
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

#define FLAGS_LEN 5

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

/* Not a number that json_keys() has found a place for */
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

/* Names of events and fields are the same in every line: they are quoted once. */
char *json_head(const struct kt_event *ev)
{
	struct str s = STR_INIT;

	str_addn(&s, "\",\"system\":", 11);
	json_quote(&s, ev->system, strlen(ev->system));
	str_addn(&s, ",\"event\":", 9);
	json_quote(&s, ev->name, strlen(ev->name));
	str_addn(&s, ",\"fields\":{", 11);
	return str_take(&s);
}

static void set_kind(struct json_key *key, const struct kt_field *f)
{
	if ((f->flags & KT_FIELD_STRING) && !(f->flags & KT_FIELD_DYNAMIC) &&
	    f->size == COMM_SIZE && !KT_HOST_BIG) {
		key->kind = JSON_COMM;
		key->word.offset = f->offset;
		return;
	}
	if (f->flags & (KT_FIELD_STRING | KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE) ||
	    !word_place(&key->word, f->offset, f->size))
		return;
	key->kind = f->flags & KT_FIELD_POINTER ? JSON_POINTER :
		    f->flags & KT_FIELD_SIGNED ? JSON_SIGNED : JSON_UNSIGNED;
}

void json_keys_free(struct json_key *keys, size_t nr)
{
	size_t i;

	for (i = 0; keys && i < nr; i++)
		free(keys[i].text);
	free(keys);
}

struct json_key *json_keys(const struct kt_event *ev, size_t *room)
{
	struct json_key *keys = calloc(ev->nr_fields + 1, sizeof(*keys));
	size_t i;

	*room = 16;		/* for what follows */

	for (i = 0; keys && i < ev->nr_fields; i++) {
		struct str s = STR_INIT;

		if (i)
			str_addc(&s, ',');
		json_quote(&s, ev->fields[i].name, strlen(ev->fields[i].name));
		str_addc(&s, ':');
		keys[i].len = s.len;
		str_room(&s, PUT_SLACK);
		keys[i].text = str_take(&s);
		if (!keys[i].text) {
			json_keys_free(keys, i);
			return NULL;
		}
		set_kind(&keys[i], &ev->fields[i]);
		*room += keys[i].len + NUM_MAX + 4;
	}
	return keys;
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
	if (ts - j->block >= LOW_DIGITS || !j->len)
		return put_new_time(j, p, ts);
	return num_put_six(put_padded(p, j->text, j->len), ts - j->block);
}

/* Losses stand behind the CPU, inside of the task's text. */
static char *put_lost(char *p, const struct text_source *src, uint32_t lost,
		      const struct json_context *c, size_t len)
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

/* The first @len bytes of the task's text, or all */
static inline char *put_start(const struct kt_text *x, const struct text_source *src,
			      const struct kt_record *rec, const struct json_context *c, char *p,
			      size_t len)
{
	p = put_time(c->state, p, rec->ts - x->base_ts);
	if (__builtin_expect(rec->lost, 0))
		return put_lost(p, src, rec->lost, c, len);
	return put_padded(p, c->task, len);
}

static inline char *put_known_flags(struct json_state *j, char *p, uint32_t flags)
{
	if (j->flags_key != flags + 1) {
		j->flags_key = flags + 1;
		put_flags(j->flags, flags);
	}
	memcpy(p, j->flags, sizeof(j->flags));
	return p + FLAGS_LEN;
}

/* The common case of a text; NULL: another one */
static inline char *put_comm(char *p, const uint8_t *from)
{
	struct comm16 comm = comm16_load(from);

	if (!comm16_is_plain(&comm) || comm16_has(&comm, '"') || comm16_has(&comm, '\\'))
		return NULL;
	*p++ = '"';
	p = comm16_put(p, &comm);
	*p++ = '"';
	return p;
}

/* @p: room for all keys and numbers; back comes the place behind them, or NULL: no memory */
static inline char *put_fields(const struct text_event *te, const struct kt_record *rec,
			       struct str *s, char *p)
{
	bool whole = rec->size >= to_event(te->ev)->min_size, swap = te->ev->events->swap;
	const struct json_key *key = te->keys, *end = key + te->ev->nr_fields;
	char *behind;

	for (; key < end; key++) {
		p = put_padded(p, key->text, key->len);
		switch (whole ? key->kind : JSON_OTHER) {
		case JSON_UNSIGNED:
			p = num_put_u64(p, word_u64(key->word, rec->data, swap));
			break;
		case JSON_SIGNED:
			p = num_put_i64(p, word_i64(key->word, rec->data, swap));
			break;
		case JSON_POINTER:
			p = put_pointer(p, word_u64(key->word, rec->data, swap));
			break;
		case JSON_COMM:
			behind = put_comm(p, rec->data + key->word.offset);
			if (behind) {
				p = behind;
				break;
			}
			/* fall through */
		case JSON_OTHER:
			put_done(s, p);
			add_value(s, te->ev, &te->ev->fields[key - te->keys], rec);
			p = put_room(s, te->keys_room);
			if (!p)
				return NULL;
		}
	}
	return p;
}

/* Most texts need no escapes: they are written in place, and looked at there. */
static void add_info(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		     const struct json_context *c, struct kt_out *out)
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

static void add_event(const struct kt_text *x, const struct text_source *src,
		      const struct kt_record *rec, const struct mark *m,
		      const struct json_context *c, struct kt_out *out)
{
	const struct text_event *te = m->ev;
	struct str *s = &out->text;
	char *p = put_room(s, START_ROOM + c->task_len + te->head_len + te->keys_room);

	if (!p)
		return;
	p = put_start(x, src, rec, c, p, c->task_len);
	p = put_known_flags(c->state, p, text_flags(rec, te));
	p = put_padded(p, te->head, te->head_len);
	p = put_fields(te, rec, s, p);
	if (!p)
		return;
	put_done(s, put_lit(p, "},\"info\":\""));
	if (te->ordinary) {
		te->text(src->events, to_event(te->ev), rec, out);
		p = put_room(s, 1);
		if (!p)
			return;
		*p++ = '"';
		put_done(s, p);
	} else {
		add_info(x, rec, m, c, out);
	}
	if (x->pretty)
		add_columns(x, src, te->ev, rec, s);
}

static void add_unknown(const struct kt_text *x, const struct text_source *src,
			const struct kt_record *rec, const struct json_context *c, struct str *s)
{
	char *p = put_room(s, START_ROOM + c->task_len);

	if (!p)
		return;
	put_done(s, put_start(x, src, rec, c, p, c->task_len - strlen(FLAGS)));
	str_addf(s, ",\"id\":%u", rec->type);
}

void json_line(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
	       const struct json_context *c, struct kt_out *out)
{
	const struct text_source *src = &x->sources[rec->source];
	struct str *s = &out->text;
	char *p;

	if (m->ev->ev)
		add_event(x, src, rec, m, c, out);
	else
		add_unknown(x, src, rec, c, s);
	p = put_room(s, 2);
	if (p)
		put_done(s, put_lit(p, "}\n"));
}
