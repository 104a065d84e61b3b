/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* setting.h - what the files that change settings share */
#ifndef SETTING_SETTING_H
#define SETTING_SETTING_H

#include <stdbool.h>

#include <ktrail/instance.h>

/* options.c: is it an option, or its "no" form, that belongs to a tracer? Then it is one for all
 * buffers, and at boot there only while that tracer traces. */
bool ctl_is_tracer_option(const char *name);

/* settings.c: no list of pids restricts what is traced, nor one whose tasks have all ended */
int ctl_clear_pids(struct kt_instance *inst, struct kt_err *err);

/* tracer.c: -EINVAL, and what there is, when @inst cannot trace with @name */
int ctl_check_tracer(const struct kt_instance *inst, const char *name, struct kt_err *err);
/* Has it the option "NAME" or "noNAME"? 0, or -EINVAL with the nearest name */
int ctl_check_option(const struct kt_instance *inst, const char *name, struct kt_err *err);

/* kernel_crashes.c: -EBUSY if @value, written to @file of the buffer, would crash the kernel */
int ctl_check_crash(const struct kt_instance *inst, const char *file, const char *value,
		    struct kt_err *err);

bool instance_is_dry(const struct kt_instance *inst);
bool instance_is_new(const struct kt_instance *inst);	/* created by this handle */
/* Remember what @file holds now, for a change that is made in another way.
 * 0, or the read's errno */
int instance_remember(struct kt_instance *inst, const char *file, struct kt_err *err);
/* … what the top buffer's file of that name holds, if it has one: it will change with @inst's */
int instance_remember_top(struct kt_instance *inst, const char *file, struct kt_err *err);
/* Have close write @value, unless @file is remembered already. */
int instance_remember_as(struct kt_instance *inst, const char *file, const char *value,
			 struct kt_err *err);
/* 1 written, 0 not available, else a negative errno. */
int instance_try_write(struct kt_instance *inst, const char *file, const char *value,
		       struct kt_err *err);
/* A number as text; the rest as kt_instance_write. */
int instance_write_number(struct kt_instance *inst, const char *file, long long value,
			  struct kt_err *err);

#endif
