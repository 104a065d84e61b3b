/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* setup.c - collect the settings of a tracing session */
#include <ktrail/session.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/state.h"

int kt_setup_init(struct kt_setup *setup)
{
	*setup = (struct kt_setup){ 0 };
	return kt_setup_buffer(setup, "") ? 0 : -ENOMEM;
}

void kt_setup_fini(struct kt_setup *setup)
{
	size_t i;

	kt_setup_close(setup, NULL);
	for (i = 0; i < setup->nr_buffers; i++) {
		state_section_fini(&setup->buffers[i]->wish);
		free(setup->buffers[i]->name);
		free(setup->buffers[i]);
	}
	free(setup->buffers);
	free(setup->pids);
	state_section_fini(&setup->machine);
	kt_names_fini(&setup->session_notes);
	*setup = (struct kt_setup){ 0 };
}

struct kt_setup_buffer *kt_setup_buffer(struct kt_setup *setup, const char *name)
{
	struct kt_setup_buffer **more, *buf;
	size_t i;

	for (i = 0; i < setup->nr_buffers; i++)
		if (strcmp(setup->buffers[i]->name, name) == 0)
			return setup->buffers[i];
	more = reallocarray(setup->buffers, setup->nr_buffers + 1, sizeof(*more));
	if (!more)
		return NULL;
	setup->buffers = more;
	buf = calloc(1, sizeof(*buf));
	if (!buf)
		return NULL;
	buf->name = strdup(name);
	if (!buf->name) {
		free(buf);
		return NULL;
	}
	return more[setup->nr_buffers++] = buf;
}

int kt_setup_add(struct kt_setup_buffer *buf, const char *key, const char *value)
{
	buf->used = true;
	return kt_state_add(&buf->wish, key, value);
}

int kt_setup_set(struct kt_setup_buffer *buf, const char *key, const char *value)
{
	buf->used = true;
	return kt_state_set(&buf->wish, key, value);
}

int kt_setup_add_event(struct kt_setup_buffer *buf, const char *name, bool off)
{
	buf->used = true;
	return state_addf(&buf->wish, "event", "%s%s", off ? "!" : "", name);
}

int kt_setup_add_function(struct kt_setup_buffer *buf, enum kt_function_list list,
			  const char *pattern, const char *module)
{
	buf->used = true;
	return state_addf(&buf->wish, kt_function_list_file(list), "%s%s%s", pattern,
			  module ? ":mod:" : "", module ? module : "");
}

int kt_setup_add_pids(char **list, const char *pids)
{
	char *both, *p;

	if (asprintf(&both, "%s%s%s", *list ? *list : "", *list ? " " : "", pids) < 0)
		return -ENOMEM;
	for (p = both; *p; p++)
		if (*p == ',')
			*p = ' ';
	free(*list);
	*list = both;
	return 0;
}

/* The line of the last event, or NULL */
static struct kt_state_line *last_event(const struct kt_setup_buffer *buf)
{
	size_t i = buf->wish.nr;

	while (i-- > 0)
		if (strcmp(buf->wish.lines[i].key, "event") == 0)
			return &buf->wish.lines[i];
	return NULL;
}

static const char *event_name(const struct kt_state_line *event)
{
	return event->value + (*event->value == '!');
}

int kt_setup_add_filter(struct kt_setup_buffer *buf, const char *filter)
{
	struct kt_state_line *ev = last_event(buf), *line;
	char *both;
	size_t len;

	if (!ev)
		return -EINVAL;
	for (line = ev; line < buf->wish.lines + buf->wish.nr; line++) {
		if (strcmp(line->key, "filter") != 0)
			continue;
		len = strlen(event_name(ev)) + 1;
		if (asprintf(&both, "%.*s(%s)&&(%s)", (int)len, line->value, line->value + len,
			     filter) < 0)
			return -ENOMEM;
		free(line->value);
		line->value = both;
		return 0;
	}
	return state_addf(&buf->wish, "filter", "%s %s", event_name(ev), filter);
}

int kt_setup_add_trigger(struct kt_setup_buffer *buf, const char *trigger)
{
	const struct kt_state_line *ev = last_event(buf);

	return ev ? state_addf(&buf->wish, "trigger", "%s %s", event_name(ev), trigger) : -EINVAL;
}

bool kt_setup_traces(const struct kt_setup *setup)
{
	size_t i;

	for (i = 0; i < setup->nr_buffers; i++)
		if (kt_state_value(&setup->buffers[i]->wish, "current_tracer") ||
		    kt_state_value(&setup->buffers[i]->wish, "event"))
			return true;
	for (i = 0; setup->session && i < setup->session->nr; i++)
		if (state_traces(&setup->session->sections[i]))
			return true;
	return false;
}
