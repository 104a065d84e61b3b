/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* line.h - lines that differ in their values only: literal, value, literal, value … */
#ifndef PRINTER_LINE_H
#define PRINTER_LINE_H

#include "base/put.h"
#include "base/word.h"

/*
 * Each piece writes its literal text and its value and calls the one after it,
 * which compilers make a jump: no loop, no switch, and all that counts stays in
 * registers. A piece is called with room for what line.room counts. Back comes
 * the place after the last one; NULL: no memory, or this record's line is none
 * of these and has to be made otherwise.
 */
struct piece;
struct input;				/* program.h */
struct program;
struct step;
typedef char *piece_fn(char *to, const struct piece *piece, const struct input *in);

/* What may come out, for JSON */
enum piece_shows {
	SHOWS_NUMBER,			/* or words that have nothing to escape */
	SHOWS_COMM,			/* COMM_SIZE bytes at @offset */
	SHOWS_ANYTHING,
};

/* A word of a table: copied whole, as that is less work than to look how long it is */
struct line_word {
	char    text[31];
	uint8_t len;
};

struct piece {
	piece_fn *fn;
	const char *literal;		/* in line.text, with PUT_SLACK bytes after it */
	uint32_t len;
	uint8_t  least;			/* digits of a hexadecimal number */
	uint8_t  shows;			/* enum piece_shows */
	bool     swap;			/* for those that are not of one byte order */
	bool     extend;		/* the number has a sign */
	struct word word;		/* a number of the record … */
	uint32_t offset, size;		/* … or something else in it */
	const struct line_word *words;	/* for the values below @size */
	const char *letters;		/* of the bits of a number */
	const struct step *own;		/* what it is made by, if that is none of these */
	struct piece *part;		/* for its caller: another one,
					 * which line_end() tells the room; … */
	size_t   value;			/* … what number it has */
	size_t   most;			/* bytes of its value */
	size_t   room;			/* line.room, for those that have to ask for it again */
};

struct line {
	struct piece *pieces;
	size_t nr, max;
	struct str text;		/* all literals, */
	size_t placed;			/* up to here those of a piece */
	size_t room;			/* for all of it but what asks for its own */
	bool   asks;			/* its pieces look at more than data and
					 * out of their input */
	bool   failed;			/* no memory */
};
#define LINE_INIT { .text = STR_INIT }	/* line_fini */

void line_fini(struct line *l);
/* What was added to @l->text since the one before is its literal. @most: bytes of its value */
void line_add(struct line *l, struct piece piece, size_t most);
/* An array of characters, up to the first that is 0 */
void line_add_text(struct line *l, uint32_t offset, uint32_t size);
/* A conversion of @p, which lives as long as the line */
void line_add_step(struct line *l, const struct program *p, const struct step *step, bool swap);
/* The last piece, which is nothing but its literal; or @fn. False: no memory */
bool line_end(struct line *l, piece_fn *fn);

/* A number of the record, at @word; with @swap in the other byte order */
enum piece_kind { PIECE_SIGNED, PIECE_UNSIGNED, PIECE_HEX, PIECE_POINTER, PIECE_THREE, PIECE_WORD };
piece_fn *line_number(enum piece_kind kind, struct word word, bool swap);

static inline char *piece_literal(char *to, const struct piece *piece)
{
	return put_padded(to, piece->literal, piece->len);
}

#define PIECE_NEXT(to) (piece[1].fn((to), piece + 1, in))

/* Into in->out */
void line_run(const struct line *l, const struct input *in);

/* To @to, which has its room */
static inline char *line_put(const struct line *l, char *to, const struct input *in)
{
	return l->pieces->fn(to, l->pieces, in);
}

#endif
