/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat.c - `ktrail stat`: show how tracing is set up, and who uses it */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/status.h>

#include "base/cpumask.h"
#include "cmd/args/targets.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"
#include "stat_machine.h"

struct args {
	struct targets t;		/* first: TARGETS_OPTS */
	bool options;
	bool json;
};

static const struct cmd_opt opts[] = {
	TARGETS_OPTS,
	OPT_BOOL('o', "options", struct args, options, "the trace options as well"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_END
};

static const struct {
	const char *key, *head, *name;	/* in the settings, as text, in JSON */
} lists[] = {
	{ "set_ftrace_filter", "Function Filter:", "function_filter" },
	{ "set_ftrace_notrace", "Function No Trace:", "function_notrace" },
	{ "set_graph_function", "Function Graph Filter:", "graph_function" },
	{ "set_graph_notrace", "Function Graph No Trace:", "graph_notrace" },
#define FIRST_PIDS 4
	{ "set_event_pid", "Filtered event PIDs:", "event_pids" },
	{ "set_event_notrace_pid", "Filtered notrace event PIDs:", "event_notrace_pids" },
	{ "set_ftrace_pid", "Filtered function tracer PIDs:", "function_pids" },
	{ "set_ftrace_notrace_pid", "Filtered function tracer notrace PIDs:",
	  "function_notrace_pids" },
};
#define NR_LISTS (sizeof(lists) / sizeof(*lists))

static void print_lists(const struct kt_status *s, size_t from, size_t to)
{
	const char *line;
	size_t i;

	for (; from < to; from++) {
		if (kt_state_value(&s->settings, lists[from].key))
			printf("\n%s\n", lists[from].head);
		for (i = 0; (line = kt_state_next(&s->settings, lists[from].key, &i)); ) {
			safe_put(line);
			putchar('\n');
		}
	}
}

static void print_events(const struct kt_status *s)
{
	size_t i, len, last = 0;

	printf("\nEvents:\n");
	if (s->events_state == KT_EVENTS_ALL)
		printf(" All enabled\n");
	else if (!s->systems.nr && !s->events.nr)
		printf(" All disabled\n");
	if (s->systems.nr)
		printf(" Individual systems:\n");
	for (i = 0; i < s->systems.nr; i++)
		printf("   %s\n", s->systems.names[i]);
	if (s->events.nr)
		printf(" Individual events:\n");
	for (i = 0; i < s->events.nr; i++) {
		const char *name = s->events.names[i];

		len = strcspn(name, ":");
		if (!i || len != last || strncmp(s->events.names[i - 1], name, len) != 0)
			printf("    %.*s\n", (int)len, name);
		printf("        %s\n", name + len + 1);
		last = len;
	}
}

static void print_notes(const char *head, const struct kt_event_notes *notes)
{
	size_t i;

	if (notes->nr)
		printf("\n%s:\n", head);
	for (i = 0; i < notes->nr; i++) {
		printf("  %s \"", notes->at[i].event);
		safe_put(notes->at[i].text);
		printf("\"\n");
	}
}

static void print_sizes(const struct kt_status *s)
{
	int i;

	if (s->buffer_kb >= 0)
		printf("\nBuffer size in kilobytes (per cpu):\n   %" PRId64 "\n", s->buffer_kb);
	else if (s->nr_cpus)
		printf("\n");
	for (i = 0; s->buffer_kb < 0 && i < s->nr_cpus; i++)
		printf("CPU %d buffer size (kb): %" PRId64 "\n", s->cpus[i], s->cpu_kb[i]);
	if (s->total_kb >= 0)
		printf("\nBuffer total size in kilobytes:\n   %" PRId64 "\n", s->total_kb);
}

static bool is_all_cpus(const struct kt_status *s, const char *hex)
{
	struct cpumask mask;
	int i;

	if (!hex || cpumask_parse_hex(&mask, hex, CPUMASK_MAX, NULL) < 0)
		return true;
	for (i = 0; i < s->nr_cpus; i++)
		if (!cpumask_test(&mask, s->cpus[i]))
			return false;
	return true;
}

static void print_limits(const struct kt_status *s)
{
	const char *clock = kt_state_value(&s->settings, "trace_clock");
	const char *mask = kt_state_value(&s->settings, "tracing_cpumask");

	if (clock && strcmp(clock, "local") != 0)
		printf("\nClock: %s\n", clock);
	if (!is_all_cpus(s, mask))
		printf("\nCPU mask: %s\n", mask);
	if (s->max_latency_us)
		printf("\nMax Latency: %" PRId64 "\n", s->max_latency_us);
	print_lists(s, FIRST_PIDS, NR_LISTS);
}

static void print_status(const struct kt_status *s, bool options)
{
	const char *tracer = kt_state_value(&s->settings, "current_tracer"), *option;
	size_t i = 0;

	if (tracer && strcmp(tracer, "nop") != 0)
		printf("\nTracer: %s\n", tracer);
	print_events(s);
	print_notes("Filters", &s->filters);
	print_notes("Triggers", &s->triggers);
	print_lists(s, 0, FIRST_PIDS);
	print_sizes(s);
	print_limits(s);
	if (options)
		printf("\nOptions:\n");
	while (options && (option = kt_state_next(&s->settings, "options", &i)))
		printf("   %s\n", option);
	printf("\nTracing is %s\n\n", s->tracing ? "enabled" : "disabled");
}

static int show_text(struct kt_instance *inst, void *data, struct kt_err *err)
{
	const struct args *a = data;
	struct kt_status s;
	int ret;

	ret = kt_status_read(inst, &s, err);
	if (ret < 0)
		return ret;
	if (*s.name) {
		if (a->t.top || a->t.all)
			printf("---------------\n");
		printf("Instance: ");
		safe_put(s.name);
		putchar('\n');
	}
	print_status(&s, a->options);
	if (!*s.name)
		stat_machine_text(inst);
	kt_status_fini(&s);
	return 0;
}

static void json_notes(struct json *j, const char *key, const char *what,
		       const struct kt_event_notes *notes)
{
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < notes->nr; i++) {
		json_open(j, NULL, '{');
		json_str(j, "event", notes->at[i].event);
		json_str(j, what, notes->at[i].text);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_list(struct json *j, const char *name, const struct kt_status *s, const char *key)
{
	const char *line;
	size_t i = 0;

	json_open(j, name, '[');
	while ((line = kt_state_next(&s->settings, key, &i)))
		json_str(j, NULL, line);
	json_close(j, ']');
}

static void json_buffer(struct json *j, const struct kt_status *s)
{
	int i;

	json_open(j, "buffer", '{');
	json_int(j, "kb_per_cpu", s->buffer_kb);
	json_int(j, "total_kb", s->total_kb);
	json_int(j, "subbuf_kb", s->subbuf_kb);
	json_open(j, "cpus", '[');
	for (i = 0; i < s->nr_cpus; i++) {
		json_open(j, NULL, '{');
		json_int(j, "cpu", s->cpus[i]);
		json_int(j, "kb", s->cpu_kb[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_uint(j, "entries", s->stats.entries);
	json_uint(j, "bytes", s->stats.bytes);
	json_uint(j, "overrun", s->stats.overrun);
	json_uint(j, "commit_overrun", s->stats.commit_overrun);
	json_uint(j, "dropped", s->stats.dropped);
	json_uint(j, "read", s->stats.read);
	json_close(j, '}');
}

static int show_json(struct kt_instance *inst, void *data, struct kt_err *err)
{
	static const char *const states[] = { "none", "some", "all" };
	struct json *j = data;
	struct kt_status s;
	size_t i;
	int ret = kt_status_read(inst, &s, err);

	if (ret < 0)
		return ret;
	json_open(j, NULL, '{');
	json_str(j, "instance", s.name);
	json_bool(j, "tracing", s.tracing);
	json_str(j, "tracer", kt_state_value(&s.settings, "current_tracer"));
	json_str(j, "clock", kt_state_value(&s.settings, "trace_clock"));
	json_str(j, "cpumask", kt_state_value(&s.settings, "tracing_cpumask"));
	json_str(j, "events_enabled", states[s.events_state]);
	json_names(j, "systems", &s.systems);
	json_names(j, "events", &s.events);
	json_notes(j, "filters", "filter", &s.filters);
	json_notes(j, "triggers", "trigger", &s.triggers);
	for (i = 0; i < NR_LISTS; i++)
		json_list(j, lists[i].name, &s, lists[i].key);
	json_buffer(j, &s);
	json_int(j, "max_latency_us", s.max_latency_us);
	json_list(j, "options", &s, "options");
	json_close(j, '}');
	kt_status_fini(&s);
	return 0;
}

static int all_json(const struct args *a, struct kt_err *err)
{
	struct kt_names instances = { 0 };
	struct json j = JSON_INIT;
	int ret;

	json_open(&j, NULL, '{');
	json_open(&j, "buffers", '[');
	ret = targets_for_each(&a->t, show_json, &j, err);
	json_close(&j, ']');
	kt_instance_list(&instances, NULL);
	json_names(&j, "instances", &instances);
	kt_names_fini(&instances);
	stat_machine_json(&j);
	json_close(&j, '}');
	if (ret == 0)
		ret = json_print(&j);
	str_fini(&j.text);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;

	if (argc)
		return cmd_misuse(err,
				  "unexpected argument '%s'; use -B to name an instance", argv[0]);
	return a->json ? all_json(a, err) : targets_for_each(&a->t, show_text, a, err);
}

const struct cmd cmd_stat = {
	.name      = "stat",
	.summary   = "show how tracing is set up, and who uses it",
	.examples  = "  ktrail stat             the top-level buffer and the machine\n"
		     "  ktrail stat -a -t        all buffers\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.paged     = true,
	.options_anywhere = true,
	.run       = run,
	.fini      = targets_fini,
};
