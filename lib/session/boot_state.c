/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot_state.c - a saved state as a session that begins with the kernel */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/instance.h>

#include "base/str.h"
#include "probe/dynamic.h"
#include "session/boot.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

/* What a line becomes: 0, -ENOMEM, or -ENOTSUP: it cannot be said at boot */
struct rule {
	const char *key;
	int (*add)(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value);
};

bool boot_can_probe(const char *line)
{
	char name[512];
	enum kt_dynamic_kind kind = dynamic_event_kind(line, name, sizeof(name));

	return kind == KT_DYNAMIC_SYNTH ||
	       (kind == KT_DYNAMIC_KPROBE && str_starts(name, "kprobes/"));
}

static int add_probe(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)buf;
	return boot_can_probe(value) ? kt_names_add(&setup->boot_probes, value) : -ENOTSUP;
}

static int add_depth(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)buf;
	setup->graph_depth = atoi(value);
	return 0;
}

static int add_param(struct kt_setup *setup, const char *name, const char *value)
{
	char *param;
	int ret = asprintf(&param, "%s=%s", name, value);

	if (ret < 0)
		return -ENOMEM;
	ret = kt_names_add(&setup->boot_params, param);
	free(param);
	return ret;
}

static int add_thresh(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)buf;
	return add_param(setup, "tracing_thresh", value);
}

static int add_oops(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)buf;
	return add_param(setup, "ftrace_dump_on_oops", value);
}

static int add_ftrace_enabled(struct kt_setup *setup, struct kt_setup_buffer *buf,
			      const char *value)
{
	(void)buf;
	return add_param(setup, "sysctl.kernel.ftrace_enabled", value);
}

static int add_stack_tracer(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)buf;
	return *value == '0' ? 0 : kt_names_add(&setup->boot_params, "stacktrace");
}

static int add_graph(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)buf;
	return kt_setup_add_function(setup->buffers[0], KT_FUNCTIONS_GRAPH, value, NULL);
}

static int add_graph_notrace(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)buf;
	return kt_setup_add_function(setup->buffers[0], KT_FUNCTIONS_GRAPH_NOTRACE, value, NULL);
}

static int set_word(char **to, const char *value)
{
	free(*to);
	*to = strdup(value);
	return *to ? 0 : -ENOMEM;
}

static int set_tracer(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	return set_word(&buf->tracer, value);
}

static int set_clock(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	return set_word(&buf->clock, value);
}

static int set_cpumask(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	return set_word(&buf->cpumask, value);
}

static int set_size(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	buf->buffer_kb = strtoull(value, NULL, 10);
	return 0;
}

/* A session begins, as with `start`, also when it was stopped before it was saved. */
static int nothing(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	(void)buf;
	(void)value;
	return 0;
}

static int add_options(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	return kt_names_add_words(&buf->options, value, " ");
}

/* "vfs_read:traceoff:count=3" is a command, which a boot cannot set. */
static int add_filter_function(struct kt_setup *setup, struct kt_setup_buffer *buf,
			       const char *value)
{
	(void)setup;
	return strchr(value, ':') ? -ENOTSUP :
	       kt_setup_add_function(buf, KT_FUNCTIONS_FILTER, value, NULL);
}

static int add_notrace(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	return kt_setup_add_function(buf, KT_FUNCTIONS_NOTRACE, value, NULL);
}

static int add_event(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	(void)setup;
	return kt_setup_add_event(buf, value, false);
}

/* The event of "sched:sched_switch TEXT", off if it was not named before; *@text: the TEXT */
static struct kt_setup_event *event_of(struct kt_setup_buffer *buf, const char *value,
				       const char **text)
{
	char *name = strndup(value, strcspn(value, " "));
	struct kt_setup_event *ev = NULL;
	size_t i;

	*text = value + strcspn(value, " ");
	*text += strspn(*text, " ");
	for (i = 0; name && !ev && i < buf->nr_events; i++)
		if (strcmp(buf->events[i].name, name) == 0)
			ev = &buf->events[i];
	if (name && !ev && kt_setup_add_event(buf, name, true) == 0)
		ev = &buf->events[buf->nr_events - 1];
	free(name);
	return ev;
}

static int add_filter(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	const char *text;
	struct kt_setup_event *ev = event_of(buf, value, &text);

	(void)setup;
	return ev ? set_word(&ev->filter, text) : -ENOMEM;
}

static int add_trigger(struct kt_setup *setup, struct kt_setup_buffer *buf, const char *value)
{
	const char *text;
	struct kt_setup_event *ev = event_of(buf, value, &text);

	(void)setup;
	return ev ? kt_names_add(&ev->triggers, text) : -ENOMEM;
}

static const struct rule machine_rules[] = {
	{ "probe", add_probe },
	{ "max_graph_depth", add_depth },
	{ "tracing_thresh", add_thresh },
	{ "set_graph_function", add_graph },
	{ "set_graph_notrace", add_graph_notrace },
	{ "sysctl/ftrace_dump_on_oops", add_oops },
	{ "sysctl/ftrace_enabled", add_ftrace_enabled },
	{ "sysctl/stack_tracer_enabled", add_stack_tracer },
	{ NULL, NULL }
};

static const struct rule buffer_rules[] = {
	{ "current_tracer", set_tracer },
	{ "trace_clock", set_clock },
	{ "tracing_cpumask", set_cpumask },
	{ "buffer_size_kb", set_size },
	{ "tracing_on", nothing },
	{ "options", add_options },
	{ "set_ftrace_filter", add_filter_function },
	{ "set_ftrace_notrace", add_notrace },
	{ "event", add_event },
	{ "filter", add_filter },
	{ "trigger", add_trigger },
	{ NULL, NULL }
};

static int note(struct kt_names *notes, const char *section, const struct kt_state_line *line)
{
	char *text;
	int ret = asprintf(&text, "[%s] %s = %s: cannot be said at boot", section, line->key,
			   line->value);

	if (ret < 0)
		return -ENOMEM;
	ret = kt_names_add(notes, text);
	free(text);
	return ret;
}

static int add_section(struct kt_setup *setup, const struct kt_state_section *s,
		       struct kt_names *notes)
{
	bool machine = strcmp(s->name, "machine") == 0;
	const char *name = str_starts(s->name, "instance ") ? s->name + strlen("instance ") : "";
	struct kt_setup_buffer *buf = kt_setup_buffer(setup, name);
	size_t i;
	int ret = buf ? 0 : -ENOMEM;

	for (i = 0; ret == 0 && i < s->nr; i++) {
		const struct rule *r = machine ? machine_rules : buffer_rules;

		while (r->key && strcmp(r->key, s->lines[i].key) != 0)
			r++;
		ret = r->key ? r->add(setup, buf, s->lines[i].value) : -ENOTSUP;
		if (ret == -ENOTSUP)
			ret = note(notes, s->name, &s->lines[i]);
	}
	return ret;
}

static bool has_option(const struct kt_names *options, const char *name)
{
	size_t i;

	for (i = 0; i < options->nr; i++)
		if (strcmp(options->names[i] + 2 * str_starts(options->names[i], "no"), name) == 0)
			return true;
	return false;
}

/* An instance begins with the options of the top buffer: those it shall not have are said. */
static int add_opposites(const struct kt_setup *setup, struct kt_setup_buffer *buf)
{
	const struct kt_names *top = &setup->buffers[0]->options;
	char opposite[128];
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < top->nr; i++) {
		bool off = str_starts(top->names[i], "no");
		const char *name = top->names[i] + 2 * off;

		snprintf(opposite, sizeof(opposite), "%s%s", off ? "" : "no", name);
		if (!ctl_is_tracer_option(name) && !has_option(&buf->options, name))
			ret = kt_names_add(&buf->options, opposite);
	}
	return ret;
}

int kt_boot_add_state(struct kt_setup *setup, const struct kt_state *state, struct kt_names *notes)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < state->nr; i++)
		ret = add_section(setup, &state->sections[i], notes);
	for (i = 1; ret == 0 && i < setup->nr_buffers; i++)
		ret = add_opposites(setup, setup->buffers[i]);
	return ret;
}
