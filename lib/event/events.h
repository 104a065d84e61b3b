/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.h - libtraceevent's handle, and the choice of a printer for each event */
#ifndef EVENT_EVENTS_H
#define EVENT_EVENTS_H

#include "format/events.h"

/* Source @i of the stream has other symbols than evs->symbols. @syms: borrowed */
int events_set_symbols(struct kt_events *evs, size_t i, struct kt_symbols *syms);

/* blk.c - new; NULL: no memory, or @slot has no usable format */
char *blk_format(const struct kt_events *evs, const struct event_slot *user_stack);

/* tep.c - libtraceevent's handle, with its plugins; call it with the lock held */
int  tep_start(struct kt_events *evs);
void tep_stop(struct kt_events *evs);
/* NULL: not even the fields are known. @wrong: the error in the print format, or NULL. */
struct tep_event *tep_parse(struct kt_events *evs, const struct event_slot *slot,
			    const char **wrong);
/* Appends the text of a plugin, or else of the print format. Takes the lock. */
void tep_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	      struct kt_out *out);
void tep_plain(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	       struct kt_out *out);

/* printer.c - choose the printer of an event; called once, when it is parsed */
int  printer_choose(struct kt_events *evs, struct event *ev);
void printer_free(struct event *ev);

#endif
