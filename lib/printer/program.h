/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* program.h - a compiled print format: a list of steps over a list of nodes */
#ifndef PRINTER_PROGRAM_H
#define PRINTER_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/put.h"
#include "base/word.h"
#include "format/events.h"
#include "format/spec.h"
#include "printer/line.h"

/*
 * Every argument becomes a tree of nodes that can be evaluated as a number
 * (program_number) or as a string (program_put_string), as its conversion
 * requires. All places in the record are resolved; nothing is looked up by name.
 *
 * The rules are those of C and of the kernel's printf, and expr.c makes the nodes.
 * With kt_events_opts.exact the rules are those of libtraceevent 1.7.1, found by
 * experiment: a field is read without its sign, comparisons are unsigned, a cast to
 * int keeps the low 32 bits, an index into a dynamic array counts bytes … Then
 * compile_node.c makes the nodes from the library's tree, and none has a sign. Where either
 * would divide by zero or read outside of the record, the result is 0.
 */
enum node_kind {
	NODE_NOTHING,			/* 0, "" */
	NODE_CONST,			/* @value, @str */
	NODE_FIELD,			/* @offset, @size; number */
	NODE_TEXT_FIELD,		/* the same as an array of characters: a string for %s */
	NODE_ADDR_FIELD,		/* as wide as a pointer: %s prints the text it points to */
	NODE_FLAGS, NODE_SYMBOL,	/* @a, @table; FLAGS: @str is the delimiter */
	NODE_HEX, NODE_HEX_STR,		/* @a: bytes, @b: how many */
	NODE_INT_ARRAY,			/* @a: bytes, @b: how many, @c: size of an element */
	NODE_BYTES_COPIED,		/* @a: bytes, @b: how many could have been copied */
	NODE_CAST,			/* @a as a number, "" as a string */
	NODE_SWAP,			/* @a with its lowest @size bytes swapped */
	NODE_STACK,			/* @offset: of the __data_loc of a number and its
					 * addresses */
	NODE_STRING,			/* @offset: of the __data_loc */
	NODE_BITMASK, NODE_CPUMASK,
	NODE_DYNAMIC, NODE_DYNAMIC_LEN,
	NODE_INDEX_FIELD,		/* @offset, @size of an element, @a: index; @value: all
					 * bytes */
	NODE_INDEX_DYNAMIC,		/* the same, @value: bytes per element */
	NODE_COND,			/* @a ? @b : @c */
	NODE_NOT, NODE_INVERT,
	NODE_ADD, NODE_SUB, NODE_MUL, NODE_DIV, NODE_MOD,
	NODE_AND, NODE_OR, NODE_XOR, NODE_SHL, NODE_SHR, NODE_LAND, NODE_LOR,
	NODE_EQ, NODE_NE, NODE_LT, NODE_LE, NODE_GT, NODE_GE,
};

struct node {
	uint8_t  kind;
	bool     relative;		/* the __data_loc is a __rel_loc */
	bool     is_quoted;		/* STRING: in quotes, or "(fault)" if there is no string */
	bool     counted;		/* the values of the table are 0, 1, 2 … */
	uint8_t  width;			/* bytes of its number, 0: 8 */
	bool     is_signed;		/* sign of the number; of a comparison: of its operands */
	uint16_t a, b, c;		/* nodes */
	uint32_t offset, size;
	uint64_t value;
	const char *str;		/* borrowed from the parsed tree */
	uint32_t str_len;
	uint32_t table, nr_entries;	/* into program.entries */
	struct line_word *words;	/* for a @counted table with short words; owned */
};

struct entry {				/* of a __print_flags or __print_symbolic */
	uint64_t value;
	const char *str;
	uint32_t len;
};

enum step_kind {
	STEP_END,			/* ends the program; literal text only */
	/* plain conversions of a field: the frequent steps, which are also pieces of a line */
	STEP_DEC_FIELD, STEP_UDEC_FIELD, STEP_HEX_FIELD, STEP_POINTER_FIELD,
	STEP_THREE_FIELD,		/* %03d, as CPUs are shown */
	STEP_TEXT_FIELD,
	STEP_SYMBOLIC_FIELD,		/* __print_symbolic */
	STEP_NUMBER,
	STEP_CHAR, STEP_STRING,
	STEP_POINTER,			/* %p */
	STEP_SYMBOL, STEP_SYMBOL_OFFSET,	/* %ps, %pS */
	STEP_MAC, STEP_IP, STEP_UUID, STEP_RAW,	/* %pM, %pI, %pU, %ph */
};

/* Literal text, then a conversion */
#define NO_NODE UINT16_MAX
struct step {
	uint8_t  kind;
	uint16_t node;			/* argument */
	uint16_t star;			/* argument of a *, NO_NODE if none */
	uint32_t literal, literal_len;	/* in program.text */
	struct word word;		/* a number of a field; for SYMBOLIC, @node has the table */
	uint32_t offset, size;		/* a text of a field */
	struct spec spec;
	char     variant[4];		/* letters after %p */
};

struct program {
	struct step *steps;
	size_t nr_steps;
	struct node *nodes;
	size_t nr_nodes;
	struct entry *entries;
	size_t nr_entries;
	struct str text;		/* all literals, with PUT_SLACK bytes after them */
	struct line line;		/* all steps, in sequence */
	char *strings;			/* constants of the print format, joined */
	char *kernel_format;		/* used instead of the event's format, or NULL */
	const char *why_not;		/* why the format cannot be run, or NULL */
	bool calls;			/* lacks only functions that a plugin may know */
};

/* New (program_destroy), NULL: no memory. Check @why_not. */
struct program *program_compile(struct kt_events *evs, const struct event *ev);
void program_destroy(struct program *p);

/* Run a program. The record has all fixed fields. */
struct input {
	const struct program *p;
	struct kt_events *evs;
	struct kt_symbols *symbols;	/* of the record's addresses, may be NULL */
	const uint8_t *data;
	uint32_t size;
	bool swap;
	struct kt_out *out;
	size_t most;			/* limit of the text of @out; 0: none */
};

/* A print format with hundreds of arrays could print gigabytes for one record. */
#define PROGRAM_TEXT_MAX (1u << 20)

static inline struct input program_input(struct kt_events *evs, const struct event *ev,
					 const struct kt_record *rec, struct kt_out *out)
{
	return (struct input){
		.p = (const struct program *)ev->pub.program, .evs = evs,
		.symbols = events_symbols(evs, rec), .data = rec->data,
		.size = rec->size, .swap = evs->swap, .out = out,
		.most = out->text.len + PROGRAM_TEXT_MAX,
	};
}

static inline bool program_is_over(const struct input *in)
{
	return in->most && in->out->text.len > in->most;
}

void program_run(const struct input *in);
void program_run_step(const struct input *in, const struct step *step);	/* without its literal */

char *program_put_symbolic(const struct input *in, const struct step *step, char *to);

static inline char *program_put_hex(char *to, const struct step *step, uint64_t v)
{
	unsigned int len = num_hex_len(v), width = step->spec.width;

	return num_put_hex_words(to, v, len < width ? width : len);
}

/* Like %03d */
static inline char *program_put_three(char *to, int64_t v)
{
	if (v >= 0)
		return v < 1000 ? num_put_three(to, v) : num_put_large(to, v);
	*to++ = '-';
	return v > -10 ? num_put_digits(to, -v, 2) : num_put_u64(to, -(uint64_t)v);
}

/* A number of a field for steps up to STEP_THREE_FIELD; @to has NUM_MAX + 2 bytes of room */
static inline char *program_put_field(const struct input *in, const struct step *step, char *to)
{
	const bool swap = in->swap;
	uint64_t v;

	switch (step->kind) {
	case STEP_DEC_FIELD:
		return num_put_i64(to, word_i64(step->word, in->data, swap));
	case STEP_UDEC_FIELD:
		return num_put_u64(to, word_u64(step->word, in->data, swap));
	case STEP_HEX_FIELD:
		return program_put_hex(to, step, word_u64(step->word, in->data, swap));
	case STEP_POINTER_FIELD:
		v = word_u64(step->word, in->data, swap);
		return v ? program_put_hex(put_lit(to, "0x"), step, v) : put_lit(to, "(nil)");
	default:		/* STEP_THREE_FIELD */
		return program_put_three(to, word_i64(step->word, in->data, swap));
	}
}

/* compile_node.c - the tree of one argument; returns its node, NO_NODE if it is not supported */
uint16_t compile_node(struct program *p, struct kt_events *evs, struct tep_event *event,
		      struct tep_print_arg *arg, int depth);
uint16_t compile_fail(struct program *p, const char *why);	/* NO_NODE */
uint16_t program_add_node(struct program *p, struct node node);
bool program_add_entry(struct program *p, struct entry entry);

/* exec_number.c */
uint64_t program_number(const struct input *in, uint16_t node);
/* The bytes of a node, which is a field or a dynamic array. NULL if outside of the record. */
struct kt_blob program_bytes(const struct input *in, const struct node *n);
/* Bytes of the record from @p to its end; 0 if @p is NULL. */
size_t program_rest(const struct input *in, const void *p);

/* exec.c */
void program_put_number(struct kt_out *out, const struct spec *spec, uint64_t v);
void program_put_pointer(struct kt_out *out, uint64_t v);
/* exec_string.c */
void program_put_string(const struct input *in, const struct spec *spec, uint16_t node);
void program_put_text(struct kt_out *out, const struct spec *spec, const char *s, size_t len);
/* exec_array.c */
void program_put_array(const struct input *in, const struct spec *spec, const struct node *n);
void program_put_raw(const struct input *in, const struct step *step);
/* exec_address.c */
void program_put_symbol(struct kt_symbols *syms, uint64_t addr, bool offset, struct kt_out *out);
void program_put_address(const struct input *in, const struct step *step);

#endif
