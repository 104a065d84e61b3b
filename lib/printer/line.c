/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* line.c - print lines that differ only in their values */
#include "printer/line.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/comm16.h"
#include "base/json.h"
#include "printer/program.h"

#define ARGS char *to, const struct piece *piece, const struct input *in
#define inline_always static inline __attribute__((always_inline))
#define out_of_line   static __attribute__((noinline))

/*
 * Most numbers are short. If a function calls another one for long numbers before its end, it
 * must always save registers. A jump to that function at the end avoids this.
 */
out_of_line char *largest(ARGS, uint64_t v)
{
	return PIECE_NEXT(num_put_large(to, v));
}

out_of_line char *large(ARGS, uint64_t v)
{
	const uint64_t million = 1000000, billion = 1000 * million;
	uint64_t high = v / billion;

	if (v < million)
		return PIECE_NEXT(num_put_three(num_put_small(to, (uint32_t)v / 1000),
						(uint32_t)v % 1000));
	if (!high)
		return PIECE_NEXT(num_put_six(num_put_small(to, v / million), v % million));
	if (high < 1000)
		return PIECE_NEXT(num_put_nine(num_put_small(to, high), v - high * billion));
	return largest(to, piece, in, v);
}

out_of_line char *negative(ARGS, uint64_t v)
{
	*to++ = '-';
	return PIECE_NEXT(num_put_u64(to, -v));
}

inline_always char *put_unsigned(ARGS, uint64_t v)
{
	to = piece_literal(to, piece);
	return v < 1000 ? PIECE_NEXT(num_put_small(to, v)) : large(to, piece, in, v);
}

inline_always char *put_signed(ARGS, int64_t v)
{
	to = piece_literal(to, piece);
	if ((uint64_t)v < 1000)
		return PIECE_NEXT(num_put_small(to, v));
	return v < 0 ? negative(to, piece, in, v) : large(to, piece, in, v);
}

static inline char *put_digits(char *to, uint64_t v, unsigned int least)
{
	unsigned int len = num_hex_len(v);

	return num_put_hex_words(to, v, len < least ? least : len);
}

inline_always char *put_hex(ARGS, uint64_t v)
{
	return PIECE_NEXT(put_digits(piece_literal(to, piece), v, piece->least));
}

inline_always char *put_pointer(ARGS, uint64_t v)
{
	to = piece_literal(to, piece);
	return PIECE_NEXT(v ?
			  put_digits(put_lit(to, "0x"), v, piece->least) : put_lit(to, "(nil)"));
}

/* The usual sizes have functions of their own, with one load and no shift. */
enum size { SIZE_ANY, SIZE_ANY_SWAPPED, SIZE_8, SIZE_4, NR_SIZES };

inline_always uint64_t load(const struct piece *piece, const struct input *in, enum size size,
			    bool is_signed)
{
	bool swap = size == SIZE_ANY_SWAPPED;
	uint32_t v;

	if (size == SIZE_8)
		return load_u64(in->data + piece->word.offset, false);
	if (size == SIZE_4) {
		v = load_u32(in->data + piece->word.offset + 4, false);
		return is_signed ? (uint64_t)(int32_t)v : v;
	}
	return is_signed ? (uint64_t)word_i64(piece->word, in->data, swap)
			 : word_u64(piece->word, in->data, swap);
}

#define OF_SIZE(put, size, is_signed) \
	static char *put##_##size(ARGS) \
	{ \
		return put(to, piece, in, load(piece, in, size, is_signed)); \
	}
#define OF_SIZES(put, is_signed) \
	OF_SIZE(put, SIZE_ANY, is_signed) \
	OF_SIZE(put, SIZE_ANY_SWAPPED, is_signed) \
	OF_SIZE(put, SIZE_8, is_signed) \
	OF_SIZE(put, SIZE_4, is_signed)

inline_always char *put_three(ARGS, int64_t v)
{
	to = piece_literal(to, piece);
	return (uint64_t)v < 1000 ?
	       PIECE_NEXT(num_put_three(to, v)) : PIECE_NEXT(program_put_three(to, v));
}

OF_SIZES(put_signed, true)
OF_SIZES(put_unsigned, false)
OF_SIZES(put_hex, false)
OF_SIZES(put_pointer, false)
OF_SIZES(put_three, true)

/* A value in a table is an unsigned long, regardless of its source. */
static uint64_t piece_extended(const struct piece *piece, uint64_t v)
{
	unsigned int shift = piece->word.shift;

	return piece->extend ? (uint64_t)((int64_t)(v << shift) >> shift) : v;
}

inline_always char *put_word(ARGS, uint64_t v)
{
	to = piece_literal(to, piece);
	if (__builtin_expect(v >= piece->size, 0))
		return PIECE_NEXT(num_put_hex(put_lit(to, "0x"), piece_extended(piece, v)));
	memcpy(to, &piece->words[v], sizeof(*piece->words));
	return PIECE_NEXT(to + piece->words[v].len);
}
OF_SIZES(put_word, false)

piece_fn *line_number(enum piece_kind kind, struct word word, bool swap)
{
#define FNS(put) { put##_SIZE_ANY, put##_SIZE_ANY_SWAPPED, put##_SIZE_8, put##_SIZE_4 }
	static piece_fn *const fns[][NR_SIZES] = {
		[PIECE_SIGNED] = FNS(put_signed), [PIECE_UNSIGNED] = FNS(put_unsigned),
		[PIECE_HEX] = FNS(put_hex), [PIECE_POINTER] = FNS(put_pointer),
		[PIECE_WORD] = FNS(put_word), [PIECE_THREE] = FNS(put_three),
	};

	if (swap)
		return fns[kind][SIZE_ANY_SWAPPED];
	if (word.shift == 0)
		return fns[kind][SIZE_8];
	return fns[kind][word.shift == 32 ? SIZE_4 : SIZE_ANY];
}

static char *put_symbolic(ARGS)
{
	return PIECE_NEXT(program_put_symbolic(in, piece->own, piece_literal(to, piece)));
}

static char *put_comm(ARGS)
{
	const uint8_t *comm = in->data + piece->offset;

	to = put_bytes(piece_literal(to, piece), comm, COMM_SIZE);
	return PIECE_NEXT(to - COMM_SIZE + comm16_any_len(comm));
}

static char *put_any_text(ARGS)
{
	return PIECE_NEXT(put_text(piece_literal(to, piece), in->data + piece->offset,
				   piece->size));
}

/* A piece that asks for its own room */
static char *put_step(ARGS)
{
	struct str *text = &in->out->text;

	put_done(text, piece_literal(to, piece));
	if (!program_is_over(in))
		program_run_step(in, piece->own);
	to = put_room(text, piece->room);
	return to ? PIECE_NEXT(to) : NULL;
}

static char *put_end(ARGS)
{
	(void)in;
	return piece_literal(to, piece);
}

void line_run(const struct line *l, const struct input *in)
{
	char *to = put_room(&in->out->text, l->room);

	if (to)
		to = line_put(l, to, in);
	if (to)
		put_done(&in->out->text, to);
}

/* ---- preparation, once for each event ---- */

void line_fini(struct line *l)
{
	str_fini(&l->text);
	free(l->pieces);
}

void line_add(struct line *l, struct piece piece, size_t most)
{
	if (!array_fit(l->pieces, l->nr, l->max)) {
		l->failed = true;
		return;
	}
	piece.most = most;
	piece.len = l->text.len - l->placed;
	l->placed = l->text.len;
	l->room += piece.len + most;
	l->pieces[l->nr++] = piece;
}

void line_add_text(struct line *l, uint32_t offset, uint32_t size)
{
	bool comm = size == COMM_SIZE && !KT_HOST_BIG;

	line_add(l, (struct piece){ .fn = size == COMM_SIZE ? put_comm : put_any_text,
				    .shows = comm ? SHOWS_COMM : SHOWS_ANYTHING,
				    .offset = offset, .size = size }, size);
}

/* Length of the longest text of a table, at least that of a number */
static size_t longest_entry(const struct program *p, const struct node *n)
{
	size_t longest = NUM_MAX + 2;
	uint32_t i;

	for (i = 0; i < n->nr_entries; i++)
		if (p->entries[n->table + i].len > longest)
			longest = p->entries[n->table + i].len;
	return longest;
}

static bool has_ordinary_words(const struct program *p, const struct node *n)
{
	const struct entry *e = p->entries + n->table, *end = e + n->nr_entries;

	while (e < end && json_ordinary(e->str, e->len) == e->len)
		e++;
	return e == end;
}

static void add_number(struct line *l, enum piece_kind kind, const struct step *step, bool swap)
{
	line_add(l, (struct piece){ .fn = line_number(kind, step->word, swap), .word = step->word,
				    .least = step->spec.width > 0 ? step->spec.width : 0 },
		 NUM_MAX + 2);
}

static struct line_word *make_words(const struct program *p, const struct node *n)
{
	struct line_word *words = calloc(n->nr_entries + 1, sizeof(*words));
	uint32_t i;

	for (i = 0; words && i < n->nr_entries; i++) {
		const struct entry *e = &p->entries[n->table + i];

		if (e->len > sizeof(words->text)) {
			free(words);
			return NULL;
		}
		memcpy(words[i].text, e->str, e->len);
		words[i].len = e->len;
	}
	return words;
}

static void add_symbolic(struct line *l, const struct program *p, const struct step *step,
			 bool swap)
{
	struct node *n = &p->nodes[step->node];
	struct piece piece =
		{ .fn = put_symbolic, .own = step, .word = step->word, .size = n->nr_entries,
			       .extend = n->is_signed };

	piece.shows = has_ordinary_words(p, n) ? SHOWS_NUMBER : SHOWS_ANYTHING;
	if (n->counted && !n->words)
		n->words = make_words(p, n);
	piece.words = n->words;
	if (n->words)
		piece.fn = line_number(PIECE_WORD, step->word, swap);
	l->asks |= !n->words;
	line_add(l, piece, longest_entry(p, n) + sizeof(*n->words));
}

/* A piece that asks for its own room */
static void add_other(struct line *l, const struct step *step)
{
	struct piece piece = { .fn = put_step, .own = step };

	switch (step->kind) {
	case STEP_NUMBER:
	case STEP_POINTER:
	case STEP_MAC:
	case STEP_IP:
	case STEP_UUID:
		break;
	default:
		piece.shows = SHOWS_ANYTHING;
	}
	l->asks = true;
	line_add(l, piece, 0);
}

void line_add_step(struct line *l, const struct program *p, const struct step *step, bool swap)
{
	switch (step->kind) {
	case STEP_DEC_FIELD:
		add_number(l, PIECE_SIGNED, step, swap);
		break;
	case STEP_UDEC_FIELD:
		add_number(l, PIECE_UNSIGNED, step, swap);
		break;
	case STEP_HEX_FIELD:
		add_number(l, PIECE_HEX, step, swap);
		break;
	case STEP_POINTER_FIELD:
		add_number(l, PIECE_POINTER, step, swap);
		break;
	case STEP_THREE_FIELD:
		add_number(l, PIECE_THREE, step, swap);
		break;
	case STEP_TEXT_FIELD:
		line_add_text(l, step->offset, step->size);
		break;
	case STEP_SYMBOLIC_FIELD:
		add_symbolic(l, p, step, swap);
		break;
	default:
		add_other(l, step);
	}
}

bool line_end(struct line *l, piece_fn *fn)
{
	const char *at;
	size_t i;

	line_add(l, (struct piece){ .fn = fn ? fn : put_end }, 0);
	str_room(&l->text, PUT_SLACK);
	if (l->failed || l->text.failed)
		return false;
	for (i = 0, at = l->text.buf; i < l->nr; at += l->pieces[i++].len) {
		l->pieces[i].literal = at;
		l->pieces[i].room = l->room;
		if (l->pieces[i].part)
			l->pieces[i].part->room = l->room;
	}
	return true;
}
