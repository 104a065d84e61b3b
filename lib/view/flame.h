/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flame.h - a tree of frames in bounded memory, and what fills it */
#ifndef VIEW_FLAME_H
#define VIEW_FLAME_H

#include <ktrail/views.h>

#include <ktrail/span.h>

#include "base/keymap.h"
#include "span/calls.h"

#define FLAME_NODES_MAX (1u << 18)
#define FLAME_NAMES_MAX (1u << 17)
#define FLAME_NONE      KT_FLAME_NONE

struct flame_node {
	uint32_t parent, first, next;
	uint32_t chained;		/* the next one of the same bucket */
	uint32_t name;
	uint32_t below_parent : 1,	/* linked there, and in its bucket */
		 is_used : 1;
	int64_t  own_time;		/* ns; below 0 where what it called is known better */
	uint64_t count;			/* of itself */
	uint64_t all_time, all_count;	/* as of flame_tree_order() */
};

struct flame_name {
	const char *text;
	uint8_t type;			/* enum kt_flame_type */
	bool owned;
};

struct flame_tree {
	struct flame_node *nodes;	/* [0]: the whole */
	uint32_t nr, room, free;	/* free: first of those that can be used again */
	uint32_t *buckets, nr_buckets;
	struct flame_name *names;
	uint32_t nr_names, room_names;
	struct keymap name_of;		/* by text and type */
	bool full, failed;
};

int  flame_tree_init(struct flame_tree *t);
void flame_tree_fini(struct flame_tree *t);
/* @text is copied where @copy, or else stays with the trace. */
uint32_t flame_name(struct flame_tree *t, enum kt_flame_type type, const char *text, bool copy);
/* The child of that name, made if needed; @parent itself where there is no room */
uint32_t flame_child(struct flame_tree *t, uint32_t parent, uint32_t name);
/* A node that stands nowhere yet: its name or its place is told by flame_place(). */
uint32_t flame_loose(struct flame_tree *t);
/* A loose node becomes a child of @parent, or part of the one that is there */
void flame_place(struct flame_tree *t, uint32_t loose, uint32_t parent, uint32_t name);
/* What is below a loose node becomes part of @parent */
void flame_dissolve(struct flame_tree *t, uint32_t loose, uint32_t parent);
void flame_tree_order(struct flame_tree *t, bool by_count);

/* ---- what fills it ---- */

struct flame_late_calls {
	struct flame_late *at;		/* made when first needed */
	size_t nr;
};

struct kt_flame {
	struct kt_model *model;
	struct kt_reader *reader;
	struct flame_tree tree;
	enum kt_flame_kind kind;
	struct kt_window window;
	struct kt_calls *calls;		/* or */
	struct kt_spans *spans;		/* or */
	struct flame_pending **pending;	/* by source; NULL: no event yet */
	size_t nr_pending;
	struct flame_late_calls *late;	/* by task of @calls */
	size_t nr_late;
	struct flame_late *late_now;	/* the one that ends next */
	struct keymap met;		/* by file and pid: number of the task in @on_cpu */
	uint64_t *on_cpu;		/* since when it certainly had a CPU, when it was met */
	const struct kt_event *switches;	/* sched_switch of the last file, and its field */
	const struct kt_field *next_pid;
	struct keymap name_of;		/* by symbols and address */
	bool done, partial, timed;
	bool shown;			/* the record that is read now passes the filters */
	uint64_t learned_ms;
	struct kt_spot at;
	uint64_t reached;
	size_t nr_ordered;		/* frames that can be seen */
};

/* flame.c */
uint32_t flame_task(struct kt_flame *f, size_t file, int pid);
uint32_t flame_address(struct kt_flame *f, struct kt_symbols *syms, enum kt_flame_type type,
		       uint64_t addr);
void flame_add(struct kt_flame *f, uint32_t node, uint64_t count, uint64_t ns);

/* flame_calls.c: new; NULL: no memory */
struct kt_calls *flame_calls(struct kt_flame *f, struct kt_err *err);
/* Before the record is given to @calls; 0 or -ENOMEM */
int  flame_meet_tasks(struct kt_flame *f, const struct kt_event *ev, const struct kt_record *rec);
/* All calls that wait for a caller have none but the one in which they were seen. */
void flame_settle_calls(struct kt_flame *f);

/* flame_stacks.c: an event, or a stack of the event before it */
int  flame_take_stack(struct kt_flame *f, const struct kt_event *ev, const struct kt_record *rec);
void flame_settle_stacks(struct kt_flame *f);
/* A sink of spans: times without a CPU */
int  flame_take_span(void *data, const struct kt_span *s, struct kt_err *err);

#endif
