/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compile_node.c - convert libtraceevent's tree of an argument into nodes */
#include "base/array.h"
#include "printer/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TREE 200		/* a small fraction of a formatting thread's stack */

uint16_t compile_fail(struct program *p, const char *why)
{
	if (!p->why_not)
		p->why_not = why;
	return NO_NODE;
}

uint16_t program_add_node(struct program *p, struct node node)
{
	struct node *added = p->nr_nodes < NO_NODE ? array_add(p->nodes, p->nr_nodes) : NULL;

	if (!added)
		return compile_fail(p, "too many expressions");
	*added = node;
	return (uint16_t)(added - p->nodes);
}

bool program_add_entry(struct program *p, struct entry entry)
{
	struct entry *added = array_add(p->entries, p->nr_entries);

	if (!added)
		return false;
	*added = entry;
	return true;
}

/* The library knows the values of these names. */
static uint64_t entry_value(const char *text)
{
	static const struct {
		const char *name;
		uint64_t value;
	} known[] = {
		{ "HI_SOFTIRQ", 0 }, { "TIMER_SOFTIRQ", 1 }, { "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 }, { "BLOCK_SOFTIRQ", 4 }, { "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 }, { "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 }, { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	};
	size_t i;

	if (isdigit((unsigned char)text[0]))
		return strtoull(text, NULL, 0);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, text) == 0)
			return known[i].value;
	return UINT64_MAX;
}

static bool add_table(struct program *p, struct node *node, const struct tep_print_flag_sym *sym)
{
	node->table = p->nr_entries;
	node->counted = true;
	for (; sym; sym = sym->next) {
		struct entry entry = {
			.value = entry_value(sym->value ? sym->value : ""),
			.str = sym->str ? sym->str : "",
		};

		entry.len = strlen(entry.str);
		node->counted &= entry.value == p->nr_entries - node->table;
		if (!program_add_entry(p, entry))
			return false;
	}
	node->nr_entries = p->nr_entries - node->table;
	return true;
}

/* The place of each field, within 64 KiB, was checked before the format was parsed. */
static uint16_t compile_field(struct program *p, struct kt_events *evs,
			      const struct tep_format_field *f)
{
	struct node node = { .kind = NODE_TEXT_FIELD };

	if (!f)
		return program_add_node(p, (struct node){ .kind = NODE_NOTHING });
	node.offset = f->offset;
	node.size = f->size;
	if (!(f->flags & TEP_FIELD_IS_ARRAY) && f->size == evs->long_size)
		node.kind = NODE_ADDR_FIELD;
	return program_add_node(p, node);
}

/* @f points to a __data_loc of 32 bits. */
static uint16_t compile_dynamic(struct program *p, uint8_t kind, const struct tep_format_field *f)
{
	struct node node = { .kind = kind };

	if (!f)
		return program_add_node(p, (struct node){ .kind = NODE_NOTHING });
	if (f->size != 4)
		return compile_fail(p, "a dynamic field that is not a __data_loc");
	node.offset = f->offset;
	node.size = f->size;
	node.relative = f->flags & TEP_FIELD_IS_RELATIVE;
	return program_add_node(p, node);
}

/* Bytes that a cast keeps; 0: it does not change the value. */
static uint8_t type_width(const char *type)
{
	static const struct {
		const char *name;
		uint8_t width;
	} types[] = {
		{ "u8", 1 }, { "s8", 1 }, { "char", 1 }, { "unsigned char", 1 },
		{ "u16", 2 }, { "s16", 2 }, { "short", 2 }, { "unsigned short", 2 },
		{ "u32", 4 }, { "s32", 4 }, { "int", 4 }, { "unsigned int", 4 },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0)
			return types[i].width;
	return 0;
}

static uint16_t compile_cast(struct program *p, struct kt_events *evs, struct tep_event *event,
			     struct tep_print_arg *arg, int depth)
{
	struct node node = { .kind = NODE_CAST };

	node.a = compile_node(p, evs, event, arg->typecast.item, depth);
	node.width = type_width(arg->typecast.type);
	return node.a == NO_NODE ? NO_NODE : program_add_node(p, node);
}

/* "u8 *" before an array: how many bytes of an element are kept */
static uint8_t pointed_width(const char *type)
{
	char name[32];
	size_t len = strlen(type);

	while (len && (type[len - 1] == '*' || type[len - 1] == ' '))
		len--;
	if (len >= sizeof(name))
		return 0;
	memcpy(name, type, len);
	name[len] = '\0';
	return type_width(name);
}

static uint16_t compile_index(struct program *p, struct kt_events *evs, struct tep_event *event,
			      struct tep_print_arg *arg, int depth)
{
	struct tep_print_arg *array = arg->op.left, *cast = NULL;
	struct tep_format_field *f;
	struct node node = { 0 };
	uint16_t element;

	while (array && array->type == TEP_PRINT_TYPE) {
		if (!cast)
			cast = array;
		array = array->typecast.item;
	}
	if (array && array->type == TEP_PRINT_FIELD) {
		f = array->field.field ? array->field.field
				       : tep_find_any_field(event, array->field.name);
		node.kind = NODE_INDEX_FIELD;
	} else if (array && array->type == TEP_PRINT_DYNAMIC_ARRAY) {
		f = array->dynarray.field;
		node.kind = NODE_INDEX_DYNAMIC;
		node.relative = f && (f->flags & TEP_FIELD_IS_RELATIVE);
	} else {
		return compile_fail(p, "an index into something other than a field");
	}
	if (!f || (node.kind == NODE_INDEX_DYNAMIC && f->size != 4))
		return compile_fail(p, "an index into an unknown field");
	node.offset = f->offset;
	node.size = f->elementsize;
	node.value = 1;			/* the library's indices count bytes */
	node.a = compile_node(p, evs, event, arg->op.right, depth);
	element = node.a == NO_NODE ? NO_NODE : program_add_node(p, node);
	if (element == NO_NODE || !cast || !pointed_width(cast->typecast.type))
		return element;
	return program_add_node(p, (struct node){ .kind = NODE_CAST, .a = element,
					  .width = pointed_width(cast->typecast.type) });
}

static int binary_kind(const char *op)
{
	static const struct {
		const char *op;
		int kind;
	} ops[] = {
		{ "+", NODE_ADD }, { "-", NODE_SUB }, { "*", NODE_MUL }, { "/", NODE_DIV },
		{ "%", NODE_MOD }, { "&", NODE_AND }, { "|", NODE_OR }, { "^", NODE_XOR },
		{ "<<", NODE_SHL }, { ">>", NODE_SHR }, { "&&", NODE_LAND }, { "||", NODE_LOR },
		{ "==", NODE_EQ }, { "!=", NODE_NE }, { "<", NODE_LT }, { "<=", NODE_LE },
		{ ">", NODE_GT }, { ">=", NODE_GE },
	};
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (strcmp(ops[i].op, op) == 0)
			return ops[i].kind;
	return -1;
}

static uint16_t compile_op(struct program *p, struct kt_events *evs, struct tep_event *event,
			   struct tep_print_arg *arg, int depth)
{
	const char *op = arg->op.op;
	struct tep_print_arg *left = arg->op.left, *right = arg->op.right;
	struct node node = { 0 };
	int kind;

	if (strcmp(op, "[") == 0)
		return compile_index(p, evs, event, arg, depth);
	if (strcmp(op, "?") == 0) {
		if (!right || right->type != TEP_PRINT_OP)
			return compile_fail(p, "a ? without its :");
		node.kind = NODE_COND;
		node.a = compile_node(p, evs, event, left, depth);
		node.b = compile_node(p, evs, event, right->op.left, depth);
		node.c = compile_node(p, evs, event, right->op.right, depth);
	} else if (strcmp(op, "!") == 0 || strcmp(op, "~") == 0) {
		node.kind = op[0] == '!' ? NODE_NOT : NODE_INVERT;
		node.a = compile_node(p, evs, event, right, depth);
	} else {
		kind = binary_kind(op);
		if (kind < 0)
			return compile_fail(p, "an unknown operator");
		node.kind = kind;
		node.a = left ? compile_node(p, evs, event, left, depth)
			      : program_add_node(p, (struct node){ .kind = NODE_NOTHING });
		node.b = compile_node(p, evs, event, right, depth);
	}
	if (node.a == NO_NODE || node.b == NO_NODE || node.c == NO_NODE)
		return NO_NODE;
	return program_add_node(p, node);
}

/* The bytes of a __print_hex or __print_array; nothing else takes bytes. */
static uint16_t compile_bytes(struct program *p, struct kt_events *evs, struct tep_event *event,
			      struct tep_print_arg *arg, int depth)
{
	if (!arg || (arg->type != TEP_PRINT_FIELD && arg->type != TEP_PRINT_DYNAMIC_ARRAY))
		return compile_fail(p, "bytes of something other than a field");
	return compile_node(p, evs, event, arg, depth);
}

static uint16_t compile_array(struct program *p, struct kt_events *evs, struct tep_event *event,
			      struct tep_print_arg *arg, int depth)
{
	struct node node = { .kind = NODE_INT_ARRAY };

	if (arg->type == TEP_PRINT_INT_ARRAY) {
		node.a = compile_bytes(p, evs, event, arg->int_array.field, depth);
		node.b = compile_node(p, evs, event, arg->int_array.count, depth);
		node.c = compile_node(p, evs, event, arg->int_array.el_size, depth);
	} else {
		node.kind = arg->type == TEP_PRINT_HEX ? NODE_HEX : NODE_HEX_STR;
		node.a = compile_bytes(p, evs, event, arg->hex.field, depth);
		node.b = compile_node(p, evs, event, arg->hex.size, depth);
	}
	if (node.a == NO_NODE || node.b == NO_NODE || node.c == NO_NODE)
		return NO_NODE;
	return program_add_node(p, node);
}

static uint16_t compile_names(struct program *p, struct kt_events *evs, struct tep_event *event,
			      struct tep_print_arg *arg, int depth)
{
	struct node node = { .kind = NODE_SYMBOL, .str = "" };
	bool flags = arg->type == TEP_PRINT_FLAGS;

	node.a = compile_node(p, evs, event, flags ? arg->flags.field : arg->symbol.field, depth);
	if (node.a == NO_NODE)
		return NO_NODE;
	if (flags) {
		node.kind = NODE_FLAGS;
		node.str = arg->flags.delim ? arg->flags.delim : "";
		node.str_len = strlen(node.str);
	}
	if (!add_table(p, &node, flags ? arg->flags.flags : arg->symbol.symbols))
		return compile_fail(p, "no memory");
	return program_add_node(p, node);
}

static uint16_t compile_atom(struct program *p, const char *text)
{
	return program_add_node(p,
				(struct node){ .kind = NODE_CONST, .value = strtoull(text, NULL, 0),
					  .str = text, .str_len = strlen(text) });
}

static struct tep_format_field *named(struct tep_event *event, struct tep_format_field *f,
				      const char *name)
{
	return f || !name ? f : tep_find_any_field(event, name);
}

uint16_t compile_node(struct program *p, struct kt_events *evs, struct tep_event *event,
		      struct tep_print_arg *arg, int depth)
{
	if (!arg || depth > MAX_TREE)
		return compile_fail(p, arg ?
				    "an expression that nests too deeply" : "a missing value");
	depth++;
	switch (arg->type) {
	case TEP_PRINT_NULL:
		return program_add_node(p, (struct node){ .kind = NODE_NOTHING });
	case TEP_PRINT_ATOM:
		return compile_atom(p, arg->atom.atom);
	case TEP_PRINT_FIELD:
		return compile_field(p, evs, named(event, arg->field.field, arg->field.name));
	case TEP_PRINT_FLAGS:
	case TEP_PRINT_SYMBOL:
		return compile_names(p, evs, event, arg, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
		return compile_array(p, evs, event, arg, depth);
	case TEP_PRINT_TYPE:
		return compile_cast(p, evs, event, arg, depth);
	case TEP_PRINT_STRING:
		return compile_dynamic(p, NODE_STRING,
				       named(event, arg->string.field, arg->string.string));
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		return compile_dynamic(p,
				       arg->type == TEP_PRINT_BITMASK ? NODE_BITMASK : NODE_CPUMASK,
				       named(event, arg->bitmask.field, arg->bitmask.bitmask));
	case TEP_PRINT_DYNAMIC_ARRAY:
		return compile_dynamic(p, NODE_DYNAMIC, arg->dynarray.field);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return compile_dynamic(p, NODE_DYNAMIC_LEN, arg->dynarray.field);
	case TEP_PRINT_OP:
		return compile_op(p, evs, event, arg, depth);
	case TEP_PRINT_FUNC:
		p->calls = true;
		return program_add_node(p, (struct node){ .kind = NODE_NOTHING });
	default:	/* TEP_PRINT_BSTRING, and TEP_PRINT_STACKTRACE of libtraceevent 1.8.3 */
		break;
	}
	return compile_fail(p, "an argument of unknown kind");
}
