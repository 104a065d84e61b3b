/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.h - what the files of the view of time share */
#ifndef TUI_TIMELINE_H
#define TUI_TIMELINE_H

#include <ktrail/views.h>

#include "app.h"

#define TIMELINE_LABEL 16		/* columns of names */

enum timeline_order { TIMELINE_BY_TIME, TIMELINE_BY_NAME, TIMELINE_BY_PID, TIMELINE_ORDERS };

/* Which row it is, in any picture */
struct timeline_id {
	bool   is_cpu;
	int    id;			/* CPU, or pid */
	size_t file;
};

#define TIMELINE_CHOICES 256

struct timeline_state {
	struct kt_timeline *timeline;
	struct kt_reader *reader;
	struct kt_window window;
	struct kt_timeline *next;	/* --live: is being made; NULL: nothing is, */
	struct kt_window next_window, all;	/* of this window; the whole, when it was that */
	int  columns;			/* that the timeline was made for; 0: make it anew */
	size_t *rows;			/* of the timeline, as they stand on the screen */
	int  nr, nr_fixed;		/* fixed: CPUs and pinned ones, above those that scroll */
	int  selected, top;		/* among them; @top: how many of those that scroll are
					 * above */
	struct timeline_id chosen;	/* the selected one, to find it again in another picture */
	bool found;			/* it was looked for in this picture */
	enum timeline_order order;
	bool no_cpus;			/* these are folded away */
	struct timeline_id pinned[TIMELINE_CHOICES], hidden[TIMELINE_CHOICES];
	size_t nr_pinned, nr_hidden;
	char *text;			/* what the status line says about a wait, owned */
};

static inline uint64_t timeline_span(const struct kt_window *w)
{
	return w->until - w->from + 1;
}

/* timeline.c */
int  timeline_cols(const struct view *v);
uint64_t timeline_column_ns(const struct view *v);
void timeline_name_task(const struct view *v, size_t file, int pid, char *text, size_t size);

/* timeline_rows.c: which rows there are, and where */
/* Row @row of the screen; false: there is none */
bool timeline_row(const struct timeline_state *st, int row, struct kt_timeline_row *r);
void timeline_arrange(struct view *v);
void timeline_select(struct view *v, int row);
/* After the picture has changed: the row that was selected before */
void timeline_select_again(struct view *v);
/* The row that is drawn in line @line of the view, counted from the first */
int  timeline_row_at(const struct view *v, int line);
int  timeline_pin(struct view *v, const char *arg, struct kt_err *err);
int  timeline_hide(struct view *v, const char *arg, struct kt_err *err);
int  timeline_show_all(struct view *v, const char *arg, struct kt_err *err);
int  timeline_fold_cpus(struct view *v, const char *arg, struct kt_err *err);
int  timeline_next_order(struct view *v, const char *arg, struct kt_err *err);

/* timeline_draw.c */
void timeline_draw(const struct view *v, struct area a);

#endif
