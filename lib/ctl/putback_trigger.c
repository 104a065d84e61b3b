/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* putback_trigger.c - triggers of an event: what they read as, how they come back in their order */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "ctl/ctl.h"
#include "ctl/undo.h"

bool ctl_trigger_depends(const char *trigger)
{
	return strchr(trigger, '$') || strstr(trigger, ":onmatch(");
}

/* A paused table reads with that at its end; it is told so among its attributes. */
static void add_trigger(struct str *s, const char *line, size_t len)
{
	static const char paused[] = " [paused]";
	size_t n = strlen(paused), attributes;
	const char *filter;

	if (len < n || memcmp(line + len - n, paused, n) != 0) {
		ctl_add_command(s, line, len);
		return;
	}
	len -= n;
	filter = memmem(line, len, " if ", 4);
	attributes = filter ? (size_t)(filter - line) : len;
	str_addf(s, "%.*s:pause%.*s\n", (int)attributes, line, (int)(len - attributes),
		 line + attributes);
}

static bool is_hist(const char *line)
{
	return str_starts(line, "hist:");
}

char *ctl_trigger_text(const char *now)
{
	const char *p = now + strlen(now), *line;
	struct str s = STR_INIT;

	/* The kernel lists the newest first, but tables in the order they were made. */
	for (; p > now; p = line > now ? line - 1 : now) {
		for (line = p; line > now && line[-1] != '\n'; line--)
			;
		if (p > line && *line != '#' && !is_hist(line))
			add_trigger(&s, line, p - line);
	}
	for (line = now; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (is_hist(line))
			add_trigger(&s, line, strcspn(line, "\n"));
	return str_take(&s);
}

/* The lines of a text, without the tables or nothing but them */
static char *part_of(const char *text, bool hist)
{
	struct str s = STR_INIT;
	size_t len;

	for (; *text; text += len) {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		if (is_hist(text) == hist)
			str_addf(&s, "%.*s", (int)len, text);
	}
	return str_take(&s);
}

static bool has_line(const char *text, const char *line, size_t len)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (strcspn(text, "\n") == len && memcmp(text, line, len) == 0)
			return true;
	return false;
}

/* Each line of @text that @other lacks is appended to @path, behind @prefix. */
static int append_missing(const char *path, const char *prefix, const char *text,
			  const char *other, struct kt_err *err)
{
	int ret, first = 0;
	char *line;
	size_t len;

	for (; *text; text += len, text += *text == '\n') {
		len = strcspn(text, "\n");
		if (!len || has_line(other, text, len))
			continue;
		if (asprintf(&line, "%s%.*s", prefix, (int)len, text) < 0)
			return kt_err_set(err, -ENOMEM, "%s: out of memory", path);
		ret = ctl_write_path(path, line, CTL_APPEND, err);
		free(line);
		if (ret < 0 && !first)
			first = ret;
	}
	return first;
}

/* What is left of @have is the beginning of @want: the rest can go behind it. */
static bool is_beginning(const char *have, const char *want)
{
	size_t len;

	for (; *have; have += len, have += *have == '\n') {
		len = strcspn(have, "\n");
		if (!has_line(want, have, len) || !len)
			continue;
		if (strncmp(want, have, len) != 0 || (want[len] && want[len] != '\n'))
			return false;
		want += len + (want[len] == '\n');
	}
	return true;
}

/* Tables hold data, so one that is there stays; of others the order is kept as well. */
static int put(const char *path, const char *want, const char *have, bool hist, struct kt_err *err)
{
	char *wish = part_of(want, hist), *is = part_of(have, hist);
	const char *kept;
	int ret = 0;

	if (!wish || !is) {
		ret = kt_err_set(err, -ENOMEM, "%s: out of memory", path);
	} else {
		kept = hist || is_beginning(is, wish) ? wish : "";
		ret = append_missing(path, "!", is, kept, err);
		if (ret == 0)
			ret = append_missing(path, "", wish, *kept ? is : "", err);
	}
	free(wish);
	free(is);
	return ret;
}

int ctl_trigger_put(const char *path, const char *want, struct kt_err *err)
{
	char *now = ctl_read_text(path, err), *have;
	int ret;

	if (!now)
		return err && err->code ? err->code : -EIO;
	have = ctl_trigger_text(now);
	free(now);
	if (!have)
		return kt_err_set(err, -ENOMEM, "%s: out of memory", path);
	ret = put(path, want, have, true, err);
	if (ret == 0)
		ret = put(path, want, have, false, err);
	free(have);
	return ret;
}
