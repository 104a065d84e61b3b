/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* v6.c - version 6: everything in a fixed order, the tables of CPUs before the data */
#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "write/write.h"

#define TABLE_ENTRY 16		/* u64 offset, u64 size */

static int header(struct kt_writer *w, struct kt_err *err)
{
	(void)w;
	(void)err;
	return 0;
}

static int meta(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		enum writer_how how, struct kt_err *err)
{
	struct str *s;

	if (how == WRITER_STORED)
		return kt_err_set(err, -EINVAL, "version 6 compresses no sections");
	if (id < FIRST_META || id >= FIRST_META + NR_METAS)
		return kt_err_set(err, -ENOTSUP, "version 6 has no place for section %u", id);
	if (w->fixed_done)
		return kt_err_set(err, -EINVAL, "version 6 takes no metadata after the data");
	s = &w->metas[id - FIRST_META];
	str_reset(s);
	str_addn(s, data, size);
	return s->failed ? kt_err_no_memory(err) : 0;
}

static int retract(struct kt_writer *w, uint16_t id, struct kt_err *err)
{
	(void)err;
	if (id >= FIRST_META && id < FIRST_META + NR_METAS)
		str_reset(&w->metas[id - FIRST_META]);
	return 0;
}

/* What replaces a missing text: sizes and counts of 0 */
static const struct {
	const char *data;
	size_t size;
} empty[NR_METAS] = {
	{ "header_page\0\0\0\0\0\0\0\0\0header_event\0\0\0\0\0\0\0\0", 12 + 8 + 13 + 8 },
	{ "\0\0\0\0", 4 },			/* ftrace formats */
	{ "\0\0\0\0", 4 },			/* event formats */
	{ "\0\0\0\0", 4 },			/* kallsyms */
	{ "\0\0\0\0", 4 },			/* printk */
	{ "\0\0\0\0\0\0\0\0", 8 },		/* cmdlines */
};

static struct writer_buffer *top_buffer(struct kt_writer *w)
{
	size_t i;

	for (i = 0; i < w->nr_buffers; i++)
		if (!w->buffers[i].name[0])
			return &w->buffers[i];
	return NULL;
}

/* Old readers use the top-level count for all buffers, so it is the highest */
static uint32_t max_cpus(const struct kt_writer *w)
{
	uint32_t max = 1;
	size_t i;

	if (w->cpu_count > max)
		max = w->cpu_count;
	for (i = 0; i < w->nr_buffers; i++)
		if (w->buffers[i].nr_cpus > max)
			max = w->buffers[i].nr_cpus;
	return max;
}

/* Tag, table of zeros to be filled in later, clock */
static void put_table(struct kt_writer *w, struct str *s, const char *clock)
{
	uint32_t i, nr = max_cpus(w);

	str_addn(s, "flyrecord", 10);
	for (i = 0; i < nr; i++) {
		writer_put_u64(w, s, 0);
		writer_put_u64(w, s, 0);
	}
	if (w->has_clock) {
		writer_put_u64(w, s, strlen(clock) + 2);
		str_addf(s, "[%s]", clock);
	}
}

static void put_metas(struct kt_writer *w, struct str *s)
{
	size_t i;

	for (i = 0; i < NR_METAS; i++)
		if (w->metas[i].len)
			str_addn(s, w->metas[i].buf, w->metas[i].len);
		else
			str_addn(s, empty[i].data, empty[i].size);
}

/* After a TRACECLOCK option, readers expect a CPU table and a clock: a latency text has neither. */
static void add_options(struct kt_writer *w, struct str *s, bool clock)
{
	size_t at, len;

	for (at = 0; at < w->options.len; at += len) {
		len = 6 + load_u32(w->options.buf + at + 2, w->swap);
		if (clock || load_u16(w->options.buf + at, w->swap) != KT_OPTION_TRACECLOCK)
			str_addn(s, w->options.buf + at, len);
	}
}

/* All options, then one for each buffer that has no place in the fixed part */
static void put_options(struct kt_writer *w, struct str *s, bool is_text)
{
	struct writer_buffer *b;

	str_addn(s, "options  ", 10);
	add_options(w, s, !is_text);
	for (b = w->buffers; b < w->buffers + w->nr_buffers; b++) {
		if (!b->name[0])
			continue;
		writer_put_u16(w, s, KT_OPTION_BUFFER);
		writer_put_u32(w, s, (uint32_t)(8 + strlen(b->name) + 1));
		b->option_at = w->pos + s->len;
		writer_put_u64(w, s, 0);
		writer_put_text(s, b->name);
	}
	writer_put_u16(w, s, KT_OPTION_DONE);
}

static void need_clock(struct kt_writer *w)
{
	const struct writer_buffer *top = top_buffer(w);
	struct str text = STR_INIT;

	if (w->has_clock || !w->nr_buffers)
		return;
	str_addf(&text, "[%s]", top ? top->clock : w->buffers[0].clock);
	w->has_clock = true;
	writer_put_option(w, KT_OPTION_TRACECLOCK, text.buf, text.len + 1);
	str_fini(&text);
}

/* Writes everything before the data, once the CPUs with data are known */
static int write_fixed(struct kt_writer *w, const char *latency, size_t size, struct kt_err *err)
{
	struct writer_buffer *top = top_buffer(w);
	struct str s = STR_INIT;
	int ret;

	if (w->fixed_done)
		return 0;
	need_clock(w);
	put_metas(w, &s);
	writer_put_u32(w, &s, max_cpus(w));
	put_options(w, &s, latency != NULL);
	if (top)
		top->start = w->pos + s.len + 10;
	if (latency) {
		str_addn(&s, "latency  ", 10);
		str_addn(&s, latency, size);
	} else {
		put_table(w, &s, top ? top->clock : "local");
	}
	w->fixed_done = true;
	ret = s.failed || w->options.failed ? kt_err_no_memory(err)
					    : writer_append(w, s.buf, s.len, err);
	str_fini(&s);
	return ret;
}

static int begin_buffer(struct kt_writer *w, struct writer_buffer *b, struct kt_err *err)
{
	struct str s = STR_INIT;
	int ret = write_fixed(w, NULL, 0, err);

	if (ret < 0 || !b->name[0])
		return ret;
	b->start = w->pos + 10;
	put_table(w, &s, b->clock);
	ret = writer_patch_u64(w, b->option_at, w->pos, err);
	if (ret == 0)
		ret = s.failed ? kt_err_no_memory(err) : writer_append(w, s.buf, s.len, err);
	str_fini(&s);
	return ret;
}

static int end_buffer(struct kt_writer *w, struct writer_buffer *b, struct kt_err *err)
{
	uint32_t max = max_cpus(w);
	char entry[TABLE_ENTRY];
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < b->nr; i++) {
		if (b->cpus[i].cpu >= max)
			return kt_err_set(err, -EINVAL, "CPU %u is not below %u", b->cpus[i].cpu,
					  max);
		store_u64(entry, b->cpus[i].offset, w->swap);
		store_u64(entry + 8, b->cpus[i].size, w->swap);
		ret = writer_patch(w, b->start + (uint64_t)b->cpus[i].cpu * TABLE_ENTRY, entry,
				   sizeof(entry), err);
	}
	return ret;
}

static int finish(struct kt_writer *w, struct kt_err *err)
{
	return write_fixed(w, NULL, 0, err);
}

static int text(struct kt_writer *w, const char *name, const char *clock, const char *text,
		size_t size, struct kt_err *err)
{
	(void)clock;
	if (name[0] || w->fixed_done)
		return kt_err_set(err, -ENOTSUP,
				  "version 6 stores latency text of the top-level buffer only");
	return write_fixed(w, text, size, err);
}

static int flush(struct kt_writer *w, struct kt_err *err)
{
	(void)w;
	(void)err;
	return 0;
}

const struct writer_format writer_v6 = {
	.header = header, .meta = meta, .retract = retract,
	.begin_buffer = begin_buffer, .end_buffer = end_buffer, .text = text,
	.flush = flush, .finish = finish,
};
