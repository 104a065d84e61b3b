/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* when.h - the inside of a condition: a tree, whose leaves are atoms */
#ifndef CAPTURE_WHEN_H
#define CAPTURE_WHEN_H

#include <limits.h>
#include <regex.h>

#include <ktrail/capture.h>
#include <ktrail/latencies.h>

#include "base/compare.h"

enum atom_kind {
	ATOM_LATENCY, ATOM_EVENT, ATOM_MARKER, ATOM_LINE, ATOM_NOW, ATOM_SIGNAL, ATOM_EXIT,
	ATOM_DEATH, ATOM_PSI, ATOM_CGROUP, ATOM_FUNCTION,
};

struct atom {
	enum atom_kind kind;
	char *text;			/* as it was given */
	uint64_t for_ns;		/* 0: once is enough */

	struct kt_latency_subject *subject;	/* LATENCY */
	enum compare sign;		/* LATENCY, EXIT */
	uint64_t ns;			/* LATENCY */
	int number;			/* EXIT: status; SIGNAL: number; PSI: percent */
	char *name;			/* EVENT; MARKER: text; LINE, CGROUP: path; NOW;
					 * PSI: resource; FUNCTION: name or pattern */
	char *more;			/* EVENT: filter, or NULL; PSI: "some", "full";
					 * CGROUP: key */
	regex_t regex;			/* MARKER, LINE */
	bool has_regex;

	bool is_placed;			/* place.c has chosen: */
	enum kt_when_place place;
	char why[240];			/* … and the reason */
	bool is_refused;		/* the kernel could, but would not: @why */
	char event[40];			/* kernel.c: of the latencies beyond the limit; "": none */

	uint64_t since, last;		/* when it came true: again and again since; ns, 0: never */
};

enum node_kind { NODE_ATOM, NODE_AND, NODE_OR };

struct node {
	enum node_kind kind;
	struct node *a, *b;		/* AND, OR */
	struct atom *atom;		/* NODE_ATOM; owned by the list of all */
};

struct kt_when {
	struct node *root;
	struct atom **atoms;		/* in the order of the text */
	size_t nr;
};

/* atom.c. New (atom_destroy), or NULL with @err set. @place: where in @text it is wrong */
struct atom *atom_parse(const char *text, size_t *place, struct kt_err *err);
void atom_destroy(struct atom *a);
bool atom_has_text(const struct atom *a, const char *text);	/* MARKER, LINE */

/* place.c: names of the events that it needs from the kernel; ends with NULL. No events: a tracer
 * is needed, or the atom comes from outside. @room: for names of its own */
#define ATOM_EVENTS (KT_LATENCY_STEPS + 1)
enum kt_when_place atom_place(struct atom *a);
/* The kernel cannot evaluate it, after all. @why: a clause */
void atom_refuse(struct atom *a, const char *why);
/* Tell of each that was refused since the last call */
void place_tell(struct kt_when *w, const struct kt_capture_opts *o);
const char *const *atom_events(const struct atom *a, const char *room[ATOM_EVENTS]);
/* Does each of its events make it true? Then nothing is read before one comes. */
bool atom_is_event(const struct atom *a);
/* Is it a latency of calls, or another that a tracer measures? */
bool atom_needs_tracer(const struct atom *a);

/*
 * kernel.c: latencies that the kernel measures itself. It writes an event for each one beyond the
 * limit, and nothing else.
 */
struct kt_event;
struct kt_record;
struct kt_trace;

/* Could this kernel do that? NULL: yes; otherwise the reason, a clause */
const char *kernel_misses(const struct atom *a);
/*
 * Define what it writes, before the buffer exists, which must go first: @events is a handle for the
 * whole machine. @nr: of this atom. 0, -EINTR, or why the kernel refuses it
 */
int  kernel_define(struct kt_instance *events, struct atom *a, size_t nr, struct kt_err *err);
/* Set it up in the buffer @inst. Results as above */
int  kernel_watch(struct kt_instance *inst, struct atom *a, size_t nr, struct kt_err *err);
/* A latency as such a record tells it; false: it is another one. @comm: "" if it is not told */
bool kernel_read(const struct atom *a, struct kt_trace *t, const struct kt_event *ev,
		 const struct kt_record *rec, struct kt_latency *one, char comm[17]);
/* Entries of its fullest table. The last ones that are free are hard to find, and then missed. */
#define KERNEL_FULL	3072
#define KERNEL_MISSES	UINT_MAX	/* it has missed some */
unsigned int kernel_entries(const struct kt_instance *inst, const struct kt_when *w);

/**
 * when_came - an atom has come true: does the whole condition hold?
 * @at: ns; @within: between the atoms of an "and", and between two times of a "for"
 */
bool when_came(struct kt_when *w, struct atom *a, uint64_t at, uint64_t within);
/* Forget what came before: the next capture has causes of its own. */
void when_forget(struct kt_when *w);

#endif
