/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose_row.c - filters made from the selected row: its task, CPU, kind of event, function */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/moment.h"
#include "app.h"

#define READ_MS 30	/* a filter may hide many events in a row */

static int add_filter(struct view *v, bool exclude, struct kt_err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int add_filter(struct view *v, bool exclude, struct kt_err *err, const char *fmt, ...)
{
	char text[KT_SYMBOL_MAX + 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return kt_model_add_filter(v->model, text, exclude, err);
}

/* The known facts of the selected row */
struct chosen {
	const struct kt_event *event;
	int pid, cpu;
	const char *field;			/* the field that names a function; NULL: none */
	char function[KT_SYMBOL_MAX + 1];
};

/* Calls of tracers and probes come first; for other events, a field may name the caller. */
static void find_function(const struct kt_trace *t, const struct kt_record *rec, struct chosen *c)
{
	static const char *const names[] = {
		"func", "ip", "__probe_func", "__probe_ip", "function", "call_site", "caller",
	};
	const struct kt_source *src = kt_trace_source(t, rec);
	struct kt_symbols *syms = kt_trace_symbols(t, src->file_index);
	struct kt_symbol sym;
	uint64_t addr;
	size_t i;

	c->field = NULL;
	for (i = 0; i < sizeof(names) / sizeof(*names) && !c->field; i++) {
		const struct kt_field *f = kt_event_field(c->event, names[i]);

		if (!f || kt_field_u64(c->event, f, rec, &addr) < 0 ||
		    kt_symbols_find(syms, addr, &sym) <= 0)
			continue;
		c->field = names[i];
		snprintf(c->function, sizeof(c->function), "%s", sym.name);
	}
}

static bool is_late(void *until)
{
	return moment_ms() > *(const uint64_t *)until;
}

static int find_chosen(struct view *v, struct chosen *c, struct kt_err *err)
{
	struct kt_trace *t = kt_model_trace(v->model);
	struct kt_reader *r = kt_model_reader(v->model, err);
	struct view_row row = { .spot = kt_model_cursor(v->model), .pid = -1, .cpu = -1 };
	uint64_t until = moment_ms() + READ_MS;
	struct kt_record rec = { 0 };
	int ret;

	if (v->ops->row)
		v->ops->row(v, &row);
	ret = r ? kt_reader_go(r, &row.spot, err) : -ENOMEM;
	if (r)
		kt_reader_set_stop(r, is_late, &until);
	if (ret == 0)
		ret = kt_reader_next(r, &rec, err);
	c->event = ret > 0 ? kt_trace_event(t, &rec) : NULL;
	if (c->event) {
		c->pid = row.pid >= 0 ? row.pid : kt_trace_task(t, &rec).pid;
		c->cpu = row.cpu >= 0 ? row.cpu : kt_trace_source(t, &rec)->cpu;
		find_function(t, &rec, c);
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

static int by_cpu(struct view *v, bool exclude, struct kt_err *err)
{
	struct chosen c;
	int ret = find_chosen(v, &c, err);

	return ret < 0 ? ret : add_filter(v, exclude, err, "CPU == %d", c.cpu);
}

static int by_function(struct view *v, bool exclude, struct kt_err *err)
{
	struct chosen c;
	int ret = find_chosen(v, &c, err);

	if (ret == 0 && !c.field)
		ret = kt_err_set(err, -ENOENT, "%s/%s does not name a function", c.event->system,
				 c.event->name);
	return ret < 0 ? ret : add_filter(v, exclude, err, "%s == \"%s\"", c.field, c.function);
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
COMMAND(choose_only_cpu, by_cpu, false)
COMMAND(choose_hide_cpu, by_cpu, true)
COMMAND(choose_only_function, by_function, false)
COMMAND(choose_hide_function, by_function, true)
