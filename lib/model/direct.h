/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* direct.h - formatters in C for hot events, each saying what the distribution's plugin says */
#ifndef MODEL_DIRECT_H
#define MODEL_DIRECT_H

#include "model/events.h"

#define DIRECT_FIELDS 8

/* Where the fields are that a formatter named; size 0: the optional one is not there. */
struct direct {
	struct format_place f[DIRECT_FIELDS];
};

/* The formatter of an event, with ev->priv set; NULL if there is none or a field is missing. */
event_text_fn direct_find(struct event *ev);
/* Of a record with all its fields it shows numbers and names of tasks, and nothing else of the trace. */
bool direct_is_of_fields(event_text_fn direct);
/* replaced.c: does one of ours stand for all that this plugin does? @file: "plugin_sched_switch.so" */
bool direct_replaces(const char *file);

static inline uint64_t direct_get(const struct kt_events *evs, const struct kt_record *rec,
				  struct format_place f)
{
	return load_uint(rec->data + f.offset, f.size, evs->swap);
}

/* direct_sched.c */
void direct_sched_switch(struct kt_events *evs, const struct event *ev,
			 const struct kt_record *rec, struct kt_out *out);
void direct_sched_wakeup(struct kt_events *evs, const struct event *ev,
			 const struct kt_record *rec, struct kt_out *out);
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
void direct_hrtimer_expire(struct kt_events *evs, const struct event *ev,
			   const struct kt_record *rec, struct kt_out *out);
void direct_hrtimer_start(struct kt_events *evs, const struct event *ev,
			  const struct kt_record *rec, struct kt_out *out);
void direct_kmem(struct kt_events *evs, const struct event *ev,
		 const struct kt_record *rec, struct kt_out *out);
void direct_tlb_flush(struct kt_events *evs, const struct event *ev,
		      const struct kt_record *rec, struct kt_out *out);
void direct_futex(struct kt_events *evs, const struct event *ev,
		  const struct kt_record *rec, struct kt_out *out);

#endif
