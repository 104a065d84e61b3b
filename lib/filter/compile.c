/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compile.c - compile an expression into tests on the bytes of one event's records */
#include "filter/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct compiler {
	const struct filter_expr *e;
	struct filter_file *file;	/* NULL: only check whether it is valid */
	struct filter_program *p;
	struct filter_complaint *why;	/* may be NULL */
};

/* A compiled side of a comparison */
struct operand {
	enum { MISSING, NUMBER, TEXT } kind;
	bool     is_signed;
	bool     is_address;		/* may also stand for the name of a function */
	bool     is_text_pointer;	/* may also stand for the text at that address */
	int32_t  index;			/* among the program's numbers or texts */
};

#define GROW(p, array, nr) (array_reserve((p)->array, (p)->nr) || !((p)->failed = true))

static int32_t add_num(struct filter_program *p, struct filter_num num)
{
	if (!GROW(p, nums, nr_nums))
		return 0;
	p->nums[p->nr_nums] = num;
	return (int32_t)p->nr_nums++;
}

static int32_t add_str(struct filter_program *p, struct filter_str str)
{
	if (!GROW(p, strs, nr_strs))
		return 0;
	p->strs[p->nr_strs] = str;
	return (int32_t)p->nr_strs++;
}

static enum filter_sense complain(struct compiler *c, const struct filter_node *at,
				  enum filter_sense sense, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static enum filter_sense complain(struct compiler *c, const struct filter_node *at,
				  enum filter_sense sense, const char *fmt, ...)
{
	va_list ap;

	if (!c->why)
		return sense;
	c->why->at = at;
	va_start(ap, fmt);
	vsnprintf(c->why->why, sizeof(c->why->why), fmt, ap);
	va_end(ap);
	return sense;
}

/* ---- fields ---- */

static bool is_number_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool may_be_address(const struct compiler *c, const struct kt_field *f)
{
	return f->size == (uint32_t)c->p->event->events->long_size &&
	       (f->size == 8 || (f->flags & (KT_FIELD_POINTER | KT_FIELD_LONG)));
}

static struct operand text_field(struct compiler *c, const struct kt_field *f)
{
	struct filter_str str = { .kind = FILTER_STR_ARRAY, .offset = f->offset, .size = f->size };

	if (f->flags & KT_FIELD_DYNAMIC) {
		str.kind = f->flags & KT_FIELD_RELATIVE ? FILTER_STR_RELATIVE : FILTER_STR_DYNAMIC;
		if (f->size != 4)
			return (struct operand) { .kind = MISSING };
	}
	return (struct operand) { .kind = TEXT, .index = add_str(c->p, str) };
}

/* "const char *" holds the address of a constant; printk_formats has its text. */
static bool points_to_text(const struct kt_field *f)
{
	return (f->flags & KT_FIELD_POINTER) && strstr(f->type, "char");
}

static struct operand number_field(struct compiler *c, const struct kt_field *f)
{
	struct filter_num num = { .kind = FILTER_NUM_LOAD, .size = f->size, .offset = f->offset,
				  .is_signed = f->flags & KT_FIELD_SIGNED };
	struct operand op = { .kind = NUMBER, .is_signed = num.is_signed,
			      .is_address = may_be_address(c, f),
			      .is_text_pointer = points_to_text(f) };

	op.index = add_num(c->p, num);
	return op;
}

/* Time spent in a function, for records that hold both its start and its end */
static struct operand duration(struct compiler *c)
{
	const struct kt_field *call = kt_event_field(c->p->event, "calltime");
	const struct kt_field *ret = kt_event_field(c->p->event, "rettime");
	struct filter_num num = { .kind = FILTER_NUM_DURATION, .size = 8 };

	if (!call || !ret || call->size != 8 || ret->size != 8)
		return (struct operand) { .kind = MISSING };
	num.offset = call->offset;
	num.offset2 = ret->offset;
	return (struct operand) { .kind = NUMBER, .is_signed = true, .index = add_num(c->p, num) };
}

/* Names that are valid for every record, unless its event has a field of that name. */
static struct operand special(struct compiler *c, const char *name)
{
	struct filter_num cpu = { .kind = FILTER_NUM_CPU, .size = 4 };
	struct filter_str comm = { .kind = FILTER_STR_COMM };
	const struct kt_field *pid;
	bool plain = c->e->plain;

	if (!strcmp(name, "COMM") || !strcmp(name, "common_comm") ||
	    (plain && !strcmp(name, "comm")))
		return (struct operand) { .kind = TEXT, .index = add_str(c->p, comm) };
	if (!strcmp(name, "CPU") || !strcmp(name, "common_cpu") || (plain && !strcmp(name, "cpu")))
		return (struct operand) { .kind = NUMBER, .index = add_num(c->p, cpu) };
	if (!strcmp(name, "duration"))
		return duration(c);
	pid = strcmp(name, "PID") ? NULL : kt_event_field(c->p->event, "common_pid");
	return pid ? number_field(c, pid) : (struct operand) { .kind = MISSING };
}

static struct operand field(struct compiler *c, const char *name)
{
	const struct kt_field *f = kt_event_field(c->p->event, name);

	if (!f)
		return special(c, name);
	if (f->flags & KT_FIELD_STRING)
		return text_field(c, f);
	if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC) || !is_number_size(f->size))
		return (struct operand) { .kind = MISSING };
	return number_field(c, f);
}

/* ---- values ---- */

static enum filter_sense value(struct compiler *c, const struct filter_node *n, struct operand *op);

static enum filter_sense number(struct compiler *c, const struct filter_node *n,
				struct operand *op)
{
	enum filter_sense sense = value(c, n, op);

	if (sense == FILTER_SENSE_OK && op->kind == TEXT)
		return complain(c, n, FILTER_SENSE_TYPES, "this is text, not a number");
	return sense;
}

static enum filter_sense arithmetic(struct compiler *c, const struct filter_node *n,
				    struct operand *op)
{
	bool negation = n->op == FILTER_NEG;	/* compiled as 0 - x */
	struct filter_num num = { .kind = FILTER_NUM_OP, .op = negation ? FILTER_SUB : n->op };
	struct operand l, r;
	enum filter_sense sense = number(c, n->left, &l);

	if (negation) {
		r = l;
		l = (struct operand) { .kind = NUMBER };
		l.index = add_num(c->p, (struct filter_num) { .kind = FILTER_NUM_CONST });
	} else if (sense == FILTER_SENSE_OK) {
		sense = number(c, n->right, &r);
	}
	if (sense != FILTER_SENSE_OK)
		return sense;
	num.left = l.index;
	num.right = r.index;
	/* The difference of unsigned operands may be negative, too */
	num.is_signed = l.is_signed || r.is_signed || num.op == FILTER_SUB;
	*op = (struct operand) { .kind = NUMBER, .is_signed = num.is_signed,
				 .index = add_num(c->p, num) };
	return FILTER_SENSE_OK;
}

static enum filter_sense value(struct compiler *c, const struct filter_node *n, struct operand *op)
{
	struct filter_num num = { .kind = FILTER_NUM_CONST, .value = n->value };

	if (n->op == FILTER_NUMBER) {
		*op = (struct operand) { .kind = NUMBER, .index = add_num(c->p, num) };
		return FILTER_SENSE_OK;
	}
	if (n->op == FILTER_STRING)
		return complain(c, n, FILTER_SENSE_TYPES, "text cannot be used in a calculation");
	if (n->op != FILTER_FIELD)
		return arithmetic(c, n, op);
	*op = field(c, n->text);
	if (op->kind != MISSING)
		return FILTER_SENSE_OK;
	return complain(c, n, FILTER_SENSE_MISSING, "no field '%s'", n->text);
}

/* ---- comparisons ---- */

/* Text, or the name of the function or constant at an address. */
static enum filter_sense as_text(struct compiler *c, const struct filter_node *n,
				 struct operand *op)
{
	struct filter_str str = { .kind = FILTER_STR_SYMBOL, .num = op->index };

	if (op->is_text_pointer)
		str.kind = FILTER_STR_POINTER;
	if (op->kind == TEXT)
		return FILTER_SENSE_OK;
	if (!op->is_address)
		return complain(c, n, FILTER_SENSE_TYPES, "this is a number, not text");
	*op = (struct operand) { .kind = TEXT, .index = add_str(c->p, str) };
	return FILTER_SENSE_OK;
}

static _Atomic uint64_t *get_cache(struct compiler *c, const struct filter_node *n,
				   const struct filter_str *str)
{
	_Atomic uint64_t **cache;

	if (!c->file || (str->kind != FILTER_STR_COMM && str->kind != FILTER_STR_SYMBOL))
		return NULL;
	cache = &c->file->caches[2 * n->cache + (str->kind == FILTER_STR_COMM)];
	if (!*cache)
		*cache = calloc(FILTER_CACHE_SLOTS, sizeof(**cache));
	return *cache;		/* NULL: works without a cache, only slower */
}

static enum filter_sense pattern_test(struct compiler *c, const struct filter_node *n,
				      const struct filter_node *subject, struct filter_test *t)
{
	struct operand op;
	enum filter_sense sense = value(c, subject, &op);

	if (sense == FILTER_SENSE_OK)
		sense = as_text(c, subject, &op);
	if (sense != FILTER_SENSE_OK || c->p->failed)
		return sense;
	t->kind = FILTER_TEST_PATTERN;
	t->negate = n->op == FILTER_NE || n->op == FILTER_UNLIKE;
	t->pattern = n->pattern;
	t->left = op.index;
	t->cache = get_cache(c, n, &c->p->strs[op.index]);
	return FILTER_SENSE_OK;
}

/*
 * A field is read signed or unsigned so that the constant fits: "-1" and
 * "0xffffffff" both match an int of -1, and "ret > 100" does not match error codes.
 */
static bool read_signed(const struct filter_num *load, uint64_t constant, bool negative)
{
	if (negative)
		return true;
	if (!load->is_signed)
		return false;
	if (load->size == 8)
		return constant <= INT64_MAX;
	return constant < 1ULL << (8 * load->size - 1) || constant >> (8 * load->size);
}

static bool is_negation(const struct filter_program *p, const struct filter_num *n)
{
	return n->kind == FILTER_NUM_OP && n->op == FILTER_SUB &&
	       p->nums[n->left].kind == FILTER_NUM_CONST && !p->nums[n->left].value;
}

/* The constant value of @num, which may have a minus sign. */
static bool is_constant(const struct filter_program *p, int32_t num, uint64_t *val, bool *negative)
{
	const struct filter_num *n = &p->nums[num];

	*negative = is_negation(p, n);
	if (*negative)
		n = &p->nums[n->right];
	*val = *negative ? -n->value : n->value;
	return n->kind == FILTER_NUM_CONST;
}

static enum filter_op mirror(enum filter_op op)
{
	switch (op) {
	case FILTER_LT: return FILTER_GT;
	case FILTER_GT: return FILTER_LT;
	case FILTER_LE: return FILTER_GE;
	case FILTER_GE: return FILTER_LE;
	default: return op;
	}
}

static void number_test(struct compiler *c, enum filter_op op, struct operand l, struct operand r,
			struct filter_test *t)
{
	struct filter_program *p = c->p;
	struct operand swap = l;
	bool negative;
	uint64_t val;

	if (is_constant(p, l.index, &val, &negative)) {
		l = r;
		r = swap;
		op = mirror(op);
	}
	t->kind = FILTER_TEST_NUM;
	t->op = op;
	t->left = l.index;
	t->right = r.index;
	t->is_signed = l.is_signed || r.is_signed;
	if (p->nums[l.index].kind != FILTER_NUM_LOAD || !is_constant(p, r.index, &val, &negative))
		return;
	t->kind = FILTER_TEST_FIELD;
	t->size = p->nums[l.index].size;
	t->offset = p->nums[l.index].offset;
	t->is_signed = read_signed(&p->nums[l.index], val, negative);
	t->value = val;
}

static enum filter_sense truth_test(struct compiler *c, const struct filter_node *n,
				    struct filter_test *t)
{
	struct operand op, zero = { .kind = NUMBER };
	enum filter_sense sense = value(c, n->left, &op);

	if (sense != FILTER_SENSE_OK)
		return sense;
	if (op.kind == TEXT)
		return complain(c, n->left, FILTER_SENSE_TYPES, "text is neither true nor false");
	zero.index = add_num(c->p, (struct filter_num) { .kind = FILTER_NUM_CONST });
	if (!c->p->failed)
		number_test(c, FILTER_NE, op, zero, t);
	return FILTER_SENSE_OK;
}

/* "a == b" of two fields, or of a field and a word without its quotes. */
static enum filter_sense field_test(struct compiler *c, const struct filter_node *n,
				    struct filter_test *t)
{
	struct operand l, r = field(c, n->right->text);
	enum filter_sense sense;

	if (r.kind == MISSING || (n->op != FILTER_EQ && n->op != FILTER_NE))
		return pattern_test(c, n, n->left, t);
	sense = value(c, n->left, &l);
	if (sense != FILTER_SENSE_OK || c->p->failed)
		return sense;
	if (l.kind == NUMBER && r.kind == NUMBER) {
		number_test(c, n->op, l, r, t);
		return FILTER_SENSE_OK;
	}
	sense = as_text(c, n->left, &l);
	if (sense == FILTER_SENSE_OK)
		sense = as_text(c, n->right, &r);
	t->kind = FILTER_TEST_STR;
	t->negate = n->op == FILTER_NE;
	t->left = l.index;
	t->right = r.index;
	return sense;
}

static enum filter_sense compare(struct compiler *c, const struct filter_node *n,
				 struct filter_test *t)
{
	struct operand l, r;
	enum filter_sense sense;

	if (n->op == FILTER_TRUTH)
		return truth_test(c, n, t);
	if (n->right->op == FILTER_STRING)
		return pattern_test(c, n, n->left, t);
	if (n->left->op == FILTER_STRING)
		return pattern_test(c, n, n->right, t);
	if (n->pattern)
		return field_test(c, n, t);

	sense = value(c, n->left, &l);
	if (sense == FILTER_SENSE_OK)
		sense = value(c, n->right, &r);
	if (sense != FILTER_SENSE_OK)
		return sense;
	if (l.kind == TEXT || r.kind == TEXT)
		return complain(c, l.kind == TEXT ? n->left : n->right, FILTER_SENSE_TYPES,
				"this is text: compare it with a string in quotes");
	if (!c->p->failed)
		number_test(c, n->op, l, r, t);
	return FILTER_SENSE_OK;
}

static void program_clear(struct filter_program *p)
{
	free(p->tests);
	free(p->nums);
	free(p->strs);
}

enum filter_sense filter_check_test(const struct filter_expr *e, const struct kt_event *ev,
				    const struct filter_node *n, struct filter_complaint *why)
{
	struct filter_program p = { .event = ev };
	struct compiler c = { .e = e, .p = &p, .why = why };
	struct filter_test t = { 0 };
	enum filter_sense sense = compare(&c, n, &t);

	program_clear(&p);
	return sense;
}

bool filter_asks_function(const struct filter_expr *e, const struct kt_event *ev,
			  const struct filter_node *n)
{
	struct filter_program p = { .event = ev };
	struct compiler c = { .e = e, .p = &p };
	struct filter_test t = { 0 };
	bool asks = compare(&c, n, &t) == FILTER_SENSE_OK && !p.failed &&
		    t.kind == FILTER_TEST_PATTERN && p.strs[t.left].kind == FILTER_STR_SYMBOL;

	program_clear(&p);
	return asks;
}

/* ---- conditions ---- */

/* Tests are created from the last to the first, so that each jump target exists. */
static int32_t condition(struct compiler *c, const struct filter_node *n, int32_t yes, int32_t no)
{
	struct filter_test t = { .yes = yes, .no = no };

	switch (n->op) {
	case FILTER_AND:
		return condition(c, n->left, condition(c, n->right, yes, no), no);
	case FILTER_OR:
		return condition(c, n->left, yes, condition(c, n->right, yes, no));
	case FILTER_NOT:
		return condition(c, n->left, no, yes);
	default:
		break;
	}
	if (compare(c, n, &t) != FILTER_SENSE_OK)
		return no;
	if (!GROW(c->p, tests, nr_tests))
		return no;
	c->p->tests[c->p->nr_tests] = t;
	return (int32_t)c->p->nr_tests++;
}

static const struct event_slot *slot_of(const struct kt_event *ev)
{
	const struct kt_events *evs = ev->events;

	return &evs->slots[evs->slot_of[ev->id] - 1];
}

/* The first test for records to which @e applies. */
static int32_t expression(struct compiler *c, const struct filter_expr *e, int32_t yes, int32_t no)
{
	c->e = e;
	if (e->file >= 0 && (size_t)e->file != c->file->index)
		return no;
	if (!filter_chooses(e, slot_of(c->p->event)))
		return no;
	return e->root ? condition(c, e->root, yes, no) : yes;
}

struct filter_program *filter_compile(struct kt_filter *f, struct filter_file *file,
				      const struct kt_event *ev)
{
	struct filter_program *p = calloc(1, sizeof(*p));
	struct compiler c = { .file = file, .p = p };
	int32_t next = FILTER_PASS, kept;
	size_t i;

	if (!p)
		return NULL;
	p->event = ev;
	p->swap = ev->events->swap;
	for (i = f->nr_exprs; i-- > 0; )
		if (f->exprs[i].exclude)
			next = expression(&c, &f->exprs[i], FILTER_DROP, next);
	kept = next;
	next = filter_keeps_some(f, file->index) ? FILTER_DROP : kept;
	for (i = f->nr_exprs; i-- > 0; )
		if (!f->exprs[i].exclude)
			next = expression(&c, &f->exprs[i], kept, next);
	p->entry = next;
	if (p->failed) {
		filter_program_free(p);
		return NULL;
	}
	return p;
}

void filter_program_free(struct filter_program *p)
{
	if (!p)
		return;
	program_clear(p);
	free(p);
}
