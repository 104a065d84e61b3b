/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* errorlog.c - the kernel's own explanation of a refused command */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


#include "base/array.h"
#include "base/err.h"
#include "tracefs/tracefs.h"

/*
 * An entry of error_log, from Linux's Documentation/trace/ftrace.rst:
 *
 *	[  117.404295] hist:sched:sched_switch: error: Couldn't find field
 *	  Command: hist:keys=nonsense
 *	                     ^
 */
struct entry {
	const char *head;	/* its first line */
	const char *message;	/* after "error: " */
	size_t message_len;
	const char *command;	/* after "Command: " */
	size_t command_len;
	size_t caret;		/* offset in the command */
};

#define COMMAND "\n  Command: "

/* The first entry of @log; returns the rest of the log, or NULL if there is no entry */
static const char *next_entry(const char *log, struct entry *e)
{
	const char *mark = strstr(log, COMMAND), *p, *end, *caret;

	if (!mark)
		return NULL;
	for (e->head = mark; e->head > log && e->head[-1] != '\n'; e->head--)
		;
	e->message = e->head;
	for (p = e->head; (p = strstr(p, "error: ")) && p < mark; )
		e->message = p += strlen("error: ");
	e->message_len = mark - e->message;
	e->command = mark + strlen(COMMAND);
	e->command_len = strcspn(e->command, "\n");
	e->caret = 0;
	end = e->command + e->command_len;
	if (*end != '\n')
		return end;
	caret = end + 1 + strspn(end + 1, " ");
	if (*caret == '^' && (size_t)(caret - end) >= strlen(COMMAND))
		e->caret = caret - end - strlen(COMMAND);
	if (e->caret > e->command_len)
		e->caret = e->command_len;
	return end;
}

static bool find_last(const char *log, struct entry *e)
{
	bool any = false;

	while ((log = next_entry(log, e)))
		any = true;
	return any;
}

/* "[  117.404295] hist:sched:sched_switch: error: …" */
static int take_entry(const struct entry *e, struct kt_error *out)
{
	const char *where = e->head, *close = memchr(e->head, ']', e->message - e->head);
	size_t len;

	*out = (struct kt_error){ .place = e->caret };
	if (*where == '[' && close) {
		out->seconds = strtod(where + 1, NULL);
		where = close + 1 + strspn(close + 1, " ");
	}
	len = e->message - where;
	if (len > strlen(": error: ") && str_starts(e->message - strlen(": error: "), ": error: "))
		len -= strlen(": error: ");
	out->where = strndup(where, len);
	out->message = strndup(e->message, e->message_len);
	out->command = strndup(e->command, e->command_len);
	return out->where && out->message && out->command ? 0 : -ENOMEM;
}

int kt_errors_parse(const char *log, struct kt_errors *out, struct kt_err *err)
{
	struct kt_error *added;
	struct entry e;
	int ret = 0;

	while (ret == 0 && (log = next_entry(log, &e))) {
		added = array_add(out->at, out->nr);
		ret = added ? take_entry(&e, added) : -ENOMEM;
	}
	return kt_err_result(err, ret);
}

void kt_errors_fini(struct kt_errors *e)
{
	size_t i;

	for (i = 0; i < e->nr; i++) {
		free(e->at[i].where);
		free(e->at[i].message);
		free(e->at[i].command);
	}
	free(e->at);
	*e = (struct kt_errors){ 0 };
}

/* The kernel shows the command as it parsed it: our value, perhaps after its name. */
static bool is_about(const struct entry *e, const char *value)
{
	size_t len = strlen(value);

	while (len && strchr(" \t\n", value[len - 1]))
		len--;
	return len && e->command_len && (memmem(e->command, e->command_len, value, len) ||
					 memmem(value, len, e->command, e->command_len));
}

/* Probes and synthetic events always use the log of the top instance. */
static char *read_log(const char *path, bool of_instance, char **file)
{
	const char *top = kt_tracefs_dir(NULL), *rest;
	size_t len;

	*file = NULL;
	if (!top)
		return NULL;
	len = strlen(top);
	rest = path + len;
	if (strncmp(path, top, len) != 0)
		return NULL;
	if (of_instance && !str_starts(rest, "/instances/"))
		return NULL;
	if (of_instance)
		len += strlen("/instances/") + strcspn(rest + strlen("/instances/"), "/");
	if (asprintf(file, "%.*s/error_log", (int)len, path) < 0)
		*file = NULL;
	return *file ? ctl_peek_text(*file) : NULL;
}

static bool quote(const char *log, const char *value, struct kt_err *err)
{
	size_t used = strlen(err->msg);
	struct entry e;
	char *command;

	if (!log || !find_last(log, &e) || !is_about(&e, value))
		return false;
	snprintf(err->msg + used, sizeof(err->msg) - used, "; it says: %.*s", (int)e.message_len,
		 e.message);
	command = strndup(e.command, e.command_len);
	if (command)
		err_point(err, command, e.caret);
	free(command);
	return true;
}

/*
 * The kernel logs errors only for these files. For other files the last entry may be old, and a
 * value such as "1" occurs in many commands. Source: Linux 6.12, callers of tracing_log_err().
 */
static bool is_logged(const char *path)
{
	static const char *const files[] = {
		"*/events/*/trigger", "*/events/*/filter", "*/dynamic_events", "*/kprobe_events",
		"*/uprobe_events", "*/synthetic_events",
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (fnmatch(files[i], path, 0) == 0)
			return true;
	return false;
}

/*
 * Remove errors that were reported to the user from the log, unless the log has errors of others,
 * which only they may clear.
 */
static void forget(const char *file, const char *log, const char *value)
{
	struct entry e;
	int fd;

	while ((log = next_entry(log, &e)))
		if (!is_about(&e, value))
			return;
	fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
}

static bool quote_log(const char *path, bool of_instance, const char *value, struct kt_err *err)
{
	char *file, *log = read_log(path, of_instance, &file);
	bool told = quote(log, value, err);

	if (told)
		forget(file, log, value);
	free(log);
	free(file);
	return told;
}

void ctl_forget_errors(const char *path, const char *value)
{
	char *file = NULL, *log = read_log(path, true, &file);

	if (!log) {
		free(file);
		log = read_log(path, false, &file);
	}
	if (log && *log)
		forget(file, log, value);
	free(log);
	free(file);
}

void ctl_quote_error_log(const char *path, const char *value, struct kt_err *err)
{
	if (is_logged(path) && !quote_log(path, true, value, err))
		quote_log(path, false, value, err);
}
