/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pretty.h - plugin texts for the records of a trace */
#ifndef TRACE_PRETTY_H
#define TRACE_PRETTY_H

#include <ktrail/base.h>
#include <ktrail/event.h>
#include <ktrail/trace.h>

struct plug_view;
struct pretty;

/* Borrows both, after all files were added to @t. New (pretty_destroy), NULL: no memory. */
struct pretty *pretty_create(struct kt_trace *t, struct kt_plugins *plugins);
void pretty_destroy(struct pretty *p);

/* Appends a plugin's text for the record; false, and nothing, if there is none. Thread-safe. */
bool pretty_text(struct pretty *p, size_t file, const struct kt_event *ev,
		 const struct kt_record *rec, struct kt_out *out);
/* For columns: plug/plug.h. Borrowed. */
struct plug_view *pretty_view(struct pretty *p, size_t file);

#endif
