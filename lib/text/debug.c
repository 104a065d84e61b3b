/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* debug.c - show where a record lies, for `report --debug` */
#include <inttypes.h>
#include <string.h>

#include "text/text.h"

#define DELTA_MASK ((1u << 27) - 1)

/* Five bits, at the low end of the word if the recording kernel was little-endian */
static uint32_t words_of(uint32_t header, bool big)
{
	return big ? header >> 27 : header & 31;
}

/*
 * The event header before @rec's data: one word for up to 28 words of data; for longer data
 * a second word holds the length.
 */
static const uint8_t *header_of(const struct kt_record *rec, bool big)
{
	uint32_t words = words_of(load_u32(rec->data - 4, big != KT_HOST_BIG), big);

	return rec->data - (words && words * 4 == rec->size ? 4 : 8);
}

static uint64_t file_offset(const struct kt_text *x, const struct kt_record *rec)
{
	const struct kt_source *src = kt_trace_source(x->trace, rec);
	const struct kt_buffer *buf = kt_file_buffer(src->file, src->buffer);

	if (strcmp(kt_file_info(src->file)->compression, "none"))
		return 0;
	return buf->cpus[src->cpu_index].offset;
}

/* The sub-buffer's own time, without corrections, and its place in the file or in its content */
void debug_page(const struct kt_text *x, const struct kt_record *rec, struct str *s)
{
	const struct text_source *src = &x->sources[rec->source];
	bool big = kt_file_info(kt_events_file(src->events))->big_endian;
	uint64_t at = rec->pos % src->page_size;

	str_addf(s, " [%" PRIu64 ":0x%" PRIx64 "]",
		 load_u64(header_of(rec, big) - at, big != KT_HOST_BIG),
		 file_offset(x, rec) + rec->pos - at);
}

/* The delta does not include a time extension before the record. */
void debug_record(const struct kt_text *x, const struct kt_record *rec, struct str *s)
{
	const struct text_source *src = &x->sources[rec->source];
	bool big = kt_file_info(kt_events_file(src->events))->big_endian;
	uint32_t header = load_u32(header_of(rec, big), big != KT_HOST_BIG);

	str_addf(s, " [%" PRIu32 ":0x%" PRIx64 ":%" PRIu32 "]",
		 big ? header & DELTA_MASK : header >> 5, rec->pos % src->page_size, rec->size);
}
