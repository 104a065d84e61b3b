/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* line.c - formatters that print a fixed line: "bash:12 [120] S ==> swapper/0:0 [120]" */
#include "builtin/builtin.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "printer/program.h"

#define NO_LETTER ' '		/* for a bit that the format does not name */

/* Fields are read without their sign, as in the plugins: a pid of -1 shows as 4294967295. */
static inline uint64_t load(const struct piece *piece, const struct input *in)
{
	return load_uint(in->data + piece->offset, piece->size, piece->swap);
}

/* A number too close to the start of the record to be a word */
static char *put_number(char *to, const struct piece *piece, const struct input *in)
{
	return PIECE_NEXT(num_put_u64(piece_literal(to, piece), load(piece, in)));
}

static char *put_hex(char *to, const struct piece *piece, const struct input *in)
{
	return PIECE_NEXT(num_put_hex(piece_literal(to, piece), load(piece, in)));
}

static char *put_prio(char *to, const struct piece *piece, const struct input *in)
{
	return PIECE_NEXT(num_put_i64(piece_literal(to, piece), (int32_t)load(piece, in)));
}

static char *put_cpu(char *to, const struct piece *piece, const struct input *in)
{
	uint64_t cpu = load(piece, in);

	to = piece_literal(to, piece);
	return PIECE_NEXT(cpu < 1000 ? num_put_three(to, cpu) : num_put_u64(to, cpu));
}

#define STATE_MAX (2 * sizeof(((struct builtin *)0)->states))

static char *put_state(char *to, const struct piece *piece, const struct input *in)
{
	unsigned int state = load(piece, in), bit;
	char *start;

	start = to = piece_literal(to, piece);
	for (bit = 0; piece->letters[bit]; bit++) {
		if (!(state >> bit & 1) || piece->letters[bit] == NO_LETTER)
			continue;
		if (to > start)
			*to++ = '|';
		*to++ = piece->letters[bit];
	}
	if (to == start)
		*to++ = 'R';
	return PIECE_NEXT(to);
}

/* The letters of the bits in sched_switch's __print_flags(): '{ 0x00000001, "S" }' */
static void letters_of_format(const char *fmt, char *letters, size_t most)
{
	const char *p = strstr(fmt, "__print_flags(REC->prev_state"), *end = NULL;
	long value;
	size_t bit;
	char letter;

	memset(letters, 0, most + 1);
	p = p ? strchr(p, '{') : NULL;
	while (p && *p == '{' && sscanf(p, "{ %li, \"%c\" }", &value, &letter) == 2) {
		bit = value > 0 ? (size_t)__builtin_ctzl(value) : most;
		if (bit < most && value == 1l << bit && letter > ' ' && letter < 0x7f)
			letters[bit] = letter;
		end = strchr(p, '}');
		p = end && end[1] == ',' ? end + 2 + strspn(end + 2, " ") : NULL;
	}
	for (bit = most; bit && !letters[bit - 1]; bit--)
		;
	while (bit--)
		if (!letters[bit])
			letters[bit] = NO_LETTER;
}

static void set_letters(struct builtin *b, const struct event *ev)
{
	/* for a format without letters */
	static const char current[] = "SDTtXZPI", old[] = "SDTtZXxW";

	if (ev->pub.events->opts.exact)
		strcpy(b->states, old);
	else
		letters_of_format(ev->pub.print_fmt, b->states, sizeof(b->states) - 1);
	if (!*b->states)
		strcpy(b->states, current);
}

static char *put_address(char *to, uint64_t v)
{
	unsigned int len = num_hex_len(v);

	return num_put_hex_words(put_lit(to, "0x"), v, len < 8 ? 8 : len);
}

/*
 * Like the plugin, shows the offset from the address back to its symbol:
 * "vfs_read/0xfffffffffffffffc".
 */
static char *put_function(char *to, const struct piece *piece, const struct input *in)
{
	uint64_t addr = load(piece, in);
	struct kt_symbol sym;

	to = piece_literal(to, piece);
	if (!in->symbols || !kt_symbols_find(in->symbols, addr, &sym))
		return PIECE_NEXT(put_address(to, addr));
	to = stpcpy(to, sym.name);
	return PIECE_NEXT(num_put_hex(put_lit(to, "/0x"), sym.addr - addr));
}

static const struct conversion {
	char     letter;
	bool     is_word;		/* line_number() usually has a piece for it */
	enum piece_kind kind;
	piece_fn *fn;
	enum piece_shows shows;
	size_t   most;
} conversions[] = {
	{ 'u', true, PIECE_UNSIGNED, put_number, SHOWS_NUMBER, NUM_MAX },
	{ 'x', true, PIECE_HEX, put_hex, SHOWS_NUMBER, NUM_MAX },
	{ 'd', false, 0, put_prio, SHOWS_NUMBER, NUM_MAX },
	{ 'c', false, 0, put_cpu, SHOWS_NUMBER, NUM_MAX },
	{ 'S', false, 0, put_state, SHOWS_NUMBER, STATE_MAX },
	{ 'f', false, 0, put_function, SHOWS_ANYTHING, KT_SYMBOL_MAX + NUM_MAX + 3 },
};

static void add_conversion(struct line *l, char letter, struct format_place f,
			   const struct event *ev)
{
	bool swap = ev->pub.events->swap;
	const struct conversion *c = conversions;
	struct piece piece = { .offset = f.offset, .size = f.size, .swap = swap,
			       .letters = ((const struct builtin *)ev->priv)->states };

	if (letter == 's') {
		line_add_text(l, f.offset, f.size);
		return;
	}
	while (c->letter != letter)
		c++;
	l->asks |= c->shows == SHOWS_ANYTHING;
	piece.shows = c->shows;
	piece.fn = c->is_word && word_place(&piece.word, f.offset, f.size)
		 ? line_number(c->kind, piece.word, swap) : c->fn;
	line_add(l, piece, c->most);
}

bool builtin_line(struct event *ev, const char *format)
{
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	struct line *l = malloc(sizeof(*l));
	size_t len;

	if (!l)
		return false;
	*l = (struct line)LINE_INIT;
	ev->line = l;
	set_letters((struct builtin *)ev->priv, ev);
	while (*format) {
		len = strcspn(format, "%{}");
		str_addn(&l->text, format, len);
		format += len;
		if (*format == '{' && !f->size) {	/* this kernel lacks the field */
			format = strchr(format, '}');
			f++;
		} else if (*format == '%') {
			add_conversion(l, format[1], *f++, ev);
			format++;
		}
		format += *format != '\0';
	}
	return line_end(l, NULL);
}

/* The record must have all fields. */
void builtin_line_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		       struct kt_out *out)
{
	const struct input in = {
		.evs = evs, .symbols = events_symbols(evs, rec), .data = rec->data,
		.size = rec->size, .swap = evs->swap, .out = out,
	};

	line_run(ev->line, &in);
}
