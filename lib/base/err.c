/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* err.c - how a function of libktrail reports an error */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"

/* A message is one line: text from a file or from the kernel must not break it. */
static void one_line(char *msg, size_t size)
{
	char raw[sizeof(((struct kt_err *)0)->msg)];

	if (kt_is_plain(msg, strlen(msg)))
		return;
	snprintf(raw, sizeof(raw), "%s", msg);
	kt_escape(msg, size, raw, strlen(raw));
}

static void set(struct kt_err *err, enum kt_err_kind kind, int code, const char *fmt, va_list ap)
{
	if (!err || err->code)
		return;
	err->kind = kind;
	err->code = code;
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	one_line(err->msg, sizeof(err->msg));
}

int kt_err_set(struct kt_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, KT_ERR_OTHER, code, fmt, ap);
	va_end(ap);
	return code;
}

int kt_err_set_kind(struct kt_err *err, enum kt_err_kind kind, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, kind, code, fmt, ap);
	va_end(ap);
	return code;
}

int kt_err_wrap(struct kt_err *err, int code, const char *fmt, ...)
{
	char inner[sizeof(err->msg)];
	size_t len;
	va_list ap;

	if (!err)
		return code;
	snprintf(inner, sizeof(inner), "%s", err->code ? err->msg : strerror(-code));
	if (!err->code)
		err->code = code;

	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", inner);
	one_line(err->msg, sizeof(err->msg));
	return code;
}

int kt_err_add(struct kt_err *err, int code, const char *fmt, ...)
{
	size_t len;
	va_list ap;

	if (!err)
		return code;
	if (err->code)
		strncat(err->msg, "; ", sizeof(err->msg) - 1 - strlen(err->msg));
	else
		err->code = code;
	len = strlen(err->msg);
	va_start(ap, fmt);
	vsnprintf(err->msg + len, sizeof(err->msg) - len, fmt, ap);
	va_end(ap);
	one_line(err->msg, sizeof(err->msg));
	return err->code;
}

#define EXCERPT_BEFORE 50	/* bytes before the place, at most */
#define EXCERPT_WIDTH  76	/* bytes in all: they fit on a line */
#define EXCERPT_LINE (4 * EXCERPT_WIDTH + 1)	/* \xNN takes four bytes for one */

/* Columns that an escaped text fills: one for each byte that is not a continuation byte */
static int columns(const char *text)
{
	int nr = 0;

	for (; *text; text++)
		nr += (*text & 0xc0) != 0x80;
	return nr;
}

void err_point(struct kt_err *err, const char *text, size_t at)
{
	char line[EXCERPT_LINE], before[EXCERPT_LINE], *tab;
	size_t len = strlen(text), from, to;

	if (!err || err->excerpt[0])
		return;
	at = at < len ? at : len;
	from = at > EXCERPT_BEFORE ? at - EXCERPT_BEFORE : 0;
	to = len - from > EXCERPT_WIDTH ? from + EXCERPT_WIDTH : len;
	kt_escape(before, sizeof(before), text + from, at - from);
	kt_escape(line, sizeof(line), text + from, to - from);
	for (tab = line; (tab = strchr(tab, '\t')); )
		*tab = ' ';
	snprintf(err->excerpt, sizeof(err->excerpt), "  %s\n  %*s^", line, columns(before), "");
}

void kt_err_clear(struct kt_err *err)
{
	if (!err)
		return;
	err->code = 0;
	err->kind = KT_ERR_OTHER;
	err->msg[0] = '\0';
	err->excerpt[0] = '\0';
}
