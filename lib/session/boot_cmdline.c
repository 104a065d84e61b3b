/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot_cmdline.c - a tracing session as parameters of the kernel's command line */
#include "session/boot.h"
#include "probe/dynamic.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/instance.h>

void boot_add_event_name(struct str *s, const char *name)
{
	size_t cut = strcspn(name, ":/");

	if (strcmp(name, "all") == 0)
		str_add(s, "*:*");
	else if (!name[cut])
		str_add(s, name);
	else
		str_addf(s, "%.*s:%s", (int)cut, name, name[cut + 1] ? name + cut + 1 : "*");
}

static void add_param(struct str *s, const char *key)
{
	str_addf(s, "%s%s=", s->len ? " " : "", key);
}

void boot_add_param_functions(struct str *s, const char *key, const struct kt_setup_buffer *buf,
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

/* Probes are on when they are made, and no event before that. */
static bool is_probe(const char *event)
{
	return str_starts(event, "kprobes:") || str_starts(event, "kprobes/");
}

/* Events, separated by commas; those that are kept out cannot be said. */
static void add_param_events(struct str *s, const struct kt_setup_buffer *buf, const char *first)
{
	size_t i, nr = 0;

	for (i = 0; i < buf->nr_events; i++) {
		if (buf->events[i].off || is_probe(buf->events[i].name))
			continue;
		str_add(s, nr++ ? "," : first);
		boot_add_event_name(s, buf->events[i].name);
	}
}

static const char advice[] = "a bootconfig can (without --cmdline)";

/* Triggers stand in quotes, with commas between them. */
static int check_event(const struct kt_setup_buffer *buf, const struct kt_setup_event *ev,
		       struct kt_err *err)
{
	size_t i;

	if (ev->filter)
		return kt_err_set(err, -ENOTSUP, "a command line cannot filter '%s', %s", ev->name,
				  advice);
	if (*buf->name && ev->triggers.nr)
		return kt_err_set(err, -ENOTSUP,
				  "a command line cannot set triggers of the instance '%s', %s",
				  buf->name, advice);
	if (*buf->name && is_probe(ev->name))
		return kt_err_set(err, -ENOTSUP,
				  "a command line has probes for the top buffer only, not for "
				  "'%s', %s", buf->name, advice);
	for (i = 0; i < ev->triggers.nr; i++)
		if (strpbrk(ev->triggers.names[i], ",\""))
			return kt_err_set(err, -ENOTSUP,
					  "a command line cannot have a trigger with a comma or "
					  "quotes, %s: %s", advice, ev->triggers.names[i]);
	return 0;
}

static bool is_on(const struct kt_setup_buffer *buf, const char *system_event)
{
	size_t i;

	for (i = 0; i < buf->nr_events; i++)
		if (!buf->events[i].off && (strcmp(buf->events[i].name, system_event) == 0 ||
					    strcmp(buf->events[i].name, "kprobes") == 0))
			return true;
	return false;
}

static int check_probe(const struct kt_setup *setup, const char *line, struct kt_err *err)
{
	char name[512], *slash;
	enum kt_dynamic_kind kind = dynamic_event_kind(line, name, sizeof(name));

	slash = strchr(name, '/');
	if (slash)
		*slash = ':';
	if (kind != KT_DYNAMIC_KPROBE && kind != KT_DYNAMIC_KRETPROBE)
		return kt_err_set(err, -ENOTSUP, "a command line has kprobes only, %s: %s", advice,
				  line);
	if (!is_on(setup->buffers[0], name))
		return kt_err_set(err, -ENOTSUP,
				  "a probe of the command line is on in the top buffer, and '%s' "
				  "is not, %s", name, advice);
	return 0;
}

/* Seen on 6.12: each instance gets the triggers, without their conditions */
static int check_triggers(const struct kt_setup *setup, struct kt_err *err)
{
	const struct kt_setup_buffer *top = setup->buffers[0];
	size_t i;

	for (i = 0; setup->nr_buffers > 1 && i < top->nr_events; i++)
		if (top->events[i].triggers.nr)
			return kt_err_set(err, -ENOTSUP,
					  "a command line sets the triggers of '%s' in the "
					  "instance '%s', too, %s", top->events[i].name,
					  setup->buffers[1]->name, advice);
	return 0;
}

static int check_cmdline(const struct kt_setup *setup, struct kt_err *err)
{
	size_t i, e;
	int ret = 0;

	for (i = 0; ret == 0 && i < setup->boot_probes.nr; i++)
		ret = check_probe(setup, setup->boot_probes.names[i], err);
	for (i = 0; ret == 0 && i < setup->nr_buffers; i++) {
		const struct kt_setup_buffer *buf = setup->buffers[i];

		for (e = 0; ret == 0 && e < buf->nr_events; e++)
			ret = check_event(buf, &buf->events[e], err);
		if (ret < 0)
			break;
		if (*buf->name && (buf->tracer || buf->clock || buf->buffer_kb || buf->options.nr ||
				   buf->nr_functions || buf->cpumask))
			return kt_err_set(err, -ENOTSUP,
					  "a command line sets only the events of an instance "
					  "('%s'), %s", buf->name, advice);
		if (buf->cpumask)
			return kt_err_set(err, -ENOTSUP, "a command line has no CPU mask, %s",
					  advice);
	}
	return ret < 0 ? ret : check_triggers(setup, err);
}

/* "kprobe_event=p:kprobes/reads,vfs_read;…": blanks become commas */
static void add_probes(struct str *s, const struct kt_names *probes)
{
	size_t i;
	const char *p;

	if (probes->nr)
		add_param(s, "kprobe_event");
	for (i = 0; i < probes->nr; i++) {
		str_add(s, i ? ";" : "");
		for (p = probes->names[i]; *p; p++)
			str_addc(s, *p == ' ' || *p == '\t' ? ',' : *p);
	}
}

static void add_triggers(struct str *s, const struct kt_setup_buffer *buf)
{
	size_t i, t, nr = 0;

	for (i = 0; i < buf->nr_events; i++)
		for (t = 0; t < buf->events[i].triggers.nr; t++) {
			const char *name = buf->events[i].name + strcspn(buf->events[i].name, ":/");

			if (!nr)
				str_addf(s, "%strace_trigger=\"", s->len ? " " : "");
			str_addf(s, "%s%s.%s", nr++ ? "," : "",
				 *name ? name + 1 : buf->events[i].name,
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
	boot_add_param_functions(s, "ftrace_filter", top, KT_FUNCTIONS_FILTER);
	boot_add_param_functions(s, "ftrace_notrace", top, KT_FUNCTIONS_NOTRACE);
	boot_add_param_functions(s, "ftrace_graph_filter", top, KT_FUNCTIONS_GRAPH);
	boot_add_param_functions(s, "ftrace_graph_notrace", top, KT_FUNCTIONS_GRAPH_NOTRACE);
	if (setup->graph_depth >= 0)
		str_addf(s, "%sftrace_graph_max_depth=%d", s->len ? " " : "", setup->graph_depth);
	if (setup->dump_on_oops)
		str_addf(s, "%sftrace_dump_on_oops%s", s->len ? " " : "",
			 setup->dump_on_oops == 2 ? "=orig_cpu" : "");
	add_probes(s, &setup->boot_probes);
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

static void add_params(struct str *s, const struct kt_names *params)
{
	size_t i;

	for (i = 0; i < params->nr; i++)
		str_addf(s, "%s%s", s->len ? " " : "", params->names[i]);
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
	add_params(&s, &setup->boot_params);
	if (!s.failed)
		str_addc(&s, '\n');
	if (s.failed)
		kt_err_set(err, -ENOMEM, "out of memory");
	return str_take(&s);
}
