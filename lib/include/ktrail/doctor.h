/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* doctor.h - what this machine can trace, and why not the rest */
#ifndef KTRAIL_DOCTOR_H
#define KTRAIL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_presence {
	KT_PRESENT,
	KT_ABSENT,		/* this kernel does not have it */
	KT_REFUSED,		/* it is there, but a policy keeps us out */
	KT_UNKNOWN,		/* may not look */
};

struct kt_feature {
	const char *name, *what;	/* "kprobes", "events at any kernel function" */
	const char *since;		/* kernel version */
	const char *config;		/* "CONFIG_KPROBE_EVENTS" */
	enum kt_presence presence;
	bool  newer;			/* absent because the kernel is older */
	char *why;			/* if not present: the cause and what would help; owned */
};

/* A line about the machine; strings are owned */
struct kt_finding {
	const char *name;		/* "tracefs", "lockdown" … */
	char *value;
	char *remedy;			/* NULL: all is well */
};

struct kt_doctor {
	size_t nr_features, nr_findings;
	struct kt_feature *features;
	struct kt_finding *findings;
	struct kt_users users;		/* who has files of tracefs open */
};

/* What to look at; NULL members mean this machine. For tests. */
struct kt_doctor_opts {
	const char *release;		/* "6.12.1-foo" */
	const char *config;		/* path of a kernel configuration */
};

/**
 * kt_doctor_examine - look at everything that a user may look at
 * @opts: may be NULL
 *
 * Never needs root: what cannot be seen is KT_UNKNOWN, with the reason. New
 * (kt_doctor_destroy), NULL: no memory. Reads files only; changes nothing.
 */
struct kt_doctor *kt_doctor_examine(const struct kt_doctor_opts *opts, struct kt_err *err);
void kt_doctor_destroy(struct kt_doctor *d);

#ifdef __cplusplus
}
#endif
#endif
