/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* builtin.h - formatters in C for frequent events, with the text of trace-cmd's newest plugins */
#ifndef BUILTIN_BUILTIN_H
#define BUILTIN_BUILTIN_H

#include "format/events.h"

#define BUILTIN_FIELDS 8

/* The places of the fields that a formatter needs; size 0: an optional field is missing. */
struct builtin {
	struct format_place f[BUILTIN_FIELDS];
	char states[17];		/* %S: the letter of each bit, from the format */
};

/* The formatter of an event, with ev->priv set; false if there is none or a field is missing. */
bool builtin_find(struct event *ev, struct printer *to);

static inline uint64_t builtin_get(const struct kt_events *evs, const struct kt_record *rec,
				   struct format_place f)
{
	return load_uint(rec->data + f.offset, f.size, evs->swap);
}

/*
 * line.c: make ev->line, which builtin_line_text() prints, from ev->priv. Each conversion in
 * @format takes the next field: %u, %x, %s; %d: 32 bits, %S: state of a task, %c: CPU, %f:
 * function. A {group} is omitted if its field is missing. False: no memory
 */
bool builtin_line(struct event *ev, const char *format);
void builtin_line_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		       struct kt_out *out);
/* ftrace.c; if @known is not NULL, it caches the lines of frames */
struct frames;
void builtin_stack(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		   struct frames *known, struct kt_out *out);
void builtin_kernel_stack(struct kt_events *evs, const struct event *ev,
			  const struct kt_record *rec, struct kt_out *out);
/* with kt_events_opts.kernel; also for user_stack */
void builtin_stack_of_trace(struct kt_events *evs, const struct event *ev,
			    const struct kt_record *rec, struct kt_out *out);
/* A code address as in the trace file: a name; with @offset also the offset and the module */
void builtin_put_ip(struct kt_symbols *syms, uint64_t addr, bool offset, struct kt_out *out);
void builtin_raw_data(struct kt_events *evs, const struct event *ev,
		      const struct kt_record *rec, struct kt_out *out);
void builtin_func_repeats(struct kt_events *evs, const struct event *ev,
			  const struct kt_record *rec, struct kt_out *out);
/* bprint.c; also replaces the print format of bprint: used even with -N */
void builtin_bprint(struct kt_events *evs, const struct event *ev,
		    const struct kt_record *rec, struct kt_out *out);
/* blk.c */
void builtin_blk(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		 struct kt_out *out);
/* misc.c */
void builtin_kmem(struct kt_events *evs, const struct event *ev,
		  const struct kt_record *rec, struct kt_out *out);
void builtin_tlb_flush(struct kt_events *evs, const struct event *ev,
		       const struct kt_record *rec, struct kt_out *out);
void builtin_futex(struct kt_events *evs, const struct event *ev,
		   const struct kt_record *rec, struct kt_out *out);

#endif
