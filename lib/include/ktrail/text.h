/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - records as lines, or as the cells of a line */
#ifndef KTRAIL_TEXT_H
#define KTRAIL_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/event.h>
#include <ktrail/filter.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which columns a line has, and how they are written */
enum kt_layout {
	KT_LAYOUT_CURRENT,	/* with a column of flags: trace-cmd 3.3 and later */
	KT_LAYOUT_3_1,		/* without flags, and with the event texts of trace-cmd up to 3.2 */
	KT_LAYOUT_KERNEL,	/* the current one, with the flags that the kernel prints */
};

/* The source of an event's text */
enum kt_render {
	KT_RENDER_TEXT,		/* formatters: ours, then plugins */
	KT_RENDER_PLAIN,	/* the kernel's print format, without formatters */
	KT_RENDER_RAW,		/* "field=value" for each field */
};

/* How function_graph shows recorded return values */
enum kt_retval {
	KT_RETVAL_AUTO,		/* errors in decimal, the rest in hex */
	KT_RETVAL_DEC,
	KT_RETVAL_HEX,
	KT_RETVAL_SKIP,
};

/* All zero: the lines of `ktrail report` without options */
struct kt_text_opts {
	enum kt_layout layout;
	bool nanoseconds;		/* times with nine decimals instead of six */
	bool raw;			/* KT_RENDER_RAW for all events, and its columns */
	bool latency;			/* flags next to the CPU: the kernel's latency format */
	bool ts_diff;			/* after the time, the difference to the previous line */
	bool align_ts;			/* times since the first record */
	bool wall;			/* local date and time of day; with json: a member "wall" */
	bool wakeup;			/* sum up the waits of tasks: kt_text_wakeups() */
	bool boundary;			/* a line at the start of each sub-buffer */
	bool debug;			/* the same, and the position of each record in it */
	bool check_ts;			/* call @warn if time goes backwards on a CPU */
	unsigned int drop_flags;	/* exclude records with one of these common_flags */
	uint64_t limit;			/* print no more records; stacks do not count; 0: all */
	bool escape;			/* for a terminal: escape text from the trace */
	bool color;			/* use escape sequences for colours */
	bool json;			/* each record as one object */
	struct kt_plugins *plugins;	/* use their texts if available; borrowed */
	int  threads;			/* formatting threads, 0: one per CPU */

	/* events of the function tracer */
	bool function_parent;		/* show the caller, too */
	bool function_offset;		/* names with the offset into the function */
	bool function_flat;		/* not indented below the caller */
	/* events of function_graph */
	bool graph_tail;		/* the name after the brace that closes a call */
	bool graph_depth;		/* the depth of each call as a number */
	enum kt_retval graph_retval;

	/* Optional: how to show @ev; called once per event */
	enum kt_render (*render)(void *data, const struct kt_event *ev);
	/* With check_ts: time went backwards on a CPU; one line without newline */
	void (*warn)(void *data, const char *line);
	void *data;			/* for both */
	/* Bytes of chunks read so far, and in total; called between two blocks, like the sink */
	void (*progress)(void *data, uint64_t done, uint64_t total);
	void *progress_data;
};

struct kt_text;

/* @t, @filter (may be NULL): borrowed. @opts: copied. New (kt_text_destroy), NULL: -ENOMEM. */
struct kt_text *kt_text_create(struct kt_trace *t, struct kt_filter *filter,
			       const struct kt_text_opts *opts, struct kt_err *err);
void kt_text_destroy(struct kt_text *x);

/**
 * kt_text_narrow - let the stream exclude records that the filter rejects by event or pid alone
 *
 * The lines cost less, and stay the same if the files were added with @forget_lost. Once a line
 * depends on other records, as with function_graph, nothing more is excluded. Only before the
 * stream's first read. 0 or -ENOMEM.
 */
int kt_text_narrow(struct kt_text *x, struct kt_err *err);

typedef int (*kt_text_sink)(void *data, const char *text, size_t len);

/**
 * kt_text_run - print from the stream's position to @until, in blocks
 * @until: last time stamp to print, UINT64_MAX: the whole trace
 * @sink: receives each block in order, one at a time, in any of the run's threads (with one:
 *        the caller's); a negative errno from it ends the run and is returned
 *
 * The output does not depend on the number of threads. It may be called again after a
 * kt_stream_seek(), for another window. 0, or a negative errno.
 */
int kt_text_run(struct kt_text *x, uint64_t until, kt_text_sink sink, void *data,
		struct kt_err *err);

/* The number of records so far that have no readable format */
size_t kt_text_nr_unknown(const struct kt_text *x);

/* The start of a report of that file: "cpus=N", and the texts of latency tracers. */
void kt_text_head(struct kt_text *x, size_t file, struct kt_out *out);

/* With opts.wakeup: the summary after the last line; with opts.json, an object. */
void kt_text_wakeups(const struct kt_text *x, struct kt_out *out);

/* The line or lines of one record, with a newline, e.g. for a row of a viewer. */
void kt_text_line(struct kt_text *x, const struct kt_record *rec, struct kt_out *out);

/* ---- a line as cells, for programs with their own column layout ---- */

enum kt_cell_role {
	KT_CELL_BUFFER,		/* its file or buffer; empty if there is only one */
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
	KT_FOLD_ENTRY,		/* a call with nested calls */
	KT_FOLD_EXIT,		/* the end of such a call */
	KT_FOLD_LEAF,		/* an entry with its exit; skip the next record */
};

struct kt_cells {
	struct {
		size_t at, len;		/* in the text, without blanks around it */
	} cell[KT_NR_CELLS];
	enum kt_fold fold;
	int      depth;			/* of the call in its task, from 0; -1: not a call */
	uint64_t duration;		/* of a leaf or an exit, ns; else 0 */
	uint32_t lost;			/* events lost before it, as in the record */
};

/**
 * kt_text_cells - one record as the columns of its line
 * @x:    created without opts.color and opts.json
 * @rec:  a record of the trace, e.g. of kt_reader_next()
 * @next: the next record of the same buffer, if known: an entry becomes a leaf if
 *        this is its exit. NULL: there is none
 * @out:  reset, then receives the text; NUL-terminated
 *
 * Names of tasks are those known without further reading.
 * 0, -EINVAL (@x is for other lines), -ENOMEM.
 */
int kt_text_cells(struct kt_text *x, const struct kt_record *rec, const struct kt_record *next,
		  struct kt_out *out, struct kt_cells *cells);

#ifdef __cplusplus
}
#endif
#endif
