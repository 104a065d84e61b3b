/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state.c - a configuration as text, and the difference of two */
#include "session/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

/* Values at boot: facts of Linux's Documentation/trace/ftrace.rst */
const struct state_file state_buffer_files[] = {
	{ "tracing_on", STATE_FILE, "1" },
	{ "current_tracer", STATE_FILE, "nop" },
	{ "trace_clock", STATE_FILE, "local" },
	{ "buffer_size_kb", STATE_FILE, "1408 1410" },
	{ "buffer_subbuf_size_kb", STATE_FILE, "4" },
	{ "buffer_percent", STATE_FILE, "50" },
	{ "tracing_cpumask", STATE_FILE, NULL },
	{ "set_event_pid", STATE_LIST, NULL },
	{ "set_event_notrace_pid", STATE_LIST, NULL },
	{ "set_ftrace_pid", STATE_LIST, NULL },
	{ "set_ftrace_notrace_pid", STATE_LIST, NULL },
	{ "set_ftrace_filter", STATE_LIST, NULL },
	{ "set_ftrace_notrace", STATE_LIST, NULL },
	{ NULL, STATE_FILE, NULL }
};

const struct state_file state_machine_files[] = {
	{ "tracing_thresh", STATE_FILE, "0" },
	{ "max_graph_depth", STATE_FILE, "0" },
	{ "saved_cmdlines_size", STATE_FILE, "128 6552" },
	{ "function_profile_enabled", STATE_FILE, "0" },
	{ "set_graph_function", STATE_LIST, NULL },
	{ "set_graph_notrace", STATE_LIST, NULL },
	{ "stack_trace_filter", STATE_LIST, NULL },
	{ "sysctl/ftrace_dump_on_oops", STATE_FILE, "0" },
	{ "sysctl/ftrace_enabled", STATE_FILE, "1" },
	{ "sysctl/stack_tracer_enabled", STATE_FILE, "0" },
	{ "osnoise/cpus", STATE_FILE, NULL },
	{ "osnoise/options", STATE_FILE, NULL },
	{ "osnoise/period_us", STATE_FILE, "1000000" },
	{ "osnoise/runtime_us", STATE_FILE, "1000000" },
	{ "osnoise/stop_tracing_us", STATE_FILE, "0" },
	{ "osnoise/stop_tracing_total_us", STATE_FILE, "0" },
	{ "osnoise/timerlat_period_us", STATE_FILE, "1000" },
	{ "osnoise/print_stack", STATE_FILE, "0" },
	{ "hwlat_detector/window", STATE_FILE, "1000000" },
	{ "hwlat_detector/width", STATE_FILE, "500000" },
	{ "hwlat_detector/mode", STATE_FILE, "round-robin" },
	{ NULL, STATE_FILE, NULL }
};

struct kt_state_section *state_add_section(struct kt_state *state, const char *name)
{
	struct kt_state_section *grown;

	grown = reallocarray(state->sections, state->nr + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	state->sections = grown;
	grown[state->nr] = (struct kt_state_section){ .name = strdup(name) };
	return grown[state->nr].name ? &grown[state->nr++] : NULL;
}

int state_add_line(struct kt_state_section *s, const char *key, const char *value, size_t len)
{
	struct kt_state_line *grown;

	if ((s->nr & (s->nr - 1)) == 0) {	/* full at every power of two */
		grown = reallocarray(s->lines, s->nr ? s->nr * 2 : 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		s->lines = grown;
	}
	s->lines[s->nr] = (struct kt_state_line){ strdup(key), strndup(value, len) };
	s->nr++;
	return s->lines[s->nr - 1].key && s->lines[s->nr - 1].value ? 0 : -ENOMEM;
}

static void section_fini(struct kt_state_section *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		free(s->lines[i].key);
		free(s->lines[i].value);
	}
	free(s->lines);
	free(s->name);
}

void kt_state_destroy(struct kt_state *state)
{
	size_t i;

	if (!state)
		return;
	for (i = 0; i < state->nr; i++)
		section_fini(&state->sections[i]);
	free(state->sections);
	free(state);
}

const struct kt_state_section *state_find(const struct kt_state *state, const char *name)
{
	size_t i;

	for (i = 0; i < state->nr; i++)
		if (strcmp(state->sections[i].name, name) == 0)
			return &state->sections[i];
	return NULL;
}

void kt_state_keep_sections(struct kt_state *state, const struct kt_state *other)
{
	size_t i, kept = 0;

	for (i = 0; i < state->nr; i++)
		if (state_find(other, state->sections[i].name))
			state->sections[kept++] = state->sections[i];
		else
			section_fini(&state->sections[i]);
	state->nr = kept;
}

bool state_has(const struct kt_state_section *s, const char *key, const char *value)
{
	size_t i;

	for (i = 0; s && i < s->nr; i++)
		if (strcmp(s->lines[i].key, key) == 0 && strcmp(s->lines[i].value, value) == 0)
			return true;
	return false;
}

const char *state_value(const struct kt_state_section *s, const char *key)
{
	size_t i;

	for (i = 0; s && i < s->nr; i++)
		if (strcmp(s->lines[i].key, key) == 0)
			return s->lines[i].value;
	return NULL;
}

static int parse_section(struct kt_state *state, char *line, size_t nr, struct kt_err *err)
{
	char *end = line + strlen(line) - 1;
	const char *name = str_trim(line + 1);

	if (*end != ']')
		return kt_err_set(err, -EINVAL, "state, line %zu: ']' is missing", nr);
	*end = '\0';
	if (strcmp(name, "machine") != 0 && strcmp(name, "buffer") != 0 &&
	    !(str_starts(name, "instance ") && name[9]))
		return kt_err_set(err, -EINVAL, "state, line %zu: no section '[%s]': [machine], "
				  "[buffer] or [instance NAME]", nr, name);
	if (state_find(state, name))
		return kt_err_set(err, -EINVAL, "state, line %zu: [%s] comes twice", nr, name);
	return state_add_section(state, name) ? 0 : -ENOMEM;
}

/* A key is a file below the buffer, never above it: this text may come from anywhere. */
static bool is_key(const char *key)
{
	return *key && *key != '/' && !strstr(key, "..") &&
	       strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/") ==
	       strlen(key);
}

/* Of some the value begins with a name that becomes part of a path:
 * it leads nowhere else either. */
static bool is_value(const char *key, const char *value)
{
	size_t len = strcspn(value, " ");

	return !str_has_word("event filter trigger rv", key) || !memmem(value, len, "..", 2);
}

static int parse_line(struct kt_state *state, char *line, size_t nr, struct kt_err *err)
{
	char *eq = strchr(line, '='), *key, *value;

	if (*line == '[')
		return parse_section(state, line, nr, err);
	if (!eq)
		return kt_err_set(err, -EINVAL, "state, line %zu: 'KEY = VALUE' is expected", nr);
	if (!state->nr)
		return kt_err_set(err, -EINVAL, "state, line %zu: a section is expected first, "
				  "e.g. [buffer]", nr);
	*eq = '\0';
	key = str_trim(line);
	value = str_trim(eq + 1);
	if (!is_key(key))
		return kt_err_set(err, -EINVAL, "state, line %zu: '%s' is not a setting", nr, key);
	if (!is_value(key, value))
		return kt_err_set(err, -EINVAL, "state, line %zu: '%s' names no %s", nr, value,
				  strcmp(key, "rv") == 0 ? "monitor" : "event");
	return state_add_line(&state->sections[state->nr - 1], key, value, strlen(value));
}

struct kt_state *kt_state_parse(const char *text, struct kt_err *err)
{
	struct kt_state *state = calloc(1, sizeof(*state));
	int ret = state ? 0 : -ENOMEM;
	size_t len, nr;

	for (nr = 1; ret == 0 && *text; nr++, text += len + (text[len] == '\n')) {
		char *copy, *line;

		len = strcspn(text, "\n");
		copy = strndup(text, len);
		line = copy ? str_trim(copy) : NULL;
		if (!line)
			ret = -ENOMEM;
		else if (*line && *line != '#')
			ret = parse_line(state, line, nr, err);
		free(copy);
	}
	if (ret == 0)
		return state;
	kt_err_set(err, ret, "out of memory");
	kt_state_destroy(state);
	return NULL;
}

char *kt_state_text(const struct kt_state *state)
{
	struct str s = STR_INIT;
	size_t i, l;

	for (i = 0; i < state->nr; i++) {
		const struct kt_state_section *sec = &state->sections[i];

		str_addf(&s, "%s[%s]\n", i ? "\n" : "", sec->name);
		for (l = 0; l < sec->nr; l++)
			str_addf(&s, "%s =%s%s\n", sec->lines[l].key,
				 *sec->lines[l].value ? " " : "",
				 sec->lines[l].value);
	}
	return str_take(&s);
}

/* Options that are on at boot; the others are off. Those of tracers come with the tracer. */
static const char on_at_boot[] =
	"print-parent annotate context-info irq-info markers overwrite record-cmd function-trace "
	"hash-ptr trace_printk sleep-time graph-time funcgraph-cpu "
	"funcgraph-overhead funcgraph-irqs funcgraph-duration";

/* Leaves the options that differ, in place; "" when none does */
static void hide_options(char *words)
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
			continue;	/* on in the top buffer, off in instances */
		on = str_has_word(on_at_boot, word);
		if (on || (str_starts(word, "no") && !str_has_word(on_at_boot, word + 2)))
			continue;
		if (to != words)
			*to++ = ' ';
		memmove(to, p, len);
		to += len;
	}
	*to = '\0';
}

static bool is_boot_value(const struct kt_state_line *line, const struct state_file *files)
{
	for (; files->name; files++)
		if (strcmp(files->name, line->key) == 0)
			return files->boot && str_has_word(files->boot, line->value);
	return false;
}

/*
 * "3" or "7f,ffffffff": a first digit with no gaps, and nothing but f after it; of a machine
 * with more CPUs than these it was chosen.
 */
static bool is_all_cpus(const char *mask)
{
	long cpus = 0;
	const char *p;

	if (!*mask || !strchr("137f", *mask) || mask[1 + strspn(mask + 1, "f,")])
		return false;
	for (p = mask; *p; p++)
		cpus += *p == 'f' ? 4 : *p == '7' ? 3 : *p == '3' ? 2 : *p == '1' ? 1 : 0;
	return cpus >= sysconf(_SC_NPROCESSORS_CONF);
}

/* "DEFAULTS OSNOISE_WORKLOAD NO_PANIC_ON_STOP …": the first two, and all others off */
static bool is_all_of_osnoise(const char *options)
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

/* "0-3", of all CPUs there are, or one of one */
static bool is_all_cpus_list(const char *list)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return str_starts(list, "0-") ? atol(list + 2) >= cpus - 1 && !strchr(list, ',')
				      : cpus == 1 && strcmp(list, "0") == 0;
}

static bool is_default(struct kt_state_line *line)
{
	if (strcmp(line->key, "options") == 0) {
		hide_options(line->value);
		return !*line->value;
	}
	if (strcmp(line->key, "tracing_cpumask") == 0)
		return is_all_cpus(line->value);
	if (strcmp(line->key, "osnoise/options") == 0)
		return is_all_of_osnoise(line->value);
	if (strcmp(line->key, "osnoise/cpus") == 0)
		return is_all_cpus_list(line->value);
	return !*line->value || is_boot_value(line, state_buffer_files) ||
	       is_boot_value(line, state_machine_files);
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

/* Lines of @a that @b lacks, each behind @sign; the section's name before the first */
static void add_missing(struct str *out, char sign, const struct kt_state_section *a,
			const struct kt_state_section *b, bool *named)
{
	size_t i;

	for (i = 0; a && i < a->nr; i++) {
		if (state_has(b, a->lines[i].key, a->lines[i].value))
			continue;
		if (!*named)
			str_addf(out, "[%s]\n", a->name);
		*named = true;
		str_addf(out, "%c%s = %s\n", sign, a->lines[i].key, a->lines[i].value);
	}
}

char *kt_state_diff(const struct kt_state *a, const struct kt_state *b)
{
	struct str out = STR_INIT;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		const struct kt_state_section *other = state_find(b, a->sections[i].name);
		bool named = false;

		add_missing(&out, '-', &a->sections[i], other, &named);
		add_missing(&out, '+', other, &a->sections[i], &named);
	}
	for (i = 0; i < b->nr; i++) {
		bool named = false;

		if (!state_find(a, b->sections[i].name))
			add_missing(&out, '+', &b->sections[i], NULL, &named);
	}
	return str_take(&out);
}
