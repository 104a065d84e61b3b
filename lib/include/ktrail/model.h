/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model.h - a trace as several screens show it: one choice of records, one moment, marks */
#ifndef KTRAIL_MODEL_H
#define KTRAIL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/plugins.h>
#include <ktrail/reader.h>
#include <ktrail/text.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What views of one trace share. It belongs to one thread, which calls kt_model_work()
 * whenever it has nothing else to do; only the index is built by other threads. Nothing
 * here reads more than a few chunks at a time.
 */
struct kt_model;

struct kt_model_opts {
	const int64_t *ts_offsets;	/* one for each file, added to its times; NULL: none */
	const struct kt_index_opts *index;	/* NULL: its defaults */
	struct kt_plugins *plugins;	/* for richer texts, borrowed; NULL: none */
};

/**
 * kt_model_open - open files for viewing; the index starts in the background
 * @opts: copied, may be NULL
 * New (kt_model_close), or NULL and what kt_trace_add() says.
 */
struct kt_model *kt_model_open(const char *const paths[], size_t nr,
			       const struct kt_model_opts *opts, struct kt_err *err);
void kt_model_close(struct kt_model *m);

/**
 * kt_model_refresh - take up what has come to files that are being recorded
 *
 * Costs what has come. Cursor, marks, filters, readers and texts stay. Returns 0; 1:
 * kt_model_reopen() is due, for more than records has come; -EAGAIN: threads read the trace, for a
 * search or for symbols: nothing has changed; -ENOMEM.
 */
int kt_model_refresh(struct kt_model *m, struct kt_err *err);

/**
 * kt_model_reopen - open the file of a recording again
 * @path: NULL: the same; else this one in its place
 *
 * Readers of the model, and what was made of its trace, must be gone before. Filters stay;
 * cursor and marks too, with the same file. 0, or what kt_model_open() says, or -EINVAL if it
 * lacks a field of a filter: the model is as it was then.
 */
int kt_model_reopen(struct kt_model *m, const char *path, struct kt_err *err);

/* All borrowed until the model is closed, or reopened. */
struct kt_trace *kt_model_trace(struct kt_model *m);
struct kt_index *kt_model_index(struct kt_model *m);
/* Borrowed; NULL: it was opened without */
struct kt_plugins *kt_model_plugins(struct kt_model *m);
/* Lines without colour and escapes, with or without the plugins' texts */
struct kt_text *kt_model_text(struct kt_model *m, bool pretty);
/*
 * Time of the first and last record: 1, 0 if there is none. As far as it is known: in a
 * file with many thousands of chunks kt_model_work() goes on looking for them, and
 * kt_model_knows_span() is false until then.
 */
int kt_model_span(struct kt_model *m, struct kt_window *span);
bool kt_model_knows_span(const struct kt_model *m);

/*
 * Wait at most so long for the symbols: are they known? Before that, functions have no names,
 * so what depends on these is not worth computing. They are read in the background.
 */
bool kt_model_knows_symbols(struct kt_model *m, unsigned int most_ms);

/* What is added to the times of a file, ns */
int64_t kt_model_offset(const struct kt_model *m, size_t file);

/**
 * kt_model_set_offset - move a file in time against the others
 * @file: below kt_trace_nr_files()
 *
 * The trace is opened anew: whatever was borrowed of the model, and readers, must be gone.
 * Filters, marks and the cursor stay; those at events of the file move with it. 0, or what
 * kt_model_open() says: then the model is as before.
 */
int kt_model_set_offset(struct kt_model *m, size_t file, int64_t offset, struct kt_err *err);

/**
 * kt_model_work - a slice of what goes on in the background: names of tasks, the last record
 * @budget_ms: about how long it may take
 * True: there is more to do.
 */
bool kt_model_work(struct kt_model *m, unsigned int budget_ms);

/* ---- the choice of records: all filters that are on must let a record pass ---- */

struct kt_model_filter {
	const char *text;		/* as it was given; borrowed until it is removed */
	bool exclude;			/* what matches is hidden */
	bool on;
};

size_t kt_model_nr_filters(const struct kt_model *m);
struct kt_model_filter kt_model_filter(const struct kt_model *m, size_t i);
/* The language of kt_filter_add(), and its errors; on from now. */
int  kt_model_add_filter(struct kt_model *m, const char *text, bool exclude, struct kt_err *err);
void kt_model_switch_filter(struct kt_model *m, size_t i, bool on);
void kt_model_remove_filter(struct kt_model *m, size_t i);
/* Is some filter on? */
bool kt_model_is_filtered(const struct kt_model *m);
/*
 * Leave out what these tasks do, in any view of events, with or without filters: for those of the
 * viewer itself. A switch to another task is shown, and so are interrupts, which are of no task.
 * @pids: copied; @nr 0: none is left out. 0, -ENOMEM
 */
int  kt_model_leave_out(struct kt_model *m, const int *pids, size_t nr);
/* Is some filter on, or some task left out? */
bool kt_model_chooses(const struct kt_model *m);
/* Another number whenever the choice of records has changed */
unsigned int kt_model_generation(const struct kt_model *m);

/* A reader with the choice of now: new (kt_reader_destroy), NULL: -ENOMEM */
struct kt_reader *kt_model_reader(struct kt_model *m, struct kt_err *err);
/* The choice of now for a reader that was made before; it stays where it stands. */
int  kt_model_choose(struct kt_model *m, struct kt_reader *r, struct kt_err *err);

/* ---- the moment that all views are about ---- */

void kt_model_set_cursor(struct kt_model *m, const struct kt_spot *spot);
struct kt_spot kt_model_cursor(const struct kt_model *m);
/* Back to where the cursor was before its last jump, or forward again: false: nowhere to go */
void kt_model_note_jump(struct kt_model *m);
bool kt_model_go_back(struct kt_model *m);
bool kt_model_go_forward(struct kt_model *m);

/* ---- marks: "A" and "B", and others with names and notes ---- */

#define KT_MARK_NAME 24			/* with its zero byte: letters, digits, '.', '_', '-' */

struct kt_mark {
	const char *name;
	struct kt_spot spot;
	const char *note;		/* "" if there is none */
};

/* @note may be NULL. 0, -EINVAL (not a name), -ENOSPC (500 marks), -ENOMEM. */
int  kt_model_set_mark(struct kt_model *m, const char *name, const struct kt_spot *spot,
		       const char *note);
bool kt_model_remove_mark(struct kt_model *m, const char *name);
/* A, B, then the others by their names; false after the last. Borrowed until a mark changes. */
bool kt_model_mark(const struct kt_model *m, size_t i, struct kt_mark *mark);
bool kt_model_find_mark(const struct kt_model *m, const char *name, struct kt_mark *mark);

/* ==== how many events and calls there are between two moments ==== */

/* Counts in slices of work, of the records that the filters of now let pass. */
struct kt_between;

struct kt_between_counts {
	uint64_t events;
	uint64_t calls;			/* that begin there: function_graph, function, syscalls */
	bool has_calls;			/* the trace has such events */
	bool done;			/* else the counts still grow */
};

/* From the event at the earlier spot on, up to the one before the other. New, NULL: -ENOMEM. */
struct kt_between *kt_between_create(struct kt_model *m, const struct kt_spot *a,
				     const struct kt_spot *b, struct kt_err *err);
void kt_between_destroy(struct kt_between *b);
/* True: there is more to do. */
bool kt_between_work(struct kt_between *b, unsigned int budget_ms);
struct kt_between_counts kt_between_counts(const struct kt_between *b);

/* ==== all lines of a trace that a regular expression matches, found by threads ==== */

/*
 * A search goes on in the background, nearest matches first. It is over the lines as
 * kt_model_text() writes them, of the records that the model's filters let pass: the model ends
 * it when these change. Memory: 24 bytes a match, for 500,000 of them.
 */
struct kt_search;

/**
 * kt_model_search - search anew
 * @regex: POSIX extended
 * @from: nearest to there, in @direction 1 or -1, is looked at first
 * @threads: 0: one for each CPU of this machine, 4 at most
 *
 * What was searched for before ends. Returns the search, borrowed until the next one, a change
 * of filters, or kt_model_close(); NULL with -EINVAL (@regex), -ENOMEM or -EAGAIN (no threads).
 */
struct kt_search *kt_model_search(struct kt_model *m, const char *regex, bool pretty,
				  const struct kt_spot *from, int direction, unsigned int threads,
				  struct kt_err *err);
/* The one that goes on or has ended with the filters of now; NULL: none. Borrowed likewise */
struct kt_search *kt_model_searching(const struct kt_model *m);

/* Is it for this, with these texts? */
bool kt_search_is_for(const struct kt_search *s, const char *regex, bool pretty);

struct kt_search_progress {
	bool     done;			/* nothing goes on any more */
	bool     stopped;		/* before all was read */
	double   share;			/* of the trace that was read, 0 to 1 */
	uint64_t nr_matches;		/* so far */
};
void kt_search_progress(struct kt_search *s, struct kt_search_progress *p);
/* Let no thread begin anything more: what was found stays. */
void kt_search_stop(struct kt_search *s);

/**
 * kt_search_next - the match after @spot, or before it
 * @wait_ms: for it to be found, at most
 *
 * Returns 1 and the spot before the record that matches; 0: there is none; -EAGAIN: not known
 * yet; -ENOBUFS: matches there were counted but not kept: look at the records.
 */
int kt_search_next(struct kt_search *s, const struct kt_spot *spot, int direction,
		   unsigned int wait_ms, struct kt_spot *found);
/* How many matches are before @spot: 0, -EAGAIN (not known yet), -ENOBUFS */
int kt_search_rank(struct kt_search *s, const struct kt_spot *spot, uint64_t *nr);
/* Wait for something new to be found; at most so long */
void kt_search_wait(struct kt_search *s, unsigned int ms);

/* ==== where one was in a trace: marks, filters, cursor, kept beside its file ==== */

/*
 * A text file, FILE.view for the trace FILE, that says which trace it is about: the size
 * and the first and last bytes of each of its files. So it goes with copies of the trace,
 * and one that is not about this trace is refused. It may come from anyone: what is in it is
 * checked as a trace is, and is taken as a whole or not at all.
 */

/* What a viewer showed, in its own words; "" where that is not known */
struct kt_sidecar_screen {
	char view[24];			/* a name: small letters */
	char columns[768];		/* of events: plain ASCII */
};

/**
 * kt_sidecar_restore - take marks, filters and the cursor into a model that has none
 * @path: NULL: FILE.view, or the one that is kept in the home of the user
 * @screen: filled
 *
 * Returns 1, or 0 if there is none; with @err set: -ESTALE (it is about another trace),
 * -EBADMSG (it is damaged), -ENOMEM, or why it cannot be read. The model is as it was then.
 */
int kt_sidecar_restore(struct kt_model *m, const char *path, struct kt_sidecar_screen *screen,
		       struct kt_err *err);

/**
 * kt_sidecar_save - keep marks, filters, the cursor and @screen for the next time
 * @path: NULL: beside the file if there are marks or filters, or if FILE.view is there;
 *        else, and where that cannot be written, in $XDG_STATE_HOME/ktrail
 *
 * A file of that name that is not a side-car is not replaced. A recording that goes on has
 * no side-car: -EAGAIN. 0, or a negative errno with @err set.
 */
int kt_sidecar_save(struct kt_model *m, const char *path, const struct kt_sidecar_screen *screen,
		    struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
