/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view.h - what a view is: commands, a state, and a picture of it */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/model.h>

#include "keys.h"
#include "surface.h"

struct app;
struct view;

/*
 * One thing that a view can do. Keys, `:name`, help and the page come from this table.
 */
struct view_command {
	const char *name;	/* for ':' and for key maps */
	const char *keys;	/* by default, separated by blanks; NULL: none */
	const char *args;	/* "<time>"; NULL: takes none */
	const char *help;	/* a few words */
	/* 0, or a negative errno with @err set: shown in the status line. @arg: NULL or a text */
	int (*run)(struct view *v, const char *arg, struct kt_err *err);
	const char *hint;	/* one or two words for the line of keys; NULL: not in it */
};

#define VIEW_COMMANDS_END { .name = NULL }

struct view_ops {
	const char *name;			/* "events" */
	const char *purpose;			/* the question it answers, for help */
	const struct view_command *commands;	/* ends with VIEW_COMMANDS_END */
	size_t state_size;			/* zeroed bytes for view->state */
	int  (*open)(struct view *v, struct kt_err *err);
	void (*close)(struct view *v);
	/* It becomes visible, or filters or the cursor have changed: follow the model. */
	void (*follow)(struct view *v);
	/* Read what draw() shows; before each picture, quick. */
	void (*prepare)(struct view *v);
	/* Optional: a slice of slow work. True: there is more to do. */
	bool (*work)(struct view *v, unsigned int budget_ms);
	/* A pure function of the view: no I/O, no change of state */
	void (*draw)(const struct view *v, struct area a);
	/* Optional: which time the screen shows */
	bool (*window)(const struct view *v, struct kt_window *w);
	/* Optional: show the time around that moment */
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
	/* Optional: what is selected, as plain text */
	void (*yank)(struct view *v, struct str *out);
	/* Optional: for the end of the status line */
	void (*status)(const struct view *v, struct str *out);
	/* Optional: --live: the trace has grown. @follow: the cursor is at its new end. */
	void (*grown)(struct view *v, bool follow);
	/*
	 * Optional: --live: begin to make anew what is shown, of the trace as it is now.
	 * work() goes on with it, and what is shown stays until that is done. Costly, so it is
	 * called when the cursor is at a new end, at most once a second, and has a small share
	 * of the time.
	 */
	void (*refresh)(struct view *v);
	/* Optional: it wants all keys now. False: this one is for the tables */
	bool (*key)(struct view *v, int key);
	bool live;				/* there only with --live */
	/* Optional: a click or a drag at a place of the area */
	void (*mouse)(struct view *v, int key, int row, int col);
};

struct view {
	const struct view_ops *ops;
	struct app *app;
	struct kt_model *model;
	int rows, cols;				/* of its area */
	unsigned int generation;		/* of the model's choice, when it followed last */
	bool stale;				/* refresh() is due, */
	uint64_t rest_until_ms;			/* from then on; */
	uint64_t refreshing_ms;			/* it goes on since then; 0: it does not */
	void *state;
};

/* All of them, in the order of their numbers; ends with NULL */
extern const struct view_ops *const views_table[];

extern const struct view_ops events_view, graph_view, timeline_view, latency_view, flame_view,
			     info_view, control_view;

#endif
