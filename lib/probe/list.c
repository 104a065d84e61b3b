/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* list.c - list the kernel's probes, with their hits and users */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#include "base/array.h"
#include "tracefs/tracefs.h"
#include "probe/dynamic.h"
#include "probe/probe.h"

void kt_probes_destroy(struct kt_probes *probes)
{
	size_t i;

	if (!probes)
		return;
	for (i = 0; i < probes->nr; i++)
		probe_fini(&probes->at[i]);
	free(probes->at);
	free(probes);
}

static bool kind_of(char letter, const char *place, size_t len, enum kt_probe_kind *kind)
{
	bool user = *place == '/';
	bool is_return = len > 7 && memcmp(place + len - 7, "%return", 7) == 0;

	switch (letter) {
	case 'p': *kind = user ? KT_PROBE_UPROBE : KT_PROBE_KPROBE; break;
	case 'r': *kind = user ? KT_PROBE_URETPROBE : KT_PROBE_KRETPROBE; return true;
	case 'f': *kind = KT_PROBE_FPROBE; break;
	case 't': *kind = KT_PROBE_TRACEPOINT; return true;
	case 'e': *kind = KT_PROBE_EPROBE; return true;
	default: return false;
	}
	*kind += is_return;		/* the kinds of returns follow those of entries */
	return true;
}

/* "r16:kprobes/name place args", as the kernel lists it. Returns 1, or 0 for another kind */
static int parse_line(const char *line, size_t len, struct kt_probe *p)
{
	const char *end = line + len, *names, *slash, *place, *args;
	size_t names_len, place_len;
	char *digits_end;

	memset(p, 0, sizeof(*p));
	p->maxactive = strtoul(line + 1, &digits_end, 10);
	names = digits_end + 1;
	if (len < 4 || *digits_end != ':' || names >= end)
		return 0;
	names_len = strcspn(names, " \n");
	slash = memchr(names, '/', names_len);
	place = names + names_len;
	place += strspn(place, " ");
	place_len = place < end ? strcspn(place, " \n") : 0;
	if (!slash || !place_len || !kind_of(*line, place, place_len, &p->kind))
		return 0;
	args = place + place_len;
	args += strspn(args, " ");
	if (p->kind == KT_PROBE_FEXIT)
		place_len -= strlen("%return");
	p->group = strndup(names, slash - names);
	p->event = strndup(slash + 1, names + names_len - slash - 1);
	p->place = strndup(place, place_len);
	p->args = strndup(args, args < end ? end - args : 0);
	return p->group && p->event && p->place && p->args ? 1 : -ENOMEM;
}

/* An event can have several probes: each is listed, with the same name. */
static void find_shared(struct kt_probes *probes)
{
	struct kt_probe *last = &probes->at[probes->nr - 1], *p;

	for (p = probes->at; p < last; p++)
		if (strcmp(p->event, last->event) == 0 && strcmp(p->group, last->group) == 0)
			p->shared = last->shared = true;
}

static int add_lines(struct kt_probes *probes, const char *text)
{
	size_t len;
	int ret;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (!array_reserve(probes->at, probes->nr))
			return -ENOMEM;
		ret = parse_line(text, len, &probes->at[probes->nr]);
		if (ret < 0) {
			probe_fini(&probes->at[probes->nr]);
			return ret;
		}
		probes->nr += ret;
		if (ret)
			find_shared(probes);
	}
	return 0;
}

struct kt_probes *probes_parse(const char *text)
{
	struct kt_probes *probes = calloc(1, sizeof(*probes));

	if (probes && add_lines(probes, text) < 0) {
		kt_probes_destroy(probes);
		return NULL;
	}
	return probes;
}

/* The last word of a line that ends at @end, which moves before it */
static const char *last_word(const char *line, const char **end, size_t *len)
{
	const char *stop = *end, *p;

	while (stop > line && isspace((unsigned char)stop[-1]))
		stop--;
	for (p = stop; p > line && !isspace((unsigned char)p[-1]); p--)
		;
	*len = stop - p;
	*end = p;
	return p;
}

/* The kernel names no group in its profile, but keeps the order of the list. */
static void count(struct kt_probes *probes, bool user, const char *event, size_t len, uint64_t hits,
		  uint64_t misses)
{
	size_t i;

	for (i = 0; i < probes->nr; i++) {
		struct kt_probe *p = &probes->at[i];
		bool kernel = p->kind == KT_PROBE_KPROBE || p->kind == KT_PROBE_KRETPROBE;

		if (p->counted || !(user ? probe_is_user(p->kind) : kernel) ||
		    strlen(p->event) != len || memcmp(p->event, event, len) != 0)
			continue;
		p->counted = true;
		p->hits = hits;
		p->misses = misses;
		return;
	}
}

/* kprobe_profile: "event hits misses"; uprobe_profile: "file event hits", the file with spaces */
static void read_profile(struct kt_probes *probes, bool user, const char *text)
{
	const char *end, *word;
	uint64_t last, before = 0;
	size_t len;

	for (; *text; text = *end ? end + 1 : end) {
		const char *stop = end = text + strcspn(text, "\n");

		last = strtoull(last_word(text, &stop, &len), NULL, 10);
		if (!user)
			before = strtoull(last_word(text, &stop, &len), NULL, 10);
		word = last_word(text, &stop, &len);
		count(probes, user, word, len, user ? last : before, user ? 0 : last);
	}
}

static int read_lists(const struct kt_instance *inst, struct kt_probes *probes, struct kt_err *err)
{
	char *text = dynamic_text(inst, err);
	int ret = text ? add_lines(probes, text) : kt_err_code(err, -EIO);

	free(text);
	return kt_err_result(err, ret);
}

static void read_counts(const struct kt_instance *inst, struct kt_probes *probes)
{
	char *text = kt_instance_read(inst, "kprobe_profile", NULL);

	if (text)
		read_profile(probes, false, text);
	free(text);
	text = kt_instance_read(inst, "uprobe_profile", NULL);
	if (text)
		read_profile(probes, true, text);
	free(text);
}

struct kt_probes *kt_probes_read(const struct kt_instance *inst, struct kt_err *err)
{
	struct kt_probes *probes = calloc(1, sizeof(*probes));
	struct kt_err mine = { 0 };
	size_t i;
	int ret = probes ? read_lists(inst, probes, &mine) : -ENOMEM;

	for (i = 0; ret == 0 && i < probes->nr; i++) {
		struct kt_names users = { 0 };

		ret = probe_users(&probes->at[i], &users, &mine);
		probes->at[i].enabled = users.nr > 0;
		kt_names_fini(&users);
	}
	if (ret < 0) {
		kt_err_set(err, ret, "%s", mine.code ? mine.msg : "out of memory");
		kt_probes_destroy(probes);
		return NULL;
	}
	read_counts(inst, probes);
	return probes;
}

bool kt_probe_matches(const struct kt_probe *probe, const char *pattern)
{
	size_t cut = strcspn(pattern, ":/");
	char *group;
	bool matches;

	if (!pattern[cut])
		return fnmatch(pattern, probe->event, 0) == 0;
	group = strndup(pattern, cut);
	matches = group && fnmatch(group, probe->group, 0) == 0 &&
		  fnmatch(pattern + cut + 1, probe->event, 0) == 0;
	free(group);
	return matches;
}

/* Does the folder of a buffer use the event: enabled, or with a filter or trigger? */
static bool is_used_in(const char *dir, const struct kt_probe *probe)
{
	static const struct { const char *file, *idle; } files[] = {
		{ "enable", "0" }, { "filter", "none" }, { "trigger", "#" },
	};
	char path[4096], *text;
	bool used = false;
	size_t i;

	for (i = 0; !used && i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/events/%s/%s/%s", dir, probe->group, probe->event,
			 files[i].file);
		text = ctl_read_text(path, NULL);
		/* a trigger file without triggers has only comments */
		used = text && *text && !str_starts(text, files[i].idle);
		free(text);
	}
	return used;
}

int probe_users(const struct kt_probe *probe, struct kt_names *out, struct kt_err *err)
{
	const char *top = kt_tracefs_dir(err);
	struct kt_names instances = { 0 };
	char dir[4096];
	size_t i;
	int ret = 0;

	if (!top)
		return kt_err_code(err, -ENODEV);
	if (is_used_in(top, probe))
		ret = kt_names_add(out, "");
	kt_instance_list(&instances, NULL);
	for (i = 0; ret == 0 && i < instances.nr; i++) {
		snprintf(dir, sizeof(dir), "%s/instances/%s", top, instances.names[i]);
		if (is_used_in(dir, probe))
			ret = kt_names_add(out, instances.names[i]);
	}
	kt_names_fini(&instances);
	return kt_err_result(err, ret);
}

/* "enable_event:kprobes:read:unlimited" uses the event, and so keeps its probe. */
static bool names_probe(const char *trigger, const struct kt_probe *probe)
{
	const char *system = strchr(trigger, ':'), *event;
	size_t group = strlen(probe->group), len = strlen(probe->event);

	if (!system || !(str_starts(trigger, "enable_") || str_starts(trigger, "disable_")))
		return false;
	event = system + 1 + group + 1;
	return str_starts(system + 1, probe->group) && event[-1] == ':' &&
	       str_starts(event, probe->event) && strchr(": ", event[len]);
}

static bool explain_in(const char *instance, const struct kt_probe *probe, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(instance, 0, NULL);
	struct kt_event_notes notes = { 0 };
	bool found = false;
	size_t i;

	if (inst)
		kt_triggers_read(inst, NULL, &notes, NULL);
	for (i = 0; !found && i < notes.nr; i++)
		found = names_probe(notes.at[i].text, probe);
	if (found)
		kt_err_wrap(err, err->code, "a trigger of %s in " BUFFER_FMT " switches %s:%s",
			    notes.at[i - 1].event, BUFFER_ARGS(instance), probe->group,
			    probe->event);
	kt_event_notes_fini(&notes);
	kt_instance_close(inst, NULL);
	return found;
}

void kt_probe_explain_busy(const struct kt_probe *probe, struct kt_err *err)
{
	struct kt_names instances = { 0 };
	bool found;
	size_t i;

	if (err->code != -EBUSY)
		return;
	found = explain_in("", probe, err);
	kt_instance_list(&instances, NULL);
	for (i = 0; !found && i < instances.nr; i++)
		found = explain_in(instances.names[i], probe, err);
	kt_names_fini(&instances);
}
