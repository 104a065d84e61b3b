/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* printer.c - which of the ways to print an event is taken */
#include "event/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/plugins.h"
#include "builtin/builtin.h"
#include "printer/program.h"
#include "printer/raw.h"

/* A record that ends before its fields do is given zeros:
 * the library would read what lies behind. */
static void run_short(struct input *in, const struct kt_record *rec, uint32_t min_size)
{
	uint8_t *copy = calloc(1, min_size);

	if (!copy)
		return;
	memcpy(copy, rec->data, rec->size);
	in->data = copy;
	program_run(in);
	free(copy);
}

/* Formatters do not look whether the record has all fields. */
static void builtin_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
			 struct kt_out *out)
{
	if (rec->size >= ev->builtin_size)
		ev->builtin(evs, ev, rec, out);
	else
		ev->plain(evs, ev, rec, out);
}

static void program_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
			 struct kt_out *out)
{
	struct input in = {
		.p = (const struct program *)ev->pub.program, .evs = evs,
		.symbols = events_symbols(evs, rec), .data = rec->data,
		.size = rec->size, .swap = evs->swap, .out = out,
		.most = out->text.len + PROGRAM_TEXT_MAX,
	};

	if (rec->size >= ev->min_size)
		program_run(&in);
	else
		run_short(&in, rec, ev->min_size);
}

/* The user's plugin, then a formatter of ours, then the system's plugin, then the print format. */
static event_text_fn choose_formatter(struct kt_events *evs, struct event *ev)
{
	event_text_fn builtin = NULL;

	if (evs->opts.kernel) {
		/* As its trace file: no plugins, and formatters only for what has no format */
		if (strcmp(ev->pub.system, "ftrace") == 0)
			ev->builtin = builtin_find(ev);
		return ev->builtin ? builtin_text : ev->plain;
	}
	if (ev->tep->handler && plugins_is_own(evs, ev->tep->handler))
		return tep_text;
	if (!evs->opts.no_plugins && !evs->opts.local_plugins)
		builtin = builtin_find(ev);
	if (builtin) {
		ev->builtin = builtin;
		return builtin_text;
	}
	return ev->tep->handler ? tep_text : ev->plain;
}

int printer_choose(struct kt_events *evs, struct event *ev)
{
	struct program *p = program_compile(evs, ev);

	if (!p)
		return -ENOMEM;
	ev->pub.program = (struct kt_program *)p;
	ev->why_not = p->why_not;
	if ((ev->tep->flags & TEP_EVENT_FL_ISBPRINT) && builtin_find(ev)) {
		ev->plain = ev->text = builtin_bprint;
		ev->why_not = NULL;
		return raw_prepare(ev);
	}
	if (!p->why_not)
		ev->plain = program_text;
	else if (!ev->wrong && p->calls && tep_is_safe(ev->tep, &ev->lengths))
		ev->plain = tep_plain;
	else
		ev->plain = failed_text;
	ev->text = choose_formatter(evs, ev);
	return raw_prepare(ev);
}

const struct line *printer_line(const struct event *ev, event_text_fn text, uint32_t *size)
{
	if (text == program_text) {
		*size = ev->min_size;
		return &((const struct program *)ev->pub.program)->line;
	}
	if (text == builtin_text && ev->builtin == builtin_line_text) {
		*size = ev->builtin_size;
		return ev->line;
	}
	return NULL;
}

void printer_free(struct event *ev)
{
	raw_free(ev);
	free((void *)ev->priv);
	if (ev->line)
		line_fini(ev->line);
	free(ev->line);
	program_destroy((struct program *)ev->pub.program);
}

bool kt_event_is_compiled(const struct kt_event *ev)
{
	return !to_event(ev)->why_not;
}

const char *kt_event_why_not(const struct kt_event *ev)
{
	const char *why = to_event(ev)->why_not;

	return why ? why : "";
}

/* Formatters write into the room they asked for: the zero byte behind it is set once, here. */
static void terminate(struct kt_out *out)
{
	if (out->text.cap)
		out->text.buf[out->text.len] = '\0';
}

void kt_event_text(struct kt_events *evs, const struct kt_event *ev,
		   const struct kt_record *rec, struct kt_out *out)
{
	to_event(ev)->text(evs, to_event(ev), rec, out);
	terminate(out);
}

void kt_event_plain(struct kt_events *evs, const struct kt_event *ev,
		    const struct kt_record *rec, struct kt_out *out)
{
	to_event(ev)->plain(evs, to_event(ev), rec, out);
	terminate(out);
}

void kt_event_raw(struct kt_events *evs, const struct kt_event *ev,
		  const struct kt_record *rec, struct kt_out *out)
{
	raw_text(evs, to_event(ev), rec, out);
	terminate(out);
}
