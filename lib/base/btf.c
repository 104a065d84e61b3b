/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* btf.c - BTF, a kernel's description of its own types */
#include "base/btf.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/keymap.h"

#define MAGIC     0xeb9f
#define MAX_DEPTH 32		/* levels of nested types; ends a cycle of types */
#define MAX_TEXT  65536		/* bytes of a prototype; ends a tree of cycles */
#define SIGNED    1		/* encoding of an integer, from bit 24 on */

/* Layouts and numbers: Linux, Documentation/bpf/btf.rst */
struct header {
	uint16_t magic;
	uint8_t  version, flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
};

struct type {
	uint32_t name, info, size_or_type;
};

enum {
	KIND_INT = 1, KIND_PTR, KIND_ARRAY, KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_FWD,
	KIND_TYPEDEF, KIND_VOLATILE, KIND_CONST, KIND_RESTRICT, KIND_FUNC, KIND_FUNC_PROTO,
	KIND_VAR, KIND_DATASEC, KIND_FLOAT, KIND_DECL_TAG, KIND_TYPE_TAG, KIND_ENUM64, NR_KINDS
};

/* Bytes that follow a type: a fixed number, and a number for each member */
static const struct { uint8_t once, each; } tails[NR_KINDS] = {
	[KIND_INT] = { 4, 0 }, [KIND_ARRAY] = { 12, 0 }, [KIND_STRUCT] = { 0, 12 },
	[KIND_UNION] = { 0, 12 }, [KIND_ENUM] = { 0, 8 }, [KIND_FUNC_PROTO] = { 0, 8 },
	[KIND_VAR] = { 4, 0 }, [KIND_DATASEC] = { 0, 12 }, [KIND_DECL_TAG] = { 4, 0 },
	[KIND_ENUM64] = { 0, 12 },
};

struct kt_btf {
	struct str data;
	const struct kt_btf *base;	/* the kernel, if this is a module, whose ids and strings
					 * continue the kernel's; borrowed; else NULL */
	uint32_t first, first_string;	/* 0; in a module, the first numbers after those of @base */
	const char *strings;		/* ends with a NUL */
	uint32_t strings_len;
	const struct type **types;	/* by id, starting at @first; [0] of the kernel is void */
	uint32_t nr_types;
	uint32_t *functions;		/* indices into @types, sorted by name */
	uint32_t nr_functions;
	struct keymap by_name;		/* index of @enumerators, built at the first lookup */
	struct enumerator {
		int64_t value;
		bool differs;		/* the same name has another value elsewhere */
	} *enumerators;
	size_t nr_enumerators;
};

static unsigned int kind_of(const struct type *t)
{
	return t->info >> 24 & 0x1f;
}

static const char *name_of(const struct kt_btf *btf, uint32_t offset)
{
	if (offset < btf->first_string)
		return name_of(btf->base, offset);
	offset -= btf->first_string;
	return offset < btf->strings_len ? btf->strings + offset : "";
}

static const struct type *type_of(const struct kt_btf *btf, uint32_t id)
{
	if (id < btf->first)
		return type_of(btf->base, id);
	return id && id - btf->first < btf->nr_types ? btf->types[id - btf->first] : NULL;
}

static int add_type(struct kt_btf *btf, const struct type *t)
{
	const struct type **added = array_add(btf->types, btf->nr_types);

	if (!added)
		return -ENOMEM;
	*added = t;
	return 0;
}

static int find_types(struct kt_btf *btf, const char *at, uint32_t len)
{
	size_t size;

	if (!btf->base && add_type(btf, NULL) < 0)
		return -ENOMEM;
	for (; len; at += size, len -= size) {
		const struct type *t = (const struct type *)at;

		if (len < sizeof(*t) || kind_of(t) >= NR_KINDS || !kind_of(t))
			return -EINVAL;
		size = sizeof(*t) + tails[kind_of(t)].once +
		       (size_t)tails[kind_of(t)].each * (t->info & 0xffff);
		if (size > len)
			return -EINVAL;
		if (add_type(btf, t) < 0)
			return -ENOMEM;
		btf->nr_functions += kind_of(t) == KIND_FUNC;
	}
	return 0;
}

static int by_name(const void *a, const void *b, void *btf)
{
	const struct kt_btf *x = btf;

	return strcmp(name_of(x, x->types[*(const uint32_t *)a]->name),
		      name_of(x, x->types[*(const uint32_t *)b]->name));
}

static int index_functions(struct kt_btf *btf)
{
	uint32_t i, nr = 0;

	btf->functions = calloc(btf->nr_functions + 1, sizeof(*btf->functions));
	if (!btf->functions)
		return -ENOMEM;
	for (i = !btf->base; i < btf->nr_types; i++)
		if (kind_of(btf->types[i]) == KIND_FUNC)
			btf->functions[nr++] = i;
	qsort_r(btf->functions, nr, sizeof(*btf->functions), by_name, btf);
	return 0;
}

static bool is_inside(uint64_t off, uint64_t len, uint64_t size)
{
	return off <= size && len <= size - off;
}

/* Everything apart from the magic and the strings consists of 32-bit numbers. */
static void swap_words(char *p, size_t size)
{
	for (; size >= 4; p += 4, size -= 4)
		store_u32(p, load_u32(p, true), false);
}

/* Swaps the range that the header gives for types; the range itself is checked later. */
static void swap_types(char *data, size_t size)
{
	struct header *h = (struct header *)data;
	uint64_t at;

	h->magic = MAGIC;
	swap_words((char *)&h->hdr_len, sizeof(*h) - offsetof(struct header, hdr_len));
	at = (uint64_t)h->hdr_len + h->type_off;
	if (is_inside(at, h->type_len, size))
		swap_words(data + at, h->type_len);
}

static int parse(struct kt_btf *btf)
{
	const struct header *h = (const struct header *)btf->data.buf;
	size_t size = btf->data.len;
	const char *body;
	int ret;

	if (size >= sizeof(*h) && h->magic == __builtin_bswap16(MAGIC))
		swap_types(btf->data.buf, size);
	if (size < sizeof(*h) || h->magic != MAGIC || h->hdr_len < sizeof(*h) || h->hdr_len > size)
		return -EINVAL;
	body = btf->data.buf + h->hdr_len;
	size -= h->hdr_len;
	if (!is_inside(h->type_off, h->type_len, size) || (h->type_off & 3) || (h->hdr_len & 3) ||
	    !is_inside(h->str_off, h->str_len, size) || !h->str_len ||
	    body[h->str_off + h->str_len - 1])
		return -EINVAL;
	btf->strings = body + h->str_off;
	btf->strings_len = h->str_len;
	ret = find_types(btf, body + h->type_off, h->type_len);
	return ret < 0 ? ret : index_functions(btf);
}

/* Takes over the bytes of @data. @name is for messages. */
static struct kt_btf *open_data(struct str *data, const char *name, const struct kt_btf *base,
				struct kt_err *err)
{
	struct kt_btf *btf = calloc(1, sizeof(*btf));
	int ret;

	if (!btf || data->failed) {
		kt_err_no_memory(err);
		str_fini(data);
		free(btf);
		return NULL;
	}
	btf->data = *data;
	if (base) {
		btf->base = base;
		btf->first = base->first + base->nr_types;
		btf->first_string = base->first_string + base->strings_len;
	}
	ret = parse(btf);
	if (ret == 0)
		return btf;
	kt_err_set(err, ret, ret == -EINVAL ? "%s: its type information (BTF) is damaged"
					    : "%s: out of memory", name);
	kt_btf_close(btf);
	return NULL;
}

struct kt_btf *btf_open_module(const char *path, const struct kt_btf *base, struct kt_err *err)
{
	struct str data = STR_INIT;
	int ret;

	ret = str_read_file(&data, path);
	if (ret < 0) {
		kt_err_set(err, ret, "cannot read %s: %s", path, strerror(-ret));
		str_fini(&data);
		return NULL;
	}
	return open_data(&data, path, base, err);
}

struct kt_btf *kt_btf_open(const char *path, struct kt_err *err)
{
	return btf_open_module(path ? path : "/sys/kernel/btf/vmlinux", NULL, err);
}

struct kt_btf *btf_parse(const void *bytes, size_t size, struct kt_err *err)
{
	struct str data = STR_INIT;

	str_addn(&data, bytes, size);
	return open_data(&data, "BTF", NULL, err);
}

void kt_btf_close(struct kt_btf *btf)
{
	if (!btf)
		return;
	str_fini(&btf->data);
	free(btf->types);
	free(btf->functions);
	free(btf->enumerators);
	keymap_fini(&btf->by_name);
	free(btf);
}

static void declare(const struct kt_btf *btf, struct str *s, uint32_t id, const char *inner,
		    int depth);

static void add_params(const struct kt_btf *btf, struct str *s, const struct type *proto, int depth)
{
	const struct { uint32_t name, type; } *params = (const void *)(proto + 1);
	uint32_t i, nr = proto->info & 0xffff;

	str_addc(s, '(');
	for (i = 0; i < nr; i++) {
		str_add(s, i ? ", " : "");
		if (!params[i].type && !params[i].name)
			str_add(s, "...");
		else
			declare(btf, s, params[i].type, name_of(btf, params[i].name), depth + 1);
	}
	str_add(s, nr ? ")" : "void)");
}

/* @word before @inner, then the declaration of the type below */
static void declare_with(const struct kt_btf *btf, struct str *s, uint32_t below, const char *word,
			 const char *inner, int depth)
{
	const struct type *t = type_of(btf, below);
	bool binds = t && word[0] == '*' &&
		     (kind_of(t) == KIND_ARRAY || kind_of(t) == KIND_FUNC_PROTO);
	struct str more = STR_INIT;

	str_addf(&more, binds ? "(%s%s)" : "%s%s", word, inner);
	declare(btf, s, below, more.buf, depth + 1);
	str_fini(&more);
}

/* A qualifier of a pointer follows its star, any other before the type. */
static void declare_qualified(const struct kt_btf *btf, struct str *s, const struct type *t,
			      const char *word, const char *inner, int depth)
{
	const struct type *below = type_of(btf, t->size_or_type);

	if (below && kind_of(below) == KIND_PTR) {
		declare_with(btf, s, t->size_or_type, word, inner, depth);
		return;
	}
	str_add(s, word);
	declare(btf, s, t->size_or_type, inner, depth + 1);
}

static void declare_array(const struct kt_btf *btf, struct str *s, const struct type *t,
			  const char *inner, int depth)
{
	const uint32_t *array = (const uint32_t *)(t + 1);	/* element, index, number */
	struct str more = STR_INIT;

	str_addf(&more, "%s[%u]", inner, array[2]);
	declare(btf, s, array[0], more.buf, depth + 1);
	str_fini(&more);
}

static void declare_proto(const struct kt_btf *btf, struct str *s, const struct type *t,
			  const char *inner, int depth)
{
	struct str more = STR_INIT;

	str_add(&more, inner);
	add_params(btf, &more, t, depth);
	declare(btf, s, t->size_or_type, more.buf, depth + 1);
	str_fini(&more);
}

/* As in C: the declared name stands inside its type. */
static void declare(const struct kt_btf *btf, struct str *s, uint32_t id, const char *inner,
		    int depth)
{
	static const char *const words[NR_KINDS] = {
		[KIND_STRUCT] = "struct ", [KIND_UNION] = "union ", [KIND_ENUM] = "enum ",
		[KIND_ENUM64] = "enum ", [KIND_FWD] = "struct ",
	};
	const struct type *t = type_of(btf, id);
	unsigned int kind = t ? kind_of(t) : 0;
	const char *name = t ? name_of(btf, t->name) : "void";

	if (depth > MAX_DEPTH || s->len > MAX_TEXT) {
		str_add(s, "...");
		return;
	}
	switch (kind) {
	case KIND_PTR:
		declare_with(btf, s, t->size_or_type, "*", inner, depth);
		return;
	case KIND_CONST:
		declare_qualified(btf, s, t, "const ", inner, depth);
		return;
	case KIND_VOLATILE:
		declare_qualified(btf, s, t, "volatile ", inner, depth);
		return;
	case KIND_RESTRICT:
	case KIND_TYPE_TAG:
		declare(btf, s, t->size_or_type, inner, depth + 1);
		return;
	case KIND_ARRAY:
		declare_array(btf, s, t, inner, depth);
		return;
	case KIND_FUNC_PROTO:
		declare_proto(btf, s, t, inner, depth);
		return;
	}
	str_addf(s, "%s%s%s%s", words[kind] ? words[kind] : "", *name ? name : "{...}",
		 *inner ? " " : "", inner);
}

static uint32_t find_function(const struct kt_btf *btf, const char *name)
{
	uint32_t low = 0, high = btf->nr_functions, mid;
	int order;

	while (low < high) {
		mid = (low + high) / 2;
		order = strcmp(name_of(btf, btf->types[btf->functions[mid]]->name), name);
		if (!order)
			return btf->first + btf->functions[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return 0;
}

static const struct type *find_proto(const struct kt_btf *btf, const char *function)
{
	const struct type *t = type_of(btf, find_function(btf, function)), *proto;

	proto = t ? type_of(btf, t->size_or_type) : NULL;
	return proto && kind_of(proto) == KIND_FUNC_PROTO ? proto : NULL;
}

char *kt_btf_prototype(const struct kt_btf *btf, const char *function)
{
	const struct type *proto = find_proto(btf, function);
	struct str s = STR_INIT;

	if (!proto)
		return NULL;
	declare_proto(btf, &s, proto, function, 0);
	return str_take(&s);
}

/* The type without names and qualifiers; NULL if it cannot be found */
static const struct type *bare_type(const struct kt_btf *btf, uint32_t id)
{
	const struct type *t = type_of(btf, id);
	int depth;

	for (depth = 0; t && depth < MAX_DEPTH; depth++) {
		switch (kind_of(t)) {
		case KIND_TYPEDEF: case KIND_CONST: case KIND_VOLATILE:
		case KIND_RESTRICT: case KIND_TYPE_TAG:
			t = type_of(btf, t->size_or_type);
			break;
		default:
			return t;
		}
	}
	return NULL;
}

/* The bits of a register above those of a small type are undefined. */
static uint64_t own_bits(uint64_t value, uint32_t size, bool is_signed)
{
	unsigned int shift = size < 8 && size ? 64 - 8 * size : 0;

	return is_signed ? (uint64_t)((int64_t)(value << shift) >> shift) : value << shift >> shift;
}

static bool is_signed_int(const struct type *t)
{
	return kind_of(t) == KIND_INT && (*(const uint32_t *)(t + 1) >> 24 & SIGNED);
}

static void add_value(const struct type *t, uint64_t value, struct str *s)
{
	unsigned int kind = t ? kind_of(t) : 0;
	bool is_int = kind == KIND_INT;
	bool is_signed = kind == KIND_ENUM || kind == KIND_ENUM64 || (is_int && is_signed_int(t));

	if (is_int || is_signed)
		value = own_bits(value, t->size_or_type, is_signed);
	if (is_signed)
		str_addf(s, "%" PRId64, (int64_t)value);
	else
		str_addf(s, "0x%" PRIx64, value);
}

/* How many registers an argument takes; a structure of more than two is passed in memory */
static size_t registers_of(const struct type *t)
{
	unsigned int kind = t ? kind_of(t) : 0;

	if (kind != KIND_STRUCT && kind != KIND_UNION)
		return 1;
	return t->size_or_type <= 16 ? 1 + (t->size_or_type > 8) : 0;
}

static void add_arg(const struct type *t, const uint64_t *values, size_t nr, struct str *s)
{
	if (nr == 2)
		str_addf(s, "0x%" PRIx64 ":", *values++);
	if (nr)
		add_value(t, *values, s);
	else
		str_add(s, "...");
}

struct param {
	uint32_t name, type;
};

bool btf_add_args(const struct kt_btf *btf, const char *function, const uint64_t *values,
		  size_t nr_values, struct str *s)
{
	const struct type *proto = find_proto(btf, function), *of;
	const struct param *params;
	size_t i, nr, regs, at = 0;

	if (!proto)
		return false;
	params = (const void *)(proto + 1);
	nr = proto->info & 0xffff;
	for (i = 0; i < nr; i++) {
		str_add(s, i ? ", " : "");
		of = bare_type(btf, params[i].type);
		regs = registers_of(of);
		if (regs > nr_values - at || at == nr_values ||
		    (!params[i].type && !params[i].name)) {
			str_add(s, "...");	/* on the stack */
			break;
		}
		str_addf(s, "%s=", name_of(btf, params[i].name));
		add_arg(of, values + at, regs, s);
		at += regs;
	}
	return true;
}

/* One argument, from register @at on; returns the last register that it takes */
static size_t add_arg_of_trace(const struct type *t, const uint64_t *values, size_t nr, size_t at,
			       bool hex, struct str *s)
{
	static const char *const kinds[NR_KINDS] = {
		[KIND_ARRAY] = "ARRAY", [KIND_STRUCT] = "STRUCT", [KIND_UNION] = "UNION",
		[KIND_FWD] = "FWD", [KIND_FLOAT] = "FLOAT", [KIND_ENUM64] = "ENUM64",
	};
	unsigned int kind = t ? kind_of(t) : 0;
	uint64_t size;

	if (kind == KIND_ENUM || (kind == KIND_INT && (!hex || is_signed_int(t)))) {
		str_addf(s, "%" PRId64, (int64_t)values[at]);
		return at;
	}
	if (!kind || kind == KIND_PTR || kind == KIND_INT) {
		str_addf(s, "%s0x%" PRIx64, kind ? "" : "?", values[at]);
		return at;
	}
	str_addf(s, "(%s)[0x%" PRIx64, kinds[kind] ? kinds[kind] : "", values[at]);
	for (size = 8; size < t->size_or_type && ++at < nr; size += 8)
		str_addf(s, ":0x%" PRIx64, values[at]);
	str_add(s, at == nr ? ":...]" : "]");
	return at;
}

bool btf_add_args_of_trace(const struct kt_btf *btf, const char *function, const uint64_t *values,
			   size_t nr_values, bool hex, struct str *s)
{
	const struct type *proto = find_proto(btf, function);
	const struct param *p, *end;
	size_t at = 0;

	if (!proto)
		return false;
	p = (const void *)(proto + 1);
	for (end = p + (proto->info & 0xffff); p < end && at <= nr_values; p++, at++) {
		str_add(s, at ? ", " : "");
		if (at == nr_values) {
			str_add(s, "...");
			break;
		}
		str_addf(s, "%s=", name_of(btf, p->name));
		at = add_arg_of_trace(bare_type(btf, p->type), values, nr_values, at, hex, s);
	}
	return true;
}

static int64_t enumerator_value(const uint32_t *e, unsigned int kind)
{
	return kind == KIND_ENUM ? (int64_t)(int32_t)e[1] : (int64_t)(e[1] | (uint64_t)e[2] << 32);
}

static int index_enumerators(struct kt_btf *btf)
{
	uint32_t i, j;

	for (i = !btf->base; i < btf->nr_types; i++) {
		unsigned int kind = kind_of(btf->types[i]), words = kind == KIND_ENUM ? 2 : 3;
		const uint32_t *at = (const uint32_t *)(btf->types[i] + 1);
		struct enumerator *e;
		bool is_new;

		if (kind != KIND_ENUM && kind != KIND_ENUM64)
			continue;
		for (j = btf->types[i]->info & 0xffff; j; j--, at += words) {
			int64_t value = enumerator_value(at, kind);

			e = keymap_element(&btf->by_name, keymap_text(name_of(btf, at[0])),
					   (void **)&btf->enumerators, &btf->nr_enumerators,
					   sizeof(*e), &is_new);
			if (!e)
				return -ENOMEM;
			e->differs |= !is_new && e->value != value;
			e->value = value;
		}
	}
	return 0;
}

int btf_enumerator(struct kt_btf *btf, const char *name, int64_t *value)
{
	uint32_t i;

	if (!btf->by_name.nr && index_enumerators(btf) < 0)
		return -ENOMEM;
	i = keymap_get(&btf->by_name, keymap_text(name));
	if (i == KEYMAP_NONE)
		return -ENOENT;
	*value = btf->enumerators[i].value;
	return btf->enumerators[i].differs ? -EEXIST : 0;
}

uint32_t btf_struct_size(const struct kt_btf *btf, const char *name)
{
	uint32_t i;

	for (i = !btf->base; i < btf->nr_types; i++)
		if (kind_of(btf->types[i]) == KIND_STRUCT &&
		    strcmp(name_of(btf, btf->types[i]->name), name) == 0)
			return btf->types[i]->size_or_type;
	return 0;
}
