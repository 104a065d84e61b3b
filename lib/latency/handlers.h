/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* handlers.h - names of the subjects of spans; only entry records have those of interrupts */
#ifndef LATENCY_HANDLERS_H
#define LATENCY_HANDLERS_H

#include <ktrail/event.h>
#include <ktrail/span.h>
#include <ktrail/trace.h>

struct handlers {
	char **names;			/* by number, owned; NULL: not known */
	size_t nr;
};

/* Takes any record; ignores all but irq_handler_entry. */
void handlers_note(struct handlers *h, const struct kt_event *ev, const struct kt_record *rec);
/* Borrowed; NULL: not known */
const char *handlers_name(const struct handlers *h, uint64_t number);
/* names.c: the subject of a span: its interrupt, system call, function, lock or task */
void latency_name_subject(struct kt_trace *t, const struct handlers *h, const struct kt_span *s,
			  char *name, size_t size);
void handlers_fini(struct handlers *h);

#endif
