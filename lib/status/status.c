/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* status.c - read the settings of a buffer */
#include <ktrail/status.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "session/state.h"
#include "tracefs/tracefs.h"

void kt_status_fini(struct kt_status *s)
{
	free(s->name);
	state_section_fini(&s->settings);
	kt_names_fini(&s->systems);
	kt_names_fini(&s->events);
	kt_event_notes_fini(&s->filters);
	kt_event_notes_fini(&s->triggers);
	free(s->cpus);
	free(s->cpu_kb);
	*s = (struct kt_status){ 0 };
}

/* The buffer's own settings, the lists of functions to graph, and each option */
static int read_settings(const struct kt_instance *inst, struct kt_status *s)
{
	const struct state_row *row;
	struct kt_names options = { 0 };
	int list, ret = kt_instance_options(inst, &options, NULL) == -ENOMEM ? -ENOMEM : 0;
	size_t i;

	for (row = state_buffer_rows; ret == 0 && row->key; row++)
		ret = state_read_row(inst, row, true, &s->settings);
	for (list = KT_FUNCTIONS_GRAPH; ret == 0 && list <= KT_FUNCTIONS_GRAPH_NOTRACE; list++)
		ret = state_read_row(inst, state_row(state_machine_rows,
						     kt_function_list_file(list)),
				     true, &s->settings);
	for (i = 0; ret == 0 && i < options.nr; i++)
		ret = kt_state_add(&s->settings, "options", options.names[i]);
	kt_names_fini(&options);
	return ret;
}

/* Consecutive names of one system in a list of "system:event" */
static size_t run_of_system(const struct kt_names *events, size_t first)
{
	size_t len = strcspn(events->names[first], ":") + 1, i = first;

	while (i < events->nr && strncmp(events->names[i], events->names[first], len) == 0)
		i++;
	return i - first;
}

/* How many names in @all, which is sorted, belong to the system of @event? */
static size_t count_system(const struct kt_names *all, const char *event)
{
	size_t len = strcspn(event, ":") + 1, low = 0, high = all->nr, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (strncmp(all->names[mid], event, len) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < all->nr && strncmp(all->names[low], event, len) == 0 ?
		run_of_system(all, low) : 0;
}

static int sort_enabled(struct kt_status *s, struct kt_names *on, struct kt_names *all)
{
	size_t i, j, nr;
	int ret = 0;

	kt_names_sort(on);
	kt_names_sort(all);
	for (i = 0; ret == 0 && i < on->nr; i += nr) {
		nr = run_of_system(on, i);
		if (nr >= count_system(all, on->names[i])) {
			ret = kt_names_addn(&s->systems, on->names[i], strcspn(on->names[i], ":"));
			continue;
		}
		for (j = i; ret == 0 && j < i + nr; j++)
			ret = kt_names_add(&s->events, on->names[j]);
	}
	return ret;
}

/*
 * set_event also lists events that are enabled only for a trigger and not recorded: their file
 * reads "0*". An event without such a file, such as a probe from the command line, is enabled.
 */
static int read_enabled(const struct kt_instance *inst, struct kt_names *out)
{
	struct kt_names set = { 0 };
	char file[600], *on;
	int sys, ret = kt_instance_read_words(inst, "set_event", "\n", &set, NULL);
	size_t i;

	ret = ret == -ENOMEM ? ret : 0;
	for (i = 0; ret == 0 && i < set.nr; i++) {
		sys = (int)strcspn(set.names[i], ":");
		snprintf(file, sizeof(file), "events/%.*s/%.300s/enable", sys < 200 ? sys : 200,
			 set.names[i], set.names[i] + sys + !!set.names[i][sys]);
		on = kt_instance_read(inst, file, NULL);
		if (!on || *on != '0')
			ret = kt_names_add(out, set.names[i]);
		free(on);
	}
	kt_names_fini(&set);
	return ret;
}

static int read_events(const struct kt_instance *inst, struct kt_status *s)
{
	struct kt_names on = { 0 }, all = { 0 };
	char *state = kt_instance_read(inst, "events/enable", NULL);
	int ret = 0;

	if (state && *state == '1')
		s->events_state = KT_EVENTS_ALL;
	else if (state && *state == 'X')
		s->events_state = KT_EVENTS_SOME;
	free(state);
	if (s->events_state == KT_EVENTS_SOME)
		ret = read_enabled(inst, &on);
	if (ret == 0 && s->events_state == KT_EVENTS_SOME && !on.nr)
		s->events_state = KT_EVENTS_NONE;
	if (ret == 0 && on.nr && kt_event_names(&all, NULL) == 0)
		ret = sort_enabled(s, &on, &all);
	kt_names_fini(&on);
	kt_names_fini(&all);
	return ret;
}

/* If no event can be read, there are none. */
static int read_notes(const struct kt_instance *inst, struct kt_status *s)
{
	int ret = kt_filters_read(inst, NULL, &s->filters, NULL);

	if (ret != -ENOMEM)
		ret = kt_triggers_read(inst, NULL, &s->triggers, NULL);
	return ret == -ENOMEM ? ret : 0;
}

static int64_t number_or(const struct kt_instance *inst, const char *file, int64_t otherwise)
{
	long long value;

	return kt_instance_read_number(inst, file, &value, NULL) < 0 ? otherwise : value;
}

static int read_sizes(const struct kt_instance *inst, struct kt_status *s)
{
	const char *grown;
	char *total;
	int i;

	s->buffer_kb = kt_instance_buffer_size(inst, -1, NULL);
	if (s->buffer_kb < 0)
		s->buffer_kb = -1;
	total = kt_instance_read(inst, "buffer_total_size_kb", NULL);
	s->total_kb = -1;
	if (total) {
		grown = strstr(total, "(expanded: ");
		s->total_kb = strtoll(grown ? grown + strlen("(expanded: ") : total, NULL, 10);
	}
	free(total);
	s->subbuf_kb = number_or(inst, "buffer_subbuf_size_kb", -1);
	s->nr_cpus = kt_instance_cpus(inst, &s->cpus, NULL);
	if (s->nr_cpus <= 0) {
		s->nr_cpus = 0;
		return 0;
	}
	s->cpu_kb = calloc(s->nr_cpus, sizeof(*s->cpu_kb));
	if (!s->cpu_kb)
		return -ENOMEM;
	for (i = 0; i < s->nr_cpus; i++)
		s->cpu_kb[i] = kt_instance_buffer_size(inst, s->cpus[i], NULL);
	return 0;
}

static void add_stats(const char *text, struct kt_buffer_stats *sum)
{
	const struct { const char *name; uint64_t *to; } lines[] = {
		{ "entries: ", &sum->entries }, { "overrun: ", &sum->overrun },
		{ "commit overrun: ", &sum->commit_overrun }, { "bytes: ", &sum->bytes },
		{ "dropped events: ", &sum->dropped }, { "read events: ", &sum->read },
	};
	size_t i;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		for (i = 0; i < sizeof(lines) / sizeof(*lines); i++)
			if (str_starts(text, lines[i].name))
				*lines[i].to += strtoull(text + strlen(lines[i].name), NULL, 10);
}

int kt_buffer_stats_read(const struct kt_instance *inst, struct kt_buffer_stats *stats,
			 struct kt_err *err)
{
	char file[64], *text;
	int *cpus, nr, i;

	*stats = (struct kt_buffer_stats){ 0 };
	nr = kt_instance_cpus(inst, &cpus, NULL);
	for (i = 0; i < nr; i++) {
		snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpus[i]);
		text = kt_instance_read(inst, file, NULL);
		if (text)
			add_stats(text, stats);
		free(text);
	}
	free(cpus);
	return nr == -ENOMEM ? kt_err_no_memory(err) : 0;
}

/* "seconds.micros" after @name, in nanoseconds. A clock with another unit prints no '.'. */
static bool find_time(const char *text, const char *name, uint64_t *ns)
{
	const char *at = strstr(text, name);
	unsigned long long s, us;

	if (!at || sscanf(at + strlen(name), "%llu.%6llu", &s, &us) != 2)
		return false;
	*ns = s * 1000000000 + us * 1000;
	return true;
}

int kt_cpu_stats_read(const struct kt_instance *inst, int cpu, struct kt_cpu_stats *stats,
		      struct kt_err *err)
{
	uint64_t now;
	char file[64], *text;

	*stats = (struct kt_cpu_stats){ 0 };
	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpu);
	text = kt_instance_read(inst, file, err);
	if (!text)
		return kt_err_code(err, -ENODEV);
	add_stats(text, &stats->sum);
	stats->has_age = find_time(text, "oldest event ts:", &stats->oldest_ns) &&
			 find_time(text, "now ts:", &now) && now >= stats->oldest_ns;
	if (stats->has_age)
		stats->age_ns = now - stats->oldest_ns;
	free(text);
	return 0;
}

int kt_status_read(const struct kt_instance *inst, struct kt_status *s, struct kt_err *err)
{
	static int (*const parts[])(const struct kt_instance *inst, struct kt_status *s) = {
		read_settings, read_events, read_notes, read_sizes,
	};
	size_t i;
	int ret;

	*s = (struct kt_status){ 0 };
	s->tracing = kt_instance_is_tracing(inst, err);
	if (s->tracing < 0)
		return s->tracing;
	s->name = strdup(kt_instance_name(inst));
	s->max_latency_us = number_or(inst, "tracing_max_latency", 0);
	ret = s->name ? 0 : -ENOMEM;
	for (i = 0; ret == 0 && i < sizeof(parts) / sizeof(*parts); i++)
		ret = parts[i](inst, s);
	if (ret == 0)
		ret = kt_buffer_stats_read(inst, &s->stats, err);
	if (ret < 0)
		kt_status_fini(s);
	return kt_err_result(err, ret);
}
