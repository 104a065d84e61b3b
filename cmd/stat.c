/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat.c - `ktrail stat`: how tracing is set, and who is tracing */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/status.h>

#include "base/cpumask.h"
#include "json_print.h"
#include "safe.h"
#include "stat_machine.h"
#include "targets.h"

struct args {
	struct targets t;		/* first: TARGETS_OPTS */
	bool options;
	bool json;
};

static const struct cmd_opt opts[] = {
	TARGETS_OPTS,
	OPT_BOOL('o', "options", struct args, options, "the trace options as well"),
	OPT_BOOL(0, "json", struct args, json, "one JSON document, for programs"),
	OPT_END
};

static void print_list(const char *head, const struct kt_names *lines)
{
	size_t i;

	if (!lines->nr)
		return;
	printf("\n%s\n", head);
	for (i = 0; i < lines->nr; i++) {
		safe_put(lines->names[i]);
		putchar('\n');
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

static void print_pairs(const char *head, const struct kt_names *names,
			const struct kt_names *values)
{
	size_t i;

	if (names->nr)
		printf("\n%s:\n", head);
	for (i = 0; i < names->nr; i++) {
		printf("  %s \"", names->names[i]);
		safe_put(values->names[i]);
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

static bool is_all_cpus(const struct kt_status *s)
{
	struct cpumask mask;
	int i;

	if (!s->cpumask || cpumask_parse_hex(&mask, s->cpumask, CPUMASK_MAX, NULL) < 0)
		return true;
	for (i = 0; i < s->nr_cpus; i++)
		if (!cpumask_test(&mask, s->cpus[i]))
			return false;
	return true;
}

static void print_limits(const struct kt_status *s)
{
	if (s->clock && strcmp(s->clock, "local") != 0)
		printf("\nClock: %s\n", s->clock);
	if (!is_all_cpus(s))
		printf("\nCPU mask: %s\n", s->cpumask);
	if (s->max_latency_us)
		printf("\nMax Latency: %" PRId64 "\n", s->max_latency_us);
	print_list("Filtered event PIDs:", &s->pids[KT_PIDS_EVENT]);
	print_list("Filtered notrace event PIDs:", &s->pids[KT_PIDS_EVENT_NOT]);
	print_list("Filtered function tracer PIDs:", &s->pids[KT_PIDS_FUNCTION]);
	print_list("Filtered function tracer notrace PIDs:", &s->pids[KT_PIDS_FUNCTION_NOT]);
}

static void print_status(const struct kt_status *s, bool options)
{
	size_t i;

	if (s->tracer && strcmp(s->tracer, "nop") != 0)
		printf("\nTracer: %s\n", s->tracer);
	print_events(s);
	print_pairs("Filters", &s->filtered, &s->filters);
	print_pairs("Triggers", &s->triggered, &s->triggers);
	print_list("Function Filter:", &s->functions[KT_FUNCTIONS_FILTER]);
	print_list("Function No Trace:", &s->functions[KT_FUNCTIONS_NOTRACE]);
	print_list("Function Graph Filter:", &s->functions[KT_FUNCTIONS_GRAPH]);
	print_list("Function Graph No Trace:", &s->functions[KT_FUNCTIONS_GRAPH_NOTRACE]);
	print_sizes(s);
	print_limits(s);
	if (options)
		printf("\nOptions:\n");
	for (i = 0; options && i < s->options.nr; i++)
		printf("   %s\n", s->options.names[i]);
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

static void json_pairs(struct json *j, const char *key, const struct kt_names *names,
		       const char *what, const struct kt_names *values)
{
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < names->nr; i++) {
		json_open(j, NULL, '{');
		json_str(j, "event", names->names[i]);
		json_str(j, what, values->names[i]);
		json_close(j, '}');
	}
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
	int ret = kt_status_read(inst, &s, err);

	if (ret < 0)
		return ret;
	json_open(j, NULL, '{');
	json_str(j, "instance", s.name);
	json_bool(j, "tracing", s.tracing);
	json_str(j, "tracer", s.tracer);
	json_str(j, "clock", s.clock);
	json_str(j, "cpumask", s.cpumask);
	json_str(j, "events_enabled", states[s.events_state]);
	json_names(j, "systems", &s.systems);
	json_names(j, "events", &s.events);
	json_pairs(j, "filters", &s.filtered, "filter", &s.filters);
	json_pairs(j, "triggers", &s.triggered, "trigger", &s.triggers);
	json_names(j, "function_filter", &s.functions[KT_FUNCTIONS_FILTER]);
	json_names(j, "function_notrace", &s.functions[KT_FUNCTIONS_NOTRACE]);
	json_names(j, "graph_function", &s.functions[KT_FUNCTIONS_GRAPH]);
	json_names(j, "graph_notrace", &s.functions[KT_FUNCTIONS_GRAPH_NOTRACE]);
	json_names(j, "event_pids", &s.pids[KT_PIDS_EVENT]);
	json_names(j, "event_notrace_pids", &s.pids[KT_PIDS_EVENT_NOT]);
	json_names(j, "function_pids", &s.pids[KT_PIDS_FUNCTION]);
	json_names(j, "function_notrace_pids", &s.pids[KT_PIDS_FUNCTION_NOT]);
	json_buffer(j, &s);
	json_int(j, "max_latency_us", s.max_latency_us);
	json_names(j, "options", &s.options);
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
	.usage     = "[-B <name>]… [-a] [-t] [-o] [--json]",
	.examples  = "  ktrail stat              the top buffer, and what belongs to the machine\n"
		     "  ktrail stat -a -t        all buffers\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.paged     = true,
	.options_anywhere = true,
	.run       = run,
	.fini      = targets_fini,
};
