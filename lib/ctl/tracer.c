/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracer.c - choose what the kernel traces with */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/ctl.h"

int kt_instance_tracers(const struct kt_instance *inst, struct kt_names *out, struct kt_err *err)
{
	char *have = kt_instance_read(inst, "available_tracers", err);
	int ret;

	if (!have)
		return err && err->code ? err->code : -ENOENT;
	ret = kt_names_add_words(out, have, " \n");
	free(have);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

char *kt_instance_tracer(const struct kt_instance *inst, struct kt_err *err)
{
	return kt_instance_read(inst, "current_tracer", err);
}

static int unknown_tracer(const struct kt_instance *inst, const char *name, struct kt_err *err)
{
	char *have = kt_instance_read(inst, "available_tracers", NULL);
	struct kt_names names = { 0 };
	const char *near;

	kt_names_add_words(&names, have ? have : "", " \n");
	near = kt_names_nearest(&names, name);
	if (near)
		kt_err_set(err, -EINVAL, "no tracer '%s' in this kernel, did you mean '%s'?", name,
			   near);
	else
		kt_err_set(err, -EINVAL, "no tracer '%s' in this kernel, only: %s", name,
			   have ? have : "nop");
	kt_names_fini(&names);
	free(have);
	return -EINVAL;
}

int kt_instance_set_tracer(struct kt_instance *inst, const char *name, struct kt_err *err)
{
	char *have = kt_instance_read(inst, "available_tracers", NULL);
	bool known = have && str_has_word(have, name);
	int ret;

	free(have);
	if (!known && strcmp(name, "nop") != 0)
		return unknown_tracer(inst, name, err);
	ret = kt_instance_write(inst, "current_tracer", name, err);
	if (ret == -EINVAL && *kt_instance_name(inst))
		kt_err_wrap(err, ret, "tracer '%s' works in the top buffer only", name);
	else if (ret < 0)
		kt_err_wrap(err, ret, "cannot switch to tracer '%s'", name);
	return ret;
}
