/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* front.c - decide, in order of time, everything a line needs from other records */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/calls.h"
#include "text/text.h"
#include "text/wakeup.h"

#define DEPTHS 50		/* FTRACE_RETFUNC_DEPTH of the kernel */

struct front_source {
	uint64_t page;		/* number of the current sub-buffer, starting at 1 */
	uint64_t last_ts;
	bool     kept;		/* the last record other than a stack was printed */
	uint64_t turn;		/* last front_nr_known() call that has seen its last record */
	uint64_t entered[DEPTHS];	/* function_graph: the last function at each depth */
};

struct front {
	struct kt_text *x;
	struct front_source *sources;
	uint64_t last_printed;	/* for --ts-diff, in the unit printed */
	bool     printed_any;
	struct wakeups *wakeups;
	struct calls   *calls;
	bool     has_calls;	/* some of the records being marked have calls */
	bool     plain;		/* all records are printed, and only their kind is needed */
	uint64_t turn;		/* number of front_nr_known() calls */
	uint64_t nr_printed;	/* for opts.limit */
	bool     full;		/* that many were printed, and another one came */
};

struct front *front_create(struct kt_text *x)
{
	struct front *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->x = x;
	f->plain = !x->filter && !x->opts.drop_flags && !x->opts.check_ts && !x->opts.boundary &&
		   !x->opts.debug && !x->opts.ts_diff && !x->opts.wakeup && !x->opts.limit;
	f->sources = calloc(x->nr_sources ? x->nr_sources : 1, sizeof(*f->sources));
	f->wakeups = x->opts.wakeup ? wakeups_create(x->trace) : NULL;
	f->calls = calls_create(x);
	if (!f->sources || !f->calls || (x->opts.wakeup && !f->wakeups)) {
		front_destroy(f);
		return NULL;
	}
	return f;
}

void front_destroy(struct front *f)
{
	if (!f)
		return;
	free(f->sources);
	calls_destroy(f->calls);
	wakeups_destroy(f->wakeups);
	free(f);
}

void front_wakeups(const struct front *f, struct kt_out *out)
{
	if (f->wakeups)
		wakeups_summary(f->wakeups, f->x->opts.json, out);
}

/* ---- is a record printed? ---- */

static bool is_stack(const struct text_event *te)
{
	return te->kind == TEXT_STACK;
}

/* A stack trace belongs to the event before it on its CPU: it is printed if that event is. */
static bool is_wanted(struct front *f, const struct kt_record *rec, const struct text_event *te)
{
	struct front_source *src = &f->sources[rec->source];
	unsigned int drop = f->x->opts.drop_flags;

	if (drop && kt_record_flags(f->x->sources[rec->source].events, rec) & drop) {
		src->kept &= is_stack(te);
		return false;
	}
	if (!f->x->filter)
		return true;
	if (!is_stack(te))
		src->kept = kt_filter_match(f->x->filter, rec);
	else if (rec->skipped)
		src->kept = false;	/* the same for a stack after it */
	return src->kept;
}

static bool is_beyond_limit(struct front *f, const struct text_event *te)
{
	if (!is_stack(te) && f->nr_printed++ == f->x->opts.limit)
		f->full = true;
	return f->full;
}

bool front_is_full(const struct front *f)
{
	return f->full;
}

/* ---- function_graph: an entry directly followed by its exit is one line ---- */

/* The event of @rec if it is the exit of @entry, else NULL */
static const struct text_event *exit_of(struct kt_text *x, const struct kt_record *entry,
					const struct mark *m, const struct kt_record *rec)
{
	const struct text_event *te = text_event(x, rec);
	uint64_t func, entered;

	/* If events were lost in between, the two do not follow each other */
	return te->kind == TEXT_GRAPH_EXIT && rec->source == entry->source && !rec->lost &&
	       slot_get_usual(m->ev, SLOT_GRAPH_FUNC, entry, &entered) &&
	       slot_get_usual(te, SLOT_GRAPH_FUNC, rec, &func) && func == entered &&
	       text_pid(x, rec, te) == text_pid(x, entry, m->ev) ? te : NULL;
}

static inline void take_exit(struct mark *entry, const struct kt_record *rec,
			     const struct text_event *te, struct mark *exit)
{
	uint64_t called = 0, returned = 0;

	slot_get_usual(te, SLOT_GRAPH_CALLTIME, rec, &called);
	slot_get_usual(te, SLOT_GRAPH_RETTIME, rec, &returned);
	entry->duration = returned - called;
	entry->flags |= MARK_LEAF;
	if (slot_get(&te->slot[SLOT_GRAPH_RETVAL], rec, &entry->retval))
		entry->flags |= MARK_RETVAL;
	*exit = (struct mark){ .ev = te, .flags = MARK_SKIP | MARK_SEEN };
}

/*
 * The next record of @entry's buffer, among @nr; NULL: none, or too far away. In the kernel's
 * layout it is the next of the same CPU, in trace-cmd's of any CPU.
 */
static const struct kt_record *next_of(const struct kt_text *x, const struct kt_record *entry,
				       const struct kt_record *recs, size_t nr)
{
	bool same_cpu = x->opts.layout == KT_LAYOUT_KERNEL;
	uint32_t handle = x->sources[entry->source].handle;
	size_t ahead = front_ahead(x), i;

	for (i = 0; i < nr && i < ahead; i++)
		if (same_cpu ? recs[i].source == entry->source
			     : x->sources[recs[i].source].handle == handle)
			return &recs[i];
	return NULL;
}

/* Only the last record of a CPU, or of a buffer, may be followed by one that was not read yet. */
size_t front_nr_known(struct front *f, const struct kt_record *recs, size_t nr)
{
	bool by_cpu = f->x->opts.layout == KT_LAYOUT_KERNEL;
	size_t first = nr > front_ahead(f->x) ? nr - front_ahead(f->x) : 0, known = nr, i;

	f->turn++;
	for (i = nr; i-- > first; ) {
		uint32_t source = recs[i].source;
		struct front_source *of =
			&f->sources[by_cpu ? source : f->x->sources[source].handle];

		if (of->turn != f->turn && text_event(f->x, &recs[i])->kind == TEXT_GRAPH_ENTRY)
			known = i;
		of->turn = f->turn;
	}
	return known;
}

/* @end: end of the available records */
static __attribute__((noinline)) void fold(struct kt_text *x, const struct kt_record *entry,
					   struct mark *m, const struct kt_record *end)
{
	const struct kt_record *rec = next_of(x, entry, entry + 1, end - entry - 1);
	const struct text_event *te = rec ? exit_of(x, entry, m, rec) : NULL;

	if (te)
		take_exit(m, rec, te, &m[rec - entry]);
}

bool front_fold(struct kt_text *x, const struct kt_record *rec, struct mark *m,
		const struct kt_record *next)
{
	struct kt_record pair[2];
	struct mark marks[2] = { *m };

	if (m->ev->kind != TEXT_GRAPH_ENTRY || m->ev->render != KT_RENDER_TEXT || !next)
		return false;
	pair[0] = *rec;
	pair[1] = *next;
	fold(x, pair, marks, pair + 2);
	*m = marks[0];
	return m->flags & MARK_LEAF;
}

/* As in the kernel's trace file: an exit that does not match the call above names its function. */
static void note_depth(struct front *f, const struct kt_record *rec, struct mark *m)
{
	uint64_t *entered = f->sources[rec->source].entered, depth, func;
	bool is_exit = m->ev->kind == TEXT_GRAPH_EXIT;

	if (!slot_get(&m->ev->slot[SLOT_GRAPH_DEPTH], rec, &depth) || depth >= DEPTHS ||
	    !slot_get(&m->ev->slot[SLOT_GRAPH_FUNC], rec, &func))
		return;
	if (is_exit && entered[depth] != func)
		m->flags |= MARK_ALONE;
	entered[depth] = is_exit || m->flags & MARK_LEAF ? 0 : func;
}

/* ---- --ts-diff, --ts-check, --boundary ---- */

static void note_diff(struct front *f, const struct kt_record *rec, struct mark *m)
{
	bool micro = f->x->sources[rec->source].in_ns && !f->x->opts.nanoseconds;
	uint64_t now = micro ? (rec->ts + 500) / 1000 : rec->ts;

	if (f->printed_any) {
		m->diff = now - f->last_printed;
		m->flags |= MARK_DIFF;
	}
	f->last_printed = now;
	f->printed_any = true;
}

static void check_time(struct front *f, const struct kt_record *rec)
{
	struct front_source *src = &f->sources[rec->source];
	char line[160];

	if (rec->ts < src->last_ts) {
		snprintf(line, sizeof(line),
			 "time went back on CPU %d: from %" PRIu64 " to %" PRIu64 ", by %" PRIu64,
			 f->x->sources[rec->source].cpu, src->last_ts, rec->ts,
			 src->last_ts - rec->ts);
		f->x->opts.warn(f->x->opts.data, line);
	}
	src->last_ts = rec->ts;
}

static void note_page(struct front *f, const struct kt_record *rec, struct mark *m)
{
	uint64_t page = rec->pos / f->x->sources[rec->source].page_size + 1;

	if (page != f->sources[rec->source].page)
		m->flags |= MARK_PAGE;
	f->sources[rec->source].page = page;
}

/* ---- marking ---- */

/* The mark is reused, so clear it at the record's own turn. */
static inline bool was_seen(struct mark *m)
{
	if (__builtin_expect(!(m->flags & MARK_SEEN), 1))
		return false;
	m->flags &= ~MARK_SEEN;
	return true;
}

static inline void note_kind(struct front *f, const struct kt_record *rec, struct mark *m,
			     const struct kt_record *end)
{
	enum text_kind kind = m->ev->kind;

	if (kind == TEXT_UNKNOWN)
		f->x->nr_unknown++;
	if (m->ev->render != KT_RENDER_TEXT)
		return;
	if (kind == TEXT_FUNCTION) {
		m->flags |= MARK_CALL;
		f->has_calls = true;
	} else if (kind == TEXT_GRAPH_ENTRY || kind == TEXT_GRAPH_EXIT) {
		if (kind == TEXT_GRAPH_ENTRY && !f->x->opts.json)
			fold(f->x, rec, m, end);
		if (f->x->opts.layout == KT_LAYOUT_KERNEL)
			note_depth(f, rec, m);
	}
}

static void mark_one(struct front *f, const struct kt_record *rec, struct mark *m,
		     const struct kt_record *end)
{
	const struct kt_text_opts *opts = &f->x->opts;

	if (opts->check_ts && opts->warn)
		check_time(f, rec);
	if (was_seen(m))
		return;
	m->ev = text_event(f->x, rec);
	m->flags = 0;
	m->indent = 0;
	if (!is_wanted(f, rec, m->ev) || (opts->limit && is_beyond_limit(f, m->ev))) {
		m->flags = MARK_SKIP;
		return;
	}
	if (opts->boundary || opts->debug)
		note_page(f, rec, m);
	if (opts->ts_diff)
		note_diff(f, rec, m);
	if (m->ev->kind != TEXT_PLAIN)
		note_kind(f, rec, m, end);
	if (f->wakeups && wakeups_note(f->wakeups, rec, m->ev, &m->duration))
		m->flags |= MARK_LATENCY;
}

static void mark_plain(struct front *f, const struct kt_record *recs, struct mark *marks,
		       size_t nr, const struct kt_record *end)
{
	const struct text_source *sources = f->x->sources;
	const struct kt_record *rec = recs;
	const struct text_event *te;
	struct mark *m = marks;

	for (; m < marks + nr; m++, rec++) {
		if (was_seen(m))
			continue;
		te = sources[rec->source].by_type[rec->type];
		if (__builtin_expect(!te, 0))
			te = text_event_make(f->x, rec);
		m->ev = te;
		m->flags = 0;
		m->indent = 0;
		if (te->kind != TEXT_PLAIN)
			note_kind(f, rec, m, end);
	}
}

bool front_mark(struct front *f, const struct kt_record *recs, struct mark *marks, size_t nr,
		size_t nr_known)
{
	const struct kt_record *end = recs + nr_known;
	size_t i;

	f->has_calls = false;
	if (f->plain)
		mark_plain(f, recs, marks, nr, end);
	for (i = 0; !f->plain && i < nr; i++)
		mark_one(f, &recs[i], &marks[i], end);
	return f->has_calls;
}

struct calls *front_calls(struct front *f)
{
	return f->calls;
}
