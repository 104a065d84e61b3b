/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* exec_array.c - show runs of bytes: hexadecimal, numbers, bitmaps */
#include "printer/program.h"

#include "base/num.h"

static void put_hex_bytes(struct kt_out *out, const char *p, size_t size, char between)
{
	char *start = str_room(&out->text, size * 3), *to = start;
	size_t i;

	if (!start)
		return;
	for (i = 0; i < size; i++) {
		if (i && between)
			*to++ = between;
		to = num_put_hex_digits(to, (uint8_t)p[i], 2);
	}
	out->text.len += to - start;
}

static size_t at_most(uint64_t wanted, size_t have)
{
	return wanted < have ? wanted : have;
}

/* __print_hex and __print_hex_str: as many bytes as the format says, up to the end of the record */
static void put_hex(const struct input *in, const struct node *n)
{
	struct kt_blob bytes = program_bytes(in, &in->p->nodes[n->a]);
	size_t size = at_most(program_number(in, n->b), program_rest(in, bytes.data));

	put_hex_bytes(in->out, bytes.data, size, n->kind == NODE_HEX ? ' ' : '\0');
}

static bool is_int_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void put_int(const struct input *in, const char *p, uint64_t size, const char *before)
{
	uint64_t v = load_uint(p, size, in->swap);
	char *start = str_room(&in->out->text, NUM_MAX + 4), *to = start;

	if (!start)
		return;
	while (*before)
		*to++ = *before++;
	to = in->evs->opts.exact ? num_put_u64(to, v) : num_put_hex(to, v);
	in->out->text.len += to - start;
}

/* "{0x1,0x2}", as in the kernel; libtraceevent 1.7.1: "1 2" */
static void put_ints(const struct input *in, const struct node *n)
{
	struct kt_blob bytes = program_bytes(in, &in->p->nodes[n->a]);
	uint64_t count = program_number(in, n->b), size = program_number(in, n->c), i = 0;
	size_t rest = program_rest(in, bytes.data);
	bool exact = in->evs->opts.exact;

	str_add(&in->out->text, exact ? "" : "{");
	if (rest && count && !is_int_size(size)) {
		str_addf(&in->out->text, "BAD SIZE:%d 0x%x", (int)size, (uint8_t)bytes.data[0]);
		if (!exact && __builtin_mul_overflow(count, size, &count))
			count = rest;
		i = 1;
		size = 1;
	}
	for (count = at_most(count, rest / size); i < count; i++) {
		if (i)
			str_addc(&in->out->text, exact ? ' ' : ',');
		put_int(in, bytes.data + i * size, size, exact ? "" : "0x");
	}
	str_add(&in->out->text, exact ? "" : "}");
}

static bool is_printable(char c)
{
	return c >= ' ' && c <= '~';
}

/* (61:0a) "a.", with dots after both if bytes are missing; only (61:0a) if none is printable */
static void put_copied(const struct input *in, const struct node *n)
{
	struct kt_blob bytes = program_bytes(in, &in->p->nodes[n->a]);
	bool cut = (int64_t)bytes.size < (int32_t)program_number(in, n->b), any = false;
	struct str *text = &in->out->text;
	size_t i;

	str_addc(text, '(');
	put_hex_bytes(in->out, bytes.data, bytes.size, ':');
	str_add(text, cut ? ", ...)" : ")");
	for (i = 0; i < bytes.size; i++)
		any |= is_printable(bytes.data[i]);
	if (!any)
		return;
	str_add(text, " \"");
	for (i = 0; i < bytes.size; i++)
		str_addc(text, is_printable(bytes.data[i]) ? bytes.data[i] : '.');
	str_add(text, cut ? "\"..." : "\"");
}

static uint32_t mask_word(const struct input *in, struct kt_blob bytes, size_t word)
{
	uint32_t v = 0;
	size_t i;

	/* A mask consists of longs: if big-endian, the upper half of each comes first. */
	if (in->evs->big_endian && in->evs->long_size == 8)
		word ^= 1;
	if (bytes.size >= 4 * (word + 1))
		return load_u32(bytes.data + 4 * word, in->swap);
	for (i = 4 * word; i < bytes.size; i++)
		v |= (uint32_t)(uint8_t)bytes.data[i] << 8 * (i % 4);
	return v;
}

/* __get_bitmask: "00000000,0000000f", the highest word first */
static void put_bitmask(const struct input *in, struct kt_blob bytes)
{
	size_t nr = (bytes.size + 3) / 4, i;
	char *start = str_room(&in->out->text, nr * 9), *to = start;

	if (!start)
		return;
	for (i = nr; i--;) {
		to = num_put_hex_digits(to, mask_word(in, bytes, i), 8);
		if (i)
			*to++ = ',';
	}
	in->out->text.len += to - start;
}

static bool mask_bit(const struct input *in, struct kt_blob bytes, size_t bit)
{
	return mask_word(in, bytes, bit / 32) >> bit % 32 & 1;
}

/* __get_cpumask: "0,2-5" */
static void put_cpumask(const struct input *in, const struct spec *spec, struct kt_blob bytes)
{
	size_t nr = bytes.size * 8, first, last;
	struct str list = STR_INIT;

	for (first = 0; first < nr; first = last + 1) {
		for (last = first; last < nr && mask_bit(in, bytes, last); last++)
			;
		if (last == first)
			continue;
		if (list.len)
			str_addc(&list, ',');
		if (last - first == 1)
			str_addf(&list, "%zu", first);
		else
			str_addf(&list, "%zu-%zu", first, last - 1);
	}
	program_put_text(in->out, spec, list.buf, list.len);
	str_fini(&list);
}

/* The stack of a synthetic event: the number of addresses, then each with its name */
static void put_stack(const struct input *in, struct kt_blob bytes)
{
	size_t size = in->evs->long_size, i;

	str_add(&in->out->text, "STACK:\n");
	for (i = 1; i < bytes.size / size; i++) {
		str_add(&in->out->text, "=> ");
		program_put_symbol(in->symbols, load_uint(bytes.data + i * size, size, in->swap),
				   true, in->out);
		str_addc(&in->out->text, '\n');
	}
}

void program_put_array(const struct input *in, const struct spec *spec, const struct node *n)
{
	switch (n->kind) {
	case NODE_HEX:
	case NODE_HEX_STR:
		put_hex(in, n);
		break;
	case NODE_INT_ARRAY:
		put_ints(in, n);
		break;
	case NODE_BYTES_COPIED:
		put_copied(in, n);
		break;
	case NODE_BITMASK:
		put_bitmask(in, program_bytes(in, n));
		break;
	case NODE_CPUMASK:
		put_cpumask(in, spec, program_bytes(in, n));
		break;
	case NODE_STACK:
		put_stack(in, program_bytes(in, n));
		break;
	}
}

/* %*ph, %6ph: bytes of an array; without a number, one byte. */
void program_put_raw(const struct input *in, const struct step *step)
{
	const struct node *n = &in->p->nodes[step->node];
	char between = ' ';
	struct kt_blob bytes = program_bytes(in, n);
	int32_t want = 1;

	switch (step->variant[0]) {
	case 'C': between = ':'; break;
	case 'D': between = '-'; break;
	case 'N': between = '\0'; break;
	}
	if (step->star != NO_NODE)
		want = program_number(in, step->star);
	else if (step->spec.kernel && step->spec.width >= 0)
		want = step->spec.width;
	if (step->spec.kernel && want > 64)
		want = 64;
	if (want < 0 || (size_t)want > bytes.size)
		want = bytes.size;
	put_hex_bytes(in->out, bytes.data, want, between);
}
