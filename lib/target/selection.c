/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* selection.c - find the events that the user selects */
#include <ktrail/settings.h>

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "base/suggest.h"
#include "tracefs/tracefs.h"

int kt_event_names(struct kt_names *out, struct kt_err *err)
{
	const char *top = kt_tracefs_dir(err);
	char *path = top ? ctl_path(top, "available_events") : NULL;
	char *text = path ? ctl_read_text(path, err) : NULL;
	int ret;

	free(path);
	if (!text)
		return kt_err_code(err, -ENOENT);
	ret = kt_names_add_words(out, text, " \n");
	free(text);
	return ret < 0 ? kt_err_no_memory(err) : 0;
}

int kt_ftrace_event_names(struct kt_names *out, struct kt_err *err)
{
	const char *top = kt_tracefs_dir(err);
	char *path = top ? ctl_path(top, "events/ftrace") : NULL, name[300];
	DIR *dir = path ? opendir(path) : NULL;
	struct kt_names found = { 0 };
	struct dirent *entry;
	int ret = top ? 0 : err->code;
	size_t i;

	free(path);
	while (dir && ret == 0 && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "ftrace:%s", entry->d_name);
		/* other entries are files of the system */
		if (entry->d_name[0] != '.' && entry->d_type != DT_REG)
			ret = kt_names_add(&found, name);
	}
	if (dir)
		closedir(dir);
	kt_names_sort(&found);
	for (i = 0; ret == 0 && i < found.nr; i++)
		ret = kt_names_add(out, found.names[i]);
	kt_names_fini(&found);
	return ret == -ENOMEM ? kt_err_no_memory(err) : ret;
}

static int add_systems(struct kt_names *systems, const struct kt_names *events)
{
	size_t i, len, last_len = 0;
	const char *last = "";
	int ret = 0;

	/* Events of a system mostly follow each other: skip most repeats here, and let the sort
	 * drop the rest. */
	for (i = 0; ret == 0 && i < events->nr; i++) {
		len = strcspn(events->names[i], ":");
		if (len == last_len && memcmp(events->names[i], last, len) == 0)
			continue;
		last = events->names[i];
		last_len = len;
		ret = kt_names_addn(systems, last, len);
	}
	kt_names_sort(systems);
	return ret;
}

int kt_system_names(struct kt_names *out, struct kt_err *err)
{
	struct kt_names events = { 0 };
	int ret;

	ret = kt_event_names(&events, err);
	if (ret == 0 && add_systems(out, &events) < 0)
		ret = kt_err_no_memory(err);
	kt_names_fini(&events);
	return ret;
}

/* The parts of a word from the user. Empty @event: the whole system. */
struct wish {
	char system[128], event[128];
	bool bare;		/* one word: a system, or an event of any system */
};

static int parse(const char *text, struct wish *w, struct kt_err *err)
{
	size_t len = strcspn(text, ":/");

	memset(w, 0, sizeof(*w));
	w->bare = !text[len];
	if (!*text || len >= sizeof(w->system) ||
	    (!w->bare && strlen(text + len + 1) >= sizeof(w->event)))
		return kt_err_set(err, -EINVAL, "'%.100s' is not the name of an event", text);
	memcpy(w->system, text, len);
	if (!w->bare)
		strcpy(w->event, text + len + 1);
	if (strcmp(w->event, "*") == 0)
		w->event[0] = '\0';
	if (!*w->system)
		strcpy(w->system, "*");
	return 0;
}

static int add_dir(struct kt_names *dirs, const char *system, const char *event, size_t len)
{
	char path[600];

	snprintf(path, sizeof(path), "events/%.*s%s%s", (int)len, system, *event ? "/" : "", event);
	return kt_names_add(dirs, path);
}

static int match_systems(const struct wish *w, const struct kt_names *systems,
			 struct kt_names *dirs)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < systems->nr; i++)
		if (fnmatch(w->system, systems->names[i], 0) == 0)
			ret = add_dir(dirs, systems->names[i], "", strlen(systems->names[i]));
	return ret;
}

/* Is the whole system of @name ("sched:…") among the first @nr of @dirs? */
static bool is_covered(const struct kt_names *dirs, size_t nr, const char *name)
{
	size_t i, len = strcspn(name, ":");

	for (i = 0; i < nr; i++)
		if (strncmp(dirs->names[i] + strlen("events/"), name, len) == 0 &&
		    !dirs->names[i][strlen("events/") + len])
			return true;
	return false;
}

static int match_events(const struct wish *w, const struct kt_names *events,
			struct kt_names *dirs)
{
	const char *pattern = w->bare ? w->system : w->event, *colon;
	size_t i, nr_systems = dirs->nr;
	char system[128];
	int ret = 0;

	for (i = 0; ret == 0 && i < events->nr; i++) {
		colon = strchr(events->names[i], ':');
		if (!colon || fnmatch(pattern, colon + 1, 0) != 0)
			continue;
		snprintf(system, sizeof(system), "%.*s", (int)(colon - events->names[i]),
			 events->names[i]);
		if (!w->bare && fnmatch(w->system, system, 0) != 0)
			continue;
		if (!is_covered(dirs, nr_systems, events->names[i]))
			ret = add_dir(dirs, system, colon + 1, strlen(system));
	}
	return ret;
}

/* Suggest a name of the same form: for "sched" a system or an event, for "a:b" both parts. */
static int no_match(const char *text, const struct wish *w, const struct kt_names *events,
		    const struct kt_names *systems, struct kt_err *err)
{
	struct kt_names plain = { 0 };
	char wrong[260], hint[SUGGEST_SIZE];
	size_t i;

	snprintf(wrong, sizeof(wrong), "%s:%s", w->system, w->event);
	if (w->bare) {
		for (i = 0; i < events->nr; i++)
			kt_names_add(&plain, events->names[i] + strcspn(events->names[i], ":") + 1);
		if (!*suggest_one(w->system, suggest_from(systems), hint))
			suggest_one(w->system, suggest_from(&plain), hint);
	} else if (*w->event) {
		suggest_one(wrong, suggest_from(events), hint);
	} else {
		suggest_one(w->system, suggest_from(systems), hint);
	}
	kt_err_set(err, -ENOENT, "no event '%s' in this kernel%s", text, hint);
	kt_names_fini(&plain);
	return -ENOENT;
}

static int find(const char *text, const struct wish *w, const struct kt_names *events,
		struct kt_names *dirs, struct kt_err *err)
{
	struct kt_names systems = { 0 };
	size_t before = dirs->nr;
	int ret = 0;

	if (add_systems(&systems, events) < 0 ||
	    (!*w->event && match_systems(w, &systems, dirs) < 0) ||
	    ((w->bare || *w->event) && match_events(w, events, dirs) < 0))
		ret = kt_err_no_memory(err);
	else if (dirs->nr == before)
		ret = no_match(text, w, events, &systems, err);
	kt_names_fini(&systems);
	return ret < 0 ? ret : (int)(dirs->nr - before);
}

/* One word of the list, the first @len bytes of @text. @events: see find_in(). */
static int find_word(const char *text, size_t len, struct kt_names *events, struct kt_names *dirs,
		     struct kt_err *err)
{
	char word[260];
	struct wish w;
	int ret;

	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1),
		 text);
	ret = parse(word, &w, err);
	if (ret < 0)
		return ret;
	if (w.bare && strcmp(word, "all") == 0)
		return kt_names_add(dirs, "events") < 0 ? kt_err_no_memory(err) : 1;
	ret = events->nr ? 0 : kt_event_names(events, err);
	return ret < 0 ? ret : find(word, &w, events, dirs, err);
}

/* Is folder @nr of @dirs inside another one, or a repeat of an earlier one? */
static bool is_inside(const struct kt_names *dirs, size_t nr)
{
	const char *dir = dirs->names[nr];
	size_t i, len;

	for (i = 0; i < dirs->nr; i++) {
		len = strlen(dirs->names[i]);
		if (strncmp(dirs->names[i], dir, len) == 0 &&
		    (dir[len] == '/' || (!dir[len] && i < nr)))
			return true;
	}
	return false;
}

static void drop_inside(struct kt_names *dirs, size_t from)
{
	size_t i;

	for (i = dirs->nr; i > from; i--)
		if (is_inside(dirs, i - 1)) {
			free(dirs->names[i - 1]);
			memmove(&dirs->names[i - 1], &dirs->names[i],
				(dirs->nr - i + 1) * sizeof(*dirs->names));
			dirs->nr--;
		}
}

/* @events is empty and read only if needed: the kernel takes a millisecond to list the events. */
static int find_in(const char *text, struct kt_names *events, struct kt_names *dirs,
		   struct kt_err *err)
{
	size_t before = dirs->nr, len;
	const char *word = text;
	int ret;

	for (;; word += len + 1) {
		len = strcspn(word, ",");
		ret = find_word(word, len, events, dirs, err);
		if (ret < 0 || !word[len])
			break;
	}
	/* In "sched,sched_switch" the first includes the second. */
	if (ret >= 0 && word > text)
		drop_inside(dirs, before);
	return ret < 0 ? ret : (int)(dirs->nr - before);
}

int kt_selection_find(const struct kt_instance *inst, const char *text, struct kt_names *dirs,
		      struct kt_err *err)
{
	struct kt_names events = { 0 };
	int ret = find_in(text, &events, dirs, err);

	(void)inst;
	kt_names_fini(&events);
	return ret;
}

static int spell_out(const char *dir, const struct kt_names *events, struct kt_names *dirs)
{
	const char *system = strchr(dir, '/'), *event = system ? strchr(system + 1, '/') : NULL;
	int ret = 0;
	size_t i, n;

	if (event)
		return kt_names_add(dirs, dir);
	for (i = 0; ret == 0 && i < events->nr; i++) {
		n = strcspn(events->names[i], ":");
		if (system && (strncmp(system + 1, events->names[i], n) != 0 || system[1 + n]))
			continue;
		if (events->names[i][n])
			ret = add_dir(dirs, events->names[i], events->names[i] + n + 1, n);
	}
	return ret;
}

int kt_selection_find_each(const struct kt_instance *inst, const char *text,
			   struct kt_names *dirs, struct kt_err *err)
{
	struct kt_names groups = { 0 }, events = { 0 };
	int ret, i, nr;

	(void)inst;
	nr = ret = find_in(text, &events, &groups, err);
	if (ret > 0 && !events.nr)
		ret = kt_event_names(&events, err);
	for (i = 0; ret >= 0 && i < nr; i++)
		if (spell_out(groups.names[i], &events, dirs) < 0)
			ret = kt_err_no_memory(err);
	kt_names_fini(&groups);
	kt_names_fini(&events);
	return ret < 0 ? ret : (int)dirs->nr;
}
