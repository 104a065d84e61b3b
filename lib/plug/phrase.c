/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* phrase.c - texts with fields: "{comm}:{pid} takes {delta|time}" */
#include "plug/plug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define MAX_NESTING 8

enum step_kind {
	STEP_TEXT, STEP_FIELD, STEP_CONVERT, STEP_TABLE,
	STEP_IF, STEP_UNLESS,		/* skip to @to if the field is zero, or if it is not */
	STEP_REST,			/* all fields that no other step prints */
};

struct step {
	enum step_kind kind;
	const char *text;		/* TEXT: borrowed from the phrase */
	size_t len;
	struct plug_operand what;
	plug_print_fn print;		/* CONVERT */
	const struct kt_table *table;	/* TABLE */
	size_t to;			/* IF, UNLESS */
	bool compare;			/* IF, UNLESS: with @value instead of zero */
	uint64_t value;
};

struct rest_field {
	const struct kt_field *field;
	struct kt_table *names;		/* NULL: the print format has no names */
	bool hex;			/* as in the print format */
};

struct plug_phrase {
	struct step *steps;
	size_t nr;
	struct kt_table *kernel[8];	/* from print formats, owned */
	size_t nr_kernel;
	struct rest_field *rest;	/* for REST: all REST steps of a phrase print the same */
	size_t nr_rest;
};

struct parser {
	const struct plugin *pl;
	const struct kt_event *ev;
	struct plug_phrase *ph;
	const char *p;
	const char *hidden;		/* names after the star of "{* a b}"; NULL: none */
	int error;
	int depth;
};

static struct step *add(struct parser *x, enum step_kind kind)
{
	struct step *s = array_add(x->ph->steps, x->ph->nr);

	if (s)
		*s = (struct step) { .kind = kind };
	else
		x->error = -ENOMEM;
	return s;
}

static void add_text(struct parser *x, const char *text, size_t len)
{
	struct step *s = len ? add(x, STEP_TEXT) : NULL;

	if (s) {
		s->text = text;
		s->len = len;
	}
}

/* Kernels differ in the values they name: a value without a name is shown as it is. */
static void set_kernel_names(struct parser *x, struct step *s, const char *name, size_t len)
{
	struct plug_phrase *ph = x->ph;
	struct kt_table *t = NULL;

	if (ph->nr_kernel < sizeof(ph->kernel) / sizeof(ph->kernel[0]))
		t = plug_kernel_names(x->ev, name, len);
	if (t)
		ph->kernel[ph->nr_kernel++] = t;
	s->kind = t ? STEP_TABLE : STEP_FIELD;
	s->table = t;
}

/* If the field is missing, so is that of the operand: the caller decides whether it is an error. */
static struct plug_operand take_operand(struct parser *x)
{
	struct plug_operand o;
	int used = plug_operand_parse(x->ev, x->p, &o);

	if (used < 0)
		x->error = used;
	else
		x->p += used;
	return o;
}

/* Does the step print the bytes of a field, not its value? */
static bool is_of_bytes(const struct step *s)
{
	return s->kind == STEP_TABLE ? s->table->kind == KT_TABLE_LETTERS
				     : s->kind == STEP_CONVERT && s->print &&
				     plug_converts_bytes(s->print);
}

static void set_conversion(struct parser *x, struct step *s, const char *name, size_t name_len)
{
	size_t len = plug_name_length(x->p);
	const struct kt_field *f = s->what.field;

	s->table = plug_table(x->pl, x->p, len);
	s->print = plug_conversion(x->p, len);
	s->kind = s->table ? STEP_TABLE : STEP_CONVERT;
	if (len == 6 && !memcmp(x->p, "kernel", 6))
		set_kernel_names(x, s, name, name_len);
	else if (!s->table && !s->print)
		x->error = -EINVAL;
	else if (is_of_bytes(s) && (s->what.minus || s->what.high))
		x->error = -EINVAL;
	else if (f && !s->table && !plug_conversion_fits(s->print, f))
		x->error = -ENOENT;		/* not -EINVAL: it may fit in another kernel */
	x->p += len;
}

/* "field" or "field|as", up to the brace. */
static void parse_field(struct parser *x)
{
	struct step *s = add(x, STEP_FIELD);
	const char *name = x->p;

	if (!s)
		return;
	s->what = take_operand(x);
	if (!s->what.field) {
		x->error = -ENOENT;
		return;
	}
	if (*x->p == '|') {
		x->p++;
		set_conversion(x, s, name, plug_name_length(name));
	}
	if (*x->p != '}')
		x->error = -EINVAL;
	else
		x->p++;
}

/* "{*}", "{* without these}": which fields to print is known after parsing the whole phrase. */
static void parse_rest(struct parser *x)
{
	add(x, STEP_REST);
	x->hidden = ++x->p;
	x->p += strcspn(x->p, "{}");
	if (*x->p != '}')
		x->error = -EINVAL;
	else
		x->p++;
}

/* The position after the brace that closes the part at @p */
static const char *skip_part(const char *p)
{
	int depth = 1;

	for (; *p && depth; p++)
		depth += (*p == '{') - (*p == '}');
	return p;
}

static void parse_text(struct parser *x, bool inner);

/* "=number" after the field of a condition */
static void take_value(struct parser *x, struct step *s)
{
	char *end;

	if (*x->p != '=')
		return;
	s->compare = true;
	s->value = x->p[1] == '-' ?
		   (uint64_t)strtoll(x->p + 1, &end, 0) : strtoull(x->p + 1, &end, 0);
	if (end == x->p + 1)
		x->error = -EINVAL;
	x->p = end;
}

/* "?field …" or "!field …", "?field=1 …". A missing field counts as zero. */
static void parse_condition(struct parser *x)
{
	bool unless = *x->p++ == '!';
	size_t at = x->ph->nr;
	struct step s = { .kind = unless ? STEP_UNLESS : STEP_IF, .what = take_operand(x) }, *step;

	if (!s.what.field && !unless) {
		x->p = skip_part(x->p);
		return;
	}
	take_value(x, &s);
	if (*x->p == ' ')
		x->p++;
	if (s.what.field) {
		step = add(x, s.kind);
		if (!step)
			return;
		*step = s;
	}
	parse_text(x, true);
	if (s.what.field && !x->error)
		x->ph->steps[at].to = x->ph->nr;
}

static void parse_brace(struct parser *x)
{
	if (++x->depth > MAX_NESTING)
		x->error = -EINVAL;
	else if (*x->p == '?' || *x->p == '!')
		parse_condition(x);
	else if (*x->p == '*')
		parse_rest(x);
	else
		parse_field(x);
	x->depth--;
}

static void parse_text(struct parser *x, bool inner)
{
	size_t len;

	while (!x->error) {
		len = strcspn(x->p, "{}");
		add_text(x, x->p, len);
		x->p += len;
		if (!*x->p) {
			x->error = inner ? -EINVAL : 0;
			return;
		}
		if (x->p[0] == x->p[1] && !(inner && *x->p == '}')) {
			add_text(x, x->p, 1);
			x->p += 2;
		} else if (*x->p++ == '{') {
			parse_brace(x);
		} else {
			if (!inner)
				x->error = -EINVAL;
			return;
		}
	}
}

static bool is_hidden(const char *names, const char *name)
{
	size_t len, want = strlen(name);

	for (; *names && *names != '}'; names += len + (names[len] == ' ')) {
		len = strcspn(names, " }");
		if (len == want && !memcmp(names, name, len))
			return true;
	}
	return false;
}

static bool is_named(const struct plug_phrase *ph, const struct kt_field *f)
{
	size_t i;

	for (i = 0; i < ph->nr; i++)
		if (ph->steps[i].what.field == f || ph->steps[i].what.minus == f)
			return true;
	return false;
}

static void collect_rest(struct parser *x)
{
	struct plug_phrase *ph = x->ph;
	const struct kt_event *ev = x->ev;
	size_t i;

	ph->rest = calloc(ev->nr_fields + 1, sizeof(*ph->rest));
	if (!ph->rest)
		x->error = -ENOMEM;
	for (i = 0; !x->error && i < ev->nr_fields; i++) {
		const struct kt_field *f = &ev->fields[i];

		if (is_named(ph, f) || is_hidden(x->hidden, f->name))
			continue;
		ph->rest[ph->nr_rest++] = (struct rest_field){
			f, plug_kernel_names(ev, f->name, strlen(f->name)),
			plug_kernel_hex(ev, f->name, strlen(f->name)) };
	}
}

struct plug_phrase *plug_phrase_compile(const struct plugin *pl, const struct kt_event *ev,
					const char *text, int *error)
{
	struct parser x = { .pl = pl, .ev = ev, .p = text };

	x.ph = calloc(1, sizeof(*x.ph));
	if (!x.ph) {
		*error = -ENOMEM;
		return NULL;
	}
	parse_text(&x, false);
	if (!x.error && x.hidden)
		collect_rest(&x);
	*error = x.error;
	if (!x.error)
		return x.ph;
	plug_phrase_free(x.ph);
	return NULL;
}

void plug_phrase_free(struct plug_phrase *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr_kernel; i++)
		plug_names_free(p->kernel[i]);
	for (i = 0; i < p->nr_rest; i++)
		plug_names_free(p->rest[i].names);
	free(p->rest);
	free(p->steps);
	free(p);
}

/* Text and arrays are "not zero" if they are not empty. */
static int is_set(const struct plug_call *c, const struct plug_operand *o)
{
	const struct kt_field *f = o->field;
	struct kt_blob b;
	uint64_t value;
	int ret;

	if (f->flags & (KT_FIELD_STRING | KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) {
		ret = c->view->model->field_bytes(c->ev, f, &c->rec, &b);
		return ret < 0 ? ret : b.size && (!(f->flags & KT_FIELD_STRING) || b.data[0]);
	}
	ret = plug_operand_get(c, o, &value);
	return ret < 0 ? ret : value != 0;
}

/* Compares in the width of the field: a u32 of -1 is 0xffffffff. */
static int is_equal(const struct plug_call *c, const struct plug_operand *o, uint64_t want)
{
	uint32_t size = o->minus || o->high ? 8 : o->field->size;
	unsigned int shift = size && size < 8 ? 64 - 8 * size : 0;
	uint64_t value;
	int ret = plug_operand_get(c, o, &value);

	return ret < 0 ? ret : value << shift == want << shift;
}

static int print_step(const struct step *s, const struct plug_call *c, struct str *out)
{
	/* A computed value has no type: treat it as a signed number. */
	const struct kt_field *f = s->what.minus || s->what.high ? NULL : s->what.field;
	uint64_t value = 0;
	struct kt_blob b;
	int ret;

	if (f && (s->kind == STEP_FIELD || is_of_bytes(s)))
		ret = c->view->model->field_bytes(c->ev, f, &c->rec, &b);
	else
		ret = plug_operand_get(c, &s->what, &value);
	if (ret < 0)
		return ret;
	if (s->kind == STEP_TABLE && s->table->kind == KT_TABLE_LETTERS)
		plug_print_letters(c, s->what.field, s->table, out);
	else if (s->kind == STEP_TABLE)
		plug_print_name(s->table, f, value, out);
	else if (s->kind == STEP_CONVERT)
		s->print(c, f, value, out);
	else if (f)
		plug_print_field(c, f, out);
	else
		plug_conversion("dec", 3)(c, NULL, value, out);
	return 0;
}

static void print_rest_field(const struct plug_call *c, const struct rest_field *r, struct str *out)
{
	const struct plug_operand what = { .field = r->field };
	uint64_t value;

	if ((!r->names && !r->hex) || plug_operand_get(c, &what, &value) < 0)
		plug_print_field(c, r->field, out);
	else if (r->names)
		plug_print_name(r->names, r->field, value, out);
	else
		plug_conversion("hex", 3)(c, r->field, value, out);
}

/* " (a=1 b=2)": omits fields that are zero or empty, including an array of zeros. */
static int print_rest(const struct plug_phrase *p, const struct plug_call *c, struct str *out)
{
	bool any = false;
	struct kt_blob b;
	size_t i, k;
	int ret;

	for (i = 0; i < p->nr_rest; i++) {
		const struct rest_field *r = &p->rest[i];

		ret = plug_bytes(c, r->field, &b);
		if (ret < 0)
			return ret;
		if (r->field->flags & KT_FIELD_STRING)
			b.size = strnlen(b.data, b.size);
		for (k = 0; k < b.size && !b.data[k]; k++)
			;
		if (k == b.size)
			continue;
		str_addf(out, "%s%s=", any ? " " : " (", r->field->name);
		any = true;
		print_rest_field(c, r, out);
	}
	if (any)
		str_addc(out, ')');
	return 0;
}

static int test(const struct step *s, const struct plug_call *c)
{
	int ret = s->compare ? is_equal(c, &s->what, s->value) : is_set(c, &s->what);

	return ret < 0 ? ret : ret == (s->kind == STEP_IF);
}

int plug_phrase_print(const struct plug_phrase *p, const struct plug_call *c, struct str *out)
{
	size_t i = 0;
	int ret = 0;

	while (i < p->nr && ret >= 0) {
		const struct step *s = &p->steps[i++];

		if (s->kind == STEP_TEXT) {
			str_addn(out, s->text, s->len);
		} else if (s->kind == STEP_REST) {
			ret = print_rest(p, c, out);
		} else if (s->kind == STEP_IF || s->kind == STEP_UNLESS) {
			ret = test(s, c);
			if (ret == 0)
				i = s->to;
		} else {
			ret = print_step(s, c, out);
		}
	}
	return ret < 0 ? ret : 0;
}
