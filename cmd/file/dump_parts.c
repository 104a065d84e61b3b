/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump_parts.c - options, buffers and texts of a trace file, in the layout of trace-cmd */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "dump.h"

static const char *const option_names[] = {
	[KT_OPTION_DONE] = "DONE", [KT_OPTION_DATE] = "DATE", [KT_OPTION_CPUSTAT] = "CPUSTAT",
	[KT_OPTION_BUFFER] = "BUFFER", [KT_OPTION_TRACECLOCK] = "TRACECLOCK",
	[KT_OPTION_UNAME] = "UNAME", [KT_OPTION_HOOK] = "HOOK", [KT_OPTION_OFFSET] = "OFFSET",
	[KT_OPTION_CPUCOUNT] = "CPUCOUNT", [KT_OPTION_VERSION] = "VERSION",
	[KT_OPTION_PROCMAPS] = "PROCMAPS", [KT_OPTION_TRACEID] = "TRACEID",
	[KT_OPTION_TIME_SHIFT] = "TIME_SHIFT", [KT_OPTION_GUEST] = "GUEST",
	[KT_OPTION_TSC2NSEC] = "TSC2NSEC", [KT_OPTION_HEADER_INFO] = "HEADERS",
	[KT_OPTION_FTRACE_EVENTS] = "FTRACE EVENTS", [KT_OPTION_EVENT_FORMATS] = "EVENT FORMATS",
	[KT_OPTION_KALLSYMS] = "KALLSYMS", [KT_OPTION_PRINTK] = "PRINTK",
	[KT_OPTION_CMDLINES] = "CMDLINES", [KT_OPTION_BUFFER_TEXT] = "BUFFER_TEXT",
	[KT_OPTION_BTF_FILE] = "BTF FILE", [KT_OPTION_LAST_BOOT_INFO] = "LAST BOOT INFO",
	[KT_OPTION_MODULES_FILE] = "MODULES FILE",
};

#define NR_OPTION_NAMES (sizeof(option_names) / sizeof(option_names[0]))

struct option {
	uint16_t id;
	uint32_t size;
	const char *data;
	bool swap;
};

/* Names and texts of options should end with a NUL, but it may be missing. */
static void print_text(const char *data, size_t size)
{
	dump_text(data, strnlen(data, size));
}

static bool points_to_section(uint16_t id)
{
	return (id >= KT_OPTION_HEADER_INFO && id <= KT_OPTION_CMDLINES) ||
	       id == KT_OPTION_BTF_FILE || id == KT_OPTION_MODULES_FILE;
}

static void print_option_head(const struct option *o)
{
	if (o->id == KT_OPTION_INDEX)
		printf("\t\t[Option INDEX of ktrail, %u bytes]", o->size);
	else if (o->id == KT_OPTION_CAPTURE)
		printf("\t\t[Option CAPTURE of ktrail, %u bytes]", o->size);
	else if (o->id < NR_OPTION_NAMES && option_names[o->id])
		printf("\t\t[Option %s, %u bytes]", option_names[o->id], o->size);
	else
		printf("\t\t[Option %u (unknown), %u bytes]", o->id, o->size);
	if (points_to_section(o->id) && o->size >= 8)
		printf(" @ %" PRIu64, load_u64(o->data, o->swap));
	putchar('\n');
}

static int64_t number_at(const struct option *o, uint64_t at)
{
	return at + 8 <= o->size ? (int64_t)load_u64(o->data + at, o->swap) : 0;
}

/* For one CPU: what to add to its times, and from which time on. @fractions: their offset */
static void print_shifts(const struct option *o, uint64_t at, uint32_t nr, uint64_t fractions)
{
	uint64_t i, column = 8 * (uint64_t)nr;

	for (i = 0; i < column && at + 2 * column + i + 8 <= o->size; i += 8)
		printf("\t%" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64
		       " [offset * scaling >> fraction @ time]\n",
		       number_at(o, at + column + i), number_at(o, at + 2 * column + i),
		       number_at(o, fractions + i), (uint64_t)number_at(o, at + i));
}

/*
 * TIME_SHIFT: for each CPU a number n, n times, offsets and scalings; after the last CPU the
 * fractions of all. @print false: only find where the fractions begin
 */
static uint64_t walk_shifts(const struct option *o, uint64_t fractions, bool print)
{
	uint32_t nr_cpus = load_u32(o->data + 12, o->swap), cpu, nr;
	uint64_t at = 16;

	for (cpu = 0; cpu < nr_cpus && at + 4 <= o->size; cpu++) {
		nr = load_u32(o->data + at, o->swap);
		if (print) {
			printf("%u [samples count for CPU %u]\n", nr, cpu);
			print_shifts(o, at + 4, nr, fractions);
		}
		at += 4 + 24 * (uint64_t)nr;
		fractions += 8 * (uint64_t)nr;
	}
	return at;
}

static void print_time_shift(const struct option *o)
{
	if (o->size < 16)
		return;
	printf("0x%" PRIX64 " [peer's trace id]\n", load_u64(o->data, o->swap));
	printf("0x%X [peer's protocol flags]\n", load_u32(o->data + 8, o->swap));
	printf("0x%X [peer's CPU count]\n", load_u32(o->data + 12, o->swap));
	walk_shifts(o, walk_shifts(o, 0, false), true);
}

/* GUEST: a name, the guest's trace id, and the host thread of each of its CPUs */
static void print_guest(const struct option *o)
{
	size_t len = strnlen(o->data, o->size), at = len + 1;
	uint32_t nr, cpu;

	print_text(o->data, len);
	printf(" [Guest name]\n");
	if (o->size < at + 12)
		return;
	printf("0x%" PRIX64 " [trace id]\n", load_u64(o->data + at, o->swap));
	nr = load_u32(o->data + at + 8, o->swap);
	printf("%u [Guest CPUs]\n", nr);
	for (at += 12, cpu = 0; cpu < nr && at + 8 <= o->size; at += 8, cpu++)
		printf("  %u %d [guest cpu, host pid]\n", load_u32(o->data + at, o->swap),
		       (int)load_u32(o->data + at + 4, o->swap));
}

static void print_option(const struct option *o)
{
	print_option_head(o);
	if (points_to_section(o->id))
		return;
	switch (o->id) {
	case KT_OPTION_CPUCOUNT:
		if (o->size >= 4)
			printf("%u\n", load_u32(o->data, o->swap));
		return;
	case KT_OPTION_TRACEID:
		if (o->size >= 8)
			printf("0x%" PRIX64 "\n", load_u64(o->data, o->swap));
		return;
	case KT_OPTION_DONE:
		if (o->size >= 8)
			printf("%" PRIu64 "\n", load_u64(o->data, o->swap));
		return;
	case KT_OPTION_TSC2NSEC:
		if (o->size >= 16)
			printf("%u %u %" PRIu64 " [multiplier, shift, offset]\n",
			       load_u32(o->data, o->swap), load_u32(o->data + 4, o->swap),
			       load_u64(o->data + 8, o->swap));
		return;
	case KT_OPTION_TIME_SHIFT:
		print_time_shift(o);
		return;
	case KT_OPTION_GUEST:
		print_guest(o);
		return;
	}
	if (o->id >= NR_OPTION_NAMES || !option_names[o->id])
		return;
	print_text(o->data, o->size);
	putchar('\n');
}

static void print_index(struct kt_file *f)
{
	struct kt_file_index index;

	if (kt_file_index(f, &index) == 0)
		printf("%" PRIu64 " chunks, the content of %" PRIu64 " is known\n",
		       index.nr_chunks, index.nr_known);
}

/* BUFFER of version 7 stands for its data; @a->summary: on one line */
static void print_buffer(const struct dump_args *a, struct kt_file *f, const struct option *o,
			 const struct kt_buffer *b)
{
	uint64_t offset = o->size >= 8 ? load_u64(o->data, o->swap) : 0, total = 0;
	size_t i;

	if (a->options || a->flyrecord) {
		if (a->flyrecord)
			dump_section_line(f, offset);
		print_option_head(o);
		printf("%" PRIu64 " [offset]\n\"", offset);
		print_text(b->name, strlen(b->name));
		printf("\" [name]\n");
		if (kt_file_info(f)->version > 6) {
			printf("\"");
			print_text(b->clock, strlen(b->clock));
			printf("\" [clock]\n%u [Page size, bytes]\n%zu [CPUs]:\n", b->page_size,
			       b->nr_cpus);
			for (i = 0; i < b->nr_cpus; i++)
				printf("   %d %" PRIu64 "\t%" PRIu64
				       "\t[id, data offset and size]\n",
				       b->cpus[i].cpu, b->cpus[i].offset, b->cpus[i].size);
		}
	}
	for (i = 0; i < b->nr_cpus; i++)
		total += b->cpus[i].size;
	if (a->summary && kt_file_info(f)->version > 6) {
		printf("\t[buffer \"");
		print_text(b->name, strlen(b->name));
		printf("\", \"");
		print_text(b->clock, strlen(b->clock));
		printf("\" clock, %u page size, %zu cpus, %" PRIu64 " bytes flyrecord data]\n",
		       b->page_size, b->nr_cpus, total);
	}
}

/* The name of the buffer that a BUFFER option describes */
static const struct kt_buffer *find_buffer(struct kt_file *f, const struct option *o)
{
	const char *name = o->size > 8 ? o->data + 8 : "";
	size_t i, len = o->size > 8 ? strnlen(name, o->size - 8) : 0;
	const struct kt_buffer *b;

	for (i = 0; (b = kt_file_buffer(f, i)); i++)
		if (strlen(b->name) == len && memcmp(b->name, name, len) == 0)
			return b;
	return NULL;
}

static void take_option(const struct dump_args *a, struct kt_file *f, const struct option *o)
{
	const struct kt_buffer *b = o->id == KT_OPTION_BUFFER ? find_buffer(f, o) : NULL;

	if (b)
		print_buffer(a, f, o, b);
	else if (a->options)
		print_option(o);
	if (a->options && o->id == KT_OPTION_INDEX)
		print_index(f);
	if (a->clock && o->id == KT_OPTION_TRACECLOCK && !a->options) {
		print_text(o->data, o->size);
		putchar('\n');
	}
}

/* Returns their number. */
static size_t take_section(const struct dump_args *a, struct kt_file *f, size_t i)
{
	bool swap = kt_file_info(f)->big_endian != KT_HOST_BIG;
	struct kt_blob blob;
	struct option o;
	size_t at = 0, nr = 0;

	if (kt_file_section_data(f, i, &blob, NULL) < 0)
		return 0;
	if (a->options)
		dump_section_line(f, kt_file_section(f, i)->offset);
	while (blob.size - at >= 6) {
		o = (struct option){ .id = load_u16(blob.data + at, swap),
				     .size = load_u32(blob.data + at + 2, swap),
				     .data = blob.data + at + 6, .swap = swap };
		at += 6;
		if (o.size > blob.size - at)
			break;
		at += o.size;
		nr++;
		take_option(a, f, &o);
		if (o.id == KT_OPTION_DONE)
			break;
	}
	return nr;
}

static void dump_v6_tables(const struct dump_args *a, struct kt_file *f)
{
	const struct kt_buffer *b;
	size_t i, c;

	for (i = 0; (b = kt_file_buffer(f, i)); i++) {
		if (a->summary || a->flyrecord)
			printf("\t[Flyrecord tracing data]\n");
		for (c = 0; a->flyrecord && c < b->nr_cpus; c++)
			printf("\t %10" PRIu64 " %10" PRIu64 "\t[offset, size of cpu %d]\n",
			       b->cpus[c].offset, b->cpus[c].size, b->cpus[c].cpu);
		if ((a->summary || a->clock) && kt_file_find_option(f, KT_OPTION_TRACECLOCK)) {
			printf("\t[Tracing clock]\n\t\t[");
			print_text(b->clock, strlen(b->clock));
			printf("]\n");
		}
	}
}

static void dump_v6_options(const struct dump_args *a, struct kt_file *f)
{
	bool swap = kt_file_info(f)->big_endian != KT_HOST_BIG;
	const struct kt_option *ko;
	struct option o;
	size_t i;

	if (a->summary)
		printf("\t%d [CPUs with tracing data]\n", kt_file_info(f)->nr_cpus);
	for (i = 0; (ko = kt_file_option(f, i)); i++) {
		o = (struct option){ .id = ko->id, .size = (uint32_t)ko->raw.size,
				     .data = ko->raw.data, .swap = swap };
		take_option(a, f, &o);
	}
	if (a->options || a->summary)
		printf("\t[%zu options]\n", i);
	dump_v6_tables(a, f);
}

void dump_options(const struct dump_args *a, struct kt_file *f)
{
	const struct kt_section *s;
	size_t i, nr = 0, sections = 0;

	if (kt_file_info(f)->version < 7) {
		dump_v6_options(a, f);
		return;
	}
	for (i = 0; (s = kt_file_section(f, i)); i++) {
		if (s->id != KT_OPTION_DONE)
			continue;
		if (a->options && sections++)
			printf("\n\n");
		nr += take_section(a, f, i);
	}
	if (a->options || a->summary)
		printf("\t[%zu options]\n", nr);
}

static void print_text_meta(struct kt_file *f, enum kt_meta which, const char *what, bool summary,
			    bool content)
{
	struct kt_blob blob;

	if ((!summary && !content) || kt_file_meta(f, which, &blob, NULL) < 0)
		return;
	printf("\t[%s, %zu bytes]\n", what, blob.size);
	if (content) {
		dump_text(blob.data, blob.size);
		putchar('\n');
	}
}

static void section_of(struct kt_file *f, uint16_t id, bool wanted)
{
	const struct kt_section *s;
	size_t i;

	for (i = 0; wanted && (s = kt_file_section(f, i)); i++)
		if (s->id == id) {
			dump_section_line(f, s->offset);
			return;
		}
}

static bool is_ftrace(const struct kt_event_source *e)
{
	return strcmp(e->system, "ftrace") == 0;
}

static void print_format(const struct kt_event_source *e)
{
	dump_text(e->format.data, e->format.size);
	putchar('\n');
}

static void dump_ftrace(const struct dump_args *a, struct kt_file *f)
{
	size_t i, nr = 0, total = kt_file_nr_events(f);

	for (i = 0; i < total; i++)
		nr += is_ftrace(kt_file_event(f, i));
	section_of(f, KT_OPTION_FTRACE_EVENTS, a->ftrace_events);
	if (a->summary || a->ftrace_events)
		printf("\t[Ftrace format, %zu events]\n", nr);
	for (i = 0; a->ftrace_events && i < total; i++)
		if (is_ftrace(kt_file_event(f, i)))
			print_format(kt_file_event(f, i));
}

/* The file lists events by system: the first event after @i that belongs to another system */
static size_t next_system(struct kt_file *f, size_t i)
{
	const char *system = kt_file_event(f, i)->system;
	size_t total = kt_file_nr_events(f);

	while (i < total && strcmp(kt_file_event(f, i)->system, system) == 0)
		i++;
	return i;
}

static void dump_systems(const struct dump_args *a, struct kt_file *f)
{
	size_t i, e, next, nr = 0, total = kt_file_nr_events(f);

	for (i = 0; i < total; i = next_system(f, i))
		nr += !is_ftrace(kt_file_event(f, i));
	section_of(f, KT_OPTION_EVENT_FORMATS, a->systems || a->events);
	if (a->summary || a->systems || a->events)
		printf("\t[Events format, %zu systems]\n", nr);
	for (i = 0; (a->systems || a->events) && i < total; i = next) {
		next = next_system(f, i);
		if (is_ftrace(kt_file_event(f, i)))
			continue;
		if (a->systems) {
			printf("\t\t");
			dump_text(kt_file_event(f, i)->system, strlen(kt_file_event(f, i)->system));
			printf(" %zu [system, events]\n", next - i);
		}
		for (e = i; a->events && e < next; e++)
			print_format(kt_file_event(f, e));
	}
}

static void dump_heads(const struct dump_args *a, struct kt_file *f)
{
	section_of(f, KT_OPTION_HEADER_INFO, a->head_page || a->head_event);
	print_text_meta(f, KT_META_HEADER_PAGE, "Header page", a->summary, a->head_page);
	print_text_meta(f, KT_META_HEADER_EVENT, "Header event", a->summary, a->head_event);
}

/* As in trace-cmd, version 7 is shown from the end, version 6 in the order of the file. */
void dump_metas(const struct dump_args *a, struct kt_file *f)
{
	const struct {
		uint16_t id;
		enum kt_meta which;
		const char *what;
		bool content;
	} texts[] = {
		{ KT_OPTION_MODULES_FILE, KT_META_MODULES, "Modules", a->modules },
		{ KT_OPTION_CMDLINES, KT_META_CMDLINES, "Saved command lines", a->cmd_lines },
		{ KT_OPTION_PRINTK, KT_META_PRINTK, "Trace printk", a->printk },
		{ KT_OPTION_KALLSYMS, KT_META_KALLSYMS, "Kallsyms", a->kallsyms },
	};
	const size_t nr = sizeof(texts) / sizeof(texts[0]);
	bool v7 = kt_file_info(f)->version > 6;
	size_t i, t;

	if (!v7) {
		dump_heads(a, f);
		dump_ftrace(a, f);
		dump_systems(a, f);
	}
	for (i = 0; i < nr; i++) {
		t = v7 ? i : nr - 1 - i;
		section_of(f, texts[t].id, texts[t].content);
		print_text_meta(f, texts[t].which, texts[t].what, a->summary, texts[t].content);
	}
	if (v7) {
		dump_systems(a, f);
		dump_ftrace(a, f);
		dump_heads(a, f);
	}
}
