/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shape.c - parse a template, guess one from a text, write it as the format of an event */
#include "shape/shape.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "shape/types.h"

#define HEADER 8		/* the common fields of a record */

/* ---- templates ---- */

static enum shape_type type_of(const char *word, size_t len)
{
	unsigned int t;

	for (t = 0; t < SHAPE_TYPES; t++)
		if (strncmp(shape_types[t].word, word, len) == 0 && !shape_types[t].word[len])
			return t;
	return SHAPE_TYPES;
}

int shape_field(const struct shape *s, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (strncmp(s->fields[i].name, name, len) == 0 && !s->fields[i].name[len])
			return (int)i;
	return -1;
}

static int add_field(struct shape *s, const char *name, size_t len, enum shape_type type)
{
	struct shape_field *f = &s->fields[s->nr];
	unsigned int size = shape_types[type].size, align = shape_types[type].align;

	if (s->nr == SHAPE_FIELDS || !len || len >= SHAPE_NAME)
		return -1;
	memcpy(f->name, name, len);
	f->name[len] = '\0';
	f->type = type;
	s->fixed = (s->fixed + align - 1) / align * align;
	f->offset = (uint16_t)s->fixed;
	s->fixed += size;
	return (int)s->nr++;
}

/* The piece that ends with "{name:type}"; @word is the part between the braces */
static int add_piece(struct shape *s, struct shape_template *t, const char *literal, size_t len,
		     const char *word, size_t word_len)
{
	struct shape_piece *p = &t->pieces[t->nr];
	const char *colon = word ? memchr(word, ':', word_len) : NULL;
	size_t name = colon ? (size_t)(colon - word) : word_len;

	if (t->nr == SHAPE_PIECES || s->literals.len + len > UINT16_MAX)
		return -EINVAL;
	*p = (struct shape_piece){ .literal = (uint16_t)s->literals.len, .len = (uint16_t)len,
				   .field = -1 };
	str_addn(&s->literals, literal, len);
	t->nr++;
	if (!word)
		return 0;
	p->field = (int16_t)shape_field(s, word, name);
	p->type = SHAPE_TYPES;
	if (colon)
		p->type = type_of(colon + 1, word_len - name - 1);
	else if (p->field >= 0)
		p->type = s->fields[p->field].type;
	if (p->type == SHAPE_TYPES)
		return -EINVAL;
	if (p->field < 0)
		p->field = (int16_t)add_field(s, word, name, p->type);
	return p->field < 0 ? -EINVAL : 0;
}

int shape_add(struct shape *s, const char *text)
{
	struct shape_template *t = &s->templates[s->nr_templates++];
	const char *open, *close;
	int ret = 0;

	if (!s->literals.buf)
		s->literals = (struct str)STR_INIT;
	s->fixed = s->fixed ? s->fixed : HEADER;
	while (ret == 0 && (open = strchr(text, '{'))) {
		close = strchr(open, '}');
		if (!close)
			return -EINVAL;
		ret = add_piece(s, t, text, open - text, open + 1, close - open - 1);
		text = close + 1;
	}
	if (ret == 0 && (*text || !t->nr))
		ret = add_piece(s, t, text, strlen(text), NULL, 0);
	return s->literals.failed ? -ENOMEM : ret;
}

void shape_fini(struct shape *s)
{
	str_fini(&s->literals);
}

/* ---- a template for a text ---- */

static size_t value_len(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && !strchr(" ,;()[]{}", text[n]))
		n++;
	return n;
}

static const char *type_for(const char *value, size_t len)
{
	size_t digits = len && *value == '-', i;

	for (i = digits; i < len && isdigit((unsigned char)value[i]); i++)
		;
	if (i == len && len > digits && len < 19 && (value[digits] != '0' || len == 1))
		return "long";
	for (i = 2; i < len && isxdigit((unsigned char)value[i]) &&
	     !isupper((unsigned char)value[i]); i++)
		;
	if (len > 2 && len <= 18 && value[0] == '0' && value[1] == 'x' && i == len &&
	    (value[2] != '0' || len == 3))
		return "hex";
	return "text";
}

/* The name that ends at @end, before a '='; not before @from. Returns its length */
static size_t name_before(const char *from, const char *end)
{
	const char *p = end;

	while (p > from && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
		p--;
	return p < end && !isdigit((unsigned char)*p) ? (size_t)(end - p) : 0;
}

static bool has_field(const struct str *template, const char *name, size_t len)
{
	const char *p = template->buf;

	while ((p = strchr(p, '{')))
		if (strncmp(++p, name, len) == 0 && p[len] == ':')
			return true;
	return false;
}

/* May it be a literal, both in a template and in a print format? */
static bool is_plain(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f || strchr("{}%\"\\", text[i]))
			return false;
	return true;
}

int shape_guess(struct shape *s, const char *text, size_t len)
{
	const char *end = text + len, *at = text, *equals, *type;
	struct str t = STR_INIT;
	size_t name, value, nr = 0;
	int ret = -ENOENT;

	if (!is_plain(text, len))
		return ret;
	while ((equals = memchr(at, '=', end - at))) {
		name = name_before(at, equals);
		value = value_len(equals + 1, end - equals - 1);
		type = type_for(equals + 1, value);
		str_addn(&t, at, equals + 1 - at);
		at = equals + 1;
		if (!name || name >= SHAPE_NAME || str_starts(equals - name, "common_") ||
		    has_field(&t, equals - name, name))
			continue;
		if (strcmp(type, "hex") == 0)
			str_add(&t, "0x");
		str_addf(&t, "{%.*s:%s}", (int)name, equals - name, type);
		at += value;
		nr++;
	}
	str_addn(&t, at, end - at);
	if (nr)
		ret = t.failed ? -ENOMEM : shape_add(s, t.buf);
	str_fini(&t);
	return ret;
}

/* ---- the format ---- */

static void put_declaration(const struct shape_field *f, struct str *to)
{
	const struct shape_word *type = &shape_types[f->type];

	str_addf(to, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", type->c_type, f->name,
		 type->array, f->offset, type->declared, type->is_signed);
}

void shape_put_format(const struct shape *s, struct str *to)
{
	const struct shape_template *t = &s->templates[0];
	const struct shape_piece *p;
	const char *print;
	size_t i;

	for (i = 0; i < s->nr; i++)
		put_declaration(&s->fields[i], to);
	str_add(to, "\nprint fmt: \"");
	for (i = 0; i < t->nr; i++) {
		p = &t->pieces[i];
		str_addn(to, s->literals.buf + p->literal, p->len);
		if (p->field >= 0)
			str_add(to, shape_types[p->type].conversion);
	}
	str_addc(to, '"');
	for (i = 0; i < t->nr; i++) {
		p = &t->pieces[i];
		if (p->field < 0 || !*shape_types[p->type].print)
			continue;
		/* '@' is the name of the field */
		str_add(to, ", ");
		for (print = shape_types[p->type].print; *print; print++)
			if (*print == '@')
				str_add(to, s->fields[p->field].name);
			else
				str_addc(to, *print);
	}
	str_addc(to, '\n');
}
