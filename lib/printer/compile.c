/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compile.c - compile a print format into a list of steps */
#include "printer/kernel_format.h"
#include "printer/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/put.h"
#include "printer/expr.h"

struct compiler {
	struct program *p;
	struct kt_events *evs;
	const struct event *ev;
	const char *at;			/* position in the format string */
	struct expr_parser expr;	/* at the next argument */
	struct tep_print_arg *arg;	/* with evs->opts.exact: the library's next argument */
	uint32_t min_size;		/* size of a record with all fixed fields */
	size_t literal;			/* start of the pending literal in p->text */
};

/* Adds a step, with the pending literal before it */
static bool add_step(struct compiler *c, struct step step)
{
	struct program *p = c->p;
	struct step *added = array_add(p->steps, p->nr_steps);

	if (!added)
		return compile_fail(p, "no memory") != NO_NODE;
	step.literal = c->literal;
	step.literal_len = p->text.len - c->literal;
	c->literal = p->text.len;
	*added = step;
	return true;
}

static uint16_t next_exact(struct compiler *c)
{
	struct tep_print_arg *arg = c->arg;

	if (!arg || arg->type == TEP_PRINT_NULL)
		return compile_fail(c->p, "fewer arguments than conversions");
	c->arg = arg->next;
	return compile_node(c->p, c->evs, c->ev->tep, arg, 0);
}

/* The value of the next argument, in the form that its conversion needs */
static uint16_t next_arg(struct compiler *c, uint8_t kind)
{
	struct value v;

	if (c->evs->opts.exact)
		return next_exact(c);
	if (!expr_next(&c->expr, &v))
		return NO_NODE;
	if (kind == STEP_STRING)
		expr_as_text(&c->expr, &v);
	else if (kind < STEP_MAC)
		expr_as_number(&c->expr, &v);
	else if (v.kind != VALUE_BYTES && !c->p->calls)
		return compile_fail(c->p, "an address of something other than a field");
	return v.node;
}

/* For %pa: the number to which the next argument points */
static uint16_t next_pointed(struct compiler *c)
{
	struct value v;
	uint16_t zero = program_add_node(c->p, (struct node){ .kind = NODE_CONST });

	if (zero == NO_NODE || !expr_next(&c->expr, &v) || !expr_element(&c->expr, &v, zero))
		return NO_NODE;
	return v.node;
}

static void escape(struct compiler *c)
{
	switch (c->at[1]) {
	case '\0':
		c->at--;
		break;
	case 'n':
		str_addc(&c->p->text, '\n');
		break;
	case 't':
		str_addc(&c->p->text, '\t');
		break;
	case 'r':
		str_addc(&c->p->text, '\r');
		break;
	default:
		/* The kernel escapes quotes in formats it builds; other backslashes are text. */
		if (!c->evs->opts.exact && !strchr("\"\\", c->at[1]))
			str_addc(&c->p->text, '\\');
		str_addc(&c->p->text, c->at[1]);
	}
	c->at += 2;
}

static bool parse_spec(struct compiler *c, const char **at, struct step *step)
{
	bool star;

	if (!spec_parse(at, &step->spec, &star) || (step->spec.plus && c->evs->opts.exact))
		return false;
	if (step->spec.length == 1 && c->evs->long_size == 4 && !c->evs->opts.exact)
		step->spec.length = 0;
	step->spec.kernel = !c->evs->opts.exact;
	if (star)
		step->star = next_arg(c, STEP_NUMBER);
	return !star || step->star != NO_NODE;
}

/* The letters of a known %p extension; other letters are literal text. */
static const char *parse_pointer(const char *p, struct step *step)
{
	size_t n = 0;

	step->kind = STEP_POINTER;
	switch (*p) {
	case 's':
	case 'f':
		step->kind = STEP_SYMBOL;
		return p + 1;
	case 'S':
	case 'F':
		step->kind = STEP_SYMBOL_OFFSET;
		return p + 1;
	case 'M':
	case 'm':
		step->kind = STEP_MAC;
		step->variant[n++] = *p++;
		if (*p == 'F' || *p == 'R')
			step->variant[n++] = *p++;
		return p;
	case 'U':
		step->kind = STEP_UUID;
		step->variant[n++] = 'b';
		p++;
		if (*p == 'b' || *p == 'B' || *p == 'l' || *p == 'L')
			step->variant[0] = *p++;
		return p;
	case 'h':
		step->kind = STEP_RAW;
		step->variant[n++] = ' ';
		p++;
		if (*p == 'C' || *p == 'D' || *p == 'N')
			step->variant[0] = *p++;
		return p;
	}
	return p;
}

/* %pI4, %pI6c, %pISpc …: the family; @variant receives i or I, c, and p */
static const char *parse_ip(const char *p, struct step *step)
{
	step->kind = STEP_IP;
	step->variant[0] = *p++;
	step->variant[1] = *p == '4' || *p == '6' || *p == 'S' ? *p++ : '?';
	switch (step->variant[1]) {
	case '4':
		if (strchr("hnbl", *p) && *p)
			step->variant[2] = *p++;
		break;
	case '6':
		if (step->variant[0] == 'I' && *p == 'c')
			step->variant[2] = *p++;
		break;
	case 'S':
		for (; *p && strchr("pfschnbl", *p); p++) {
			if (*p == 'p')
				step->variant[3] = 'p';
			else if (*p == 'c' && step->variant[2] == 0)
				step->variant[2] = 'c';
			else if (*p == 'h' || *p == 'l')
				step->variant[2] = 'h';
		}
	}
	return p;
}

/* %px: all digits of an address, without prefix. %pa: 0x and all digits of the value there */
static void plain_address(const struct compiler *c, char letter, struct step *step)
{
	step->kind = STEP_NUMBER;
	step->spec = (struct spec){ .conv = 'x', .length = 2, .zero = true, .precision = -1,
				    .width = 2 * c->evs->long_size, .kernel = true };
	if (letter == 'a') {
		step->spec.alt = true;
		step->spec.width += 2;
	}
}

static const char *parse_extension(const struct compiler *c, const char *p, struct step *step)
{
	char letter = *p;

	if (letter == 'I' || letter == 'i')
		p = parse_ip(p, step);
	else
		p = parse_pointer(p, step);
	if (c->evs->opts.exact)
		return p;
	if (letter == 'B')
		step->kind = STEP_SYMBOL_OFFSET;
	else if (letter == 'x' || letter == 'a')
		plain_address(c, letter, step);
	while (isalnum((unsigned char)*p))	/* the kernel skips unknown letters */
		p++;
	return p;
}

/* An array element with a constant index, within any record that has all fixed fields */
static bool constant_element(const struct compiler *c, const struct node *n,
			     struct format_place *to)
{
	const struct node *index = &c->p->nodes[n->a];
	uint64_t offset;

	if (index->kind != NODE_CONST || __builtin_mul_overflow(index->value, n->size, &offset) ||
	    __builtin_add_overflow(offset, n->offset, &offset) || offset > c->min_size ||
	    n->size > c->min_size - offset)
		return false;
	*to = (struct format_place){ offset, n->size };
	return true;
}

/* The place and sign of a number that is used unchanged; false if it is computed. */
static bool plain_field(const struct compiler *c, uint16_t node, struct format_place *to,
			bool *is_signed)
{
	const struct node *n = &c->p->nodes[node];

	if (n->kind == NODE_CAST) {
		if (!plain_field(c, n->a, to, is_signed))
			return false;
		if (!n->width)
			return true;
		if (n->width == to->size)
			*is_signed = n->is_signed;
		return n->width == to->size ||
		       (n->width > to->size && (!*is_signed || n->is_signed));
	}
	*to = (struct format_place){ n->offset, n->size };
	*is_signed = n->is_signed;
	if (n->kind == NODE_INDEX_FIELD)
		return constant_element(c, n, to);
	return n->kind == NODE_TEXT_FIELD || n->kind == NODE_ADDR_FIELD;
}

static int short_number(unsigned int size, bool is_signed, struct spec *spec)
{
	bool zeros = spec->conv == 'x' && spec->zero && !spec->left && spec->width <= 16;
	unsigned int shown = spec->length ? 8 : 4;

	if (spec->length < 0 || size > shown)
		return STEP_NUMBER;	/* rare: shows only some of the bits */
	if (spec->precision >= 0 || spec->alt || spec->plus)
		return STEP_NUMBER;
	if (is_signed && size < shown && spec->conv != 'd')
		return STEP_NUMBER;
	if (spec->conv == 'd' && spec->zero && !spec->left && spec->width == 3 && size == 4 &&
	    !spec->length)
		return STEP_THREE_FIELD;
	if (spec->width >= 0 && !zeros)
		return STEP_NUMBER;
	if (spec->width < 0)
		spec->width = 0;
	switch (spec->conv) {
	case 'd':
		/* Of a field as wide as the conversion, %d shows a sign even if it is unsigned. */
		return is_signed || size == shown ? STEP_DEC_FIELD : STEP_UDEC_FIELD;
	case 'u':
		return STEP_UDEC_FIELD;
	case 'x':
		return STEP_HEX_FIELD;
	}
	return STEP_NUMBER;
}

static void shorten_number(const struct compiler *c, struct step *step)
{
	struct format_place at;
	bool is_signed;

	if (!plain_field(c, step->node, &at, &is_signed) ||
	    !word_place(&step->word, at.offset, at.size))
		return;
	if (step->kind == STEP_POINTER) {
		if (is_signed && at.size < 8)
			return;
		step->kind = STEP_POINTER_FIELD;
		step->spec.width = 0;
	} else if (step->kind == STEP_NUMBER) {
		step->kind = short_number(at.size, is_signed, &step->spec);
	}
}

static void shorten_string(const struct compiler *c, struct step *step)
{
	const struct node *n = &c->p->nodes[step->node];
	struct format_place at;
	bool is_signed;

	if (step->spec.width >= 0 || step->spec.precision >= 0)
		return;
	if (n->kind == NODE_TEXT_FIELD && n->size) {
		step->kind = STEP_TEXT_FIELD;
		step->offset = n->offset;
		step->size = n->size;
	} else if (n->kind == NODE_SYMBOL && plain_field(c, n->a, &at, &is_signed) &&
		   word_place(&step->word, at.offset, at.size)) {
		step->kind = STEP_SYMBOLIC_FIELD;
		c->p->nodes[step->node].is_signed = is_signed;
	}
}

/* Most formats consist of plain numbers and text fields: these have steps of their own. */
static void shorten(const struct compiler *c, struct step *step)
{
	if (step->star != NO_NODE)
		return;
	if (step->kind == STEP_STRING)
		shorten_string(c, step);
	else
		shorten_number(c, step);
}

/* Call it after the last step */
static void make_line(struct program *p, bool swap)
{
	const struct step *step = p->steps, *end = step + p->nr_steps;

	for (; step < end; step++) {
		str_addn(&p->line.text, p->text.buf + step->literal, step->literal_len);
		if (step->kind != STEP_END)
			line_add_step(&p->line, p, step, swap);
	}
	if (!line_end(&p->line, NULL))
		compile_fail(p, "no memory");
}

/* libtraceevent shows an unknown conversion as ">c<" and consumes no argument. */
static void unknown_conversion(struct compiler *c, char conv)
{
	str_addc(&c->p->text, '>');
	if (conv)
		str_addc(&c->p->text, conv);
	str_addc(&c->p->text, '<');
}

/* The library shows addresses only of fields, %ph only of dynamic arrays, %pIS of both. */
static bool convert_address(struct compiler *c, const struct tep_print_arg *arg, struct step *step)
{
	bool dynamic, field;

	if (!c->evs->opts.exact)
		return add_step(c, *step);
	while (arg->type == TEP_PRINT_TYPE && arg->typecast.item) {
		arg = arg->typecast.item;
		step->node = c->p->nodes[step->node].a;
	}
	dynamic = arg->type == TEP_PRINT_DYNAMIC_ARRAY;
	field = arg->type == TEP_PRINT_FIELD;
	if (step->kind == STEP_RAW ? dynamic
				   : field || (dynamic && step->variant[1] == 'S'))
		return add_step(c, *step);
	str_addf(&c->p->text, "ARG TYPE NOT FIELD BUT %d", arg->type);
	return true;
}

/* Event probes lack these fields: the format begins " name=" or "(system.event) name=" */
static bool is_probe(const struct kt_event *ev)
{
	const char *fmt = ev->print_fmt;
	size_t len;

	if (kt_event_field(ev, "__probe_ip") || kt_event_field(ev, "__probe_func"))
		return true;
	if (!ev->nr_fields || *fmt++ != '"')
		return false;
	if (*fmt == '(') {
		fmt += strcspn(fmt, ")%");
		if (*fmt++ != ')')
			return false;
	}
	len = strlen(ev->fields[0].name);
	return *fmt == ' ' && strncmp(fmt + 1, ev->fields[0].name, len) == 0 && fmt[1 + len] == '=';
}

/*
 * \"%s\" of a probe: if the kernel could not read the string at the probe, it
 * prints (fault) without the quotes.
 */
static void quote_of_probe(struct compiler *c, struct step *step)
{
	struct str *text = &c->p->text;

	if (c->evs->opts.exact || c->p->nodes[step->node].kind != NODE_STRING ||
	    !is_probe(&c->ev->pub) ||
	    text->len == c->literal || text->buf[text->len - 1] != '"' || strncmp(c->at, "\\\"", 2))
		return;
	text->len--;
	c->at += 2;
	c->p->nodes[step->node].is_quoted = true;
}

/* Like the kernel's %p: all digits, no prefix, zeros for NULL */
static void bare_pointer(const struct compiler *c, struct step *step)
{
	step->kind = STEP_NUMBER;
	step->spec = (struct spec){ .conv = 'x', .zero = true, .width = 2 * c->evs->long_size,
				    .precision = -1, .length = 1 };
}

/*
 * Sets the kind of step that the conversion at @p needs and returns the position after it. NULL:
 * the conversion is unknown and becomes text, or compiling fails.
 */
static const char *step_of(struct compiler *c, const char *p, struct step *step)
{
	step->spec.conv = *p == 'i' ? 'd' : *p;
	switch (*p) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
		step->kind = STEP_NUMBER;
		return p + 1;
	case 's':
		step->kind = STEP_STRING;
		if (!step->spec.length)
			return p + 1;
		compile_fail(c->p, "a string with a length");
		return NULL;
	case 'p':
		p = parse_extension(c, p + 1, step);
		if (step->kind == STEP_POINTER && c->evs->opts.kernel)
			bare_pointer(c, step);
		return p;
	case 'c':
		step->kind = STEP_CHAR;
		if (!c->evs->opts.exact && !step->spec.length)
			return p + 1;
		break;
	case '\0':
		c->at = p;
		return NULL;
	case '-': case '0': case '#': case '.': case '*': case 'h': case 'l': case 'z': case 'Z':
	case 'L': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8':
	case '9':
		compile_fail(c->p, "an unusual conversion");
		return NULL;
	}
	unknown_conversion(c, *p);
	c->at = p + 1;
	return NULL;
}

static bool convert(struct compiler *c)
{
	struct step step =
		{ .node = NO_NODE, .star = NO_NODE, .spec = { .width = -1, .precision = -1 } };
	const char *p = c->at + 1;
	struct tep_print_arg *arg;
	bool points;

	if (*p == '%') {
		str_addc(&c->p->text, '%');
		c->at += 2;
		return true;
	}
	if (!parse_spec(c, &p, &step))
		return compile_fail(c->p, "an unusual width or precision") != NO_NODE;
	p = step_of(c, p, &step);
	if (!p)
		return !c->p->why_not;
	points = !c->evs->opts.exact && c->at[1] == 'p' && c->at[2] == 'a';
	c->at = p;
	arg = c->arg;
	step.node = points ? next_pointed(c) : next_arg(c, step.kind);
	if (step.node == NO_NODE)
		return false;
	if (c->expr.unknown) {
		str_addc(&c->p->text, '?');
		return true;
	}
	if (step.kind >= STEP_MAC)
		return convert_address(c, arg, &step);
	if (step.kind == STEP_STRING)
		quote_of_probe(c, &step);
	shorten(c, &step);
	return add_step(c, step);
}

static void compile_format(struct compiler *c)
{
	while (*c->at && !c->p->why_not) {
		if (*c->at == '\\')
			escape(c);
		else if (*c->at != '%')
			str_addc(&c->p->text, *c->at++);
		else if (!convert(c))
			return;
	}
	if (c->p->text.len > c->literal)
		add_step(c, (struct step){ .kind = STEP_END, .node = NO_NODE, .star = NO_NODE });
}

/* Afterwards @c is at the first argument. NULL: compile_fail() was given the reason. */
static const char *format_of(struct compiler *c)
{
	const struct event *ev = c->ev;
	const char *fmt = ev->pub.print_fmt;
	size_t len;

	if (c->evs->opts.exact) {
		if (!ev->wrong && ev->tep->print_fmt.format)
			return ev->tep->print_fmt.format;
		compile_fail(c->p, ev->wrong ? ev->wrong : "no format");
		return NULL;
	}
	if (c->evs->opts.kernel)
		fmt = c->p->kernel_format = kernel_format(ev);
	len = fmt ? strlen(fmt) : 0;
	c->p->strings = malloc(len + 2);
	if (!fmt || !c->p->strings) {
		compile_fail(c->p, "no memory");
		return NULL;
	}
	c->expr.strings = c->p->strings;
	c->expr.lex.p = fmt;
	c->expr.lex.end = fmt + len;
	return expr_start(&c->expr);
}

struct program *program_compile(struct kt_events *evs, const struct event *ev)
{
	struct program *p = calloc(1, sizeof(*p));
	struct compiler c = {
		.p = p, .evs = evs, .ev = ev, .min_size = ev->min_size,
		.arg = ev->tep->print_fmt.args, .expr = { .p = p, .evs = evs, .ev = ev },
	};

	if (!p)
		return NULL;
	p->text = (struct str)STR_INIT;
	p->line = (struct line)LINE_INIT;
	if (ev->tep->flags & (TEP_EVENT_FL_ISBPRINT))
		compile_fail(p, "a format stored in the record");
	else if ((c.at = format_of(&c)))
		compile_format(&c);
	make_line(p, evs->swap);
	if (p->text.failed)
		compile_fail(p, "no memory");
	p->calls &= !p->why_not;
	if (p->calls && evs->opts.exact)
		compile_fail(p, ev->wrong ? ev->wrong : "a function of a plugin");
	return p;
}

void program_destroy(struct program *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr_nodes; i++)
		free(p->nodes[i].words);
	str_fini(&p->text);
	line_fini(&p->line);
	free(p->strings);
	free(p->kernel_format);
	free(p->steps);
	free(p->nodes);
	free(p->entries);
	free(p);
}
