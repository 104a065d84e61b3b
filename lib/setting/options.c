/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* options.c - the trace options */
#include <ktrail/settings.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

/* trace_options lists the options of the current tracer; options/ has those of all tracers. */
static int add_others(const struct kt_instance *inst, struct kt_names *out)
{
	char *path = kt_instance_path(inst, "options"), file[300], *value;
	DIR *dir = path ? opendir(path) : NULL;
	struct kt_names others = { 0 };
	struct dirent *entry;
	int ret = 0;
	size_t i;

	free(path);
	while (dir && ret == 0 && (entry = readdir(dir))) {
		snprintf(file, sizeof(file), "no%s", entry->d_name);
		if (entry->d_name[0] != '.' && !kt_names_has(out, file) &&
		    !kt_names_has(out, file + 2))
			ret = kt_names_add(&others, entry->d_name);
	}
	if (dir)
		closedir(dir);
	kt_names_sort(&others);
	for (i = 0; ret == 0 && i < others.nr; i++) {
		snprintf(file, sizeof(file), "options/%s", others.names[i]);
		value = kt_instance_read(inst, file, NULL);
		snprintf(file, sizeof(file), "%s%s", value && *value == '0' ? "no" : "",
			 others.names[i]);
		free(value);
		ret = kt_names_add(out, file);
	}
	kt_names_fini(&others);
	return ret;
}

int kt_instance_options(const struct kt_instance *inst, struct kt_names *out, struct kt_err *err)
{
	int ret = kt_instance_read_words(inst, "trace_options", " \n", out, err);

	return ret < 0 ? ret : kt_err_result(err, add_others(inst, out));
}

static bool has_option(const struct kt_instance *inst, const char *name, char *file, size_t size)
{
	return !strchr(name, '/') && *name &&
	       (size_t)snprintf(file, size, "options/%s", name) < size &&
	       kt_instance_has(inst, file);
}

static int unknown_option(const struct kt_instance *inst, const char *name, struct kt_err *err)
{
	struct kt_names have = { 0 }, plain = { 0 };
	char hint[SUGGEST_SIZE];
	size_t i;

	kt_instance_options(inst, &have, NULL);
	for (i = 0; i < have.nr; i++)
		kt_names_add(&plain, have.names[i] + (str_starts(have.names[i], "no") ? 2 : 0));
	kt_err_set(err, -EINVAL, "no option '%s' in this kernel%s", name,
		   suggest_one(name, suggest_from(&plain), hint));
	kt_names_fini(&have);
	kt_names_fini(&plain);
	return -EINVAL;
}

/* Linux 6.12, kernel/trace/trace_*.c */
bool ctl_is_tracer_option(const char *name)
{
	static const char *const of[] = {
		"funcgraph-", "func_stack_trace", "func-no-repeats", "func-args", "sleep-time",
		"graph-time", "blk_", "test_nop_", NULL
	};
	size_t i;

	name += str_starts(name, "no") ? 2 : 0;
	for (i = 0; of[i]; i++)
		if (str_starts(name, of[i]))
			return true;
	return false;
}

/* The flags of a tracer are one word in the kernel, which the files of all buffers show. */
static int write_shared(struct kt_instance *inst, const char *file, const char *value,
			struct kt_err *err)
{
	struct kt_instance *top = kt_instance_open("", 0, err);
	char *before = NULL, *after = NULL;
	int ret = top ? instance_remember_top(inst, file, err) : kt_err_code(err, -EIO);

	if (ret == 0) {
		before = kt_instance_read(top, file, NULL);
		ret = kt_instance_write(inst, file, value, err);
		after = kt_instance_read(top, file, NULL);
	}
	if (ret == 0 && before && after)
		ret = strcmp(before, after) != 0;
	free(before);
	free(after);
	kt_instance_close(top, NULL);
	return ret;
}

/* The file of "NAME" or "noNAME" (which inverts *@on), or -EINVAL */
static int find_option(const struct kt_instance *inst, const char *name, char *file, size_t size,
		       bool *on, struct kt_err *err)
{
	if (has_option(inst, name, file, size))
		return 0;
	if (!str_starts(name, "no") || !has_option(inst, name + 2, file, size))
		return unknown_option(inst, name, err);
	*on = !*on;
	return 0;
}

int ctl_check_option(const struct kt_instance *inst, const char *name, struct kt_err *err)
{
	char file[300];
	bool on;

	return find_option(inst, name, file, sizeof(file), &on, err);
}

int kt_instance_set_option(struct kt_instance *inst, const char *name, bool on,
			   struct kt_err *err)
{
	char file[300];
	int ret = find_option(inst, name, file, sizeof(file), &on, err);

	if (ret < 0)
		return ret;
	if (*kt_instance_name(inst) && !instance_is_dry(inst) &&
	    ctl_is_tracer_option(file + strlen("options/")))
		return write_shared(inst, file, on ? "1" : "0", err);
	return kt_instance_write(inst, file, on ? "1" : "0", err);
}

int kt_instance_is_option(const struct kt_instance *inst, const char *name, struct kt_err *err)
{
	long long value;
	char file[300];
	int ret;

	if (!has_option(inst, name, file, sizeof(file)))
		return unknown_option(inst, name, err);
	ret = kt_instance_read_number(inst, file, &value, err);
	return ret < 0 ? ret : value != 0;
}
