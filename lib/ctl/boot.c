/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot.c - a tracing session as bootconfig or kernel command line */
#include <ktrail/boot.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/selection.h>

#include "base/str.h"

static int note(struct kt_names *notes, const char *what, const char *name, const char *near)
{
	struct str s = STR_INIT;
	int ret;

	str_addf(&s, "this kernel has no %s '%s'", what, name);
	if (near)
		str_addf(&s, ", did you mean '%s'?", near);
	ret = s.failed ? -ENOMEM : kt_names_add(notes, s.buf);
	str_fini(&s);
	return ret;
}

static int check_word(struct kt_names *notes, const struct kt_names *have, const char *what,
		      const char *name)
{
	if (!name || !have->nr || kt_names_has(have, name))
		return 0;
	return note(notes, what, name, kt_names_nearest(have, name));
}

static int check_events(const struct kt_instance *inst, const struct kt_setup_buffer *buf,
			struct kt_names *notes)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < buf->nr_events; i++) {
		struct kt_names dirs = { 0 };
		struct kt_err err = { 0 };

		if (kt_selection_find(inst, buf->events[i].name, &dirs, &err) < 0)
			ret = kt_names_add(notes, err.msg);
		kt_names_fini(&dirs);
	}
	return ret;
}

/* "nostacktrace" is the option "stacktrace" */
static int check_options(const struct kt_instance *inst, const struct kt_setup_buffer *buf,
			 struct kt_names *notes)
{
	struct kt_names have = { 0 };
	size_t i;
	int ret = 0;

	kt_instance_options(inst, &have, NULL);
	for (i = 0; ret == 0 && have.nr && i < buf->options.nr; i++) {
		const char *name = buf->options.names[i];
		const char *plain = str_starts(name, "no") ? name + 2 : name;

		if (kt_instance_is_option(inst, name, NULL) < 0 &&
		    kt_instance_is_option(inst, plain, NULL) < 0)
			ret = note(notes, "option", name, kt_names_nearest(&have, name));
	}
	kt_names_fini(&have);
	return ret;
}

int kt_boot_check(const struct kt_setup *setup, struct kt_names *notes)
{
	struct kt_instance *inst = kt_instance_open(NULL, 0, NULL);
	struct kt_names tracers = { 0 }, clocks = { 0 };
	size_t i;
	int ret = 0;

	if (!inst)
		return kt_names_add(notes, "names are not checked: tracefs of this kernel cannot be read");
	kt_instance_tracers(inst, &tracers, NULL);
	kt_instance_clocks(inst, &clocks, NULL);
	for (i = 0; ret == 0 && i < setup->nr_buffers; i++) {
		const struct kt_setup_buffer *buf = setup->buffers[i];

		ret = check_word(notes, &tracers, "tracer", buf->tracer);
		if (ret == 0)
			ret = check_word(notes, &clocks, "clock", buf->clock);
		if (ret == 0)
			ret = check_options(inst, buf, notes);
		if (ret == 0)
			ret = check_events(inst, buf, notes);
	}
	kt_names_fini(&tracers);
	kt_names_fini(&clocks);
	kt_instance_close(inst, NULL);
	return ret;
}

/* "sched:sched_switch"; a bare name means a system or an event, as for set_event */
static void add_event_name(struct str *s, const char *name)
{
	size_t cut = strcspn(name, ":/");

	if (strcmp(name, "all") == 0)
		str_add(s, "*:*");
	else if (!name[cut])
		str_add(s, name);
	else
		str_addf(s, "%.*s:%s", (int)cut, name, name[cut + 1] ? name + cut + 1 : "*");
}

/* In quotes that the text does not hold: bootconfig has no escape */
static void add_quoted(struct str *s, const char *text)
{
	char quote = strchr(text, '"') ? '\'' : '"';

	str_addf(s, "%c%s%c", quote, text, quote);
}

static void add_list(struct str *s, const char *prefix, const char *key, const struct kt_names *list)
{
	size_t i;

	if (!list->nr)
		return;
	str_addf(s, "%s%s = ", prefix, key);
	for (i = 0; i < list->nr; i++)
		str_addf(s, "%s%s", i ? ", " : "", list->names[i]);
	str_addc(s, '\n');
}

/* Filters and triggers need one event: "event.SYSTEM.EVENT.filter" */
static int add_event_details(struct str *s, const char *prefix, const struct kt_setup_event *ev,
			     struct kt_err *err)
{
	size_t cut = strcspn(ev->name, ":/"), i;

	if (!ev->filter && !ev->triggers.nr)
		return 0;
	if (!ev->name[cut] || strpbrk(ev->name, "*?["))
		return kt_err_set(err, -EINVAL, "a filter or trigger at boot wants one event, "
				  "SYSTEM:EVENT: '%s' is not", ev->name);
	if (ev->filter) {
		str_addf(s, "%sevent.%.*s.%s.filter = ", prefix, (int)cut, ev->name,
			 ev->name + cut + 1);
		add_quoted(s, ev->filter);
		str_addc(s, '\n');
	}
	if (ev->triggers.nr)
		str_addf(s, "%sevent.%.*s.%s.actions = ", prefix, (int)cut, ev->name,
			 ev->name + cut + 1);
	for (i = 0; i < ev->triggers.nr; i++) {
		str_add(s, i ? ", " : "");
		add_quoted(s, ev->triggers.names[i]);
	}
	if (ev->triggers.nr)
		str_addc(s, '\n');
	return 0;
}

static void add_functions(struct str *s, const char *prefix, const char *key,
			  const struct kt_setup_buffer *buf, enum kt_function_list list)
{
	struct kt_names names = { 0 };
	size_t i;

	for (i = 0; i < buf->nr_functions; i++)
		if (buf->functions[i].list == list && kt_names_add(&names, buf->functions[i].pattern) < 0)
			s->failed = true;
	add_list(s, prefix, key, &names);
	kt_names_fini(&names);
}

static void add_param(struct str *s, const char *key)
{
	str_addf(s, "%s%s=", s->len ? " " : "", key);
}

static void add_param_functions(struct str *s, const char *key, const struct kt_setup_buffer *buf,
				enum kt_function_list list)
{
	size_t i, nr = 0;

	for (i = 0; i < buf->nr_functions; i++) {
		if (buf->functions[i].list != list)
			continue;
		if (!nr)
			add_param(s, key);
		str_addf(s, "%s%s", nr++ ? "," : "", buf->functions[i].pattern);
	}
}

/*
 * What is below "kernel." becomes a parameter of the command line, so its name
 * must be one (the manual's fgraph_filters is none in any kernel), and of
 * several values only the last would count: they are one word, with commas.
 */
static void add_kernel_functions(struct str *s, const char *key,
				 const struct kt_setup_buffer *buf, enum kt_function_list list)
{
	struct str words = STR_INIT;

	add_param_functions(&words, key, buf, list);
	if (words.len)
		str_addf(s, "kernel.%s = \"%s\"\n", key, words.buf + strlen(key) + 1);
	s->failed |= words.failed;
	str_fini(&words);
}

static int add_buffer(struct str *s, const struct kt_setup_buffer *buf, struct kt_err *err)
{
	char prefix[300];
	size_t i, nr = 0;
	int ret = 0;

	snprintf(prefix, sizeof(prefix), "ftrace.%s%s%s", *buf->name ? "instance." : "", buf->name,
		 *buf->name ? "." : "");
	if (buf->tracer)
		str_addf(s, "%stracer = %s\n", prefix, buf->tracer);
	for (i = 0; i < buf->nr_events; i++)
		if (!buf->events[i].off) {
			str_addf(s, "%s%s", nr ? ", " : prefix, nr ? "" : "events = ");
			nr++;
			add_event_name(s, buf->events[i].name);
		}
	if (nr)
		str_addc(s, '\n');
	for (i = 0; ret == 0 && i < buf->nr_events; i++)
		ret = add_event_details(s, prefix, &buf->events[i], err);
	add_list(s, prefix, "options", &buf->options);
	if (buf->clock)
		str_addf(s, "%strace_clock = %s\n", prefix, buf->clock);
	if (buf->buffer_kb)
		str_addf(s, "%sbuffer_size = %" PRIu64 "KB\n", prefix, buf->buffer_kb);
	if (buf->cpumask)
		str_addf(s, "%scpumask = %s\n", prefix, buf->cpumask);
	add_functions(s, prefix, "ftrace.filters", buf, KT_FUNCTIONS_FILTER);
	add_functions(s, prefix, "ftrace.notraces", buf, KT_FUNCTIONS_NOTRACE);
	return ret;
}

char *kt_boot_config(const struct kt_setup *setup, struct kt_err *err)
{
	struct str s = STR_INIT;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < setup->nr_buffers; i++)
		ret = add_buffer(&s, setup->buffers[i], err);
	add_kernel_functions(&s, "ftrace_graph_filter", setup->buffers[0], KT_FUNCTIONS_GRAPH);
	add_kernel_functions(&s, "ftrace_graph_notrace", setup->buffers[0],
			     KT_FUNCTIONS_GRAPH_NOTRACE);
	if (setup->graph_depth >= 0)
		str_addf(&s, "kernel.ftrace_graph_max_depth = %d\n", setup->graph_depth);
	if (setup->dump_on_oops)
		str_addf(&s, "kernel.ftrace_dump_on_oops%s\n",
			 setup->dump_on_oops == 2 ? " = orig_cpu" : "");
	if (ret < 0 || s.failed) {
		kt_err_set(err, ret ? ret : -ENOMEM, "out of memory");
		str_fini(&s);
		return NULL;
	}
	return str_take(&s);
}

/* Events, separated by commas; those that are kept out cannot be said. */
static void add_param_events(struct str *s, const struct kt_setup_buffer *buf, const char *first)
{
	size_t i, nr = 0;

	for (i = 0; i < buf->nr_events; i++) {
		if (buf->events[i].off)
			continue;
		str_add(s, nr++ ? "," : first);
		add_event_name(s, buf->events[i].name);
	}
}

static int check_cmdline(const struct kt_setup *setup, struct kt_err *err)
{
	static const char *const advice = "a bootconfig can (without --cmdline)";
	size_t i, e;

	for (i = 0; i < setup->nr_buffers; i++) {
		const struct kt_setup_buffer *buf = setup->buffers[i];

		for (e = 0; e < buf->nr_events; e++)
			if (buf->events[e].filter)
				return kt_err_set(err, -ENOTSUP, "a command line cannot filter '%s', %s",
						  buf->events[e].name, advice);
			else if (*buf->name && buf->events[e].triggers.nr)
				return kt_err_set(err, -ENOTSUP, "a command line cannot set triggers of "
						  "the instance '%s', %s", buf->name, advice);
		if (*buf->name && (buf->tracer || buf->clock || buf->buffer_kb || buf->options.nr ||
				   buf->nr_functions || buf->cpumask))
			return kt_err_set(err, -ENOTSUP, "a command line sets only the events of an "
					  "instance ('%s'), %s", buf->name, advice);
		if (buf->cpumask)
			return kt_err_set(err, -ENOTSUP, "a command line has no CPU mask, %s", advice);
	}
	return 0;
}

static void add_triggers(struct str *s, const struct kt_setup_buffer *buf)
{
	size_t i, t, nr = 0;

	for (i = 0; i < buf->nr_events; i++)
		for (t = 0; t < buf->events[i].triggers.nr; t++) {
			const char *name = buf->events[i].name + strcspn(buf->events[i].name, ":/");

			if (!nr)
				str_addf(s, "%strace_trigger=\"", s->len ? " " : "");
			str_addf(s, "%s%s.%s", nr++ ? "," : "", *name ? name + 1 : buf->events[i].name,
				 buf->events[i].triggers.names[t]);
		}
	if (nr)
		str_addc(s, '"');
}

static void add_top(struct str *s, const struct kt_setup *setup)
{
	const struct kt_setup_buffer *top = setup->buffers[0];
	size_t i;

	if (top->tracer)
		str_addf(s, "ftrace=%s", top->tracer);
	add_param_functions(s, "ftrace_filter", top, KT_FUNCTIONS_FILTER);
	add_param_functions(s, "ftrace_notrace", top, KT_FUNCTIONS_NOTRACE);
	add_param_functions(s, "ftrace_graph_filter", top, KT_FUNCTIONS_GRAPH);
	add_param_functions(s, "ftrace_graph_notrace", top, KT_FUNCTIONS_GRAPH_NOTRACE);
	if (setup->graph_depth >= 0)
		str_addf(s, "%sftrace_graph_max_depth=%d", s->len ? " " : "", setup->graph_depth);
	if (setup->dump_on_oops)
		str_addf(s, "%sftrace_dump_on_oops%s", s->len ? " " : "",
			 setup->dump_on_oops == 2 ? "=orig_cpu" : "");
	add_param_events(s, top, s->len ? " trace_event=" : "trace_event=");
	add_triggers(s, top);
	for (i = 0; i < top->options.nr; i++) {
		if (!i)
			add_param(s, "trace_options");
		str_addf(s, "%s%s", i ? "," : "", top->options.names[i]);
	}
	if (top->clock) {
		add_param(s, "trace_clock");
		str_add(s, top->clock);
	}
	if (top->buffer_kb) {
		add_param(s, "trace_buf_size");
		str_addf(s, "%" PRIu64 "K", top->buffer_kb);
	}
}

char *kt_boot_cmdline(const struct kt_setup *setup, struct kt_err *err)
{
	struct str s = STR_INIT;
	size_t i;

	if (check_cmdline(setup, err) < 0)
		return NULL;
	add_top(&s, setup);
	for (i = 1; i < setup->nr_buffers; i++) {
		add_param(&s, "trace_instance");
		str_add(&s, setup->buffers[i]->name);
		add_param_events(&s, setup->buffers[i], ",");
	}
	if (!s.failed)
		str_addc(&s, '\n');
	if (s.failed)
		kt_err_set(err, -ENOMEM, "out of memory");
	return str_take(&s);
}
