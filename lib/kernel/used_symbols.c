/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* used_symbols.c - find the kernel symbols that the recorded data may refer to */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/array.h"
#include "base/bytes.h"
#include "kernel/kernel.h"

/*
 * This examines every word of the data, not every field: the upper half of a word shows whether
 * it is an address of kernel code (on 32-bit machines the word itself), and fields are
 * aligned to 4 bytes. That needs no formats, finds addresses anywhere
 * (stacks, arguments, probes) and costs 0.1 s per gigabyte. A number mistaken for an
 * address only keeps an additional symbol. On other machines, and where low
 * numbers are addresses too (s390x), all symbols are kept.
 *
 * IS_KERNEL: does this 32-bit word, or each word of a vector, show an address?
 * BEFORE: words from it back to the lower half of the address
 */
#define KNOWS_ADDRESSES 1
#if defined(__x86_64__) || (defined(__riscv) && __riscv_xlen == 64)
#define IS_KERNEL(w) ((w) == UINT32_MAX)
#define BEFORE	     1
#define LOW_FIRST    0x80000000u
#define LOW_END	     0xfff00000u	/* above: error codes and other small negative numbers */
#elif defined(__aarch64__) && !KT_HOST_BIG
/* modules, image, vmalloc */
#define IS_KERNEL(w) (((w) >> 15 == 0x1ffff) & ((w) != UINT32_MAX))
#define BEFORE	     1
#define LOW_FIRST    0u
#define LOW_END	     UINT32_MAX
#elif defined(__arm__) && !KT_HOST_BIG
#define IS_KERNEL(w) (((w) >= LOW_FIRST) & ((w) < LOW_END))
#define BEFORE	     0
#define LOW_FIRST    0x3f000000u	/* modules below the kernel of the smallest split */
#define LOW_END	     0xfff00000u
#else
#undef KNOWS_ADDRESSES
#define KNOWS_ADDRESSES 0
#define IS_KERNEL(w) ((w) != (w))
#define BEFORE	     0
#define LOW_FIRST    0u
#define LOW_END	     0u
#endif
/*
 * Negative numbers sometimes look like addresses, and listing all symbols takes
 * the kernel 50 ms, a tenth of the cost of recording 200 MB. So it is done only once a
 * word was near code, if the place of code is known. On x86 code lies in the upper 2 GiB: the
 * kernel in the first part of them, modules and other loaded code
 * from the beginning of the second part. Neither is larger than NEAR.
 */
#if defined(__x86_64__)
#define NEAR	     (128u << 20)
#define MODULES	     0xc0000000u
#define LOW_TEXT     0x81000000u	/* the kernel may be fixed: its modules lie lower */
#define LOW_MODULES  0xa0000000u
#else
#define NEAR	     0u
#define MODULES	     0u
#define LOW_TEXT     0u
#define LOW_MODULES  0u
#endif
#define GRAIN      4			/* a bit covers 16 bytes of address space */
#define MAP_BYTES  ((1ull << 32) >> GRAIN >> 3)	/* untouched pages take no memory */
#define MAX_SYMBOL (1u << 20)		/* bytes; no function is longer, only gaps are */

struct entry {
	uint64_t addr;
	uint32_t offset, len;		/* of its line in the text */
};

struct used_symbols {
	_Atomic bool any;		/* a bit is set: near code, if its place is known */
	uint32_t near[3];		/* start of code; all 0: not known */
	_Atomic uint64_t *seen;		/* bits; pages are allocated when touched */
	struct entry *entries;		/* by address, equal ones in the order of the text */
	size_t nr, cap;
	const char *text;
};

struct used_symbols *used_symbols_create(void)
{
	struct used_symbols *s;
	void *map;

	if (!KNOWS_ADDRESSES)
		return NULL;
	s = calloc(1, sizeof(*s));
	map = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!s || map == MAP_FAILED) {
		free(s);
		return NULL;
	}
	s->seen = map;
	return s;
}

void used_symbols_destroy(struct used_symbols *s)
{
	if (!s)
		return;
	munmap((void *)s->seen, MAP_BYTES);
	free(s->entries);
	free(s);
}

static bool is_near(const struct used_symbols *s, uint32_t low)
{
	return !s->near[0] || low - s->near[0] < NEAR || low - s->near[1] < NEAR ||
	       low - s->near[2] < NEAR;
}

static void mark(struct used_symbols *s, uint32_t low)
{
	uint32_t bit = low >> GRAIN;
	_Atomic uint64_t *word = &s->seen[bit / 64];
	uint64_t mask = 1ull << (bit % 64);

	if (low - LOW_FIRST >= LOW_END - LOW_FIRST ||
	    atomic_load_explicit(word, memory_order_relaxed) & mask)
		return;
	atomic_fetch_or_explicit(word, mask, memory_order_relaxed);
	if (is_near(s, low))
		atomic_store_explicit(&s->any, true, memory_order_relaxed);
}

bool used_symbols_any(const struct used_symbols *s)
{
	return atomic_load_explicit(&((struct used_symbols *)s)->any, memory_order_relaxed);
}

#define BLOCK 16		/* words examined at a time */

/* Bit i: the i-th word shows an address */
#if defined(__SSE2__)
typedef uint32_t words __attribute__((vector_size(16)));

static inline __m128i see_four(const uint32_t *w)
{
	words v;

	memcpy(&v, w, sizeof(v));
	return (__m128i)IS_KERNEL(v);
}

static inline unsigned int kernel_words(const uint32_t *w)
{
	__m128i low = _mm_packs_epi32(see_four(w), see_four(w + 4));
	__m128i high = _mm_packs_epi32(see_four(w + 8), see_four(w + 12));

	return (unsigned int)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#else
static inline unsigned int kernel_words(const uint32_t *w)
{
	unsigned int bits = 0;
	size_t i;

	for (i = 0; i < BLOCK; i++)
		bits |= (unsigned int)IS_KERNEL(w[i]) << i;
	return bits;
}
#endif

void used_symbols_see(struct used_symbols *s, const void *data, size_t size)
{
	const uint32_t *w = data;
	size_t i, nr = size / sizeof(*w);
	unsigned int bits;

	for (i = 0; i + BLOCK <= nr; i += BLOCK) {
		bits = kernel_words(w + i);
		/* The first word has no word before it */
		if (!i && BEFORE)
			bits &= ~1u;
		for (; bits; bits &= bits - 1)
			mark(s, w[i + (size_t)__builtin_ctz(bits) - BEFORE]);
	}
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint64_t address_of(const char *line, size_t len)
{
	uint64_t addr = 0;
	size_t i;

	for (i = 0; i < len && hex_value(line[i]) >= 0; i++)
		addr = addr << 4 | (uint64_t)hex_value(line[i]);
	return addr;
}

bool used_symbols_expect(struct used_symbols *s, const char *text, size_t size)
{
	const char *line = text, *end = text + size, *next;
	uint64_t addr;

	for (; NEAR != 0 && (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1) {
		addr = address_of(line, (size_t)(next - line));
		if (addr >> 31 != 0x1ffffffff)
			continue;	/* a per-CPU variable */
		s->near[0] = (uint32_t)addr;
		s->near[1] = MODULES;
		s->near[2] = s->near[0] == LOW_TEXT ? LOW_MODULES : MODULES;
		return true;
	}
	return false;
}

static int add_line(struct used_symbols *s, const char *line, size_t len)
{
	if (!array_fit(s->entries, s->nr, s->cap))
		return -ENOMEM;
	s->entries[s->nr++] = (struct entry){
		address_of(line, len), (uint32_t)(line - s->text), (uint32_t)len,
	};
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->offset < y->offset ? -1 : 1;
}

static int by_offset(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->offset < y->offset ? -1 : 1;
}

static bool is_sorted(const struct used_symbols *s)
{
	size_t i;

	for (i = 1; i < s->nr; i++)
		if (s->entries[i - 1].addr > s->entries[i].addr)
			return false;
	return true;
}

/* @text: kallsyms, valid until @s is destroyed. Slow, so call it during the recording */
int used_symbols_index(struct used_symbols *s, const char *text, size_t size)
{
	const char *line = text, *end = text + size, *next;
	int ret;

	s->text = text;
	for (; line < end; line = next) {
		next = memchr(line, '\n', (size_t)(end - line));
		next = next ? next + 1 : end;
		ret = add_line(s, line, (size_t)(next - line));
		if (ret < 0)
			return ret;
	}
	if (!is_sorted(s))
		qsort(s->entries, s->nr, sizeof(*s->entries), by_address);
	return 0;
}

static bool is_seen(const struct used_symbols *s, uint64_t from, uint64_t to)
{
	uint64_t low = (uint32_t)from, size = to - from < MAX_SYMBOL ? to - from : MAX_SYMBOL;
	uint64_t bit, end = (low + size - 1) >> GRAIN;

	if (!IS_KERNEL((uint32_t)(from >> 32 * BEFORE)))
		return false;
	for (bit = low >> GRAIN; bit <= end && bit < MAP_BYTES * 8; bit++)
		if (s->seen[bit / 64] >> (bit % 64) & 1)
			return true;
	return false;
}

/* Moves the used entries to the front. A symbol ends at the next one, so keep that too. */
static size_t keep_used(struct used_symbols *s)
{
	size_t i, next, kept = 0;
	bool used, bounds = false;

	for (i = 0; i < s->nr; i = next) {
		uint64_t addr = s->entries[i].addr, end;

		for (next = i; next < s->nr && s->entries[next].addr == addr; next++)
			;
		end = next < s->nr ? s->entries[next].addr : addr + MAX_SYMBOL;
		used = is_seen(s, addr, end);
		if (used || bounds) {
			memmove(s->entries + kept, s->entries + i,
				(next - i) * sizeof(*s->entries));
			kept += next - i;
		}
		bounds = used;
	}
	return kept;
}

/* Lines of the used symbols, in the order of the text. @s cannot be used afterwards. */
int used_symbols_put(struct used_symbols *s, struct str *out)
{
	size_t i;

	s->nr = keep_used(s);
	qsort(s->entries, s->nr, sizeof(*s->entries), by_offset);
	for (i = 0; i < s->nr; i++)
		str_addn(out, s->text + s->entries[i].offset, s->entries[i].len);
	return out->failed ? -ENOMEM : 0;
}
