/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_dat.c - generate trace.dat files for tests, in every variant of the format */
#include "kt_dat.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/str.h"
#include "kt_dat_priv.h"
#include "kt_test.h"

struct kt_dat *kt_dat_create(const struct kt_dat_opts *opts)
{
	struct kt_dat *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->o = *opts;
	d->o.version = d->o.version ? d->o.version : 7;
	d->o.long_size = d->o.long_size ? d->o.long_size : 8;
	d->o.page_size = d->o.page_size ? d->o.page_size : 4096;
	d->o.compression = d->o.compression ? d->o.compression : "none";
	d->o.chunk_pages = d->o.chunk_pages ? d->o.chunk_pages : 10;
	d->swap = d->o.big_endian != KT_HOST_BIG;
	d->options = d->record = (struct str)STR_INIT;
	return d;
}

void kt_dat_destroy(struct kt_dat *d)
{
	size_t b, c;

	for (b = 0; b < d->nr_buffers; b++) {
		for (c = 0; c < d->buffers[b]->nr_cpus; c++)
			str_fini(&d->buffers[b]->cpus[c].pages);
		free(d->buffers[b]);
	}
	for (b = 0; b < d->nr_events; b++)
		str_fini(&d->made[b]);
	str_fini(&d->options);
	str_fini(&d->record);
	free(d);
}

void kt_dat_meta(struct kt_dat *d, enum kt_meta which, const char *text)
{
	d->metas[which] = text;
}

void kt_dat_btf(struct kt_dat *d, const void *bytes, size_t size)
{
	d->metas[KT_META_BTF] = bytes;
	d->btf_size = size;
}

void kt_dat_event(struct kt_dat *d, const char *system, const char *format)
{
	assert_true(d->nr_events < MAX_EVENTS);
	d->systems[d->nr_events] = system;
	d->formats[d->nr_events++] = format;
}

void kt_dat_numbers(struct kt_dat *d, const char *system, const char *name, int id,
		    const char *fields)
{
	struct str *format = &d->made[d->nr_events];
	unsigned int offset = 8;
	bool text;
	int size;

	*format = (struct str)STR_INIT;
	str_addf(format, "name: %s\nID: %d\n" KT_COMMON, name, id);
	for (; *fields; offset += 8) {
		size = (int)strcspn(fields, " :");
		text = fields[size] == ':';
		str_addf(format, "\tfield:%s %.*s%s;\toffset:%u;\tsize:8;\tsigned:0;\n",
			 text ? "char" : "unsigned long", size, fields, text ? "[8]" : "", offset);
		fields += size;
		fields += strcspn(fields, " ");
		fields += *fields == ' ';
	}
	str_addf(format, "\nprint fmt: \"x\"\n");
	kt_dat_event(d, system, format->buf);
}

void kt_dat_option(struct kt_dat *d, uint16_t id, const void *data, size_t size)
{
	dat_put(d, &d->options, 2, id);
	dat_put(d, &d->options, 4, size);
	str_addn(&d->options, data, size);
}

void kt_dat_option_ints(struct kt_dat *d, uint16_t id, unsigned int size, const uint64_t *values,
			size_t nr)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < nr; i++)
		dat_put(d, &s, size, values[i]);
	kt_dat_option(d, id, s.buf, s.len);
	str_fini(&s);
}

static struct dat_buffer *add_buffer(struct kt_dat *d, const char *name)
{
	struct dat_buffer *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	assert_true(d->nr_buffers < MAX_BUFFERS);
	d->buffers[d->nr_buffers++] = b;
	b->name = name;
	b->clock = "";
	b->page_size = d->o.page_size;
	return b;
}

void kt_dat_text(struct kt_dat *d, const char *name, const char *text)
{
	dat_end_page(d);
	add_buffer(d, name)->text = text;
}

/* Pages, as the kernel writes them */

void dat_end_page(struct kt_dat *d)
{
	uint32_t page_size = d->nr_buffers ? d->buffers[d->nr_buffers - 1]->page_size : 0;
	size_t used;
	uint64_t commit;

	if (!d->in_page)
		return;
	d->in_page = false;
	used = d->cpu->pages.len - d->page_start;
	commit = used - dat_header_size(d);
	if (d->lost)
		commit |= 1u << 31;
	if (d->lost > 0 && used + d->o.long_size <= page_size) {
		commit |= 1u << 30;
		dat_put(d, &d->cpu->pages, d->o.long_size, d->lost);
	}
	if (d->sign_extend && d->lost)
		commit |= 0xffffffffull << 32;
	d->lost = 0;
	dat_put_zeros(&d->cpu->pages, page_size - (d->cpu->pages.len - d->page_start));
	dat_store(d, d->cpu->pages.buf + d->page_start + 8, d->o.long_size, commit);
}

void kt_dat_buffer(struct kt_dat *d, const char *name, const char *clock, uint32_t page_size)
{
	struct dat_buffer *b;

	dat_end_page(d);
	b = add_buffer(d, name);
	b->clock = clock;
	b->page_size = page_size ? page_size : d->o.page_size;
}

void kt_dat_cpu(struct kt_dat *d, int cpu)
{
	struct dat_buffer *b = d->buffers[d->nr_buffers - 1];

	dat_end_page(d);
	assert_true(b->nr_cpus < MAX_CPUS);
	d->cpu = &b->cpus[b->nr_cpus++];
	d->cpu->cpu = cpu;
	d->cpu->pages = (struct str)STR_INIT;
}

void kt_dat_new_page(struct kt_dat *d, uint64_t ts)
{
	int64_t lost = d->in_page ? 0 : d->lost;

	dat_end_page(d);
	d->lost = lost;
	d->in_page = true;
	d->page_start = d->cpu->pages.len;
	d->ts = ts;
	dat_put(d, &d->cpu->pages, 8, ts);
	dat_put(d, &d->cpu->pages, d->o.long_size, 0);
}

void kt_dat_lost(struct kt_dat *d, int64_t nr)
{
	dat_end_page(d);
	d->lost = nr;
}

void kt_dat_sign_extend(struct kt_dat *d)
{
	d->sign_extend = true;
}

static void put_header(struct kt_dat *d, uint32_t type_len, uint32_t delta)
{
	dat_put(d, &d->cpu->pages, 4,
	    d->o.big_endian ? type_len << 27 | delta : delta << 5 | type_len);
}

/* Make room for @size bytes, with a time extend if needed; returns the delta still to store. */
static uint32_t reach(struct kt_dat *d, uint64_t ts, size_t size)
{
	uint32_t page_size = d->buffers[d->nr_buffers - 1]->page_size;
	uint64_t delta;

	if (!d->in_page || d->cpu->pages.len - d->page_start + size + 8 > page_size || ts < d->ts)
		kt_dat_new_page(d, ts);
	delta = ts - d->ts;
	d->ts = ts;
	if (delta < 1u << 27)
		return delta;
	put_header(d, 30, delta & ((1u << 27) - 1));
	dat_put(d, &d->cpu->pages, 4, delta >> 27);
	return 0;
}

void kt_dat_begin(struct kt_dat *d, uint16_t id, int32_t pid)
{
	str_reset(&d->record);
	dat_put(d, &d->record, 2, id);
	dat_put(d, &d->record, 1, 0);
	dat_put(d, &d->record, 1, 0);
	dat_put(d, &d->record, 4, (uint32_t)pid);
}

void kt_dat_flags(struct kt_dat *d, uint8_t flags, uint8_t preempt_count)
{
	d->record.buf[2] = flags;
	d->record.buf[3] = preempt_count;
}

void kt_dat_int(struct kt_dat *d, unsigned int size, uint64_t value)
{
	dat_put(d, &d->record, size, value);
}

void kt_dat_bytes(struct kt_dat *d, const void *bytes, size_t size)
{
	str_addn(&d->record, bytes, size);
}

void kt_dat_end(struct kt_dat *d, uint64_t ts)
{
	size_t size = d->record.len, words = (size + 3) / 4;
	uint32_t delta = reach(d, ts, size + 12);
	bool is_long = words > 28;

	put_header(d, is_long ? 0 : words, delta);
	if (is_long)
		dat_put(d, &d->cpu->pages, 4, size + 4);
	str_addn(&d->cpu->pages, d->record.buf, size);
	dat_put_zeros(&d->cpu->pages, words * 4 - size);
}

void kt_dat_put(struct kt_dat *d, uint64_t ts, int id, int pid, uint64_t a, uint64_t b, uint64_t c)
{
	kt_dat_begin(d, (uint16_t)id, pid);
	kt_dat_int(d, 8, a);
	kt_dat_int(d, 8, b);
	kt_dat_int(d, 8, c);
	kt_dat_int(d, 8, 120);
	kt_dat_end(d, ts);
}

void kt_dat_discarded(struct kt_dat *d, uint64_t ts, uint32_t words)
{
	put_header(d, 29, reach(d, ts, 4 + 4 * words));
	dat_put(d, &d->cpu->pages, 4, 4 * words);
	dat_put_zeros(&d->cpu->pages, 4 * words - 4);
}

void kt_dat_stamp(struct kt_dat *d, uint64_t ts)
{
	reach(d, d->in_page ? d->ts : ts, 16);
	d->ts = ts;
	put_header(d, 31, ts & ((1u << 27) - 1));
	dat_put(d, &d->cpu->pages, 4, (ts & ((1ull << 59) - 1)) >> 27);
}
