/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* paths.c - calls by their path from the outermost one, with their own times */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "diff/diff.h"
#include "latency/subject.h"
#include "span/calls.h"

/* The sink's number of a call: its node, or with this bit its caller's */
#define UNKNOWN (1u << 31)
#define DEPTH_MAX 512			/* as the stacks of lib/span */
#define PATH_LENGTH 4096

/* ---- nodes ---- */

static uint32_t name_number(struct kt_diff *d, const char *name)
{
	uint64_t h = diff_hash(name);
	uint32_t i = keymap_get(&d->name_of, h);

	if (i != KEYMAP_NONE)
		return i;
	if (!array_reserve(d->names, d->nr_names))
		return DIFF_NONE;
	d->names[d->nr_names] = strdup(name);
	if (!d->names[d->nr_names])
		return DIFF_NONE;
	if (keymap_put(&d->name_of, h, (uint32_t)d->nr_names) < 0) {
		free(d->names[d->nr_names]);
		return DIFF_NONE;
	}
	return (uint32_t)d->nr_names++;
}

/* The child of that name, created if needed; @parent if the tree is full; DIFF_NONE: no memory */
static uint32_t path_child(struct kt_diff *d, uint32_t parent, const char *name)
{
	uint32_t number = name_number(d, name), i;
	uint64_t key = (uint64_t)parent << 32 | number;

	if (number == DIFF_NONE)
		return DIFF_NONE;
	i = keymap_get(&d->node_of, key);
	if (i != KEYMAP_NONE)
		return i;
	if (d->nr_nodes == DIFF_NODES_MAX)
		return parent;
	if (!array_reserve(d->nodes, d->nr_nodes) ||
	    keymap_put(&d->node_of, key, (uint32_t)d->nr_nodes) < 0)
		return DIFF_NONE;
	d->nodes[d->nr_nodes] = (struct diff_node){
		.parent = parent, .name = number, .entry = DIFF_NONE,
	};
	return (uint32_t)d->nr_nodes++;
}

/* "a;b;c"; a very long path is cut at its beginning */
static void add_path(const struct kt_diff *d, uint32_t node, struct str *s)
{
	uint32_t path[DEPTH_MAX];
	size_t nr = 0, len = 0;

	for (; node && nr < DEPTH_MAX && len < PATH_LENGTH; node = d->nodes[node].parent) {
		len += strlen(d->names[d->nodes[node].name]) + 1;
		path[nr++] = node;
	}
	while (nr--)
		str_addf(s, "%s%s", s->len ? ";" : "", d->names[d->nodes[path[nr]].name]);
}

int diff_paths_init(struct kt_diff *d)
{
	uint32_t root = name_number(d, "all");

	d->nodes = root == DIFF_NONE ? NULL : malloc(sizeof(*d->nodes));
	if (!d->nodes)
		return -ENOMEM;
	d->nodes[0] = (struct diff_node){ .name = root, .entry = DIFF_NONE };
	d->nr_nodes = 1;
	return 0;
}

void diff_paths_fini(struct kt_diff *d)
{
	while (d->nr_names)
		free(d->names[--d->nr_names]);
	free(d->names);
	free(d->nodes);
	keymap_fini(&d->name_of);
	keymap_fini(&d->node_of);
}

/* A node comes after its parent. */
void diff_paths_sum(struct kt_diff *d)
{
	size_t i, side;

	for (i = 0; i < d->nr_nodes; i++)
		for (side = 0; side < 2; side++)
			d->nodes[i].total[side] = (double)d->nodes[i].own[side] * d->scale[side];
	for (i = d->nr_nodes; i-- > 1;)
		for (side = 0; side < 2; side++)
			d->nodes[d->nodes[i].parent].total[side] += d->nodes[i].total[side];
}

/* ---- calls ---- */

/* By address, which is faster than by name. @parent: no room; DIFF_NONE: no memory */
static uint32_t node_of_call(struct diff_run *run, uint32_t parent, const struct kt_call *c)
{
	uint64_t what = c->name ? (uintptr_t)c->name : c->func, key = keymap_mix(parent, what);
	uint32_t node;

	key = keymap_mix(key, c->file);
	node = keymap_get(&run->node_of, key);
	if (node != KEYMAP_NONE)
		return node;
	node = path_child(run->d, parent, kt_call_name(run->in.trace, c));
	if (node != DIFF_NONE && keymap_put(&run->node_of, key, node) < 0)
		return DIFF_NONE;
	return node;
}

static uint32_t enter(void *data, const struct kt_call *c, uint32_t parent, uint32_t task,
		      bool late)
{
	struct diff_run *run = data;
	uint32_t node;

	(void)task;
	parent = parent == KT_CALL_NONE ? 0 : parent & ~UNKNOWN;
	if (late || c->kind == KT_CALL_OFF_CPU || (!c->func && !c->name))
		return parent | UNKNOWN;
	node = node_of_call(run, parent, c);
	if (node == DIFF_NONE) {
		run->failed = true;
		return parent | UNKNOWN;
	}
	return node == parent ? parent | UNKNOWN : node;
}

/* The entry of a function with its callers */
static uint32_t entry_of(struct diff_run *run, uint32_t node)
{
	struct str path = STR_INIT;
	uint32_t entry = run->d->nodes[node].entry;
	bool full;

	if (entry != DIFF_NONE)
		return entry;
	add_path(run->d, node, &path);
	entry = path.failed ? DIFF_NONE : diff_entry(run->d, KT_LATENCY_CALL, path.buf, &full);
	if (entry == DIFF_NONE)
		run->failed |= path.failed || !full;
	run->pub.full |= entry == DIFF_NONE;
	run->d->nodes[node].entry = entry;
	str_fini(&path);
	return entry;
}

/* Does it belong to a subject, or is no subject about calls? */
static bool is_wanted(const struct diff_run *run, const struct kt_call *c)
{
	const struct kt_diff_opts *opts = &run->d->opts;
	const struct kt_latency one = {
		.until = c->end.ts, .file = c->file, .pid = c->pid, .holder = c->pid,
		.cpu = c->end.pos == UINT64_MAX ? -1 :
		       kt_stream_source(kt_trace_stream(run->in.trace), c->end.source)->cpu,
	};
	bool any = false;
	size_t i;

	for (i = 0; i < opts->nr_subjects; i++) {
		const struct kt_latency_subject *s = opts->subjects[i];

		if (kt_latency_subject_kind(s) != KT_LATENCY_CALL)
			continue;
		any = true;
		if (subject_has_name(s, kt_call_name(run->in.trace, c)) &&
		    subject_has(s, run->in.trace, &one))
			return true;
	}
	return !any;
}

static int take(struct diff_run *run, uint32_t node, const struct kt_call *c)
{
	bool timed = !(c->flags & KT_CALL_UNTIMED);
	struct diff_node *n = &run->d->nodes[node];
	uint32_t entry;

	if (timed && c->flags & (KT_CALL_UNBEGUN | KT_CALL_UNFINISHED | KT_CALL_GAP)) {
		run->pub.cut++;
		return 0;
	}
	if (timed)
		n->own[run->side] += c->self;
	n->count[run->side]++;
	if (c->kind != KT_CALL_FUNCTION || !(run->kinds & 1u << KT_LATENCY_CALL) ||
	    !is_wanted(run, c))
		return 0;
	entry = entry_of(run, node);
	return entry == DIFF_NONE ? 0 :
	       diff_run_take(run, entry, timed, c->self);
}

static int leave(void *data, uint32_t node, const struct kt_call *c, struct kt_err *err)
{
	struct diff_run *run = data;
	bool unknown = node & UNKNOWN;

	node &= ~UNKNOWN;
	if (c->kind == KT_CALL_OFF_CPU || (!c->func && !c->name))
		return 0;
	if (unknown)
		node = node_of_call(run, node, c);
	if (node != DIFF_NONE && node && diff_run_wants(run, c->file, c->pid) &&
	    take(run, node, c) < 0)
		run->failed = true;
	run->failed |= node == DIFF_NONE;
	return run->failed ? kt_err_no_memory(err) : 0;
}

struct kt_calls *diff_paths_follow(struct diff_run *run, struct kt_err *err)
{
	static const struct kt_calls_opts opts = { 0 };

	return calls_follow(run->in.trace, &opts, &(struct call_sink){ enter, leave, run }, err);
}
