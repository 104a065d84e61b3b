/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* eval.c - run a compiled filter on the bytes of a record */
#include "filter/filter.h"

#include <string.h>

#define ADDRESS_TAG (3ULL << 62)	/* addresses of a 64-bit kernel begin with these bits */
#define CACHED      (1ULL << 63)
#define CACHED_YES  (1ULL << 62)

struct run {
	const struct filter_program *p;
	struct filter_file *file;
	const struct kt_record *rec;
};

struct text {
	const char *s;
	size_t len;
};

/* A record comes from a file: check each offset and size against the size of the record. */
static bool in_record(const struct kt_record *rec, uint32_t offset, uint32_t size)
{
	return offset <= rec->size && size <= rec->size - offset;
}

static uint64_t extend(uint64_t value, unsigned int size)
{
	unsigned int shift = 64 - 8 * size;

	return (uint64_t)((int64_t)(value << shift) >> shift);
}

static bool load(const struct run *r, uint32_t offset, unsigned int size, bool is_signed,
		 uint64_t *value)
{
	if (!in_record(r->rec, offset, size))
		return false;
	*value = load_uint(r->rec->data + offset, size, r->p->swap);
	if (is_signed)
		*value = extend(*value, size);
	return true;
}

static bool get_duration(const struct run *r, const struct filter_num *n, uint64_t *value)
{
	uint64_t call, ret;

	if (!load(r, n->offset, 8, false, &call) || !load(r, n->offset2, 8, false, &ret))
		return false;
	*value = ret - call;
	return true;
}

static bool divide(const struct filter_num *n, uint64_t l, uint64_t r, uint64_t *value)
{
	if (!r)
		return false;
	if (!n->is_signed)
		*value = n->op == FILTER_DIV ? l / r : l % r;
	else if ((int64_t)r == -1)		/* INT64_MIN / -1 would trap */
		*value = n->op == FILTER_DIV ? -l : 0;
	else
		*value = n->op == FILTER_DIV ? (uint64_t)((int64_t)l / (int64_t)r)
					     : (uint64_t)((int64_t)l % (int64_t)r);
	return true;
}

static bool calculate(const struct filter_num *n, uint64_t l, uint64_t r, uint64_t *value)
{
	switch (n->op) {
	case FILTER_BITOR:  *value = l | r; return true;
	case FILTER_XOR:    *value = l ^ r; return true;
	case FILTER_BITAND: *value = l & r; return true;
	case FILTER_SHL:    *value = r < 64 ? l << r : 0; return true;
	case FILTER_SHR:    *value = r < 64 ? l >> r : 0; return true;
	case FILTER_ADD:    *value = l + r; return true;
	case FILTER_SUB:    *value = l - r; return true;
	case FILTER_MUL:    *value = l * r; return true;
	}
	return divide(n, l, r, value);
}

static bool number(const struct run *r, int32_t index, uint64_t *value)
{
	const struct filter_num *n = &r->p->nums[index];
	uint64_t left, right;

	switch (n->kind) {
	case FILTER_NUM_CONST:
		*value = n->value;
		return true;
	case FILTER_NUM_LOAD:
		return load(r, n->offset, n->size, n->is_signed, value);
	case FILTER_NUM_CPU:
		*value = (uint64_t)kt_trace_source(r->file->trace, r->rec)->cpu;
		return true;
	case FILTER_NUM_DURATION:
		return get_duration(r, n, value);
	}
	if (!number(r, n->left, &left) || !number(r, n->right, &right))
		return false;
	return calculate(n, left, right, value);
}

static bool compare(enum filter_op op, uint64_t l, uint64_t r, bool is_signed)
{
	const uint64_t flip = is_signed ? 1ULL << 63 : 0;	/* makes signed order unsigned */

	switch (op) {
	case FILTER_EQ: return l == r;
	case FILTER_NE: return l != r;
	case FILTER_LT: return (l ^ flip) < (r ^ flip);
	case FILTER_GT: return (l ^ flip) > (r ^ flip);
	case FILTER_LE: return (l ^ flip) <= (r ^ flip);
	default:        return (l ^ flip) >= (r ^ flip);
	}
}

/* ---- texts ---- */

static bool bytes_at(const struct run *r, uint32_t offset, uint32_t size, struct text *t)
{
	if (!in_record(r->rec, offset, size))
		return false;
	t->s = (const char *)r->rec->data + offset;
	t->len = strnlen(t->s, size);
	return true;
}

static bool dynamic_text(const struct run *r, const struct filter_str *s, struct text *t)
{
	uint64_t where;
	uint32_t offset;

	if (!load(r, s->offset, 4, false, &where))
		return false;
	offset = where & 0xffff;
	if (s->kind == FILTER_STR_RELATIVE)
		offset += s->offset + 4;
	return bytes_at(r, offset, (uint32_t)where >> 16, t);
}

static void address_text(const struct run *r, const struct filter_str *s, uint64_t addr,
			 struct text *t)
{
	struct kt_symbols *syms = events_symbols(r->p->event->events, r->rec);
	struct kt_symbol sym;

	t->s = NULL;
	if (syms && s->kind == FILTER_STR_POINTER)
		t->s = kt_symbols_printk(syms, addr);
	if (!t->s && syms && kt_symbols_find(syms, addr, &sym) > 0)
		t->s = sym.name;
	if (!t->s)
		t->s = "";		/* as in trace-cmd: an unknown function has an empty name */
	t->len = strlen(t->s);
}

static bool text(const struct run *r, int32_t index, struct text *t)
{
	const struct filter_str *s = &r->p->strs[index];
	uint64_t addr;

	switch (s->kind) {
	case FILTER_STR_ARRAY:
		return bytes_at(r, s->offset, s->size ? s->size : r->rec->size -
				(s->offset < r->rec->size ? s->offset : r->rec->size), t);
	case FILTER_STR_DYNAMIC:
	case FILTER_STR_RELATIVE:
		return dynamic_text(r, s, t);
	case FILTER_STR_COMM:
		t->s = kt_trace_comm(r->file->trace, r->file->index,
				     kt_record_pid(r->p->event->events, r->rec));
		t->len = strlen(t->s);
		return true;
	}
	if (!number(r, s->num, &addr))
		return false;
	address_text(r, s, addr, t);
	return true;
}

/* The only input of the result: the task, or the address. False: do not cache. */
static bool cache_key(const struct run *r, const struct filter_str *s, uint64_t *key)
{
	if (s->kind == FILTER_STR_COMM) {
		*key = (uint32_t)kt_record_pid(r->p->event->events, r->rec);
		return true;
	}
	return number(r, s->num, key) && (*key & ADDRESS_TAG) == ADDRESS_TAG;
}

static bool match_cached(const struct run *r, const struct filter_test *t)
{
	_Atomic uint64_t *slot;
	struct text subject;
	uint64_t key, have;
	bool yes;

	if (!cache_key(r, &r->p->strs[t->left], &key))
		return text(r, t->left, &subject) &&
		       filter_pattern_match(t->pattern, subject.s, subject.len) != t->negate;
	key &= ~ADDRESS_TAG;
	slot = &t->cache[(key * 0x9e3779b97f4a7c15ULL) >> 55 & (FILTER_CACHE_SLOTS - 1)];
	have = atomic_load_explicit(slot, memory_order_relaxed);
	if ((have & ~CACHED_YES) == (key | CACHED))
		return have & CACHED_YES;

	yes = text(r, t->left, &subject) &&
	      filter_pattern_match(t->pattern, subject.s, subject.len) != t->negate;
	atomic_store_explicit(slot, key | CACHED | (yes ? CACHED_YES : 0), memory_order_relaxed);
	return yes;
}

static bool texts_equal(const struct run *r, const struct filter_test *t)
{
	struct text a, b;

	if (!text(r, t->left, &a) || !text(r, t->right, &b))
		return false;
	return (a.len == b.len && !memcmp(a.s, b.s, a.len)) != t->negate;
}

static bool test(const struct run *r, const struct filter_test *t)
{
	struct text subject;
	uint64_t a, b;

	switch (t->kind) {
	case FILTER_TEST_FIELD:
		return load(r, t->offset, t->size, t->is_signed, &a) &&
		       compare(t->op, a, t->value, t->is_signed);
	case FILTER_TEST_NUM:
		return number(r, t->left, &a) && number(r, t->right, &b) &&
		       compare(t->op, a, b, t->is_signed);
	case FILTER_TEST_STR:
		return texts_equal(r, t);
	}
	if (t->cache)
		return match_cached(r, t);
	return text(r, t->left, &subject) &&
	       filter_pattern_match(t->pattern, subject.s, subject.len) != t->negate;
}

bool filter_run(const struct filter_program *p, struct filter_file *file,
		const struct kt_record *rec)
{
	const struct run r = { .p = p, .file = file, .rec = rec };
	int32_t at = p->entry;

	while (at >= 0)
		at = test(&r, &p->tests[at]) ? p->tests[at].yes : p->tests[at].no;
	return at == FILTER_PASS;
}
