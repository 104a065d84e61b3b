/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - shared by the files of the view of events */
#ifndef TUI_EVENTS_H
#define TUI_EVENTS_H

#include "tui/app/app.h"
#include "inspect.h"

/* A row of the screen */
struct event_line {
	struct kt_record rec;		/* data is not used: it is not kept */
	struct kt_spot before;		/* a reader at this place reads it next */
	struct kt_cells cells;
	/* Owned; NULL: a row for lost events. The values of field columns follow its zero byte,
	 * each with a zero byte. */
	char    *text;
};

enum time_form { TIME_ABSOLUTE, TIME_RELATIVE };

struct events_state {
	struct kt_reader *reader;	/* reads lines below the last one; may be resumed */
	struct kt_reader *above;	/* reads lines above the first one; may be resumed */
	struct kt_reader *finder;	/* keeps the place of a search */
	struct kt_reader *single;	/* for one record, one row */
	bool walks;			/* the search uses @finder */
	struct kt_out *out;
	struct event_line *lines;
	int nr, room;			/* lines that are read, and that fit */
	int selected;			/* the selected one of them; @nr or more: not read yet */
	struct kt_spot top, bottom;	/* places before the first and after the last line */
	long pending;			/* negative: number of events yet to be read above */
	bool climbs;			/* events from above push out lines at the bottom */
	bool untold;			/* the line of the cursor is not read yet */
	int owed;			/* lines that the selection still has to move down */
	bool halted;			/* by Esc: nothing is read before the next move */
	unsigned int generation;	/* of the model's filters for the lines */
	bool fresh;			/* lines are those of @top */
	bool at_end;			/* no event follows the last line */
	bool nanoseconds, plain;
	enum time_form form;
	int scrolled;			/* columns to the left of the screen */
	struct inspector inspector;
	struct event_columns columns;	/* the columns in the lines */
	int seen[COLUMNS_MAX];		/* required widths of @columns */
	int held;			/* the column that is dragged; -1: none */
	bool holds_border;		/* the right border of @held is dragged */
};

/* lines.c: read the lines of the screen; lines that take too long are read by the next call. */
void events_read(struct view *v);
/* Are lines missing? */
bool events_are_missing(const struct view *v);
/* Select the last line if the selection is below it */
void events_select_line(struct events_state *st);
/* Drop the first @rows lines, or one more. */
void events_drop_first(struct events_state *st, int rows);
/* The position of a record for other views. @told: the reader's position before it read the record;
 * the two differ if the time of a CPU goes back */
struct kt_spot events_spot_of(const struct kt_record *rec, const struct kt_spot *told);
void events_clear_lines(struct events_state *st);

/* The number of rows for events */
int  events_rows(const struct view *v);
/* Show @spot on line @row of the screen, and select it */
void events_show_at(struct view *v, const struct kt_spot *spot, int row);

/* find.c */
int  events_find(struct view *v, const regex_t *re, int direction, bool first,
		 unsigned int budget_ms);
/* "match 12 of 3456" */
void events_search_status(const struct view *v, struct str *out);
/* Is a search running? Waits up to @budget_ms for results. */
bool events_search_goes_on(struct view *v, unsigned int budget_ms);

/* span.c: as in struct view_ops */
int  events_span(struct view *v, struct view_span *s, struct kt_err *err);

/* draw.c: the first column and the width of each */
struct events_layout {
	int at[COLUMNS_MAX], width[COLUMNS_MAX];
};
void events_layout(const struct view *v, struct events_layout *l);
void events_draw(const struct view *v, struct area a);
/* The text of the selected event, if its column has no room for it */
void events_tell_rest(const struct view *v, struct str *out);
void events_tell_progress(const struct view *v, struct str *out);

#endif
