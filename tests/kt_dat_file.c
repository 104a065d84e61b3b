/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_dat_file.c - lay out a made-up trace.dat, version 6 or 7 */
#include "kt_dat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "kt_dat_priv.h"
#include "kt_test.h"

static const char default_header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:1;\n";

static void put_sized(const struct kt_dat *d, struct str *s, unsigned int size, const char *text)
{
	dat_put(d, s, size, text ? strlen(text) : 0);
	str_add(s, text ? text : "");
}

static void put_headers(const struct kt_dat *d, struct str *s)
{
	char page[512];
	const char *text = d->metas[KT_META_HEADER_PAGE];

	snprintf(page, sizeof(page), default_header_page, d->o.long_size, dat_header_size(d),
		 (int)d->o.page_size - (int)dat_header_size(d));
	dat_put_text(s, "header_page");
	put_sized(d, s, 8, d->o.old_events ? "" : text ? text : page);
	dat_put_text(s, "header_event");
	put_sized(d, s, 8, d->metas[KT_META_HEADER_EVENT]);
}

static void put_formats(const struct kt_dat *d, struct str *s, const char *system)
{
	uint32_t nr = 0;
	size_t i;

	for (i = 0; i < d->nr_events; i++)
		nr += strcmp(d->systems[i], system) == 0;
	dat_put(d, s, 4, nr);
	for (i = 0; i < d->nr_events; i++)
		if (strcmp(d->systems[i], system) == 0)
			put_sized(d, s, 8, d->formats[i]);
}

/* Is it the first event of its system? "ftrace" has a place of its own. */
static bool is_first(const struct kt_dat *d, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (strcmp(d->systems[i], d->systems[j]) == 0)
			return false;
	return strcmp(d->systems[i], "ftrace") != 0;
}

static void put_systems(const struct kt_dat *d, struct str *s)
{
	uint32_t nr = 0;
	size_t i;

	for (i = 0; i < d->nr_events; i++)
		nr += is_first(d, i);
	dat_put(d, s, 4, nr);
	for (i = 0; i < d->nr_events; i++) {
		if (!is_first(d, i))
			continue;
		dat_put_text(s, d->systems[i]);
		put_formats(d, s, d->systems[i]);
	}
}

static void align(struct str *s, uint32_t page_size)
{
	dat_put_zeros(s, (page_size - s->len % page_size) % page_size);
}

static void put_start(const struct kt_dat *d, struct str *s)
{
	str_addn(s, "\x17\x08\x44tracing", 10);
	dat_put_text(s, d->o.version == 6 ? "6" : "7");
	dat_put(d, s, 1, d->o.big_endian);
	dat_put(d, s, 1, d->o.long_size);
	dat_put(d, s, 4, d->o.page_size);
}

/* Version 6 */

static size_t nr_cpus(const struct kt_dat *d)
{
	size_t b, c, nr = d->o.nr_cpus;

	for (b = 0; b < d->nr_buffers; b++)
		for (c = 0; c < d->buffers[b]->nr_cpus; c++)
			if ((size_t)d->buffers[b]->cpus[c].cpu >= nr)
				nr = d->buffers[b]->cpus[c].cpu + 1;
	return nr;
}

static bool has_clock(const struct kt_dat *d)
{
	size_t at = 0;

	while (at + 6 <= d->options.len) {
		if (load_u16(d->options.buf + at, d->swap) == KT_OPTION_TRACECLOCK)
			return true;
		at += 6 + load_u32(d->options.buf + at + 2, d->swap);
	}
	return false;
}

/* The table of CPUs of a buffer; returns its offset, to be filled in later. */
static size_t put_table(const struct kt_dat *d, struct str *s, const struct dat_buffer *b)
{
	struct str clock = STR_INIT;
	size_t at;

	dat_put_text(s, "flyrecord");
	at = s->len;
	dat_put_zeros(s, 16 * nr_cpus(d));
	if (has_clock(d)) {
		str_addf(&clock, "[%s] other", b->clock);
		put_sized(d, s, 8, clock.buf);
	}
	str_fini(&clock);
	return at;
}

static void put_cpu_data(struct kt_dat *d, struct str *s, struct dat_buffer *b, size_t table)
{
	size_t c;

	for (c = 0; c < b->nr_cpus; c++) {
		align(s, b->page_size);
		dat_store(d, s->buf + table + 16 * b->cpus[c].cpu, 8, s->len);
		dat_store(d, s->buf + table + 16 * b->cpus[c].cpu + 8, 8, b->cpus[c].pages.len);
		str_addn(s, b->cpus[c].pages.buf, b->cpus[c].pages.len);
	}
}

static void put_v6(struct kt_dat *d, struct str *s)
{
	size_t b, place[MAX_BUFFERS] = { 0 }, table;

	put_headers(d, s);
	put_formats(d, s, "ftrace");
	put_systems(d, s);
	put_sized(d, s, 4, d->metas[KT_META_KALLSYMS]);
	put_sized(d, s, 4, d->metas[KT_META_PRINTK]);
	put_sized(d, s, 8, d->metas[KT_META_CMDLINES]);
	dat_put(d, s, 4, nr_cpus(d));

	dat_put_text(s, "options  ");
	str_addn(s, d->options.buf, d->options.len);
	for (b = 1; b < d->nr_buffers; b++) {
		dat_put(d, s, 2, KT_OPTION_BUFFER);
		dat_put(d, s, 4, 8 + strlen(d->buffers[b]->name) + 1);
		place[b] = s->len;
		dat_put(d, s, 8, 0);
		dat_put_text(s, d->buffers[b]->name);
	}
	dat_put(d, s, 2, KT_OPTION_DONE);

	if (d->nr_buffers && d->buffers[0]->text) {
		dat_put_text(s, "latency  ");
		str_add(s, d->buffers[0]->text);
		return;
	}
	if (!d->nr_buffers)
		dat_put_text(s, "flyrecord");
	for (b = 0; b < d->nr_buffers; b++) {
		if (b)
			dat_store(d, s->buf + place[b], 8, s->len);
		table = put_table(d, s, d->buffers[b]);
		put_cpu_data(d, s, d->buffers[b], table);
	}
}

/* Version 7 */

static const struct codec *codec(const struct kt_dat *d)
{
	return codec_find(d->o.compression);
}

static void put_packed(const struct kt_dat *d, struct str *s, const void *data, size_t size)
{
	const struct codec *c = codec(d);
	void *ctx = c->compressor(c->default_level);
	size_t room = c->bound(size);
	char *to = malloc(room);
	ssize_t got = c->compress(ctx, to, room, data, size);

	assert_true(got > 0);
	dat_put(d, s, 4, got);
	dat_put(d, s, 4, size);
	str_addn(s, to, got);
	free(to);
	c->compressor_free(ctx);
}

/* Returns the offset of the section header. */
static uint64_t put_section(const struct kt_dat *d, struct str *s, uint16_t id, uint32_t name,
			    const struct str *body, bool packed)
{
	uint64_t at = s->len;

	packed = packed && codec(d);
	dat_put(d, s, 2, id);
	dat_put(d, s, 2, packed);
	dat_put(d, s, 4, name);
	dat_put(d, s, 8, 0);
	if (packed)
		put_packed(d, s, body->buf, body->len);
	else
		str_addn(s, body->buf, body->len);
	dat_store(d, s->buf + at + 8, 8, s->len - at - 16);
	return at;
}

static void put_meta(struct kt_dat *d, struct str *s, uint16_t id, struct str *body)
{
	uint64_t at = put_section(d, s, id, id, body, true);

	kt_dat_option_ints(d, id, 8, &at, 1);
	str_reset(body);
}

static void put_metas(struct kt_dat *d, struct str *s)
{
	static const struct { enum kt_meta which; uint16_t id; unsigned int size; } metas[] = {
		{ KT_META_KALLSYMS, KT_OPTION_KALLSYMS, 4 },
		{ KT_META_PRINTK, KT_OPTION_PRINTK, 4 },
		{ KT_META_CMDLINES, KT_OPTION_CMDLINES, 8 },
		{ KT_META_BTF, KT_OPTION_BTF_FILE, 0 },
		{ KT_META_MODULES, KT_OPTION_MODULES_FILE, 0 },
	};
	struct str body = STR_INIT;
	size_t i;

	put_headers(d, &body);
	put_meta(d, s, KT_OPTION_HEADER_INFO, &body);
	put_formats(d, &body, "ftrace");
	put_meta(d, s, KT_OPTION_FTRACE_EVENTS, &body);
	put_systems(d, &body);
	put_meta(d, s, KT_OPTION_EVENT_FORMATS, &body);
	for (i = 0; i < sizeof(metas) / sizeof(*metas); i++) {
		if (!d->metas[metas[i].which])
			continue;
		if (metas[i].size)
			dat_put(d, &body, metas[i].size, strlen(d->metas[metas[i].which]));
		if (metas[i].which == KT_META_BTF && d->btf_size)
			str_addn(&body, d->metas[KT_META_BTF], d->btf_size);
		else
			str_add(&body, d->metas[metas[i].which]);
		put_meta(d, s, metas[i].id, &body);
	}
	str_fini(&body);
}

/* Write the options collected so far, and store their offset at *@link. */
static void flush_options(struct kt_dat *d, struct str *s, uint64_t *link)
{
	uint64_t at, zero = 0;

	kt_dat_option_ints(d, KT_OPTION_DONE, 8, &zero, 1);
	at = put_section(d, s, KT_OPTION_DONE, KT_OPTION_DONE, &d->options, false);
	dat_store(d, s->buf + *link, 8, at);
	*link = s->len - 8;
	str_reset(&d->options);
}

static void put_chunks(const struct kt_dat *d, struct str *s, const void *data, size_t size,
		       size_t chunk)
{
	dat_put(d, s, 4, (size + chunk - 1) / chunk);
	while (size) {
		size_t n = size < chunk ? size : chunk;

		put_packed(d, s, data, n);
		data = (const char *)data + n;
		size -= n;
	}
}

static void put_data(struct kt_dat *d, struct str *s, struct dat_buffer *b)
{
	struct str empty = STR_INIT;
	struct dat_cpu *c;

	b->section = put_section(d, s, KT_SECTION_DATA, 0, &empty, false);
	dat_store(d, s->buf + b->section + 2, 2, codec(d) != NULL);
	for (c = b->cpus; c < b->cpus + b->nr_cpus; c++) {
		align(s, b->page_size);
		c->offset = s->len;
		if (codec(d))
			put_chunks(d, s, c->pages.buf, c->pages.len,
				   (size_t)b->page_size * d->o.chunk_pages);
		else
			str_addn(s, c->pages.buf, c->pages.len);
		c->size = s->len - c->offset - (d->o.short_sizes ? 4 : 0);
	}
	dat_store(d, s->buf + b->section + 8, 8, s->len - b->section - 16);
}

static void add_buffer_option(struct kt_dat *d, struct dat_buffer *b)
{
	struct str o = STR_INIT;
	struct dat_cpu *c;

	dat_put(d, &o, 8, b->section);
	dat_put_text(&o, b->name);
	dat_put_text(&o, b->clock);
	if (!b->text) {
		dat_put(d, &o, 4, b->page_size);
		dat_put(d, &o, 4, b->nr_cpus);
	}
	for (c = b->cpus; c < b->cpus + b->nr_cpus; c++) {
		dat_put(d, &o, 4, c->cpu);
		dat_put(d, &o, 8, c->offset);
		dat_put(d, &o, 8, c->size);
	}
	kt_dat_option(d, b->text ? KT_OPTION_BUFFER_TEXT : KT_OPTION_BUFFER, o.buf, o.len);
	str_fini(&o);
}

static void put_text_section(struct kt_dat *d, struct str *s, struct dat_buffer *b)
{
	struct str body = STR_INIT;

	if (codec(d))
		put_chunks(d, &body, b->text, strlen(b->text), 1000);
	else
		str_add(&body, b->text);
	b->section = put_section(d, s, KT_OPTION_BUFFER_TEXT, 0, &body, false);
	dat_store(d, s->buf + b->section + 2, 2, codec(d) != NULL);
	str_fini(&body);
}

/* Strings: one character for each id, in two sections, which readers must join */
static void put_strings(struct kt_dat *d, struct str *s)
{
	struct str one = STR_INIT, two = STR_INIT;

	dat_put_text(&one, "data");
	dat_put_zeros(&one, 11);
	dat_put_text(&two, "fghijklmnopqrstuvwxyz");
	put_section(d, s, KT_OPTION_STRINGS, UINT32_MAX, &one, true);
	put_section(d, s, KT_OPTION_STRINGS, UINT32_MAX, &two, true);
	str_fini(&one);
	str_fini(&two);
}

static void put_v7(struct kt_dat *d, struct str *s)
{
	uint64_t link;
	size_t b;

	dat_put_text(s, d->o.compression);
	dat_put_text(s, codec(d) ? codec(d)->version() : "");
	link = s->len;
	dat_put(d, s, 8, 0);
	put_metas(d, s);
	flush_options(d, s, &link);
	for (b = 0; b < d->nr_buffers; b++) {
		if (d->buffers[b]->text)
			put_text_section(d, s, d->buffers[b]);
		else
			put_data(d, s, d->buffers[b]);
		if (d->o.no_buffer_options)
			continue;
		add_buffer_option(d, d->buffers[b]);
		flush_options(d, s, &link);
	}
	if (d->o.no_buffer_options)	/* as if the chain went on beyond the end */
		dat_store(d, s->buf + link, 8, s->len + 4096);
	else
		put_strings(d, s);
}

void *kt_dat_image(struct kt_dat *d, size_t *size)
{
	struct str s = STR_INIT;
	char *image;

	dat_end_page(d);
	put_start(d, &s);
	if (d->o.version == 6)
		put_v6(d, &s);
	else
		put_v7(d, &s);
	*size = s.len;
	image = str_take(&s);
	assert_non_null(image);
	return image;
}

const char *kt_dat_write(struct kt_dat *d, const char *name)
{
	const char *path = kt_tmp(name);
	size_t size;
	void *image = kt_dat_image(d, &size);

	kt_spill(path, image, size);
	free(image);
	return path;
}
