/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trigger.c - filters and triggers of live events: list and change them */
#include <ktrail/settings.h>

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "target/filter_check.h"
#include "target/target.h"
#include "target/trigger.h"
#include "undo/undo.h"

#define IDENT "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

void kt_event_notes_fini(struct kt_event_notes *notes)
{
	size_t i;

	for (i = 0; i < notes->nr; i++) {
		free(notes->at[i].event);
		free(notes->at[i].text);
	}
	free(notes->at);
	*notes = (struct kt_event_notes){ 0 };
}

/* "events/sched/sched_switch" is the event sched:sched_switch; new (free) */
static char *event_of(const char *dir)
{
	char *name = strdup(dir + strlen("events/")), *slash = name ? strchr(name, '/') : NULL;

	if (slash)
		*slash = ':';
	return name;
}

static int add_note(struct kt_event_notes *out, const char *dir, const char *text, size_t len)
{
	struct kt_event_note *note = array_add(out->at, out->nr);

	if (!note)
		return -ENOMEM;
	*note = (struct kt_event_note){ event_of(dir), strndup(text, len) };
	return note->event && note->text ? 0 : -ENOMEM;
}

/* Lines that are not comments; an event without a filter reads "none" */
static int add_lines(struct kt_event_notes *out, const char *dir, const char *text)
{
	size_t len;
	int ret = 0;

	for (; ret == 0 && *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (len && *text != '#' && !(len == 4 && memcmp(text, "none", 4) == 0))
			ret = add_note(out, dir, text, len);
	}
	return ret;
}

char *ctl_read_filter(const struct kt_instance *inst, const char *file)
{
	static const char mark[] = "\nparse_error: ";
	char *text = kt_instance_read(inst, file, NULL), *line, *reason;

	reason = text ? strstr(text, mark) : NULL;
	if (!reason)
		return text;
	reason += strlen(mark);
	if (asprintf(&line, "%.*s (refused: %.*s)", (int)strcspn(text, "\n"), text,
		     (int)strcspn(reason, "\n"), reason) < 0)
		line = NULL;
	free(text);
	return line;
}

static int read_notes(const struct kt_instance *inst, const char *events, const char *file,
		      struct kt_event_notes *out, struct kt_err *err)
{
	struct kt_names dirs = { 0 };
	int ret = kt_selection_find_each(inst, events ? events : "all", &dirs, err);
	char path[512], *text;
	size_t i;

	for (i = 0; ret >= 0 && i < dirs.nr; i++) {
		snprintf(path, sizeof(path), "%s/%s", dirs.names[i], file);
		/* events of ftrace have none */
		text = strcmp(file, "filter") == 0 ? ctl_read_filter(inst, path)
						   : kt_instance_read(inst, path, NULL);
		ret = text ? add_lines(out, dirs.names[i], text) : 0;
		free(text);
	}
	kt_names_fini(&dirs);
	if (ret < 0) {
		kt_err_result(err, ret);
		kt_event_notes_fini(out);
	}
	return ret < 0 ? ret : 0;
}

int kt_filters_read(const struct kt_instance *inst, const char *events,
		    struct kt_event_notes *out, struct kt_err *err)
{
	return read_notes(inst, events, "filter", out, err);
}

int kt_triggers_read(const struct kt_instance *inst, const char *events,
		     struct kt_event_notes *out, struct kt_err *err)
{
	return read_notes(inst, events, "trigger", out, err);
}

/* Why an event refuses a filter or trigger */
struct refusal {
	struct kt_err err;
	struct ctl_missed missed;	/* a field that the event lacks; name "": another reason */
	bool  by_kernel;
};

/* A change of each selected event */
struct change {
	struct kt_instance *inst;
	const char *text, *file;
	int (*check)(const struct change *ch, struct ctl_format *f, const char *event,
		     struct kt_err *err);
	int (*put)(struct kt_instance *inst, const char *file, const char *text,
		   struct kt_err *err);
};

/* Is @why the better explanation? An error in the text is, or a field with a more similar name. */
static bool is_better(const struct refusal *why, const struct refusal *than)
{
	const struct ctl_missed *new = &why->missed, *old = &than->missed;

	if (!*new->name || !*old->name)
		return !*new->name && *old->name;
	return *new->near &&
	       (!*old->near ||
		str_nearest(new->name, (const char *[]){ old->near, new->near, NULL }) ==
				       new->near);
}

static int change_event(const struct change *ch, const char *dir, struct refusal *why)
{
	struct ctl_format *f = ctl_format_read(ch->inst, dir, &why->err);
	char *event = event_of(dir), path[512];
	int ret = kt_err_code(&why->err, -ENOMEM);

	if (f && event) {
		f->missed = &why->missed;
		ret = ch->check(ch, f, event, &why->err);
	}
	free(event);
	ctl_format_destroy(f);
	if (ret < 0)
		return kt_err_result(&why->err, ret);
	snprintf(path, sizeof(path), "%s/%s", dir, ch->file);
	ret = ch->put(ch->inst, path, ch->text, &why->err);
	why->by_kernel = ret < 0;
	return ret;
}

/* At least one event must accept it. Of several events, those that refuse it are skipped. */
static int change_events(const struct change *ch, const char *events, struct kt_err *err)
{
	struct kt_names dirs = { 0 };
	struct refusal best = { 0 }, mine;
	int nr = kt_selection_find_each(ch->inst, events, &dirs, err), done = 0, ret;
	size_t i;

	for (i = 0; nr > 0 && i < dirs.nr; i++) {
		mine = (struct refusal){ 0 };
		ret = change_event(ch, dirs.names[i], &mine);
		done += ret == 0;
		if (ret < 0 && (!best.err.code || mine.by_kernel || is_better(&mine, &best)))
			best = mine;
		if (ret == -ENOMEM || ret == -ENOTSUP || mine.by_kernel)
			break;
	}
	kt_names_fini(&dirs);
	if (nr <= 0)
		return nr;
	if (done && !best.by_kernel)
		return done;
	if (err)
		*err = best.err;
	return best.err.code;
}

static int check_filter(const struct change *ch, struct ctl_format *f, const char *event,
			struct kt_err *err)
{
	return ctl_filter_check(f, event, ch->text, err);
}

/* The path of the event's @file */
static void note_file(char path[512], const struct kt_event_note *note, const char *file)
{
	int system = (int)strcspn(note->event, ":");

	snprintf(path, 512, "events/%.*s/%s/%s", system, note->event, note->event + system + 1,
		 file);
}

static int remove_filters(struct kt_instance *inst, const struct kt_event_notes *notes,
			  struct kt_err *err)
{
	char path[512];
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < notes->nr; i++) {
		note_file(path, &notes->at[i], "filter");
		ret = kt_instance_write(inst, path, "0", err);
	}
	return ret;
}

int kt_filter_set(struct kt_instance *inst, const char *events, const char *filter,
		  struct kt_err *err)
{
	struct change ch = { .inst = inst, .text = filter, .file = "filter",
			     .check = check_filter, .put = kt_instance_write };
	struct kt_event_notes notes = { 0 };
	int ret;

	if (filter)
		return change_events(&ch, events, err);
	ret = kt_filters_read(inst, events, &notes, err);
	if (ret == 0)
		ret = remove_filters(inst, &notes, err);
	if (ret == 0)
		ret = (int)notes.nr;
	kt_event_notes_fini(&notes);
	return ret;
}

/* The kernel does not undo what a trigger has switched: the events it names are remembered. */
static int check_trigger(const struct change *ch, struct ctl_format *f, const char *event,
			 struct kt_err *err)
{
	struct trigger_check c = { .inst = ch->inst, .text = ch->text, .format = f,
				   .event = event, .err = err };
	int ret = trigger_check(&c);

	return ret < 0 ? ret : ctl_remember_switched(ch->inst, ch->text, err);
}

int kt_trigger_add(struct kt_instance *inst, const char *events, const char *trigger,
		   struct kt_err *err)
{
	struct change ch = { .inst = inst, .text = trigger, .file = "trigger",
			     .check = check_trigger, .put = kt_instance_append };

	return change_events(&ch, events, err);
}

/*
 * The text that removes a trigger: '!' and the command, with 0 for any count and without the
 * filter. For a hist trigger, all of its text except the state.
 */
static char *removal(const char *text)
{
	const char *state = strrchr(text, '[');
	struct str line = STR_INIT;

	if (str_starts(text, "hist:")) {
		str_addc(&line, '!');
		ctl_add_hist(&line, text, state && state > text && state[-1] == ' ' ?
			     (size_t)(state - 1 - text) : strlen(text));
	} else {
		ctl_add_removal(&line, text, trigger_filter(text) - text);
	}
	return str_take(&line);
}

int ctl_trigger_remove(struct kt_instance *inst, const char *file, const char *text,
		       struct kt_err *err)
{
	char *line = removal(text);
	int ret = line ? kt_instance_append(inst, file, line, err) : kt_err_no_memory(err);

	free(line);
	return ret;
}

/* A prefix suffices: "traceoff" for "traceoff:count=2 if …" */
static bool is_meant(const char *pattern, const char *text)
{
	size_t len = pattern ? strlen(pattern) : 0;

	return !pattern || fnmatch(pattern, text, 0) == 0 ||
	       (strncmp(pattern, text, len) == 0 && strchr(": ", text[len]));
}

/* A trigger cannot be removed while another one uses its variables: remove that one first. Returns
 * how many were removed. */
static int remove_noted(struct kt_instance *inst, const struct kt_event_notes *notes,
			const char *pattern, struct kt_err *err)
{
	int ret = 0, nr = 0, pass;
	char path[512];
	size_t i;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; ret == 0 && i < notes->nr; i++) {
			const char *text = notes->at[i].text;

			if (!is_meant(pattern, text) || ctl_trigger_depends(text) != (pass == 0))
				continue;
			note_file(path, &notes->at[i], "trigger");
			ret = ctl_trigger_remove(inst, path, text, err);
			nr++;
		}
	return ret < 0 ? ret : nr;
}

int kt_trigger_remove(struct kt_instance *inst, const char *events, const char *pattern,
		      struct kt_err *err)
{
	struct kt_event_notes notes = { 0 };
	int ret = kt_triggers_read(inst, events, &notes, err);

	if (ret == 0)
		ret = remove_noted(inst, &notes, pattern, err);
	kt_event_notes_fini(&notes);
	return ret;
}

int kt_instance_clear_triggers(struct kt_instance *inst, struct kt_err *err)
{
	struct kt_event_notes notes = { 0 };
	struct kt_names systems = { 0 };
	int ret = ctl_is_all_off(inst, "") ? 0 : kt_system_names(&systems, err);
	char events[300];
	size_t i;

	for (i = 0; ret == 0 && i < systems.nr; i++) {
		snprintf(events, sizeof(events), "%s:*", systems.names[i]);
		if (!ctl_is_all_off(inst, systems.names[i]))
			ret = kt_triggers_read(inst, events, &notes, err);
	}
	if (ret == 0)
		ret = remove_noted(inst, &notes, NULL, err);
	kt_event_notes_fini(&notes);
	kt_names_fini(&systems);
	return ret < 0 ? ret : 0;
}

/* Does @other use a variable, "NAME=…", of the table @text? @name gets the variable. */
static bool uses_variable(const char *text, const char *other, char name[64])
{
	const char *equals, *use, *p;

	for (equals = strchr(text, '='); equals; equals = strchr(equals + 1, '=')) {
		for (p = equals; p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_'); p--)
			;
		snprintf(name, 64, "%.*s", (int)(equals - p), p);
		for (use = *name ? strchr(other, '$') : NULL; use; use = strchr(use + 1, '$'))
			if (strspn(use + 1, IDENT) == strlen(name) && str_starts(use + 1, name))
				return true;
	}
	return false;
}

void kt_trigger_explain(const struct kt_instance *inst, const char *events, const char *pattern,
			struct kt_err *err)
{
	struct kt_event_notes mine = { 0 }, all = { 0 };
	char name[64];
	size_t i, k;

	if (kt_triggers_read(inst, events, &mine, NULL) == 0)
		kt_triggers_read(inst, NULL, &all, NULL);
	for (i = 0; i < mine.nr; i++)
		for (k = 0; is_meant(pattern, mine.at[i].text) && k < all.nr; k++) {
			if (strcmp(mine.at[i].text, all.at[k].text) == 0 ||
			    !uses_variable(mine.at[i].text, all.at[k].text, name))
				continue;
			kt_err_wrap(err, err->code,
				    "a trigger of %s uses the variable '%s' of %s: remove that "
				    "trigger first", all.at[k].event, name, mine.at[i].event);
			goto out;
		}
out:
	kt_event_notes_fini(&mine);
	kt_event_notes_fini(&all);
}
