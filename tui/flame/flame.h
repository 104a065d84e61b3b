/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame.h - shared by the files of the flame graph */
#ifndef TUI_FLAME_H
#define TUI_FLAME_H

#include <ktrail/views.h>

#include "tui/app/app.h"

/* A frame on the screen */
struct flame_box {
	uint32_t frame;
	int row, col, cols;		/* row: 0 is the root */
};

/* The callers of a function, or the functions that it calls, with their parts of the time */
struct flame_shares {
	struct flame_share {
		const char *name;
		uint64_t weight;
	} *at;				/* owned; the heaviest first */
	size_t nr, room;
};

/* All calls of a function */
struct flame_places {
	uint32_t of;			/* one of its frames */
	size_t nr;			/* number of its frames; 0: not known yet */
	uint64_t weight;		/* of all of them */
	struct flame_shares from, to;
};

struct flame_state {
	struct kt_flame *flame;
	struct kt_flame *next;		/* --live: the tree that is being read, or NULL */
	struct kt_window next_window;
	bool marked;			/* the window is set by marks */
	enum kt_flame_kind kind;
	struct kt_window window;
	unsigned int generation;	/* of the filters of the result */
	bool started, chosen;		/* the user chose the kind by a key */
	bool by_count;
	bool ordered;			/* the result is complete */
	uint64_t ordered_ms;		/* time of the last sort */
	uint32_t zoom, selected;	/* frames */
	int top;			/* the first row on the screen */
	struct flame_box *boxes;	/* of the screen: row by row, left to right */
	size_t nr_boxes, room;
	bool *matches;			/* matches by frame; NULL: no search */
	size_t nr_matches;
	char *sought;			/* text of the search, owned */
	struct flame_places places;	/* of the selected function */
	uint64_t matched;		/* part of the zoomed frame in matching frames */
};

/* By time or count, as displayed */
uint64_t flame_weight(const struct flame_state *st, const struct kt_flame_frame *f);
bool flame_is_by_count(const struct flame_state *st);
struct kt_flame_frame flame_frame(const struct flame_state *st, uint32_t i);
/* "1.2 ms" or "213" */
const char *flame_format(const struct flame_state *st, uint64_t weight, char buf[32]);
/* NULL: it is not on the screen */
const struct flame_box *flame_box_of(const struct flame_state *st, uint32_t frame);
/* Selects it, and computes the layout */
void flame_select(struct view *v, uint32_t frame);

/* find.c */
/* The frame after @i of all below @root, in stored order; @inside: its children come first */
uint32_t flame_next(const struct flame_state *st, uint32_t i, uint32_t root, bool inside);
void flame_forget_search(struct flame_state *st);
/* Called after the text of the search, or the frames, have changed */
void flame_follow_search(struct view *v);
int  flame_find(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms);

/* places.c */
void flame_forget_places(struct flame_places *p);
void flame_find_places(struct flame_state *st);
/* At the end of @a, if there is room */
void flame_draw_places(const struct view *v, struct area a);

/* Rows for frames */
int  flame_rows(const struct view *v);
void flame_draw(const struct view *v, struct area a);

#endif
