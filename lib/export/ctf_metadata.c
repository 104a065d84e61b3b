/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ctf_metadata.c - the description of a CTF trace, with the names that LTTng gives to events */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/ctf.h"
#include "export/value.h"

/* ---- names ---- */

/*
 * LTTng renames some of the kernel's events, and the analyses of Trace Compass expect these
 * names. Source: lttng-modules 2.13, instrumentation/events.
 */
static const struct { const char *system, *prefix, *as; } event_names[] = {
	{ "irq", "softirq_", "irq_softirq_" },
	{ "irq", "tasklet_", "irq_tasklet_" },
	{ "timer", "hrtimer_", "timer_hrtimer_" },
	{ "timer", "itimer_", "timer_itimer_" },
	{ "power", "cpu_", "power_cpu_" },
	{ "kmem", "kmalloc", "kmem_kmalloc" },
	{ "kmem", "kfree", "kmem_kfree" },
	{ "kmem", "mm_page_", "kmem_mm_page_" },
	{ "syscalls", "sys_enter_", "syscall_entry_" },
	{ "syscalls", "sys_exit_", "syscall_exit_" },
	{ "raw_syscalls", "sys_enter", "syscall_entry_" },
	{ "raw_syscalls", "sys_exit", "syscall_exit_" },
};

/* A pid in ftrace is a thread id. */
static const struct { const char *field, *as; } sched_names[] = {
	{ "pid", "tid" }, { "prev_pid", "prev_tid" }, { "next_pid", "next_tid" },
	{ "parent_pid", "parent_tid" }, { "child_pid", "child_tid" }, { "old_pid", "old_tid" },
};

/* Within quotes */
static void add_text(struct str *s, const char *text)
{
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			str_addf(s, "\\%c", *text);
		else if ((unsigned char)*text >= ' ' && (unsigned char)*text < 0x7f)
			str_addc(s, *text);
		else
			str_addc(s, '?');
}

static void add_event_name(struct str *s, const struct kt_event *ev)
{
	const char *name = ev->name;
	size_t i;

	for (i = 0; i < sizeof(event_names) / sizeof(*event_names); i++)
		if (strcmp(ev->system, event_names[i].system) == 0 &&
		    str_starts(name, event_names[i].prefix)) {
			str_add(s, event_names[i].as);
			name += strlen(event_names[i].prefix);
			break;
		}
	add_text(s, name);
}

/* An identifier with a leading '_', which readers remove: so no name is a keyword */
static void add_field_name(struct str *s, const struct kt_event *ev, const char *name)
{
	size_t i;

	if (strcmp(ev->system, "sched") == 0)
		for (i = 0; i < sizeof(sched_names) / sizeof(*sched_names); i++)
			if (strcmp(name, sched_names[i].field) == 0) {
				name = sched_names[i].as;
				break;
			}
	str_addc(s, '_');
	for (; *name; name++)
		str_addc(s, isalnum((unsigned char)*name) ? *name : '_');
}

/* CTF rejects two fields with one name; a format in a file may have them. */
static void add_unique_name(struct str *s, const struct kt_event *ev, const struct ctf_plan *p,
			    size_t i)
{
	struct str mine = STR_INIT, other = STR_INIT;
	size_t k, same = 0;

	add_field_name(&mine, ev, p->fields[i].field->name);
	for (k = 0; k < i; k++) {
		str_reset(&other);
		add_field_name(&other, ev, p->fields[k].field->name);
		same += strcmp(mine.buf, other.buf) == 0;
	}
	str_add(s, p->fields[i].type == CTF_FUNCTION ? "_function" : mine.buf);
	if (same && p->fields[i].type != CTF_FUNCTION)
		str_addf(s, "_%zu", i);
	s->failed |= mine.failed | other.failed;
	str_fini(&mine);
	str_fini(&other);
}

/* ---- fields ---- */

static bool is_number_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static enum ctf_type type_of(const struct kt_field *f)
{
	if (f->flags & KT_FIELD_STRING)
		return CTF_STRING;
	if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE))
		return is_number_size(f->elem_size) ? CTF_SEQUENCE : CTF_STRING;
	return is_number_size(f->size) ? CTF_INTEGER : CTF_STRING;
}

static void add_integer(struct str *s, const struct kt_field *f, uint32_t size)
{
	str_addf(s, "integer { size = %u; align = 8; signed = %d; base = %d; }", 8 * size,
		 !!(f->flags & KT_FIELD_SIGNED), f->flags & KT_FIELD_POINTER ? 16 : 10);
}

static void add_field(struct str *s, const struct kt_event *ev, const struct ctf_plan *p, size_t i)
{
	const struct kt_field *f = p->fields[i].field;

	str_add(s, "\t\t");
	switch (p->fields[i].type) {
	case CTF_INTEGER:
		add_integer(s, f, f->size);
		str_addc(s, ' ');
		add_unique_name(s, ev, p, i);
		break;
	case CTF_STRING: case CTF_FUNCTION:
		str_add(s, "string { encoding = UTF8; } ");
		add_unique_name(s, ev, p, i);
		break;
	case CTF_SEQUENCE:
		str_addf(s, "integer { size = 32; align = 8; signed = 0; } __length_%zu;\n\t\t", i);
		add_integer(s, f, f->elem_size);
		str_addc(s, ' ');
		add_unique_name(s, ev, p, i);
		str_addf(s, "[__length_%zu]", i);
	}
	str_add(s, ";\n");
}

/* @call: appended to the name: the system call of raw_syscalls, or "" */
static void describe(struct str *s, const struct kt_event *ev, const struct ctf_plan *p,
		     const char *call, unsigned int class)
{
	size_t i;

	str_add(s, "event {\n\tname = \"");
	add_event_name(s, ev);
	add_text(s, call);
	str_addf(s, "\";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n", class);
	for (i = 0; i < p->nr; i++)
		add_field(s, ev, p, i);
	str_add(s, "\t};\n};\n\n");
}

void ctf_describe_call(struct str *metadata, const struct kt_event *ev, const struct ctf_plan *p,
		       uint64_t call, unsigned int class)
{
	const char *name = kt_syscall_name(ev->events, call);
	char number[32];

	snprintf(number, sizeof(number), "unknown_%" PRIu64, call);
	describe(metadata, ev, p, name ? name : number, class);
}

/* The address of the function in events of the function tracers */
static const struct kt_field *function_of(const struct kt_event *ev)
{
	if (strcmp(ev->system, "ftrace") != 0)
		return NULL;
	if (strcmp(ev->name, "function") == 0)
		return kt_event_field(ev, "ip");
	if (str_starts(ev->name, "funcgraph_") || str_starts(ev->name, "fgraph_"))
		return kt_event_field(ev, "func");
	return NULL;
}

struct ctf_plan *ctf_plan_create(const struct kt_event *ev, unsigned int class,
				 struct str *metadata)
{
	const struct kt_field *function = function_of(ev);
	struct ctf_plan *p = calloc(1, sizeof(*p));
	size_t i;

	if (p)
		p->fields = calloc(ev->nr_fields + 1, sizeof(*p->fields));
	if (!p || !p->fields) {
		free(p);
		return NULL;
	}
	p->class = class;
	for (i = 0; i < ev->nr_fields; i++)
		p->fields[p->nr++] = (struct ctf_field){ &ev->fields[i],
							 type_of(&ev->fields[i]) };
	if (function)
		p->fields[p->nr++] = (struct ctf_field){ function, CTF_FUNCTION };
	if (strcmp(ev->system, "raw_syscalls") == 0)
		p->call = kt_event_field(ev, "id");
	if (!p->call)
		describe(metadata, ev, p, "", class);
	return p;
}

void ctf_plan_destroy(struct ctf_plan *p)
{
	if (!p)
		return;
	keymap_fini(&p->calls);
	free(p->fields);
	free(p);
}

/* ---- the trace ---- */

static void add_uuid(struct str *s, const uint8_t uuid[16])
{
	size_t i;

	for (i = 0; i < 16; i++)
		str_addf(s, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

/*
 * Trace Compass expects LTTng's event names if domain and tracer_name say so; from tracer version
 * 2.9 on, the current names.
 */
static void add_environment(struct str *s, struct kt_trace *t)
{
	const struct kt_file_info *info = kt_file_info(kt_trace_file(t, 0));

	str_add(s, "env {\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n"
		   "\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n"
		   "\ttracer_minor = 13;\n\ttracer_patchlevel = 0;\n\ttrace_file = \"");
	add_text(s, str_base_name(info->path));
	str_add(s, "\";\n};\n\n");
}

void ctf_describe_trace(struct str *s, struct kt_trace *t, const uint8_t uuid[16])
{
	bool in_ns = kt_stream_nr_sources(kt_trace_stream(t)) == 0 ||
		     kt_stream_source_in_ns(kt_trace_stream(t), 0);

	str_add(s, "/* CTF 1.8 */\n\n"
		"typealias integer { size = 8; align = 8; signed = 0; } := uint8_t;\n"
		"typealias integer { size = 16; align = 8; signed = 0; } := uint16_t;\n"
		"typealias integer { size = 32; align = 8; signed = 0; } := uint32_t;\n"
		"typealias integer { size = 32; align = 8; signed = 1; } := int32_t;\n"
		"typealias integer { size = 64; align = 8; signed = 0; } := uint64_t;\n\n"
		"trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"");
	add_uuid(s, uuid);
	str_add(s, "\";\n\tbyte_order = le;\n\tpacket.header := struct {\n"
		"\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n"
		"\t\tuint32_t stream_id;\n\t};\n};\n\n");
	add_environment(s, t);
	str_addf(s, "clock {\n\tname = \"monotonic\";\n\tdescription = \"%s\";\n"
		 "\tfreq = 1000000000;\n\toffset = 0;\n};\n\n",
		 in_ns ? "the clock of the trace" : "a counter: its units are not ns");
	str_add(s, "typealias integer { size = 64; align = 8; signed = 0; "
		"map = clock.monotonic.value; } := uint64_clock_t;\n\n"
		"stream {\n\tid = 0;\n\tevent.header := struct {\n"
		"\t\tuint16_t id;\n\t\tuint64_clock_t timestamp;\n\t};\n"
		"\tpacket.context := struct {\n"
		"\t\tuint64_clock_t timestamp_begin;\n\t\tuint64_clock_t timestamp_end;\n"
		"\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
		"\t\tuint64_t packet_seq_num;\n\t\tuint64_t events_discarded;\n"
		"\t\tuint32_t cpu_id;\n\t};\n"
		"\tevent.context := struct {\n\t\tint32_t _tid;\n"
		"\t\tstring { encoding = UTF8; } _procname;\n\t\tuint8_t _flags;\n\t};\n};\n\n");
}
