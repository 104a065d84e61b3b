/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why.h - states of tasks and CPUs in a window, and the reasons derived from them */
#ifndef WHY_WHY_H
#define WHY_WHY_H

#include <ktrail/span.h>
#include <ktrail/why.h>

#include "base/keymap.h"
#include "base/str.h"
#include "latency/handlers.h"

/* Kinds of stretches that are not spans; the others are of enum kt_span_kind */
enum stretch_kind {
	STRETCH_IDLE = KT_SPAN_KINDS,	/* a CPU in an idle state: cpu_idle to the next one */
	STRETCH_MOVE,			/* a moment: sched_migrate_task */
	STRETCH_SPIN,			/* the part of a KT_SPAN_LOCK until it lost its CPU */
	STRETCH_FLIGHT,			/* a moment: the end of the window, for a request that its
					 * device has not completed */
};

/* A state of a task, or of a CPU */
struct stretch {
	uint64_t from, until;
	uint64_t key;			/* interrupt, vector, task state, idle state, lock; the
					 * function of a timer; the CPU that a task is moved from;
					 * KT_SPAN_WAIT: when it was queued */
	uint64_t value;			/* KT_SPAN_BLOCKED: the function where it blocks;
					 * KT_SPAN_WAIT: the CPU where it was queued + 1; 0: not
					 * known. A lock: its flags in contention_begin.
					 * STRETCH_MOVE: the CPU that recorded it */
	int32_t  pid;
	int32_t  waker;			/* KT_SPAN_BLOCKED: the task on the CPU where it was woken;
					 * -1: it was not woken in this window. STRETCH_MOVE: the
					 * task that moved it. KT_SPAN_WAIT: the parent of a new
					 * task; -1: it is not new */
	int16_t  cpu;			/* where it ran, waited to run, was woken, or is moved to */
	uint8_t  kind;			/* enum kt_span_kind, enum stretch_kind */
	uint8_t  flags;			/* common_flags of the record that ended it */
	uint32_t detail;		/* number of a detail, from 1 on; 0: none */
};

/* Details that only some stretches have */
union detail {
	struct {			/* KT_SPAN_TIMER: an expiry */
		uint64_t set_for;	/* ns from its start to the planned expiry; 0: not known */
		uint64_t late;		/* ns, or jiffies */
		bool in_jiffies, known;
	} timer;
	struct {			/* KT_SPAN_BLOCK_IO */
		uint64_t inserted, issued;	/* times; 0: not recorded */
		uint64_t sector;
		uint32_t dev, nr_sectors;
		char     what[8];	/* "R", "WS" … */
	} io;
	struct {			/* KT_SPAN_BLOCKED: the system call */
		const char *name;	/* borrowed from the trace */
		uint64_t args[2];
	} call;
};

/* Stretches of each task, or of each CPU, sorted by their beginning */
struct lanes {
	uint32_t *of;			/* indices of stretches */
	uint64_t *until;		/* the latest end so far in the lane */
	size_t nr;
};

/* Open intervals by key; the table is emptied when it is full */
struct table {
	struct keymap of;
	void  *at;
	size_t nr;
};

/* Names of interrupts that have a vector and no handler */
struct vector {
	const struct kt_event *event;
	char name[32];
};

#define VECTORS_MAX 32
#define VECTOR_KEY  (1ull << 32)	/* stretch.key: VECTOR_KEY + index */

/* State of facts.c after the records so far */
struct facts {
	struct table tasks, locks, timers, inserts;
	struct cpu_now *cpus;
	size_t nr_cpus;
	bool no_timer_exits;		/* an expiry began where another one had not ended */
	struct keymap role_of;		/* by address of the event */
	struct fact_role *roles;
	size_t nr_roles;
};

/* Missing events that would explain more */
enum missing {
	MISSING_IDLE, MISSING_IRQ, MISSING_SOFTIRQ, MISSING_TIMER, MISSING_BLOCK, MISSING_LOCK,
	MISSING_MOVE, MISSING_SYSCALL, MISSING_STACK, MISSING_NR
};

struct kt_why {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_why_opts opts;
	struct kt_spans *spans;
	struct stretch *at;
	size_t nr, room;
	union detail *details;
	size_t nr_details, room_details;
	struct lanes tasks, cpus;
	struct kt_why_line *lines;
	size_t nr_lines, room_lines;
	struct handlers handlers;
	struct vector vectors[VECTORS_MAX];
	struct facts facts;
	struct kt_calls *calls;		/* NULL: none are recorded */
	struct table callees;		/* struct callee */
	struct table paths;		/* struct path, callers before callees */
	struct str chain;		/* of the longest callee */
	const struct kt_event *ev;	/* of the current record */
	const struct kt_record *rec;
	unsigned int missing;		/* bits of enum missing */
	bool   has_stacks;		/* a sleep had one */
	uint64_t first;			/* time of the first record of the file */
	uint64_t before;		/* ns to read before the interval */
	uint64_t nr_read;		/* records of this pass */
	bool   lost_before;		/* events were lost before the interval */
	bool   is_older;		/* a state at its start began before the records */
	struct str text;		/* of kt_why_text(), kt_why_summary() */
	bool   failed;			/* no memory */
};

/* ---- why.c ---- */

/* Does the trace begin within the window that was read? */
bool why_reads_all_before(const struct kt_why *w);

/* ---- store.c ---- */

#define WHY_STRETCHES_MAX 4000000

/* A new element; NULL: too many, or no memory */
struct stretch *why_new_stretch(struct kt_why *w);
/* The number of a new detail; 0: no memory */
uint32_t why_new_detail(struct kt_why *w, const union detail *d);
const union detail *why_detail(const struct kt_why *w, const struct stretch *s);
/* The key of an interrupt of irq_vectors, by its event; KT_WHY_NO_KEY: there are too many */
uint64_t why_vector_key(struct kt_why *w, const struct kt_event *ev);
/* The name of an interrupt; NULL: not known */
const char *why_irq_name(const struct kt_why *w, uint64_t key);
/* The depth of a line says which line it belongs to. */
void why_add_line(struct kt_why *w, const struct kt_why_line *line);

/* ---- facts.c: events that are not ends of spans ---- */

void facts_fini(struct facts *f);
void facts_types(struct kt_why *w, size_t file, uint64_t bits[KT_ANALYSIS_WORDS]);
/* Call it before the spans of the record are known. 0, -ENOMEM */
int  facts_note(struct kt_why *w, const struct kt_event *ev, const struct kt_record *rec);
/* Events were lost: open intervals may have ended. */
void facts_forget(struct kt_why *w);
/* The window ends: open intervals last until its end. */
int  facts_finish(struct kt_why *w);
/* A wait begins with sched_waking; it is queued, and on which CPU, with sched_wakeup. */
void facts_of_wait(const struct kt_why *w, struct stretch *wait);
/* The system call that the task is in, as a detail; 0: not known */
uint32_t facts_call_of(struct kt_why *w, int pid);
/* When a request was inserted into the queue of its device; 0: not known. Forgets it */
uint64_t facts_inserted(struct kt_why *w, uint64_t dev, uint64_t sector);

/* ---- lanes.c ---- */

/* Call it after the last record. 0, -ENOMEM */
int  lanes_make(struct kt_why *w);
void lanes_fini(struct lanes *l);
/*
 * The stretches of a task, in order of their beginnings, that end at or after @from and begin
 * before @until:
 *	for (i = 0; (s = lane_next(w, &w->tasks, pid, &i, from, until)); )
 * It may also return some that end earlier.
 */
const struct stretch *lane_next(const struct kt_why *w, const struct lanes *l, int id, size_t *i,
				uint64_t from, uint64_t until);
/* The last stretch that begins at or before @ts, and those before it; NULL: there is none */
const struct stretch *lane_back(const struct kt_why *w, const struct lanes *l, int id, size_t *i,
				uint64_t ts);
uint64_t lanes_common(const struct stretch *s, uint64_t from, uint64_t until);

static inline bool is_interrupt(const struct stretch *s)
{
	return s->kind == KT_SPAN_IRQ || s->kind == KT_SPAN_SOFTIRQ || s->kind == KT_SPAN_NMI;
}

/* ---- cpu.c: what a CPU did ---- */

enum cpu_part { CPU_ALL, CPU_WITHIN };	/* CPU_WITHIN: all except the running task */

/* Adds a line for each task and interrupt that had @cpu. CPU_ALL: they fill the interval */
void cpu_explain(struct kt_why *w, int cpu, uint64_t from, uint64_t until, unsigned int depth,
		 enum cpu_part part);

/* ---- ended.c: what ended a sleep ---- */

/* Adds lines of the lock, I/O or timer, and the interrupt or task that woke it. Returns the task
 * whose activity is the reason; -1: none. */
int  ended_explain(struct kt_why *w, const struct stretch *blocked, uint64_t from, uint64_t until,
		   unsigned int depth);
/* Adds a line of the interrupt or task that completed a request. */
void ended_complete(struct kt_why *w, const struct stretch *request, unsigned int depth);

/* ---- request.c: the requests of a block device ---- */

/* Adds lines of the request that is explained, if it was found. */
void request_explain(struct kt_why *w);

/* ---- callees.c ---- */

/* Sets @w->calls if the trace has calls. 0, -ENOMEM */
int  callees_create(struct kt_why *w, struct kt_err *err);
void callees_types(struct kt_why *w, size_t file, uint64_t bits[KT_ANALYSIS_WORDS]);
/* Adds lines of the functions that the task called. */
void callees_explain(struct kt_why *w);

/* ---- pieces.c: the states of a task, one after the other ---- */

/* The part of a stretch within an interval; @of NULL: nothing is known */
struct piece {
	const struct stretch *of;
	uint64_t from, until;
	int16_t  cpu;			/* -1: not known */
	int16_t  from_cpu;		/* the CPU that it was moved from; -1: it was not moved */
	bool     then;			/* it waited before it was moved */
	bool     uncertain;		/* the time of the move is not known */
	int32_t  parent;		/* its parent, if the task did not exist yet; -1: it did */
	bool     is_older;		/* it began before the first record read */
	bool     listed;
};

struct pieces {
	struct piece *at;
	size_t nr, room;
};

/* The pieces have no gaps between them. Free pieces.at. 0, -ENOMEM */
int  pieces_find(const struct kt_why *w, int pid, uint64_t from, uint64_t until,
		 struct pieces *list);

/* The trace lacks events that would explain more. */
static inline void why_miss(struct kt_why *w, enum missing what)
{
	w->missing |= 1u << what;
}

/* ---- reasons.c: the lines, from the stretches ---- */

void why_explain(struct kt_why *w);
/* Adds lines of the states of the task that is explained. */
void why_explain_task(struct kt_why *w, unsigned int depth);

/* ---- text.c ---- */

/* The subject of a line, without a verb: "bash:42", "interrupt 24 eth0", "mutex 0x…" */
void text_add_subject(struct str *s, const struct kt_why *w, const struct kt_why_line *l);

#endif
