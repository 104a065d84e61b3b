/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model_priv.h - the inside of a struct kt_model */
#ifndef VIEW_MODEL_PRIV_H
#define VIEW_MODEL_PRIV_H

#include <ktrail/filter.h>
#include <ktrail/model.h>

#define JUMPS 64			/* that are remembered */

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
	const struct kt_event *change;	/* sched_switch of the first file; NULL: it has none */
	const struct kt_field *next_pid;
};

struct kt_model {
	struct kt_trace *trace;
	struct kt_index *index;
	struct kt_text *plain, *pretty;
	struct kt_plugins *plugins;
	struct kt_index_opts index_opts;	/* .cache is owned */
	int64_t *offsets;		/* of each file */
	struct kt_search *search;	/* NULL: none */
	struct filter *filters;
	size_t nr_filters;
	struct left_out left_out;
	unsigned int generation;
	struct kt_spot cursor;
	struct kt_spot jumps[JUMPS];
	size_t nr_jumps, at_jump;	/* jumps[at_jump - 1] is where going back leads */
	struct mark *marks;		/* sorted: A, B, then the others by their names */
	size_t nr_marks;
	struct kt_window span;		/* from the first to the last record, as far as known: … */
	struct kt_window found;		/* … of the sources … */
	size_t nr_found;		/* … before this one */
	size_t learning;		/* the file whose names are being learned */
	size_t symbols;			/* the file whose symbols are awaited */
	bool extending;			/* records have come that the index does not know yet */
};

/* model.c: look for the first and last record, until @stop is true. True: they are known. */
bool model_find_span(struct kt_model *m, bool (*stop)(void *data), void *data);
/* … from the beginning, which takes a moment */
void model_find_new_span(struct kt_model *m);

/* model_again.c: what has come is in the index once this is false. */
bool model_extend_index(struct kt_model *m, unsigned int budget_ms);

/* Is an event that @is says yes to among the first 20,000? Takes some milliseconds. */
bool model_begins_with(struct kt_model *m, bool (*is)(const struct kt_event *ev));
/* Forget it; its threads end first. */
void model_end_search(struct kt_model *m);
/* Another of the same, for another thread: new (kt_text_destroy), NULL: -ENOMEM */
struct kt_text *model_new_text(struct kt_model *m, bool pretty, struct kt_err *err);
/* Does a record pass all filters that are on? */
bool model_shows(struct kt_model *m, const struct kt_record *rec);

#endif
