/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* doctor.h - the features that doctor asks about, and what it knows of the machine */
#ifndef STATUS_DOCTOR_H
#define STATUS_DOCTOR_H

#include <sys/utsname.h>

#include <ktrail/status.h>
#include <ktrail/tracefs.h>

#include "base/str.h"

enum feature_sign {
	SIGN_FILE,		/* a file or folder of tracefs */
	SIGN_TRACER,		/* a word of available_tracers */
	SIGN_README,		/* a text of tracefs's README */
	SIGN_OPTION,		/* a file below options/ */
	SIGN_TRIGGER,		/* a file of every event */
	SIGN_PATH,		/* a file elsewhere, absolute */
	SIGN_VERSION,		/* known only from the version and the configuration */
};

struct feature_spec {
	const char *name, *what, *since, *config;
	enum feature_sign sign;
	const char *mark;
};

extern const struct feature_spec doctor_features[];	/* ends with { 0 } */

/* Facts about the machine, read once */
struct doctor_facts {
	struct utsname uname;
	const char *release;		/* borrowed from @uname, or from the caller */
	const char *dir;		/* tracefs, NULL: not found */
	struct str config, readme, tracers;
	bool readable;			/* tracefs can be read */
	struct kt_err why;		/* why @dir is NULL, or not readable */
};

/* doctor_findings.c: 0 or -ENOMEM */
int doctor_findings(struct kt_doctor *d, const struct doctor_facts *facts);
/* Is version @release ("6.12.1-x") at least @since ("6.5")? */
bool doctor_at_least(const char *release, const char *since);

#endif
