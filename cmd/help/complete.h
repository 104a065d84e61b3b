/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete.h - the word that is being typed, and its candidates */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>

struct cmd;

struct typing {
	const struct cmd *cmd;	/* NULL: the command itself is being typed */
	int argc;
	char **words;		/* words[argc - 1] is being typed */
	const char *word;	/* the part of it to complete: after "--option=" */
	const char *prefix;	/* the part before, printed again: "--option=" */
	size_t prefix_len;
	bool describe;
};

/* From @t, only the candidates that begin with @start, which points into the word */
struct typing typing_rest(const struct typing *t, const char *start);

/* @what: a short help for shells that show it, or NULL */
void offer_with(const struct typing *t, const char *candidate, const char *what);
void offer(const struct typing *t, const char *candidate);
void offer_words(const struct typing *t, const char *words);		/* separated by spaces */

/* complete_events.c: events of the trace file @path, or of the running kernel if it is NULL */
void offer_events(const struct typing *t, const char *path);
/* … the fields of @events, a comma list; NULL: of all events of the file */
void offer_fields(const struct typing *t, const char *path, const char *events);
/* Tasks of the trace file @path, by name or by pid */
void offer_file_tasks(const struct typing *t, const char *path, bool by_name);
/* System calls of the machine that recorded it */
void offer_file_syscalls(const struct typing *t, const char *path);

/*
 * complete_filter.c. @path: as above; @events: those of the filter, NULL: the filter names them
 * itself
 */
void offer_filter(const struct typing *t, const char *path, const char *events);
void offer_trigger(const struct typing *t, const char *events);

/*
 * complete_subject.c: what is measured, separated by commas; a metric of it. @path: a trace file,
 * whose tasks, system calls and events are offered
 */
void offer_kinds(const struct typing *t, const char *path);
void offer_metric(const struct typing *t, const char *path);

#endif
