/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.c - the formats of a recording, each parsed at its first record */
#include "event/syscall_names.h"
#include "event/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symbols.h"

#define NR_IDS (UINT16_MAX + 1)

/* All formats of a kernel have the same common fields: take them from the first that has them. */
static void find_common(struct kt_events *evs)
{
	static const struct format_place usual[] = { { 0, 2 }, { 2, 1 }, { 3, 1 }, { 4, 4 } };
	size_t i;

	evs->type = usual[0];
	evs->flags = usual[1];
	evs->preempt = usual[2];
	evs->pid = usual[3];
	for (i = 0; i < evs->nr_slots; i++) {
		struct kt_blob text = evs->slots[i].source.format;

		if (!format_place(text, "common_pid", &evs->pid))
			continue;
		format_place(text, "common_type", &evs->type);
		format_place(text, "common_flags", &evs->flags);
		format_place(text, "common_preempt_count", &evs->preempt);
		return;
	}
}

static void set_slot(struct kt_events *evs, struct event_slot *slot,
		     const struct kt_event_source *source)
{
	struct format_head head;

	slot->source = *source;
	slot->name = "";
	if (!format_head(source->format, &head)) {
		slot->event = &evs->broken;
		return;
	}
	slot->name = head.name;
	slot->name_len = head.name_len;
	slot->id = head.id;
	slot->end_of_id = head.after_id;
	if (!evs->slot_of[slot->id])
		evs->slot_of[slot->id] = slot - evs->slots + 1;
}

/* "Linux host 6.19.3-1-amd64 x86_64", from the file */
static uint32_t version_of(const struct kt_file *file)
{
	const struct kt_option *o = kt_file_find_option(file, KT_OPTION_UNAME);
	unsigned int major = 0, minor = 0;
	char text[128];

	if (!o)
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)(o->raw.size < 100 ? o->raw.size : 100),
		 o->raw.data);
	sscanf(text, "%*s %*s %4u.%4u", &major, &minor);
	return LINUX(major, minor);
}

static const struct syscall_table *find_syscalls(const struct kt_file *file)
{
	const struct kt_option *o = kt_file_find_option(file, KT_OPTION_UNAME);

	return o ? syscall_table_of((const char *)o->raw.data, o->raw.size) : NULL;
}

const char *kt_syscall_name(const struct kt_events *evs, uint64_t nr)
{
	return evs->syscalls && nr < evs->syscalls->nr ? evs->syscalls->names[nr] : NULL;
}

/* The kernel has no format file for records of the blk tracer. */
static void add_blk(struct kt_events *evs)
{
	struct kt_event_source source = { .system = "ftrace" };
	const struct event_slot *slot;
	size_t i;

	for (i = 0; i < evs->nr_slots; i++) {
		slot = &evs->slots[i];
		if (slot->name_len != 10 || memcmp(slot->name, "user_stack", 10) ||
		    strcmp(slot->source.system, "ftrace"))
			continue;
		if (slot->id < NR_IDS - 1 && !evs->slot_of[slot->id + 1])
			evs->blk_text = blk_format(evs, slot);
		break;
	}
	if (!evs->blk_text)
		return;
	source.format = (struct kt_blob){ evs->blk_text, strlen(evs->blk_text) };
	set_slot(evs, &evs->slots[evs->nr_slots], &source);
}

struct kt_events *kt_events_create_from(const struct kt_events_origin *origin,
					struct kt_symbols *symbols, struct kt_err *err)
{
	struct kt_events *evs = calloc(1, sizeof(*evs));
	size_t i;

	if (!evs)
		goto nomem;
	pthread_mutex_init(&evs->lock, NULL);
	evs->symbols = symbols;
	evs->big_endian = origin->big_endian;
	evs->swap = origin->big_endian != KT_HOST_BIG;
	evs->long_size = origin->long_size == 4 ? 4 : 8;
	evs->slots = calloc(origin->nr + 1, sizeof(*evs->slots));
	evs->slot_of = calloc(NR_IDS, sizeof(*evs->slot_of));
	evs->by_id = calloc(NR_IDS, sizeof(*evs->by_id));
	if (!evs->slots || !evs->slot_of || !evs->by_id)
		goto nomem;
	for (i = 0; i < origin->nr; i++)
		set_slot(evs, &evs->slots[evs->nr_slots++], origin->at(origin->data, i));
	find_common(evs);
	return evs;
nomem:
	kt_events_destroy(evs);
	kt_err_no_memory(err);
	return NULL;
}

static const struct kt_event_source *source_of_file(void *file, size_t i)
{
	return kt_file_event(file, i);
}

struct kt_events *kt_events_create(struct kt_file *file, struct kt_symbols *symbols,
				   struct kt_err *err)
{
	const struct kt_file_info *info = kt_file_info(file);
	struct kt_events_origin origin = {
		.big_endian = info->big_endian,
		.long_size = info->commit_size,
		.nr = kt_file_nr_events(file),
		.at = source_of_file,
		.data = file,
	};
	struct kt_events *evs = kt_events_create_from(&origin, symbols, err);

	if (!evs)
		return NULL;
	evs->file = file;
	evs->version = version_of(file);
	evs->syscalls = find_syscalls(file);
	add_blk(evs);
	return evs;
}

static void free_event(struct kt_events *evs, struct event *ev)
{
	if (!ev || ev == &evs->broken)
		return;
	printer_free(ev);
	fields_free(ev);
	free((void *)ev->pub.print_fmt);
	free(ev);
}

void kt_events_destroy(struct kt_events *evs)
{
	size_t i;

	if (!evs)
		return;
	for (i = 0; evs->slots && i < events_nr_formats(evs); i++)
		free_event(evs, evs->slots[i].event);
	free(evs->blk_text);
	tep_stop(evs);
	for (i = 0; i < evs->nr_options; i++)
		free(evs->options[i]);
	free(evs->options);
	pthread_mutex_destroy(&evs->lock);
	free(evs->slots);
	free(evs->slot_of);
	free(evs->by_id);
	free(evs->other);
	free(evs);
}

int events_set_symbols(struct kt_events *evs, size_t i, struct kt_symbols *syms)
{
	struct kt_symbols **more = evs->other;

	if (i >= evs->nr_other) {
		more = reallocarray(more, i + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + evs->nr_other, 0, (i + 1 - evs->nr_other) * sizeof(*more));
		evs->other = more;
		evs->nr_other = i + 1;
	}
	more[i] = syms;
	return 0;
}

static size_t count_options(const char *const *options)
{
	size_t nr = 0;

	while (options && options[nr])
		nr++;
	return nr;
}

int kt_events_set_opts(struct kt_events *evs, const struct kt_events_opts *opts,
		       struct kt_err *err)
{
	size_t nr = count_options(opts->options), i;

	if (evs->tep || evs->options)
		return kt_err_set(err, -EBUSY, "events are in use already");
	evs->opts = *opts;
	if (evs->symbols) {
		evs->symbols->exact = opts->exact;
		evs->symbols->kernel = opts->kernel;
	}
	evs->opts.options = NULL;
	evs->options = calloc(nr + 1, sizeof(*evs->options));
	if (!evs->options)
		return kt_err_no_memory(err);
	for (i = 0; i < nr; i++) {
		evs->options[i] = strdup(opts->options[i]);
		if (!evs->options[i])
			return kt_err_no_memory(err);
		evs->nr_options++;
	}
	return 0;
}

struct kt_file *kt_events_file(const struct kt_events *evs)
{
	return evs->file;
}

/* The text after "print fmt: ", without the line end; new (free) */
static char *print_fmt(struct kt_blob text)
{
	const char *p = memmem(text.data, text.size, "print fmt: ", 11);
	size_t len = p ? text.data + text.size - (p + 11) : 0;

	while (len && p[11 + len - 1] == '\n')
		len--;
	return p ? strndup(p + 11, len) : strdup("");
}

static struct event *build(struct kt_events *evs, const struct event_slot *slot)
{
	struct event *ev = calloc(1, sizeof(*ev));

	if (!ev || tep_start(evs) < 0)
		goto fail;
	ev->tep = tep_parse(evs, slot, &ev->wrong);
	if (!ev->tep)
		goto fail;
	ev->pub.id = slot->id;
	ev->pub.system = slot->source.system;
	ev->pub.name = ev->tep->name;
	ev->pub.print_fmt = print_fmt(slot->source.format);
	ev->pub.events = evs;
	if (!ev->pub.print_fmt || fields_build(ev, slot->source.format) < 0)
		goto fail;
	if (printer_choose(evs, ev) < 0)
		goto fail;
	return ev;
fail:
	free_event(evs, ev);
	return NULL;
}

static const struct kt_event *parse_slot(struct kt_events *evs, struct event_slot *slot)
{
	struct event *ev;

	pthread_mutex_lock(&evs->lock);
	ev = atomic_load_explicit(&slot->event, memory_order_relaxed);
	if (!ev) {
		ev = build(evs, slot);
		if (!ev)
			ev = &evs->broken;
		atomic_store_explicit(&slot->event, ev, memory_order_release);
		if (&evs->slots[evs->slot_of[slot->id] - 1] == slot)
			atomic_store_explicit(&evs->by_id[slot->id], ev, memory_order_release);
	}
	pthread_mutex_unlock(&evs->lock);
	return ev == &evs->broken ? NULL : &ev->pub;
}

static const struct kt_event *slot_event(struct kt_events *evs, struct event_slot *slot)
{
	struct event *ev = atomic_load_explicit(&slot->event, memory_order_acquire);

	if (!ev)
		return parse_slot(evs, slot);
	return ev == &evs->broken ? NULL : &ev->pub;
}

const struct kt_event *kt_events_by_id(struct kt_events *evs, unsigned int id)
{
	struct event *ev;

	if (id >= NR_IDS)
		return NULL;
	ev = atomic_load_explicit(&evs->by_id[id], memory_order_acquire);
	if (ev)
		return ev == &evs->broken ? NULL : &ev->pub;
	if (!evs->slot_of[id])
		return NULL;
	return slot_event(evs, &evs->slots[evs->slot_of[id] - 1]);
}

const struct kt_event *kt_events_by_name(struct kt_events *evs, const char *system,
					 const char *name)
{
	size_t len = strlen(name), i;

	for (i = 0; i < events_nr_formats(evs); i++) {
		struct event_slot *slot = &evs->slots[i];

		if (slot->name_len == len && memcmp(slot->name, name, len) == 0 &&
		    (!system || strcmp(slot->source.system, system) == 0))
			return slot_event(evs, slot);
	}
	return NULL;
}

size_t kt_events_nr(struct kt_events *evs)
{
	return evs->nr_slots;
}

const struct kt_event *kt_events_at(struct kt_events *evs, size_t i)
{
	return i < evs->nr_slots ? slot_event(evs, &evs->slots[i]) : NULL;
}
