/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dynamic.c - remove dynamic events: probes, synthetic events, events of programs */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "probe/dynamic.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

/* "p:kprobes/name place …", "r8:group/name place …", "s:synthetic/name …", "u:name …" */
enum kt_dynamic_kind dynamic_event_kind(const char *line, char *name, size_t size)
{
	const char *colon = strchr(line, ':');
	size_t len = colon ? strcspn(colon + 1, " \t\n") : 0;
	const char *place = colon ? colon + 1 + len + strspn(colon + 1 + len, " \t") : "";

	snprintf(name, size, "%s%.*s", *line == 'u' ? "user_events/" : "", (int)len,
		 colon ? colon + 1 : "");
	switch (*line) {
	case 'p':
		return *place == '/' ? KT_DYNAMIC_UPROBE : KT_DYNAMIC_KPROBE;
	case 'r':
		return *place == '/' ? KT_DYNAMIC_URETPROBE : KT_DYNAMIC_KRETPROBE;
	case 'e':
		return KT_DYNAMIC_EPROBE;
	case 's':
		return KT_DYNAMIC_SYNTH;
	}
	return KT_DYNAMIC_OTHER;
}

char *dynamic_text(const struct kt_instance *inst, struct kt_err *err)
{
	static const char *const files[] = { "dynamic_events", "kprobe_events", "uprobe_events" };
	struct str lines = STR_INIT;
	size_t i, last = kt_instance_has(inst, files[0]) ? 0 : 2;
	char *text;

	for (i = 0; i <= last; i++) {
		if (!kt_instance_has(inst, files[i]))
			continue;
		text = kt_instance_read(inst, files[i], err);
		lines.failed |= !text;
		str_addf(&lines, "%s\n", text ? text : "");
		free(text);
	}
	return str_take(&lines);
}

/* Call @fn for each line of the kinds. */
static int for_each(unsigned int kinds, int (*fn)(void *data, const char *path, const char *name,
						  const char *line, struct kt_err *err),
		    void *data, struct kt_err *err)
{
	const char *top = kt_tracefs_dir(err);
	char *path = top ? ctl_path(top, "dynamic_events") : NULL, *text, *line, *next, name[512];
	int ret = 0;

	text = path ? ctl_read_text(path, err) : NULL;
	if (!text)
		ret = kt_err_code(err, -ENOENT);
	for (line = text; ret >= 0 && line && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if ((dynamic_event_kind(line, name, sizeof(name)) & kinds) && *name)
			ret = fn(data, path, name, line, err);
	}
	free(text);
	free(path);
	return ret < 0 ? ret : 0;
}

static int add(void *data, const char *path, const char *name, const char *line,
	       struct kt_err *err)
{
	(void)path;
	(void)line;
	return kt_names_add(data, name) < 0 ? kt_err_no_memory(err) : 0;
}

int kt_dynamic_events_list(unsigned int kinds, struct kt_names *out, struct kt_err *err)
{
	struct kt_err local = { 0 };

	return for_each(kinds, add, out, err ? err : &local);
}

bool ctl_dynamic_share(const char *line, const char *other)
{
	char name[512], second[512];

	if (!strchr("prft", *line) || strcmp(line, other) == 0)
		return false;
	dynamic_event_kind(line, name, sizeof(name));
	dynamic_event_kind(other, second, sizeof(second));
	return strcmp(name, second) == 0;
}

/* The kernel removes an event of a program only if its fields are given as well, and one of several
 * probes of an event only if its whole definition is given. */
char *ctl_dynamic_removal(const char *line, bool shared)
{
	char name[512], *removal;
	const char *fields = "";

	dynamic_event_kind(line, name, sizeof(name));
	if (*line == 'u' || shared)
		fields = line + strcspn(line, " ");
	return *name && asprintf(&removal, "-:%s%s", name, fields) >= 0 ? removal : NULL;
}

struct removal {
	struct kt_instance *inst;
	struct kt_names *busy;
	int nr;
};

static int delete(void *data, const char *path, const char *name, const char *line,
		  struct kt_err *err)
{
	struct removal *r = data;
	struct kt_err mine = { 0 };
	char *removal = ctl_dynamic_removal(line, false);
	int ret = removal ? 0 : kt_err_no_memory(err);

	if (ret < 0)
		return ret;
	if (r->inst)
		ret = kt_instance_define(r->inst, str_base_name(path), removal, line, &mine);
	else
		ret = ctl_write_path(path, removal, CTL_APPEND, &mine);
	free(removal);
	/* ENOENT: it was removed together with another one. */
	if (ret == 0 || ret == -ENOENT)
		r->nr++;
	else if (ret != -EBUSY)
		return ctl_pass(err, &mine);
	else if (r->busy && kt_names_add(r->busy, name) < 0)
		return kt_err_no_memory(err);
	return 0;
}

int kt_dynamic_events_remove(struct kt_instance *inst, unsigned int kinds, struct kt_names *busy,
			     struct kt_err *err)
{
	struct removal r = { .inst = inst, .busy = busy };
	struct kt_err local = { 0 };
	int ret = for_each(kinds, delete, &r, err ? err : &local);

	return ret < 0 ? ret : r.nr;
}
