/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* line.h - print lines that differ only in their values: literal, value, literal, value … */
#ifndef PRINTER_LINE_H
#define PRINTER_LINE_H

#include "base/put.h"
#include "base/word.h"

/*
 * Each piece writes its literal text and its value and calls the next piece;
 * compilers turn the call into a jump. So there is no loop and no switch, and the state stays in
 * registers. The caller provides line.room bytes. A piece returns the end of the whole line, or
 * NULL: no memory, or the line of this record has a different form and must be printed in another
 * way.
 */
struct piece;
struct input;				/* program.h */
struct program;
struct step;
typedef char *piece_fn(char *to, const struct piece *piece, const struct input *in);

/* What a piece may print: needed for JSON */
enum piece_shows {
	SHOWS_NUMBER,			/* or words that need no escapes */
	SHOWS_COMM,			/* COMM_SIZE bytes at @offset */
	SHOWS_ANYTHING,
};

/* A word of a table: copied whole, since that is faster than finding its length */
struct line_word {
	char    text[31];
	uint8_t len;
};

struct piece {
	piece_fn *fn;
	const char *literal;		/* in line.text, with PUT_SLACK bytes after it */
	uint32_t len;
	uint8_t  least;			/* minimum digits of a hexadecimal number */
	uint8_t  shows;			/* enum piece_shows */
	bool     swap;			/* for pieces that handle both byte orders */
	bool     extend;		/* extend the sign of the number */
	struct word word;		/* a number of the record */
	uint32_t offset, size;		/* another field of the record */
	const struct line_word *words;	/* for the values below @size */
	const char *letters;		/* for the bits of a number */
	const struct step *own;		/* the step that prints the value, if no piece can */
	struct piece *part;		/* a nested piece for @fn; line_end() sets its room */
	size_t   value;			/* number of the value, for @fn */
	size_t   most;			/* maximum bytes of its value */
	size_t   room;			/* line.room, for pieces that must ask for it again */
};

struct line {
	struct piece *pieces;
	size_t nr, max;
	struct str text;		/* all literals */
	size_t placed;			/* end of the literals that belong to a piece */
	size_t room;			/* bytes, without those of pieces that ask for their own */
	bool   asks;			/* pieces use more than @data and @out of their input */
	bool   failed;			/* no memory */
};
#define LINE_INIT { .text = STR_INIT }	/* line_fini */

void line_fini(struct line *l);
/* The text added to @l->text since the previous piece becomes its literal. @most: value bytes */
void line_add(struct line *l, struct piece piece, size_t most);
/* An array of characters, up to the first zero */
void line_add_text(struct line *l, uint32_t offset, uint32_t size);
/* A conversion of @p, which must live as long as the line */
void line_add_step(struct line *l, const struct program *p, const struct step *step, bool swap);
/* Adds the last piece: only its literal, or @fn. False: no memory */
bool line_end(struct line *l, piece_fn *fn);

/* A number of the record at @word; with @swap, in the other byte order */
enum piece_kind { PIECE_SIGNED, PIECE_UNSIGNED, PIECE_HEX, PIECE_POINTER, PIECE_THREE, PIECE_WORD };
piece_fn *line_number(enum piece_kind kind, struct word word, bool swap);

static inline char *piece_literal(char *to, const struct piece *piece)
{
	return put_padded(to, piece->literal, piece->len);
}

#define PIECE_NEXT(to) (piece[1].fn((to), piece + 1, in))

/* Print to in->out */
void line_run(const struct line *l, const struct input *in);

/* Print to @to, which has enough room */
static inline char *line_put(const struct line *l, char *to, const struct input *in)
{
	return l->pieces->fn(to, l->pieces, in);
}

#endif
