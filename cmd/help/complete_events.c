/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_events.c - events, their fields and tasks, of a trace file or of the running kernel */
#include "complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/filter.h>
#include <ktrail/settings.h>
#include <ktrail/trace.h>

#include "base/escape.h"
#include "base/moment.h"
#include "base/str.h"

#define LEARN_MS 300	/* limit for reading names of tasks: a menu must not take longer */

/* Called with the text of a format */
typedef void tell_format(const struct typing *t, void *data, const char *format);

static void each_format_of_file(const struct typing *t, const char *path, const char *events,
				tell_format *tell, void *data)
{
	struct kt_file *file = kt_file_open(path, NULL);
	size_t nr = file ? kt_file_nr_events(file) : 0, i;

	for (i = 0; i < nr; i++) {
		const struct kt_event_source *src = kt_file_event(file, i);
		char name[128];

		/* "name: sched_switch" begins a format */
		if (src->format.size && sscanf(src->format.data, "name: %127s", name) == 1 &&
		    (!events ||
		     kt_filter_names_event(events, strlen(events), src->system, name)))
			tell(t, data, src->format.data);
	}
	kt_file_close(file);
}

static void each_format_of_kernel(const struct typing *t, const char *events, tell_format *tell,
				  void *data)
{
	struct kt_instance *inst = kt_instance_open(NULL, 0, NULL);
	struct kt_names dirs = { 0 };
	char file[300];
	size_t i;

	if (inst)
		kt_selection_find_each(inst, events, &dirs, NULL);
	for (i = 0; i < dirs.nr; i++) {
		char *text;

		snprintf(file, sizeof(file), "%s/format", dirs.names[i]);
		text = kt_instance_read(inst, file, NULL);
		if (text)
			tell(t, data, text);
		free(text);
	}
	kt_names_fini(&dirs);
	kt_instance_close(inst, NULL);
}

/* ---- fields: lines "	field:unsigned char prev_comm[16];	offset:8; …" ---- */

struct field {
	char type[96], name[64];
};

/* "unsigned char prev_comm[16]", "__data_loc char[] name": the name is the last word */
static void read_field(const char *text, size_t len, struct field *f)
{
	const char *end = text + len, *name, *array = end;

	if (len && end[-1] == ']' && memrchr(text, '[', len))
		array = memrchr(text, '[', len);
	for (name = array; name > text && name[-1] != ' ' && name[-1] != '*'; name--)
		;
	snprintf(f->name, sizeof(f->name), "%.*s", (int)(array - name), name);
	snprintf(f->type, sizeof(f->type), "%.*s", (int)(name - text), text);
	str_trim(f->type);
	snprintf(f->type + strlen(f->type), sizeof(f->type) - strlen(f->type), "%.*s",
		 (int)(end - array), array);
}

/* Return the next field from *@p on and advance *@p. False at the end */
static bool next_field(const char **p, struct field *f)
{
	const char *text;

	while ((text = strstr(*p, "field:"))) {
		text += strlen("field:");
		*p = text + strcspn(text, ";\n");
		read_field(text, *p - text, f);
		if (*f->name && kt_is_plain(f->name, strlen(f->name)))
			return true;
	}
	return false;
}

/* "prev_comm prev_pid …": the names of an event's fields */
static void describe_event(struct str *out, const char *format)
{
	struct field f;

	while (next_field(&format, &f))
		if (!str_starts(f.name, "common_") && !str_starts(f.name, "__syscall_nr"))
			str_addf(out, "%s%s", out->len ? ", " : "", f.name);
}

static void offer_event(const struct typing *t, const char *name, const char *format)
{
	struct str fields = STR_INIT;

	if (t->describe && str_starts(name, t->word))
		describe_event(&fields, format);
	offer_with(t, name, fields.buf);
	str_fini(&fields);
}

static void tell_event(const struct typing *t, void *data, const char *format)
{
	char name[128];

	(void)data;
	if (sscanf(format, "name: %127s", name) == 1 && kt_is_plain(name, strlen(name)))
		offer_event(t, name, format);
}

/* "sched	24 events" */
static void offer_systems(const struct typing *t, const struct kt_names *events)
{
	struct kt_names systems = { 0 };
	size_t i, k, len, nr;
	char what[32];

	kt_system_names(&systems, NULL);
	for (i = 0; i < systems.nr; i++) {
		len = strlen(systems.names[i]);
		for (nr = k = 0; k < events->nr; k++)
			nr += strncmp(events->names[k], systems.names[i], len) == 0 &&
			      events->names[k][len] == ':';
		snprintf(what, sizeof(what), "%zu event%s", nr, nr == 1 ? "" : "s");
		offer_with(t, systems.names[i], what);
	}
	kt_names_fini(&systems);
}

static void offer_events_of_kernel(const struct typing *t)
{
	struct kt_instance *inst = t->describe ? kt_instance_open(NULL, 0, NULL) : NULL;
	struct kt_names names = { 0 };
	size_t i;

	kt_event_names(&names, NULL);
	/* A system stands for all of its events: 1600 events are too long a menu. */
	if (!strchr(t->word, ':'))
		offer_systems(t, &names);
	for (i = 0; *t->word && i < names.nr; i++) {
		char *format = NULL, file[300];
		const char *name = names.names[i];

		if (!str_starts(name, t->word))
			continue;
		snprintf(file, sizeof(file), "events/%s/format", name);
		if (strchr(file, ':'))
			*strchr(file, ':') = '/';
		format = inst ? kt_instance_read(inst, file, NULL) : NULL;
		offer_event(t, name, format ? format : "");
		free(format);
	}
	kt_names_fini(&names);
	kt_instance_close(inst, NULL);
}

void offer_events(const struct typing *t, const char *path)
{
	if (path)
		each_format_of_file(t, path, NULL, tell_event, NULL);
	else
		offer_events_of_kernel(t);
}

static void tell_fields(const struct typing *t, void *seen, const char *format)
{
	struct field f;

	while (next_field(&format, &f))
		if (str_starts(f.name, t->word) && !kt_names_has(seen, f.name)) {
			kt_names_add(seen, f.name);
			offer_with(t, f.name, f.type);
		}
}

void offer_fields(const struct typing *t, const char *path, const char *events)
{
	struct kt_names seen = { 0 };

	if (path)
		each_format_of_file(t, path, events, tell_fields, &seen);
	else if (events)
		each_format_of_kernel(t, events, tell_fields, &seen);
	kt_names_fini(&seen);
}

/* ---- tasks ---- */

struct tasks {
	struct kt_names names;
	bool by_name;
};

static void add_task(void *data, int pid, const char *comm)
{
	struct tasks *tasks = data;
	char text[64];

	snprintf(text, sizeof(text), "%d\t%s", pid, comm);
	kt_names_add(&tasks->names, tasks->by_name ? comm : text);
}

void offer_file_tasks(const struct typing *t, const char *path, bool by_name)
{
	struct kt_trace *trace = kt_trace_create();
	struct tasks tasks = { .by_name = by_name };
	uint64_t until = moment_ms() + LEARN_MS;
	size_t i;

	if (trace && kt_trace_add(trace, path, NULL, NULL) == 0) {
		while (kt_trace_learn_comms(trace, 0) && moment_ms() < until)
			;
		kt_trace_tasks(trace, 0, add_task, &tasks);
	}
	kt_names_sort(&tasks.names);
	for (i = 0; i < tasks.names.nr; i++) {
		char *what = strchr(tasks.names.names[i], '\t');

		if (what)
			*what++ = '\0';
		offer_with(t, tasks.names.names[i], what);
	}
	kt_names_fini(&tasks.names);
	kt_trace_destroy(trace);
}

#define SYSCALLS_MAX 1024

void offer_file_syscalls(const struct typing *t, const char *path)
{
	struct kt_trace *trace = kt_trace_create();
	const char *name;
	uint64_t nr;

	if (trace && kt_trace_add(trace, path, NULL, NULL) == 0)
		for (nr = 0; nr < SYSCALLS_MAX; nr++) {
			name = kt_syscall_name(kt_trace_events(trace, 0), nr);
			if (name)
				offer(t, name);
		}
	kt_trace_destroy(trace);
}
