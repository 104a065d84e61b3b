/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets.c - which buffers a command applies to */
#include "targets.h"

#include <stdio.h>

int targets_add(void *args, const char *value, struct kt_err *err)
{
	struct targets *t = args;

	if (!*value)
		return cmd_misuse(err, "an instance needs a name");
	if (kt_names_has(&t->names, value))
		return 0;
	return kt_names_add(&t->names, value) < 0 ? kt_err_no_memory(err) : 0;
}

void targets_fini(void *args)
{
	struct targets *t = args;

	kt_names_fini(&t->names);
}

typedef int (*target_fn)(struct kt_instance *inst, void *data, struct kt_err *err);

static int call(const struct targets *t, const char *name, target_fn fn, void *data,
		struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(name, t->dry_run ? KT_INSTANCE_DRY : 0, err);
	int ret;

	if (!inst)
		return err->code;
	ret = fn(inst, data, err);
	if (ret == 0 && t->dry_run)
		fputs(kt_instance_notes(inst), stdout);
	if (ret < 0 && *name)
		kt_err_wrap(err, ret, "instance '%s'", name);
	kt_instance_close(inst, err);
	return ret;
}

static int call_each(const struct targets *t, const struct kt_names *names, target_fn fn,
		     void *data, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < names->nr; i++) {
		ret = call(t, names->names[i], fn, data, err);
		if (ret < 0 && t->all && kt_instance_is_gone(names->names[i], err))
			ret = 0;
	}
	return ret;
}

int targets_for_each(const struct targets *t, target_fn fn, void *data, struct kt_err *err)
{
	struct kt_names all = { 0 };
	int ret = 0;

	if (t->top || (!t->all && !t->names.nr) || (t->all && t->all_means_top))
		ret = call(t, "", fn, data, err);
	if (ret < 0)
		return ret;
	if (!t->all)
		return call_each(t, &t->names, fn, data, err);
	ret = kt_instance_list(&all, err);
	if (ret == 0)
		ret = call_each(t, &all, fn, data, err);
	kt_names_fini(&all);
	return ret;
}
