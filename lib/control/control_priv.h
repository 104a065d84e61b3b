/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* control_priv.h - internals of struct kt_control, shared by its files */
#ifndef CONTROL_CONTROL_PRIV_H
#define CONTROL_CONTROL_PRIV_H

#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/settings.h>

#include "base/str.h"

/* The nodes without a parent, in order */
enum {
	TOP_TRACING, TOP_TRACER, TOP_CLOCK, TOP_BUFFER, TOP_EVENTS, TOP_OPTIONS,
	TOP_FUNCTIONS,			/* the first list, in the order of enum kt_function_list */
	NR_TOP = TOP_FUNCTIONS + KT_FUNCTIONS_GRAPH_NOTRACE + 1
};

#define NO_PARENT UINT32_MAX
#define NR_LISTS  (NR_TOP - TOP_FUNCTIONS)

struct node {
	enum kt_control_kind kind;
	enum kt_control_state state;
	uint32_t parent, first, nr;	/* children: nodes [first, first + nr) */
	bool open;
	bool read;			/* for an event: its value was read from the kernel */
	char *name, *value;		/* owned; @value NULL: "" */
};

/* A row: a node, or a function without a node */
struct ref {
	uint32_t node;
	const char *function;		/* in functions_text, or one of @listed; @node is then the
					 * list. NULL: the row is @node */
};

struct written {
	char *line, *refused;		/* owned; @refused may be NULL */
};

struct kt_control {
	struct kt_instance *inst;
	struct node *nodes;
	size_t nr_nodes;
	struct kt_names events;		/* sorted; the events that have nodes */
	struct kt_err no_events;	/* why they cannot be read; .code 0: no error */
	struct ref *rows;
	size_t nr_rows;
	bool searching;			/* rows are search results */
	/* Traceable functions: lines of one text, each ended by a zero byte */
	char *functions_text;
	uint32_t *functions;		/* start of each function */
	size_t nr_functions;
	struct kt_err no_functions;	/* why they cannot be read; .code 0: no error */
	bool functions_read;
	struct kt_names listed[NR_LISTS];	/* set_ftrace_filter and the others, sorted */
	size_t list;			/* the list in which found functions are switched */
	struct str about;		/* the value of a row, if it is computed */
	struct written *writes;
	size_t nr_writes;
	void (*pause)(void *data, bool on);
	void *pause_data;
};

/* control.c */
int  control_add_row(struct kt_control *c, uint32_t node, const char *function);
int  control_show_rows(struct kt_control *c);	/* the unfolded rows */
/* An id of the setting, which stays the same when everything is read again */
size_t control_node_id(const struct kt_control *c, uint32_t node);
static inline struct node *control_node(const struct kt_control *c, size_t row)
{
	return &c->nodes[c->rows[row].node];
}

/* read.c */
int  control_load(struct kt_control *c, struct kt_err *err);
void control_unload(struct kt_control *c);
/* Have events come or gone: probes, modules? */
bool control_events_changed(const struct kt_control *c);
void control_read_states(struct kt_control *c);
void control_read_event(struct kt_control *c, struct node *n);
int  control_read_functions(struct kt_control *c, struct kt_err *err);
/* @list: an enum kt_function_list */
bool control_is_listed(const struct kt_control *c, size_t list, const char *function);
/* Does the kernel have the list? The first is always shown, and says if there are no functions. */
bool control_has_list(const struct kt_control *c, size_t list);
/* Without "none"; new (free), NULL: no filter */
char *control_filter(const struct kt_control *c, const struct node *n);
/* "events/SYSTEM/EVENT", "events/SYSTEM" or "events" */
void control_event_dir(const struct kt_control *c, const struct node *n, struct str *out);

/* log.c */
void control_watch(struct kt_control *c, bool on);
/* Note a write that was refused before it was tried */
void control_note_refused(struct kt_control *c, const char *file, const char *value, bool append,
			  const struct kt_err *why);

#endif
