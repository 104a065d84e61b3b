/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* options.c - the switches of tracing */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/ctl.h"

int kt_instance_options(const struct kt_instance *inst, struct kt_names *out, struct kt_err *err)
{
	char *have = kt_instance_read(inst, "trace_options", err);
	int ret;

	if (!have)
		return err && err->code ? err->code : -ENOENT;
	ret = kt_names_add_words(out, have, " \n");
	free(have);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
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
	const char *near;
	size_t i;

	kt_instance_options(inst, &have, NULL);
	for (i = 0; i < have.nr; i++)
		kt_names_add(&plain, have.names[i] + (str_starts(have.names[i], "no") ? 2 : 0));
	near = kt_names_nearest(&plain, name);
	if (near)
		kt_err_set(err, -EINVAL, "no option '%s' in this kernel, did you mean '%s'?", name,
			   near);
	else
		kt_err_set(err, -EINVAL, "no option '%s' in this kernel", name);
	kt_names_fini(&have);
	kt_names_fini(&plain);
	return -EINVAL;
}

int kt_instance_set_option(struct kt_instance *inst, const char *name, bool on,
			   struct kt_err *err)
{
	char file[300];

	if (has_option(inst, name, file, sizeof(file)))
		return kt_instance_write(inst, file, on ? "1" : "0", err);
	if (str_starts(name, "no") && has_option(inst, name + 2, file, sizeof(file)))
		return kt_instance_write(inst, file, on ? "0" : "1", err);
	return unknown_option(inst, name, err);
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
