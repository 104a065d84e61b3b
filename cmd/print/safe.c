/* SPDX-License-Identifier: GPL-2.0-or-later */
/* safe.c - text of the kernel on stdout */
#include "safe.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/cmd.h"
#include "pager.h"

/* If the terminal shows only ASCII, all other characters are escaped as well. */
static bool has_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

const char *safe_sign(const char *utf8, const char *ascii)
{
	return has_utf8() ? utf8 : ascii;
}

/* The character at @text in ASCII, ktrail's own ones readable. Returns its bytes in @text. */
static size_t add_ascii(struct str *s, const char *text)
{
	static const char *const own[][2] = { { "→", "->" }, { "…", "..." }, { "≥", ">=" } };
	size_t i;

	if ((unsigned char)*text < 0x80) {
		str_addc(s, *text);
		return 1;
	}
	for (i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strncmp(text, own[i][0], strlen(own[i][0])) == 0) {
			str_add(s, own[i][1]);
			return strlen(own[i][0]);
		}
	str_addf(s, "\\x%02x", (unsigned char)*text);
	return 1;
}

void safe_add_known(struct str *s, const char *text)
{
	size_t i, start = s->len;
	struct str ascii = STR_INIT;

	str_add_escaped(s, text, strlen(text));
	if (s->failed || has_utf8())
		return;
	for (i = start; i < s->len;)
		i += add_ascii(&ascii, s->buf + i);
	s->len = start;
	str_add(s, ascii.failed || !ascii.buf ? "" : ascii.buf);
	str_fini(&ascii);
}

void safe_add(struct str *s, const char *text)
{
	if (safe_for_person())
		safe_add_known(s, text);
	else
		str_add_escaped(s, text, strlen(text));
}

static int put(const char *text, size_t len)
{
	errno = 0;
	if (fwrite(text, 1, len, stdout) == len)
		return 0;
	return errno ? -errno : -EIO;
}

int safe_write(const char *text, size_t len, bool escape)
{
	struct str s = STR_INIT;
	const char *eol;
	int ret;

	if (!escape)
		return put(text, len);
	for (; len && (eol = memchr(text, '\n', len)); len -= eol + 1 - text, text = eol + 1) {
		str_add_escaped(&s, text, eol - text);
		str_addc(&s, '\n');
	}
	str_add_escaped(&s, text, len);
	ret = s.failed ? -ENOMEM : put(s.buf, s.len);
	str_fini(&s);
	return ret;
}

int safe_puts(const char *text, bool escape)
{
	int ret = safe_write(text, strlen(text), escape);

	return ret < 0 ? ret : put("\n", 1);
}

bool safe_for_person(void)
{
	return isatty(STDOUT_FILENO) || getenv(PAGER_IN_USE);
}

void safe_put_to(FILE *to, const char *text)
{
	struct str s = STR_INIT;

	safe_add(&s, text);
	if (!s.failed)
		fputs(s.buf, to);
	str_fini(&s);
}

void safe_put(const char *text)
{
	safe_put_to(stdout, text);
}

void safe_tell(const char *command, const char *note)
{
	fprintf(stderr, "%s%s%s: ", cmd_program, command ? " " : "", command ? command : "");
	safe_put_to(stderr, note);
	fputc('\n', stderr);
}
