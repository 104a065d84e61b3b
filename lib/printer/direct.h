/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* direct.h - formatters in C for hot events, each saying what the distribution's plugin says */
#ifndef PRINTER_DIRECT_H
#define PRINTER_DIRECT_H

#include "format/events.h"

#define DIRECT_FIELDS 8

/* Where the fields are that a formatter named; size 0: the optional one is not there. */
struct direct {
	struct format_place f[DIRECT_FIELDS];
};

/* The formatter of an event, with ev->priv set; NULL if there is none or a field is missing. */
event_text_fn direct_find(struct event *ev);
/* event/replaced.c: does one of ours stand for all that this plugin does? @file: "plugin_sched_switch.so" */
bool direct_replaces(const char *file);

static inline uint64_t direct_get(const struct kt_events *evs, const struct kt_record *rec,
				  struct format_place f)
{
	return load_uint(rec->data + f.offset, f.size, evs->swap);
}

/*
 * direct_line.c: of ev->priv makes ev->line, what direct_line_text() writes. In
 * @format each conversion takes the next field: %u, %x, %s; %d of 32 bits, %S
 * state of a task, %c CPU, %f function. A {group} is left out with its field.
 * False: no memory
 */
bool direct_line(struct event *ev, const char *format);
void direct_line_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		      struct kt_out *out);
/* direct_ftrace.c; with @known instead of NULL it remembers lines of frames there */
struct frames;
void direct_stack(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		  struct frames *known, struct kt_out *out);
void direct_kernel_stack(struct kt_events *evs, const struct event *ev,
			 const struct kt_record *rec, struct kt_out *out);
void direct_raw_data(struct kt_events *evs, const struct event *ev,
		     const struct kt_record *rec, struct kt_out *out);
void direct_func_repeats(struct kt_events *evs, const struct event *ev,
			 const struct kt_record *rec, struct kt_out *out);
/* direct_bprint.c; this one is the print format as well: also with -N */
void direct_bprint(struct kt_events *evs, const struct event *ev,
		   const struct kt_record *rec, struct kt_out *out);
/* direct_misc.c */
void direct_kmem(struct kt_events *evs, const struct event *ev,
		 const struct kt_record *rec, struct kt_out *out);
void direct_tlb_flush(struct kt_events *evs, const struct event *ev,
		      const struct kt_record *rec, struct kt_out *out);
void direct_futex(struct kt_events *evs, const struct event *ev,
		  const struct kt_record *rec, struct kt_out *out);

#endif
