/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view.h - a view: its commands, its state, and how it is drawn */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>
#include <ktrail/model.h>

#include "tui/terminal/keys.h"
#include "tui/terminal/surface.h"

struct app;
struct view;

/*
 * One thing that a view can do. Keys, `:name`, help and the page come from this table.
 */
struct view_command {
	const char *name;	/* for ':' and for key maps */
	const char *keys;	/* the default keys, separated by spaces; NULL: none */
	const char *args;	/* "<time>"; NULL: takes none */
	const char *help;	/* a few words */
	/* 0, or a negative errno with @err set: shown in the status line. @arg: NULL or a text */
	int (*run)(struct view *v, const char *arg, struct kt_err *err);
	const char *hint;	/* one or two words for the line of keys; NULL: not in it */
};

#define VIEW_COMMANDS_END { .name = NULL }

/* The event, task and CPU of the selected row */
struct view_row {
	struct kt_spot spot;
	int pid, cpu;		/* -1: those of the event at @spot */
};

/* An interval of a task that a view has selected */
struct view_span {
	size_t   file;
	int      pid;
	uint64_t from, until;		/* equal: a moment in it */
	bool     is_syscall;		/* of a moment: the system call around it; else the task's
					 * state */
	char     what[48];		/* "wakeup"; "": its state */
};

struct view_ops {
	const char *name;			/* "events" */
	const char *purpose;			/* the question that it answers, for help */
	const struct view_command *commands;	/* ends with VIEW_COMMANDS_END */
	size_t state_size;			/* zeroed bytes for view->state */
	int  (*open)(struct view *v, struct kt_err *err);
	void (*close)(struct view *v);
	/* The view becomes visible, or filters or the cursor have changed: follow the model. */
	void (*follow)(struct view *v);
	/* Optional: show a moment that need not be the cursor */
	void (*show)(struct view *v, const struct kt_spot *spot);
	/* Read the data for draw(). Called before each draw(), so it must be quick. */
	void (*prepare)(struct view *v);
	/* Optional: a slice of slow work. True: there is more to do. */
	bool (*work)(struct view *v, unsigned int budget_ms);
	/* A pure function of the view: no I/O, no change of state */
	void (*draw)(const struct view *v, struct area a);
	/* Optional: the time range on the screen */
	bool (*window)(const struct view *v, struct kt_window *w);
	/* Optional: show the time around this moment */
	void (*centre)(struct view *v, uint64_t ts);
	/*
	 * Optional: the next place that matches, in @direction 1 or -1 from the selected one;
	 * with NULL, where events were lost; about @budget_ms. 1: found and selected; 0: none;
	 * -EAGAIN: call again; or an error
	 */
	int  (*find)(struct view *v, const regex_t *re, int direction, bool first,
		     unsigned int budget_ms);
	/* Optional: Esc: stop what work() does, or step back. False: nothing to stop */
	bool (*stop)(struct view *v);
	/*
	 * Optional: the number of rows from the top that the complete picture needs; @rows: those
	 * that it may use. If enough rows are left, the events at the cursor are shown in them.
	 */
	int  (*used)(const struct view *v, int *rows);
	/* Optional: the selected row. @row: at first the event at the cursor; update it */
	void (*row)(const struct view *v, struct view_row *row);
	/* Optional: the interval for the command explain(). 0, or a negative errno */
	int  (*span)(struct view *v, struct view_span *s, struct kt_err *err);
	/* Optional: the selection as plain text */
	void (*yank)(struct view *v, struct str *out);
	/* Optional: text for the end of the status line */
	void (*status)(const struct view *v, struct str *out);
	/* Optional: --live: the trace has grown. @follow: the cursor is at its new end. */
	void (*grown)(struct view *v, bool follow);
	/*
	 * Optional: --live: begin to rebuild the content from the present trace. work() continues
	 * it, and the old content stays until that is done. This is expensive, so it is called when
	 * the cursor is at a new end, at most once a second, and gets a small share of the time.
	 */
	void (*refresh)(struct view *v);
	/* Optional: handle a key before the tables do, while text is typed. False: use the
	 * tables */
	bool (*key)(struct view *v, int key);
	bool live;				/* available only with --live */
	bool no_tab;				/* has no tab: a command of other views shows it */
	/* Optional: a click or a drag at a place of the area */
	void (*mouse)(struct view *v, int key, int row, int col);
};

struct view {
	const struct view_ops *ops;
	struct app *app;
	struct kt_model *model;
	int rows, cols;				/* size of its area */
	bool shortened;				/* events are shown below its .used() rows */
	unsigned int generation;		/* of the model's filters, when it last followed */
	bool stale;				/* refresh() is due */
	uint64_t rest_until_ms;			/* earliest time of the next refresh() */
	bool refreshing;			/* refresh() has begun, work() continues it */
	uint64_t refresh_ns;			/* time spent on this refresh so far */
	void *state;
};

/* All views in the order of their numbers, those without a tab last; ends with NULL */
extern const struct view_ops *const views_table[];

extern const struct view_ops events_view, graph_view, timeline_view, latency_view, flame_view,
			     info_view, control_view, why_view;

#endif
