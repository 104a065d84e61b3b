/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* crash.c - the recorder that outlives a crash: its parameters at boot, its state, arming it */
#include <ktrail/capture.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>
#include <ktrail/status.h>

#include "base/cpumask.h"
#include "base/str.h"
#include "base/units.h"
#include "tracefs/tracefs.h"

#define FIRST_MAJOR	6
#define FIRST_MINOR	12	/* reserve_mem= and trace_instance=NAME@MEMORY */
#define MEMORY_NAME	"trace"
#define MB		(UINT64_C(1) << 20)
#define PAGE		UINT64_C(4096)
#define MIN_PER_CPU	(64 * 1024)	/* a few sub-buffers, below which the kernel refuses */
/* The kernel leaves a parameter with a dot that no module has to other programs, without a word */
#define EVENTS_PARAM	"ktrail.events="
#define INSTANCE_PARAM	"trace_instance="

int kt_crash_check(const char *release, struct kt_err *err)
{
	unsigned int major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return kt_err_set(err, -EINVAL, "'%s' is not a release of Linux", release);
	if (major > FIRST_MAJOR || (major == FIRST_MAJOR && minor >= FIRST_MINOR))
		return 0;
	return kt_err_set(err, -ENOTSUP, "Linux %s loses its trace in a crash: reserve_mem=, which "
			  "keeps the memory of a buffer, is in Linux 6.12 and later", release);
}

static uint64_t usual_memory(int nr_cpus)
{
	return nr_cpus > 4 ? (uint64_t)nr_cpus * 2 * MB : 8 * MB;
}

static int possible_cpus(void)
{
	struct str text = STR_INIT;
	struct cpumask mask;
	int cpu, nr = 0;

	cpumask_clear(&mask);
	if (str_read_file(&text, "/sys/devices/system/cpu/possible") == 0 &&
	    cpumask_parse_list(&mask, str_trim(text.buf), NULL) == 0)
		for (cpu = -1; (cpu = cpumask_next(&mask, cpu)) >= 0;)
			nr++;
	str_fini(&text);
	return nr ? nr : 1;
}

/* ==== the parameters ==== */

void kt_crash_params_fini(struct kt_crash_params *params)
{
	size_t i;

	for (i = 0; i < params->nr; i++) {
		free(params->at[i].text);
		free(params->at[i].why);
	}
	free(params->at);
	*params = (struct kt_crash_params){ 0 };
}

/* Takes over both texts and empties them */
static int add_param(struct kt_crash_params *params, struct str *text, struct str *why)
{
	struct kt_crash_param *more = realloc(params->at, (params->nr + 1) * sizeof(*more)), *p;

	if (more)
		params->at = more;
	p = more ? &more[params->nr] : NULL;
	if (p)
		*p = (struct kt_crash_param){ str_take(text), str_take(why) };
	str_fini(text);
	str_fini(why);
	if (!p)
		return -ENOMEM;
	params->nr++;
	return p->text && p->why ? 0 : -ENOMEM;
}

/*
 * Accept only characters that have no special meaning for the kernel's parser, for the shell that
 * reads a GRUB drop-in, and for GRUB itself.
 */
static int check_word(const char *what, const char *word, const char *others, struct kt_err *err)
{
	const char *p;

	for (p = word; *p && (isalnum((unsigned char)*p) || strchr(others, *p)); p++)
		;
	if (!*word || *p)
		return kt_err_set(err, -EINVAL, "%s '%s' cannot be on a kernel's command line: "
				  "only letters, digits and %s", what, word, others);
	return 0;
}

static int add_memory(const struct kt_crash_opts *o, struct kt_crash_params *out,
		      struct kt_err *err)
{
	int cpus = o->nr_cpus > 0 ? o->nr_cpus : possible_cpus();
	uint64_t bytes = o->memory ? o->memory : usual_memory(cpus);
	struct str text = STR_INIT, why = STR_INIT;
	char all[32], each[32];

	if (bytes / cpus < MIN_PER_CPU)
		return kt_err_set(err, -EINVAL, "%s is not enough for %d CPUs: each needs "
				  "at least %s", units_format_size(bytes, all), cpus,
				  units_format_size(MIN_PER_CPU, each));
	bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	if (bytes % MB == 0)
		str_addf(&text, "reserve_mem=%lluM:2M:" MEMORY_NAME,
			 (unsigned long long)(bytes / MB));
	else
		str_addf(&text, "reserve_mem=%lluK:2M:" MEMORY_NAME,
			 (unsigned long long)(bytes / 1024));
	str_addf(&why, "keeps %s for the events, %s for each of %d CPUs; a later boot finds it "
		 "at the same place, unless the kernel itself was loaded there",
		 units_format_size(bytes, all), units_format_size(bytes / cpus, each), cpus);
	return add_param(out, &text, &why);
}

static int add_events(const struct kt_names *events, struct kt_crash_params *out,
		      struct kt_err *err)
{
	struct str text = STR_INIT, why = STR_INIT;
	size_t i;
	int ret = 0;

	if (!events || !events->nr)
		return 0;
	str_add(&text, EVENTS_PARAM);
	for (i = 0; ret == 0 && i < events->nr; i++) {
		ret = check_word("the event", events->names[i], "_-.:*?/", err);
		str_addf(&text, "%s%s", i ? "," : "", events->names[i]);
	}
	if (ret < 0) {
		str_fini(&text);
		return ret;
	}
	str_add(&why, "the kernel ignores this; `capture crash collect` enables these events. If "
		"trace_instance= named them, the kernel would forget where it was in the boot "
		"before, and functions would have wrong names");
	return add_param(out, &text, &why);
}

static int add_dump(const char *name, const char *dump, struct kt_crash_params *out,
		    struct kt_err *err)
{
	struct str text = STR_INIT, why = STR_INIT;
	bool one = dump && strcmp(dump, "cpu") == 0;

	if (!dump)
		return 0;
	if (!one && strcmp(dump, "all") != 0)
		return kt_err_set(err, -EINVAL, "'%s' instead of all or cpu", dump);
	str_addf(&text, "ftrace_dump_on_oops=%s%s", name, one ? "=orig_cpu" : "");
	str_addf(&why, "a crash also prints the events of %s to the console",
		 one ? "its CPU" : "all CPUs");
	return add_param(out, &text, &why);
}

int kt_crash_params_make(const struct kt_crash_opts *o, struct kt_crash_params *out,
			 struct kt_err *err)
{
	const char *name = o->instance ? o->instance : KT_CRASH_INSTANCE;
	struct str text = STR_INIT, why = STR_INIT;
	int ret = check_word("the instance", name, "_-", err);

	if (ret < 0)
		goto out;
	ret = add_memory(o, out, err);
	if (ret < 0)
		goto out;
	str_addf(&text, INSTANCE_PARAM "%s^traceoff@" MEMORY_NAME, name);
	str_addf(&why, "creates the instance '%s' in this memory, with tracing off, so "
		 "that the events of the boot before stay until they are collected", name);
	ret = add_param(out, &text, &why);
	if (ret < 0)
		goto out;
	ret = add_events(o->events, out, err);
	if (ret < 0)
		goto out;
	ret = add_dump(name, o->dump, out, err);
out:
	if (ret < 0)
		kt_crash_params_fini(out);
	return kt_err_result(err, ret);
}

/* ==== the state ==== */

void kt_crash_status_fini(struct kt_crash_status *status)
{
	free(status->instance);
	kt_names_fini(&status->params);
	kt_names_fini(&status->events);
	*status = (struct kt_crash_status){ 0 };
}

static int read_params(const char *cmdline, struct kt_crash_status *s)
{
	static const char *const prefixes[] = {
		"reserve_mem=", INSTANCE_PARAM, EVENTS_PARAM, "ftrace_dump_on_oops",
	};
	struct kt_names words = { 0 };
	int ret = kt_names_add_words(&words, cmdline, " \t\n");
	size_t i, p;

	for (i = 0; ret == 0 && i < words.nr; i++) {
		for (p = 0; p < sizeof(prefixes) / sizeof(*prefixes); p++)
			if (str_starts(words.names[i], prefixes[p]))
				break;
		if (p < sizeof(prefixes) / sizeof(*prefixes))
			ret = kt_names_add(&s->params, words.names[i]);
		if (ret == 0 && str_starts(words.names[i], EVENTS_PARAM))
			ret = kt_names_add_words(&s->events, words.names[i] + strlen(EVENTS_PARAM),
						 ",");
	}
	kt_names_fini(&words);
	return ret;
}

static bool keeps_buffer(const char *name)
{
	struct kt_instance *inst = kt_instance_open(name, 0, NULL);
	bool keeps = inst && kt_instance_is_persistent(inst);

	kt_instance_close(inst, NULL);
	return keeps;
}

/* Choose @wanted, or one of @kept; *@name NULL: there is none. @names: all that exist */
static int choose(const char *wanted, const struct kt_names *names, const struct kt_names *kept,
		  const char **name, struct kt_err *err)
{
	*name = wanted;
	if (!wanted && kt_names_has(kept, KT_CRASH_INSTANCE))
		*name = KT_CRASH_INSTANCE;
	else if (!wanted && kept->nr == 1)
		*name = kept->names[0];
	else if (!wanted && kept->nr)
		return kt_err_set(err, -EINVAL, "several instances keep their buffers over a "
				  "reboot, name one of them: %s, %s …", kept->names[0],
				  kept->names[1]);
	if (wanted && !kt_names_has(names, wanted))
		return kt_err_set(err, -ENOENT, "no instance '%s'", wanted);
	if (wanted && !kt_names_has(kept, wanted))
		return kt_err_set(err, -ENOENT, "the instance '%s' does not keep its buffer over "
				  "a reboot", wanted);
	return 0;
}

/* Set @s->instance, unless there is none. */
static int find_instance(const char *wanted, struct kt_crash_status *s, struct kt_err *err)
{
	struct kt_names names = { 0 }, kept = { 0 };
	int ret = kt_instance_list(&names, err);
	const char *name;
	size_t i;

	for (i = 0; ret == 0 && i < names.nr; i++)
		if (keeps_buffer(names.names[i]))
			ret = kt_names_add(&kept, names.names[i]);
	if (ret < 0)
		goto out;
	ret = choose(wanted, &names, &kept, &name, err);
	if (ret < 0 || !name)
		goto out;
	s->instance = strdup(name);
	ret = s->instance ? 0 : -ENOMEM;
out:
	kt_names_fini(&names);
	kt_names_fini(&kept);
	return ret;
}

/* Add up what the CPUs hold. Is any of it from a clock that was ahead of this boot's? */
static bool read_stats(const struct kt_instance *inst, struct kt_crash_status *s)
{
	struct kt_cpu_stats stats;
	bool ahead = false;
	int *cpus, nr = kt_instance_cpus(inst, &cpus, NULL), i;

	for (i = 0; i < nr; i++) {
		if (kt_cpu_stats_read(inst, cpus[i], &stats, NULL) < 0)
			continue;
		s->entries += stats.sum.entries;
		if (!stats.sum.entries || !stats.oldest_ns)
			continue;
		ahead |= !stats.has_age;
		if (!s->oldest_ns || stats.oldest_ns < s->oldest_ns)
			s->oldest_ns = stats.oldest_ns;
	}
	if (nr >= 0)
		free(cpus);
	return ahead;
}

static int read_buffer(struct kt_crash_status *s, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(s->instance, 0, err);
	char *info;
	bool ahead;

	if (!inst)
		return kt_err_code(err, -ENOENT);
	info = kt_instance_read(inst, "last_boot_info", NULL);
	s->recording = kt_instance_is_tracing(inst, NULL) == 1;
	s->kb_per_cpu = kt_instance_buffer_size(inst, -1, NULL);
	ahead = read_stats(inst, s);
	/*
	 * "# Current", or the addresses of the earlier kernel. Linux 6.12 and 6.13 print how far
	 * the kernel has moved since the first boot, even if this boot has written the events, or
	 * the kernel has not moved.
	 */
	if (!s->entries || !info)
		s->earlier_boot = false;
	else if (str_starts(info, "text delta:"))
		s->earlier_boot = ahead || !s->recording;
	else
		s->earlier_boot = *info != '#';
	free(info);
	return kt_instance_close(inst, err);
}

static void read_panic(struct kt_crash_status *s)
{
	struct kt_instance *top = kt_instance_open(NULL, 0, NULL);
	long long value;

	if (top && kt_instance_read_number(top, "sysctl/panic", &value, NULL) == 0)
		s->panic_s = (int)value;
	kt_instance_close(top, NULL);
}

static int read_status(const char *instance, const char *cmdline, struct kt_crash_status *status,
		       struct kt_err *err)
{
	int ret = read_params(cmdline, status);

	if (ret < 0)
		return ret;
	read_panic(status);
	ret = find_instance(instance, status, err);
	return ret < 0 || !status->instance ? ret : read_buffer(status, err);
}

int kt_crash_status_read(const char *instance, const char *cmdline, struct kt_crash_status *status,
			 struct kt_err *err)
{
	struct str text = STR_INIT;
	int ret = cmdline ? 0 : str_read_file(&text, "/proc/cmdline");

	*status = (struct kt_crash_status){ .kb_per_cpu = -1 };
	if (ret < 0)
		kt_err_set(err, ret, "cannot read /proc/cmdline: %s", strerror(-ret));
	else
		ret = read_status(instance, cmdline ? cmdline : text.buf, status, err);
	str_fini(&text);
	if (ret == -ENOMEM)
		kt_err_no_memory(err);
	if (ret < 0)
		kt_crash_status_fini(status);
	return ret;
}

/* ==== arming ==== */

int kt_crash_arm(struct kt_instance *inst, const struct kt_names *events, struct kt_names *notes,
		 struct kt_err *err)
{
	int ret = kt_instance_set_tracing(inst, false, err);
	struct kt_err why;
	size_t i;

	if (ret < 0)
		return ret;
	/*
	 * Setting the tracer makes the kernel note its present addresses. Linux 6.12 does this at
	 * no other time, and would take addresses of this boot for those of the first one.
	 */
	ret = kt_instance_write(inst, "current_tracer", "nop", err);
	if (ret < 0)
		return ret;
	ret = kt_instance_poke(inst, "trace", "", err);
	if (ret < 0)
		return ret;
	for (i = 0; events && i < events->nr; i++) {
		kt_err_clear(&why);
		ret = kt_instance_enable_events(inst, events->names[i], true, &why);
		if (ret == -ENOENT)
			ret = kt_err_result(err, kt_names_addf(notes, "%s is not recorded: %s",
							       events->names[i], why.msg));
		if (ret < 0)
			return kt_err_set(err, ret, "%s", why.msg);
	}
	return kt_instance_set_tracing(inst, true, err);
}
