/* SPDX-License-Identifier: GPL-2.0-or-later */
/* graph.h - shared by the files of the view of calls */
#ifndef TUI_GRAPH_H
#define TUI_GRAPH_H

#include <ktrail/span.h>
#include <ktrail/views.h>

#include "base/moment.h"
#include "tui/app/app.h"

/* A row of the screen */
struct graph_line {
	uint32_t call;
	bool     complete;		/* @detail was read */
	char    *detail;		/* arguments, the name of an interrupt …; owned, or NULL */
};

struct graph_state {
	struct kt_call_window *shown, *loading;	/* NULL: none */
	struct kt_call_window_ends ends;	/* of @shown */
	struct kt_graph *graph;			/* of @shown; NULL: nothing is shown */
	struct kt_err error;			/* the error if nothing could be loaded */
	/* The target when loading is finished */
	struct kt_spot wanted, around;	/* the place to go to; the start of @loading */
	struct kt_graph_task wanted_task;	/* .nr 0: the task of the record there */
	uint32_t selected;			/* KT_CALL_NONE: there are no calls */
	struct kt_spot told;			/* the cursor that this view has set or followed */
	size_t top;				/* the first row on the screen */
	struct graph_line *lines;
	size_t nr_lines;
	struct kt_graph_same same;		/* of @selected */
	uint32_t longest;			/* child of @selected */
	uint32_t depth;				/* levels unfolded after loading */
	uint64_t least;				/* shorter calls are hidden */
	bool times;				/* show the start times of calls */
	bool by_cpu;				/* calls of a CPU, not of a task */
	uint32_t at_search;
	struct graph_total *totals;		/* of tasks, for their list */
	size_t nr_totals;
	struct kt_reader *reader;		/* for single records */
	struct kt_out *out;
	uint64_t deadline;			/* ms, for the reader */
};

static inline const struct kt_call *graph_call(const struct graph_state *st, uint32_t call)
{
	return kt_call_tree_at(kt_call_window_tree(st->shown), call);
}

/* The number of rows for calls */
int  graph_rows(const struct view *v);

/* graph.c: select a call, which also moves the cursor */
void graph_select(struct view *v, uint32_t call, bool jump);
/* Scroll so that there are some rows above the selected call */
void graph_center(struct view *v);

/* load.c: load the calls */
int  graph_load(struct view *v, const struct kt_spot *around, const struct kt_graph_task *task,
		struct kt_err *err);
/* A slice of loading. True: there is more to do */
bool graph_load_some(struct view *v, unsigned int budget_ms);
/* --live: as in struct view_ops */
void graph_grown(struct view *v, bool follow);
void graph_refresh(struct view *v);
/* Stop loading. True: something was being loaded */
bool graph_stop_loading(struct view *v);
/* Select the call around @spot, of @task or that of the record there; load it if needed */
void graph_go(struct view *v, const struct kt_spot *spot, const struct kt_graph_task *task);

/* move.c: the commands */
extern const struct view_command graph_commands[];
void graph_move(struct view *v, long by);
void graph_toggle(struct view *v);
int  graph_find(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms);

/* tasks.c: a command */
int  graph_list_tasks(struct view *v, const char *arg, struct kt_err *err);

/* text.c */
/* The details of a call after its name; owned by the caller; NULL: none, or not in time */
char *graph_detail(struct view *v, const struct kt_call *call, bool *complete);
/* "= 3", or "" */
const char *graph_retval(const struct kt_call *call, char buf[32]);
/* A note on uncertain facts, or "" */
const char *graph_note(const struct view *v, const struct kt_call *call);
const char *graph_name(const struct view *v, const struct kt_call *call);
void graph_task_name(const struct view *v, const struct kt_graph_task *task, char buf[64]);

/* draw.c */
void graph_draw(const struct view *v, struct area a);
/* Is there not enough room for the details in the row? */
bool graph_is_cut(const struct view *v, const struct graph_line *l);

#endif
