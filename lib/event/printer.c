/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* printer.c - choose the printer of an event */
#include "event/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/plugins.h"
#include "builtin/builtin.h"
#include "printer/program.h"
#include "printer/raw.h"

static void program_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
			 struct kt_out *out)
{
	struct input in = program_input(evs, ev, rec, out);

	program_run(&in);
}

/* Fields beyond the end of a short record read as zeros. */
static void program_short_text(struct kt_events *evs, const struct event *ev,
			       const struct kt_record *rec, struct kt_out *out)
{
	struct input in = program_input(evs, ev, rec, out);
	uint8_t *copy = calloc(1, ev->min_size);

	if (!copy)
		return;
	in.data = memcpy(copy, rec->data, rec->size);
	program_run(&in);
	free(copy);
}

static struct printer choose_plain(struct event *ev, const struct program *p)
{
	if (p->calls && !ev->wrong && tep_is_safe(ev->tep, &ev->lengths)) {
		ev->why_not = "a function of a plugin";
		return (struct printer){ PRINTER_TEP, .put = tep_plain };
	}
	if (!p->why_not)
		return (struct printer){ PRINTER_PROGRAM, program_text, program_short_text,
					 ev->min_size, &p->line };
	return (struct printer){ PRINTER_FAILED, .put = failed_text };
}

/* In this order: the user's plugin, a formatter in C, the system's plugin, the print format. */
static struct printer choose_text(struct kt_events *evs, struct event *ev)
{
	const struct printer plugin = { PRINTER_TEP, .put = tep_text };
	const struct kt_events_opts *opts = &evs->opts;
	struct printer builtin;

	if (opts->kernel)	/* like its trace file: formatters only for what has no format */
		return strcmp(ev->pub.system, "ftrace") == 0 && builtin_find(ev, &builtin) ?
		       builtin : ev->plain;
	if (ev->tep->handler && plugins_is_own(evs, ev->tep->handler))
		return plugin;
	if (!opts->no_plugins && !opts->local_plugins && builtin_find(ev, &builtin))
		return builtin;
	return ev->tep->handler ? plugin : ev->plain;
}

int printer_choose(struct kt_events *evs, struct event *ev)
{
	struct program *p = program_compile(evs, ev);

	if (!p)
		return -ENOMEM;
	ev->pub.program = (struct kt_program *)p;
	if ((ev->tep->flags & TEP_EVENT_FL_ISBPRINT) && builtin_find(ev, &ev->plain)) {
		ev->plain.put_short = failed_text;
		ev->text = ev->plain;
		return raw_prepare(ev);
	}
	ev->why_not = p->why_not;
	ev->plain = choose_plain(ev, p);
	ev->text = choose_text(evs, ev);
	return raw_prepare(ev);
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

/* Formatters do not NUL-terminate the text: it is done once, here. */
static void terminate(struct kt_out *out)
{
	if (out->text.cap)
		out->text.buf[out->text.len] = '\0';
}

void kt_event_text(struct kt_events *evs, const struct kt_event *ev,
		   const struct kt_record *rec, struct kt_out *out)
{
	printer_put(&to_event(ev)->text, evs, to_event(ev), rec, out);
	terminate(out);
}

void kt_event_plain(struct kt_events *evs, const struct kt_event *ev,
		    const struct kt_record *rec, struct kt_out *out)
{
	plain_text(evs, to_event(ev), rec, out);
	terminate(out);
}

void kt_event_raw(struct kt_events *evs, const struct kt_event *ev,
		  const struct kt_record *rec, struct kt_out *out)
{
	raw_text(evs, to_event(ev), rec, out);
	terminate(out);
}
