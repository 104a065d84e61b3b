/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* str.h - a growing byte string that remembers running out of memory */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct str - text under construction
 *
 * Start with `struct str s = STR_INIT;`, end with str_fini(). @buf is always
 * NUL-terminated and never NULL. After ENOMEM every further call does nothing
 * and @failed stays true: build the whole text, then test once.
 */
struct str {
	char  *buf;
	size_t len, cap;
	bool   failed;
};

extern char str_empty[1];
#define STR_INIT { .buf = str_empty }

void  str_fini(struct str *s);
void  str_reset(struct str *s);			/* length 0, memory kept */
char *str_take(struct str *s);			/* new, free(); NULL if failed. @s is empty after */
char *str_grow(struct str *s, size_t nr);	/* slow path of str_room() */
void  str_add(struct str *s, const char *text);
void  str_addn(struct str *s, const void *bytes, size_t len);
void  str_addc(struct str *s, char c);
void  str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void  str_vaddf(struct str *s, const char *fmt, va_list ap);
void  str_add_escaped(struct str *s, const char *bytes, size_t len);	/* see escape.h */

/* The quote that is open after @c, if @quote is open before it; 0: none */
static inline char str_quote_after(char quote, char c)
{
	if (!quote)
		return c;
	return quote == c ? 0 : quote;
}

/* @nr writable bytes beyond the end, or NULL */
static inline char *str_room(struct str *s, size_t nr)
{
	return nr < s->cap - s->len && !s->failed ? s->buf + s->len : str_grow(s, nr);
}

/* Read a whole file or descriptor into @s. Returns 0 or a negative errno. */
int str_read_fd(struct str *s, int fd);
int str_read_file(struct str *s, const char *path);
/* Write all of it to @fd: 0 or a negative errno */
int str_write_fd(int fd, const void *data, size_t len);

/* Text helpers */
bool  str_starts(const char *s, const char *prefix);
bool  str_ends(const char *s, const char *end);
const char *str_base_name(const char *path);	/* the part after the last '/' */
char *str_trim(char *s);			/* in place: white space at both ends */
bool  str_has_word(const char *words, const char *word);	/* separated by white space */

/* A trace buffer in a message, by the name of its instance; "": the top-level one */
#define BUFFER_FMT "%s%s%s"
#define BUFFER_ARGS(name) \
	*(name) ? "the instance '" : "the top-level buffer", (name), *(name) ? "'" : ""

/* "a b c", with " …" after the first dozen; @words ends with NULL */
void  str_add_choices(struct str *s, const char *const words[]);

/**
 * str_nearest - find the candidate that a misspelt word most likely means
 * @words: ends with NULL
 * Returns a borrowed entry of @words, or NULL if none is near.
 */
const char *str_nearest(const char *word, const char *const words[]);

#endif
