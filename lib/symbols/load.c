/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* load.c - parse kallsyms into a table of addresses; names are read on demand */
#include "symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "base/bytes.h"
#include "base/pages.h"
#include "base/put.h"

struct loading {
	struct symbol *places;
	size_t nr, max;
	bool   sorted;			/* the addresses so far are ascending */
	uint64_t high, high_value;	/* first half of the previous address: it rarely changes */
};

static const int8_t hex_value[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15,
	['f'] = 16, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Eight hex digits, the first in the lowest byte of @word; false unless all are lower case */
static inline bool hex_word(uint64_t word, uint64_t *value)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t x = (word & 0x0f * ones) + (word >> 6 & ones) * 9;
	uint64_t letters = (x + 6 * ones) >> 4 & ones;

	if ((x & 0x10 * ones) || x + NUM_ZEROS + letters * ('a' - '0' - 10) != word)
		return false;
	x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ff;
	x = (x << 8 | x >> 16) & 0x0000ffff0000ffff;
	*value = (x << 16 | x >> 32) & 0xffffffff;
	return true;
}

/* Addresses in kallsyms always have sixteen digits. */
static inline bool sixteen(struct loading *l, const char *p, uint64_t *value)
{
	uint64_t high = load_u64(p, KT_HOST_BIG), low;

	if (high != l->high) {
		if (!hex_word(high, &l->high_value))
			return false;
		l->high = high;
	}
	if (!hex_word(load_u64(p + 8, KT_HOST_BIG), &low))
		return false;
	*value = l->high_value << 32 | low;
	return true;
}

static inline const char *parse_hex(struct loading *l, const char *p, const char *end,
				    uint64_t *value)
{
	uint64_t v = 0;
	int digit;

	if (end - p > 16 && sixteen(l, p, &v))
		p += 16;
	for (; p < end && (digit = hex_value[(uint8_t)*p]); p++)
		v = v << 4 | (digit - 1);
	*value = v;
	return p;
}

/* The first blank or control character */
static const char *word_end(const char *p, const char *end)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t word, hit;

	for (; end - p >= 8; p += 8) {
		word = load_u64(p, KT_HOST_BIG);
		hit = (word - ones * (' ' + 1)) & ~word & ones << 7;
		if (hit)
			return p + __builtin_ctzll(hit) / 8;
	}
	while (p < end && (uint8_t)*p > ' ')
		p++;
	return p;
}

/*
 * The name in "ffffffff81000000 T name\t[module]", with the text after it.
 * NULL: the line has a different form, or the symbol is not a place in the kernel.
 */
static inline const char *parse_line(struct loading *l, const char *p, const char *end,
				     uint64_t *addr)
{
	const char *start = p;

	p = parse_hex(l, p, end, addr);
	if (p == start || end - p < 4 || p[0] != ' ' || p[1] == '\n' || p[2] != ' ')
		return NULL;
	/* ARM marks data in code with $a, $d …; absolute symbols are not places in the kernel. */
	if ((uint8_t)p[3] <= ' ' || p[3] == '$' || p[1] == 'A' || p[1] == 'a')
		return NULL;
	return p + 3;
}

#define NAME_USUAL 64			/* longer names are rare */

/* The first newline in the NAME_USUAL bytes at @p, or NULL */
static inline const char *near_newline(const char *p)
{
#ifdef __x86_64__
	const __m128i newline = _mm_set1_epi8('\n');
	unsigned int hits;
	size_t i;

	for (i = 0; i < NAME_USUAL; i += sizeof(newline)) {
		__m128i block = _mm_loadu_si128((const __m128i *)(p + i));

		hits = _mm_movemask_epi8(_mm_cmpeq_epi8(block, newline));
		if (hits)
			return p + i + __builtin_ctz(hits);
	}
	return NULL;
#else
	return memchr(p, '\n', NAME_USUAL);
#endif
}

/* parse_line() for the form of nearly all lines; the end of the line goes to @eol */
static inline const char *parse_usual(struct loading *l, const char *p, const char *end,
				      uint64_t *addr, const char **eol)
{
	if (end - p < 19 + NAME_USUAL || !sixteen(l, p, addr))
		return NULL;
	if (p[16] != ' ' || p[17] <= 'A' || p[17] == 'a' || p[18] != ' ' || p[19] <= ' ' ||
	    p[19] == '$')
		return NULL;
	*eol = near_newline(p + 19);
	return *eol ? p + 19 : NULL;
}

/* @base: offset of @text among the texts, as symbols store it for their names */
static void parse_text(struct loading *l, const char *text, size_t size, uint32_t base)
{
	const char *p = text, *end = text + size, *name, *eol;
	uint64_t addr, last = 0;

	for (; p < end && l->nr < l->max; p = eol + 1) {
		name = parse_usual(l, p, end, &addr, &eol);
		if (!name) {
			name = parse_line(l, p, end, &addr);
			p = name ? name : p;
			eol = memchr(p, '\n', end - p);
			eol = eol ? eol : end;
		}
		if (!name ||
		    (eol - name > KT_SYMBOL_MAX && word_end(name, eol) - name > KT_SYMBOL_MAX))
			continue;
		l->sorted &= addr >= last;
		last = addr;
		l->places[l->nr].addr = addr;
		l->places[l->nr++].name = base + (name - text);
	}
}

static void merge(struct symbol *to, const struct symbol *a, size_t na, const struct symbol *b,
		  size_t nb)
{
	while (na && nb) {
		if (b->addr < a->addr) {
			*to++ = *b++;
			nb--;
		} else {
			*to++ = *a++;
			na--;
		}
	}
	memcpy(to, a, na * sizeof(*a));
	memcpy(to + na, b, nb * sizeof(*b));
}

static void insertion_sort(struct symbol *s, size_t nr)
{
	size_t i, j;

	for (i = 1; i < nr; i++) {
		struct symbol cur = s[i];

		for (j = i; j && cur.addr < s[j - 1].addr; j--)
			s[j] = s[j - 1];
		s[j] = cur;
	}
}

/* A stable merge sort; nearly free if the input is sorted already, as most of kallsyms is. */
static void sort_syms(struct symbol *s, struct symbol *tmp, size_t nr)
{
	const size_t block = 16;
	size_t width, i;

	for (i = 0; i < nr; i += block)
		insertion_sort(s + i, nr - i < block ? nr - i : block);
	for (width = block; width < nr; width *= 2)
		for (i = 0; i + width < nr; i += 2 * width) {
			size_t right = nr - i - width < width ? nr - i - width : width;

			if (s[i + width - 1].addr <= s[i + width].addr)
				continue;
			memcpy(tmp, s + i, width * sizeof(*s));
			merge(s + i, tmp, width, s + i + width, right);
		}
}

/*
 * Of several symbols at one address, the first one in kallsyms is shown.
 * It becomes the last one, so that "address < next address" finds it.
 */
static void reverse_equals(struct symbol *s, size_t nr)
{
	size_t first, last, i;

	for (last = 1; last < nr; last++) {
		if (s[last].addr != s[last - 1].addr)
			continue;
		first = last - 1;
		while (last < nr && s[last].addr == s[first].addr)
			last++;
		for (i = 0; i < (last - first) / 2; i++) {
			struct symbol swap = s[first + i];

			s[first + i] = s[last - 1 - i];
			s[last - 1 - i] = swap;
		}
	}
}

/* lines of kallsyms: twenty times as many as a kernel with all options has */
#define MAX_LINES (4u << 20)

static size_t max_lines(size_t size)
{
	size_t most = size / 5 + 1;	/* the shortest line is "0 T x\n" */

	return most < MAX_LINES ? most : MAX_LINES;
}

#define USUAL_LINE 45		/* longer than the average line of most kernels */

static void sort(struct loading *l, struct symbol *tmp)
{
	if (!l->sorted)
		sort_syms(l->places, tmp, l->nr);
	reverse_equals(l->places, l->nr);
	l->places[l->nr].addr = UINT64_MAX;
}

/*
 * Reserves room for the name and module of each symbol: no more than its line. PUT_SLACK bytes
 * follow each: a reader may read them while another thread adds the next name.
 */
static int make_pool(struct kt_symbols *syms, size_t size, size_t nr)
{
	size += 2 + PUT_SLACK + nr * 2 * PUT_SLACK;
	if (size >= SYMBOL_NAMED)
		return -EFBIG;
	syms->pool = malloc(size);
	if (!syms->pool)
		return -ENOMEM;
	syms->pool[0] = '\0';
	syms->pool_len = 1 + PUT_SLACK;
	return 0;
}

int symbols_load(struct kt_symbols *syms, struct kt_blob kallsyms)
{
	size_t size = kallsyms.size + syms->extra.len;
	struct loading l = { .max = max_lines(size), .sorted = true, .high = NUM_ZEROS };
	struct symbol *tmp;
	int ret;

	if (size >= SYMBOL_NAMED)
		return -EFBIG;
	/* The sizes are upper bounds: pages that are never written use no memory. */
	syms->places = l.places = pages_alloc((l.max + 1) * sizeof(*l.places),
					      size / USUAL_LINE * sizeof(*l.places));
	if (!l.places)
		return -ENOMEM;
	syms->text = kallsyms;
	parse_text(&l, kallsyms.data, kallsyms.size, 0);
	l.sorted &= !l.nr || !syms->extra.len;
	parse_text(&l, syms->extra.buf, syms->extra.len, kallsyms.size);
	tmp = l.sorted ? NULL : malloc((l.nr + 1) * sizeof(*tmp));
	if (!tmp && !l.sorted)
		return -ENOMEM;
	sort(&l, tmp);
	free(tmp);
	ret = make_pool(syms, size, l.nr);
	if (ret == 0)
		syms->nr = l.nr;
	return ret;
}

/* ---- names ---- */

static uint32_t store(struct kt_symbols *syms, const char *s, size_t len)
{
	uint32_t at = syms->pool_len;

	memcpy(syms->pool + at, s, len);
	syms->pool[at + len] = '\0';
	syms->pool_len += len + 1 + PUT_SLACK;
	return at;
}

/* The module "\t[name]" at @p; consecutive symbols of a module share one string */
static uint32_t module_at(struct kt_symbols *syms, const char *p, const char *end)
{
	const char *close, *last = syms->pool + syms->last_module;
	size_t len = strlen(last);

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == end || *p != '[')
		return 0;
	p++;
	if (len && (size_t)(end - p) > len && p[len] == ']' && memcmp(last, p, len) == 0)
		return syms->last_module;
	close = word_end(p, end);
	close = memchr(p, ']', close - p) ? memchr(p, ']', close - p) : close;
	syms->last_module = store(syms, p, close - p);
	return syms->last_module;
}

/* Start of a name, and the end of the text that contains it */
static const char *text_at(const struct kt_symbols *syms, uint32_t name, const char **end)
{
	if (name < syms->text.size) {
		*end = syms->text.data + syms->text.size;
		return syms->text.data + name;
	}
	*end = syms->extra.buf + syms->extra.len;
	return syms->extra.buf + (name - syms->text.size);
}

const char *symbols_peek(struct kt_symbols *syms, size_t i, size_t *len)
{
	uint32_t name = atomic_load_explicit(&syms->places[i].name, memory_order_acquire);
	const char *start, *end;

	if (name & SYMBOL_NAMED) {
		start = syms->pool + (name & ~SYMBOL_NAMED);
		*len = strlen(start);
		return start;
	}
	start = text_at(syms, name, &end);
	*len = word_end(start, end) - start;
	return start;
}

uint32_t symbols_name(struct kt_symbols *syms, struct symbol *at)
{
	const char *p, *end, *start;
	uint32_t name;

	pthread_mutex_lock(&syms->lock);
	name = atomic_load_explicit(&at->name, memory_order_relaxed);
	if (!(name & SYMBOL_NAMED)) {
		start = text_at(syms, name, &end);
		p = word_end(start, end);
		name = store(syms, start, p - start) | SYMBOL_NAMED;
		at->module = module_at(syms, p, end);
		atomic_store_explicit(&at->name, name, memory_order_release);
	}
	pthread_mutex_unlock(&syms->lock);
	return name;
}
