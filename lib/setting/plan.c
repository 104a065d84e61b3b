/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plan.c - writes to tracefs that are shown first, or done all or not at all */
#include <ktrail/instance.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "setting/setting.h"

struct step {
	char *file, *value;
	char *undo;		/* NULL: the former value is what undoes it */
	bool  append;
};

struct kt_plan {
	struct kt_instance *inst;
	struct step *steps;
	size_t nr;
};

struct kt_plan *kt_plan_create(struct kt_instance *inst)
{
	struct kt_plan *plan = calloc(1, sizeof(*plan));

	if (plan)
		plan->inst = inst;
	return plan;
}

void kt_plan_destroy(struct kt_plan *plan)
{
	size_t i;

	if (!plan)
		return;
	for (i = 0; i < plan->nr; i++) {
		free(plan->steps[i].file);
		free(plan->steps[i].value);
		free(plan->steps[i].undo);
	}
	free(plan->steps);
	free(plan);
}

static int add(struct kt_plan *plan, const char *file, const char *value, bool append,
	       const char *undo)
{
	struct step *grown = reallocarray(plan->steps, plan->nr + 1, sizeof(*grown)), *step;

	if (!grown)
		return -ENOMEM;
	plan->steps = grown;
	step = &grown[plan->nr++];
	*step = (struct step){
		.file = strdup(file), .value = strdup(value), .append = append,
		.undo = undo ? strdup(undo) : NULL,
	};
	return step->file && step->value && (!undo || step->undo) ? 0 : -ENOMEM;
}

int kt_plan_write(struct kt_plan *plan, const char *file, const char *value)
{
	return add(plan, file, value, false, NULL);
}

int kt_plan_append(struct kt_plan *plan, const char *file, const char *value, const char *undo)
{
	return add(plan, file, value, true, undo);
}

bool plan_has(const struct kt_plan *plan, const char *file, const char *value)
{
	size_t i;

	for (i = 0; i < plan->nr; i++)
		if (strcmp(plan->steps[i].file, file) == 0 &&
		    strcmp(plan->steps[i].value, value) == 0)
			return true;
	return false;
}

size_t kt_plan_nr(const struct kt_plan *plan)
{
	return plan->nr;
}

static int take_step(struct kt_plan *plan, const struct step *step, struct kt_err *err)
{
	char *path;
	int ret = 0;

	if (step->undo) {
		path = kt_instance_path(plan->inst, step->file);
		ret = path ? instance_undo_append(plan->inst, path, step->undo, err)
			   : kt_err_set(err, -ENOMEM, "out of memory");
		free(path);
	}
	if (ret < 0)
		return ret;
	ret = (step->append ? kt_instance_append : kt_instance_write)(plan->inst, step->file,
								     step->value, err);
	if (ret < 0 && step->undo)
		instance_undo_drop(plan->inst);
	return ret;
}

int kt_plan_apply(struct kt_plan *plan, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < plan->nr; i++)
		ret = take_step(plan, &plan->steps[i], err);
	return ret;
}

/* What a dry handle notes when the plan is done with it: there is one way to show writes. */
char *kt_plan_text(const struct kt_plan *plan)
{
	struct kt_instance *dry =
		kt_instance_open(kt_instance_name(plan->inst), KT_INSTANCE_DRY, NULL);
	struct kt_plan shown = { .inst = dry, .steps = plan->steps, .nr = plan->nr };
	char *text = NULL;

	if (dry && kt_plan_apply(&shown, NULL) == 0)
		text = strdup(kt_instance_notes(dry));
	kt_instance_close(dry, NULL);
	return text;
}
