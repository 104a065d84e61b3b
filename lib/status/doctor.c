/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* doctor.c - what this machine can trace, and the reason for each missing feature */
#include "status/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "tracefs/tracefs.h"
#include "tracefs/kconfig.h"

#define FUNCTION_FILTER "set_ftrace_filter"

bool doctor_at_least(const char *release, const char *since)
{
	unsigned int a[3] = { 0 }, b[3] = { 0 };
	size_t i;

	sscanf(release, "%u.%u.%u", &a[0], &a[1], &a[2]);
	sscanf(since, "%u.%u.%u", &b[0], &b[1], &b[2]);
	for (i = 0; i < 3; i++)
		if (a[i] != b[i])
			return a[i] > b[i];
	return true;
}

static enum kt_presence presence_of(int error)
{
	switch (error) {
	case 0:
		return KT_PRESENT;
	case EPERM:
		return KT_REFUSED;	/* even for root: lockdown, or a security module */
	case EACCES:
		return geteuid() == 0 ? KT_REFUSED : KT_UNKNOWN;
	default:
		return KT_ABSENT;
	}
}

static enum kt_presence look_at_file(const struct doctor_facts *facts, const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", facts->dir, file);
	return access(path, F_OK) < 0 ? presence_of(errno) : KT_PRESENT;
}

static bool is_about_functions(const struct feature_spec *spec)
{
	return str_starts(spec->config, "CONFIG_FUNCTION_") ||
	       strcmp(spec->config, "CONFIG_DYNAMIC_FTRACE") == 0;
}

/*
 * Some policies refuse to trace functions, also to root, but still show all files and tracers.
 * Opening for append changes nothing, and is refused then.
 */
static bool refuses_functions(const struct doctor_facts *facts)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/" FUNCTION_FILTER, facts->dir);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return presence_of(errno) == KT_REFUSED;
	close(fd);
	return false;
}

/* A kernel with events has sched_switch, and every event has the same files. */
static enum kt_presence look_at_event(const struct doctor_facts *facts, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "events/sched/sched_switch/%s", file);
	return look_at_file(facts, path);
}

/* The README of 6.18 lists event probes even if CONFIG_EPROBE_EVENTS, new in 6.18, is not set. */
static const char *own_option(const struct doctor_facts *facts, const struct feature_spec *spec)
{
	return strcmp(spec->name, "eprobes") == 0 && ctl_kconfig_no_eprobes(facts->config.buf)
		       ? "CONFIG_EPROBE_EVENTS" : NULL;
}

static enum kt_presence look(const struct doctor_facts *facts, const struct feature_spec *spec)
{
	char option[128];
	bool has;

	if (spec->sign == SIGN_VERSION)
		return doctor_at_least(facts->release, spec->since) &&
		       ctl_kconfig_get(facts->config.buf, spec->config) != 'n' ?
		       KT_PRESENT : KT_ABSENT;
	/* The file is not in tracefs, and does not prove that the whole option is set. */
	if (spec->sign == SIGN_PATH)
		return access(spec->mark, F_OK) == 0 &&
		       ctl_kconfig_get(facts->config.buf, spec->config) != 'n' ?
		       KT_PRESENT : KT_ABSENT;
	/* A feature that this kernel cannot have is absent, even if tracefs cannot be read. */
	if (!facts->dir || !facts->readable)
		return !doctor_at_least(facts->release, spec->since) ||
		       ctl_kconfig_get(facts->config.buf, spec->config) == 'n' ?
		       KT_ABSENT : KT_UNKNOWN;
	switch (spec->sign) {
	case SIGN_OPTION:
		snprintf(option, sizeof(option), "options/%s", spec->mark);
		return look_at_file(facts, option);
	case SIGN_TRIGGER:
		return look_at_event(facts, spec->mark);
	case SIGN_TRACER:
		return str_has_word(facts->tracers.buf, spec->mark) ? KT_PRESENT : KT_ABSENT;
	case SIGN_README:
		has = strstr(facts->readme.buf, spec->mark);
		return has && !own_option(facts, spec) ? KT_PRESENT : KT_ABSENT;
	default:
		return look_at_file(facts, spec->mark);
	}
}

static char *why_absent(const struct doctor_facts *facts, const struct feature_spec *spec)
{
	const char *own = own_option(facts, spec), *config = own ? own : spec->config;
	char set = own ? 'n' : ctl_kconfig_get(facts->config.buf, config), *why;
	int ret;

	if (!doctor_at_least(facts->release, spec->since))
		ret = asprintf(&why, "needs Linux %s, this is %s", spec->since, facts->release);
	else if (set == 'n')
		ret = asprintf(&why, "not built in: needs a kernel with %s=y", config);
	else if (set == 'm')
		ret = asprintf(&why, "%s=m: load its module", config);
	else if (set == 'y')
		ret = asprintf(&why, "%s=y, but not available: disabled at boot, or "
			       "not for this architecture", config);
	else
		ret = asprintf(&why, "needs %s=y; this kernel does not show its configuration",
			       config);
	return ret < 0 ? NULL : why;
}

static char *why_refused(const struct feature_spec *spec)
{
	char *why;

	if (asprintf(&why, "%s is closed even to root, by lockdown (see above) or a policy",
		     is_about_functions(spec) ? FUNCTION_FILTER : spec->mark) < 0)
		return NULL;
	return why;
}

static int add_features(struct kt_doctor *d, const struct doctor_facts *facts)
{
	const struct feature_spec *spec;
	bool refused = facts->dir && refuses_functions(facts);
	size_t nr = 0;

	for (spec = doctor_features; spec->name; spec++)
		nr++;
	d->features = calloc(nr, sizeof(*d->features));
	if (!d->features)
		return -ENOMEM;
	for (spec = doctor_features; spec->name; spec++) {
		struct kt_feature *f = &d->features[d->nr_features++];

		*f = (struct kt_feature){ .name = spec->name, .what = spec->what,
					  .since = spec->since, .config = spec->config,
					  .presence = look(facts, spec) };
		if (refused && f->presence == KT_PRESENT && is_about_functions(spec))
			f->presence = KT_REFUSED;
		f->newer = f->presence == KT_ABSENT &&
			   !doctor_at_least(facts->release, spec->since);
		if (f->presence == KT_ABSENT)
			f->why = why_absent(facts, spec);
		else if (f->presence == KT_REFUSED)
			f->why = why_refused(spec);
		else if (f->presence == KT_UNKNOWN)
			f->why = strdup(facts->why.msg);
		if (f->presence != KT_PRESENT && !f->why)
			return -ENOMEM;
	}
	return 0;
}

static void read_facts(struct doctor_facts *facts, const struct kt_doctor_opts *opts)
{
	char path[512];

	uname(&facts->uname);
	facts->release = opts && opts->release ? opts->release : facts->uname.release;
	ctl_kconfig_read(opts ? opts->config : NULL, facts->release, &facts->config);
	facts->dir = kt_tracefs_dir(&facts->why);
	if (!facts->dir)
		return;
	snprintf(path, sizeof(path), "%s/README", facts->dir);
	str_read_file(&facts->readme, path);
	snprintf(path, sizeof(path), "%s/available_tracers", facts->dir);
	facts->readable = ctl_read_path(path, &facts->tracers, &facts->why) == 0;
}

struct kt_doctor *kt_doctor_examine(const struct kt_doctor_opts *opts, struct kt_err *err)
{
	struct doctor_facts facts = { .config = STR_INIT, .readme = STR_INIT, .tracers = STR_INIT };
	struct kt_doctor *d = calloc(1, sizeof(*d));
	int ret = -ENOMEM;

	read_facts(&facts, opts);
	if (d && add_features(d, &facts) == 0)
		ret = doctor_findings(d, &facts);
	str_fini(&facts.config);
	str_fini(&facts.readme);
	str_fini(&facts.tracers);
	if (ret == 0)
		return d;
	kt_err_result(err, ret);
	kt_doctor_destroy(d);
	return NULL;
}

void kt_doctor_destroy(struct kt_doctor *d)
{
	size_t i;

	if (!d)
		return;
	for (i = 0; i < d->nr_features; i++)
		free(d->features[i].why);
	for (i = 0; i < d->nr_findings; i++) {
		free(d->findings[i].value);
		free(d->findings[i].remedy);
	}
	free(d->features);
	free(d->findings);
	kt_users_fini(&d->users);
	free(d);
}
