/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.h - shared by the files of the view of time */
#ifndef TUI_TIMELINE_H
#define TUI_TIMELINE_H

#include <ktrail/views.h>

#include "tui/app/app.h"


enum timeline_order { TIMELINE_BY_TIME, TIMELINE_BY_NAME, TIMELINE_BY_PID, TIMELINE_ORDERS };

/* Identifies a row in any picture */
struct timeline_id {
	bool   is_cpu;
	int    id;			/* CPU, or pid */
	size_t file;
};

#define TIMELINE_CHOICES 256

/* A row of the screen, and the lines of calls below it */
struct timeline_place {
	size_t row;			/* of the timeline */
	int    levels;
};

/* Rows that show calls below them, unless the user has chosen for a row */
enum timeline_calls { CALLS_OF_CPUS, CALLS_OF_ALL, CALLS_OF_NONE, CALLS_MODES };

struct timeline_state {
	/* The picture on the screen, stretched until the one for the new window is ready */
	struct kt_timeline *timeline, *next;
	bool making;			/* @next is being read */
	bool refines;			/* @next will replace a sampled picture */
	bool coarse;			/* the user has stopped refining */
	struct kt_reader *reader;
	struct kt_window window;
	bool moves;			/* --live: @window will become @next_window */
	struct kt_window next_window, all;	/* @all: the window of the whole trace */
	int  columns;			/* of the timeline being read; 0: restart it */
	struct timeline_place *rows;	/* in the order of the screen */
	int  nr, nr_fixed;		/* fixed: CPUs and pinned ones, above those that scroll */
	int  selected, top;		/* rows; @top: scrolling rows above the screen */
	struct timeline_id chosen;	/* the selected row, to find it in the next picture */
	bool found;			/* @chosen was looked up in this picture */
	enum timeline_order order;
	enum timeline_calls calls;
	bool no_cpus;			/* the rows of CPUs are folded away */
	struct timeline_id pinned[TIMELINE_CHOICES], hidden[TIMELINE_CHOICES];
	struct timeline_id opened[TIMELINE_CHOICES], closed[TIMELINE_CHOICES];
	size_t nr_pinned, nr_hidden, nr_opened, nr_closed;
	struct kt_window interval;	/* target of a jump, shown while the cursor is in it */
	int  drag_from, drag_to;	/* columns; -1: nothing is dragged */
	char *text;			/* text about a wait for the status line, owned */
};

/* Samples per column: two, or one if that is a nanosecond */
struct timeline_scale {
	uint64_t from, step;		/* ns */
	int      samples;
};

static inline uint64_t timeline_span(const struct kt_window *w)
{
	return w->until - w->from + 1;
}

/* timeline.c */
/* Columns of names, and of the picture */
int  timeline_label(const struct view *v);
int  timeline_cols(const struct view *v);
struct timeline_scale timeline_scale(const struct view *v);
uint64_t timeline_column_ns(const struct view *v);
void timeline_name_task(const struct view *v, size_t file, int pid, char *text, size_t size);
void timeline_name_row(const struct view *v, const struct kt_timeline_row *r, char *text,
		       size_t size);
void timeline_set_window(struct view *v, uint64_t from, uint64_t length);
/* Zoom so that the moment @ts stays at its column */
void timeline_zoom(struct view *v, double factor, uint64_t ts);
uint64_t timeline_cursor(const struct view *v);
void timeline_set_cursor(struct view *v, uint64_t ts, bool jump);

/* mouse.c */
void timeline_mouse(struct view *v, int key, int row, int col);
void timeline_centre(struct view *v, uint64_t ts);

/* rows.c: the rows and their places */
/* Row @row of the screen; false: there is none */
bool timeline_row(const struct timeline_state *st, int row, struct kt_timeline_row *r);
void timeline_select(struct view *v, int row);
/* After the picture has changed: select the same row again */
void timeline_select_again(struct view *v);
/* The row at line @line of the view; @level: of its calls, 0: the row itself. -1: none */
int  timeline_row_at(const struct view *v, int line, int *level);
int  timeline_find(struct view *v, const regex_t *re, int direction, bool first,
		   unsigned int budget_ms);
int  timeline_fold(struct view *v, const char *arg, struct kt_err *err);
int  timeline_next_calls(struct view *v, const char *arg, struct kt_err *err);
int  timeline_pin(struct view *v, const char *arg, struct kt_err *err);
int  timeline_hide(struct view *v, const char *arg, struct kt_err *err);
int  timeline_show_all(struct view *v, const char *arg, struct kt_err *err);
int  timeline_fold_cpus(struct view *v, const char *arg, struct kt_err *err);
int  timeline_next_order(struct view *v, const char *arg, struct kt_err *err);

/* slices.c: calls in and below the rows */
/* The number of lines for the calls of a CPU or a task that have at least this width */
int  timeline_levels(const struct view *v, const struct kt_timeline_row *r, int least_cols);
void timeline_draw_slices(const struct view *v, struct area a, const struct kt_timeline_row *r,
			  int levels);
/* The names of the innermost calls with enough room, in the row itself */
void timeline_draw_names(const struct view *v, struct area line, const struct kt_timeline_row *r);

/* draw.c */
/* NULL: the picture has no data there */
const struct kt_timeline_cell *timeline_cell_at(const struct view *v,
						const struct kt_timeline_row *r, uint64_t ts);
/* Lines of the screen for rows */
int  timeline_lines(const struct view *v);
/* As in struct view_ops */
int  timeline_used(const struct view *v, int *rows);
/* Not limited to the screen */
int  timeline_column(const struct view *v, uint64_t ts);
/* "softirq": the interrupt with most of the time; "": none */
const char *timeline_over_name(const struct kt_timeline_cell *c);
void timeline_draw(const struct view *v, struct area a);

#endif
