/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete.h - the word that is being typed, and what is offered for it */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/names.h>

struct cmd;

struct typing {
	const struct cmd *cmd;	/* NULL: it is being typed itself */
	int argc;
	char **words;		/* words[argc - 1] is being typed */
	const char *word;	/* the part of it to complete: after "--option=" */
	const char *prefix;	/* the part before, printed again: "--option=" */
	size_t prefix_len;
	bool describe;
};

/* @what: a few words on it for shells that show them, or NULL */
void offer_with(const struct typing *t, const char *candidate, const char *what);
void offer(const struct typing *t, const char *candidate);
void offer_names(const struct typing *t, struct kt_names *names);	/* and free them */
void offer_words(const struct typing *t, const char *words);		/* separated by blanks */

/* The last value of an option in the words so far: -X VALUE, --name VALUE, --name=VALUE; or NULL */
const char *option_value(const struct typing *t, char ch, const char *name);

/* complete_events.c: of the trace file @path, or of the running kernel when it is NULL */
void offer_events(const struct typing *t, const char *path);
/* … the fields of @events, a comma list; NULL: of all events of the file */
void offer_fields(const struct typing *t, const char *path, const char *events);
/* Tasks of the trace file @path, by name or by number */
void offer_file_tasks(const struct typing *t, const char *path, bool by_name);

/* complete_filter.c. @path: as above; @events: what the filter is about, NULL: it says so itself */
void offer_filter(const struct typing *t, const char *path, const char *events);
void offer_trigger(const struct typing *t, const char *events);

#endif
