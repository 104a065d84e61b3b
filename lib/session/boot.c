/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot.c - a tracing session as bootconfig */
#include "session/boot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#include "base/str.h"
#include "base/suggest.h"
#include "probe/dynamic.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/* The characters of a word in a key: Linux, Documentation/admin-guide/bootconfig.rst */
#define KEY_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

static int note(struct kt_names *notes, const struct kt_names *have, const char *what,
		const char *name)
{
	char hint[SUGGEST_SIZE];

	return kt_names_addf(notes, "this kernel has no %s '%s'%s", what, name,
			     suggest_one(name, suggest_from(have), hint));
}

static int check_word(struct kt_names *notes, const struct kt_names *have, const char *what,
		      const char *name)
{
	if (!name || !have->nr || kt_names_has(have, name))
		return 0;
	return note(notes, have, what, name);
}

/* Events that the session defines: "kprobes/reads" for kprobes:reads */
static bool is_defined(const struct kt_setup *setup, const char *event)
{
	size_t i = 0, cut = strcspn(event, ":/");
	const char *probe;
	char name[512];

	while (event[cut] && (probe = kt_state_next(&setup->machine, "probe", &i))) {
		dynamic_event_kind(probe, name, sizeof(name));
		if (strncmp(name, event, cut) == 0 && name[cut] == '/' &&
		    strcmp(name + cut + 1, event + cut + 1) == 0)
			return true;
	}
	return false;
}

static int check_events(const struct kt_instance *inst, const struct kt_setup *setup,
			const struct kt_setup_buffer *buf, struct kt_names *notes)
{
	const char *event;
	size_t i = 0;
	int ret = 0;

	while (ret == 0 && (event = kt_state_next(&buf->wish, "event", &i))) {
		struct kt_names dirs = { 0 };
		struct kt_err err = { 0 };

		event += *event == '!';
		if (!is_defined(setup, event) && kt_selection_find(inst, event, &dirs, &err) < 0)
			ret = kt_names_add(notes, err.msg);
		kt_names_fini(&dirs);
	}
	return ret;
}

/* "nostacktrace" is the option "stacktrace" */
static int check_options(const struct kt_instance *inst, const struct kt_setup_buffer *buf,
			 struct kt_names *notes)
{
	struct kt_names have = { 0 }, want = { 0 };
	int ret = state_words(&buf->wish, "options", &want);
	size_t i;

	kt_instance_options(inst, &have, NULL);
	for (i = 0; ret == 0 && have.nr && i < want.nr; i++)
		if (ctl_check_option(inst, want.names[i], NULL) < 0)
			ret = note(notes, &have, "option", want.names[i]);
	kt_names_fini(&have);
	kt_names_fini(&want);
	return ret;
}

/* The features of this kernel */
struct have {
	struct kt_instance *inst;
	struct kt_names tracers, clocks;
};

static int check_buffer(const struct have *have, const struct kt_setup *setup,
			const struct kt_setup_buffer *buf, struct kt_names *notes)
{
	int ret = check_word(notes, &have->tracers, "tracer",
			     kt_state_value(&buf->wish, "current_tracer"));

	if (ret < 0)
		return ret;
	ret = check_word(notes, &have->clocks, "clock", kt_state_value(&buf->wish, "trace_clock"));
	if (ret < 0)
		return ret;
	ret = check_options(have->inst, buf, notes);
	return ret < 0 ? ret : check_events(have->inst, setup, buf, notes);
}

int kt_boot_check(const struct kt_setup *setup, struct kt_names *notes)
{
	struct have have = { .inst = kt_instance_open(NULL, 0, NULL) };
	size_t i;
	int ret = 0;

	if (!have.inst)
		return kt_names_add(notes,
				    "names are not checked: tracefs of this kernel cannot be read");
	kt_instance_tracers(have.inst, &have.tracers, NULL);
	kt_instance_clocks(have.inst, &have.clocks, NULL);
	for (i = 0; ret == 0 && i < setup->nr_buffers; i++)
		ret = check_buffer(&have, setup, setup->buffers[i], notes);
	kt_names_fini(&have.tracers);
	kt_names_fini(&have.clocks);
	kt_instance_close(have.inst, NULL);
	return ret;
}

/* Add the text, in the kind of quotes that it does not contain: bootconfig has no escapes. The
 * kernel copies a value to a buffer of 256 bytes. */
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

/* "event.SYSTEM.EVENT.filter": filters and triggers need one event. */
static int add_detail(struct str *s, const char *prefix, const char *what, const char *value,
		      struct kt_err *err)
{
	size_t cut = strcspn(value, ":/"), len = strcspn(value, " ");
	int ret;

	if (cut >= len || strcspn(value, "*?[") < len)
		return kt_err_set(err, -EINVAL, "at boot, a filter or trigger needs one event, "
				  "SYSTEM:EVENT, not '%.*s'", (int)len, value);
	str_addf(s, "%sevent.%.*s.%.*s.%s ", prefix, (int)cut, value, (int)(len - cut - 1),
		 value + cut + 1, what);
	ret = add_quoted(s, value + len + (value[len] == ' '), err);
	str_addc(s, '\n');
	return ret;
}

/* If an event has several filters, the last one counts. */
static bool is_last_filter(const struct kt_state_section *wish, size_t i, const char *value)
{
	size_t len = strcspn(value, " ") + 1;
	const char *later;

	while ((later = kt_state_next(wish, "filter", &i)))
		if (strncmp(later, value, len) == 0)
			return false;
	return true;
}

/* The kernel processes events in the given order: triggers that define variables come before those
 * that use them, and filters come last. */
static int add_details(struct str *s, const char *prefix, const struct kt_state_section *wish,
		       struct kt_err *err)
{
	const char *value;
	size_t i, pass;
	int ret = 0;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; ret == 0 && (value = kt_state_next(wish, "trigger", &i)); )
			if (ctl_trigger_depends(value) == (pass == 1))
				ret = add_detail(s, prefix, "actions +=", value, err);
	for (i = 0; ret == 0 && (value = kt_state_next(wish, "filter", &i)); )
		if (is_last_filter(wish, i, value))
			ret = add_detail(s, prefix, "filter =", value, err);
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

/* Without quotes, a comma would split the value. */
static void add_word(struct str *s, const char *word)
{
	str_addf(s, strpbrk(word, ", ;#") ? "\"%s\"" : "%s", word);
}

static void add_list(struct str *s, const char *prefix, const char *key,
		     const struct kt_names *list)
{
	size_t i;

	if (!list->nr)
		return;
	str_addf(s, "%s%s = ", prefix, key);
	for (i = 0; i < list->nr; i++) {
		str_add(s, i ? ", " : "");
		add_word(s, list->names[i]);
	}
	str_addc(s, '\n');
}

/*
 * A key below "kernel." becomes a parameter of the command line, so it must have the name of one
 * (fgraph_filters in the kernel's documentation is not). Of several values only the last would
 * count, so they form one word with commas.
 */
static void add_kernel_list(struct str *s, const char *key, const struct kt_names *list)
{
	struct str words = STR_INIT;
	size_t i;

	for (i = 0; i < list->nr; i++)
		str_addf(&words, "%s%s", i ? "," : "", list->names[i]);
	if (list->nr)
		str_addf(s, "kernel.%s%s", key, words.len ? " = " : "");
	add_word(s, words.buf);
	if (list->nr)
		str_addc(s, '\n');
	s->failed |= words.failed;
	str_fini(&words);
}

static void add_options(struct str *s, const char *prefix, const struct kt_names *all)
{
	struct kt_names plain = { 0 }, of_tracer = { 0 };
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (kt_names_add(ctl_is_tracer_option(all->names[i]) ? &of_tracer : &plain,
				 all->names[i]) < 0)
			s->failed = true;
	add_kernel_list(s, "trace_options", &of_tracer);
	add_list(s, prefix, "options", &plain);
	kt_names_fini(&plain);
	kt_names_fini(&of_tracer);
}

static void add_events(struct str *s, const char *prefix, const struct kt_state_section *wish)
{
	const char *event;
	size_t i = 0, nr = 0;

	while ((event = kt_state_next(wish, "event", &i)))
		if (*event != '!') {
			str_addf(s, "%s%s", nr ? ", " : prefix, nr ? "" : "events = ");
			nr++;
			boot_add_event_name(s, event);
		}
	if (nr)
		str_addc(s, '\n');
}

static void add_row(struct str *s, const char *prefix, const struct state_row *row,
		    const struct kt_state_section *wish, bool as_param)
{
	struct kt_names values = { 0 };

	if (boot_values(wish, row, "KB", &values) < 0)
		s->failed = true;
	if (!row->config || as_param)
		add_kernel_list(s, row->param, &values);
	else
		add_list(s, prefix, row->config, &values);
	kt_names_fini(&values);
}

/*
 * A bootconfig sets options first and the tracer last, so options of the tracer do not exist yet.
 * Parameters of the kernel can set both.
 */
static int add_buffer(struct str *s, const struct kt_setup_buffer *buf, struct kt_err *err)
{
	const bool top = !*buf->name, tracer = kt_state_value(&buf->wish, "current_tracer");
	struct kt_names options = { 0 };
	const struct state_row *row;
	char prefix[300];
	bool as_param;
	int ret = 0;

	if (buf->name[strspn(buf->name, KEY_CHARS)])
		return kt_err_set(err, -EINVAL, "a bootconfig cannot name an instance '%s', only "
				  "with letters, digits, - and _", buf->name);
	if (state_words(&buf->wish, "options", &options) < 0)
		s->failed = true;
	as_param = any(&options, ctl_is_tracer_option);
	if (as_param && (!top || !tracer))
		ret = kt_err_set(err, -ENOTSUP,
				 "at boot, options of a tracer can be set only together with it "
				 "in the top-level buffer, not in '%s'", buf->name);
	snprintf(prefix, sizeof(prefix), "ftrace.%s%s%s", top ? "" : "instance.", buf->name,
		 top ? "" : ".");
	for (row = state_buffer_rows; ret == 0 && row->key; row++)
		if (row->form != STATE_OWN && row->config)
			add_row(s, prefix, row, &buf->wish, as_param && row->with_tracer);
	add_options(s, prefix, &options);
	kt_names_fini(&options);
	add_events(s, prefix, &buf->wish);
	return ret == 0 ? add_details(s, prefix, &buf->wish, err) : ret;
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

/* "p:kprobes/reads vfs_read $arg1" is written without the name, which the kernel adds again */
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
				  "a bootconfig defines only kprobes of the group 'kprobes' and "
				  "synthetic events, not '%s'", line);
	str_addf(s, "ftrace.event.kprobes.%s.probes = ", slash + 1);
	ret = add_quoted(s, rest, err);
	str_addc(s, '\n');
	return ret;
}

/* The machine has only one set of graph lists; a session stores them in a buffer. */
static void add_machine(struct str *s, const struct kt_setup *setup)
{
	const struct state_row *row;

	for (row = state_machine_rows; row->key; row++)
		if (row->param && row->form != STATE_OWN)
			add_row(s, "", row, row->form == STATE_LIST ? &setup->buffers[0]->wish
								    : &setup->machine, true);
}

char *kt_boot_config(const struct kt_setup *setup, struct kt_err *err)
{
	struct str s = STR_INIT;
	const char *probe;
	size_t i = 0;
	int ret = 0;

	while (ret == 0 && (probe = kt_state_next(&setup->machine, "probe", &i)))
		ret = add_probe(&s, probe, err);
	for (i = 0; ret == 0 && i < setup->nr_buffers; i++)
		ret = add_buffer(&s, setup->buffers[i], err);
	add_machine(&s, setup);
	if (ret == 0 && !s.failed)
		return str_take(&s);
	kt_err_result(err, ret ? ret : -ENOMEM);
	str_fini(&s);
	return NULL;
}
