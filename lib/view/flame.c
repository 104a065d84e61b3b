/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flame.c - stacks and calls of a trace merged into one tree, read in slices of work */
#include "view/flame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "view/model_priv.h"

#define LEARN_MS   300		/* for names of tasks, before these are counted by them */

const char *kt_flame_kind_name(enum kt_flame_kind kind)
{
	static const char *const names[] = { "calls", "stacks", "off-CPU" };

	return names[kind];
}

/* ---- names ---- */

uint32_t flame_task(struct kt_flame *f, size_t file, int pid)
{
	const char *comm = kt_trace_comm_known(kt_model_trace(f->model), file, pid);

	if (pid == 0)
		comm = "<idle>";
	return flame_child(&f->tree, 0, flame_name(&f->tree, KT_FLAME_TASK, comm ? comm : "<...>",
						   true));
}

uint32_t flame_address(struct kt_flame *f, struct kt_symbols *syms, enum kt_flame_type type,
		       uint64_t addr)
{
	uint64_t key = keymap_mix((uintptr_t)syms + type, addr);
	uint32_t name = keymap_get(&f->name_of, key);
	struct kt_symbol sym;
	char text[24];

	if (name != KEYMAP_NONE)
		return name;
	if (type == KT_FLAME_FUNCTION && kt_symbols_find(syms, addr, &sym) > 0) {
		name = flame_name(&f->tree, type, sym.name, false);
	} else {
		snprintf(text, sizeof(text), "0x%" PRIx64, addr);
		name = flame_name(&f->tree, type, text, true);
	}
	if (f->name_of.nr < FLAME_NAMES_MAX && keymap_put(&f->name_of, key, name) < 0)
		f->tree.failed = true;
	return name;
}

void flame_add(struct kt_flame *f, uint32_t node, uint64_t count, uint64_t ns)
{
	f->tree.nodes[node].count += count;
	f->tree.nodes[node].own_time += (int64_t)ns;
	f->timed |= ns > 0;
}

/* ---- setting ---- */

static bool is_stack(const struct kt_event *ev)
{
	return strcmp(ev->system, "ftrace") == 0 && strstr(ev->name, "_stack");
}

enum kt_flame_kind kt_flame_guess(struct kt_model *m)
{
	return model_begins_with(m, is_stack) ? KT_FLAME_STACKS : KT_FLAME_CALLS;
}

/* Off the CPU: by stacks where there are some, by calls otherwise */
static int follow(struct kt_flame *f, struct kt_err *err)
{
	struct kt_trace *t = kt_model_trace(f->model);
	const struct kt_spans_opts so = {
		.kinds = 1u << KT_SPAN_BLOCKED | 1u << KT_SPAN_PREEMPTED,
		.sink = flame_take_span, .data = f,
	};

	if (f->kind == KT_FLAME_STACKS)
		return 0;
	if (f->kind == KT_FLAME_OFF_CPU && kt_flame_guess(f->model) == KT_FLAME_STACKS)
		f->spans = kt_spans_create(t, &so, err);
	else
		f->calls = flame_calls(f, err);
	return f->spans || f->calls ? 0 : -ENOMEM;
}

static void forget(struct kt_flame *f)
{
	size_t i;

	kt_calls_destroy(f->calls);
	kt_spans_destroy(f->spans);
	f->calls = NULL;
	f->spans = NULL;
	for (i = 0; i < f->nr_pending; i++) {
		free(f->pending[i]);
		f->pending[i] = NULL;
	}
	for (i = 0; i < f->nr_late; i++)
		free(f->late[i].at);
	free(f->late);
	f->late = NULL;
	f->late_now = NULL;
	f->nr_late = 0;
	free(f->on_cpu);
	f->on_cpu = NULL;
	f->switches = NULL;
	keymap_fini(&f->met);
	keymap_fini(&f->name_of);
	flame_tree_fini(&f->tree);
}

int kt_flame_set(struct kt_flame *f, enum kt_flame_kind kind, const struct kt_window *w,
		 struct kt_err *err)
{
	int ret;

	forget(f);
	f->kind = kind;
	f->window = *w;
	f->done = f->partial = f->timed = false;
	f->reached = w->from;
	ret = flame_tree_init(&f->tree);
	if (ret == 0)
		ret = follow(f, err);
	if (ret == 0)
		ret = kt_reader_seek(f->reader, w->from, err);
	kt_reader_tell(f->reader, &f->at);
	f->done = ret < 0;
	kt_flame_order(f, false);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

/* ---- reading ---- */

static struct kt_analysis *analysis_of(const struct kt_flame *f)
{
	return f->calls ? kt_calls_analysis(f->calls) :
	       f->spans ? kt_spans_analysis(f->spans) : NULL;
}

static void finish(struct kt_flame *f, bool partial)
{
	struct kt_analysis *a = analysis_of(f);

	f->done = true;
	f->partial |= partial;
	f->shown = true;
	if (a && a->finish)
		a->finish(a, NULL);
	flame_settle_stacks(f);
	flame_settle_calls(f);
}

/* One record: false when there are no more, or with @failed when memory is short */
static bool step(struct kt_flame *f, struct kt_analysis *a, bool filtered, bool *failed)
{
	const struct kt_event *ev;
	struct kt_record rec;
	int ret = kt_reader_next(f->reader, &rec, NULL);

	if (ret <= 0 || rec.ts > f->window.until) {
		*failed = ret < 0;
		return false;
	}
	if (rec.lost && a)
		a->lost(a, &rec);
	f->reached = rec.ts;
	ev = kt_trace_event(kt_model_trace(f->model), &rec);
	if (!ev)
		return true;
	f->shown = !filtered || model_shows(f->model, &rec);
	if (f->calls)
		ret = flame_meet_tasks(f, ev, &rec);
	if (ret >= 0)
		ret = a ? a->record(a, ev, &rec, NULL) : flame_take_stack(f, ev, &rec);
	*failed = ret < 0 || f->tree.failed;
	return !*failed;
}

/* Frames keep the names that they get: functions should be known, and most tasks. */
static bool learn(struct kt_flame *f, unsigned int budget_ms)
{
	uint64_t from = moment_ms();
	bool more;

	if (!kt_model_knows_symbols(f->model, budget_ms))
		return true;
	more = f->learned_ms < LEARN_MS && kt_model_work(f->model, budget_ms);
	f->learned_ms = more ? f->learned_ms + moment_ms() - from : LEARN_MS;
	return more;
}

bool kt_flame_work(struct kt_flame *f, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;
	bool filtered = kt_model_chooses(f->model), failed = false;
	struct kt_analysis *a = analysis_of(f);
	unsigned int i;

	if (f->done)
		return false;
	if (learn(f, budget_ms))
		return true;
	if (kt_reader_go(f->reader, &f->at, NULL) < 0) {
		finish(f, true);
		return false;
	}
	do {
		for (i = 0; i < 256; i++)
			if (!step(f, a, filtered, &failed)) {
				finish(f, failed);
				return false;
			}
	} while (moment_ms() < until);
	kt_reader_tell(f->reader, &f->at);
	return true;
}

bool kt_flame_stop(struct kt_flame *f)
{
	if (f->done)
		return false;
	finish(f, true);
	return true;
}

double kt_flame_done(const struct kt_flame *f)
{
	return f->done ? 1 : (double)(f->reached - f->window.from) /
			     ((double)(f->window.until - f->window.from) + 1);
}

bool kt_flame_is_partial(const struct kt_flame *f)
{
	return f->partial;
}

bool kt_flame_is_full(const struct kt_flame *f)
{
	return f->tree.full;
}

bool kt_flame_is_timed(const struct kt_flame *f)
{
	return f->timed;
}

/* ---- results ---- */

void kt_flame_order(struct kt_flame *f, bool by_count)
{
	flame_tree_order(&f->tree, by_count);
	f->nr_ordered = f->tree.nr;
}

size_t kt_flame_nr(const struct kt_flame *f)
{
	return f->nr_ordered;
}

bool kt_flame_frame(const struct kt_flame *f, uint32_t i, struct kt_flame_frame *frame)
{
	const struct flame_node *n = i < f->nr_ordered ? &f->tree.nodes[i] : NULL;

	if (!n)
		return false;
	*frame = (struct kt_flame_frame){
		.name = f->tree.names[n->name].text,
		.type = (enum kt_flame_type)f->tree.names[n->name].type,
		.parent = n->parent, .first = n->first, .next = n->next,
		.time = n->all_time, .own_time = n->own_time > 0 ? (uint64_t)n->own_time : 0,
		.count = n->all_count, .own_count = n->count,
	};
	return true;
}

struct kt_flame *kt_flame_create(struct kt_model *m, struct kt_err *err)
{
	struct kt_flame *f = calloc(1, sizeof(*f));

	if (f) {
		f->model = m;
		f->done = true;
		f->tree.free = FLAME_NONE;
		f->nr_pending = kt_stream_nr_sources(kt_trace_stream(kt_model_trace(m)));
		f->pending = calloc(f->nr_pending + 1, sizeof(*f->pending));
		f->reader = kt_reader_create(kt_model_trace(m), kt_model_index(m), err);
	}
	if (f && f->pending && f->reader)
		return f;
	kt_flame_destroy(f);
	kt_err_set(err, -ENOMEM, "out of memory");
	return NULL;
}

void kt_flame_destroy(struct kt_flame *f)
{
	if (!f)
		return;
	forget(f);
	free(f->pending);
	kt_reader_destroy(f->reader);
	free(f);
}
