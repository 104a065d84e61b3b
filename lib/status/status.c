/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* status.c - read how a buffer is set */
#include <ktrail/status.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/selection.h>

#include "tracefs/tracefs.h"
#include "target/trigger.h"

static const char *const pid_files[KT_NR_PID_LISTS] = {
	[KT_PIDS_EVENT]        = "set_event_pid",
	[KT_PIDS_EVENT_NOT]    = "set_event_notrace_pid",
	[KT_PIDS_FUNCTION]     = "set_ftrace_pid",
	[KT_PIDS_FUNCTION_NOT] = "set_ftrace_notrace_pid",
};

void kt_status_fini(struct kt_status *s)
{
	size_t i;

	free(s->name);
	free(s->tracer);
	free(s->clock);
	free(s->cpumask);
	kt_names_fini(&s->systems);
	kt_names_fini(&s->events);
	kt_names_fini(&s->filtered);
	kt_names_fini(&s->filters);
	kt_names_fini(&s->triggered);
	kt_names_fini(&s->triggers);
	for (i = 0; i < sizeof(s->functions) / sizeof(*s->functions); i++)
		kt_names_fini(&s->functions[i]);
	for (i = 0; i < KT_NR_PID_LISTS; i++)
		kt_names_fini(&s->pids[i]);
	kt_names_fini(&s->options);
	free(s->cpus);
	free(s->cpu_kb);
	*s = (struct kt_status){ 0 };
}

/* Lines that say something: no comment, and not the words for "empty". */
static int read_lines(const struct kt_instance *inst, const char *file, struct kt_names *out)
{
	char *text = kt_instance_read(inst, file, NULL), *p;
	size_t len;
	int ret = 0;

	for (p = text; p && *p && ret == 0; p += len + (p[len] == '\n')) {
		len = strcspn(p, "\n");
		if (!ctl_is_no_entry(p, len))
			ret = kt_names_addn(out, p, len);
	}
	free(text);
	return ret;
}

/* A run of names of one system in a list of "system:event" */
static size_t run_of_system(const struct kt_names *events, size_t first)
{
	size_t len = strcspn(events->names[first], ":") + 1, i = first;

	while (i < events->nr && strncmp(events->names[i], events->names[first], len) == 0)
		i++;
	return i - first;
}

/* How many of sorted @all belong to the system of @event? */
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
 * set_event also lists what only waits for a trigger, and is not recorded: such an event
 * reads "0*". Without its file, as that of a probe of the command line, it is on.
 */
static int read_enabled(const struct kt_instance *inst, struct kt_names *out)
{
	struct kt_names set = { 0 };
	char file[600], *on;
	int ret = read_lines(inst, "set_event", &set), sys;
	size_t i;

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

static int add_pairs(struct kt_names *names, struct kt_names *values, const char *event,
		     const char *text)
{
	size_t len;
	int ret = 0;

	for (; ret == 0 && *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (!len || *text == '#')
			continue;
		ret = kt_names_add(names, event);
		if (ret == 0)
			ret = kt_names_addn(values, text, len);
	}
	return ret;
}

static int read_one_event(const struct kt_instance *inst, struct kt_status *s, const char *event)
{
	char file[600], *text;
	int ret = 0, dir;

	dir = snprintf(file, sizeof(file), "events/%.*s/%.300s/", (int)strcspn(event, ":"), event,
		       event + strcspn(event, ":") + 1);
	strcpy(file + dir, "filter");
	text = ctl_read_filter(inst, file);
	if (text && strcmp(text, "none") != 0)
		ret = add_pairs(&s->filtered, &s->filters, event, text);
	free(text);
	strcpy(file + dir, "trigger");
	text = ret == 0 ? kt_instance_read(inst, file, NULL) : NULL;
	if (text && *text != '#')
		ret = add_pairs(&s->triggered, &s->triggers, event, text);
	free(text);
	return ret;
}

static int read_filters(const struct kt_instance *inst, struct kt_status *s)
{
	struct kt_names all = { 0 };
	int ret = 0;
	size_t i;

	if (kt_event_names(&all, NULL) == 0)
		for (i = 0; ret == 0 && i < all.nr; i++)
			ret = read_one_event(inst, s, all.names[i]);
	kt_names_fini(&all);
	return ret;
}

static int read_lists(const struct kt_instance *inst, struct kt_status *s)
{
	int i, ret = 0;

	for (i = 0; ret == 0 && i <= KT_FUNCTIONS_GRAPH_NOTRACE; i++)
		ret = read_lines(inst, kt_function_list_file(i), &s->functions[i]);
	for (i = 0; ret == 0 && i < KT_NR_PID_LISTS; i++)
		ret = read_lines(inst, pid_files[i], &s->pids[i]);
	return ret;
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
	grown = total ? strstr(total, "(expanded: ") : NULL;
	s->total_kb = total ? strtoll(grown ? grown + strlen("(expanded: ") : total, NULL, 10) : -1;
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
	return nr == -ENOMEM ? kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

/* "seconds.micros" behind @name, in nanoseconds; a clock that counts anything else has no point. */
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
	uint64_t oldest, now;
	char file[64], *text;

	*stats = (struct kt_cpu_stats){ 0 };
	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpu);
	text = kt_instance_read(inst, file, err);
	if (!text)
		return kt_err_code(err, -ENODEV);
	add_stats(text, &stats->sum);
	stats->has_age = find_time(text, "oldest event ts:", &oldest) &&
			 find_time(text, "now ts:", &now) && now >= oldest;
	if (stats->has_age)
		stats->age_ns = now - oldest;
	free(text);
	return 0;
}

int kt_status_read(const struct kt_instance *inst, struct kt_status *s, struct kt_err *err)
{
	int ret;

	*s = (struct kt_status){ 0 };
	s->tracing = kt_instance_is_tracing(inst, err);
	if (s->tracing < 0)
		return s->tracing;
	s->name = strdup(kt_instance_name(inst));
	s->tracer = kt_instance_tracer(inst, NULL);
	s->clock = kt_instance_clock(inst, NULL);
	s->cpumask = kt_instance_read(inst, "tracing_cpumask", NULL);
	s->max_latency_us = number_or(inst, "tracing_max_latency", 0);
	ret = s->name ? read_events(inst, s) : -ENOMEM;
	if (ret == 0)
		ret = read_filters(inst, s);
	if (ret == 0)
		ret = read_lists(inst, s);
	if (ret == 0)
		ret = read_sizes(inst, s);
	if (ret == 0)
		ret = kt_instance_options(inst, &s->options, NULL) == -ENOMEM ? -ENOMEM : 0;
	if (ret == 0)
		ret = kt_buffer_stats_read(inst, &s->stats, err);
	if (ret < 0)
		kt_status_fini(s);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}
