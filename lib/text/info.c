/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* info.c - print the text of a record, after the name of its event */
#include "builtin/builtin.h"
#include "text/text.h"

/* Many print formats end with a newline, which the line already has. */
static void drop_newline(struct str *s, size_t start)
{
	if (s->len > start && s->buf[s->len - 1] == '\n')
		s->buf[--s->len] = '\0';
}

static void own_text(const struct kt_text *x, struct names *names, const struct kt_record *rec,
		     const struct mark *m, struct kt_out *out)
{
	const struct text_source *src = &x->sources[rec->source];
	const struct event *ev = to_event(m->ev->ev);

	switch (m->ev->kind) {
	case TEXT_FUNCTION:
		function_text(x, rec, m, out);
		break;
	case TEXT_GRAPH_ENTRY:
	case TEXT_GRAPH_EXIT:
		/* A JSON object must be complete; a line of a report has others around it */
		if (!x->pretty || !x->opts.json ||
		    !pretty_text(x->pretty, src->file, m->ev->ev, rec, out))
			graph_text(x, names, rec, m, out);
		break;
	case TEXT_STACK:
		if (x->opts.function_offset && stack_text(x, rec, m, out))
			break;
		if (ev->text.kind == PRINTER_STACK && !x->pretty &&
		    rec->size >= ev->text.min_size) {
			builtin_stack(src->events, ev, rec, &names->frames, out);
			break;
		}
		/* fall through */
	default:
		if (!x->pretty || !pretty_text(x->pretty, src->file, m->ev->ev, rec, out))
			kt_event_text(src->events, m->ev->ev, rec, out);
	}
}

void text_info(const struct kt_text *x, struct names *names, const struct kt_record *rec,
	       const struct mark *m, struct kt_out *out)
{
	struct kt_events *events = x->sources[rec->source].events;
	size_t start = out->text.len;

	if (m->ev->printer)
		printer_put(m->ev->printer, events, to_event(m->ev->ev), rec, out);
	else
		own_text(x, names, rec, m, out);
	if (!m->ev->own_newline)
		drop_newline(&out->text, start);
}
