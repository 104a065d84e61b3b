/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* event.c - information of the text layer about each event */
#include <stdlib.h>
#include <string.h>

#include "base/btf.h"
#include "event/events.h"
#include "printer/kernel_format.h"
#include "printer/raw.h"
#include "text/json_plan.h"
#include "text/text.h"

#define NAME_COLUMNS 20

/* Kernel events with a text of ours, by name and fields; the first match wins. */
static const struct {
	const char *system, *name;
	enum text_kind kind;
	const char *slots[NR_SLOTS + 1];
} kinds[] = {
	{ "ftrace", "function", TEXT_FUNCTION, { "ip", "parent_ip" } },
	{ "ftrace", "funcgraph_entry", TEXT_GRAPH_ENTRY,
	  { "func", "depth", "", "", "", "retaddr" } },
	{ "ftrace", "fgraph_retaddr_entry", TEXT_GRAPH_ENTRY,	/* since Linux 6.13 */
	  { "func", "depth", "", "", "", "retaddr" } },
	{ "ftrace", "funcgraph_exit", TEXT_GRAPH_EXIT,
	  { "func", "depth", "calltime", "rettime", "retval" } },
	{ "ftrace", "kernel_stack", TEXT_STACK, { NULL } },
	{ "ftrace", "user_stack", TEXT_STACK, { NULL } },
	{ "sched", "sched_switch", TEXT_SWITCH, { "next_pid", "next_prio" } },
	{ "sched", "sched_wakeup", TEXT_WAKEUP, { "success" } },
	{ "sched", "sched_wakeup_new", TEXT_WAKEUP, { "success" } },
};

static void set_slot(struct text_slot *s, const struct kt_field *f, bool swap)
{
	if (!f || f->size > 8 || f->offset > UINT16_MAX || f->nr_elems > 1 ||
	    (f->flags & (KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE)))
		return;
	*s = (struct text_slot){ .offset = f->offset, .size = f->size, .swap = swap,
				 .is_signed = f->flags & KT_FIELD_SIGNED };
}

static uint32_t usual_size(enum text_kind kind, const struct text_slot *slots, bool swap)
{
	static const unsigned int needed[] = {
		[TEXT_FUNCTION] = 1 << SLOT_FUNCTION_IP | 1 << SLOT_FUNCTION_PARENT,
		[TEXT_GRAPH_ENTRY] = 1 << SLOT_GRAPH_FUNC,
		[TEXT_GRAPH_EXIT] = 1 << SLOT_GRAPH_FUNC | 1 << SLOT_GRAPH_CALLTIME |
				    1 << SLOT_GRAPH_RETTIME,
		[TEXT_WAKEUP] = 0,
	};
	uint32_t size = 0, i;

	for (i = 0; i < NR_SLOTS; i++) {
		if (!(needed[kind] >> i & 1))
			continue;
		if (swap || slots[i].size != 8)
			return 0;
		size = slots[i].offset + 8u > size ? slots[i].offset + 8u : size;
	}
	return size;
}

static void set_kind(struct text_event *te, const struct kt_event *ev, bool swap)
{
	size_t i, j;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].system, ev->system) || strcmp(kinds[i].name, ev->name))
			continue;
		te->kind = kinds[i].kind;
		for (j = 0; kinds[i].slots[j]; j++)
			if (*kinds[i].slots[j])
				set_slot(&te->slot[j], kt_event_field(ev, kinds[i].slots[j]), swap);
		te->usual_size = usual_size(te->kind, te->slot, swap);
		return;
	}
}

static const struct kt_field *common_field(const struct kt_event *ev, const char *name)
{
	size_t i;

	for (i = 0; i < ev->nr_common; i++)
		if (strcmp(ev->common[i].name, name) == 0)
			return &ev->common[i];
	return NULL;
}

/* Like %-20s, with ": " after the name; the kernel does not pad it */
static char *columns_head(const char *name, const struct kt_text_opts *opts)
{
	size_t width = opts->layout == KT_LAYOUT_KERNEL ? 0 : NAME_COLUMNS + 3;
	struct str s = STR_INIT;

	str_addc(&s, ' ');
	if (opts->escape)
		str_add_escaped(&s, name, strlen(name));
	else
		str_add(&s, name);
	str_addn(&s, ": ", 2);
	while (!s.failed && s.len < width)
		str_addc(&s, ' ');
	return str_take(&s);
}

/* Many print formats end with a newline, which the line already has. */
static char *put_newline(char *to, const struct piece *piece, const struct input *in)
{
	(void)in;
	to = piece_literal(to, piece);
	if (to[-1] != '\n')
		*to++ = '\n';
	return to;
}

static char *put_another_newline(char *to, const struct piece *piece, const struct input *in)
{
	(void)in;
	to = piece_literal(to, piece);
	*to++ = '\n';
	return to;
}

static bool make_line(struct line *l, const struct line *from, piece_fn *end)
{
	size_t i;

	for (i = 0; i < from->nr; i++) {
		str_addn(&l->text, from->pieces[i].literal, from->pieces[i].len);
		if (i + 1 < from->nr)
			line_add(l, from->pieces[i], from->pieces[i].most);
	}
	l->asks = from->asks;
	return line_end(l, end);
}

static bool set_head(struct text_event *te, const char *name, const struct kt_text_opts *opts)
{
	char *room;

	te->head = columns_head(name, opts);
	if (!te->head)
		return false;
	te->head_len = strlen(te->head);
	room = realloc(te->head, te->head_len + TEXT_COPY);
	if (room)
		te->head = room;
	return room;
}

static bool set_texts(struct text_event *te, const struct kt_text_opts *opts)
{
	const struct line *from = te->printer ? te->printer->line : NULL;

	te->line = (struct line)LINE_INIT;
	if (opts->json) {
		/* A latency may follow the text of a switch; the pieces do not include it. */
		bool waited = opts->wakeup && te->kind == TEXT_SWITCH;

		te->json = json_plan_create(to_event(te->ev), waited ? NULL : te->printer,
					    te->usual);
		return te->json;
	}
	if (!set_head(te, te->ev->name, opts))
		return false;
	if (te->render != KT_RENDER_RAW && kernel_format_has_name(to_event(te->ev)))
		te->head_len = strlen(strcpy(te->head, " "));
	te->line_size = from ? te->printer->min_size : UINT32_MAX;
	return !from || make_line(&te->line, from,
				  te->own_newline ? put_another_newline : put_newline);
}

/* The kernel's trace file has an empty line after a print format that ends with a newline. */
static bool has_own_newline(const struct text_event *te, const struct kt_text_opts *opts)
{
	return opts->layout == KT_LAYOUT_KERNEL && te->render != KT_RENDER_RAW && !opts->json &&
	       !opts->escape && strcmp(te->ev->system, "ftrace") != 0;
}

/* The printer, if the text depends only on the record and its format */
static const struct printer *whole_text(const struct kt_text *x, const struct text_event *te)
{
	const struct event *ev = to_event(te->ev);

	switch (te->render) {
	case KT_RENDER_RAW:
		return &raw_printer;
	case KT_RENDER_PLAIN:
		return &ev->plain;
	case KT_RENDER_TEXT:
		break;
	}
	return !x->pretty && (te->kind == TEXT_PLAIN || te->kind == TEXT_SWITCH ||
			      te->kind == TEXT_WAKEUP) ? &ev->text : NULL;
}

static struct text_event *make(const struct kt_text *x, const struct kt_event *ev, bool swap)
{
	struct text_event *te = calloc(1, sizeof(*te));

	if (!te)
		return NULL;
	te->ev = ev;
	te->render = KT_RENDER_TEXT;
	if (x->opts.raw)
		te->render = KT_RENDER_RAW;
	else if (x->opts.render)
		te->render = x->opts.render(x->opts.data, ev);
	set_slot(&te->pid, common_field(ev, "common_pid"), swap);
	set_slot(&te->flags, common_field(ev, "common_flags"), swap);
	set_slot(&te->preempt, common_field(ev, "common_preempt_count"), swap);
	if (x->opts.layout != KT_LAYOUT_3_1)
		te->lazy_depth = common_field(ev, "common_preempt_lazy_count");
	te->usual = !swap && !te->lazy_depth && te->flags.offset == 2 && te->preempt.offset == 3 &&
		    te->pid.offset == 4 && te->flags.size == 1 && te->preempt.size == 1 &&
		    te->pid.size == 4;
	te->migrate_disable = common_field(ev, "common_migrate_disable");
	te->lock_depth = common_field(ev, "common_lock_depth");
	te->more_flags = te->migrate_disable || te->lock_depth || te->lazy_depth;
	set_kind(te, ev, swap);
	if (te->kind == TEXT_GRAPH_ENTRY || te->kind == TEXT_FUNCTION)
		te->args = kt_event_field(ev, "args");
	te->own_newline = has_own_newline(te, &x->opts);
	te->printer = whole_text(x, te);
	te->graph = te->render == KT_RENDER_TEXT && !x->opts.json &&
		    (te->kind == TEXT_GRAPH_ENTRY || te->kind == TEXT_GRAPH_EXIT);
	if (set_texts(te, &x->opts))
		return te;
	text_event_destroy(te);
	return NULL;
}

static const struct kt_btf *types_of(struct kt_text *x, size_t file)
{
	struct kt_blob bytes;

	if (!x->btf[file] &&
	    kt_file_meta(kt_trace_file(x->trace, file), KT_META_BTF, &bytes, NULL) == 0)
		x->btf[file] = btf_parse(bytes.data, bytes.size, NULL);
	return x->btf[file];
}

/* Its common fields have the same places as those of all events. */
struct text_event *text_event_unknown(struct kt_text *x, const struct kt_events *evs)
{
	struct text_event *te = calloc(1, sizeof(*te));

	if (!te)
		return NULL;
	te->kind = TEXT_UNKNOWN;
	te->pid = (struct text_slot){ .offset = evs->pid.offset, .size = evs->pid.size,
				      .swap = evs->swap, .is_signed = true };
	te->flags = (struct text_slot){ .offset = evs->flags.offset, .size = evs->flags.size,
					.swap = evs->swap };
	te->preempt = (struct text_slot){ .offset = evs->preempt.offset, .size = evs->preempt.size,
					  .swap = evs->swap };
	te->next = x->made;
	x->made = te;
	return set_head(te, "[UNKNOWN EVENT]", &x->opts) ? te : NULL;
}

const struct text_event *text_event_make(struct kt_text *x, const struct kt_record *rec)
{
	const struct text_source *src = &x->sources[rec->source];
	const struct kt_event *ev = kt_events_by_id(src->events, rec->type);
	struct text_event *te = NULL;

	if (ev)
		te = make(x, ev, kt_file_info(kt_events_file(src->events))->big_endian !=
				 KT_HOST_BIG);
	if (te && te->args)
		te->btf = types_of(x, src->file);
	if (te) {
		te->next = x->made;
		x->made = te;
	} else {
		te = x->unknown[src->file];
	}
	src->by_type[rec->type] = te;
	return te;
}

/* For common fields of another kernel, or a record that ends before them */
int text_pid_unusual(const struct kt_text *x, const struct kt_record *rec,
		     const struct text_event *te)
{
	uint64_t pid;

	if (slot_get(&te->pid, rec, &pid))
		return pid;
	return kt_record_pid(x->sources[rec->source].events, rec);
}

uint32_t text_flags_unusual(const struct kt_record *rec, const struct text_event *te)
{
	uint64_t flags = 0, depth = 0;

	slot_get(&te->flags, rec, &flags);
	slot_get(&te->preempt, rec, &depth);
	return (flags & 0xff) | (depth & 0xff) << 8;
}

void text_event_destroy(struct text_event *te)
{
	json_plan_destroy(te->json);
	line_fini(&te->line);
	free(te->head);
	free(te);
}
