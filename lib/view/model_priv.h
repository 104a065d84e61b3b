/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model_priv.h - internals of struct kt_model */
#ifndef VIEW_MODEL_PRIV_H
#define VIEW_MODEL_PRIV_H

#include <ktrail/filter.h>
#include <ktrail/model.h>

#define JUMPS 64			/* remembered positions */

struct filter {
	struct kt_filter *filter;
	char *text;
	bool exclude, on;
};

struct mark {
	char name[KT_MARK_NAME];
	struct kt_spot spot;
	char *note;			/* owned */
};

struct left_out {
	int *pids;			/* sorted; owned */
	size_t nr;
	const struct kt_event *change;	/* sched_switch of the first file; NULL: none */
	const struct kt_field *next_pid;
};

struct kt_model {
	struct kt_trace *trace;
	struct kt_index *index;
	struct kt_text *plain, *pretty;
	struct kt_plugins *plugins;
	struct kt_index_opts index_opts;	/* .cache is owned */
	int64_t *offsets;		/* one per file */
	struct kt_search *search;	/* NULL: none */
	struct filter *filters;
	size_t nr_filters;
	struct left_out left_out;
	unsigned int generation;
	struct kt_spot cursor;
	struct kt_spot jumps[JUMPS];
	size_t nr_jumps, at_jump;	/* jumps[at_jump - 1] is the target of going back */
	struct mark *marks;		/* sorted: A, B, then the others by name */
	size_t nr_marks;
	struct kt_window span;		/* from the first to the last record, as far as known */
	struct kt_window found;		/* the same for the sources before @nr_found */
	size_t nr_found;		/* sources examined so far */
	struct kt_window *of_file;	/* of each file, once kt_model_knows_span() */
	size_t learning;		/* the file whose task names are being read */
	size_t symbols;			/* the file whose symbols are being loaded */
	bool extending;			/* the index does not have the newest records yet */
};

/* model.c: find the first and last record from the start, which takes a moment */
void model_find_new_span(struct kt_model *m);

/* model_again.c: returns false once the index has all records. */
bool model_extend_index(struct kt_model *m, unsigned int budget_ms);

/* Is @is true for one of the first 20,000 events? Takes a few milliseconds. */
bool model_begins_with(struct kt_model *m, bool (*is)(const struct kt_event *ev));
/* Wait for the search's threads and destroy it. */
void model_end_search(struct kt_model *m);
/* Another text with the same options, for another thread: new (kt_text_destroy), NULL: -ENOMEM */
struct kt_text *model_new_text(struct kt_model *m, bool pretty, struct kt_err *err);
/* Does a record pass all active filters? */
bool model_shows(struct kt_model *m, const struct kt_record *rec);

#endif
