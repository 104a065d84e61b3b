/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* errorlog.h - why the kernel refused filters, triggers and probes */
#ifndef KTRAIL_ERRORLOG_H
#define KTRAIL_ERRORLOG_H

#include <stddef.h>

#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Strings are owned. Source: Linux 5.2 and later, Documentation/trace/ftrace.rst, error_log. */
struct kt_error {
	double seconds;		/* since boot; 0: not said */
	char  *where;		/* "hist:sched:sched_switch" */
	char  *message, *command;
	size_t place;		/* in the command, where it went wrong: bytes from 0 */
};

struct kt_errors {
	struct kt_error *at;
	size_t nr;
};

/* Those of error_log, oldest first. @out: zeroed, kt_errors_fini() frees it. 0 or -ENOMEM. */
int  kt_errors_parse(const char *log, struct kt_errors *out, struct kt_err *err);
void kt_errors_fini(struct kt_errors *e);

#ifdef __cplusplus
}
#endif
#endif
