/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - what the files of the view of events share */
#ifndef TUI_EVENTS_H
#define TUI_EVENTS_H

#include "app.h"
#include "inspect.h"

/* A row of the screen */
struct event_line {
	struct kt_record rec;		/* its data is valid while the reader stays: not used */
	struct kt_spot before;		/* a reader that stands here reads it next */
	struct kt_cells cells;
	/* Owned; NULL: a row that tells of lost events. The values of columns that are fields
	 * follow its zero byte, each with one of its own. */
	char    *text;
};

enum time_form { TIME_ABSOLUTE, TIME_RELATIVE };

struct events_state {
	struct kt_reader *reader;
	struct kt_reader *finder;	/* stays where a search has got to */
	struct kt_reader *single;	/* for one record, one row */
	bool walks;			/* the search goes on by @finder */
	struct kt_out *out;
	struct event_line *lines;
	int nr, room;			/* lines that are filled, and that fit */
	int selected;			/* among them */
	struct kt_spot top, bottom;	/* before the first, after the last */
	long pending;			/* rows still to be scrolled by */
	unsigned int generation;	/* of the model's choice that the lines have */
	bool fresh;			/* lines are those of @top */
	bool at_end;			/* there is nothing after the last line */
	bool to_end;			/* the last line is to be selected, once that is so */
	bool nanoseconds, plain;
	enum time_form form;
	int scrolled;			/* columns to the left of the screen */
	struct inspector inspector;
	struct event_columns columns;	/* that the lines have */
	int seen[COLUMNS_MAX];		/* how wide they need to be */
	int held;			/* the column that the mouse holds; -1: none */
	bool holds_border;		/* its right border */
	uint64_t deadline;		/* ms, for stop() */
};

#define EVENTS_READ_MS 30	/* a key is answered after that, even if the screen is not full */

/* events_lines.c: the lines from @top on; what is not read in time comes with the next call. */
void events_fill(struct view *v);
void events_clear_lines(struct events_state *st);
/* Is @data, an events_state, beyond its deadline? */
bool events_is_late(void *data);

/* How many rows there are for events */
int  events_rows(const struct view *v);
/* @spot to the line @row of the screen, and selected */
void events_show_at(struct view *v, const struct kt_spot *spot, int row);
/* The selected event is the cursor of all views. */
void events_tell_cursor(struct view *v, bool jump);

/* events_find.c */
int  events_find(struct view *v, const regex_t *re, int direction, bool first,
		 unsigned int budget_ms);
/* "match 12 of 3456" */
void events_search_status(const struct view *v, struct str *out);
/* Is something still being found? Waits for news up to @budget_ms. */
bool events_search_goes_on(struct view *v, unsigned int budget_ms);

/* events_draw.c: where each column begins, and how wide it is */
struct events_layout {
	int at[COLUMNS_MAX], width[COLUMNS_MAX];
};
void events_layout(const struct view *v, struct events_layout *l);
void events_draw(const struct view *v, struct area a);

#endif
