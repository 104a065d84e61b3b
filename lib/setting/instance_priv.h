/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* instance_priv.h - the inside of a struct kt_instance */
#ifndef SETTING_INSTANCE_PRIV_H
#define SETTING_INSTANCE_PRIV_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include <ktrail/instance.h>

#include "base/str.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/* "sysctl/NAME" is a file of kt_sysctl_dir() */
#define SYSCTL "sysctl/"

/* A write that a dry handle has noted */
struct step {
	enum ctl_mode mode;
	char *file, *value;
	size_t len;		/* of @value, which a zero byte follows */
	char *undo;		/* NULL: the former value is what undoes it */
};

struct kt_instance {
	char *name;		/* "" for the top buffer */
	char *dir;		/* absolute */
	const char *top;	/* the top buffer's folder, borrowed */
	bool  is_new;		/* this handle made it */
	bool  temporary;	/* … and will remove it: the first step of @undo */
	bool  dry;		/* nothing is written but @notes and @steps */
	struct str notes;	/* lines of shell */
	struct step *steps;
	size_t nr_steps;
	struct ctl_undo undo;
};

static inline int out_of_memory(struct kt_err *err)
{
	return kt_err_set(err, -ENOMEM, "out of memory");
}

/* instance.c: make its folder, until close or keep */
int instance_create_dir(struct kt_instance *inst, struct kt_err *err);

/* write.c */
void instance_forget_steps(struct kt_instance *inst);

#endif
