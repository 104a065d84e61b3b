/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* str.c - a growing byte string */
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"

char str_empty[1];

void str_fini(struct str *s)
{
	if (s->buf != str_empty)
		free(s->buf);
	*s = (struct str)STR_INIT;
}

void str_reset(struct str *s)
{
	s->len = 0;
	if (s->cap)
		s->buf[0] = '\0';
}

char *str_take(struct str *s)
{
	char *text = NULL;

	if (!s->failed)
		text = s->cap ? s->buf : calloc(1, 1);
	else if (s->cap)
		free(s->buf);
	*s = (struct str)STR_INIT;
	return text;
}

char *str_grow(struct str *s, size_t nr)
{
	size_t want, cap;
	char *buf;

	if (s->failed || __builtin_add_overflow(s->len, nr, &want) || want == SIZE_MAX) {
		s->failed = true;
		return NULL;
	}
	if (want < s->cap)
		return s->buf + s->len;

	cap = s->cap ? s->cap : 64;
	while (cap <= want)
		cap = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;
	buf = realloc(s->cap ? s->buf : NULL, cap);
	if (!buf) {
		s->failed = true;
		return NULL;
	}
	s->buf = buf;
	s->cap = cap;
	s->buf[s->len] = '\0';
	return s->buf + s->len;
}

void str_addn(struct str *s, const void *bytes, size_t len)
{
	char *to = str_room(s, len);

	if (!to)
		return;
	if (len)	/* else @bytes may be NULL, which memcpy() does not take */
		memcpy(to, bytes, len);
	to[len] = '\0';
	s->len += len;
}

void str_add(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c)
{
	str_addn(s, &c, 1);
}

void str_vaddf(struct str *s, const char *fmt, va_list ap)
{
	va_list again;
	int need;

	va_copy(again, ap);
	need = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (need < 0 || !str_room(s, need))
		return;
	vsnprintf(s->buf + s->len, (size_t)need + 1, fmt, ap);
	s->len += need;
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(s, fmt, ap);
	va_end(ap);
}

void str_add_escaped(struct str *s, const char *bytes, size_t len)
{
	size_t need = kt_escape(NULL, 0, bytes, len);

	if (!str_room(s, need))
		return;
	kt_escape(s->buf + s->len, need + 1, bytes, len);
	s->len += need;
}

int str_read_fd(struct str *s, int fd)
{
	ssize_t got;

	do {
		if (!str_room(s, 16384))
			return -ENOMEM;
		got = read(fd, s->buf + s->len, 16384);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		s->len += got;
		s->buf[s->len] = '\0';
	} while (got);
	return 0;
}

int str_read_file(struct str *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = str_read_fd(s, fd);
	close(fd);
	return ret;
}

bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *end)
{
	size_t len = strlen(s), end_len = strlen(end);

	return len >= end_len && strcmp(s + len - end_len, end) == 0;
}

const char *str_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *str_trim(char *s)
{
	size_t len;

	while (isspace((unsigned char)*s))
		s++;
	len = strlen(s);
	while (len && isspace((unsigned char)s[len - 1]))
		s[--len] = '\0';
	return s;
}

bool str_has_word(const char *words, const char *word)
{
	size_t len = strlen(word), run;

	for (; *words; words += run) {
		words += strspn(words, " \t\n");
		run = strcspn(words, " \t\n");
		if (run && run == len && memcmp(words, word, len) == 0)
			return true;
	}
	return false;
}

/*
 * Number of edits (insert, delete, replace, swap of neighbours) from @a to @b, both at most 63
 * long
 */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[3][65];
	unsigned int *before = row[0], *prev = row[1], *cur = row[2], *spare;
	size_t la = strlen(a), lb = strlen(b), i, j;

	if (la > 63 || lb > 63)
		return 64;
	for (j = 0; j <= lb; j++)
		prev[j] = j;
	memcpy(before, prev, sizeof(row[0]));
	for (i = 1; i <= la; i++) {
		cur[0] = i;
		for (j = 1; j <= lb; j++) {
			unsigned int best = prev[j - 1] + (a[i - 1] != b[j - 1]);

			if (prev[j] + 1 < best)
				best = prev[j] + 1;
			if (cur[j - 1] + 1 < best)
				best = cur[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			cur[j] = best;
		}
		spare = before;
		before = prev;
		prev = cur;
		cur = spare;
	}
	return prev[lb];
}

void str_add_choices(struct str *s, const char *const words[])
{
	size_t i;

	for (i = 0; words && words[i] && i < 12; i++)
		str_addf(s, "%s%s", i ? " " : "", words[i]);
	if (words && words[i])
		str_add(s, " …");
}

/* Measuring 100,000 names takes a second: compare only names of like length and first letter. */
#define MANY 5000

static bool may_be_near(const char *have, const char *word, size_t len)
{
	size_t n = strnlen(have, len + 4);

	return n && len && n < len + 4 && n + 4 > len &&
	       (have[0] == word[0] || have[1] == word[1] ||
		(have[0] == word[1] && have[1] == word[0]));
}

const char *str_nearest(const char *word, const char *const words[])
{
	size_t len = strlen(word), nr = 0, i;
	/* One letter in three may differ; in a short word, never the first */
	unsigned int best = len < 3 ? 2 : len / 3 + 1, d;
	const char *near = NULL;

	while (nr < MANY && words[nr])
		nr++;
	for (i = 0; words[i]; i++) {
		if (nr == MANY && !may_be_near(words[i], word, len))
			continue;
		if (len <= 3 && words[i][0] != word[0])
			continue;
		d = distance(word, words[i]);
		if (d < best) {
			best = d;
			near = words[i];
		}
	}
	return near;
}

int str_write_fd(int fd, const void *data, size_t len)
{
	const char *from = data;
	ssize_t n;

	while (len) {
		n = write(fd, from, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		from += n;
		len -= (size_t)n;
	}
	return 0;
}
