/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_format.c - any text as the format of an event: parse it, print records with it */
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
static const struct kt_event_source *source_at(void *data, size_t i)
{
	(void)i;
	return data;
}

static void read_fields(const struct kt_event *ev, const struct kt_record *rec)
{
	struct kt_blob bytes;
	uint64_t value;
	int64_t number;
	size_t i, j;

	for (i = 0; i < ev->nr_fields; i++) {
		kt_field_u64(ev, &ev->fields[i], rec, &value);
		kt_field_i64(ev, &ev->fields[i], rec, &number);
		kt_field_bytes(ev, &ev->fields[i], rec, &bytes);
		for (j = 0; j < 100 && kt_field_elem(ev, &ev->fields[i], rec, j, &value) == 0; j++)
			;
	}
}

static void print(struct kt_events *evs, const uint8_t *record, size_t size)
{
	const struct kt_event *ev = kt_events_at(evs, 0);
	struct kt_record rec = { .size = size };
	struct kt_out *out = kt_out_create();
	uint8_t *exact = malloc(size ? size : 1);

	/* Its own block, so that an over-read by one byte is detected. */
	if (ev && out && exact) {
		memcpy(exact, record, size);
		rec.data = exact;
		rec.type = ev->id;
		kt_event_text(evs, ev, &rec, out);
		kt_event_plain(evs, ev, &rec, out);
		kt_event_raw(evs, ev, &rec, out);
		read_fields(ev, &rec);
	}
	free(exact);
	kt_out_destroy(out);
}

/* The text of the format, a zero byte, and a record. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char kallsyms[] = "ffffffff81000000 T _text\nffffffff81001000 T vfs_read\n";
	const uint8_t *end = memchr(data, '\0', size);
	size_t text_size = end ? (size_t)(end - data) : size;
	size_t record_size = end ? size - text_size - 1 : 0;
	struct kt_symbols *syms = kt_symbols_create(NULL, NULL);
	char *text = malloc(text_size + 1);
	struct kt_event_source source = { "fuzz", { text, text_size } };
	struct kt_events_origin origin = { .long_size = size & 1 ? 4 : 8, .big_endian = size & 2,
					   .nr = 1, .at = source_at, .data = &source };
	struct kt_events *evs;

	if (!text || !syms)
		goto out;
	memcpy(text, data, text_size);
	kt_symbols_add_text(syms, kallsyms, sizeof(kallsyms) - 1, NULL);
	evs = kt_events_create_from(&origin, syms, NULL);
	if (evs)
		print(evs, end ? end + 1 : data, record_size < 60000 ? record_size : 60000);
	kt_events_destroy(evs);
out:
	free(text);
	kt_symbols_destroy(syms);
	return 0;
}
