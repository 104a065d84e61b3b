/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* exec.c - run a compiled print format over a record */
#include "model/program.h"

#include <string.h>

#include "base/num.h"

/* Lowest bits that a conversion with that length shows. */
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

/* Digits without sign and prefix; what the prefix is goes to @prefix. */
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
	if (v && spec->alt)
		strcpy(prefix, spec->conv == 'x' ? "0x" : "0X");
	return (spec->conv == 'x' ? num_put_hex(to, v) : put_upper_hex(to, v)) - to;
}

/* C's rules: a precision is a least number of digits and turns the flag 0 off. */
void program_put_number(struct kt_out *out, const struct spec *spec, uint64_t v)
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
		zeros--;		/* the prefix is one of the digits asked for */
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

void program_put_pointer(struct kt_out *out, uint64_t v)
{
	char *start, *to;

	if (!v) {
		str_addn(&out->text, "(nil)", 5);
		return;
	}
	start = to = str_room(&out->text, NUM_MAX);
	if (!start)
		return;
	*to++ = '0';
	*to++ = 'x';
	to = num_put_hex(to, v);
	out->text.len += to - start;
}

void program_put_symbol(struct kt_events *evs, uint64_t addr, bool offset, struct kt_out *out)
{
	struct kt_symbol sym;
	size_t len;
	char *start, *to;

	if (!evs->symbols || !kt_symbols_find(evs->symbols, addr, &sym)) {
		sym.name = "0x";
		sym.addr = 0;
		offset = true;
	}
	len = strlen(sym.name);
	start = to = str_room(&out->text, len + NUM_MAX + 3);
	if (!start)
		return;
	to = (char *)memcpy(to, sym.name, len) + len;
	if (offset) {
		if (sym.name[0] != '0') {
			memcpy(to, "+0x", 3);
			to += 3;
		}
		to = num_put_hex(to, addr - sym.addr);
	}
	out->text.len += to - start;
}

/* The value of a * becomes the width or the precision. */
static struct spec with_star(const struct input *in, const struct step *step)
{
	struct spec spec = step->spec;

	spec_set_star(&spec, program_number(in, step->star));
	return spec;
}

static inline void put_field(const struct input *in, const struct step *step)
{
	uint64_t v = load_uint(in->data + step->offset, step->size, in->swap);
	char *start = str_room(&in->out->text, NUM_MAX), *to = start;

	if (!start)
		return;
	if (step->kind == STEP_HEX_FIELD)
		to = num_put_hex(to, v);
	else if (step->kind == STEP_UDEC_FIELD)
		to = num_put_u64(to, v);
	else
		to = num_put_i64(to, step->size == 4 ? (int32_t)v : (int64_t)v);
	in->out->text.len += to - start;
}

static void run_step(const struct input *in, const struct step *step)
{
	struct spec spec = step->star == NO_NODE ? step->spec : with_star(in, step);

	switch (step->kind) {
	case STEP_NUMBER:
		program_put_number(in->out, &spec, program_number(in, step->node));
		break;
	case STEP_STRING:
		program_put_string(in, &spec, step->node);
		break;
	case STEP_POINTER:
		program_put_pointer(in->out, program_number(in, step->node));
		break;
	case STEP_SYMBOL:
	case STEP_SYMBOL_OFFSET:
		program_put_symbol(in->evs, program_number(in, step->node),
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
	switch (step->kind) {
	case STEP_LITERAL:
		str_addn(&in->out->text, in->p->text.buf + step->offset, step->size);
		break;
	case STEP_DEC_FIELD:
	case STEP_UDEC_FIELD:
	case STEP_HEX_FIELD:
		put_field(in, step);
		break;
	default:
		run_step(in, step);
	}
}

void program_run(const struct input *in)
{
	const struct step *step = in->p->steps, *end = step + in->p->nr_steps;

	for (; step < end; step++)
		program_run_step(in, step);
}
