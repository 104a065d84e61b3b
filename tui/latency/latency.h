/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.h - shared by the files of the view of latencies */
#ifndef TUI_LATENCY_H
#define TUI_LATENCY_H

#include <ktrail/trace.h>
#include <ktrail/views.h>

#include "tui/app/app.h"

enum latency_sort {
	SORT_NAME, SORT_COUNT, SORT_MIN, SORT_AVG, SORT_P50, SORT_P90, SORT_P99, SORT_P999,
	SORT_MAX, SORT_WORST, SORT_CUT, SORT_NR
};

/* The part with the focus */
enum latency_focus { FOCUS_ROWS, FOCUS_LEVELS, FOCUS_LIST };

struct latency_line {
	struct kt_latency_row row;
	size_t id;			/* for kt_latencies_row() */
};

struct latency_state {
	struct kt_latencies *l;
	struct kt_latencies *next;	/* --live: being read, or NULL */
	struct kt_window next_window;
	struct kt_latencies *counter;	/* of all kinds, while their list is open; or NULL */
	bool marked;			/* the window is set by marks */
	enum kt_latency_kind kind;
	struct kt_window window;
	unsigned int generation;	/* of the filters of the result */
	bool started, chosen;		/* the user chose the kind by a key */
	bool picked;			/* the user chose a row by a key: it stays selected */
	bool shown;			/* the result is complete */
	char *pair;			/* of KT_LATENCY_PAIR, owned */
	struct latency_line *lines;	/* in the order of the screen */
	size_t nr;
	int selected, top;		/* among the lines */
	int low, high;			/* levels, of all lines; low > high: none */
	int name_cols;			/* of the widest name */
	size_t picked_id;
	enum latency_sort sort;
	bool reverse;
	enum latency_focus focus;
	int level, list_selected, list_top;
	/* The report of a latency tracer, if the file has one */
	struct kt_latency_text *text;
	bool show_text;			/* it is shown instead of the measured latencies */
	size_t line, text_top;		/* the selected line, and the first one on the screen */
};

/* Rows of the screen for the table */
int  latency_table_rows(const struct view *v);
const struct latency_line *latency_selected(const struct view *v);
void latency_name_task(const struct view *v, size_t file, int pid, char *text, size_t size);
/* "worst 7.3 ms, CPU 1 had qemu:5301" */
void latency_describe(const struct view *v, const struct kt_latency *one, struct str *out);
/* sort.c: sort the rows again; scroll to the selected one */
void latency_sort_lines(struct view *v);
void latency_scroll(struct view *v);
/* Read the chosen kind from the beginning */
int  latency_begin(struct view *v, struct kt_err *err);
/* kinds.c: commands, and the counts of each kind */
int  latency_choose(struct view *v, enum kt_latency_kind kind, struct kt_err *err);
int  latency_kind(struct view *v, const char *arg, struct kt_err *err);
int  latency_pair(struct view *v, const char *arg, struct kt_err *err);
bool latency_count_some(struct view *v, unsigned int budget_ms);
void latency_forget_counts(struct latency_state *st);
/* live.c: as refresh() of views; and a slice of it. True: there is more to do */
void latency_refresh(struct view *v);
bool latency_refresh_some(struct view *v, unsigned int budget_ms);
void latency_forget_next(struct latency_state *st);

/* text.c: for the report of a tracer */
void latency_text_select(struct view *v, long line);
void latency_text_worst(struct view *v);
int  latency_text_find(struct view *v, const regex_t *re, int direction);
void latency_text_yank(const struct view *v, struct str *out);
void latency_text_draw(const struct view *v, struct area a);

void latency_draw(const struct view *v, struct area a);

#endif
