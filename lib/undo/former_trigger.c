/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* former_trigger.c - triggers of an event: convert the listed form into commands, in order */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

bool ctl_trigger_depends(const char *trigger)
{
	return strchr(trigger, '$') || strstr(trigger, ":onmatch(");
}

static bool is_hist(const char *line)
{
	return str_starts(line, "hist:");
}

/* "lat.log2,pid.descending": for a sort key, the kernel accepts only name and direction */
static void add_sort_keys(struct str *s, const char *keys, size_t len)
{
	static const char down[] = ".descending";
	const char *end = keys + len, *dot;
	size_t n;

	for (; keys < end; keys += n + (keys + n < end)) {
		n = strcspn(keys, ", :\n");
		dot = memchr(keys, '.', n);
		str_addn(s, keys, dot ? (size_t)(dot - keys) : n);
		if (n > strlen(down) && memcmp(keys + n - strlen(down), down, strlen(down)) == 0)
			str_add(s, down);
		if (keys + n < end)
			str_addc(s, ',');
	}
}

void ctl_add_hist(struct str *s, const char *line, size_t len)
{
	static const char head[] = "hist:", sort[] = ":sort=";
	const char *filter = memmem(line, len, " if ", 4), *end = line + len, *at, *name;
	size_t n;

	if (!filter)
		filter = end;
	/* A named table is listed as "hist:NAME:keys=…" */
	name = line + strlen(head);
	n = strcspn(name, ":=\n");
	if (name + n < filter && name[n] == ':') {
		str_addf(s, "%sname=%.*s", head, (int)n, name);
		line = name + n;
	}
	at = memmem(line, filter - line, sort, strlen(sort));
	if (at) {
		at += strlen(sort);
		str_addn(s, line, at - line);
		n = strcspn(at, ": \n");
		if (at + n > end)
			n = end - at;
		add_sort_keys(s, at, n);
		line = at + n;
	}
	str_addn(s, line, end - line);
}

char *ctl_hist_alias(const char *removal)
{
	static const char common[] = "common_cpu";
	const char *filter = strstr(removal, " if "), *at;
	struct str s = STR_INIT;

	if (!filter)
		filter = removal + strlen(removal);
	if (!str_starts(removal, "!hist:") ||
	    !(at = memmem(removal, filter - removal, common, strlen(common))))
		return NULL;
	for (; at; at = memmem(removal, filter - removal, common, strlen(common))) {
		str_addn(&s, removal, at - removal);
		str_add(&s, "cpu");
		removal = at + strlen(common);
	}
	str_add(&s, removal);
	return str_take(&s);
}

/* A table is listed with its state at the end; "paused" becomes an attribute. */
static void add_table(struct str *s, const char *line, size_t len)
{
	static const char active[] = " [active]", paused[] = " [paused]";
	size_t n = strlen(paused);	/* both words have this length */
	bool is_paused = len >= n && memcmp(line + len - n, paused, n) == 0;
	const char *filter;

	if (is_paused || (len >= n && memcmp(line + len - n, active, n) == 0))
		len -= n;
	filter = is_paused ? memmem(line, len, " if ", 4) : NULL;
	ctl_add_hist(s, line, filter ? (size_t)(filter - line) : len);
	if (is_paused)
		str_add(s, ":pause");
	if (filter)
		str_addn(s, filter, line + len - filter);
	str_addc(s, '\n');
}

char *ctl_trigger_text(const char *now)
{
	const char *p = now + strlen(now), *line;
	struct str s = STR_INIT;

	/* The kernel lists the newest trigger first, but tables in the order of creation. */
	for (; p > now; p = line > now ? line - 1 : now) {
		for (line = p; line > now && line[-1] != '\n'; line--)
			;
		if (p > line && *line != '#' && !is_hist(line))
			ctl_add_command(&s, line, p - line);
	}
	for (line = now; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (is_hist(line))
			add_table(&s, line, strcspn(line, "\n"));
	return str_take(&s);
}

/* The lines of a text, without the tables or only the tables */
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

/* Appends each line of @text that @other lacks to @path, after @prefix. */
static int append_missing(const char *path, const char *prefix, const char *text,
			  const char *other, struct kt_err *err)
{
	int ret, first = 0;
	char *line, *alias;
	size_t len;

	for (; *text; text += len, text += *text == '\n') {
		len = strcspn(text, "\n");
		if (!len || has_line(other, text, len))
			continue;
		if (asprintf(&line, "%s%.*s", prefix, (int)len, text) < 0)
			return kt_err_no_memory(err);
		ret = ctl_write_path(path, line, CTL_APPEND, err);
		alias = ret == 0 ? ctl_hist_alias(line) : NULL;
		if (alias)
			ret = ctl_write_path(path, alias, CTL_APPEND, err);
		free(alias);
		free(line);
		if (ret < 0 && !first)
			first = ret;
	}
	return first;
}

/* Are the lines of @want in @have its first ones, in order? Then the rest can be appended. */
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

/* Existing tables stay, since they hold data; other triggers are restored in order. */
static int put(const char *path, const char *want, const char *have, bool hist, struct kt_err *err)
{
	char *wish = part_of(want, hist), *is = part_of(have, hist);
	const char *kept;
	int ret = 0;

	if (!wish || !is) {
		ret = kt_err_no_memory(err);
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
		return kt_err_code(err, -EIO);
	have = ctl_trigger_text(now);
	free(now);
	if (!have)
		return kt_err_no_memory(err);
	ret = put(path, want, have, true, err);
	if (ret == 0)
		ret = put(path, want, have, false, err);
	free(have);
	return ret;
}
