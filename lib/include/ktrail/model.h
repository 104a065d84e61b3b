/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model.h - a trace with the state that several screens share: selected records, cursor, marks */
#ifndef KTRAIL_MODEL_H
#define KTRAIL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/event.h>
#include <ktrail/reader.h>
#include <ktrail/text.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The state that all views of one trace share. It belongs to one thread, which calls
 * kt_model_work() whenever it is idle; other threads only build the index. No function
 * here reads more than a few chunks at a time.
 */
struct kt_model;

struct kt_model_opts {
	const int64_t *ts_offsets;	/* one per file, added to its times; NULL: none */
	const struct kt_index_opts *index;	/* NULL: its defaults */
	struct kt_plugins *plugins;	/* for plugin texts, borrowed; NULL: none */
};

/**
 * kt_model_open - open files for viewing; the index starts in the background
 * @opts: copied, may be NULL
 * New (kt_model_close), or NULL and the error of kt_trace_add().
 */
struct kt_model *kt_model_open(const char *const paths[], size_t nr,
			       const struct kt_model_opts *opts, struct kt_err *err);
void kt_model_close(struct kt_model *m);

/**
 * kt_model_refresh - add what a running recording has written to the files since
 *
 * The cost depends on the new data. Cursor, marks, filters, readers and texts stay. Returns 0; 1:
 * not only records were added, so call kt_model_reopen(); -EAGAIN: threads read the trace, for a
 * search or for symbols, and nothing has changed; -ENOMEM.
 */
int kt_model_refresh(struct kt_model *m, struct kt_err *err);

/**
 * kt_model_reopen - reopen the file of a recording
 * @path: NULL: the same; else this file instead
 *
 * First destroy the readers of the model, and everything made from its trace. Filters stay; with
 * the same file also cursor and marks. 0, or the error of kt_model_open(), or -EINVAL if the file
 * lacks a field of a filter: the model is then unchanged.
 */
int kt_model_reopen(struct kt_model *m, const char *path, struct kt_err *err);

/* All borrowed until the model is closed, or reopened. */
struct kt_trace *kt_model_trace(struct kt_model *m);
struct kt_index *kt_model_index(struct kt_model *m);
/* Borrowed; NULL: opened without plugins */
struct kt_plugins *kt_model_plugins(struct kt_model *m);
/* Lines without colour and escapes, with or without plugin texts */
struct kt_text *kt_model_text(struct kt_model *m, bool pretty);
/*
 * Times of the first and last record: 1, or 0 if there is none. In a file with many thousands of
 * chunks this is the span known so far: kt_model_work() continues the search, and
 * kt_model_knows_span() is false until it ends.
 */
int kt_model_span(struct kt_model *m, struct kt_window *span);
bool kt_model_knows_span(const struct kt_model *m);

/*
 * Are the symbols known? Waits at most @most_ms for them. Until then functions have no names,
 * so results that depend on names should wait. They are read in the background.
 */
bool kt_model_knows_symbols(struct kt_model *m, unsigned int most_ms);

/* The offset added to the times of a file, ns */
int64_t kt_model_offset(const struct kt_model *m, size_t file);

/**
 * kt_model_set_offset - shift the times of a file
 * @file: below kt_trace_nr_files()
 *
 * This reopens the trace: first destroy the readers; borrowed objects of the model become invalid.
 * Filters, marks and the cursor stay; marks and cursor at events of the file move with them.
 * 0, or the error of kt_model_open(): the model is then unchanged.
 */
int kt_model_set_offset(struct kt_model *m, size_t file, int64_t offset, struct kt_err *err);

/**
 * kt_model_work - do a slice of the background work: names of tasks, the last record
 * @budget_ms: approximate duration
 * True: there is more to do.
 */
bool kt_model_work(struct kt_model *m, unsigned int budget_ms);

/* ---- selected records: a record must pass all active filters ---- */

struct kt_model_filter {
	const char *text;		/* as given; borrowed until it is removed */
	bool exclude;			/* hide matching records */
	bool on;
};

size_t kt_model_nr_filters(const struct kt_model *m);
struct kt_model_filter kt_model_filter(const struct kt_model *m, size_t i);
/* Uses the language of kt_filter_add(), and reports its errors; the filter is active. */
int  kt_model_add_filter(struct kt_model *m, const char *text, bool exclude, struct kt_err *err);
void kt_model_switch_filter(struct kt_model *m, size_t i, bool on);
void kt_model_remove_filter(struct kt_model *m, size_t i);
/* Is a filter active? */
bool kt_model_is_filtered(const struct kt_model *m);
/*
 * Hide the records of these tasks in all views of events, regardless of filters: for the
 * tasks of the viewer itself. Switches to other tasks and interrupts, which belong to no task,
 * stay visible. @pids: copied; @nr 0: hide none. 0, -ENOMEM
 */
int  kt_model_leave_out(struct kt_model *m, const int *pids, size_t nr);
/* Is a filter active, or a task hidden? */
bool kt_model_chooses(const struct kt_model *m);
/* Changes whenever the selection of records changes */
unsigned int kt_model_generation(const struct kt_model *m);

/* A reader with the current selection: new (kt_reader_destroy), NULL: -ENOMEM */
struct kt_reader *kt_model_reader(struct kt_model *m, struct kt_err *err);
/* Apply the current selection to an existing reader; its position stays. */
int  kt_model_choose(struct kt_model *m, struct kt_reader *r, struct kt_err *err);

/* ---- the cursor, a moment that all views share ---- */

void kt_model_set_cursor(struct kt_model *m, const struct kt_spot *spot);
struct kt_spot kt_model_cursor(const struct kt_model *m);
/* Remember the cursor before a jump. */
void kt_model_note_jump(struct kt_model *m);
/* Return to the position before the last jump, or go forward again; false: no such position */
bool kt_model_go_back(struct kt_model *m);
bool kt_model_go_forward(struct kt_model *m);

/* ---- marks: "A" and "B", and others with names and notes ---- */

#define KT_MARK_NAME 24			/* including its NUL: letters, digits, '.', '_', '-' */

struct kt_mark {
	const char *name;
	struct kt_spot spot;
	const char *note;		/* "" if there is none */
};

/* @note may be NULL. 0, -EINVAL (not a name), -ENOSPC (500 marks), -ENOMEM. */
int  kt_model_set_mark(struct kt_model *m, const char *name, const struct kt_spot *spot,
		       const char *note);
bool kt_model_remove_mark(struct kt_model *m, const char *name);
/* A, B, then the others by name; false after the last. Borrowed until a mark changes. */
bool kt_model_mark(const struct kt_model *m, size_t i, struct kt_mark *mark);
bool kt_model_find_mark(const struct kt_model *m, const char *name, struct kt_mark *mark);

/* ==== the number of events and calls between two moments ==== */

/* Counts the records that pass the current filters, in slices of work. */
struct kt_between;

struct kt_between_counts {
	uint64_t events;
	uint64_t calls;			/* calls begun there: function_graph, function, syscalls */
	bool has_calls;			/* the trace has such events */
	bool done;			/* if false, the counts still grow */
};

/* From the event at the earlier spot up to the event before the other. New, NULL: -ENOMEM. */
struct kt_between *kt_between_create(struct kt_model *m, const struct kt_spot *a,
				     const struct kt_spot *b, struct kt_err *err);
void kt_between_destroy(struct kt_between *b);
/* True: there is more to do. */
bool kt_between_work(struct kt_between *b, unsigned int budget_ms);
struct kt_between_counts kt_between_counts(const struct kt_between *b);

/* ==== search: all lines of a trace that match a regular expression, found by threads ==== */

/*
 * A search runs in the background, nearest matches first. It covers the lines of
 * kt_model_text() for the records that pass the model's filters: the model ends
 * it when these change. Memory: 24 bytes per match, for up to 500,000 of them.
 */
struct kt_search;

/**
 * kt_model_search - start a search
 * @regex: POSIX extended
 * @from: the search begins here, in @direction 1 or -1
 * @threads: 0: one for each CPU of this machine, 4 at most
 *
 * Ends the previous search. Returns the search, borrowed until the next one, a change
 * of filters, or kt_model_close(); NULL with -EINVAL (@regex), -ENOMEM or -EAGAIN (no threads).
 */
struct kt_search *kt_model_search(struct kt_model *m, const char *regex, bool pretty,
				  const struct kt_spot *from, int direction, unsigned int threads,
				  struct kt_err *err);
/* The search that runs, or has ended, with the current filters; NULL: none. Borrowed likewise */
struct kt_search *kt_model_searching(const struct kt_model *m);

/* Is it a search for this expression, with these texts? */
bool kt_search_is_for(const struct kt_search *s, const char *regex, bool pretty);

struct kt_search_progress {
	bool     done;			/* it has ended */
	bool     stopped;		/* it was stopped before everything was read */
	double   share;			/* part of the trace that was read, 0 to 1 */
	uint64_t nr_matches;		/* so far */
};
void kt_search_progress(struct kt_search *s, struct kt_search_progress *p);
/* Stop its threads soon: the matches found stay. */
void kt_search_stop(struct kt_search *s);

/**
 * kt_search_next - the match after @spot, or before it
 * @wait_ms: maximum time to wait for it
 *
 * Returns 1 and the spot before the matching record; 0: there is none; -EAGAIN: not known
 * yet; -ENOBUFS: matches there were counted but not stored: examine the records.
 */
int kt_search_next(struct kt_search *s, const struct kt_spot *spot, int direction,
		   unsigned int wait_ms, struct kt_spot *found);
/* How many matches are before @spot: 0, -EAGAIN (not known yet), -ENOBUFS */
int kt_search_rank(struct kt_search *s, const struct kt_spot *spot, uint64_t *nr);
/* Wait until something new is found, at most @ms */
void kt_search_wait(struct kt_search *s, unsigned int ms);

/* ==== side-car: marks, filters and cursor of a trace, kept in a file next to it ==== */

/*
 * A text file, FILE.view for the trace FILE. It identifies its trace by the size
 * and the first and last bytes of each of its files. So it works with copies of the trace,
 * and is refused for any other trace. It is untrusted input: its content is
 * checked like a trace, and is used completely or not at all.
 */

/* The state of a viewer's screen, in the viewer's own format; "" if not known */
struct kt_sidecar_screen {
	char view[24];			/* a name: lower-case letters */
	char columns[768];		/* of events: plain ASCII */
};

/**
 * kt_sidecar_restore - load marks, filters and the cursor into a model that has none
 * @path: NULL: FILE.view, or the file in the user's home
 * @screen: filled
 *
 * Returns 1, or 0 if there is none; with @err set: -ESTALE (it belongs to another trace),
 * -EBADMSG (it is damaged), -ENOMEM, or why it cannot be read. The model is then unchanged.
 */
int kt_sidecar_restore(struct kt_model *m, const char *path, struct kt_sidecar_screen *screen,
		       struct kt_err *err);

/**
 * kt_sidecar_save - save marks, filters, the cursor and @screen for the next time
 * @path: NULL: next to the trace if there are marks or filters, or if FILE.view exists;
 *        otherwise, or if that cannot be written, in $XDG_STATE_HOME/ktrail
 *
 * Never replaces a file that is not a side-car. A running recording has
 * no side-car: -EAGAIN. 0, or a negative errno with @err set.
 */
int kt_sidecar_save(struct kt_model *m, const char *path, const struct kt_sidecar_screen *screen,
		    struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
