/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency_text.h - the report of a latency tracer that a file holds as text, line by line */
#ifndef KTRAIL_LATENCY_TEXT_H
#define KTRAIL_LATENCY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* irqsoff, preemptoff, preemptirqsoff, wakeup, wakeup_rt and wakeup_dl write one. */
struct kt_latency_text;

#define KT_LATENCY_TEXT_NONE UINT64_MAX

struct kt_latency_line {
	const char *text;		/* not NUL-terminated; borrowed until the file closes */
	size_t   len;
	uint64_t us;			/* when it was, since the tracer began to measure;
					 * KT_LATENCY_TEXT_NONE: not an event */
	uint64_t step;			/* us until the next event; 0 of the last */
};

/* All borrowed, and "" where the text does not say */
struct kt_latency_head {
	const char *tracer, *task;	/* "wakeup"; "rcuc/0-22" */
	const char *started, *ended;	/* functions, of irqsoff and its kin */
	uint64_t us;			/* the latency; KT_LATENCY_TEXT_NONE: not said */
};

/**
 * kt_latency_text_open - the first report in the files of a trace
 * @t: borrowed, must live longer
 *
 * New (kt_latency_text_close); NULL with -ENOENT: they have none, -ENOMEM, or what reading says.
 */
struct kt_latency_text *kt_latency_text_open(struct kt_trace *t, struct kt_err *err);
void kt_latency_text_close(struct kt_latency_text *text);

size_t kt_latency_text_nr(const struct kt_latency_text *text);
bool kt_latency_text_line(const struct kt_latency_text *text, size_t i,
			  struct kt_latency_line *line);
struct kt_latency_head kt_latency_text_head(const struct kt_latency_text *text);
/* The line of the event after which most time passed until the next; 0 if there are no events */
size_t kt_latency_text_worst(const struct kt_latency_text *text);
/* The next event of the report from line @i on, in @direction 1 or -1; @i if there is none */
size_t kt_latency_text_event(const struct kt_latency_text *text, size_t i, int direction);

#ifdef __cplusplus
}
#endif
#endif
