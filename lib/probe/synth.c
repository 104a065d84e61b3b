/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* synth.c - list, define and remove synthetic events */
#include <ktrail/probe.h>

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/array.h"
#include "base/err.h"
#include "base/str.h"
#include "probe/probe.h"

#define MAX_NAME   63		/* of an event, in the kernel */
#define MAX_FIELDS 64		/* of a synthetic event, in the kernel */

static int check_kernel(const struct kt_instance *inst, struct kt_err *err)
{
	return kt_instance_has(inst, "synthetic_events") ? 0 :
		kt_err_set(err, -ENOTSUP, "this kernel has no synthetic events "
			   "(Linux 4.17 and later, CONFIG_SYNTH_EVENTS=y)");
}

void kt_synths_fini(struct kt_synths *synths)
{
	size_t i;

	for (i = 0; i < synths->nr; i++) {
		free(synths->at[i].name);
		free(synths->at[i].fields);
	}
	free(synths->at);
	*synths = (struct kt_synths){ 0 };
}

/* "wakeup_lat\tu64 lat; pid_t pid": one line of synthetic_events */
static int add_synth(struct kt_synths *out, const char *line, size_t len)
{
	size_t name = strcspn(line, " \t\n"), gap;
	struct kt_synth *s = array_add(out->at, out->nr);

	if (!s)
		return -ENOMEM;
	name = name < len ? name : len;
	gap = name + strspn(line + name, " \t");
	gap = gap < len ? gap : len;
	*s = (struct kt_synth){ strndup(line, name), strndup(line + gap, len - gap) };
	return s->name && s->fields ? 0 : -ENOMEM;
}

int kt_synths_read(const struct kt_instance *inst, struct kt_synths *out, struct kt_err *err)
{
	int ret = check_kernel(inst, err);
	char *text, *p;
	size_t len;

	if (ret < 0)
		return ret;
	text = kt_instance_read(inst, "synthetic_events", err);
	if (!text)
		return kt_err_code(err, -EIO);
	for (p = text; ret == 0 && *p; p += len + (p[len] == '\n')) {
		len = strcspn(p, "\n");
		ret = len ? add_synth(out, p, len) : 0;
	}
	free(text);
	if (ret < 0) {
		kt_synths_fini(out);
		kt_err_result(err, ret);
	}
	return ret;
}

static int fail(struct kt_err *err, const char *text, const char *at, const char *msg)
{
	kt_err_set(err, -EINVAL, "synthetic event: %s", msg);
	err_point(err, text, at - text);
	return -EINVAL;
}

static size_t ident_len(const char *p)
{
	size_t len = 0;

	while (isalnum((unsigned char)p[len]) || p[len] == '_')
		len++;
	return isdigit((unsigned char)*p) ? 0 : len;
}

/* Convert "FIELD:TYPE FIELD:TYPE", the spelling of probe arguments, to "TYPE FIELD; TYPE FIELD".
 * There is at least one. */
static int turn_fields(const char *text, const char *p, struct str *out, struct kt_err *err)
{
	unsigned int nr = 0;

	for (p += strspn(p, " \t"); *p; p += strspn(p, " \t")) {
		size_t name = ident_len(p), type;

		if (!name || p[name] != ':')
			return fail(err, text, p, "FIELD:TYPE is expected here");
		type = strcspn(p + name + 1, " \t");
		if (!type)
			return fail(err, text, p + name + 1, "a type is expected here, e.g. u64");
		if (++nr > MAX_FIELDS)
			return fail(err, text, p, "more fields than the kernel takes");
		/* char[16]: in C the brackets follow the name */
		str_addf(out, "%s%.*s %.*s%.*s", nr > 1 ? "; " : "",
			 (int)strcspn(p + name + 1, " \t["), p + name + 1, (int)name, p,
			 (int)(type - strcspn(p + name + 1, " \t[")),
			 p + name + 1 + strcspn(p + name + 1, " \t["));
		p += name + 1 + type;
	}
	return 0;
}

/* Check only the form of "TYPE FIELD; TYPE FIELD", the kernel's spelling */
static int check_fields(const char *text, const char *p, struct kt_err *err)
{
	unsigned int nr = 0;

	for (; *p; p += *p == ';') {
		size_t len;

		p += strspn(p, " \t");
		len = strcspn(p, ";");
		if (!*p && nr)
			break;
		if (!len || !memchr(p, ' ', len) || !ident_len(p))
			return fail(err, text, p, "TYPE FIELD is expected here, e.g. u64 lat");
		if (++nr > MAX_FIELDS)
			return fail(err, text, p, "more fields than the kernel takes");
		p += len;
	}
	return nr ? 0 : fail(err, text, p, "a field is expected here");
}

/* Write to dynamic_events, or to the file of older kernels, which has another syntax and needs the
 * fields for a removal, too */
static int write_line(struct kt_instance *inst, bool define, const char *name, const char *fields,
		      struct kt_err *err)
{
	bool dynamic = kt_instance_has(inst, "dynamic_events");
	char *line = NULL, *away = NULL;
	int ret;

	if (asprintf(&line, "%s%s %s", dynamic ? "s:" : "", name, fields) < 0)
		line = NULL;
	if (dynamic)
		ret = asprintf(&away, "-:synthetic/%s", name);
	else if (define)
		ret = asprintf(&away, "!%s", name);
	else
		ret = asprintf(&away, "!%s %s", name, fields);
	if (ret < 0)
		away = NULL;
	ret = -ENOMEM;
	if (line && away)
		ret = kt_instance_define(inst, dynamic ? "dynamic_events" : "synthetic_events",
					 define ? line : away, define ? away : line, err);
	free(line);
	free(away);
	return kt_err_result(err, ret);
}

static int check_free(const struct kt_instance *inst, const char *name, size_t len,
		      struct kt_err *err)
{
	struct kt_synths have = { 0 };
	int ret = kt_synths_read(inst, &have, err);
	size_t i;

	for (i = 0; ret == 0 && i < have.nr; i++)
		if (strlen(have.at[i].name) == len && memcmp(have.at[i].name, name, len) == 0)
			ret = kt_err_set(err, -EEXIST, "there is a synthetic event '%s' already",
					 have.at[i].name);
	kt_synths_fini(&have);
	return ret;
}

int kt_synth_add(struct kt_instance *inst, const char *text, struct kt_err *err)
{
	const char *p = text + strspn(text, " \t");
	size_t len = ident_len(p);
	struct str fields = STR_INIT;
	char *name = NULL;
	int ret;

	if (!len || len > MAX_NAME || (p[len] && !strchr(" \t", p[len])))
		return fail(err, text, p, "a name is expected here (letters, digits and '_')");
	ret = check_free(inst, p, len, err);
	if (ret < 0)
		return ret;
	if (strchr(p + len, ':')) {
		ret = turn_fields(text, p + len, &fields, err);
	} else {
		str_add(&fields, p + len + strspn(p + len, " \t"));
		ret = check_fields(text, p + len, err);
	}
	if (ret < 0)
		goto out;
	name = fields.failed ? NULL : strndup(p, len);
	ret = name ? write_line(inst, true, name, fields.buf, err) : kt_err_no_memory(err);
out:
	free(name);
	str_fini(&fields);
	return ret;
}

bool kt_synth_matches(const struct kt_synth *synth, const char *pattern)
{
	size_t group = strlen("synthetic");

	if (str_starts(pattern, "synthetic") && (pattern[group] == ':' || pattern[group] == '/'))
		pattern += group + 1;
	return fnmatch(pattern, synth->name, 0) == 0;
}

int kt_synth_remove(struct kt_instance *inst, const char *pattern, struct kt_err *err)
{
	struct kt_synths have = { 0 };
	int ret = kt_synths_read(inst, &have, err), nr = 0;
	size_t i;

	for (i = 0; ret == 0 && i < have.nr; i++) {
		if (!kt_synth_matches(&have.at[i], pattern))
			continue;
		ret = write_line(inst, false, have.at[i].name, have.at[i].fields, err);
		nr++;
	}
	kt_synths_fini(&have);
	return ret < 0 ? ret : nr;
}

/* Does the trigger use the event: ".wakeup_lat(", "trace(wakeup_lat,"? */
static bool is_named_in(const char *trigger, const char *name)
{
	const char *at = trigger;
	size_t len = strlen(name);

	for (; (at = strstr(at, name)); at += len)
		if (at > trigger && strchr(".(", at[-1]) && strchr("(,)", at[len]) && at[len])
			return true;
	return false;
}

static void add_triggers_of(const struct kt_instance *inst, const struct kt_synth *s,
			    struct str *out)
{
	struct kt_event_notes notes = { 0 };
	size_t i;

	if (kt_triggers_read(inst, NULL, &notes, NULL) < 0)
		return;
	for (i = 0; i < notes.nr; i++)
		if (is_named_in(notes.at[i].text, s->name))
			str_addf(out, "%sa trigger of %s", out->len ? ", " : "", notes.at[i].event);
	kt_event_notes_fini(&notes);
}

static void add_users(const struct kt_synth *s, struct str *out)
{
	const struct kt_probe event = { .group = "synthetic", .event = s->name };
	struct kt_names users = { 0 };
	size_t i;

	if (probe_users(&event, &users, NULL) == 0)
		for (i = 0; i < users.nr; i++)
			str_addf(out, "%s" BUFFER_FMT " (where it is on, or has a filter or "
				 "trigger)", out->len ? ", " : "", BUFFER_ARGS(users.names[i]));
	kt_names_fini(&users);
}

void kt_synth_explain(const struct kt_instance *inst, const char *pattern, struct kt_err *err)
{
	struct kt_synths have = { 0 };
	struct str users = STR_INIT;
	size_t i;

	if (err->code != -EBUSY || kt_synths_read(inst, &have, NULL) < 0)
		return;
	for (i = 0; i < have.nr && !users.len; i++) {
		if (!kt_synth_matches(&have.at[i], pattern))
			continue;
		add_triggers_of(inst, &have.at[i], &users);
		add_users(&have.at[i], &users);
		if (users.len && !users.failed)
			kt_err_wrap(err, -EBUSY, "'%s' is used by %s", have.at[i].name, users.buf);
	}
	str_fini(&users);
	kt_synths_fini(&have);
}
