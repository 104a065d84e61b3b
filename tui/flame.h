/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame.h - what the files of the flame graph share */
#ifndef TUI_FLAME_H
#define TUI_FLAME_H

#include <ktrail/views.h>

#include "app.h"

/* A frame on the screen */
struct flame_box {
	uint32_t frame;
	int row, col, cols;		/* row: 0 is that of the whole */
};

struct flame_state {
	struct kt_flame *flame;
	struct kt_flame *next;		/* --live: is being read; NULL: nothing is */
	struct kt_window next_window;
	bool marked;			/* the window is that of marks */
	enum kt_flame_kind kind;
	struct kt_window window;
	unsigned int generation;	/* of the filters that the result is of */
	bool started, chosen;		/* chosen: the kind, by a key */
	bool by_count;
	bool ordered;			/* the result is, all of it */
	uint64_t ordered_ms;		/* when it was ordered last */
	uint32_t zoom, selected;	/* frames */
	int top;			/* the first row on the screen */
	struct flame_box *boxes;	/* of the picture: rows from above, left to right */
	size_t nr_boxes, room;
	bool *matches;			/* by frame; NULL: nothing is searched for */
	size_t nr_matches;
	char *sought;			/* the text of that, owned */
	uint64_t matched;		/* of the zoomed frame, what is in frames that match */
};

/* By time or count, as is shown */
uint64_t flame_weight(const struct flame_state *st, const struct kt_flame_frame *f);
bool flame_is_by_count(const struct flame_state *st);
struct kt_flame_frame flame_frame(const struct flame_state *st, uint32_t i);
/* "1.2 ms" or "213" */
const char *flame_format(const struct flame_state *st, uint64_t weight, char buf[32]);
/* NULL: it is not on the screen */
const struct flame_box *flame_box_of(const struct flame_state *st, uint32_t frame);
/* Makes it the selected one, and lays the picture out */
void flame_select(struct view *v, uint32_t frame);

/* flame_find.c */
/* The frame after @i of all below @root, as they stand; @inside: what is below @i comes first */
uint32_t flame_next(const struct flame_state *st, uint32_t i, uint32_t root, bool inside);
void flame_forget_search(struct flame_state *st);
/* After the text of the search, or the frames, have changed */
void flame_follow_search(struct view *v);
int  flame_find(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms);

/* Rows for frames */
int  flame_rows(const struct view *v);
void flame_draw(const struct view *v, struct area a);

#endif
