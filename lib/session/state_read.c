/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state_read.c - what is set in the kernel, as a state */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/selection.h>
#include <ktrail/settings.h>

#include "base/str.h"
#include "session/state.h"
#include "target/target.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/* What to write to @file of this buffer so that it reads as now; NULL: it has none of its own */
static char *own_value(const struct kt_instance *inst, const char *file)
{
	char *path = str_starts(file, "sysctl/") ? kt_instance_path(inst, file)
						 : ctl_path(kt_instance_dir(inst), file);
	char *now = NULL, *value = NULL;

	now = path ? ctl_read_text(path, NULL) : NULL;
	if (now)
		value = ctl_former_text(path, now);
	free(now);
	free(path);
	return value;
}

static int add_each(struct kt_state_section *s, const char *key, const char *text,
		    const char *separators)
{
	int ret = 0;

	for (text += strspn(text, separators); ret == 0 && *text;
	     text += strspn(text, separators)) {
		size_t len = strcspn(text, separators);

		ret = state_add_line(s, key, text, len);
		text += len;
	}
	return ret;
}

static int read_files(const struct kt_instance *inst, const struct state_file *files,
		      struct kt_state_section *s)
{
	int ret = 0;

	for (; ret == 0 && files->name; files++) {
		char *value = own_value(inst, files->name);

		if (value && files->form == STATE_LIST)
			ret = add_each(s, files->name, value,
				       strstr(files->name, "pid") ? " \n" : "\n");
		else if (value)
			ret = state_add_line(s, files->name, value, strlen(value));
		free(value);
	}
	return ret;
}

/* buffer_size_kb says nothing when the CPUs differ */
static int read_cpu_sizes(const struct kt_instance *inst, struct kt_state_section *s)
{
	int *cpus = NULL, nr, i, ret = 0;
	char file[64];

	if (state_value(s, "buffer_size_kb"))
		return 0;
	nr = kt_instance_cpus(inst, &cpus, NULL);
	for (i = 0; ret == 0 && i < nr; i++) {
		char *value;

		snprintf(file, sizeof(file), "per_cpu/cpu%d/buffer_size_kb", cpus[i]);
		value = own_value(inst, file);
		ret = value ? state_add_line(s, file, value, strlen(value)) : 0;
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

static int add_event_line(struct kt_state_section *s, const char *key, const char *event,
			  const char *text, size_t len)
{
	char *value;
	int ret = asprintf(&value, "%s%s%.*s", event, len ? " " : "", (int)len, text);

	if (ret < 0)
		return -ENOMEM;
	ret = state_add_line(s, key, value, strlen(value));
	free(value);
	return ret;
}

/* They come in the order in which adding them gives the same list again. */
static int add_triggers(struct kt_state_section *s, const char *event, const char *text)
{
	int ret = 0;

	for (; ret == 0 && *text; text += strcspn(text, "\n"), text += *text == '\n')
		ret = add_event_line(s, "trigger", event, text, strcspn(text, "\n"));
	return ret;
}

static char *event_value(const struct kt_instance *inst, const char *dir, const char *what)
{
	char file[512];

	snprintf(file, sizeof(file), "%s/%s", dir, what);
	return own_value(inst, file);
}

/* @off: its system is, so it has no trigger, and only a filter is looked for */
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
		ret = add_event_line(s, "event", event, "", 0);
	free(value);

	value = ret == 0 ? event_value(inst, dir, "filter") : NULL;
	if (value && strcmp(value, "0") != 0 && *value)
		ret = add_event_line(s, "filter", event, value, strlen(value));
	free(value);

	value = ret == 0 && !off ? event_value(inst, dir, "trigger") : NULL;
	if (value && *value)
		ret = add_triggers(s, event, value);
	free(value);
	return ret;
}

/* Events of a system follow each other: what its file says is asked once. */
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
	int ret = read_files(inst, state_buffer_files, s);

	if (ret == 0)
		ret = read_cpu_sizes(inst, s);
	if (ret == 0)
		ret = read_options(inst, s);
	if (ret == 0)
		ret = read_events(inst, s);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

/* A synthetic event reads with a tab behind its name, and is written with a blank. */
static void blanks(char *text)
{
	for (; text && *text; text++)
		if (*text == '\t')
			*text = ' ';
}

static int read_probes(const struct kt_instance *top, struct kt_state_section *s)
{
	static const char *const all[] = { "dynamic_events", NULL };
	static const char *const old[] = { "kprobe_events", "uprobe_events", NULL };
	const char *const *files = kt_instance_has(top, all[0]) ? all : old;
	int ret = 0;

	for (; ret == 0 && *files; files++) {
		char *text = kt_instance_has(top, *files) ?
			     kt_instance_read(top, *files, NULL) : NULL;

		blanks(text);
		ret = text ? add_each(s, "probe", text, "\n") : 0;
		free(text);
	}
	return ret;
}

int state_read_machine(const struct kt_instance *top, struct kt_state_section *s,
		       struct kt_err *err)
{
	int ret = read_probes(top, s);

	if (ret == 0)
		ret = read_files(top, state_machine_files, s);
	if (ret == 0)
		ret = state_read_rv(top, s);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

static int read_section(struct kt_state *state, const char *instance, bool machine,
			struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(instance, 0, err);
	struct kt_state_section *s;
	char *name = NULL;
	int ret = -ENOMEM;

	if (!inst)
		return kt_err_code(err, -EIO);
	if (machine)
		name = strdup("machine");
	else if (asprintf(&name, "%s%s", *instance ? "instance " : "buffer", instance) < 0)
		name = NULL;
	s = name ? state_add_section(state, name) : NULL;
	if (s)
		ret = (machine ? state_read_machine : state_read_buffer)(inst, s, err);
	kt_instance_close(inst, NULL);
	free(name);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

/* Others make and delete theirs meanwhile: one that is gone has no state. */
static int read_if_there(struct kt_state *state, const char *instance, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	int ret = read_section(state, instance, false, &mine);

	return ret == -ENOENT ? 0 : ret < 0 ? ctl_pass(err, &mine) : 0;
}

static int read_everything(struct kt_state *state, struct kt_err *err)
{
	struct kt_names instances = { 0 };
	int ret = read_section(state, "", true, err);
	size_t i;

	if (ret == 0)
		ret = read_section(state, "", false, err);
	kt_instance_list(&instances, NULL);
	for (i = 0; ret == 0 && i < instances.nr; i++)
		ret = read_if_there(state, instances.names[i], err);
	kt_names_fini(&instances);
	return ret;
}

static int read_sections(struct kt_state *state, const struct kt_state *like, struct kt_err *err)
{
	static const char instance[] = "instance ";
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < like->nr; i++) {
		const char *name = like->sections[i].name;

		if (str_starts(name, instance))
			ret = read_if_there(state, name + strlen(instance), err);
		else
			ret = read_section(state, "", strcmp(name, "machine") == 0, err);
	}
	return ret;
}

/* Of @instance, or what @like has; both NULL: everything */
static struct kt_state *read_state(const char *instance, const struct kt_state *like,
				   struct kt_err *err)
{
	struct kt_state *state = calloc(1, sizeof(*state));
	struct kt_err mine = { 0 };
	int ret;

	if (!state) {
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	ret = instance ? read_section(state, instance, false, &mine) :
	      like     ? read_sections(state, like, &mine) : read_everything(state, &mine);
	if (ret == 0)
		return state;
	kt_err_set(err, ret, "%s", mine.msg);
	kt_state_destroy(state);
	return NULL;
}

struct kt_state *kt_state_read(const char *instance, struct kt_err *err)
{
	return read_state(instance, NULL, err);
}

struct kt_state *kt_state_read_like(const struct kt_state *like, struct kt_err *err)
{
	return read_state(NULL, like, err);
}
