/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pretty.c - give plugins access to the events of a trace */
#include "trace/pretty.h"

#include <stdlib.h>
#include <string.h>

#include "format/events.h"
#include "plug/plug.h"

struct pretty_file {
	struct kt_trace  *trace;
	size_t            index;
	struct kt_events *events;
	struct plug_view *view;
	char machine[65];
};

struct pretty {
	size_t nr;
	struct pretty_file files[];
};

static int get_symbol(void *ctx, const struct kt_record *rec, uint64_t addr,
		      struct kt_symbol *sym)
{
	return kt_symbols_find(events_symbols(((struct pretty_file *)ctx)->events, rec), addr, sym);
}

static int get_pid(void *ctx, const struct kt_record *rec)
{
	return kt_record_pid(((struct pretty_file *)ctx)->events, rec);
}

static int get_cpu(void *ctx, const struct kt_record *rec)
{
	struct pretty_file *f = ctx;

	return kt_trace_source(f->trace, rec)->cpu;
}

static const char *get_comm(void *ctx, int pid)
{
	struct pretty_file *f = ctx;

	return kt_trace_comm(f->trace, f->index, pid);
}

static const char *get_machine(void *ctx)
{
	return ((struct pretty_file *)ctx)->machine;
}

static void print_plain(void *ctx, const struct kt_event *ev, const struct kt_record *rec,
			struct kt_out *out)
{
	kt_event_plain(((struct pretty_file *)ctx)->events, ev, rec, out);
}

static const struct plug_model model = {
	.field_u64 = kt_field_u64, .field_bytes = kt_field_bytes, .field_elem = kt_field_elem,
	.symbol = get_symbol, .pid = get_pid, .cpu = get_cpu, .comm = get_comm,
	.machine = get_machine, .plain = print_plain,
};

/* The last word of "sysname nodename release machine". */
static void read_machine(struct pretty_file *f)
{
	const struct kt_option *o = kt_file_find_option(kt_trace_file(f->trace, f->index),
							KT_OPTION_UNAME);
	size_t end = o ? strnlen(o->raw.data, o->raw.size) : 0, start;

	while (end && (o->raw.data[end - 1] == '\n' || o->raw.data[end - 1] == ' '))
		end--;
	for (start = end; start && o->raw.data[start - 1] != ' '; start--)
		;
	if (end - start < sizeof(f->machine) && start)
		memcpy(f->machine, o->raw.data + start, end - start);
}

struct pretty *pretty_create(struct kt_trace *t, struct kt_plugins *plugins)
{
	size_t nr = kt_trace_nr_files(t), i;
	struct pretty *p = calloc(1, sizeof(*p) + nr * sizeof(p->files[0]));

	if (!p)
		return NULL;
	p->nr = nr;
	for (i = 0; i < nr; i++) {
		struct pretty_file *f = &p->files[i];

		f->trace = t;
		f->index = i;
		f->events = kt_trace_events(t, i);
		read_machine(f);
		f->view = plug_view_create(plugins, &model, f);
		if (!f->view) {
			pretty_destroy(p);
			return NULL;
		}
	}
	return p;
}

void pretty_destroy(struct pretty *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr; i++)
		plug_view_destroy(p->files[i].view);
	free(p);
}

bool pretty_text(struct pretty *p, size_t file, const struct kt_event *ev,
		 const struct kt_record *rec, struct kt_out *out)
{
	return plug_format(p->files[file].view, ev, rec, out);
}

struct plug_view *pretty_view(struct pretty *p, size_t file)
{
	return p->files[file].view;
}
