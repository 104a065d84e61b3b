/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose_row.c - filters made from the event at the cursor: its task, its kind, its CPU */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "app.h"
#include "base/moment.h"

#define READ_MS 30	/* a filter may hide all for a long way */

static int add_filter(struct view *v, bool exclude, struct kt_err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int add_filter(struct view *v, bool exclude, struct kt_err *err, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return kt_model_add_filter(v->model, text, exclude, err);
}

/* What is known of the event at the cursor */
struct chosen {
	const struct kt_event *event;
	int pid, cpu;
};

static bool is_late(void *until)
{
	return moment_ms() > *(const uint64_t *)until;
}

static int find_chosen(struct view *v, struct chosen *c, struct kt_err *err)
{
	struct kt_trace *t = kt_model_trace(v->model);
	struct kt_reader *r = kt_model_reader(v->model, err);
	struct kt_spot spot = kt_model_cursor(v->model);
	uint64_t until = moment_ms() + READ_MS;
	struct kt_record rec = { 0 };
	int ret = r ? kt_reader_go(r, &spot, err) : -ENOMEM;

	if (r)
		kt_reader_set_stop(r, is_late, &until);
	if (ret == 0)
		ret = kt_reader_next(r, &rec, err);
	c->event = ret > 0 ? kt_trace_event(t, &rec) : NULL;
	if (c->event) {
		c->pid = kt_trace_task(t, &rec).pid;
		c->cpu = kt_trace_source(t, &rec)->cpu;
	}
	kt_reader_destroy(r);
	return c->event ? 0 : kt_err_set(err, -ENOENT, "no event is selected");
}

static int by_task(struct view *v, bool exclude, struct kt_err *err)
{
	struct chosen c;
	int ret = find_chosen(v, &c, err);

	return ret < 0 ? ret : add_filter(v, exclude, err, "common_pid == %d", c.pid);
}

static int by_event(struct view *v, bool exclude, struct kt_err *err)
{
	struct chosen c;
	int ret = find_chosen(v, &c, err);

	return ret < 0 ? ret : add_filter(v, exclude, err, "%s/%s", c.event->system, c.event->name);
}

#define COMMAND(name, how, exclude)							\
	int name(struct view *v, const char *arg, struct kt_err *err)			\
	{										\
		(void)arg;								\
		return how(v, exclude, err);						\
	}
COMMAND(choose_only_task, by_task, false)
COMMAND(choose_hide_task, by_task, true)
COMMAND(choose_only_event, by_event, false)
COMMAND(choose_hide_event, by_event, true)
