/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trigger_check.c - find errors in a trigger before the kernel refuses it */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/err.h"
#include "base/str.h"
#include "base/suggest.h"
#include "target/filter_check.h"
#include "target/trigger.h"

enum takes { TAKES_COUNT, TAKES_EVENT, TAKES_HIST };

static const struct {
	const char *name;
	enum takes takes;
	const char *config;
} commands[] = {
	{ "traceon", TAKES_COUNT, "CONFIG_TRACING" },
	{ "traceoff", TAKES_COUNT, "CONFIG_TRACING" },
	{ "snapshot", TAKES_COUNT, "CONFIG_TRACER_SNAPSHOT" },
	{ "stacktrace", TAKES_COUNT, "CONFIG_STACKTRACE" },
	{ "enable_event", TAKES_EVENT, "CONFIG_TRACING" },
	{ "disable_event", TAKES_EVENT, "CONFIG_TRACING" },
	{ "enable_hist", TAKES_EVENT, "CONFIG_HIST_TRIGGERS" },
	{ "disable_hist", TAKES_EVENT, "CONFIG_HIST_TRIGGERS" },
	{ "hist", TAKES_HIST, "CONFIG_HIST_TRIGGERS" },
};
#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

int trigger_fail(const struct trigger_check *c, const char *at, int code, const char *fmt, ...)
{
	char msg[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	kt_err_set(c->err, code, "trigger of %s: %s", c->event, msg);
	err_point(c->err, c->text, at - c->text);
	return code;
}

const char *trigger_filter(const char *text)
{
	const char *filter = strstr(text, " if ");

	return filter ? filter : text + strlen(text);
}

/* The README lists the commands that this kernel was built with, and the hist trigger's grammar. */
static bool has_command(const struct kt_instance *inst, const char *name)
{
	char *readme = kt_instance_read(inst, "README", NULL);
	const char *list = readme ? strstr(readme, "   trigger: traceon") : NULL;
	bool has = !list || strstr(list, name);

	free(readme);
	return has;
}

static int unknown_command(const struct trigger_check *c, const char *name, size_t len)
{
	const char *names[NR_COMMANDS + 1] = { NULL };
	char word[64], hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		names[i] = commands[i].name;
	snprintf(word, sizeof(word), "%.*s", (int)len, name);
	return trigger_fail(c, name, -EINVAL, "no command '%s'%s", word,
			    suggest(word, names, hint));
}

/* ":N" at the end, or nothing */
static int check_count(const struct trigger_check *c, const char *p, const char *end)
{
	char *stop;

	if (p == end)
		return 0;
	if (*p != ':')
		return trigger_fail(c, p, -EINVAL, "':' and a count are expected here");
	if (!isdigit((unsigned char)p[1]))
		return trigger_fail(c, p + 1, -EINVAL, "a count is expected here");
	strtoul(p + 1, &stop, 10);
	return stop == end ? 0 : trigger_fail(c, stop, -EINVAL, "this is not part of a number");
}

/* ":SYSTEM:EVENT[:N]" */
static int check_event(const struct trigger_check *c, const char *p, const char *end)
{
	struct kt_names dirs = { 0 };
	const char *colon, *stop;
	char *name;
	int ret;

	colon = *p == ':' ? memchr(p + 1, ':', end - p - 1) : NULL;
	if (!colon)
		return trigger_fail(c, p, -EINVAL, "':SYSTEM:EVENT' is expected here");
	stop = memchr(colon + 1, ':', end - colon - 1);
	stop = stop ? stop : end;
	name = strndup(p + 1, stop - p - 1);
	if (!name)
		return kt_err_no_memory(c->err);
	ret = kt_selection_find_each(c->inst, name, &dirs, c->err);
	if (ret < 0)
		err_point(c->err, c->text, p + 1 - c->text);
	else if (ret > 1 || strpbrk(name, "*?["))
		ret = trigger_fail(c, p + 1, -EINVAL, "one event is expected here");
	else
		ret = check_count(c, stop, end);
	kt_names_fini(&dirs);
	free(name);
	return ret;
}

static int check_filter(const struct trigger_check *c, const char *filter)
{
	if (!*filter)
		return 0;
	return ctl_filter_check(c->format, c->event, filter + strlen(" if "), c->err);
}

int trigger_check(const struct trigger_check *c)
{
	const char *end = trigger_filter(c->text), *args;
	size_t len = strcspn(c->text, ": "), i;
	int ret;

	for (i = 0; i < NR_COMMANDS; i++)
		if (strlen(commands[i].name) == len && memcmp(commands[i].name, c->text, len) == 0)
			break;
	if (i == NR_COMMANDS)
		return unknown_command(c, c->text, len);
	if (!has_command(c->inst, commands[i].name))
		return trigger_fail(c, c->text, -ENOTSUP, "this kernel has no trigger '%s' (%s=y)",
				    commands[i].name, commands[i].config);
	args = c->text + len;
	if (commands[i].takes == TAKES_HIST)
		ret = hist_check(c, args, end);
	else if (commands[i].takes == TAKES_EVENT)
		ret = check_event(c, args, end);
	else
		ret = check_count(c, args, end);
	return ret < 0 ? ret : check_filter(c, end);
}
