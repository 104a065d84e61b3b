/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plan.h - writes to tracefs that are shown first, or done all or not at all */
#ifndef KTRAIL_PLAN_H
#define KTRAIL_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A command says what it would write, in order. Then either the lines of shell
 * that do the same are printed (--dry-run), or the writes are done through the
 * instance, which remembers former values: when one is refused, those before it
 * are put back by kt_instance_close(), as after any failure.
 */
struct kt_plan;

struct kt_plan *kt_plan_create(struct kt_instance *inst);	/* borrowed; new, NULL: no memory */
void kt_plan_destroy(struct kt_plan *plan);

/* `echo value > file`; files as in kt_instance_write. 0 or -ENOMEM. */
int kt_plan_write(struct kt_plan *plan, const char *file, const char *value);
/* `echo value >> file`. @undo: NULL, or what appended to the file takes it back */
int kt_plan_append(struct kt_plan *plan, const char *file, const char *value, const char *undo);

/* Is this write planned already? */
bool kt_plan_has(const struct kt_plan *plan, const char *file, const char *value);
size_t kt_plan_nr(const struct kt_plan *plan);
/* One line of shell for each write, quoted; new (free), NULL: no memory */
char *kt_plan_text(const struct kt_plan *plan);
/* Do the writes; stops at the first that the kernel refuses, with its reason. */
int kt_plan_apply(struct kt_plan *plan, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
