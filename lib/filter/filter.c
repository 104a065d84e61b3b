/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter.c - a set of expressions, compiled for each kind of record at its first record */
#include "filter/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/out.h"

#define NR_TYPES (UINT16_MAX + 1)

/* For records of unknown format: no expression can select them. */
static struct filter_program pass_all = { .entry = FILTER_PASS };
static struct filter_program drop_all = { .entry = FILTER_DROP };

struct kt_filter *kt_filter_create(struct kt_trace *t)
{
	struct kt_filter *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->trace = t;
	pthread_mutex_init(&f->lock, NULL);
	return f;
}

static void forget_programs(struct filter_file *file)
{
	struct filter_program *p;
	size_t i;

	for (i = 0; file->programs && i < NR_TYPES; i++) {
		p = atomic_load_explicit(&file->programs[i], memory_order_relaxed);
		if (!p)
			continue;
		if (p != &pass_all && p != &drop_all)
			filter_program_free(p);
		atomic_store_explicit(&file->programs[i], NULL, memory_order_relaxed);
	}
}

static void file_fini(const struct kt_filter *f, struct filter_file *file)
{
	int i;

	forget_programs(file);
	free(file->programs);
	for (i = 0; file->caches && i < 2 * f->nr_caches; i++)
		free((void *)file->caches[i]);
	free(file->caches);
}

static void expr_fini(struct filter_expr *e)
{
	filter_node_free(e->root);
	filter_choices_free(e);
	free(e->text);
}

void kt_filter_destroy(struct kt_filter *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->nr_files; i++)
		file_fini(f, &f->files[i]);
	for (i = 0; i < f->nr_exprs; i++)
		expr_fini(&f->exprs[i]);
	for (i = 0; i < f->nr_doubts; i++)
		free(f->doubts[i]);
	free(f->doubts);
	pthread_mutex_destroy(&f->lock);
	free(f->files);
	free(f->exprs);
	free(f);
}

static int file_init(struct filter_file *file, struct kt_trace *t, size_t i)
{
	*file = (struct filter_file) { .index = i, .trace = t, .events = kt_trace_events(t, i) };
	file->programs = calloc(NR_TYPES, sizeof(*file->programs));
	return file->programs ? 0 : -ENOMEM;
}

/* Files may have been added since the last expression. */
static int update_files(struct kt_filter *f)
{
	size_t nr = kt_trace_nr_files(f->trace);

	for (; f->nr_files < nr; f->nr_files++)
		if (!array_reserve(f->files, f->nr_files) ||
		    file_init(&f->files[f->nr_files], f->trace, f->nr_files) < 0)
			return -ENOMEM;
	return 0;
}

static int grow_caches(struct filter_file *file, int from, int to)
{
	_Atomic uint64_t **more = realloc(file->caches, (2 * to + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	memset(more + 2 * from, 0, 2 * (to - from) * sizeof(*more));
	file->caches = more;
	return 0;
}

static int parse(struct kt_filter *f, struct filter_expr *e, struct kt_err *err)
{
	ssize_t expr_pos;
	int ret = filter_choose(f, e, &expr_pos, err);

	if (ret < 0)
		return ret;
	if (expr_pos >= 0) {
		ret = filter_parse(e, expr_pos, err);
		if (ret < 0)
			return ret;
	}
	return filter_check(f, e, err);
}

/* Takes the content of @e. */
static int append(struct kt_filter *f, const struct filter_expr *e)
{
	size_t i;

	if (!array_reserve(f->exprs, f->nr_exprs))
		return -ENOMEM;
	for (i = 0; i < f->nr_files; i++)
		if (grow_caches(&f->files[i], f->files[i].caches ? f->nr_caches : 0,
				e->nr_caches) < 0)
			return -ENOMEM;
	f->nr_caches = e->nr_caches;
	f->exprs[f->nr_exprs++] = *e;
	return 0;
}

static int read_expr(struct kt_filter *f, struct filter_expr *e, const char *text,
		     struct kt_err *err)
{
	int ret;

	e->text = strdup(text);
	if (!e->text)
		return -ENOMEM;
	ret = update_files(f);
	if (ret < 0)
		return ret;
	ret = parse(f, e, err);
	if (ret < 0)
		return ret;
	ret = filter_doubt(f, e, e->root);
	return ret < 0 ? ret : append(f, e);
}

int kt_filter_add(struct kt_filter *f, const char *text, bool exclude, int file,
		  struct kt_err *err)
{
	struct filter_expr e = { .exclude = exclude, .file = file, .nr_caches = f->nr_caches };
	size_t i;
	int ret = read_expr(f, &e, text, err);

	if (ret < 0) {
		expr_fini(&e);
		return kt_err_result(err, ret);
	}
	for (i = 0; i < f->nr_files; i++)
		forget_programs(&f->files[i]);
	return 0;
}

bool kt_filter_is_empty(const struct kt_filter *f)
{
	return !f->nr_exprs;
}

static struct filter_program *compile(struct kt_filter *f, struct filter_file *file, uint16_t type)
{
	struct filter_program *p;
	const struct kt_event *ev;

	pthread_mutex_lock(&f->lock);
	p = atomic_load_explicit(&file->programs[type], memory_order_relaxed);
	if (!p) {
		ev = kt_events_by_id(file->events, type);
		if (ev)
			p = filter_compile(f, file, ev);
		else
			p = filter_keeps_some(f, file->index) ? &drop_all : &pass_all;
		atomic_store_explicit(&file->programs[type], p, memory_order_release);
	}
	pthread_mutex_unlock(&f->lock);
	return p;
}

bool kt_filter_match(struct kt_filter *f, const struct kt_record *rec)
{
	struct filter_program *p;
	struct filter_file *file;
	size_t index;

	if (!f->nr_exprs)
		return true;
	index = kt_trace_source(f->trace, rec)->file_index;
	if (index >= f->nr_files)
		return true;
	file = &f->files[index];
	p = atomic_load_explicit(&file->programs[rec->type], memory_order_acquire);
	if (!p)
		p = compile(f, file, rec->type);
	return p && filter_run(p, file, rec);
}

/* A stack belongs to the event before it. */
static bool is_stack(const struct event_slot *slot)
{
	static const char *const names[] = { "kernel_stack", "user_stack" };
	size_t i;

	if (strcmp(slot->source.system, "ftrace"))
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (slot->name_len == strlen(names[i]) &&
		    !memcmp(slot->name, names[i], slot->name_len))
			return true;
	return false;
}

static bool slot_may_pass(const struct kt_filter *f, size_t file, const struct event_slot *slot,
			  bool keeps)
{
	bool kept = !keeps;
	unsigned int may;
	size_t i;

	for (i = 0; i < f->nr_exprs; i++) {
		const struct filter_expr *e = &f->exprs[i];

		if (e->file >= 0 && (size_t)e->file != file)
			continue;
		may = filter_may(e, slot);
		if (e->exclude && !(may & FILTER_MAY_FAIL))
			return false;
		kept |= !e->exclude && (may & FILTER_MAY_MATCH);
	}
	return kept;
}

void kt_filter_types(struct kt_filter *f, size_t file, uint64_t bits[KT_FILTER_TYPES_WORDS])
{
	bool keeps = filter_keeps_some(f, file);
	struct kt_events *evs;
	size_t i;

	memset(bits, keeps ? 0 : 0xff, KT_FILTER_TYPES_WORDS * sizeof(*bits));
	if (!f->nr_exprs || file >= f->nr_files)
		return;
	evs = f->files[file].events;
	for (i = 0; i < events_nr_formats(evs); i++) {
		const struct event_slot *slot = &evs->slots[i];
		uint64_t bit = 1ULL << slot->id % 64;

		if (is_stack(slot) || slot_may_pass(f, file, slot, keeps))
			bits[slot->id / 64] |= bit;
		else
			bits[slot->id / 64] &= ~bit;
	}
}

/* Is there an expression that keeps it, and do all such expressions require certain pids? */
static bool slot_needs_pid(const struct kt_filter *f, size_t file, const struct event_slot *slot,
			   uint64_t *pids)
{
	size_t i;

	for (i = 0; i < f->nr_exprs; i++) {
		const struct filter_expr *e = &f->exprs[i];

		if (!e->exclude && (e->file < 0 || (size_t)e->file == file) &&
		    (filter_may(e, slot) & FILTER_MAY_MATCH) && !filter_needs_pid(e, slot, pids))
			return false;
	}
	return true;
}

bool kt_filter_pids(struct kt_filter *f, size_t file, uint64_t types[KT_FILTER_TYPES_WORDS],
		    uint64_t pids[KT_FILTER_TYPES_WORDS])
{
	static const struct format_place usual = { 4, 4 };
	struct kt_events *evs;
	bool any = false;
	size_t i;

	memset(types, 0, KT_FILTER_TYPES_WORDS * sizeof(*types));
	memset(pids, 0, KT_FILTER_TYPES_WORDS * sizeof(*pids));
	if (!filter_keeps_some(f, file) || file >= f->nr_files)
		return false;
	evs = f->files[file].events;
	if (evs->pid.offset != usual.offset || evs->pid.size != usual.size)
		return false;
	for (i = 0; i < events_nr_formats(evs); i++) {
		const struct event_slot *slot = &evs->slots[i];

		if (is_stack(slot) || !slot_needs_pid(f, file, slot, pids))
			continue;
		types[slot->id / 64] |= 1ULL << slot->id % 64;
		any = true;
	}
	return any;
}

/* @choice NULL: all events. */
static void print_choice(const struct filter_expr *e, const struct filter_choice *choice,
			 struct kt_events *evs, struct str *s)
{
	const struct kt_event *ev;
	unsigned int id;

	for (id = NR_TYPES; id-- > 0; ) {
		if (!evs->slot_of[id])
			continue;
		if (choice && !filter_choice_match(choice, &evs->slots[evs->slot_of[id] - 1]))
			continue;
		ev = kt_events_by_id(evs, id);
		if (!ev)
			continue;
		str_addf(s, " '%s: ", ev->name);
		filter_describe(e, ev, s);
		str_add(s, "'\n");
	}
}

static void print_expr(const struct filter_expr *e, struct kt_events *evs, struct str *s)
{
	size_t i;

	if (e->plain)
		print_choice(e, NULL, evs, s);
	for (i = e->nr_choices; i-- > 0; )
		print_choice(e, &e->choices[i], evs, s);
}

void kt_filter_print(struct kt_filter *f, struct kt_out *out)
{
	size_t file, i;

	for (file = 0; file < f->nr_files; file++)
		for (i = 0; i < f->nr_exprs; i++)
			if (f->exprs[i].file < 0 || (size_t)f->exprs[i].file == file)
				print_expr(&f->exprs[i], f->files[file].events, &out->text);
}
