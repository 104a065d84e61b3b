/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* phrase.c - texts with fields in them: "{comm}:{pid} takes {delta|time}" */
#include "plug/plug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NESTING 8

enum step_kind {
	STEP_TEXT, STEP_FIELD, STEP_CONVERT, STEP_TABLE,
	STEP_IF, STEP_UNLESS,		/* skip to @to when the field is zero, or is not */
};

struct step {
	enum step_kind kind;
	const char *text;		/* TEXT: borrowed from the phrase */
	size_t len;
	const struct kt_field *field;
	plug_print_fn print;		/* CONVERT */
	const struct kt_table *table;	/* TABLE */
	size_t to;			/* IF, UNLESS */
};

struct plug_phrase {
	struct step *steps;
	size_t nr;
	struct kt_table *kernel[8];	/* names taken from print formats, ours to free */
	size_t nr_kernel;
};

struct parser {
	const struct plugin *pl;
	const struct kt_event *ev;
	struct plug_phrase *ph;
	const char *p;
	int error;
	int depth;
};

static struct step *add(struct parser *x, enum step_kind kind)
{
	struct plug_phrase *ph = x->ph;
	struct step *more;

	if (!(ph->nr & (ph->nr - 1))) {
		more = realloc(ph->steps, (ph->nr ? 2 * ph->nr : 1) * sizeof(*more));
		if (!more) {
			x->error = -ENOMEM;
			return NULL;
		}
		ph->steps = more;
	}
	ph->steps[ph->nr] = (struct step) { .kind = kind };
	return &ph->steps[ph->nr++];
}

static void add_text(struct parser *x, const char *text, size_t len)
{
	struct step *s = len ? add(x, STEP_TEXT) : NULL;

	if (s) {
		s->text = text;
		s->len = len;
	}
}

static size_t name_length(const char *p)
{
	return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* Kernels differ in which values they name: without names the value itself is shown. */
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

/* "field" or "field|as", up to the brace. */
static void parse_field(struct parser *x)
{
	size_t len = name_length(x->p), as_len;
	const char *as;
	struct step *s = add(x, STEP_FIELD);

	if (!s)
		return;
	s->field = plug_field(x->ev, x->p, len);
	if (!s->field)
		x->error = -ENOENT;
	as = x->p + len + 1;
	if (as[-1] == '|') {
		as_len = name_length(as);
		s->table = plug_table(x->pl, as, as_len);
		s->print = plug_conversion(as, as_len);
		s->kind = s->table ? STEP_TABLE : STEP_CONVERT;
		if (as_len == 6 && !memcmp(as, "kernel", 6))
			set_kernel_names(x, s, x->p, len);
		else if (!s->table && !s->print)
			x->error = -EINVAL;
		len += 1 + as_len;
	}
	x->p += len;
	if (*x->p != '}')
		x->error = -EINVAL;
	else
		x->p++;
}

/* Behind the brace that closes the one before @p. */
static const char *skip_part(const char *p)
{
	int depth = 1;

	for (; *p && depth; p++)
		depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
	return p;
}

static void parse_text(struct parser *x, bool inner);

/* "?field …" or "!field …". A field that is not there is as good as zero. */
static void parse_condition(struct parser *x)
{
	bool unless = *x->p++ == '!';
	size_t len = name_length(x->p), at = x->ph->nr;
	const struct kt_field *f = plug_field(x->ev, x->p, len);
	struct step *s;

	if (!f && !unless) {
		x->p = skip_part(x->p);
		return;
	}
	x->p += len;
	if (*x->p == ' ')
		x->p++;
	if (f) {
		s = add(x, unless ? STEP_UNLESS : STEP_IF);
		if (!s)
			return;
		s->field = f;
	}
	parse_text(x, true);
	if (f && !x->error)
		x->ph->steps[at].to = x->ph->nr;
}

static void parse_brace(struct parser *x)
{
	if (++x->depth > MAX_NESTING)
		x->error = -EINVAL;
	else if (*x->p == '?' || *x->p == '!')
		parse_condition(x);
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
	free(p->steps);
	free(p);
}

static int64_t extend(const struct kt_field *f, uint64_t value)
{
	unsigned int shift = f->size < 8 ? 64 - 8 * f->size : 0;

	if (!(f->flags & KT_FIELD_SIGNED))
		return (int64_t)value;
	return (int64_t)(value << shift) >> shift;
}

static int get_value(const struct plug_call *c, const struct kt_field *f, uint64_t *value)
{
	int ret = c->view->model->field_u64(c->ev, f, &c->rec, value);

	if (ret == 0)
		*value = (uint64_t)extend(f, *value);
	return ret;
}

/* Text and arrays are "not zero" when they hold something. */
static int is_set(const struct plug_call *c, const struct kt_field *f)
{
	struct kt_blob b;
	uint64_t value;
	int ret;

	if (f->flags & (KT_FIELD_STRING | KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) {
		ret = c->view->model->field_bytes(c->ev, f, &c->rec, &b);
		return ret < 0 ? ret : b.size && (!(f->flags & KT_FIELD_STRING) || b.data[0]);
	}
	ret = get_value(c, f, &value);
	return ret < 0 ? ret : value != 0;
}

static int print_step(const struct step *s, const struct plug_call *c, struct str *out)
{
	uint64_t value = 0;
	struct kt_blob b;
	int ret;

	if (s->kind == STEP_FIELD) {
		ret = c->view->model->field_bytes(c->ev, s->field, &c->rec, &b);
		if (ret == 0)
			plug_print_field(c, s->field, out);
		return ret;
	}
	if (s->kind == STEP_CONVERT && plug_converts_bytes(s->print))
		ret = c->view->model->field_bytes(c->ev, s->field, &c->rec, &b);
	else
		ret = get_value(c, s->field, &value);
	if (ret < 0)
		return ret;
	if (s->kind == STEP_TABLE)
		plug_print_name(s->table, value, out);
	else
		s->print(c, s->field, value, out);
	return 0;
}

int plug_phrase_print(const struct plug_phrase *p, const struct plug_call *c, struct str *out)
{
	size_t i = 0;
	int ret;

	while (i < p->nr) {
		const struct step *s = &p->steps[i++];

		if (s->kind == STEP_TEXT) {
			str_addn(out, s->text, s->len);
		} else if (s->kind == STEP_IF || s->kind == STEP_UNLESS) {
			ret = is_set(c, s->field);
			if (ret < 0)
				return ret;
			if ((ret != 0) == (s->kind == STEP_UNLESS))
				i = s->to;
		} else {
			ret = print_step(s, c, out);
			if (ret < 0)
				return ret;
		}
	}
	return 0;
}
