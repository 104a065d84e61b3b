/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* instance_priv.h - internals of struct kt_instance */
#ifndef SETTING_INSTANCE_PRIV_H
#define SETTING_INSTANCE_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/tracefs.h>

#include "base/str.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/* "sysctl/NAME" means a file in kt_sysctl_dir() */
#define SYSCTL "sysctl/"

/* A write noted by a dry handle */
struct step {
	enum ctl_mode mode;
	char *file, *value;
	size_t len;		/* of @value, which is followed by a zero byte */
	char *undo;		/* NULL: the former value undoes it */
};

struct kt_instance {
	char *name;		/* "" for the top-level buffer */
	char *dir;		/* absolute */
	const char *top;	/* the top-level buffer's folder, borrowed */
	bool  is_new;		/* this handle made it */
	bool  temporary;	/* this handle will remove it: the first step of @undo */
	bool  dry;		/* writes only to @notes and @steps */
	struct str notes;	/* shell lines */
	struct step *steps;
	size_t nr_steps;
	struct ctl_undo undo;
};

/* instance.c: create its folder, until close or keep */
int instance_create_dir(struct kt_instance *inst, struct kt_err *err);

/* write.c */
void instance_forget_steps(struct kt_instance *inst);

#endif
