/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot.c - a tracing session as bootconfig */
#include "session/boot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/instance.h>
#include <ktrail/selection.h>

#include "base/str.h"
#include "base/suggest.h"
#include "probe/dynamic.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/* Of which words of a key may be made: Linux, Documentation/admin-guide/bootconfig.rst */
#define KEY_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

static int note(struct kt_names *notes, const struct kt_names *have, const char *what,
		const char *name)
{
	char hint[SUGGEST_SIZE];
	struct str s = STR_INIT;
	int ret;

	str_addf(&s, "this kernel has no %s '%s'%s", what, name,
		 suggest_one(name, suggest_from(have), hint));
	ret = s.failed ? -ENOMEM : kt_names_add(notes, s.buf);
	str_fini(&s);
	return ret;
}

static int check_word(struct kt_names *notes, const struct kt_names *have, const char *what,
		      const char *name)
{
	if (!name || !have->nr || kt_names_has(have, name))
		return 0;
	return note(notes, have, what, name);
}

/* Events that the session defines itself: of kprobes:reads "kprobes/reads" */
static bool is_defined(const struct kt_setup *setup, const char *event)
{
	char name[512];
	size_t i, cut = strcspn(event, ":/");

	for (i = 0; event[cut] && i < setup->boot_probes.nr; i++) {
		dynamic_event_kind(setup->boot_probes.names[i], name, sizeof(name));
		if (strncmp(name, event, cut) == 0 && name[cut] == '/' &&
		    strcmp(name + cut + 1, event + cut + 1) == 0)
			return true;
	}
	return false;
}

static int check_events(const struct kt_instance *inst, const struct kt_setup *setup,
			const struct kt_setup_buffer *buf, struct kt_names *notes)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < buf->nr_events; i++) {
		struct kt_names dirs = { 0 };
		struct kt_err err = { 0 };

		if (!is_defined(setup, buf->events[i].name) &&
		    kt_selection_find(inst, buf->events[i].name, &dirs, &err) < 0)
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
			ret = note(notes, &have, "option", name);
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
		return kt_names_add(notes,
				    "names are not checked: tracefs of this kernel cannot be read");
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
			ret = check_events(inst, setup, buf, notes);
	}
	kt_names_fini(&tracers);
	kt_names_fini(&clocks);
	kt_instance_close(inst, NULL);
	return ret;
}

/* In quotes that the text does not hold: bootconfig has no escape,
 * and the kernel 256 bytes for it */
static int add_quoted(struct str *s, const char *text, struct kt_err *err)
{
	char quote = strchr(text, '"') ? '\'' : '"';

	if (strchr(text, quote))
		return kt_err_set(err, -EINVAL, "a bootconfig cannot hold both kinds of quotes: %s",
				  text);
	if (strlen(text) > 255)
		return kt_err_set(err, -EINVAL,
				  "at boot the kernel takes 255 characters, these are %zu: %s",
				  strlen(text), text);
	str_addf(s, "%c%s%c", quote, text, quote);
	return 0;
}

static void add_list(struct str *s, const char *prefix, const char *key,
		     const struct kt_names *list)
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
	int ret = 0;

	if (!ev->filter && !ev->triggers.nr)
		return 0;
	if (!ev->name[cut] || strpbrk(ev->name, "*?["))
		return kt_err_set(err, -EINVAL, "a filter or trigger at boot wants one event, "
				  "SYSTEM:EVENT: '%s' is not", ev->name);
	if (ev->filter) {
		str_addf(s, "%sevent.%.*s.%s.filter = ", prefix, (int)cut, ev->name,
			 ev->name + cut + 1);
		ret = add_quoted(s, ev->filter, err);
		str_addc(s, '\n');
	}
	if (ev->triggers.nr)
		str_addf(s, "%sevent.%.*s.%s.actions = ", prefix, (int)cut, ev->name,
			 ev->name + cut + 1);
	for (i = 0; ret == 0 && i < ev->triggers.nr; i++) {
		str_add(s, i ? ", " : "");
		ret = add_quoted(s, ev->triggers.names[i], err);
	}
	if (ev->triggers.nr)
		str_addc(s, '\n');
	return ret;
}

static bool any(const struct kt_names *n, bool (*is)(const char *name))
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		if (is(n->names[i]))
			return true;
	return false;
}

/* The kernel sets them in this order: variables before those that use them. */
static int add_details(struct str *s, const char *prefix, const struct kt_setup_buffer *buf,
		       struct kt_err *err)
{
	size_t i, pass;
	int ret = 0;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; ret == 0 && i < buf->nr_events; i++)
			if (any(&buf->events[i].triggers, ctl_trigger_depends) == (pass == 1))
				ret = add_event_details(s, prefix, &buf->events[i], err);
	return ret;
}

static void add_functions(struct str *s, const char *prefix, const char *key,
			  const struct kt_setup_buffer *buf, enum kt_function_list list)
{
	struct kt_names names = { 0 };
	size_t i;

	for (i = 0; i < buf->nr_functions; i++)
		if (buf->functions[i].list == list &&
		    kt_names_add(&names, buf->functions[i].pattern) < 0)
			s->failed = true;
	add_list(s, prefix, key, &names);
	kt_names_fini(&names);
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

	boot_add_param_functions(&words, key, buf, list);
	if (words.len)
		str_addf(s, "kernel.%s = \"%s\"\n", key, words.buf + strlen(key) + 1);
	s->failed |= words.failed;
	str_fini(&words);
}

/*
 * A bootconfig sets options first and the tracer last, which has none of its own
 * then. As parameters of the kernel they come together.
 */
static int add_tracer(struct str *s, const char *prefix, const struct kt_setup_buffer *buf,
		      struct kt_err *err)
{
	size_t i, nr = 0;

	if (!any(&buf->options, ctl_is_tracer_option)) {
		if (buf->tracer)
			str_addf(s, "%stracer = %s\n", prefix, buf->tracer);
		add_functions(s, prefix, "ftrace.filters", buf, KT_FUNCTIONS_FILTER);
		add_functions(s, prefix, "ftrace.notraces", buf, KT_FUNCTIONS_NOTRACE);
		return 0;
	}
	if (*buf->name || !buf->tracer)
		return kt_err_set(err, -ENOTSUP,
				  "at boot, options of a tracer can be set only together with it "
				  "in the top buffer, not in '%s'", buf->name);
	str_addf(s, "kernel.ftrace = %s\n", buf->tracer);
	add_kernel_functions(s, "ftrace_filter", buf, KT_FUNCTIONS_FILTER);
	add_kernel_functions(s, "ftrace_notrace", buf, KT_FUNCTIONS_NOTRACE);
	for (i = 0; i < buf->options.nr; i++)
		if (ctl_is_tracer_option(buf->options.names[i]))
			str_addf(s, "%s%s", nr++ ? "," : "kernel.trace_options = \"",
				 buf->options.names[i]);
	str_add(s, "\"\n");
	return 0;
}

static void add_options(struct str *s, const char *prefix, const struct kt_setup_buffer *buf)
{
	struct kt_names names = { 0 };
	size_t i;

	for (i = 0; i < buf->options.nr; i++)
		if (!ctl_is_tracer_option(buf->options.names[i]) &&
		    kt_names_add(&names, buf->options.names[i]) < 0)
			s->failed = true;
	add_list(s, prefix, "options", &names);
	kt_names_fini(&names);
}

static int add_buffer(struct str *s, const struct kt_setup_buffer *buf, struct kt_err *err)
{
	char prefix[300];
	size_t i, nr = 0;
	int ret;

	if (buf->name[strspn(buf->name, KEY_CHARS)])
		return kt_err_set(err, -EINVAL, "a bootconfig has no instance of the name '%s': "
				  "letters, digits, - and _", buf->name);
	snprintf(prefix, sizeof(prefix), "ftrace.%s%s%s", *buf->name ? "instance." : "", buf->name,
		 *buf->name ? "." : "");
	ret = add_tracer(s, prefix, buf, err);
	for (i = 0; i < buf->nr_events; i++)
		if (!buf->events[i].off) {
			str_addf(s, "%s%s", nr ? ", " : prefix, nr ? "" : "events = ");
			nr++;
			boot_add_event_name(s, buf->events[i].name);
		}
	if (nr)
		str_addc(s, '\n');
	if (ret == 0)
		ret = add_details(s, prefix, buf, err);
	add_options(s, prefix, buf);
	if (buf->clock)
		str_addf(s, "%strace_clock = %s\n", prefix, buf->clock);
	if (buf->buffer_kb)
		str_addf(s, "%sbuffer_size = %" PRIu64 "KB\n", prefix, buf->buffer_kb);
	if (buf->cpumask)
		str_addf(s, "%scpumask = \"%s\"\n", prefix, buf->cpumask);
	return ret;
}

/* "s:synthetic/lat u64 d; pid_t pid": a list of fields */
static int add_synth(struct str *s, const char *name, const char *fields, struct kt_err *err)
{
	size_t len, nr = 0;
	int ret = 0;

	str_addf(s, "ftrace.event.synthetic.%s.fields = ", name);
	for (; ret == 0 && *(fields += strspn(fields, "; ")); fields += len) {
		char *field;

		len = strcspn(fields, ";");
		field = strndup(fields, len);
		str_add(s, nr++ ? ", " : "");
		ret = field ? add_quoted(s, field, err) : -ENOMEM;
		free(field);
	}
	str_addc(s, '\n');
	return ret;
}

/* "p:kprobes/reads vfs_read $arg1": the kernel puts the name in front again */
static int add_probe(struct str *s, const char *line, struct kt_err *err)
{
	char name[512];
	enum kt_dynamic_kind kind = dynamic_event_kind(line, name, sizeof(name));
	const char *slash = strchr(name, '/'), *rest = line + strcspn(line, " \t");
	int ret;

	rest += strspn(rest, " \t");
	if (slash && kind == KT_DYNAMIC_SYNTH)
		return add_synth(s, slash + 1, rest, err);
	if (!slash || !boot_can_probe(line))
		return kt_err_set(err, -ENOTSUP,
				  "at boot there are kprobes of the group kprobes and synthetic "
				  "events, but not '%s'", line);
	str_addf(s, "ftrace.event.kprobes.%s.probes = ", slash + 1);
	ret = add_quoted(s, rest, err);
	str_addc(s, '\n');
	return ret;
}

/* "name=value" */
static void add_param(struct str *s, const char *param)
{
	const char *value = strchr(param, '=');

	str_addf(s, "kernel.%.*s", (int)strcspn(param, "="), param);
	if (value)
		str_addf(s, " = \"%s\"", value + 1);
	str_addc(s, '\n');
}

static void add_machine(struct str *s, const struct kt_setup *setup)
{
	size_t i;

	add_kernel_functions(s, "ftrace_graph_filter", setup->buffers[0], KT_FUNCTIONS_GRAPH);
	add_kernel_functions(s, "ftrace_graph_notrace", setup->buffers[0],
			     KT_FUNCTIONS_GRAPH_NOTRACE);
	if (setup->graph_depth >= 0)
		str_addf(s, "kernel.ftrace_graph_max_depth = %d\n", setup->graph_depth);
	if (setup->dump_on_oops)
		str_addf(s, "kernel.ftrace_dump_on_oops%s\n",
			 setup->dump_on_oops == 2 ? " = orig_cpu" : "");
	for (i = 0; i < setup->boot_params.nr; i++)
		add_param(s, setup->boot_params.names[i]);
}

char *kt_boot_config(const struct kt_setup *setup, struct kt_err *err)
{
	struct str s = STR_INIT;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < setup->boot_probes.nr; i++)
		ret = add_probe(&s, setup->boot_probes.names[i], err);
	for (i = 0; ret == 0 && i < setup->nr_buffers; i++)
		ret = add_buffer(&s, setup->buffers[i], err);
	add_machine(&s, setup);
	if (ret < 0 || s.failed) {
		kt_err_set(err, ret ? ret : -ENOMEM, "out of memory");
		str_fini(&s);
		return NULL;
	}
	return str_take(&s);
}
