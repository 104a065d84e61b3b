/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* setting.h - shared by the files that change settings */
#ifndef SETTING_SETTING_H
#define SETTING_SETTING_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

/*
 * options.c: does the option, or its "no" form, belong to a tracer? Then it applies to all buffers,
 * and at boot it exists only while that tracer is active.
 */
bool ctl_is_tracer_option(const char *name);

/* tracer.c: -EINVAL with the list of tracers, if @inst cannot use @name */
int ctl_check_tracer(const struct kt_instance *inst, const char *name, struct kt_err *err);
/* Does it have the option "NAME" or "noNAME"? 0, or -EINVAL with the nearest name */
int ctl_check_option(const struct kt_instance *inst, const char *name, struct kt_err *err);

/* kernel_crashes.c: -EBUSY if @value, written to @file of the buffer, would crash the kernel */
int ctl_check_crash(const struct kt_instance *inst, const char *file, const char *value,
		    struct kt_err *err);

bool instance_is_dry(const struct kt_instance *inst);
bool instance_is_new(const struct kt_instance *inst);	/* created by this handle */
/* Remember the value of @file before it is changed in another way. 0, or the errno of the read */
int instance_remember(struct kt_instance *inst, const char *file, struct kt_err *err);
/* The same for the file of that name in the top-level buffer, which changes together with it */
int instance_remember_top(struct kt_instance *inst, const char *file, struct kt_err *err);
/* Restore @value at close, unless @file is remembered already. */
int instance_remember_as(struct kt_instance *inst, const char *file, const char *value,
			 struct kt_err *err);
/* 1 written, 0 not available, or a negative errno. */
int instance_try_write(struct kt_instance *inst, const char *file, const char *value,
		       struct kt_err *err);
/* Writes a number as text, otherwise like kt_instance_write(). */
int instance_write_number(struct kt_instance *inst, const char *file, long long value,
			  struct kt_err *err);

#endif
