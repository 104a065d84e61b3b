/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - records as lines, the way trace-cmd report lays them out */
#ifndef KTRAIL_TEXT_H
#define KTRAIL_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/filter.h>
#include <ktrail/out.h>
#include <ktrail/plugins.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_layout {
	KT_LAYOUT_CURRENT,	/* trace-cmd 3.3 and later: with the flags column */
	KT_LAYOUT_3_1,		/* trace-cmd up to 3.2 */
	KT_LAYOUT_KERNEL,	/* the current one with the flags that the kernel prints */
};

/* Where the text of an event comes from */
enum kt_render {
	KT_RENDER_TEXT,		/* the formatters: ours, then plugins */
	KT_RENDER_PLAIN,	/* the kernel's print format (-N, -n) */
	KT_RENDER_RAW,		/* field=value (-R, -r) */
};

enum kt_retval {		/* return values of function_graph */
	KT_RETVAL_AUTO,		/* errors in decimal, the rest in hex */
	KT_RETVAL_DEC,
	KT_RETVAL_HEX,
	KT_RETVAL_SKIP,
};

struct kt_text_opts {
	enum kt_layout layout;
	bool nanoseconds;		/* -t */
	bool raw;			/* -R: all events, and the layout's raw form */
	bool latency;			/* -l */
	bool ts_diff;			/* --ts-diff */
	bool align_ts;			/* --align-ts */
	bool wakeup;			/* -w */
	bool boundary;			/* --boundary: a line where a sub-buffer begins */
	bool debug;			/* --debug: the same, and where each record lies in it */
	bool check_ts;			/* --ts-check: opts.warn is told where time goes back */
	unsigned int drop_flags;	/* leave out records with one of these common_flags */
	bool escape;			/* for a terminal: nothing unescaped from the trace */
	bool color;
	bool json;
	struct kt_plugins *plugins;	/* --pretty: richer texts where these have some; borrowed */
	int  threads;			/* formatting threads, 0: one per CPU */

	bool function_parent;		/* -O ftrace:parent, offset, indent=0 */
	bool function_offset;
	bool function_flat;
	bool graph_tail;		/* -O fgraph:tailprint, depth, retval-… */
	bool graph_depth;
	enum kt_retval graph_retval;

	/* Optional: how to render @ev; asked once per event */
	enum kt_render (*render)(void *data, const struct kt_event *ev);
	/* With check_ts: time went back on a CPU; one line without newline */
	void (*warn)(void *data, const char *line);
	void *data;			/* for both */
	/* Bytes of chunks read so far, and of all: told between two blocks, as the sink is */
	void (*progress)(void *data, uint64_t done, uint64_t total);
	void *progress_data;
};

struct kt_text;

/* @t, @filter (may be NULL): borrowed. @opts: copied. New (kt_text_destroy). */
struct kt_text *kt_text_create(struct kt_trace *t, struct kt_filter *filter,
			       const struct kt_text_opts *opts, struct kt_err *err);
void kt_text_destroy(struct kt_text *x);

/**
 * kt_text_narrow - let the stream leave out what the filter rejects by event or pid alone
 *
 * The lines stay the same if the files were added with @forget_lost, and cost less.
 * From where lines depend on records around them, as those of function_graph do,
 * nothing is left out. Before the stream's first read only. 0 or -ENOMEM.
 */
int kt_text_narrow(struct kt_text *x, struct kt_err *err);

typedef int (*kt_text_sink)(void *data, const char *text, size_t len);

/**
 * kt_text_run - from the stream's position to @until as text, in blocks
 * @until: last time stamp to print, UINT64_MAX: the whole trace
 * @sink: is given each block in order, one at a time, by any of the run's threads (with one:
 *        the caller's); a negative errno from it ends the run and is returned
 *
 * Identical bytes whatever the number of threads. May be called again after a
 * kt_stream_seek, for another window.
 */
int kt_text_run(struct kt_text *x, uint64_t until, kt_text_sink sink, void *data,
		struct kt_err *err);

/* How many records of the runs so far have no format that can be read. */
size_t kt_text_nr_unknown(const struct kt_text *x);

/* What a report of that file begins with: "cpus=N", and the texts of latency tracers. */
void kt_text_head(struct kt_text *x, size_t file, struct kt_out *out);

/* With opts.wakeup: the summary after the last line; an object, with opts.json. */
void kt_text_wakeups(const struct kt_text *x, struct kt_out *out);

/* One record as its line(s), newline included, e.g. for a viewer's row. */
void kt_text_line(struct kt_text *x, const struct kt_record *rec, struct kt_out *out);

/* ---- a line as cells, for programs that lay out the columns themselves ---- */

enum kt_cell_role {
	KT_CELL_BUFFER,		/* which file or buffer it is of; empty if there is but one */
	KT_CELL_TASK,		/* "cat-1234" */
	KT_CELL_CPU,		/* "[001]" */
	KT_CELL_FLAGS,		/* "d..2." */
	KT_CELL_TIME,		/* "1234.567890" */
	KT_CELL_EVENT,
	KT_CELL_INFO,		/* with the indentation of calls; several lines for a stack */
	KT_NR_CELLS
};

enum kt_fold {
	KT_FOLD_NONE,		/* not a call of function_graph */
	KT_FOLD_ENTRY,		/* calls others */
	KT_FOLD_EXIT,		/* the end of such a call */
	KT_FOLD_LEAF,		/* an entry with its exit; the next record is to be passed over */
};

struct kt_cells {
	struct {
		size_t at, len;		/* in the text, without blanks around it */
	} cell[KT_NR_CELLS];
	enum kt_fold fold;
	int      depth;			/* of the call in its task, from 0; -1: it has none */
	uint64_t duration;		/* of a leaf or an exit, ns; else 0 */
	uint32_t lost;			/* events lost before it, as in the record */
};

/**
 * kt_text_cells - one record as the columns of its line
 * @x:    made without opts.color and opts.json
 * @rec:  a record of the trace, e.g. of kt_reader_next()
 * @next: the record of the same buffer that comes next, if it is known: an entry that
 *        it is the exit of becomes a leaf. NULL: there is none
 * @out:  reset, then given the text; NUL-terminated
 *
 * The name of a task is what is known of it without reading on in the trace.
 * 0, -EINVAL (@x is for other lines), -ENOMEM.
 */
int kt_text_cells(struct kt_text *x, const struct kt_record *rec, const struct kt_record *next,
		  struct kt_out *out, struct kt_cells *cells);

#ifdef __cplusplus
}
#endif
#endif
