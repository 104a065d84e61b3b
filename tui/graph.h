/* SPDX-License-Identifier: GPL-2.0-or-later */
/* graph.h - what the files of the view of calls share */
#ifndef TUI_GRAPH_H
#define TUI_GRAPH_H

#include <ktrail/calls.h>
#include <ktrail/views.h>

#include "app.h"

/* A row of the screen */
struct graph_line {
	uint32_t call;
	bool     complete;		/* @detail was read */
	char    *detail;		/* arguments, what an interrupt was …; owned, or NULL */
};

struct graph_state {
	struct kt_call_window *shown, *loading;	/* NULL: none */
	struct kt_call_window_ends ends;	/* of what is shown */
	struct kt_graph *graph;			/* of what is shown; NULL: nothing is */
	struct kt_err error;			/* why nothing could be loaded */
	/* Where to be when what is loading is there */
	struct kt_spot wanted, around;	/* where to go then; what @loading began with */
	struct kt_graph_task wanted_task;	/* .nr 0: that of the record there */
	uint32_t selected;			/* KT_CALL_NONE: there are no calls */
	struct kt_spot told;			/* the cursor, as this view set or followed it */
	size_t top;				/* the first row on the screen */
	struct graph_line *lines;
	size_t nr_lines;
	struct kt_graph_same same;		/* of @selected */
	uint32_t longest;			/* child of @selected */
	uint32_t depth;				/* unfolded when calls are loaded */
	uint64_t least;				/* shorter calls are hidden */
	bool times;				/* show when calls began */
	bool by_cpu;				/* calls of a CPU, not of a task */
	uint32_t at_search;
	struct kt_reader *reader;		/* for single records */
	struct kt_out *out;
	uint64_t deadline;			/* ms, for the reader */
};

static inline const struct kt_call *graph_call(const struct graph_state *st, uint32_t call)
{
	return kt_call_tree_at(kt_call_window_tree(st->shown), call);
}

/* How many rows there are for calls */
int  graph_rows(const struct view *v);
uint64_t graph_now_ms(void);

/* graph.c: make a call the selected one, which moves the cursor as well */
void graph_select(struct view *v, uint32_t call, bool jump);
/* … with some rows above it */
void graph_center(struct view *v);

/* graph_load.c: which calls there are */
int  graph_load(struct view *v, const struct kt_spot *around, const struct kt_graph_task *task,
		struct kt_err *err);
/* A slice of loading. True: there is more to do */
bool graph_load_some(struct view *v, unsigned int budget_ms);
/* --live: as in struct view_ops */
void graph_grown(struct view *v, bool follow);
void graph_refresh(struct view *v);
/* Was something being loaded? Not any more. */
bool graph_stop_loading(struct view *v);
/* Select the call around @spot, of @task or that of the record there; load it if needed */
void graph_go(struct view *v, const struct kt_spot *spot, const struct kt_graph_task *task);

/* graph_move.c: the commands */
extern const struct view_command graph_commands[];
void graph_move(struct view *v, long by);
void graph_toggle(struct view *v);
int  graph_find(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms);

/* graph_text.c */
/* What is told of a call after its name; owned by the caller; NULL: nothing, or not in time */
char *graph_detail(struct view *v, const struct kt_call *call, bool *complete);
/* "= 3", or "" */
const char *graph_retval(const struct kt_call *call, char buf[32]);
/* What is not certain about it, in words, or "" */
const char *graph_note(const struct view *v, const struct kt_call *call);
const char *graph_name(const struct view *v, const struct kt_call *call);
void graph_task_name(const struct view *v, const struct kt_graph_task *task, char buf[64]);

/* graph_draw.c */
void graph_draw(const struct view *v, struct area a);

#endif
