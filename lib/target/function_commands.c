/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* function_commands.c - commands that the kernel runs at a function: "schedule:traceoff:3" */
#include "target/functions.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/suggest.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

static const char *const commands[] = {
	"traceon", "traceoff", "snapshot", "dump", "cpudump", "stacktrace", "enable_event",
	"disable_event", NULL
};

bool ctl_is_function_command(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon != text && !str_starts(colon, ":mod:");
}

/* A command may be followed, at @rest, by ":COUNT". */
static int check_count(const char *text, const char *rest, struct kt_err *err)
{
	if (!*rest || (rest[1] && !rest[1 + strspn(rest + 1, "0123456789")]))
		return 0;
	return kt_err_set(err, -EINVAL, "'%s': '%s' is not a count", text, rest + 1);
}

/* enable_event:SYSTEM:EVENT[:COUNT] */
static int check_event(struct kt_instance *inst, const char *name, struct kt_err *err)
{
	const char *colon = strchr(name, ':');
	struct kt_names found = { 0 };
	char event[256];
	int ret;

	if (!colon || !colon[1])
		return kt_err_set(err, -EINVAL, "'%s' needs an event: enable_event:SYSTEM:EVENT",
				  name);
	snprintf(event, sizeof(event), "%.*s", (int)(colon + 1 - name + strcspn(colon + 1, ":")),
		 name);
	ret = kt_selection_find(inst, event, &found, err);
	kt_names_fini(&found);
	return ret < 0 ? ret : check_count(name, name + strlen(event), err);
}

int ctl_check_function_command(struct kt_instance *inst, const char *text, struct kt_err *err)
{
	const char *name = strchr(text, ':') + 1;
	size_t len = strcspn(name, ":"), i;
	char word[64], hint[SUGGEST_SIZE];

	snprintf(word, sizeof(word), "%.*s", (int)len, name);
	for (i = 0; commands[i]; i++)
		if (strcmp(commands[i], word) == 0)
			break;
	if (!commands[i])
		return kt_err_set(err, -EINVAL, "'%s': no command '%s'%s", text, word,
				  suggest(word, commands, hint));
	if (strstr(word, "able_event"))
		return check_event(inst, name + len + (name[len] == ':'), err);
	return check_count(text, name + len, err);
}

/* Does @wish, "sched*:traceoff" or "schedule:traceoff:5", select the listed
 * "schedule:traceoff:count=3"? */
static bool is_meant(const char *line, size_t len, const char *wish)
{
	size_t func = strcspn(wish, ":"), have = strcspn(line, ":"), cmd = strlen(wish + func);
	const char *count = strrchr(wish, ':');
	char *pattern, *name;
	bool same;

	if (have >= len)
		return false;
	/* The kernel lists the remaining count, so the count of @wish does not matter. */
	if (count > wish + func && count[1] && !count[1 + strspn(count + 1, "0123456789")])
		cmd = count - (wish + func);
	if (len - have < cmd || memcmp(line + have, wish + func, cmd) != 0 ||
	    (len - have > cmd && line[have + cmd] != ':'))
		return false;
	pattern = strndup(wish, func);
	name = strndup(line, have);
	same = pattern && name && fnmatch(pattern, name, 0) == 0;
	free(pattern);
	free(name);
	return same;
}

/* The kernel silently accepts a command that it already has, and ignores the new count. */
int ctl_check_new_command(const struct kt_instance *inst, const char *file, const char *text,
			  struct kt_err *err)
{
	char *now = strpbrk(text, "*?[") ? NULL : kt_instance_read(inst, file, NULL);
	const char *line = now;
	int ret = 0;
	size_t len;

	for (; ret == 0 && line && *line; line += len, line += *line == '\n') {
		len = strcspn(line, "\n");
		if (*line != '#' && is_meant(line, len, text))
			ret = kt_err_set(err, -EEXIST, "'%.*s' is there already", (int)len, line);
	}
	free(now);
	return ret;
}

int ctl_remove_function_commands(struct kt_instance *inst, const char *file, const char *wish,
				 struct kt_err *err)
{
	char *now = kt_instance_read(inst, file, err), *line = now;
	struct str text = STR_INIT;
	int ret = now ? 0 : -ENOENT, nr = 0;
	size_t len;

	for (; ret == 0 && *line; line += len, line += *line == '\n') {
		len = strcspn(line, "\n");
		if (*line == '#' || !memchr(line, ':', len) || (wish && !is_meant(line, len, wish)))
			continue;
		ctl_add_removal(&text, line, len);
		ret = kt_instance_append(inst, file, text.buf, err);
		str_reset(&text);
		nr++;
	}
	str_fini(&text);
	free(now);
	if (ret == 0 && wish && !nr)
		ret = kt_err_set(err, -ENOENT, "%s has no '%s'", file, wish);
	return ret;
}
