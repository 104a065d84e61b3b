/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state_read.c - read the kernel's settings as a state */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/str.h"
#include "probe/dynamic.h"
#include "session/job.h"
#include "target/target.h"
#include "tracefs/tracefs.h"

#define INSTANCE "instance "

/* A line of @key for each line of @text that is an entry */
static int add_each(struct kt_state_section *s, const char *key, const char *text)
{
	size_t len;
	int ret = 0;

	for (; ret == 0 && *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (!ctl_is_no_entry(text, len))
			ret = state_add_line(s, key, text, len);
	}
	return ret;
}

int state_read_row(const struct kt_instance *inst, const struct state_row *row, bool shown,
		   struct kt_state_section *s)
{
	const bool list = row->form == STATE_LIST;
	char *value;
	int ret = 0;

	if (row->form == STATE_OWN)
		return 0;
	value = list && shown ? kt_instance_read(inst, row->key, NULL) : job_value(inst, row->key);
	if (value)
		ret = list ? add_each(s, row->key, value) : kt_state_add(s, row->key, value);
	free(value);
	return ret;
}

static int read_rows(const struct kt_instance *inst, const struct state_row *row,
		     struct kt_state_section *s)
{
	int ret = 0;

	for (; ret == 0 && row->key; row++)
		ret = state_read_row(inst, row, false, s);
	return ret;
}

/* buffer_size_kb shows no size when the CPUs differ */
static int read_cpu_sizes(const struct kt_instance *inst, struct kt_state_section *s)
{
	int *cpus = NULL, nr, i, ret = 0;
	char file[64];

	if (kt_state_value(s, "buffer_size_kb"))
		return 0;
	nr = kt_instance_cpus(inst, &cpus, NULL);
	for (i = 0; ret == 0 && i < nr; i++) {
		char *value;

		snprintf(file, sizeof(file), "per_cpu/cpu%d/buffer_size_kb", cpus[i]);
		value = job_value(inst, file);
		ret = value ? kt_state_add(s, file, value) : 0;
		free(value);
	}
	free(cpus);
	return ret;
}

static int read_options(const struct kt_instance *inst, struct kt_state_section *s)
{
	struct kt_names names = { 0 };
	struct str words = STR_INIT;
	size_t i;
	int ret;

	kt_instance_options(inst, &names, NULL);
	for (i = 0; i < names.nr; i++)
		str_addf(&words, "%s%s", i ? " " : "", names.names[i]);
	ret = words.failed ? -ENOMEM : 0;
	if (ret == 0 && words.len)
		ret = state_add_line(s, "options", words.buf, words.len);
	str_fini(&words);
	kt_names_fini(&names);
	return ret;
}

/* Their order is such that adding them again results in the same list. */
static int add_triggers(struct kt_state_section *s, const char *event, const char *text)
{
	int ret = 0;

	for (; ret == 0 && *text; text += strcspn(text, "\n"), text += *text == '\n')
		ret = state_addf(s, "trigger", "%s %.*s", event, (int)strcspn(text, "\n"), text);
	return ret;
}

static char *event_value(const struct kt_instance *inst, const char *dir, const char *what)
{
	char file[512];

	snprintf(file, sizeof(file), "%s/%s", dir, what);
	return job_value(inst, file);
}

/* @off: its system is disabled, so the event has no trigger; look only for a filter */
static int read_event(const struct kt_instance *inst, struct kt_state_section *s, const char *dir,
		      bool off)
{
	char event[512], *slash, *value;
	int ret = 0;

	snprintf(event, sizeof(event), "%s", dir + strlen("events/"));
	slash = strchr(event, '/');
	if (slash)
		*slash = ':';

	value = off ? NULL : event_value(inst, dir, "enable");
	if (value && *value == '1')
		ret = kt_state_add(s, "event", event);
	free(value);

	value = ret == 0 ? event_value(inst, dir, "filter") : NULL;
	if (value && strcmp(value, "0") != 0 && *value)
		ret = state_addf(s, "filter", "%s %s", event, value);
	free(value);

	value = ret == 0 && !off ? event_value(inst, dir, "trigger") : NULL;
	if (value && *value)
		ret = add_triggers(s, event, value);
	free(value);
	return ret;
}

/* Events of a system follow each other: read its enable file only once. */
static int read_events(const struct kt_instance *inst, struct kt_state_section *s)
{
	struct kt_names dirs = { 0 };
	char system[256] = "";
	bool off = false;
	int ret = 0;
	size_t i;

	kt_selection_find_each(inst, "all", &dirs, NULL);
	for (i = 0; ret == 0 && i < dirs.nr; i++) {
		const char *name = dirs.names[i] + strlen("events/");
		size_t len = strcspn(name, "/");

		if (strlen(system) != len || memcmp(system, name, len) != 0) {
			snprintf(system, sizeof(system), "%.*s", (int)len, name);
			off = ctl_is_all_off(inst, system);
		}
		ret = read_event(inst, s, dirs.names[i], off);
	}
	kt_names_fini(&dirs);
	return ret;
}

int state_read_buffer(const struct kt_instance *inst, struct kt_state_section *s,
		      struct kt_err *err)
{
	if (read_rows(inst, state_buffer_rows, s) < 0 || read_cpu_sizes(inst, s) < 0 ||
	    read_options(inst, s) < 0 || read_events(inst, s) < 0)
		return kt_err_no_memory(err);
	return 0;
}

/* A synthetic event is listed with a tab after its name, and written with a space. */
static void blanks(char *text)
{
	for (; text && *text; text++)
		if (*text == '\t')
			*text = ' ';
}

static int read_probes(const struct kt_instance *top, struct kt_state_section *s)
{
	char *text = dynamic_text(top, NULL);
	int ret;

	blanks(text);
	ret = text ? add_each(s, "probe", text) : 0;
	free(text);
	return ret;
}

int state_read_machine(const struct kt_instance *top, struct kt_state_section *s,
		       struct kt_err *err)
{
	if (read_probes(top, s) < 0 || read_rows(top, state_machine_rows, s) < 0 ||
	    job_read_monitors(top, s) < 0)
		return kt_err_no_memory(err);
	return 0;
}

static int read_section(struct kt_state *state, const char *name, struct kt_err *err)
{
	const char *instance = str_starts(name, INSTANCE) ? name + strlen(INSTANCE) : "";
	struct kt_instance *inst = kt_instance_open(instance, 0, err);
	struct kt_state_section *s;
	int ret = -ENOMEM;

	if (!inst)
		return kt_err_code(err, -EIO);
	s = state_add_section(state, name);
	if (s)
		ret = (state_is_machine(s) ? state_read_machine : state_read_buffer)(inst, s, err);
	kt_instance_close(inst, NULL);
	return kt_err_result(err, ret);
}

static int add_instance(struct kt_names *names, const char *instance)
{
	return kt_names_addf(names, "%s%s", *instance ? INSTANCE : "buffer", instance);
}

/* The names of all sections */
static int name_everything(struct kt_names *names)
{
	struct kt_names instances = { 0 };
	int ret = kt_names_add_words(names, "machine buffer", " ");
	size_t i;

	kt_instance_list(&instances, NULL);
	for (i = 0; ret == 0 && i < instances.nr; i++)
		ret = add_instance(names, instances.names[i]);
	kt_names_fini(&instances);
	return ret;
}

/* Other programs may delete an instance meanwhile: skip it, unless it is the @only one that was
 * asked for. */
static struct kt_state *read_sections(const struct kt_names *names, int ret, bool only,
				      struct kt_err *err)
{
	struct kt_state *state = ret == 0 ? calloc(1, sizeof(*state)) : NULL;
	struct kt_err mine = { 0 };
	size_t i;

	if (!state)
		ret = -ENOMEM;
	for (i = 0; ret == 0 && i < names->nr; i++) {
		ret = read_section(state, names->names[i], &mine);
		if (ret == -ENOENT && !only && str_starts(names->names[i], INSTANCE)) {
			kt_err_clear(&mine);
			ret = 0;
		}
	}
	if (ret == 0)
		return state;
	kt_err_set(err, ret, "%s", mine.code ? mine.msg : "out of memory");
	kt_state_destroy(state);
	return NULL;
}

struct kt_state *kt_state_read(const char *instance, struct kt_err *err)
{
	struct kt_names names = { 0 };
	int ret = instance ? add_instance(&names, instance) : name_everything(&names);
	struct kt_state *state = read_sections(&names, ret, instance, err);

	kt_names_fini(&names);
	return state;
}

struct kt_state *kt_state_read_like(const struct kt_state *like, struct kt_err *err)
{
	struct kt_names names = { 0 };
	struct kt_state *state;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < like->nr; i++)
		ret = kt_names_add(&names, like->sections[i].name);
	state = read_sections(&names, ret, false, err);
	kt_names_fini(&names);
	return state;
}
