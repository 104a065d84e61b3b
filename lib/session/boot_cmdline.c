/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot_cmdline.c - a tracing session as parameters of the kernel's command line */
#include "session/boot.h"
#include "probe/dynamic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

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

int boot_values(const struct kt_state_section *wish, const struct state_row *row, const char *kb,
		struct kt_names *out)
{
	const char *value;
	size_t i = 0;
	int ret = 0;

	if (strcmp(row->key, "options") == 0)
		return state_words(wish, row->key, out);
	while (ret == 0 && (value = kt_state_next(wish, row->key, &i))) {
		if (row->boot_value)
			value = row->boot_value(value);
		if (value)
			ret = kt_names_addf(out, "%s%s", value, row->in_kb ? kb : "");
	}
	return ret;
}

static void add_param(struct str *s, const char *key)
{
	str_addf(s, "%s%s=", s->len ? " " : "", key);
}

/* The kernel enables a probe of the command line when it creates it: trace_event= is processed
 * before that, and cannot name it. */
static bool is_probe(const char *event)
{
	return str_starts(event, "kprobes:") || str_starts(event, "kprobes/");
}

/* Events, separated by commas. A command line cannot exclude events. */
static void add_param_events(struct str *s, const struct kt_state_section *wish, const char *first)
{
	const char *event;
	size_t i = 0, nr = 0;

	while ((event = kt_state_next(wish, "event", &i))) {
		if (*event == '!' || is_probe(event))
			continue;
		str_add(s, nr++ ? "," : first);
		boot_add_event_name(s, event);
	}
}

static const char advice[] = "a bootconfig can (without --cmdline)";

static const char *trigger_text(const char *value)
{
	value += strcspn(value, " ");
	return value + (*value == ' ');
}

/* Of an instance, only events can be set. Triggers are quoted and separated by commas. */
static int check_line(const struct kt_setup_buffer *buf, const struct kt_state_line *line,
		      struct kt_err *err)
{
	const struct state_row *row = state_row(state_buffer_rows, line->key);
	int name = (int)strcspn(line->value, " ");

	if (strcmp(line->key, "filter") == 0)
		return kt_err_set(err, -ENOTSUP, "a command line cannot filter '%.*s', %s", name,
				  line->value, advice);
	if (strcmp(line->key, "trigger") == 0 && *buf->name)
		return kt_err_set(err, -ENOTSUP,
				  "a command line cannot set triggers of the instance '%s', %s",
				  buf->name, advice);
	if (strcmp(line->key, "event") == 0 && *buf->name && is_probe(line->value))
		return kt_err_set(err, -ENOTSUP,
				  "a command line enables probes in the top-level buffer only, not "
				  "in '%s', %s", buf->name, advice);
	if (strcmp(line->key, "trigger") == 0 && strpbrk(trigger_text(line->value), ",\""))
		return kt_err_set(err, -ENOTSUP,
				  "a command line cannot set a trigger with a comma or quotes, "
				  "%s: %s", advice, trigger_text(line->value));
	if (*buf->name && strcmp(line->key, "event") != 0)
		return kt_err_set(err, -ENOTSUP,
				  "a command line sets only the events of an instance ('%s'), %s",
				  buf->name, advice);
	return !row || row->param ? 0 :
		kt_err_set(err, -ENOTSUP, "a command line cannot set %s, %s", line->key, advice);
}

static bool is_on(const struct kt_state_section *wish, const char *system_event)
{
	return state_has(wish, "event", system_event) || state_has(wish, "event", "kprobes");
}

static int check_probe(const struct kt_setup *setup, const char *line, struct kt_err *err)
{
	char name[512], *slash;
	enum kt_dynamic_kind kind = dynamic_event_kind(line, name, sizeof(name));

	slash = strchr(name, '/');
	if (slash)
		*slash = ':';
	if (kind != KT_DYNAMIC_KPROBE && kind != KT_DYNAMIC_KRETPROBE)
		return kt_err_set(err, -ENOTSUP, "a command line defines only kprobes, %s: %s",
				  advice, line);
	if (!is_on(&setup->buffers[0]->wish, name))
		return kt_err_set(err, -ENOTSUP,
				  "a command line enables its probes in the top-level buffer, "
				  "where '%s' is disabled, %s", name, advice);
	return 0;
}

static int check_cmdline(const struct kt_setup *setup, struct kt_err *err)
{
	const struct kt_state_section *top = &setup->buffers[0]->wish;
	const char *line;
	size_t i = 0, l;
	int ret = 0;

	while (ret == 0 && (line = kt_state_next(&setup->machine, "probe", &i)))
		ret = check_probe(setup, line, err);
	for (i = 0; ret == 0 && i < setup->nr_buffers; i++)
		for (l = 0; ret == 0 && l < setup->buffers[i]->wish.nr; l++)
			ret = check_line(setup->buffers[i], &setup->buffers[i]->wish.lines[l], err);
	/* Seen on 6.12: each instance gets the triggers, without their conditions */
	line = kt_state_value(top, "trigger");
	return ret < 0 || !line || setup->nr_buffers == 1 ? ret :
		kt_err_set(err, -ENOTSUP,
			   "a command line sets the triggers of '%.*s' also in the instance '%s', "
			   "%s", (int)strcspn(line, " "), line, setup->buffers[1]->name, advice);
}

/* "kprobe_event=p:kprobes/reads,vfs_read;…": blanks become commas */
static void add_probes(struct str *s, const struct kt_state_section *machine)
{
	const char *p;
	size_t i = 0, nr = 0;

	while ((p = kt_state_next(machine, "probe", &i))) {
		if (!nr)
			add_param(s, "kprobe_event");
		str_add(s, nr++ ? ";" : "");
		for (; *p; p++)
			str_addc(s, *p == ' ' || *p == '\t' ? ',' : *p);
	}
}

static void add_triggers(struct str *s, const struct kt_state_section *wish)
{
	const char *value;
	size_t i = 0, nr = 0;

	while ((value = kt_state_next(wish, "trigger", &i))) {
		size_t len = strcspn(value, " "), cut = strcspn(value, ":/");

		cut = cut < len ? cut + 1 : 0;
		if (!nr)
			str_addf(s, "%strace_trigger=\"", s->len ? " " : "");
		str_addf(s, "%s%.*s.%s", nr++ ? "," : "", (int)(len - cut), value + cut,
			 trigger_text(value));
	}
	if (nr)
		str_addc(s, '"');
}

static void add_row(struct str *s, const struct state_row *row, const struct kt_state_section *wish)
{
	struct kt_names values = { 0 };
	size_t i;

	if (boot_values(wish, row, "K", &values) < 0)
		s->failed = true;
	if (values.nr)
		str_addf(s, "%s%s%s", s->len ? " " : "", row->param, *values.names[0] ? "=" : "");
	for (i = 0; i < values.nr; i++)
		str_addf(s, "%s%s", i ? "," : "", values.names[i]);
	kt_names_fini(&values);
}

char *kt_boot_cmdline(const struct kt_setup *setup, struct kt_err *err)
{
	const struct kt_state_section *top = &setup->buffers[0]->wish;
	const struct state_row *row;
	struct str s = STR_INIT;
	size_t i;

	if (check_cmdline(setup, err) < 0)
		return NULL;
	for (row = state_buffer_rows; row->key; row++)
		if (row->param && !str_has_word("event trigger", row->key))
			add_row(&s, row, top);
	for (row = state_machine_rows; row->key; row++)
		if (row->param && row->form != STATE_OWN)
			add_row(&s, row, row->form == STATE_LIST ? top : &setup->machine);
	add_probes(&s, &setup->machine);
	add_param_events(&s, top, s.len ? " trace_event=" : "trace_event=");
	add_triggers(&s, top);
	for (i = 1; i < setup->nr_buffers; i++) {
		add_param(&s, "trace_instance");
		str_add(&s, setup->buffers[i]->name);
		add_param_events(&s, &setup->buffers[i]->wish, ",");
	}
	if (!s.failed)
		str_addc(&s, '\n');
	if (s.failed)
		kt_err_no_memory(err);
	return str_take(&s);
}
