/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tep_safe.c - can libtraceevent print this safely, whatever the record contains? */
#include "format/tep_safe.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TREE   200
#define MAX_LENGTH 65536	/* the scratch record is padded for this length */

/* State of the walk over the arguments */
struct walk {
	struct tep_lengths *lengths;
	int depth;
};

static bool arg_is_safe(struct walk *w, const struct tep_print_arg *arg);

static bool add_length(struct walk *w, const struct tep_format_field *f)
{
	struct tep_lengths *l = w->lengths;

	if (!f || f->size < 4)
		return f;			/* at most 65535 */
	if (l->nr == TEP_LENGTHS)
		return false;
	l->field[l->nr++] = (struct format_place){ f->offset, f->size };
	return true;
}

/* A length must be a constant, a field, or a choice between them. */
static bool length_is_safe(struct walk *w, const struct tep_print_arg *arg)
{
	if (!arg || w->depth > MAX_TREE)
		return false;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		return strtoull(arg->atom.atom, NULL, 0) <= MAX_LENGTH;
	case TEP_PRINT_FIELD:
		return add_length(w, arg->field.field);
	case TEP_PRINT_TYPE:
		return length_is_safe(w, arg->typecast.item);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return arg->dynarray.field;
	case TEP_PRINT_OP:
		if (strcmp(arg->op.op, "?") != 0 || !arg->op.right)
			return false;
		return arg_is_safe(w, arg->op.left) && length_is_safe(w, arg->op.right->op.left) &&
		       length_is_safe(w, arg->op.right->op.right);
	default:
		return false;
	}
}

static bool is_memory(const struct tep_print_arg *arg)
{
	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	return arg && arg->type == TEP_PRINT_DYNAMIC_ARRAY && arg->dynarray.field;
}

/* A function uses the numbers after a memory argument as lengths. */
static bool call_is_safe(struct walk *w, const struct tep_print_arg *arg)
{
	bool memory = false;

	for (arg = arg->func.args; arg; arg = arg->next) {
		if (is_memory(arg))
			memory = true;
		else if (arg->type != TEP_PRINT_NULL &&
			 !(memory ? length_is_safe(w, arg) : arg_is_safe(w, arg)))
			return false;
	}
	return true;
}

/* An index is safe if it is constant and the library reads within the padded record. */
static bool index_is_safe(const struct tep_print_arg *arg)
{
	const struct tep_print_arg *array = arg->op.left, *index = arg->op.right;

	return array && index && array->type == TEP_PRINT_FIELD && array->field.field &&
	       index->type == TEP_PRINT_ATOM && array->field.field->elementsize <= 8 &&
	       strtoull(index->atom.atom, NULL, 0) <= MAX_LENGTH / 8;
}

static bool op_is_safe(struct walk *w, const struct tep_print_arg *arg)
{
	const char *op = arg->op.op;

	if (strcmp(op, "[") == 0)
		return index_is_safe(arg);
	if (strcmp(op, "/") == 0 || strcmp(op, "%") == 0)
		return false;
	return (!arg->op.left || arg_is_safe(w, arg->op.left)) &&
	       (!arg->op.right || arg_is_safe(w, arg->op.right));
}

static bool is_safe(struct walk *w, const struct tep_print_arg *arg)
{
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_ATOM:
	case TEP_PRINT_FIELD:
	case TEP_PRINT_STRING:
		return true;
	case TEP_PRINT_FUNC:
		return call_is_safe(w, arg);
	case TEP_PRINT_FLAGS:
		return arg_is_safe(w, arg->flags.field);
	case TEP_PRINT_SYMBOL:
		return arg_is_safe(w, arg->symbol.field);
	case TEP_PRINT_TYPE:
		return arg_is_safe(w, arg->typecast.item);
	case TEP_PRINT_DYNAMIC_ARRAY:
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return arg->dynarray.field;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return arg_is_safe(w, arg->hex.field) && length_is_safe(w, arg->hex.size);
	case TEP_PRINT_INT_ARRAY:
		return arg_is_safe(w, arg->int_array.field) &&
		       length_is_safe(w, arg->int_array.count) &&
		       arg->int_array.el_size->type == TEP_PRINT_ATOM;
	case TEP_PRINT_OP:
		return op_is_safe(w, arg);
	default:
		return false;
	}
}

static bool arg_is_safe(struct walk *w, const struct tep_print_arg *arg)
{
	bool safe;

	if (!arg || ++w->depth > MAX_TREE)
		return false;
	safe = is_safe(w, arg);
	w->depth--;
	return safe;
}

bool tep_is_safe(const struct tep_event *event, struct tep_lengths *lengths)
{
	const struct tep_print_arg *arg;
	struct walk w = { .lengths = lengths };

	lengths->nr = 0;
	if (!event->print_fmt.format || strchr(event->print_fmt.format, '*'))
		return false;
	for (arg = event->print_fmt.args; arg; arg = arg->next)
		if (!arg_is_safe(&w, arg))
			return false;
	return true;
}

bool tep_lengths_ok(const struct tep_lengths *lengths, const struct kt_record *rec, bool swap)
{
	size_t i;

	for (i = 0; i < lengths->nr; i++)
		if (load_uint(rec->data + lengths->field[i].offset, lengths->field[i].size, swap) >
		    MAX_LENGTH)
			return false;
	return true;
}
