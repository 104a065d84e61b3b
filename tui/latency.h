/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.h - what the files of the view of latencies share */
#ifndef TUI_LATENCY_H
#define TUI_LATENCY_H

#include <ktrail/trace.h>
#include <ktrail/views.h>

#include "app.h"

enum latency_sort {
	SORT_NAME, SORT_COUNT, SORT_MIN, SORT_AVG, SORT_P50, SORT_P90, SORT_P99, SORT_P999,
	SORT_MAX, SORT_WORST, SORT_CUT, SORT_NR
};

/* What the keys act on */
enum latency_focus { FOCUS_ROWS, FOCUS_LEVELS, FOCUS_LIST };

struct latency_line {
	struct kt_latency_row row;
	size_t id;			/* for kt_latencies_row() */
};

struct latency_state {
	struct kt_latencies *l;
	struct kt_latencies *next;	/* --live: is being read; NULL: nothing is */
	struct kt_window next_window;
	bool marked;			/* the window is that of marks */
	enum kt_latency_kind kind;
	struct kt_window window;
	unsigned int generation;	/* of the filters that the result is of */
	bool started, chosen;		/* chosen: the kind, by a key */
	bool picked;			/* a row was, by a key: it stays selected */
	bool shown;			/* the result is */
	char *pair;			/* of KT_LATENCY_PAIR, owned */
	struct latency_line *lines;	/* in the order of the screen */
	size_t nr;
	int selected, top;		/* among the lines */
	size_t picked_id;
	enum latency_sort sort;
	bool reverse;
	enum latency_focus focus;
	int level, list_selected, list_top;
	/* The report of a latency tracer, if the file has one */
	struct kt_latency_text *text;
	bool show_text;			/* it is shown, instead of what was measured */
	size_t line, text_top;		/* selected, and first on the screen */
};

/* Rows of the screen: for the table, and for what is below it */
int  latency_table_rows(const struct view *v);
int  latency_list_rows(const struct view *v);
const struct latency_line *latency_selected(const struct view *v);
void latency_name_task(const struct view *v, size_t file, int pid, char *text, size_t size);
/* "worst 7.3 ms, CPU 1 had qemu:5301" */
void latency_describe(const struct view *v, const struct kt_latency *one, struct str *out);
void latency_sort_lines(struct view *v);
/* latency_live.c: as refresh() of views; and a slice of it. True: there is more to do */
void latency_refresh(struct view *v);
bool latency_refresh_some(struct view *v, unsigned int budget_ms);
void latency_forget_next(struct latency_state *st);

/* latency_text.c: while the report is shown */
void latency_text_select(struct view *v, long line);
void latency_text_worst(struct view *v);
int  latency_text_find(struct view *v, const regex_t *re, int direction);
void latency_text_yank(const struct view *v, struct str *out);
void latency_text_draw(const struct view *v, struct area a);

void latency_draw(const struct view *v, struct area a);

#endif
