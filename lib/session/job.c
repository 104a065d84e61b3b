/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* job.c - write files and lists that differ from the wish */
#include "session/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/str.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

void job_note(struct job *j, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	if (j->notes)
		kt_names_add(j->notes, s.buf);
	str_fini(&s);
}

int job_write(struct job *j, const char *file, const char *value)
{
	j->writes++;
	return kt_instance_write(j->inst, file, value, j->err);
}

int job_each_missing(struct job *j, const char *key, const struct kt_state_section *from,
		     const struct kt_state_section *without, job_line_fn one)
{
	const char *value;
	size_t i = 0;
	int ret = 0;

	while (ret == 0 && (value = kt_state_next(from, key, &i)))
		if (!state_has(without, key, value))
			ret = one(j, value);
	return ret;
}

/* Writing a list of functions does not remove the function commands in it: they are removed by
 * name. Otherwise the list is not emptied first, since an empty list means all functions. */
static int write_list(struct job *j, const char *file, const char *value, const char *now)
{
	int ret = strcmp(file, "set_ftrace_filter") != 0 || !strchr(now, ':') ? 0 :
		kt_instance_clear_functions(j->inst, KT_FUNCTIONS_FILTER, j->err);

	return ret < 0 ? ret : job_write(j, file, value);
}

static void join_lines(const struct kt_state_section *s, const char *key, struct str *out)
{
	const char *value;
	size_t i = 0;

	while ((value = kt_state_next(s, key, &i)))
		str_addf(out, "%s%s", out->len ? "\n" : "", value);
}

/* Write all lines of a list at once, separated by newlines: this replaces the former ones. */
static int apply_list(struct job *j, const char *file)
{
	struct str want = STR_INIT, now = STR_INIT;
	int ret = 0;

	join_lines(j->want, file, &want);
	join_lines(j->now, file, &now);
	if (want.failed || now.failed)
		ret = kt_err_no_memory(j->err);
	else if (strcmp(want.buf, now.buf) != 0)
		ret = write_list(j, file, want.buf, now.buf);
	str_fini(&want);
	str_fini(&now);
	return ret;
}

int job_apply_value(struct job *j, const struct state_row *row, const char *file)
{
	const char *want = kt_state_value(j->want, file), *now = kt_state_value(j->now, file);

	if (!want || (now && strcmp(want, now) == 0))
		return 0;
	if (!j->setup && !kt_instance_has(j->inst, file)) {
		job_note(j, "[%s] %s: this kernel has no such file", j->want->name, file);
		return 0;
	}
	if (!row || !row->set)
		return job_write(j, file, want);
	j->writes++;
	return row->set(j->inst, want, j->err);
}

/* Lists from options are added to the present ones: see add_functions() and apply_pids(). */
int job_apply_rows(struct job *j, const struct state_row *rows)
{
	int ret = 0;

	for (; ret == 0 && rows->key; rows++)
		if (rows->form == STATE_FILE)
			ret = job_apply_value(j, rows, rows->key);
		else if (rows->form == STATE_LIST && !j->setup)
			ret = apply_list(j, rows->key);
	return ret;
}

char *job_value(const struct kt_instance *inst, const char *file)
{
	char *path = str_starts(file, "sysctl/") ? kt_instance_path(inst, file)
						 : ctl_path(kt_instance_dir(inst), file);
	char *now = path ? ctl_read_text(path, NULL) : NULL, *value = NULL;

	if (now)
		value = ctl_former_text(path, now);
	free(now);
	free(path);
	return value;
}
