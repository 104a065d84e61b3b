/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracer.c - choose the kernel's tracer */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

int kt_instance_tracers(const struct kt_instance *inst, struct kt_names *out, struct kt_err *err)
{
	return kt_instance_read_words(inst, "available_tracers", " \n", out, err);
}

char *kt_instance_tracer(const struct kt_instance *inst, struct kt_err *err)
{
	return kt_instance_read(inst, "current_tracer", err);
}

/* The top-level buffer may have tracers that an instance lacks: it depends on tracer and kernel. */
static bool top_has(const struct kt_instance *inst, const char *name)
{
	struct kt_instance *top = *kt_instance_name(inst) ? kt_instance_open("", 0, NULL) : NULL;
	struct kt_names have = { 0 };
	bool has = top && kt_instance_tracers(top, &have, NULL) == 0 && kt_names_has(&have, name);

	kt_names_fini(&have);
	kt_instance_close(top, NULL);
	return has;
}

int ctl_check_tracer(const struct kt_instance *inst, const char *name, struct kt_err *err)
{
	struct kt_names have = { 0 };
	char hint[SUGGEST_SIZE];
	int ret = 0;

	kt_instance_tracers(inst, &have, NULL);
	if (strcmp(name, "nop") != 0 && !kt_names_has(&have, name))
		ret = top_has(inst, name) ?
		      kt_err_set(err, -EINVAL, "tracer '%s' works in the top-level buffer only",
				 name) :
		      kt_err_set_kind(err, KT_ERR_NO_TRACER, -EINVAL, "no tracer '%s' in this "
				      "kernel%s", name, suggest(name, suggest_from(&have), hint));
	kt_names_fini(&have);
	return ret;
}

int kt_instance_set_tracer(struct kt_instance *inst, const char *name, struct kt_err *err)
{
	int ret = ctl_check_tracer(inst, name, err);

	if (ret < 0)
		return ret;
	ret = kt_instance_write(inst, "current_tracer", name, err);
	if (ret == -EINVAL && *kt_instance_name(inst))
		kt_err_wrap(err, ret, "tracer '%s' works in the top-level buffer only", name);
	else if (ret < 0)
		kt_err_wrap(err, ret, "cannot switch to tracer '%s'", name);
	return ret;
}
