/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat_machine.c - the part of `ktrail stat` about the machine: its events, switches and users */
#include "stat_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/session.h>
#include <ktrail/status.h>

#include "base/str.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"

/* Settings of the machine that have several values */
#define LISTS "probe rv set_graph_function set_graph_notrace stack_trace_filter"

/* The meaning of a setting that is not the default */
static const struct {
	const char *key, *text;
} meanings[] = {
	{ "sysctl/ftrace_enabled", "function tracing is disabled on the whole machine" },
	{ "sysctl/ftrace_dump_on_oops", "an oops prints the trace (ktrail dump-on-oops)" },
	{ "sysctl/traceoff_on_warning", "a warning stops tracing" },
	{ "sysctl/stack_tracer_enabled", "the stack tracer watches every call (ktrail stack)" },
	{ "function_profile_enabled", "functions are profiled" },
};

static const char *meaning(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (strcmp(meanings[i].key, key) == 0)
			return meanings[i].text;
	return NULL;
}

/* The settings shared by all buffers; new (kt_state_destroy), NULL: not available */
static struct kt_state *read_machine(void)
{
	struct kt_state *like = kt_state_parse("[machine]\n", NULL);
	struct kt_state *machine = like ? kt_state_read_like(like, NULL) : NULL;

	kt_state_destroy(like);
	return machine;
}

static const char *name_of(const char *key)
{
	return key + (str_starts(key, "sysctl/") ? strlen("sysctl/") : 0);
}

static void print_file(const struct kt_instance *top, const char *file, const char *head)
{
	char *text = kt_instance_read(top, file, NULL);

	if (text && *text) {
		printf("\n%s:\n", head);
		safe_puts(text, true);
	}
	free(text);
}

/* Dynamic events that the two files above do not have: synthetic, on events, on functions */
static bool is_other(const char *line)
{
	return *line && *line != 'p' && *line != 'r';
}

static void print_other_events(const struct kt_instance *top)
{
	char *text = kt_instance_read(top, "dynamic_events", NULL), *line = text, *end;
	bool any = false;

	for (; line && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (!is_other(line))
			continue;
		printf(any ? "" : "\nOther dynamic events:\n");
		safe_put(line);
		putchar('\n');
		any = true;
	}
	free(text);
}

/* Those that differ from the default; probes and functions to graph have a heading of their own */
static void print_settings(void)
{
	struct kt_state *machine = read_machine();
	const struct kt_state_line *line;
	const char *text;
	bool any = false;
	size_t i;

	if (machine)
		kt_state_hide_defaults(machine);
	for (i = 0; machine && i < machine->sections[0].nr; i++) {
		line = &machine->sections[0].lines[i];
		if (str_has_word("probe set_graph_function set_graph_notrace", line->key))
			continue;
		printf("%s %s = ", any ? "" : "\nMachine:\n", name_of(line->key));
		safe_put(line->value);
		text = meaning(line->key);
		printf("%s%s\n", text ? ": " : "", text ? text : "");
		any = true;
	}
	kt_state_destroy(machine);
}

static void print_users(void)
{
	struct kt_users users = { 0 };
	size_t i;

	kt_users_find(&users, NULL);
	if (users.nr)
		printf("\nIn use by:\n");
	for (i = 0; i < users.nr; i++) {
		const struct kt_user *u = &users.users[i];

		printf(" %7d ", (int)u->pid);
		safe_put(u->comm);
		printf(": ");
		safe_put(u->file ? u->file : "perf events");
		printf(u->nr > 1 ? " (%u)\n" : "\n", u->nr);
	}
	kt_users_fini(&users);
}

/* Functions hooked by any user: this explains a slow tracer, or a probe that is refused. */
static void print_function_users(const struct kt_instance *top)
{
	struct kt_function_users h = { 0 };
	size_t i, n;

	kt_function_users_read(top, &h, NULL);
	if (h.nr)
		printf("\nFunctions hooked by:\n");
	for (i = 0; i < h.nr; i++) {
		printf(" %s: %zu (", h.at[i].who, h.at[i].nr);
		for (n = 0; n < h.at[i].some.nr; n++) {
			fputs(n ? ", " : "", stdout);
			safe_put(h.at[i].some.names[n]);
		}
		printf(h.at[i].nr > n ? ", …)\n" : ")\n");
	}
	kt_function_users_fini(&h);
}

/* Settings of the machine rather than of a buffer: shown with the top one. */
void stat_machine_text(const struct kt_instance *top)
{
	struct kt_names instances = { 0 };
	size_t i;

	print_file(top, "kprobe_events", "Kprobe events");
	print_file(top, "uprobe_events", "Uprobe events");
	print_file(top, "error_log", "Error log");
	kt_instance_list(&instances, NULL);
	if (instances.nr)
		printf("\nInstances:\n");
	for (i = 0; i < instances.nr; i++) {
		printf(" ");
		safe_put(instances.names[i]);
		putchar('\n');
	}
	kt_names_fini(&instances);
	print_other_events(top);
	if (cmd_style->old_layout)
		return;
	print_settings();
	print_function_users(top);
	print_users();
}

static void json_users(struct json *j)
{
	struct kt_users users = { 0 };
	size_t i;

	kt_users_find(&users, NULL);
	json_open(j, "users", '[');
	for (i = 0; i < users.nr; i++) {
		json_open(j, NULL, '{');
		json_int(j, "pid", users.users[i].pid);
		json_str(j, "comm", users.users[i].comm);
		json_str(j, "file", users.users[i].file);
		json_uint(j, "descriptors", users.users[i].nr);
		json_close(j, '}');
	}
	json_close(j, ']');
	kt_users_fini(&users);
}

static void json_function_users(struct json *j)
{
	struct kt_instance *top = kt_instance_open(NULL, 0, NULL);
	struct kt_function_users h = { 0 };
	size_t i;

	if (top)
		kt_function_users_read(top, &h, NULL);
	json_open(j, "function_hooks", '[');
	for (i = 0; i < h.nr; i++) {
		json_open(j, NULL, '{');
		json_str(j, "who", h.at[i].who);
		json_uint(j, "functions", h.at[i].nr);
		json_names(j, "some", &h.at[i].some);
		json_close(j, '}');
	}
	json_close(j, ']');
	kt_function_users_fini(&h);
	kt_instance_close(top, NULL);
}

void stat_machine_json(struct json *j)
{
	struct kt_instance *top = kt_instance_open(NULL, 0, NULL);
	struct kt_state *machine = read_machine();
	struct kt_names lines = { 0 };
	size_t i;

	json_open(j, "machine", '{');
	for (i = 0; machine && i < machine->sections[0].nr; i++) {
		const struct kt_state_line *line = &machine->sections[0].lines[i];

		if (!str_has_word(LISTS, line->key))
			json_str(j, name_of(line->key), line->value);
	}
	if (top && kt_instance_read_words(top, "dynamic_events", "\n", &lines, NULL) == 0)
		json_names(j, "dynamic_events", &lines);
	json_close(j, '}');
	kt_names_fini(&lines);
	kt_state_destroy(machine);
	kt_instance_close(top, NULL);
	json_function_users(j);
	json_users(j);
}
