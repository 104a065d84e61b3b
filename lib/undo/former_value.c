/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* former_value.c - find the text to write to a tracefs file that restores its former value */
#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/* How a file is read and written; source: Linux's Documentation/trace/{ftrace,events}.rst */
enum form {
	FORM_VALUE,		/* the same text is read and written */
	FORM_CHOICE,		/* "a [b] c": the word in brackets */
	FORM_SIZE,		/* "7 (expanded: 1408)": the second size; "X": see the CPUs */
	FORM_ENABLE,		/* "1*": enabled, also by a trigger; "X": see the events */
	FORM_FILTER,		/* "none" is written as 0 */
	FORM_LIST,		/* one word per line; "#" begins a comment, "no pid" means empty */
	FORM_FUNCTIONS,		/* a list with commands in it, "schedule:traceoff:count=3" */
	FORM_TRIGGER,		/* one command per line, removed one by one with "!" */
	FORM_NONE,		/* holds data, not a setting */
};

static const struct {
	const char *pattern;	/* for the end of the path */
	enum form form;
} forms[] = {
	{ "*/trace_clock",		FORM_CHOICE },
	{ "*/hwlat_detector/mode",	FORM_CHOICE },
	{ "*/rv/monitors/*/reactors",	FORM_CHOICE },
	{ "*/timestamp_mode",		FORM_NONE },
	{ "*/buffer_size_kb",		FORM_SIZE },
	{ "*/events/enable",		FORM_ENABLE },
	{ "*/events/*/enable",		FORM_ENABLE },
	{ "*/events/*/filter",		FORM_FILTER },
	{ "*/events/*/trigger",		FORM_TRIGGER },
	{ "*/set_event*_pid",		FORM_LIST },
	{ "*/set_ftrace*_pid",		FORM_LIST },
	{ "*/set_ftrace_filter",	FORM_FUNCTIONS },
	{ "*/set_ftrace_notrace",	FORM_LIST },
	{ "*/set_graph_function",	FORM_LIST },
	{ "*/set_graph_notrace",	FORM_LIST },
	{ "*/stack_trace_filter",	FORM_LIST },
	{ "*/trace",			FORM_NONE },
	{ "*/snapshot",			FORM_NONE },
	{ "*/trace_marker*",		FORM_NONE },
	{ "*/trace_pipe*",		FORM_NONE },
	{ "*/dynamic_events",		FORM_NONE },
	{ "*/kprobe_events",		FORM_NONE },
	{ "*/uprobe_events",		FORM_NONE },
	{ "*/synthetic_events",		FORM_NONE },
	{ "*/set_event",		FORM_NONE },
	{ "*/error_log",		FORM_NONE },
	{ "*/free_buffer",		FORM_NONE },
	{ "*/trace_options",		FORM_NONE },
};

/* fnmatch() takes a microsecond or more: compare the start of the names first. */
static enum form form_of(const char *path)
{
	const char *name = strrchr(path, '/'), *last;
	size_t i;

	for (i = 0; name && i < sizeof(forms) / sizeof(*forms); i++) {
		last = strrchr(forms[i].pattern, '/');
		if (strncmp(name, last, strcspn(last, "*")) == 0 &&
		    fnmatch(forms[i].pattern, path, 0) == 0)
			return forms[i].form;
	}
	return FORM_VALUE;
}

static char *chosen(const char *now)
{
	const char *open = strchr(now, '['), *close = open ? strchr(open, ']') : NULL;

	return close ? strndup(open + 1, close - open - 1) : strdup(now);
}

/* Before its first use, a buffer is small and shows its later size: that is its setting. */
static char *size_text(const char *now)
{
	const char *grown = strstr(now, "(expanded: ");

	if (*now == 'X')
		return NULL;
	if (grown)
		now = grown + strlen("(expanded: ");
	return strndup(now, strcspn(now, " )\n"));
}

void ctl_add_command(struct str *s, const char *line, size_t len)
{
	static const struct { const char *reads, *takes; } spellings[] = {
		{ ":unlimited", "" }, { ":count=", ":" }, { " [active]", "" },
	};
	size_t i;

	while (len) {
		for (i = 0; i < sizeof(spellings) / sizeof(*spellings); i++) {
			size_t n = strlen(spellings[i].reads);

			if (len >= n && memcmp(line, spellings[i].reads, n) == 0) {
				str_add(s, spellings[i].takes);
				line += n;
				len -= n;
				break;
			}
		}
		if (i == sizeof(spellings) / sizeof(*spellings)) {
			str_addc(s, *line++);
			len--;
		}
	}
	str_addc(s, '\n');
}

void ctl_add_removal(struct str *s, const char *line, size_t len)
{
	const char *colon = memrchr(line, ':', len);
	size_t last = colon ? len - (colon - line) : 0;
	bool counted = last > 7 && memcmp(colon, ":count=", 7) == 0;

	if (counted || (last == 10 && memcmp(colon, ":unlimited", 10) == 0))
		len -= last;
	str_addf(s, "!%.*s%s", (int)len, line, counted ? ":0" : "");
}

static char *lines_text(const char *now)
{
	struct str s = STR_INIT;
	size_t len;

	for (; *now; now += len + (now[len] == '\n')) {
		len = strcspn(now, "\n");
		if (ctl_is_no_entry(now, len))
			continue;
		if (memchr(now, ':', len))
			ctl_add_command(&s, now, len);
		else
			/* enabled functions are listed as "name (count) flags" */
			str_addf(&s, "%.*s\n", (int)(strcspn(now, "\n (") < len ?
						     strcspn(now, "\n (") : len), now);
	}
	return str_take(&s);
}

/* The file of a system holds only help. A refused filter is followed by the reason. */
static char *filter_text(const char *now)
{
	if (*now == '#')
		return NULL;
	return strdup(strcmp(now, "none") == 0 || strchr(now, '\n') ? "0" : now);
}

char *ctl_former_text(const char *path, const char *now)
{
	switch (form_of(path)) {
	case FORM_VALUE:
		return strdup(now);
	case FORM_CHOICE:
		return chosen(now);
	case FORM_SIZE:
		return size_text(now);
	case FORM_ENABLE:
		return *now == 'X' ? NULL : strndup(now, 1);
	case FORM_FILTER:
		return filter_text(now);
	case FORM_LIST:
	case FORM_FUNCTIONS:
		return lines_text(now);
	case FORM_TRIGGER:
		return ctl_trigger_text(now);
	case FORM_NONE:
		break;
	}
	return NULL;
}

/* Truncating removes only names, not commands; adding an existing command fails. */
static int take_commands_away(const char *path, const char *now, struct kt_err *err)
{
	struct str s = STR_INIT;
	int ret = 0;
	size_t len;

	for (; ret == 0 && now && *now; now += len + (now[len] == '\n')) {
		len = strcspn(now, "\n");
		if (*now == '#' || !memchr(now, ':', len))
			continue;
		str_reset(&s);
		ctl_add_removal(&s, now, len);
		ret = s.failed ? kt_err_no_memory(err)
			       : ctl_write_path(path, s.buf, CTL_APPEND, err);
	}
	str_fini(&s);
	return ret;
}

/*
 * A list whose tasks have all ended looks empty, but blocks all tasks until it is written:
 * event-fork and function-fork remove tasks at their exit.
 */
static bool is_pid_list(const char *path)
{
	size_t len = strlen(path);

	return len > 4 && strcmp(path + len - 4, "_pid") == 0;
}

int ctl_former_put(const char *path, const char *text, struct kt_err *err)
{
	char *now, *is;
	int ret = 0;
	bool same;

	if (form_of(path) == FORM_TRIGGER)
		return ctl_trigger_put(path, text, err);
	/* Reading is cheap; an unnecessary write can cost a grace period or be refused. */
	now = ctl_read_text(path, NULL);
	is = now ? ctl_former_text(path, now) : NULL;
	/* A refused filter is shown with the reason until it is written again. */
	same = is && strcmp(is, text) == 0 && !is_pid_list(path) &&
	       (form_of(path) != FORM_FILTER || !strchr(now, '\n'));
	if (!same && form_of(path) == FORM_FUNCTIONS)
		ret = take_commands_away(path, now, err);
	if (!same && ret == 0)
		ret = ctl_write_path(path, text, CTL_REPLACE, err);
	free(now);
	free(is);
	return ret;
}
