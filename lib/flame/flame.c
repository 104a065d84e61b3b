/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flame.c - merge the stacks and calls of a trace into one tree */
#include "flame/flame.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"

#define FIRST_RECORDS 20000		/* stacks, if any, are among them */

const char *kt_flame_kind_name(enum kt_flame_kind kind)
{
	static const char *const names[] = { "calls", "stacks", "off-CPU", "wakeups" };

	return names[kind];
}

/* ---- settings ---- */

bool flame_is_stack(const struct kt_event *ev)
{
	return strcmp(ev->system, "ftrace") == 0 && strstr(ev->name, "_stack");
}

enum kt_flame_kind kt_flame_guess_trace(struct kt_trace *t)
{
	struct kt_batch *b = kt_batch_create(FIRST_RECORDS);
	int nr = b && kt_stream_seek(kt_trace_stream(t), 0, NULL) == 0 ?
		 kt_stream_read(kt_trace_stream(t), b, NULL) : 0;
	bool found = false;
	const struct kt_event *ev;
	int i;

	for (i = 0; i < nr && !found; i++) {
		ev = kt_trace_event(t, &kt_batch_records(b)[i]);
		found = ev && flame_is_stack(ev);
	}
	kt_batch_destroy(b);
	return found ? KT_FLAME_STACKS : KT_FLAME_CALLS;
}

/* Off CPU: by stacks if there are any, otherwise by calls */
static int follow(struct kt_flame *f, struct kt_err *err)
{
	const struct kt_spans_opts so = {
		.kinds = 1u << KT_SPAN_BLOCKED |
			 (f->kind == KT_FLAME_WAKEUPS ? 0 : 1u << KT_SPAN_PREEMPTED),
		.sink = f->kind == KT_FLAME_WAKEUPS ? flame_take_wakeup : flame_take_span,
		.data = f,
	};

	if (f->kind == KT_FLAME_STACKS)
		return 0;
	if (f->kind == KT_FLAME_WAKEUPS || (f->kind == KT_FLAME_OFF_CPU && f->has_stacks))
		f->spans = kt_spans_create(f->trace, &so, err);
	else
		f->calls = flame_calls(f, err);
	return f->spans || f->calls ? 0 : -ENOMEM;
}

void flame_forget(struct kt_flame *f)
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
	free(f->wakes);
	f->wakes = NULL;
	keymap_fini(&f->woken);
	keymap_fini(&f->name_of);
	flame_tree_fini(&f->tree);
}

int flame_begin(struct kt_flame *f, enum kt_flame_kind kind, const struct kt_window *w,
		struct kt_err *err)
{
	int ret;

	f->kind = kind;
	f->window = *w;
	f->timed = false;
	ret = flame_tree_init(&f->tree);
	if (ret == 0)
		ret = follow(f, err);
	kt_flame_order(f, false);
	return ret;
}

/* ---- reading ---- */

static struct kt_analysis *analysis_of(const struct kt_flame *f)
{
	if (f->calls)
		return kt_calls_analysis(f->calls);
	return f->spans ? kt_spans_analysis(f->spans) : NULL;
}

static struct kt_flame *flame_of(struct kt_analysis *a)
{
	return (struct kt_flame *)a;
}

static void lost(struct kt_analysis *analysis, const struct kt_record *rec)
{
	struct kt_analysis *a = analysis_of(flame_of(analysis));

	if (a)
		a->lost(a, rec);
}

static int record(struct kt_analysis *analysis, const struct kt_event *ev,
		  const struct kt_record *rec, struct kt_err *err)
{
	struct kt_flame *f = flame_of(analysis);
	struct kt_analysis *a = analysis_of(f);
	int ret = 0;

	f->shown = !f->filtered || f->counts(f->data, rec);
	if (f->calls)
		ret = flame_meet_tasks(f, ev, rec);
	else if (f->kind == KT_FLAME_WAKEUPS)
		ret = flame_note_waker(f, ev, rec);
	if (ret >= 0)
		ret = a ? a->record(a, ev, rec, err) : flame_take_stack(f, ev, rec);
	return f->tree.failed ? -ENOMEM : ret;
}

static int finish(struct kt_analysis *analysis, struct kt_err *err)
{
	struct kt_flame *f = flame_of(analysis);
	struct kt_analysis *a = analysis_of(f);
	int ret = 0;

	f->shown = !f->filtered;	/* no record ends what is still open */
	if (a && a->finish)
		ret = a->finish(a, err);
	flame_settle_stacks(f);
	flame_settle_calls(f);
	return ret;
}

/* ---- results ---- */

bool kt_flame_is_full(const struct kt_flame *f)
{
	return f->tree.full;
}

bool kt_flame_is_timed(const struct kt_flame *f)
{
	return f->timed;
}

void kt_flame_order(struct kt_flame *f, bool by_count)
{
	flame_tree_order(&f->tree, by_count);
	f->nr_ordered = f->tree.nr;
}

size_t kt_flame_nr(const struct kt_flame *f)
{
	return f->nr_ordered;
}

/* @i, or the first of its next siblings that existed when the tree was ordered */
static uint32_t ordered(const struct kt_flame *f, uint32_t i)
{
	while (i != FLAME_NONE && i >= f->nr_ordered)
		i = f->tree.nodes[i].next;
	return i;
}

bool kt_flame_frame(const struct kt_flame *f, uint32_t i, struct kt_flame_frame *frame)
{
	const struct flame_node *n = i < f->nr_ordered ? &f->tree.nodes[i] : NULL;

	if (!n)
		return false;
	*frame = (struct kt_flame_frame){
		.name = f->tree.names[n->name].text,
		.type = (enum kt_flame_type)f->tree.names[n->name].type,
		.parent = n->parent, .first = ordered(f, n->first), .next = ordered(f, n->next),
		.time = n->all_time, .own_time = (int64_t)n->own_time > 0 ? n->own_time : 0,
		.count = n->all_count, .own_count = n->count,
	};
	return true;
}

/* These characters end a frame or its line. */
static void add_name(struct str *s, const char *name)
{
	for (; *name; name++)
		if (*name == ';')
			str_addc(s, ':');
		else
			str_addc(s, (unsigned char)*name < ' ' ? '?' : *name);
}

void kt_flame_path(const struct kt_flame *f, uint32_t i, struct kt_out *out)
{
	struct kt_flame_frame frame;

	if (!i || !kt_flame_frame(f, i, &frame))
		return;
	kt_flame_path(f, frame.parent, out);
	if (frame.parent)
		str_addc(&out->text, ';');
	add_name(&out->text, frame.name);
}

/* ---- a flame graph ---- */

int flame_init(struct kt_flame *f, struct kt_trace *t)
{
	f->trace = t;
	f->analysis = (struct kt_analysis){ .record = record, .lost = lost, .finish = finish };
	f->tree.free = FLAME_NONE;
	f->nr_pending = kt_stream_nr_sources(kt_trace_stream(t));
	f->pending = calloc(f->nr_pending + 1, sizeof(*f->pending));
	return f->pending ? 0 : -ENOMEM;
}

struct kt_flame *kt_flame_create_for(struct kt_trace *t, const struct kt_flame_opts *opts,
				     struct kt_err *err)
{
	struct kt_flame *f = calloc(1, sizeof(*f));
	size_t file;

	if (f && flame_init(f, t) == 0) {
		f->counts = opts->counts;
		f->chosen = opts->chosen;
		f->filtered = opts->counts;
		f->data = opts->data;
		f->has_stacks = kt_flame_guess_trace(t) == KT_FLAME_STACKS;
		for (file = 0; file < kt_trace_nr_files(t); file++)
			kt_symbols_wait(kt_trace_symbols(t, file), UINT_MAX);
		if (flame_begin(f, opts->kind, &opts->window, err) == 0)
			return f;
	}
	kt_flame_destroy(f);
	kt_err_no_memory(err);
	return NULL;
}

struct kt_analysis *kt_flame_analysis(struct kt_flame *f)
{
	return &f->analysis;
}

void kt_flame_destroy(struct kt_flame *f)
{
	if (!f)
		return;
	if (f->fini)
		f->fini(f);
	flame_forget(f);
	free(f->pending);
	free(f);
}
