/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* v6.c - the directory of a version 6 file: its parts in a fixed order */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "file/file.h"

#define TABLE_ENTRY 16		/* bytes of a CPU in a table: offset and size */

struct part {
	const char *name;
	uint16_t id;		/* of the corresponding section in v7 */
	int (*take)(struct kt_file *f, struct scan *s);
};

static int take_kallsyms(struct kt_file *f, struct scan *s)
{
	return file_take_meta(f, s, KT_META_KALLSYMS);
}

static int take_printk(struct kt_file *f, struct scan *s)
{
	return file_take_meta(f, s, KT_META_PRINTK);
}

static int take_cmdlines(struct kt_file *f, struct scan *s)
{
	return file_take_meta(f, s, KT_META_CMDLINES);
}

static const struct part parts[] = {
	{ "headers", KT_OPTION_HEADER_INFO, file_take_header_info },
	{ "ftrace event formats", KT_OPTION_FTRACE_EVENTS, file_take_ftrace_events },
	{ "event formats", KT_OPTION_EVENT_FORMATS, file_take_event_systems },
	{ "kallsyms", KT_OPTION_KALLSYMS, take_kallsyms },
	{ "printk formats", KT_OPTION_PRINTK, take_printk },
	{ "saved_cmdlines", KT_OPTION_CMDLINES, take_cmdlines },
};

static uint64_t offset_of(const struct kt_file *f, const struct scan *s)
{
	return s->at - f->map;
}

static int list_section(struct kt_file *f, uint16_t id, uint64_t offset, uint64_t size)
{
	struct section sec = { .pub = { .id = id, .offset = offset, .size = size },
			       .body = offset, .string_id = UINT32_MAX };

	return file_append_section(f, &sec);
}

static int take_parts(struct kt_file *f, struct scan *s)
{
	uint64_t start;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		start = offset_of(f, s);
		ret = parts[i].take(f, s);
		if (ret == -EBADMSG)
			file_damage(f, "%s, at %" PRIu64 ", are truncated or damaged "
				    "(the file ends at %" PRIu64 ")", parts[i].name, start,
				    f->info.size);
		if (ret < 0)
			return ret;
		ret = list_section(f, parts[i].id, start, offset_of(f, s) - start);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* The clock of this buffer: after the CPU table if there is a TRACECLOCK option */
static const char *take_clock(struct kt_file *f, struct scan *s)
{
	uint64_t size = scan_u64(s);
	const char *text = scan_bytes(s, size), *open, *close, *name;

	open = text ? memchr(text, '[', size) : NULL;
	close = open ? memchr(open, ']', text + size - open) : NULL;
	name = close ? file_keep_text(f, open + 1, close - open - 1) : NULL;
	return name ? name : "local";	/* as other readers assume */
}

static int take_table(struct kt_file *f, struct scan *s, const char *name, uint32_t nr_cpus,
		      bool has_clock)
{
	struct buffer *b = file_add_buffer(f, name, "", f->info.page_size);
	uint64_t offset, size;
	uint32_t cpu;

	if (!b)
		return -ENOMEM;
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		offset = scan_u64(s);
		size = scan_u64(s);
		if (s->failed) {
			file_damage(f, "the table of CPUs of buffer '%s' is truncated", name);
			return 0;
		}
		if (size && file_add_cpu(f, b, cpu, offset, size) < 0)
			return -ENOMEM;
		if (size && list_section(f, KT_SECTION_DATA, offset, size) < 0)
			return -ENOMEM;
	}
	if (has_clock)
		b->pub.clock = take_clock(f, s);
	return 0;
}

static int take_latency(struct kt_file *f, struct scan *s)
{
	struct buffer *b = file_add_buffer(f, "", "", f->info.page_size);
	uint64_t at = offset_of(f, s);

	if (!b || list_section(f, KT_OPTION_BUFFER_TEXT, at, s->left) < 0)
		return -ENOMEM;
	b->pub.is_text = true;
	b->text = at;
	return 0;
}

/* If an instance has a different number of CPUs, an option after its BUFFER option says so. */
static uint32_t cpus_of_instance(const struct kt_file *f, size_t option, uint32_t top)
{
	const struct kt_option *next = kt_file_option(f, option + 1);
	uint32_t own = 0;

	if (next && next->id == KT_OPTION_CPUCOUNT && next->raw.size >= 4)
		own = load_u32(next->raw.data, f->swap);
	return own > top ? own : top;
}

/* In a forged file, all instances may share one table: without a limit, entries would multiply. */
static bool claim_entries(struct kt_file *f, uint64_t *claimed, uint32_t nr)
{
	*claimed += nr;
	if (*claimed <= f->info.size / TABLE_ENTRY)
		return true;
	file_damage(f, "its buffers have more CPUs than the file has room for");
	return false;
}

static int take_instances(struct kt_file *f, uint32_t top_cpus, bool has_clock)
{
	uint64_t offset, claimed = top_cpus;
	const struct kt_option *o;
	const char *name;
	struct scan s, table;
	uint32_t nr_cpus;
	size_t i;
	int ret = 0;

	for (i = 0; i < f->nr_options && !ret; i++) {
		o = kt_file_option(f, i);
		if (o->id != KT_OPTION_BUFFER)
			continue;
		s = scan_init(o->raw.data, o->raw.size, f->swap);
		offset = scan_u64(&s);
		name = scan_str(&s);
		table = file_scan(f, offset);
		if (s.failed || !scan_word(&table, "flyrecord")) {
			file_damage(f, "buffer '%s' has no table of CPUs at %" PRIu64,
				    name ? name : "?", offset);
			continue;
		}
		nr_cpus = cpus_of_instance(f, i, top_cpus);
		if (!claim_entries(f, &claimed, nr_cpus))
			break;
		ret = take_table(f, &table, name, nr_cpus, has_clock);
	}
	return ret;
}

static int take_buffers(struct kt_file *f, struct scan *s)
{
	bool has_clock;
	uint32_t nr_cpus = scan_u32(s);
	uint64_t next;
	int ret = 0;

	if (nr_cpus > FILE_MAX_CPU) {
		file_damage(f, "it claims to have %u CPUs", nr_cpus);
		nr_cpus = FILE_MAX_CPU;
	}
	if (nr_cpus > s->left)		/* each takes 16 bytes in the table */
		nr_cpus = s->left;
	f->info.nr_cpus = nr_cpus;
	if (scan_word(s, "options  "))
		ret = file_take_options(f, s, &next);
	if (ret == -EBADMSG)
		file_damage(f, "the options are truncated");
	if (ret < 0)
		return ret;

	has_clock = kt_file_find_option(f, KT_OPTION_TRACECLOCK);
	if (scan_word(s, "latency  ")) {
		ret = take_latency(f, s);
	} else if (scan_word(s, "flyrecord")) {
		ret = take_table(f, s, "", nr_cpus, has_clock);
	} else {
		file_damage(f, "no event data at %" PRIu64 " (the file ends at %" PRIu64 ")",
			    offset_of(f, s), f->info.size);
		return -EBADMSG;
	}
	return ret < 0 ? ret : take_instances(f, nr_cpus, has_clock);
}

/* @s starts after the file header. Damage is noted and is not a failure. */
int file_read_v6(struct kt_file *f, struct scan *s)
{
	int ret = take_parts(f, s);

	if (!ret)
		ret = take_buffers(f, s);
	file_sort_sections(f);
	file_load_header_page(f);
	return ret == -ENOMEM ? ret : 0;
}
