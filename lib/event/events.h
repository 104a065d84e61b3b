/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.h - how an event comes to its text: libtraceevent's handle, the choice of its printers */
#ifndef EVENT_EVENTS_H
#define EVENT_EVENTS_H

#include "format/events.h"

/* The addresses of source @i of the stream are not those of evs->symbols. @syms: borrowed */
int events_set_symbols(struct kt_events *evs, size_t i, struct kt_symbols *syms);

/* blk.c - new; NULL: no memory, or that format is none to go by */
char *blk_format(const struct kt_events *evs, const struct event_slot *user_stack);

/* tep.c - libtraceevent's handle, with its plugins; call with the lock held */
int  tep_start(struct kt_events *evs);
void tep_stop(struct kt_events *evs);
/* NULL: not even its fields are known. @wrong: what is wrong with the print format, or NULL. */
struct tep_event *tep_parse(struct kt_events *evs, const struct event_slot *slot,
			    const char **wrong);
/* Appends what a plugin prints for the record; or what the print format does. Takes the lock. */
void tep_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	      struct kt_out *out);
void tep_plain(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	       struct kt_out *out);

/* printer.c - which of the ways to print is the one for this event; called once, at its parsing */
int  printer_choose(struct kt_events *evs, struct event *ev);
void printer_free(struct event *ev);

#endif
