/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index.c - write the index of a file as an option: the content of its chunks, CPU by CPU */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "file/file.h"
#include "file/summary.h"
#include "write/write.h"

struct summary_list *summary_list_create(void)
{
	struct summary_list *l = calloc(1, sizeof(*l));

	if (l)
		l->rows = (struct str)STR_INIT;
	return l;
}

void summary_list_destroy(struct summary_list *l)
{
	if (!l)
		return;
	str_fini(&l->rows);
	free(l);
}

/* Seven bits per byte, the low ones first; the last byte is below 128 */
static void put_number(struct str *s, uint64_t v)
{
	char *p = str_room(s, 10);
	size_t n = 0;

	if (!p)
		return;
	for (; v > 127; v >>= 7)
		p[n++] = (char)(v | 128);
	p[n++] = (char)v;
	s->len += n;
}

static void put_signed(struct str *s, int64_t v)
{
	put_number(s, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

static void put_ids(struct summary_list *l, const struct kt_summary *s)
{
	uint16_t before = 0;
	size_t i;

	put_number(&l->rows, s->nr_ids);
	for (i = 0; i < s->nr_ids; before = s->ids[i++])
		put_number(&l->rows, (uint64_t)(s->ids[i] - before));
	if (s->nr_ids)
		memcpy(l->ids, s->ids, s->nr_ids * sizeof(*s->ids));
	l->nr_ids = s->nr_ids;
}

static void put_pids(struct summary_list *l, const struct kt_summary *s)
{
	uint64_t words[SUMMARY_PIDS];
	size_t i;

	for (i = 0; i < SUMMARY_PIDS; i++)
		store_u64(&words[i], s->pids[i], KT_HOST_BIG);
	str_addn(&l->rows, words, sizeof(words));
	memcpy(l->pids, s->pids, sizeof(l->pids));
}

void summary_list_add(struct summary_list *l, uint64_t offset, uint32_t size, uint32_t raw_size,
		      const struct kt_summary *s)
{
	bool same_ids = s->nr_ids == l->nr_ids &&
			(!s->nr_ids || !memcmp(s->ids, l->ids, s->nr_ids * sizeof(*s->ids)));
	bool same_pids = !memcmp(s->pids, l->pids, sizeof(l->pids));

	if (l->rows.len > SUMMARY_LIST_MAX || offset < l->end)
		return;
	put_number(&l->rows, offset - l->end);
	put_number(&l->rows, size);
	put_number(&l->rows, raw_size);
	str_addc(&l->rows, (char)((s->known ? SUMMARY_KNOWN : 0) | (s->lost ? SUMMARY_LOST : 0) |
				  (same_ids ? SUMMARY_SAME_IDS : 0) |
				  (same_pids ? SUMMARY_SAME_PIDS : 0) |
				  (s->counted ? SUMMARY_COUNTED : 0)));
	put_signed(&l->rows, (int64_t)(s->first - l->first));
	if (s->counted) {
		put_number(&l->rows, s->nr);
		put_number(&l->rows, s->last - s->first);
	}
	if (s->known && !same_ids)
		put_ids(l, s);
	if (s->known && !same_pids)
		put_pids(l, s);
	l->end = offset + size;
	l->first = s->first;
	l->nr++;
}

/* ---- called by the writer ---- */

static bool is_indexed(const struct kt_writer *w)
{
	return w->compress && w->opts.version == 7 && w->opts.index != KT_INDEX_NONE;
}

bool writer_wants_summaries(const struct kt_writer *w)
{
	return is_indexed(w) && w->opts.index == KT_INDEX_ALL;
}

const struct kt_summary *writer_summarize(struct kt_writer *w, const void *pages, size_t size)
{
	if (!is_indexed(w) || !w->buffer || !w->opts.layout.data_offset)
		return NULL;
	if (!w->summarizer)
		w->summarizer = calloc(1, sizeof(*w->summarizer));
	if (!w->summarizer)
		return NULL;
	summary_make(w->summarizer, &w->opts.layout, pages, size, w->buffer->page_size,
		     &w->summary);
	return &w->summary;
}

void writer_note_chunk(struct kt_writer *w, size_t size, size_t raw_size,
		       const struct kt_summary *s)
{
	struct writer_cpu *c = w->cpu;

	if (!s || !is_indexed(w))
		return;
	if (!c->summaries)
		c->summaries = summary_list_create();
	if (c->summaries)
		summary_list_add(c->summaries, w->pos - size - c->offset, (uint32_t)size,
				 (uint32_t)raw_size, s);
}

void writer_take_summaries(struct kt_writer *w, struct summary_list *l)
{
	struct writer_buffer *b = w->buffer;

	if (!b || !b->nr || b->cpus[b->nr - 1].summaries)
		summary_list_destroy(l);
	else
		b->cpus[b->nr - 1].summaries = l;
}

/* @at: of a field of header_page; -1: the field does not exist */
static long field_offset(const char *page, size_t size, const char *name)
{
	const char *at = memmem(page, size, name, strlen(name)), *number;

	number = at ? memmem(at, (size_t)(page + size - at), "offset:", 7) : NULL;
	return number ? strtol(number + 7, NULL, 10) : -1;
}

void writer_check_layout(struct kt_writer *w, const char *info, size_t size)
{
	const struct kt_page_layout *l = &w->opts.layout;
	struct str text = STR_INIT;	/* ends with a NUL */

	str_addn(&text, info, size);
	if (field_offset(text.buf, text.len, " commit;") != l->commit_offset ||
	    field_offset(text.buf, text.len, " data;") != l->data_offset)
		w->opts.index = KT_INDEX_NONE;
	str_fini(&text);
}

static void put_cpu(struct str *body, const struct writer_cpu *c, uint64_t *before)
{
	if (!c->summaries || c->summaries->rows.failed ||
	    body->len + c->summaries->rows.len > FILE_MAX_CHUNK - 64)
		return;
	put_signed(body, (int64_t)(c->offset - *before));
	put_number(body, c->summaries->nr);
	str_addn(body, c->summaries->rows.buf, c->summaries->rows.len);
	*before = c->offset;
}

static void put_option(struct kt_writer *w, const struct str *body)
{
	size_t room = compress_bound(w->compress, body->len), len;
	struct str option = STR_INIT;
	char *bytes = str_room(&option, SUMMARY_HEAD + room);

	len = bytes ?
	      compress_run(w->compress, bytes + SUMMARY_HEAD, room, body->buf, body->len) : 0;
	if (len) {
		store_u32(bytes, SUMMARY_VERSION, w->swap);
		store_u32(bytes + 4, (uint32_t)body->len, w->swap);
		store_u64(bytes + 8,
			  summary_checksum(bytes + SUMMARY_HEAD, len, (uint32_t)body->len),
			  w->swap);
		writer_put_option(w, KT_OPTION_INDEX, bytes, SUMMARY_HEAD + len);
	}
	str_fini(&option);
}

void writer_put_index(struct kt_writer *w)
{
	struct str body = STR_INIT;
	uint64_t before = 0, nr = 0;
	size_t i, cpu;

	for (i = 0; i < w->nr_buffers; i++)
		for (cpu = 0; cpu < w->buffers[i].nr; cpu++) {
			const struct summary_list *l = w->buffers[i].cpus[cpu].summaries;

			nr += l ? l->nr : 0;
			put_cpu(&body, &w->buffers[i].cpus[cpu], &before);
		}
	/* Without memory, simply write no index. */
	if (is_indexed(w) && nr >= SUMMARY_LEAST && !body.failed)
		put_option(w, &body);
	str_fini(&body);
}
