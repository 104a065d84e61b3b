/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto.c - Perfetto's traces: packets with bundles of ftrace events, as protocol buffers */
#include <stdlib.h>
#include <string.h>

#include "base/keymap.h"
#include "export/export.h"
#include "export/perfetto_events.h"
#include "export/perfetto_numbers.h"
#include "export/proto.h"
#include "export/value.h"

#define BUNDLE (32u << 10)		/* a bundle of this size is written */

struct plan {
	struct perfetto_message message;
	struct str name;		/* of a generic event, as a field */
	struct str *fields;		/* the names of its fields, as fields */
	const struct kt_field *function;	/* of the function tracer: its address */
	bool is_text;			/* a print of any kind */
};

struct perfetto {
	struct str *bundles;		/* by source: the events so far */
	size_t nr_sources;
	struct str packet, event, message, text;
	struct keymap symbols;		/* from addresses to the numbers of their names */
	struct keymap tasks;		/* pids that have events */
	bool begun;			/* a packet was written */
	bool has_names;			/* scheduling events carry the names of tasks */
};

/* ---- packets ---- */

static void put_packet(struct export *x, unsigned int field, const struct str *content)
{
	struct perfetto *p = x->state;

	str_reset(&p->packet);
	proto_message(&p->packet, field, content);
	proto_number(&p->packet, PACKET_SEQUENCE_ID, 1);
	proto_number(&p->packet, PACKET_SEQUENCE_FLAGS,
		     p->begun ? SEQUENCE_NEEDS_STATE : SEQUENCE_CLEARED);
	p->begun = true;
	proto_message(&x->text, TRACE_PACKET, &p->packet);
}

static void begin_bundle(struct str *bundle, const struct kt_source *src)
{
	if (!bundle->len)
		proto_number(bundle, BUNDLE_CPU, src->cpu);
}

static void end_bundle(struct export *x, struct str *bundle)
{
	if (bundle->len)
		put_packet(x, PACKET_BUNDLE, bundle);
	str_reset(bundle);
}

/* ---- symbols: a packet defines their numbers before a bundle uses them ---- */

static uint64_t symbol_number(struct export *x, const struct kt_record *rec, uint64_t address)
{
	struct perfetto *p = x->state;
	struct str one = STR_INIT, all = STR_INIT;
	struct kt_symbol sym;
	uint32_t number = keymap_get(&p->symbols, address);

	if (number != KEYMAP_NONE)
		return number;
	if (kt_symbols_find(kt_trace_record_symbols(x->trace, rec), address, &sym) <= 0)
		return address;
	number = p->symbols.nr + 1;
	x->text.failed |= keymap_put(&p->symbols, address, number) < 0;
	proto_number(&one, STRING_ID, number);
	proto_text(&one, STRING_TEXT, sym.name);
	proto_message(&all, INTERNED_KERNEL_SYMBOL, &one);
	put_packet(x, PACKET_INTERNED_DATA, &all);
	str_fini(&one);
	str_fini(&all);
	return number;
}

/* ---- events ---- */

/* A text field of a message; bytes that are not UTF-8 make the whole message invalid */
static void add_text(struct export *x, struct str *s, unsigned int number, const char *text,
		     size_t len)
{
	struct perfetto *p = x->state;

	str_reset(&p->text);
	value_put_utf8(&p->text, text, len, false);
	proto_message(s, number, &p->text);
}

static void add_value(struct export *x, struct str *s, unsigned int number,
		      const struct export_record *r, const struct kt_field *f)
{
	struct str value = STR_INIT;

	value_put(&value, r->ev->ev, f, r->rec);
	add_text(x, s, number, value.buf, value.len);
	s->failed |= value.failed;
	str_fini(&value);
}

static void add_message(struct export *x, const struct export_record *r)
{
	const struct plan *plan = r->ev->plan;
	struct perfetto *p = x->state;
	uint64_t value;
	size_t i;

	for (i = 0; i < plan->message.nr; i++) {
		const struct kt_field *f = plan->message.fields[i].field;

		if (!f)
			continue;
		if (f->flags & KT_FIELD_STRING)
			add_value(x, &p->message, i + 1, r, f);
		else if (value_number(r->ev->ev, f, r->rec, &value) == 0)
			proto_number(&p->message, i + 1, plan->message.fields[i].is_symbol ?
				     symbol_number(x, r->rec, value) : value);
	}
}

static void add_function(struct export *x, struct str *s, const struct export_record *r,
			 const struct kt_field *f)
{
	struct str field = STR_INIT;
	struct kt_symbol sym;
	uint64_t address;

	if (kt_field_u64(r->ev->ev, f, r->rec, &address) < 0 ||
	    kt_symbols_find(kt_trace_record_symbols(x->trace, r->rec), address, &sym) <= 0)
		return;
	proto_text(&field, FIELD_NAME, "function");
	proto_text(&field, FIELD_TEXT, sym.name);
	proto_message(s, GENERIC_FIELD, &field);
	str_fini(&field);
}

static void add_generic(struct export *x, const struct export_record *r)
{
	const struct plan *plan = r->ev->plan;
	struct perfetto *p = x->state;
	const struct kt_event *ev = r->ev->ev;
	struct str field = STR_INIT;
	uint64_t value;
	size_t i;

	str_addn(&p->message, plan->name.buf, plan->name.len);
	for (i = 0; i < ev->nr_fields; i++) {
		const struct kt_field *f = &ev->fields[i];

		str_reset(&field);
		str_addn(&field, plan->fields[i].buf, plan->fields[i].len);
		if (value_type_of(f) == VALUE_TEXT)
			add_value(x, &field, FIELD_TEXT, r, f);
		else if (value_number(ev, f, r->rec, &value) == 0)
			proto_number(&field, f->flags & KT_FIELD_SIGNED ? FIELD_SIGNED :
				     FIELD_UNSIGNED, value);
		proto_message(&p->message, GENERIC_FIELD, &field);
	}
	if (plan->function)
		add_function(x, &p->message, r, plan->function);
	str_fini(&field);
}

static int add_print(struct export *x, const struct export_record *r, struct kt_err *err)
{
	const struct kt_field *ip = kt_event_field(r->ev->ev, "ip");
	struct perfetto *p = x->state;
	struct kt_blob text;
	uint64_t address;
	int ret = export_info(x, r->rec, &text, err);

	if (ret < 0)
		return ret;
	if (ip && kt_field_u64(r->ev->ev, ip, r->rec, &address) == 0)
		proto_number(&p->message, PRINT_IP, address);
	add_text(x, &p->message, PRINT_TEXT, text.data, text.size);
	return 0;
}

static int event(struct export *x, const struct export_record *r, struct kt_err *err)
{
	const struct plan *plan = r->ev->plan;
	struct perfetto *p = x->state;
	struct str *bundle = &p->bundles[r->rec->source];
	int ret = 0;

	str_reset(&p->message);
	str_reset(&p->event);
	if (plan->is_text)
		ret = add_print(x, r, err);
	else if (plan->message.number == PERFETTO_GENERIC)
		add_generic(x, r);
	else
		add_message(x, r);
	if (!p->has_names && r->pid > 0 && keymap_get(&p->tasks, r->pid) == KEYMAP_NONE)
		p->message.failed |= keymap_put(&p->tasks, r->pid, r->ev->file) < 0;
	proto_number(&p->event, EVENT_TIMESTAMP, r->rec->ts);
	proto_number(&p->event, EVENT_PID, (uint32_t)r->pid);
	proto_message(&p->event, plan->is_text ? PERFETTO_PRINT : plan->message.number,
		      &p->message);
	begin_bundle(bundle, r->src);
	proto_message(bundle, BUNDLE_EVENT, &p->event);
	if (bundle->failed)
		return kt_err_no_memory(err);
	if (ret == 0 && bundle->len >= BUNDLE)
		end_bundle(x, bundle);
	return ret;
}

static int lost(struct export *x, const struct kt_record *rec, struct kt_err *err)
{
	struct perfetto *p = x->state;
	struct str *bundle = &p->bundles[rec->source];

	(void)err;
	end_bundle(x, bundle);
	begin_bundle(bundle, kt_trace_source(x->trace, rec));
	proto_number(bundle, BUNDLE_LOST, 1);
	return 0;
}

/* ---- plans ---- */

static int plan_generic(struct plan *p, const struct kt_event *ev, struct kt_err *err)
{
	bool failed;
	size_t i;

	p->fields = calloc(ev->nr_fields + 1, sizeof(*p->fields));
	if (!p->fields)
		return kt_err_no_memory(err);
	proto_text(&p->name, GENERIC_NAME, ev->name);
	failed = p->name.failed;
	for (i = 0; i < ev->nr_fields; i++) {
		p->fields[i] = (struct str)STR_INIT;
		proto_text(&p->fields[i], FIELD_NAME, ev->fields[i].name);
		failed |= p->fields[i].failed;
	}
	if (strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, "function") == 0)
		p->function = kt_event_field(ev, "ip");
	return failed ? kt_err_no_memory(err) : 0;
}

static int plan(struct export *x, struct export_event *ev, struct kt_err *err)
{
	struct perfetto *state = x->state;
	struct plan *p = calloc(1, sizeof(*p));
	const char *name = ev->ev->name;

	if (!p)
		return kt_err_no_memory(err);
	ev->plan = p;
	p->name = (struct str)STR_INIT;
	state->has_names |= strcmp(ev->ev->system, "sched") == 0 &&
			    strcmp(name, "sched_switch") == 0;
	p->is_text = strcmp(ev->ev->system, "ftrace") == 0 &&
		     (strcmp(name, "print") == 0 || strcmp(name, "bprint") == 0 ||
		      strcmp(name, "bputs") == 0);
	if (p->is_text || perfetto_find_message(ev->ev, &p->message))
		return 0;
	return plan_generic(p, ev->ev, err);
}

static void no_plan(struct export_event *ev)
{
	struct plan *p = ev->plan;
	size_t i;

	if (!p)
		return;
	for (i = 0; p->fields && i < ev->ev->nr_fields; i++)
		str_fini(&p->fields[i]);
	free(p->fields);
	str_fini(&p->name);
	free(p);
}

/* ---- the trace ---- */

/* "Linux HOST RELEASE MACHINE" determines the names of system calls */
static void put_system(struct export *x)
{
	const struct kt_option *o = kt_file_find_option(kt_trace_file(x->trace, 0),
							KT_OPTION_UNAME);
	struct kt_names words = { 0 };
	struct str uname = STR_INIT, info = STR_INIT, text = STR_INIT;

	if (o)
		value_put_utf8(&text, (const char *)o->raw.data,
			       strnlen((const char *)o->raw.data, o->raw.size), false);
	if (!text.failed && kt_names_add_words(&words, text.buf, " \n") == 0 && words.nr >= 3) {
		proto_text(&uname, UTSNAME_SYSNAME, words.names[0]);
		proto_text(&uname, UTSNAME_RELEASE, words.names[words.nr - 2]);
		proto_text(&uname, UTSNAME_MACHINE, words.names[words.nr - 1]);
		proto_message(&info, SYSTEM_UTSNAME, &uname);
		put_packet(x, PACKET_SYSTEM_INFO, &info);
	}
	kt_names_fini(&words);
	str_fini(&uname);
	str_fini(&info);
	str_fini(&text);
}

static void add_task(struct export *x, struct str *tree, int pid, const char *comm)
{
	struct str one = STR_INIT;

	proto_number(&one, PROCESS_PID, pid);
	add_text(x, &one, PROCESS_CMDLINE, comm, strlen(comm));
	proto_message(tree, TREE_PROCESS, &one);
	str_reset(&one);
	proto_number(&one, THREAD_TID, pid);
	add_text(x, &one, THREAD_NAME, comm, strlen(comm));
	proto_number(&one, THREAD_TGID, pid);
	proto_message(tree, TREE_THREAD, &one);
	str_fini(&one);
}

/*
 * Only scheduling events carry names of tasks; without them this packet does. A recording does
 * not say which threads form a process: each is shown as a process of its own.
 */
static void put_tasks(struct export *x)
{
	struct perfetto *p = x->state;
	struct str tree = STR_INIT;
	size_t i;

	for (i = 0; !p->has_names && i < p->tasks.nr_slots; i++)
		if (p->tasks.slots[i].taken)
			add_task(x, &tree, (int)p->tasks.slots[i].key,
				 export_comm(x, p->tasks.slots[i].value,
					     (int)p->tasks.slots[i].key));
	if (tree.len)
		put_packet(x, PACKET_PROCESS_TREE, &tree);
	str_fini(&tree);
}

static int begin(struct export *x, struct kt_err *err)
{
	struct perfetto *p = x->state;
	size_t i;

	p->packet = p->event = p->message = p->text = (struct str)STR_INIT;
	p->nr_sources = kt_stream_nr_sources(kt_trace_stream(x->trace));
	p->bundles = calloc(p->nr_sources + 1, sizeof(*p->bundles));
	if (!p->bundles)
		return kt_err_no_memory(err);
	for (i = 0; i < p->nr_sources; i++)
		p->bundles[i] = (struct str)STR_INIT;
	put_system(x);
	return 0;
}

static int end(struct export *x, struct kt_err *err)
{
	struct perfetto *p = x->state;
	size_t i;

	(void)err;
	for (i = 0; i < p->nr_sources; i++)
		end_bundle(x, &p->bundles[i]);
	put_tasks(x);
	return 0;
}

static void fini(struct export *x)
{
	struct perfetto *p = x->state;
	size_t i;

	if (!p->bundles)
		return;
	for (i = 0; i < p->nr_sources; i++)
		str_fini(&p->bundles[i]);
	free(p->bundles);
	str_fini(&p->packet);
	str_fini(&p->event);
	str_fini(&p->message);
	str_fini(&p->text);
	keymap_fini(&p->symbols);
	keymap_fini(&p->tasks);
}

const struct export_format export_perfetto = {
	.is = { "perfetto", "a protobuf trace with ftrace events: ui.perfetto.dev", ".pftrace",
		KT_EXPORT_BINARY | KT_EXPORT_PACKED },
	.state_size = sizeof(struct perfetto),
	.begin = begin, .plan = plan, .event = event, .lost = lost, .end = end,
	.no_plan = no_plan, .fini = fini,
};
