/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flame.h - a tree of frames in bounded memory, and the code that fills it */
#ifndef FLAME_FLAME_H
#define FLAME_FLAME_H

#include <ktrail/views.h>

#include <ktrail/span.h>

#include "base/keymap.h"
#include "span/calls.h"

#define FLAME_NODES_MAX (1u << 18)
#define FLAME_NAMES_MAX (1u << 17)
#define FLAME_NONE      KT_FLAME_NONE

struct flame_node {
	uint32_t parent, first, next;
	uint32_t chained;		/* the next node in the same bucket */
	uint32_t name;
	uint32_t below_parent : 1,	/* it is in the parent's list, and in its bucket */
		 is_used : 1;
	uint64_t own_time;		/* ns; int64_t: negative if callees are more exact */
	uint64_t count;			/* of the node itself */
	uint64_t all_time, all_count;	/* set by flame_tree_order() */
};

struct flame_name {
	const char *text;
	uint8_t type;			/* enum kt_flame_type */
	bool owned;
};

struct flame_tree {
	struct flame_node *nodes;	/* [0]: the root */
	uint32_t nr, room, free;	/* free: first reusable node */
	uint32_t *buckets, nr_buckets;
	struct flame_name *names;
	uint32_t nr_names;
	struct keymap name_of;		/* by text and type */
	bool full, failed;
};

int  flame_tree_init(struct flame_tree *t);
void flame_tree_fini(struct flame_tree *t);
/* @text is copied if @copy is set; otherwise it must live as long as the trace. */
uint32_t flame_name(struct flame_tree *t, enum kt_flame_type type, const char *text, bool copy);
/* The child of that name, created if needed; @parent itself if the tree is full */
uint32_t flame_child(struct flame_tree *t, uint32_t parent, uint32_t name);
/* A node without a place yet: flame_place() gives it a parent and a name. */
uint32_t flame_loose(struct flame_tree *t);
/* Make a loose node a child of @parent, or merge it into an existing child */
void flame_place(struct flame_tree *t, uint32_t loose, uint32_t parent, uint32_t name);
/* Merge the children of a loose node into @parent */
void flame_dissolve(struct flame_tree *t, uint32_t loose, uint32_t parent);
void flame_tree_order(struct flame_tree *t, bool by_count);

/* ---- filling it ---- */

struct flame_late_calls {
	struct flame_late *at;		/* allocated at the first use */
	size_t nr;
};

struct kt_flame {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	bool (*counts)(void *data, const struct kt_record *rec);	/* if @filtered */
	bool (*chosen)(void *data, size_t file, int pid);	/* NULL: all tasks */
	void *data;
	void (*fini)(struct kt_flame *f);	/* frees what the owner has added; or NULL */
	struct flame_tree tree;
	enum kt_flame_kind kind;
	bool has_stacks;		/* for KT_FLAME_OFF_CPU: use those of sched_switch */
	struct kt_window window;
	struct kt_calls *calls;		/* NULL: see @spans */
	struct kt_spans *spans;		/* both NULL: stacks only */
	struct flame_pending **pending;	/* by source; NULL: no event yet */
	size_t nr_pending;
	struct flame_late_calls *late;	/* by task of @calls */
	size_t nr_late;
	struct flame_late *late_now;	/* the one that ends next */
	struct keymap met;		/* by file and pid: index of the task in @on_cpu */
	uint64_t *on_cpu;		/* when first seen, the task surely had a CPU since then */
	const struct kt_event *switches;	/* sched_switch of the last file, and its field */
	const struct kt_field *next_pid;
	struct keymap name_of;		/* by symbols and address */
	struct keymap woken;		/* by file and pid: index of its last wakeup in @wakes */
	struct flame_wake *wakes;
	struct flame_wake *wake;	/* wakeup in the current record; NULL: none */
	bool timed;
	bool filtered;			/* there are filters */
	bool shown;			/* the current record passes them */
	size_t nr_ordered;		/* visible frames */
};

/* flame.c: 0, or -ENOMEM: call kt_flame_destroy() */
int  flame_init(struct kt_flame *f, struct kt_trace *t);
/* Begin with an empty tree. Call flame_forget(), which drops what was read, before the next one. */
int  flame_begin(struct kt_flame *f, enum kt_flame_kind kind, const struct kt_window *w,
		 struct kt_err *err);
void flame_forget(struct kt_flame *f);
/* Is the event a stack of the event before it? */
bool flame_is_stack(const struct kt_event *ev);

/* frames.c */
uint32_t flame_task(struct kt_flame *f, size_t file, int pid);
uint32_t flame_address(struct kt_flame *f, struct kt_symbols *syms, enum kt_flame_type type,
		       uint64_t addr);
/* Innermost first, as recorded */
uint32_t flame_add_frames(struct kt_flame *f, uint32_t at, struct kt_symbols *syms,
			  enum kt_flame_type type, const uint64_t *frames, size_t nr);
void flame_add(struct kt_flame *f, uint32_t node, uint64_t count, uint64_t ns);
/* Is the current record shown, and does the task count? */
bool flame_counts(const struct kt_flame *f, size_t file, int pid);
/* Does a time without a CPU count? Not that of a dead task, nor one that a gap has cut */
bool flame_counts_sleep(const struct kt_flame *f, const struct kt_span *s);

/* calls.c: new; NULL: no memory */
struct kt_calls *flame_calls(struct kt_flame *f, struct kt_err *err);
/* Call it before @calls gets the record; 0 or -ENOMEM */
int  flame_meet_tasks(struct kt_flame *f, const struct kt_event *ev, const struct kt_record *rec);
/* Calls that wait for a caller get it: the call that was open when they were recorded. */
void flame_settle_calls(struct kt_flame *f);

/* stacks.c: an event, or a stack of the previous event */
int  flame_take_stack(struct kt_flame *f, const struct kt_event *ev, const struct kt_record *rec);
void flame_settle_stacks(struct kt_flame *f);
/* A sink of spans: times without a CPU */
int  flame_take_span(void *data, const struct kt_span *s, struct kt_err *err);


/* wakeups.c: the same, by the waker of the task, and the waker's waker */
int  flame_take_wakeup(void *data, const struct kt_span *s, struct kt_err *err);
/* Call it before @spans gets the record; 0 or -ENOMEM */
int  flame_note_waker(struct kt_flame *f, const struct kt_event *ev, const struct kt_record *rec);

#endif
