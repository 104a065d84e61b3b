/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* when.h - the inside of a condition: a tree with atoms as its leaves */
#ifndef WHEN_WHEN_H
#define WHEN_WHEN_H

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
	bool is_refused;		/* the kernel refused it: @why */
	char event[40];			/* kernel.c: of the latencies beyond the limit; "": none */

	uint64_t since, last;		/* when it came true, first and last time; ns, 0: never */
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

/* atom.c. New (atom_destroy), or NULL with @err set. @place: the place of the error in @text */
struct atom *atom_parse(const char *text, size_t *place, struct kt_err *err);
void atom_destroy(struct atom *a);
bool atom_has_text(const struct atom *a, const char *text);	/* MARKER, LINE */

/* place.c: names of the kernel events that it needs; ends with NULL. No events: it needs a
 * tracer, or comes from outside. @room: for names that are built */
#define ATOM_EVENTS (KT_LATENCY_STEPS + 1)
enum kt_when_place atom_place(struct atom *a);
/* The kernel cannot evaluate it after all. @why: a clause */
void atom_refuse(struct atom *a, const char *why);
/* Report each atom that was refused since the last call */
void place_tell(struct kt_when *w, const struct kt_capture_opts *o);
const char *const *atom_events(const struct atom *a, const char *room[ATOM_EVENTS]);
/* Does each of its events make it true? Then nothing is read before an event comes. */
bool atom_is_event(const struct atom *a);
/* Is it a latency of calls, or one that a tracer measures? */
bool atom_needs_tracer(const struct atom *a);

/*
 * kernel.c: latencies that the kernel measures. It writes an event only for each one beyond the
 * limit.
 */
struct kt_event;
struct kt_record;
struct kt_trace;

/* Can this kernel measure it? NULL: yes; otherwise the reason, a clause */
const char *kernel_misses(const struct atom *a);
/*
 * Define its event before the buffer is created, so that the buffer is removed first. @events: a
 * handle for the whole machine. @nr: of this atom. 0, -EINTR, or the errno of the refusal
 */
int  kernel_define(struct kt_instance *events, struct atom *a, size_t nr, struct kt_err *err);
/* Set it up in the buffer @inst. Results as above */
int  kernel_watch(struct kt_instance *inst, struct atom *a, size_t nr, struct kt_err *err);
/* Take a latency from such a record; false: it is another record. @comm: "" if not known */
bool kernel_read(const struct atom *a, struct kt_trace *t, const struct kt_event *ev,
		 const struct kt_record *rec, struct kt_latency *one, char comm[17]);
/* Entries of its fullest table. Latencies are missed already when only few entries are free. */
#define KERNEL_FULL	3072
#define KERNEL_MISSES	UINT_MAX	/* it has missed latencies */
unsigned int kernel_entries(const struct kt_instance *inst, const struct kt_when *w);

/**
 * when_came - an atom has come true: does the whole condition hold?
 * @at: ns; @within: ns between the atoms of an "and", and between two hits of a "for"
 */
bool when_came(struct kt_when *w, struct atom *a, uint64_t at, uint64_t within);
/* Forget earlier hits: the next capture has its own causes. */
void when_forget(struct kt_when *w);

#endif
