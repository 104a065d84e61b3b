/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* callees.c - the functions that a task called in the interval, by their own time */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/latencies.h>

#include "span/calls.h"
#include "why/why.h"

#define LISTED_MAX 8
#define PATHS_MAX  (1u << 20)		/* later ones count for their callers */
#define CHAIN_MAX  5			/* functions named in a chain */

struct callee {
	uint64_t ns, count, func;
	const char *name;		/* borrowed from the trace */
};

/* A call with all of its callers; the outermost one has the parent KT_CALL_NONE */
struct path {
	uint64_t ns;			/* own time */
	const char *name;		/* borrowed from the trace */
	uint32_t parent;
};

static bool is_of_task(const struct kt_why *w, const struct kt_call *c)
{
	return c->file == w->opts.file && c->pid == w->opts.pid && c->kind != KT_CALL_OFF_CPU &&
	       (c->func || c->name);
}

/* Calls that do not fit count as part of their caller. */
static uint32_t path_of(struct kt_why *w, uint32_t parent, const struct kt_call *c)
{
	const char *name = kt_call_name(w->trace, c);
	uint64_t key = keymap_mix(parent, (uintptr_t)name);
	struct path *at = w->paths.at;
	bool is_new;

	if (parent != KT_CALL_NONE && at[parent].name == name)
		return parent;
	if (w->paths.nr >= PATHS_MAX && keymap_get(&w->paths.of, key) == KEYMAP_NONE)
		return parent;
	at = keymap_element(&w->paths.of, key, &w->paths.at, &w->paths.nr, sizeof(*at), &is_new);
	if (!at) {
		w->failed = true;
		return parent;
	}
	at->name = name;
	at->parent = parent;
	return (uint32_t)(at - (struct path *)w->paths.at);
}

static uint32_t enter(void *data, const struct kt_call *c, uint32_t parent, uint32_t task,
		      bool late)
{
	(void)task;
	return late || !is_of_task(data, c) ? parent : path_of(data, parent, c);
}

/* The own time of a call that is partly outside the interval is unknown. */
static bool is_counted(const struct kt_why *w, const struct kt_call *c)
{
	uint64_t from = c->end.ts > c->duration ? c->end.ts - c->duration : 0;

	return is_of_task(w, c) && c->kind == KT_CALL_FUNCTION &&
	       !(c->flags & (KT_CALL_UNBEGUN | KT_CALL_UNFINISHED | KT_CALL_UNTIMED)) &&
	       from >= w->opts.from && c->end.ts <= w->opts.until;
}

static int leave(void *data, uint32_t id, const struct kt_call *c, struct kt_err *err)
{
	struct kt_why *w = data;
	const char *name;
	struct callee *at;
	bool is_new;

	if (!is_counted(w, c))
		return 0;
	/* The function of a probe is known only now: then @id is its caller. */
	id = path_of(w, id, c);
	if (id != KT_CALL_NONE)
		((struct path *)w->paths.at)[id].ns += c->self;
	name = kt_call_name(w->trace, c);
	at = keymap_element(&w->callees.of, (uintptr_t)name, &w->callees.at, &w->callees.nr,
			    sizeof(*at), &is_new);
	if (!at || w->failed)
		return kt_err_no_memory(err);
	at->func = c->func;
	at->name = name;
	at->ns += c->self;
	at->count++;
	return 0;
}

void callees_types(struct kt_why *w, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	if (w->calls)
		call_roles_types(calls_opts(w->calls), w->trace, file, bits);
}

int callees_create(struct kt_why *w, struct kt_err *err)
{
	static const struct kt_calls_opts opts = { 0 };

	if (w->opts.by_cpu || !kt_latency_kind_is_recorded(w->trace, KT_LATENCY_CALL))
		return 0;
	w->calls = calls_follow(w->trace, &opts, &(struct call_sink){ enter, leave, w }, err);
	return w->calls ? 0 : -ENOMEM;
}

static int most_first(const void *x, const void *y)
{
	const struct callee *a = x, *b = y;

	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : 0;
}

/* "a → … → b → c": of the paths that end in @name, the one with the most own time */
static void name_chain(struct kt_why *w, const char *name)
{
	const struct path *at = w->paths.at, *best = NULL;
	const char *chain[CHAIN_MAX];	/* innermost first; the last one is the outermost */
	uint32_t i, nr = 0, depth = 0;

	for (i = 0; i < w->paths.nr; i++)
		if (at[i].name == name && (!best || at[i].ns > best->ns))
			best = &at[i];
	for (; best; best = best->parent == KT_CALL_NONE ? NULL : &at[best->parent]) {
		nr += nr < CHAIN_MAX;
		chain[nr - 1] = best->name;
		depth++;
	}
	str_reset(&w->chain);
	for (i = nr; i-- > 0;) {
		str_addf(&w->chain, "%s%s", chain[i], i ? " → " : "");
		if (i == CHAIN_MAX - 1 && depth > CHAIN_MAX)
			str_add(&w->chain, "… → ");
	}
	w->failed |= w->chain.failed;
}

/* Below the function with the most own time: the chain of its callers */
static void add_chain(struct kt_why *w, const struct kt_why_line *callee)
{
	struct kt_why_line line = *callee;

	name_chain(w, callee->name);
	if (strcmp(w->chain.buf, callee->name) == 0)
		return;
	line.kind = KT_WHY_CHAIN;
	line.depth++;
	line.ns = 0;
	line.count = 0;
	line.name = w->chain.buf;
	why_add_line(w, &line);
}

/* Durations are by the tracer's clock: their sum must not exceed the interval. */
void callees_explain(struct kt_why *w)
{
	struct callee *at = w->callees.at;
	uint64_t left = w->opts.until - w->opts.from, more = 0, ns;
	struct kt_why_line line = { .kind = KT_WHY_CALLS, .pid = w->opts.pid, .cpu = -1,
				    .from_cpu = -1, .key = KT_WHY_NO_KEY };
	size_t i;

	if (!w->callees.nr)
		return;
	qsort(at, w->callees.nr, sizeof(*at), most_first);
	why_add_line(w, &line);
	line.depth = 1;
	for (i = 0; i < w->callees.nr; i++) {
		ns = at[i].ns < left ? at[i].ns : left;
		left -= ns;
		if (i >= LISTED_MAX || !ns) {
			more += ns;
			continue;
		}
		line.kind = KT_WHY_CALLEE;
		line.ns = ns;
		line.count = at[i].count;
		line.function = at[i].func;
		line.name = at[i].name;
		why_add_line(w, &line);
		if (i == 0)
			add_chain(w, &line);
	}
	if (more)
		why_add_line(w, &(struct kt_why_line){ .kind = KT_WHY_MORE, .depth = 1, .ns = more,
						       .pid = -1, .cpu = -1, .from_cpu = -1 });
}
