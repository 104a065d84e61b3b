/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* setup.c - build up a tracing session */
#include <ktrail/session.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/setup_priv.h"

int kt_setup_init(struct kt_setup *setup)
{
	*setup = (struct kt_setup){ .graph_depth = -1 };
	return kt_setup_buffer(setup, "") ? 0 : -ENOMEM;
}

static void event_fini(struct kt_setup_event *ev)
{
	free(ev->name);
	free(ev->filter);
	kt_names_fini(&ev->triggers);
}

static void buffer_destroy(struct kt_setup_buffer *buf)
{
	size_t i;

	for (i = 0; i < buf->nr_events; i++)
		event_fini(&buf->events[i]);
	for (i = 0; i < buf->nr_functions; i++) {
		free(buf->functions[i].pattern);
		free(buf->functions[i].module);
	}
	free(buf->events);
	free(buf->functions);
	kt_names_fini(&buf->options);
	free(buf->name);
	free(buf->tracer);
	free(buf->clock);
	free(buf->cpumask);
	free(buf);
}

void kt_setup_fini(struct kt_setup *setup)
{
	size_t i;

	kt_setup_close(setup, NULL);
	for (i = 0; i < setup->nr_buffers; i++)
		buffer_destroy(setup->buffers[i]);
	free(setup->buffers);
	free(setup->pids);
	free(setup->hidden_pids);
	kt_names_fini(&setup->session_notes);
	kt_names_fini(&setup->boot_probes);
	kt_names_fini(&setup->boot_params);
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
	buf->buffer_percent = -1;
	buf->name = strdup(name);
	if (!buf->name) {
		free(buf);
		return NULL;
	}
	return more[setup->nr_buffers++] = buf;
}

int kt_setup_add_event(struct kt_setup_buffer *buf, const char *name, bool off)
{
	struct kt_setup_event *more = reallocarray(buf->events, buf->nr_events + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	buf->events = more;
	more[buf->nr_events] = (struct kt_setup_event){ .name = strdup(name), .off = off };
	if (!more[buf->nr_events].name)
		return -ENOMEM;
	buf->nr_events++;
	buf->used = true;
	return 0;
}

int kt_setup_add_function(struct kt_setup_buffer *buf, enum kt_function_list list,
			  const char *pattern, const char *module)
{
	struct kt_setup_function f = { .list = list }, *more;

	more = reallocarray(buf->functions, buf->nr_functions + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	buf->functions = more;
	f.pattern = strdup(pattern);
	f.module = module ? strdup(module) : NULL;
	if (!f.pattern || (module && !f.module)) {
		free(f.pattern);
		free(f.module);
		return -ENOMEM;
	}
	more[buf->nr_functions++] = f;
	buf->used = true;
	return 0;
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

static struct kt_setup_event *last_event(struct kt_setup_buffer *buf)
{
	return buf->nr_events ? &buf->events[buf->nr_events - 1] : NULL;
}

int kt_setup_add_filter(struct kt_setup_buffer *buf, const char *filter)
{
	struct kt_setup_event *ev = last_event(buf);
	char *both;

	if (!ev)
		return -EINVAL;
	if (!ev->filter) {
		ev->filter = strdup(filter);
		return ev->filter ? 0 : -ENOMEM;
	}
	if (asprintf(&both, "(%s)&&(%s)", ev->filter, filter) < 0)
		return -ENOMEM;
	free(ev->filter);
	ev->filter = both;
	return 0;
}

int kt_setup_add_trigger(struct kt_setup_buffer *buf, const char *trigger)
{
	struct kt_setup_event *ev = last_event(buf);

	return ev ? kt_names_add(&ev->triggers, trigger) : -EINVAL;
}

/* A trigger may need a buffer that takes events: it counts. */
bool setup_section_traces(const struct kt_state_section *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		const char *key = s->lines[i].key;

		if (strcmp(key, "event") == 0 || strcmp(key, "trigger") == 0 ||
		    (strcmp(key, "current_tracer") == 0 && strcmp(s->lines[i].value, "nop") != 0))
			return true;
	}
	return false;
}

bool kt_setup_traces(const struct kt_setup *setup)
{
	size_t i;

	for (i = 0; i < setup->nr_buffers; i++)
		if (setup->buffers[i]->tracer || setup->buffers[i]->nr_events)
			return true;
	for (i = 0; setup->session && i < setup->session->nr; i++)
		if (setup_section_traces(&setup->session->sections[i]))
			return true;
	return false;
}
