/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* probe.c - define and remove probes */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <ktrail/event.h>
#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#include "base/err.h"
#include "probe/dynamic.h"
#include "probe/probe.h"
#include "setting/setting.h"
#include "target/filter_check.h"
#include "target/functions.h"
#include "target/target.h"
#include "tracefs/kconfig.h"
#include "tracefs/tracefs.h"

/* The requirements of each kind. The README of tracefs shows the supported letters. */
static const struct {
	const char *file, *readme, *what;
} needs[KT_NR_PROBE_KINDS] = {
	[KT_PROBE_KPROBE]     = { "kprobe_events", NULL, "kprobes (CONFIG_KPROBE_EVENTS=y)" },
	[KT_PROBE_KRETPROBE]  = { "kprobe_events", NULL, "kprobes (CONFIG_KPROBE_EVENTS=y)" },
	[KT_PROBE_UPROBE]     = { "uprobe_events", NULL, "uprobes (CONFIG_UPROBE_EVENTS=y)" },
	[KT_PROBE_URETPROBE]  = { "uprobe_events", NULL, "uprobes (CONFIG_UPROBE_EVENTS=y)" },
	[KT_PROBE_FPROBE]     = { "dynamic_events", "f[:[",
				  "fprobe events (Linux 6.5 and later, CONFIG_FPROBE_EVENTS=y)" },
	[KT_PROBE_FEXIT]      = { "dynamic_events", "f[:[",
				  "fprobe events (Linux 6.5 and later, CONFIG_FPROBE_EVENTS=y)" },
	[KT_PROBE_TRACEPOINT] = { "dynamic_events", "t[:[",
				  "tracepoint probes (Linux 6.5 and later, "
				  "CONFIG_FPROBE_EVENTS=y)" },
	[KT_PROBE_EPROBE]     = { "dynamic_events", "e[:[",
				  "event probes (Linux 5.15 and later, CONFIG_PROBE_EVENTS=y)" },
};

static int check_kind(const struct kt_instance *inst, enum kt_probe_kind kind, struct kt_err *err)
{
	bool has = kt_instance_has(inst, needs[kind].file);
	char *readme;

	if (has && needs[kind].readme) {
		readme = kt_instance_read(inst, "README", NULL);
		has = !readme || strstr(readme, needs[kind].readme);
		free(readme);
	}
	return has ? 0 : kt_err_set(err, -ENOTSUP, "this kernel has no %s", needs[kind].what);
}

static const char *list_file(const struct kt_instance *inst, enum kt_probe_kind kind)
{
	if (kt_instance_has(inst, "dynamic_events"))
		return "dynamic_events";
	return probe_is_user(kind) ? "uprobe_events" : "kprobe_events";
}

/* The next probe of this name after @last (NULL: the first) */
static const struct kt_probe *next_named(const struct kt_probes *have, const char *group,
					 const char *event, const struct kt_probe *last)
{
	const struct kt_probe *p = last ? last + 1 : have->at;

	for (; p < have->at + have->nr; p++)
		if (strcmp(p->group, group) == 0 && strcmp(p->event, event) == 0)
			return p;
	return NULL;
}

static bool is_taken(const struct kt_probes *have, const char *group, const char *event)
{
	return next_named(have, group, event, NULL);
}

/* The place as the kernel lists it: offsets in files have all their digits. New, or NULL */
static char *listed_place(const struct kt_probe *p)
{
	const char *colon = probe_is_user(p->kind) ? strrchr(p->place, ':') : NULL;
	char *place, *rest = "";
	unsigned long offset = colon ? strtoul(colon + 1, &rest, 0) : 0;

	if (!colon)
		return asprintf(&place, "%s%s", p->place,
				p->kind == KT_PROBE_FEXIT ? "%return" : "") < 0 ?
		       NULL : place;
	return asprintf(&place, "%.*s:0x%0*lx%s", (int)(colon - p->place), p->place,
			(int)sizeof(void *) * 2, offset, rest) < 0 ? NULL : place;
}

/* Facts: Linux, Documentation/trace/kprobetrace.rst and kernel/trace/trace_probe.c: an event can
 * have probes of one kind at several places (since 5.5); the kernel compares their arguments. */
static int check_name(struct kt_probe *p, const struct kt_probes *have, const char *group,
		      const char *place, struct kt_err *err)
{
	const struct kt_probe *other = NULL;
	char *there;
	bool joins = p->kind != KT_PROBE_EPROBE;

	while (joins && (other = next_named(have, group, p->event, other))) {
		there = listed_place(other);
		joins = other->kind == p->kind && there && strcmp(there, place) != 0;
		free(there);
	}
	return joins ? 0 : kt_err_set(err, -EEXIST, "there is an event %s:%s already: choose "
				      "another name, or delete it", group, p->event);
}

/* The text that removes the probe, with its place if its event has other probes. NULL if the kernel
 * chooses the name (a removal would have to guess it), or without memory. New */
static char *new_undo(const struct kt_probe *p, const char *group, bool shared, const char *place)
{
	char *undo;

	return p->event && asprintf(&undo, "-:%s/%s%s%s", group, p->event, shared ? " " : "",
				    shared ? place : "") >= 0 ? undo : NULL;
}

/* If "read" exists, use "read_1" … */
static int find_free_name(struct kt_probe *p, const struct kt_probes *have, const char *group,
			  struct kt_err *err)
{
	char *name;
	int i;

	for (i = 1; i < 1000; i++) {
		if (asprintf(&name, "%.*s_%d", 58, p->event, i) < 0)
			return kt_err_no_memory(err);
		if (!is_taken(have, group, name)) {
			free(p->event);
			p->event = name;
			return 0;
		}
		free(name);
	}
	return kt_err_set(err, -EEXIST, "no free name for '%s' in the group '%s'", p->event, group);
}

/* The "if FILTER" of an event probe's arguments. "if" must be a word, unlike that in "$diff if
 * …". */
static const char *probe_filter(const char *args)
{
	const char *p = args;

	while ((p = strstr(p, "if ")) && p > args && p[-1] != ' ')
		p++;
	return p;
}

/* $name must be a field, and the text after "if" a filter, of the event that the probe uses. */
static int check_fields(const struct kt_probe *p, const struct ctl_format *f, struct kt_err *err)
{
	const char *at = p->args, *filter = probe_filter(p->args);
	char hint[SUGGEST_SIZE];
	size_t len;

	while ((at = strchr(at, '$')) && (!filter || at < filter)) {
		at++;
		len = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		if (ctl_format_field(f, at, len) || str_starts(at, "comm") ||
		    str_starts(at, "stack"))
			continue;
		kt_err_set(err, -EINVAL, "%s has no field '%.*s'%s", p->place, (int)len, at,
			   ctl_format_hint(f, at, len, hint));
		err_point(err, p->args, at - p->args);
		return -EINVAL;
	}
	return filter ? ctl_filter_check(f, p->place, filter + 3, err) : 0;
}

static int check_event(const struct kt_instance *inst, const struct kt_probe *p, struct kt_err *err)
{
	const char *dot = strchr(p->place, '.');
	struct kt_names dirs = { 0 };
	struct ctl_format *f = NULL;
	char *name;
	int ret = -ENOMEM;

	if (dot && asprintf(&name, "%.*s:%s", (int)(dot - p->place), p->place, dot + 1) >= 0) {
		ret = kt_selection_find_each(inst, name, &dirs, err);
		free(name);
	}
	if (ret > 0) {
		f = ctl_format_read(inst, dirs.names[0], err);
		ret = f ? check_fields(p, f, err) : -EIO;
	}
	ctl_format_destroy(f);
	kt_names_fini(&dirs);
	return ret;
}

/*
 * The kernel accepts any name, since a module may add its tracepoint later. Refuse a name that is
 * similar to that of a known tracepoint: it is probably mistyped, and would never be hit.
 */
static int check_tracepoint(const struct kt_probe *p, struct kt_err *err)
{
	static const char mark[] = " __traceiter_";
	struct kt_names have = { 0 };
	struct str text = STR_INIT;
	const char *at = str_read_file(&text, "/proc/kallsyms") == 0 ? text.buf : "";
	char hint[SUGGEST_SIZE];
	int ret = 0;

	while ((at = strstr(at, mark))) {
		at += strlen(mark);
		kt_names_addn(&have, at, strcspn(at, " \t\n"));
	}
	if (!kt_names_has(&have, p->place) && *suggest_one(p->place, suggest_from(&have), hint))
		ret = kt_err_set(err, -ENOENT, "no tracepoint '%s' in this kernel%s", p->place,
				 hint);
	kt_names_fini(&have);
	str_fini(&text);
	return ret;
}

/* The bytes from the symbol @name to the next one in the text of /proc/kallsyms; 0: not known */
static unsigned long size_of(const char *kallsyms, const char *name)
{
	unsigned long at, start = 0, next = 0;
	size_t len = strlen(name);
	const char *p, *symbol;
	int round;

	for (round = 0; round < 2; round++)
		for (p = kallsyms; *p; p += strcspn(p, "\n"), p += *p == '\n') {
			at = strtoul(p, NULL, 16);
			symbol = p + strcspn(p, " \n");
			symbol += symbol[0] && symbol[1] && symbol[2] == ' ' ? 3 : 0;
			if (!round && strncmp(symbol, name, len) == 0 &&
			    strchr("\t\n", symbol[len]))
				start = at;
			if (round && at > start && (!next || at < next))
				next = at;
		}
	return start && next ? next - start : 0;
}

/* The kernel accepts an offset beyond the function if an instruction of another one begins
 * there. */
static int check_offset(const struct kt_probe *p, struct kt_err *err)
{
	const char *colon = strchr(p->place, ':'), *place = colon ? colon + 1 : p->place;
	const char *plus = strchr(place, '+');
	struct str kallsyms = STR_INIT;
	unsigned long size;
	char *name;

	if (!plus || p->kind != KT_PROBE_KPROBE || str_read_file(&kallsyms, "/proc/kallsyms") < 0)
		return 0;
	name = strndup(place, plus - place);
	size = name ? size_of(kallsyms.buf, name) : 0;
	if (size && strtoul(plus + 1, NULL, 0) >= size)
		kt_err_set(err, -EINVAL, "%s is beyond the end of %s, which has 0x%lx bytes",
			   p->place, name, size);
	else
		size = 0;
	str_fini(&kallsyms);
	free(name);
	return size ? -EINVAL : 0;
}

static int check_place(struct kt_instance *inst, const struct kt_probe *p, struct kt_err *err)
{
	int ret = check_kind(inst, p->kind, err);

	if (ret < 0)
		return ret;
	if (p->kind == KT_PROBE_EPROBE)
		ret = check_event(inst, p, err);
	else if (p->kind == KT_PROBE_TRACEPOINT)
		ret = check_tracepoint(p, err);
	return ret < 0 ? ret : check_offset(p, err);
}

int kt_probe_add(struct kt_instance *inst, struct kt_probe *p, const struct kt_probes *have,
		 struct kt_err *err)
{
	const char *group = p->group ? p->group : probe_default_group(p->kind);
	char *line, *undo, *place;
	bool shared = p->event && is_taken(have, group, p->event);
	int ret = check_place(inst, p, err);

	if (ret < 0)
		return ret;
	place = listed_place(p);
	if (!place)
		return kt_err_no_memory(err);
	if (shared)
		ret = p->named ? check_name(p, have, group, place, err)
			       : find_free_name(p, have, group, err);
	if (ret < 0)
		goto out;
	line = probe_line(p);
	undo = new_undo(p, group, shared && p->named, place);
	ret = line ? kt_instance_define(inst, list_file(inst, p->kind), line, undo, err)
		   : kt_err_no_memory(err);
	free(line);
	free(undo);
out:
	free(place);
	return ret;
}

int kt_probe_enable(struct kt_instance *inst, const struct kt_probe *p, struct kt_err *err)
{
	const char *group = p->group ? p->group : probe_default_group(p->kind);
	char *file;
	int ret;

	if (asprintf(&file, "events/%s/%s/enable", group, p->event) < 0)
		return kt_err_no_memory(err);
	ret = kt_instance_write(inst, file, "1", err);
	free(file);
	return ret;
}

/* Triggers keep the event from being removed. Remove each one in @now, the content of @file. */
static int remove_triggers(struct kt_instance *inst, const char *file, const char *now,
			   struct kt_err *err)
{
	struct kt_names lines = { 0 };
	int ret = kt_names_add_words(&lines, now, "\n");
	size_t i;

	for (i = 0; ret == 0 && i < lines.nr; i++)
		ret = ctl_trigger_remove(inst, file, lines.names[i], err);
	kt_names_fini(&lines);
	return ret;
}

static int take_triggers(struct kt_instance *inst, const struct kt_probe *p, const char *user,
			 const char *dir, bool force, struct kt_err *err)
{
	char *file, *now;
	int ret = 0;

	if (asprintf(&file, "%s/trigger", dir) < 0)
		return -ENOMEM;
	now = kt_instance_read(inst, file, NULL);
	if (now && *now && *now != '#' && force)
		ret = remove_triggers(inst, file, now, err);
	else if (now && *now && *now != '#')
		ret = kt_err_set(err, -EBUSY,
				 "%s:%s has a trigger in " BUFFER_FMT ": --force removes it",
				 p->group, p->event, BUFFER_ARGS(user));
	free(now);
	free(file);
	return ret;
}

static int disable(struct kt_instance *inst, const struct kt_probe *p, const char *user,
		   bool force, struct kt_err *err)
{
	char *dir, *file, *now;
	int ret = 0;

	if (asprintf(&dir, "%s%s%sevents/%s/%s", *user ? "instances/" : "", user, *user ? "/" : "",
		     p->group, p->event) < 0)
		return -ENOMEM;
	if (asprintf(&file, "%s/enable", dir) < 0)
		file = NULL;
	now = file ? kt_instance_read(inst, file, NULL) : NULL;
	if (!file)
		ret = -ENOMEM;
	else if (now && *now != '0')
		ret = kt_instance_write(inst, file, "0", err);
	if (ret == 0)
		ret = take_triggers(inst, p, user, dir, force, err);
	free(now);
	free(file);
	free(dir);
	return ret;
}

int kt_probe_remove(struct kt_instance *inst, const struct kt_probe *p, const char *owner,
		    bool force, struct kt_err *err)
{
	char *line, *undo;
	struct kt_names users = { 0 };
	int ret = probe_users(p, &users, err);
	size_t i;

	for (i = 0; ret == 0 && i < users.nr; i++) {
		const char *user = users.names[i];

		if (strcmp(user, owner) != 0 && !force)
			ret = kt_err_set(err, -EBUSY,
					 "%s:%s is in use by " BUFFER_FMT ": --force removes it",
					 p->group, p->event, BUFFER_ARGS(user));
		else
			ret = disable(inst, p, user, force, err);
	}
	kt_names_fini(&users);
	if (ret < 0)
		return ret;
	undo = probe_line(p);
	line = undo ? ctl_dynamic_removal(undo, p->shared) : NULL;
	ret = line ? kt_instance_define(inst, list_file(inst, p->kind), line, undo, err)
		   : kt_err_no_memory(err);
	free(line);
	free(undo);
	return ret;
}

/* Collect the names in /proc/kallsyms that begin with the same characters as @name, to suggest one.
 * True: the last one is the entry of the system call @name. */
static bool add_symbols(struct kt_names *out, const char *text, const char *name)
{
	const char *symbol;
	size_t len;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		symbol = text + strcspn(text, " \n");
		if (symbol[0] != ' ' || !symbol[1] || symbol[2] != ' ')
			continue;
		len = strcspn(symbol + 3, "\t \n");
		if (ctl_is_syscall_entry(symbol + 3, len, name))
			return kt_names_addn(out, symbol + 3, len) == 0;
		if (strchr("tTwW", symbol[1]) && symbol[3] == *name && len <= strlen(name) + 2 &&
		    len + 2 >= strlen(name))
			kt_names_addn(out, symbol + 3, len);
	}
	return false;
}

static bool is_on_probe(const struct kt_probe *p)
{
	struct kt_names probes = { 0 };
	char *name = strdup(p->place), *dot = name ? strchr(name, '.') : NULL;
	bool is;

	if (dot)
		*dot = '/';
	is = dot &&
	     kt_dynamic_events_list(KT_DYNAMIC_ALL & ~KT_DYNAMIC_SYNTH, &probes, NULL) == 0 &&
	     kt_names_has(&probes, name);
	kt_names_fini(&probes);
	free(name);
	return is;
}

/* Our own checks passed, so the kernel probably does not support it: Linux, trace_eprobe.c. */
static void explain_eprobe(const struct kt_probe *p, struct kt_err *err)
{
	struct str config = STR_INIT;
	struct utsname u;

	if (is_on_probe(p)) {
		kt_err_wrap(err, err->code, "%s is a probe, and a probe cannot use another",
			    p->place);
		return;
	}
	if (uname(&u) == 0 && ctl_kconfig_read(NULL, u.release, &config) == 0 &&
	    ctl_kconfig_no_eprobes(config.buf))
		kt_err_wrap(err, err->code, "this kernel has no event probes "
			    "(CONFIG_EPROBE_EVENTS=y)");
	str_fini(&config);
}

/* A line "0xffff…-0xffff…\tdo_int3": a function in which a kprobe would recurse */
static bool is_blacklisted(const char *name)
{
	char *path = ctl_path(debugfs_dir(), "kprobes/blacklist"), *text, *at;
	size_t len = strlen(name);

	text = path ? ctl_read_text(path, NULL) : NULL;
	for (at = text; at && (at = strstr(at, name)); at += len)
		if (at > text && at[-1] == '\t' && (at[len] == '\n' || !at[len]))
			break;
	free(text);
	free(path);
	return at;
}

static void explain_offset(const struct kt_probe *p, const char *name, const char *kallsyms,
			   struct kt_err *err)
{
	const char *plus = strchr(p->place, '+');
	unsigned long offset = plus ? strtoul(plus + 1, NULL, 0) : 0, size, before, after;
	int found;

	size = offset && err->code == -EILSEQ ? size_of(kallsyms, name) : 0;
	if (offset >= size)
		return;
	found = probe_boundaries(name, offset, size, &before, &after);
	if (found == 3)
		kt_err_wrap(err, err->code,
			    "no instruction begins at %s, the nearest at %s+%lu and %s+%lu",
			    p->place, name, before, name, after);
	else if (found)
		kt_err_wrap(err, err->code, "no instruction begins at %s, the nearest at %s+%lu",
			    p->place,
			    name, found == 1 ? before : after);
}

/* "long vfs_read(struct file *file, …)": the last word before each comma and the end */
static int add_parameters(const char *prototype, struct kt_names *out)
{
	const char *p = strchr(prototype, '('), *end;
	size_t len;
	int ret = 0;

	for (; ret == 0 && p && *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, ",)");
		for (len = 0; end - len > p &&
		     (isalnum((unsigned char)end[-1 - len]) || end[-1 - len] == '_'); len++)
			;
		ret = len ? kt_names_addn(out, end - len, len) : 0;
	}
	return ret;
}

/* "name=fil->f_path:string": the function has no argument of this name in BTF */
static void explain_parameter(const struct kt_probe *p, const char *function, struct kt_err *err)
{
	struct kt_btf *btf = strstr(err->msg, "variable is not found") ?
			     kt_btf_open(NULL, NULL) : NULL;
	char *prototype = btf ?
			  kt_btf_prototype(btf, function) : NULL, word[64], hint[SUGGEST_SIZE];
	struct kt_names have = { 0 };
	const char *at = p->args, *eq;

	if (prototype && add_parameters(prototype, &have) == 0 && have.nr)
		for (; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
			eq = memchr(at, '=', strcspn(at, " "));
			at = eq ? eq + 1 : at;
			snprintf(word, sizeof(word), "%.*s", (int)strcspn(at, " -.:[("), at);
			if (!isalpha((unsigned char)*word) || kt_names_has(&have, word))
				continue;
			kt_err_wrap(err, err->code, "%s has no argument '%s'%s", function, word,
				    suggest(word, suggest_from(&have), hint));
			break;
		}
	kt_names_fini(&have);
	free(prototype);
	kt_btf_close(btf);
}

void kt_probe_explain(const struct kt_probe *p, struct kt_err *err)
{
	struct kt_names names = { 0 };
	struct str text = STR_INIT;
	const char *near, *colon = strchr(p->place, ':');
	bool syscall = false;
	char *name;

	if (p->kind == KT_PROBE_EPROBE)
		explain_eprobe(p, err);
	if (p->kind == KT_PROBE_TRACEPOINT && err->code == -EEXIST)
		kt_err_wrap(err, err->code,
			    "the tracepoint '%s' has a probe: this kernel allows only one",
			    p->place);
	if (p->kind != KT_PROBE_KPROBE && p->kind != KT_PROBE_KRETPROBE &&
	    p->kind != KT_PROBE_FPROBE && p->kind != KT_PROBE_FEXIT)
		return;
	name = strndup(colon ? colon + 1 : p->place, strcspn(colon ? colon + 1 : p->place, "+-"));
	if (name && *name && str_read_file(&text, "/proc/kallsyms") == 0)
		syscall = add_symbols(&names, text.buf, name);
	if (names.nr && !kt_names_has(&names, name)) {
		near = syscall ? names.names[names.nr - 1] : kt_names_nearest(&names, name);
		kt_err_wrap(err, err->code, near ? "no kernel function '%s', did you mean '%s'?"
						 : "no kernel function '%s'", name, near);
	} else if (name && *name && err->code != -EEXIST && is_blacklisted(name)) {
		kt_err_wrap(err, err->code,
			    "the kernel does not allow probes on '%s' (%s/kprobes/blacklist)", name,
			    debugfs_dir());
	}
	if (name && text.len && kt_names_has(&names, name)) {
		explain_offset(p, name, text.buf, err);
		explain_parameter(p, name, err);
	}
	kt_names_fini(&names);
	str_fini(&text);
	free(name);
}
