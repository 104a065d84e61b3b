/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* raw.c - show a record as " name=value …", like report -R */
#include "printer/raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/comm16.h"
#include "base/put.h"
#include "printer/program.h"

/* How to show a field: a number by @step, as in the print format; without @step, by its type. */
struct raw_field {
	const struct step *step;
	struct step own;		/* used without @step, for a frequent kind of number */
	const struct step *quick;	/* @step or @own, if it can run inline; else NULL */
	char  *name;			/* " name=0x", then PUT_SLACK readable bytes; owned */
	size_t name_len;		/* without "0x" */
	size_t quick_len;		/* of the name before @quick */
	bool   prefix;			/* "0x" before @step */
	uint32_t offset;		/* of the field */
	bool   comm;			/* a text of COMM_SIZE bytes: runs inline, too */
};

/* Longest name before a number that runs inline; no name in the kernel is longer */
#define QUICK_NAME 40

static bool is_printable(const uint8_t *p, size_t size)
{
	size_t i;

	for (i = 0; i < size && p[i]; i++)
		if ((p[i] < 0x20 || p[i] > 0x7e) && !(p[i] >= '\t' && p[i] <= '\r'))
			return false;
	return true;
}

static void put_array(struct kt_out *out, const uint8_t *p, size_t size)
{
	char *start = str_room(&out->text, size * 4 + 16), *to = start;
	size_t i;

	if (!start)
		return;
	memcpy(to, "ARRAY[", 6);
	to += 6;
	for (i = 0; i < size; i++) {
		if (i) {
			*to++ = ',';
			*to++ = ' ';
		}
		to = num_put_hex_digits(to, p[i], 2);
	}
	*to++ = ']';
	out->text.len += to - start;
}

/* Signed numbers are padded by size, as in libtraceevent: "%2d" for 16 bits. */
static char *put_signed(char *to, uint64_t v, uint32_t size, bool is_long)
{
	char *start = to;

	switch (size) {
	case 4:
		return is_long ? num_put_hex(put_lit(to, "0x"), (uint32_t)v)
			       : num_put_i64(to, (int32_t)v);
	case 2:
		to = num_put_i64(to, (int16_t)v);
		if (to - start == 1) {
			start[1] = start[0];
			start[0] = ' ';
			to++;
		}
		return to;
	case 1:
		return num_put_i64(to, (int8_t)v);
	}
	return num_put_i64(to, v);
}

static char *put_number(char *to, const struct kt_field *f, uint64_t v)
{
	if (f->flags & KT_FIELD_POINTER)
		return num_put_hex(put_lit(to, "0x"), v);
	if (f->flags & KT_FIELD_SIGNED)
		return put_signed(to, v, f->size, f->flags & KT_FIELD_LONG);
	if (f->flags & KT_FIELD_LONG)
		return num_put_hex(put_lit(to, "0x"), v);
	return num_put_u64(to, v);
}

/* For an array that exceeds the record, e.g. "caller[8]" of a short stack: the existing part */
static bool cut_short(const struct kt_field *f, const struct kt_record *rec, struct kt_blob *bytes)
{
	if ((f->flags & KT_FIELD_DYNAMIC) || f->offset >= rec->size)
		return false;
	*bytes = (struct kt_blob){ (const char *)rec->data + f->offset, rec->size - f->offset };
	return true;
}

/* A field that is not a number, after its name */
static void put_bytes_of(const struct event *ev, const struct kt_field *f,
			 const struct kt_record *rec, struct kt_out *out)
{
	bool no_end = !f->size;		/* "buf[]": to libtraceevent a string, or empty */
	struct kt_blob bytes;

	if (field_locate(&ev->pub, f, rec, &bytes) < 0 && !cut_short(f, rec, &bytes))
		return;
	if (!(f->flags & KT_FIELD_STRING))
		put_array(out, (const uint8_t *)bytes.data, no_end ? 0 : bytes.size);
	else if (no_end || is_printable((const uint8_t *)bytes.data, bytes.size))
		str_addn(&out->text, bytes.data, strnlen(bytes.data, bytes.size));
	else
		put_array(out, (const uint8_t *)bytes.data, bytes.size);
}

static bool shows(const struct program *p, const struct step *step, const struct kt_field *f)
{
	const struct node *n;

	if (step->node == NO_NODE)
		return false;
	n = &p->nodes[step->node];
	while (n->kind == NODE_CAST)
		n = &p->nodes[n->a];
	return (n->kind == NODE_TEXT_FIELD || n->kind == NODE_ADDR_FIELD) &&
	       n->offset == f->offset && n->size == f->size;
}

static bool ends_in_0x(const struct program *p, const struct step *step)
{
	const char *end = p->text.buf + step->literal + step->literal_len;

	return step->literal_len >= 2 && memcmp(end - 2, "0x", 2) == 0;
}

/*
 * libtraceevent searches for the conversion of a field cyclically, starting after the one of the
 * previous field. Once it has found the last one, it does not search any more.
 */
static size_t find_conversion(const struct program *p, size_t from, const struct kt_field *f,
			      struct raw_field *raw)
{
	bool prefix = false;
	size_t i = from;

	do {
		const struct step *step = &p->steps[i];

		if (step->literal_len)
			prefix = ends_in_0x(p, step);
		if (shows(p, step, f)) {
			raw->step = step;
			raw->prefix = prefix;
			return i + 1;
		}
		i = i + 1 < p->nr_steps ? i + 1 : 0;
	} while (i != from);
	return from;
}

static bool set_name(struct raw_field *raw, const char *name)
{
	struct str s = STR_INIT;

	str_addf(&s, " %s=0x", name);
	raw->name_len = s.len - 2;
	str_room(&s, PUT_SLACK);
	raw->name = str_take(&s);
	return raw->name;
}

/* The step that is equivalent to put_number(), if there is one */
static bool set_own(struct raw_field *raw, const struct kt_field *f)
{
	bool is_signed = f->flags & KT_FIELD_SIGNED, is_long = f->flags & KT_FIELD_LONG;

	if ((f->flags & KT_FIELD_ARRAY) || !word_place(&raw->own.word, f->offset, f->size) ||
	    (is_signed && f->size == 2))
		return false;
	raw->own.kind = STEP_HEX_FIELD;
	if (!(f->flags & KT_FIELD_POINTER) && is_signed && !(is_long && f->size == 4))
		raw->own.kind = STEP_DEC_FIELD;
	else if (!(f->flags & KT_FIELD_POINTER) && !is_long)
		raw->own.kind = STEP_UDEC_FIELD;
	return true;
}

static void set_quick(struct raw_field *raw, const struct kt_field *f)
{
	bool prefix = raw->prefix;

	raw->offset = f->offset;
	if (raw->name_len > QUICK_NAME)
		return;
	raw->comm = (f->flags & KT_FIELD_STRING) && !(f->flags & KT_FIELD_DYNAMIC) &&
		    f->size == COMM_SIZE && !KT_HOST_BIG;
	if (raw->step) {
		raw->quick = raw->step->kind <= STEP_THREE_FIELD ? raw->step : NULL;
	} else if (set_own(raw, f)) {
		raw->quick = &raw->own;
		prefix = raw->own.kind == STEP_HEX_FIELD;
	}
	raw->quick_len = raw->name_len + (prefix ? 2 : 0);
}

int raw_prepare(struct event *ev)
{
	const struct program *p = (const struct program *)ev->pub.program;
	bool search = !p->why_not || p->calls;
	size_t at = 0, i;

	ev->raw = calloc(ev->pub.nr_fields + 1, sizeof(*ev->raw));
	if (!ev->raw)
		return -ENOMEM;
	for (i = 0; i < ev->pub.nr_fields; i++) {
		if (search && at < p->nr_steps &&
		    !(ev->pub.fields[i].flags & (KT_FIELD_ARRAY | KT_FIELD_STRING)))
			at = find_conversion(p, at, &ev->pub.fields[i], &ev->raw[i]);
		if (!set_name(&ev->raw[i], ev->pub.fields[i].name))
			return -ENOMEM;
		set_quick(&ev->raw[i], &ev->pub.fields[i]);
	}
	return 0;
}

void raw_free(struct event *ev)
{
	size_t i;

	for (i = 0; ev->raw && i < ev->pub.nr_fields; i++)
		free(ev->raw[i].name);
	free(ev->raw);
}

static void put_field(const struct input *in, const struct event *ev, size_t i,
		      const struct kt_record *rec)
{
	const struct kt_field *f = &ev->pub.fields[i];
	const struct raw_field *raw = &ev->raw[i];
	bool as_printed = raw->step && rec->size >= ev->min_size;
	char *to = program_is_over(in) ? NULL :
		   put_room(&in->out->text, raw->name_len + NUM_MAX + 4);
	uint64_t v = 0;

	if (!to)
		return;
	/* Without "0x" if the record is too short for the print format */
	to = put_padded(to, raw->name, raw->name_len + (raw->prefix && as_printed ? 2 : 0));
	if (as_printed) {
		put_done(&in->out->text, to);
		program_run_step(in, raw->step);
	} else if (f->flags & KT_FIELD_ARRAY) {
		put_done(&in->out->text, to);
		put_bytes_of(ev, f, rec, in->out);
	} else {
		if (f->offset + f->size <= rec->size)
			v = load_uint(rec->data + f->offset, f->size, in->swap);
		put_done(&in->out->text, put_number(to, f, v));
	}
}

/* For a record with all fixed fields: prints numbers in sequence until it needs new room */
static void put_fields(const struct input *in, const struct event *ev, const struct kt_record *rec)
{
	const size_t room = ev->pub.nr_fields * (QUICK_NAME + 2 + NUM_MAX + 2);
	const struct raw_field *raw = ev->raw, *end = raw + ev->pub.nr_fields;
	struct str *text = &in->out->text;
	char *to = put_room(text, room);
	int len;

	for (; raw < end && to; raw++) {
		if (raw->quick) {
			to = put_padded(to, raw->name, raw->quick_len);
			to = program_put_field(in, raw->quick, to);
			continue;
		}
		if (raw->comm) {
			len = comm16_len(rec->data + raw->offset, false);
			if (len >= 0) {
				to = put_padded(to, raw->name, raw->name_len);
				memcpy(to, rec->data + raw->offset, COMM_SIZE);
				to += len;
				continue;
			}
		}
		put_done(text, to);
		put_field(in, ev, raw - ev->raw, rec);
		to = put_room(text, room);
	}
	if (to)
		put_done(text, to);
}

void raw_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	      struct kt_out *out)
{
	const struct input in = program_input(evs, ev, rec, out);
	size_t i;

	if (rec->size >= ev->min_size) {
		put_fields(&in, ev, rec);
		return;
	}
	for (i = 0; i < ev->pub.nr_fields; i++)
		put_field(&in, ev, i, rec);
}

const struct printer raw_printer = { PRINTER_RAW, .put = raw_text };

void failed_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		 struct kt_out *out)
{
	static const char text[] = "[FAILED TO PARSE]";

	str_addn(&out->text, text, sizeof(text) - 1);
	raw_text(evs, ev, rec, out);
}
