/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* doctor_findings.c - what a machine's settings mean for tracing */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "tracefs/tracefs.h"
#include "status/doctor.h"

/* @remedy: NULL if nothing is wrong */
static int add(struct kt_doctor *d, const char *name, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int add(struct kt_doctor *d, const char *name, const char *remedy, const char *fmt, ...)
{
	struct kt_finding *f = array_add(d->findings, d->nr_findings);
	va_list ap;
	int ret;

	if (!f)
		return -ENOMEM;
	*f = (struct kt_finding){ .name = name, .remedy = remedy ? strdup(remedy) : NULL };
	va_start(ap, fmt);
	ret = vasprintf(&f->value, fmt, ap);
	va_end(ap);
	if (ret < 0)
		f->value = NULL;
	return f->value && (!remedy || f->remedy) ? 0 : -ENOMEM;
}

static int find_kernel(struct kt_doctor *d, const struct doctor_facts *facts)
{
	return add(d, "kernel", NULL, "Linux %s", facts->release);
}

static int find_tracefs(struct kt_doctor *d, const struct doctor_facts *facts)
{
	const struct kt_err *why = &facts->why;
	struct stat st;

	if (!facts->dir)
		return add(d, "tracefs", why->code == -EACCES ?
			   NULL : "mount -t tracefs nodev /sys/kernel/tracing, or a kernel with "
			   "CONFIG_TRACING=y", "%s", why->msg);
	if (!facts->readable)
		return add(d, "tracefs", "run as root, or once: mount -o remount,gid=GROUP "
			   "/sys/kernel/tracing (Linux 5.16 and later)", "%s", why->msg);
	if (stat(facts->dir, &st) < 0)
		return add(d, "tracefs", NULL, "%s", facts->dir);
	return add(d, "tracefs", NULL, "%s, mode %04o, group %u", facts->dir,
		   (unsigned int)(st.st_mode & 07777), (unsigned int)st.st_gid);
}

static int find_user(struct kt_doctor *d, const struct doctor_facts *facts)
{
	(void)facts;
	return geteuid() == 0 ? add(d, "user", NULL, "root")
			      : add(d, "user",
				    "probes and most settings need root, or a tracefs mounted with "
				    "gid= for a group of yours", "uid %u", (unsigned int)geteuid());
}

static int find_config(struct kt_doctor *d, const struct doctor_facts *facts)
{
	return facts->config.len ? add(d, "config", NULL, "known")
				 : add(d, "config",
				       "CONFIG_IKCONFIG_PROC=y, or /boot/config-RELEASE, would "
				       "tell what this kernel was built with", "unknown");
}

static char *read_word(const char *path)
{
	struct str s = STR_INIT;
	char *copy = NULL;

	if (str_read_file(&s, path) == 0)
		copy = strdup(str_trim(s.buf));
	str_fini(&s);
	return copy;
}

/* "none [integrity] confidentiality"; only the last hides kernel data from root */
static int find_lockdown(struct kt_doctor *d, const struct doctor_facts *facts)
{
	char *text = read_word("/sys/kernel/security/lockdown");
	bool closed = text && strstr(text, "[confidentiality]");
	int ret;

	(void)facts;
	if (!text)
		return add(d, "lockdown", NULL, "not in this kernel, or securityfs not mounted");
	ret = add(d, "lockdown", closed ? "tracefs and kprobes are refused to all users: "
		  "boot without lockdown=confidentiality" : NULL, "%s", text);
	free(text);
	return ret;
}

static int find_sysctl(struct kt_doctor *d, const char *name, const char *good,
		       const char *remedy)
{
	char path[128], *value;
	int ret;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	value = read_word(path);
	if (!value)
		return 0;
	ret = add(d, name, str_has_word(good, value) ? NULL : remedy, "%s", value);
	free(value);
	return ret;
}

static int find_kptr(struct kt_doctor *d, const struct doctor_facts *facts)
{
	(void)facts;
	return find_sysctl(d, "kptr_restrict", "0 1",
			   "addresses are hidden even from root: functions of the trace have no "
			   "names. sysctl kernel.kptr_restrict=1");
}

static int find_ftrace(struct kt_doctor *d, const struct doctor_facts *facts)
{
	(void)facts;
	return find_sysctl(d, "ftrace_enabled", "1",
			   "the function tracers see nothing: sysctl kernel.ftrace_enabled=1");
}

/* ns for one reading: the best of a few rounds, since interrupts disturb a measurement */
static long cost_of(clockid_t clock)
{
	enum { ROUNDS = 8, READINGS = 200 };
	struct timespec from, to;
	long best = LONG_MAX, ns;
	int i, k;

	for (i = 0; i < ROUNDS; i++) {
		clock_gettime(clock, &from);
		for (k = 0; k < READINGS; k++)
			clock_gettime(clock, &to);
		ns = (to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec;
		if (ns < best)
			best = ns;
	}
	return best / READINGS;
}

/* The approximate cost of these trace clocks for each event; local reads no clock source. */
static int find_clock_costs(struct kt_doctor *d, const struct doctor_facts *facts)
{
	(void)facts;
	return add(d, "clock costs", NULL, "mono %ld ns, mono_raw %ld ns, boot %ld ns a time stamp",
		   cost_of(CLOCK_MONOTONIC), cost_of(CLOCK_MONOTONIC_RAW), cost_of(CLOCK_BOOTTIME));
}

static int find_clock(struct kt_doctor *d, const struct doctor_facts *facts)
{
	char *source =
		read_word("/sys/devices/system/clocksource/clocksource0/current_clocksource");
	bool slow = source && str_has_word("hpet acpi_pm jiffies refined-jiffies", source);
	int ret;

	(void)facts;
	if (!source)
		return 0;
	ret = add(d, "clocksource", slow ? "reading it is slow: the trace clock 'mono' uses it, "
		  "'local' does not" : NULL, "%s", source);
	free(source);
	return ret;
}

static bool is_on(const struct kt_instance *inst)
{
	char *on = inst ? kt_instance_read(inst, "tracing_on", NULL) : NULL;
	bool is = on && *on == '1';

	free(on);
	return is;
}

/* Which buffers have a tracer or events and accept data, as far as tracefs shows */
static int find_tracing(struct kt_doctor *d, const struct doctor_facts *facts)
{
	struct kt_names buffers = { 0 };
	struct str busy = STR_INIT;
	size_t i;
	int ret;

	if (!facts->dir || !facts->readable)
		return 0;
	kt_names_add(&buffers, "");
	kt_instance_list(&buffers, NULL);
	for (i = 0; i < buffers.nr; i++) {
		struct kt_instance *inst = kt_instance_open(buffers.names[i], 0, NULL);
		char *tracer = inst ? kt_instance_read(inst, "current_tracer", NULL) : NULL;
		char *events = inst ? kt_instance_read(inst, "set_event", NULL) : NULL;
		bool traces = tracer && strcmp(tracer, "nop") != 0, has = events && *events;

		if ((traces || has) && is_on(inst))
			str_addf(&busy, "%s%s (%s%s%s)", busy.len ? ", " : "",
				 *buffers.names[i] ? buffers.names[i] : "top-level buffer",
				 traces ? tracer : "", traces && has ? ", " : "", has ?
				 "events" : "");
		free(tracer);
		free(events);
		kt_instance_close(inst, NULL);
	}
	ret = add(d, "tracing now", NULL, "%s", busy.len ? busy.buf : "nothing");
	str_fini(&busy);
	kt_names_fini(&buffers);
	return ret;
}

int doctor_findings(struct kt_doctor *d, const struct doctor_facts *facts)
{
	static int (*const find[])(struct kt_doctor *d, const struct doctor_facts *facts) = {
		find_kernel, find_tracefs, find_user, find_config, find_lockdown, find_kptr,
		find_ftrace, find_clock, find_clock_costs, find_tracing,
	};
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < sizeof(find) / sizeof(*find); i++)
		ret = find[i](d, facts);
	kt_users_find(&d->users, NULL);
	return ret;
}
