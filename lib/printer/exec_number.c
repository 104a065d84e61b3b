/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* exec_number.c - evaluate a node as a number */
#include "printer/program.h"

/* 0 if it lies outside of the record. */
static uint64_t load(const struct input *in, uint64_t offset, uint32_t size)
{
	if (offset > in->size || size > in->size - offset)
		return 0;
	return load_uint(in->data + offset, size, in->swap);
}

static uint32_t dynamic_offset(const struct node *n, uint32_t loc)
{
	return (loc & 0xffff) + (n->relative ? n->offset + n->size : 0);
}

struct kt_blob program_bytes(const struct input *in, const struct node *n)
{
	uint32_t offset = n->offset, size = n->size, loc;

	if (n->kind == NODE_NOTHING)
		return (struct kt_blob){ NULL, 0 };
	if (n->kind != NODE_TEXT_FIELD && n->kind != NODE_ADDR_FIELD) {
		loc = load(in, n->offset, 4);
		offset = dynamic_offset(n, loc);
		size = loc >> 16;
	} else if (!size && offset < in->size) {
		size = in->size - offset;	/* "buf[]" is the rest of the record */
	}
	if (offset > in->size)
		return (struct kt_blob){ NULL, 0 };
	if (size > in->size - offset)
		size = in->size - offset;
	return (struct kt_blob){ (const char *)in->data + offset, size };
}

static uint64_t dynamic_element(const struct input *in, const struct node *n)
{
	uint64_t offset = dynamic_offset(n, load(in, n->offset, 4));

	return load(in, offset + program_number(in, n->a) * n->value, n->size);
}

static uint64_t field_element(const struct input *in, const struct node *n)
{
	uint64_t index = program_number(in, n->a), offset;

	if (__builtin_mul_overflow(index, n->size, &offset) ||
	    __builtin_add_overflow(offset, n->offset, &offset))
		return 0;
	return load(in, offset, n->size);
}

/* Shifts that C leaves undefined give what the processor does: so do those of the library. */
static uint64_t shifted(const struct node *n, uint64_t v, uint64_t count)
{
	count &= n->width == 4 ? 31 : 63;
	if (n->kind == NODE_SHL)
		return v << count;
	return n->is_signed ? (uint64_t)((int64_t)v >> count) : v >> count;
}

static uint64_t divided(const struct node *n, uint64_t a, uint64_t b)
{
	int64_t sa = a, sb = b;

	if (!b)
		return 0;
	if (!n->is_signed)
		return n->kind == NODE_DIV ? a / b : a % b;
	if (sb == -1)			/* INT64_MIN / -1 would trap */
		return n->kind == NODE_DIV ? -a : 0;
	return n->kind == NODE_DIV ? sa / sb : sa % sb;
}

static bool is_less(const struct node *n, uint64_t a, uint64_t b)
{
	return n->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t binary(const struct input *in, const struct node *n)
{
	uint64_t a = program_number(in, n->a), b = program_number(in, n->b);

	switch (n->kind) {
	case NODE_ADD:	return a + b;
	case NODE_SUB:	return a - b;
	case NODE_MUL:	return a * b;
	case NODE_DIV:
	case NODE_MOD:	return divided(n, a, b);
	case NODE_AND:	return a & b;
	case NODE_OR:	return a | b;
	case NODE_XOR:	return a ^ b;
	case NODE_SHL:
	case NODE_SHR:	return shifted(n, a, b);
	case NODE_LAND:	return a && b;
	case NODE_LOR:	return a || b;
	case NODE_EQ:	return a == b;
	case NODE_NE:	return a != b;
	case NODE_LT:	return is_less(n, a, b);
	case NODE_LE:	return !is_less(n, b, a);
	case NODE_GT:	return is_less(n, b, a);
	case NODE_GE:	return !is_less(n, a, b);
	}
	return 0;
}

static uint64_t swapped(uint64_t v, uint32_t size)
{
	return __builtin_bswap64(v) >> (64 - 8 * size);
}

/* Cuts the value to the width of its node and extends the sign */
static uint64_t fitted(const struct node *n, uint64_t v)
{
	unsigned int shift = 64 - 8 * n->width;

	return n->is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}

size_t program_rest(const struct input *in, const void *p)
{
	return p ? in->data + in->size - (const uint8_t *)p : 0;
}

static uint64_t number(const struct input *in, const struct node *n)
{
	switch (n->kind) {
	case NODE_CONST:
		return n->value;
	case NODE_TEXT_FIELD:
	case NODE_ADDR_FIELD:
		return load_uint(in->data + n->offset, n->size, in->swap);
	case NODE_CAST:
		return program_number(in, n->a);
	case NODE_SWAP:
		return swapped(program_number(in, n->a), n->size);
	case NODE_DYNAMIC:
		/* The library returns an address in its own memory. Any number except 0 will do. */
		return dynamic_offset(n, load(in, n->offset, 4));
	case NODE_DYNAMIC_LEN:
		return load(in, n->offset, 4) >> 16;
	case NODE_INDEX_FIELD:
		return field_element(in, n);
	case NODE_INDEX_DYNAMIC:
		return dynamic_element(in, n);
	case NODE_COND:
		return program_number(in, program_number(in, n->a) ? n->b : n->c);
	case NODE_NOT:
		return !program_number(in, n->a);
	case NODE_INVERT:
		return ~program_number(in, n->a);
	default:
		return n->kind >= NODE_ADD ? binary(in, n) : 0;
	}
}

uint64_t program_number(const struct input *in, uint16_t node)
{
	const struct node *n = &in->p->nodes[node];
	uint64_t v = number(in, n);

	return n->width ? fitted(n, v) : v;
}
