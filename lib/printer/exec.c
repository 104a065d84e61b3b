/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* exec.c - run a compiled print format over a record */
#include "printer/program.h"

#include <string.h>

#include "base/put.h"

/* The lowest bits: those that a conversion of this length shows */
static uint64_t cut(uint64_t v, int length)
{
	switch (length) {
	case -2: return (uint8_t)v;
	case -1: return (uint16_t)v;
	case 0:  return (uint32_t)v;
	}
	return v;
}

static int64_t cut_signed(uint64_t v, int length)
{
	switch (length) {
	case -2: return (int8_t)v;
	case -1: return (int16_t)v;
	case 0:  return (int32_t)v;
	}
	return v;
}

static char *put_octal(char *to, uint64_t v)
{
	char digits[24], *p = digits + sizeof(digits);

	do
		*--p = '0' + (v & 7);
	while (v >>= 3);
	memcpy(to, p, digits + sizeof(digits) - p);
	return to + (digits + sizeof(digits) - p);
}

static char *put_upper_hex(char *to, uint64_t v)
{
	char *end = num_put_hex(to, v), *c;

	for (c = to; c < end; c++)
		if (*c >= 'a')
			*c -= 'a' - 'A';
	return end;
}

/* Digits without sign and prefix; the prefix goes to @prefix. */
static size_t digits(char *to, const struct spec *spec, uint64_t v, char *prefix)
{
	int64_t s;

	prefix[0] = '\0';
	switch (spec->conv) {
	case 'd':
		s = cut_signed(v, spec->length);
		prefix[0] = s < 0 ? '-' : spec->plus;
		prefix[1] = '\0';
		return num_put_u64(to, s < 0 ? -(uint64_t)s : (uint64_t)s) - to;
	case 'u':
		return num_put_u64(to, cut(v, spec->length)) - to;
	case 'o':
		v = cut(v, spec->length);
		if (v && spec->alt)
			strcpy(prefix, "0");
		return put_octal(to, v) - to;
	}
	v = cut(v, spec->length);
	if ((v || spec->kernel) && spec->alt)
		strcpy(prefix, spec->conv == 'x' ? "0x" : "0X");
	return (spec->conv == 'x' ? num_put_hex(to, v) : put_upper_hex(to, v)) - to;
}

/* Only digits, the usual case */
static inline bool is_bare(const struct spec *spec)
{
	return spec->width <= 0 && spec->precision < 0 && !spec->alt && !spec->plus &&
	       (spec->conv == 'd' || spec->conv == 'u' || spec->conv == 'x');
}

static void put_bare(struct kt_out *out, const struct spec *spec, uint64_t v)
{
	char *to = put_room(&out->text, NUM_MAX);

	if (!to)
		return;
	if (spec->conv == 'd')
		to = num_put_i64(to, cut_signed(v, spec->length));
	else if (spec->conv == 'u')
		to = num_put_u64(to, cut(v, spec->length));
	else
		to = num_put_hex(to, cut(v, spec->length));
	put_done(&out->text, to);
}

/* By C's rules: a precision is a minimum number of digits and disables the flag 0. */
static void put_formatted(struct kt_out *out, const struct spec *spec, uint64_t v)
{
	char text[NUM_MAX], prefix[4];
	size_t len = digits(text, spec, v, prefix), plen = strlen(prefix), zeros = 0, pad = 0;
	bool none = spec->precision == 0 && len == 1 && text[0] == '0';
	char *to;

	if (none && !(spec->conv == 'o' && spec->alt))
		len = 0;
	if (spec->precision >= 0 && (size_t)spec->precision > len)
		zeros = spec->precision - len;
	if (spec->conv == 'o' && plen && zeros)
		zeros--;		/* the prefix counts as a digit */
	if (spec->width > 0 && (size_t)spec->width > len + plen + zeros)
		pad = spec->width - len - plen - zeros;
	if (spec->zero && !spec->left && spec->precision < 0) {
		zeros += pad;
		pad = 0;
	}
	to = str_room(&out->text, len + plen + zeros + pad);
	if (!to)
		return;
	if (!spec->left)
		to = (char *)memset(to, ' ', pad) + pad;
	to = (char *)memcpy(to, prefix, plen) + plen;
	to = (char *)memset(to, '0', zeros) + zeros;
	to = (char *)memcpy(to, text, len) + len;
	if (spec->left)
		memset(to, ' ', pad);
	out->text.len += len + plen + zeros + pad;
}

void program_put_number(struct kt_out *out, const struct spec *spec, uint64_t v)
{
	if (is_bare(spec))
		put_bare(out, spec, v);
	else
		put_formatted(out, spec, v);
}

void program_put_pointer(struct kt_out *out, uint64_t v)
{
	char *to = put_room(&out->text, NUM_MAX);

	if (to)
		put_done(&out->text, v ? num_put_hex(put_lit(to, "0x"), v) : put_lit(to, "(nil)"));
}

/* The value of a * is the width or the precision. */
static struct spec with_star(const struct input *in, const struct step *step)
{
	struct spec spec = step->spec;

	spec_set_star(&spec, program_number(in, step->star));
	return spec;
}

/* A character constant of the format, '7', was parsed as the text "7". */
static char character(const struct input *in, uint16_t node)
{
	const struct node *n = &in->p->nodes[node];

	return n->kind == NODE_CONST && n->str_len == 1 ?
	       n->str[0] : (char)program_number(in, node);
}

static void put_char(const struct input *in, const struct spec *spec, uint16_t node)
{
	char c = character(in, node);

	if (c || in->evs->opts.kernel)		/* the kernel's trace file contains the zero byte */
		program_put_text(in->out, spec, &c, 1);
}

static void run_step(const struct input *in, const struct step *step)
{
	struct spec spec = step->star == NO_NODE ? step->spec : with_star(in, step);

	switch (step->kind) {
	case STEP_NUMBER:
		program_put_number(in->out, &spec, program_number(in, step->node));
		break;
	case STEP_CHAR:
		put_char(in, &spec, step->node);
		break;
	case STEP_STRING:
		program_put_string(in, &spec, step->node);
		break;
	case STEP_POINTER:
		program_put_pointer(in->out, program_number(in, step->node));
		break;
	case STEP_SYMBOL:
	case STEP_SYMBOL_OFFSET:
		program_put_symbol(in->symbols, program_number(in, step->node),
				   step->kind == STEP_SYMBOL_OFFSET, in->out);
		break;
	case STEP_RAW:
		program_put_raw(in, step);
		break;
	default:
		program_put_address(in, step);
	}
}

void program_run_step(const struct input *in, const struct step *step)
{
	char *to;

	if (step->kind > STEP_THREE_FIELD) {
		run_step(in, step);
		return;
	}
	to = put_room(&in->out->text, NUM_MAX + 2);
	if (to)
		put_done(&in->out->text, program_put_field(in, step, to));
}

void program_run(const struct input *in)
{
	line_run(&in->p->line, in);
}
