/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rows.c - each setting of a state: its default, its setter, its form in a boot configuration */
#include "session/state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "base/str.h"

/* Options that are on at boot; the others are off. Those of tracers come with the tracer. */
static const char on_at_boot[] =
	"print-parent annotate context-info irq-info markers overwrite record-cmd function-trace "
	"hash-ptr trace_printk sleep-time graph-time funcgraph-cpu "
	"funcgraph-overhead funcgraph-irqs funcgraph-duration";

/* Keep only the options that differ from the defaults. True: none is left */
static bool are_options(char *words)
{
	char *to = words, *p = words;
	size_t len;

	for (; *p; p += len) {
		char word[64];
		bool on;

		p += strspn(p, " ");
		len = strcspn(p, " ");
		if (!len || len >= sizeof(word))
			continue;
		memcpy(word, p, len);
		word[len] = '\0';
		if (str_has_word("trace_printk_dest notrace_printk_dest copy_trace_marker "
				 "nocopy_trace_marker", word))
			continue;	/* on in the top-level buffer, off in instances */
		on = str_has_word(on_at_boot, word);
		if (on || (str_starts(word, "no") && !str_has_word(on_at_boot, word + 2)))
			continue;
		if (to != words)
			*to++ = ' ';
		memmove(to, p, len);
		to += len;
	}
	*to = '\0';
	return to == words;
}

/*
 * "3" or "7f,ffffffff": the first digit is 1, 3, 7 or f, the others are f, and it has at least as
 * many CPUs as the machine. A shorter mask was chosen by a user.
 */
static bool is_all_cpus(char *mask)
{
	long cpus = 0;
	const char *p;

	if (!*mask || !strchr("137f", *mask) || mask[1 + strspn(mask + 1, "f,")])
		return false;
	for (p = mask; *p; p++)
		cpus += *p == 'f' ? 4 : (*p >= '1') + (*p >= '3') + (*p >= '7');
	return cpus >= sysconf(_SC_NPROCESSORS_CONF);
}

/* "DEFAULTS OSNOISE_WORKLOAD NO_PANIC_ON_STOP …": the first two on, all others off */
static bool is_all_of_osnoise(char *options)
{
	const char *word;
	size_t len;

	for (word = options; *word; word += len + strspn(word + len, " ")) {
		len = strcspn(word, " ");
		if (!str_starts(word, "NO_") && !(str_starts(word, "DEFAULTS") && len == 8) &&
		    !(str_starts(word, "OSNOISE_WORKLOAD") && len == 16))
			return false;
	}
	return !strstr(options, "NO_OSNOISE_WORKLOAD") && !strstr(options, "NO_DEFAULTS");
}

/* "0-3" for all CPUs, or "0" on a machine with one CPU */
static bool is_all_cpus_list(char *list)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return str_starts(list, "0-") ? atol(list + 2) >= cpus - 1 && !strchr(list, ',')
				      : cpus == 1 && strcmp(list, "0") == 0;
}

static int clear_filters(struct kt_instance *inst, struct kt_err *err)
{
	int nr = kt_filter_set(inst, "all", NULL, err);

	return nr < 0 ? nr : 0;
}

/* The kernel itself refuses a value that is not a number. */
static int set_size(struct kt_instance *inst, const char *value, struct kt_err *err)
{
	return value[strspn(value, "0123456789")] ?
		kt_instance_write(inst, "buffer_size_kb", value, err) :
		kt_instance_set_buffer_size(inst, -1, strtoull(value, NULL, 10), err);
}

/* The kernel shows the word that was written, and accepts the word that it shows. */
static const char *oops_value(const char *value)
{
	if (strcmp(value, "0") == 0)
		return NULL;
	return strcmp(value, "1") == 0 ? "" : value;
}

static const char *flag_value(const char *value)
{
	return strcmp(value, "0") == 0 ? NULL : "";
}

/* Tracing starts at boot even if it was stopped when the state was saved. */
static const char *no_value(const char *value)
{
	(void)value;
	return NULL;
}

/* Sources: Linux, for the values at boot, Documentation/trace/ftrace.rst; for setting them at the
 * next boot, Documentation/trace/boottime-trace.rst and admin-guide/kernel-parameters.txt */
const struct state_row state_buffer_rows[] = {
	{ "tracing_on", .form = STATE_STEP, .at_boot = "1", .config = "", .param = "",
	  .boot_value = no_value },
	{ "current_tracer", .form = STATE_STEP, .at_boot = "nop", .set = kt_instance_set_tracer,
	  .clear = CLEAR_TRACER, .config = "tracer", .param = "ftrace", .with_tracer = true },
	{ "trace_clock", .form = STATE_FILE, .at_boot = "local", .set = kt_instance_set_clock,
	  .clear = CLEAR_VALUES, .config = "trace_clock", .param = "trace_clock" },
	{ "buffer_subbuf_size_kb", .form = STATE_FILE, .at_boot = "4" },
	{ "buffer_size_kb", .form = STATE_FILE, .at_boot = "1408 1410", .set = set_size,
	  .config = "buffer_size", .param = "trace_buf_size", .in_kb = true },
	{ "buffer_percent", .form = STATE_FILE, .at_boot = "50" },
	{ "tracing_cpumask", .form = STATE_FILE, .at_boot = "-1", .is_default = is_all_cpus,
	  .set = kt_instance_set_cpumask, .clear = CLEAR_VALUES, .config = "cpumask" },
	{ "set_event_pid", .form = STATE_LIST, .clear = CLEAR_PIDS },
	{ "set_event_notrace_pid", .form = STATE_LIST, .clear = CLEAR_PIDS },
	{ "set_ftrace_pid", .form = STATE_LIST, .clear = CLEAR_PIDS },
	{ "set_ftrace_notrace_pid", .form = STATE_LIST, .clear = CLEAR_PIDS },
	{ "set_ftrace_filter", .form = STATE_LIST, .clear = CLEAR_FUNCTIONS,
	  .config = "ftrace.filters", .param = "ftrace_filter", .with_tracer = true },
	{ "set_ftrace_notrace", .form = STATE_LIST, .clear = CLEAR_FUNCTIONS,
	  .config = "ftrace.notraces", .param = "ftrace_notrace", .with_tracer = true },
	{ "options", .form = STATE_OWN, .is_default = are_options, .config = "options",
	  .param = "trace_options" },
	{ "event", .form = STATE_OWN, .clear = CLEAR_EVENTS, .reset = kt_instance_clear_events,
	  .config = "events", .param = "trace_event" },
	{ "filter", .form = STATE_OWN, .clear = CLEAR_FILTERS, .reset = clear_filters,
	  .config = "event" },
	{ "trigger", .form = STATE_OWN, .clear = CLEAR_TRIGGERS,
	  .reset = kt_instance_clear_triggers, .config = "event", .param = "trace_trigger" },
	{ 0 }
};

const struct state_row state_machine_rows[] = {
	{ "probe", .form = STATE_OWN, .config = "event", .param = "kprobe_event" },
	{ "tracing_thresh", .form = STATE_FILE, .at_boot = "0", .clear = CLEAR_LIMITS,
	  .param = "tracing_thresh" },
	{ "max_graph_depth", .form = STATE_FILE, .at_boot = "0", .clear = CLEAR_LIMITS,
	  .param = "ftrace_graph_max_depth" },
	{ "saved_cmdlines_size", .form = STATE_FILE, .at_boot = "128 6552" },
	{ "function_profile_enabled", .form = STATE_FILE, .at_boot = "0" },
	{ "set_graph_function", .form = STATE_LIST, .clear = CLEAR_GRAPHS,
	  .param = "ftrace_graph_filter" },
	{ "set_graph_notrace", .form = STATE_LIST, .clear = CLEAR_GRAPHS,
	  .param = "ftrace_graph_notrace" },
	{ "stack_trace_filter", .form = STATE_LIST },
	{ "sysctl/ftrace_dump_on_oops", .form = STATE_FILE, .at_boot = "0",
	  .param = "ftrace_dump_on_oops", .boot_value = oops_value },
	{ "sysctl/ftrace_enabled", .form = STATE_FILE, .at_boot = "1",
	  .param = "sysctl.kernel.ftrace_enabled" },
	{ "sysctl/stack_tracer_enabled", .form = STATE_FILE, .at_boot = "0", .param = "stacktrace",
	  .boot_value = flag_value },
	{ "sysctl/traceoff_on_warning", .form = STATE_FILE, .at_boot = "0",
	  .param = "traceoff_on_warning", .boot_value = flag_value },
	{ "osnoise/cpus", .form = STATE_FILE, .is_default = is_all_cpus_list },
	{ "osnoise/options", .form = STATE_FILE, .is_default = is_all_of_osnoise },
	{ "osnoise/period_us", .form = STATE_FILE, .at_boot = "1000000" },
	{ "osnoise/runtime_us", .form = STATE_FILE, .at_boot = "1000000" },
	{ "osnoise/stop_tracing_us", .form = STATE_FILE, .at_boot = "0" },
	{ "osnoise/stop_tracing_total_us", .form = STATE_FILE, .at_boot = "0" },
	{ "osnoise/timerlat_period_us", .form = STATE_FILE, .at_boot = "1000" },
	{ "osnoise/print_stack", .form = STATE_FILE, .at_boot = "0" },
	{ "hwlat_detector/window", .form = STATE_FILE, .at_boot = "1000000" },
	{ "hwlat_detector/width", .form = STATE_FILE, .at_boot = "500000" },
	{ "hwlat_detector/mode", .form = STATE_FILE, .at_boot = "round-robin" },
	{ 0 }
};

const struct state_row *state_row(const struct state_row *rows, const char *key)
{
	for (; rows->key; rows++)
		if (strcmp(rows->key, key) == 0)
			return rows;
	return NULL;
}

static bool is_default(struct kt_state_line *line)
{
	const struct state_row *row = state_row(state_buffer_rows, line->key);

	if (!row)
		row = state_row(state_machine_rows, line->key);
	if (row && row->is_default)
		return row->is_default(line->value);
	return !*line->value ||
	       (row && row->at_boot && str_has_word(row->at_boot, line->value));
}

void kt_state_hide_defaults(struct kt_state *state)
{
	size_t i, l, kept;

	for (i = 0; i < state->nr; i++) {
		struct kt_state_section *s = &state->sections[i];

		for (l = kept = 0; l < s->nr; l++) {
			if (!is_default(&s->lines[l])) {
				s->lines[kept++] = s->lines[l];
				continue;
			}
			free(s->lines[l].key);
			free(s->lines[l].value);
		}
		s->nr = kept;
	}
}
