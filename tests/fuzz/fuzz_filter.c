/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_filter.c - any text as a filter, any bytes as the record it runs on */
#include <stdlib.h>
#include <string.h>

#include <ktrail/filter.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct kt_trace *trace;
static struct kt_out *out;

static bool has(const uint64_t *bits, uint16_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

static void run(struct kt_filter *f, const uint8_t *data, size_t size)
{
	struct kt_events *evs = kt_trace_events(trace, 0);
	struct kt_record rec = { .size = size };
	uint64_t bits[KT_FILTER_TYPES_WORDS], of_pids[KT_FILTER_TYPES_WORDS];
	uint64_t pids[KT_FILTER_TYPES_WORDS];
	uint8_t *copy = malloc(size ? size : 1);	/* own block: an over-read is detected */
	size_t i, nr = kt_events_nr(evs);

	memcpy(copy, data, size);
	rec.data = copy;
	kt_filter_types(f, 0, bits);
	if (!kt_filter_pids(f, 0, of_pids, pids))
		memset(of_pids, 0, sizeof(of_pids));
	for (i = 0; i < nr; i += 7) {
		const struct kt_event *ev = kt_events_at(evs, i);

		if (!ev)
			continue;
		rec.type = ev->id;
		/* Records that are skipped unread must not match. */
		if (kt_filter_match(f, &rec) &&
		    (!has(bits, rec.type) ||
		     (size >= 8 && has(of_pids, rec.type) && !has(pids, kt_record_pid(evs, &rec)))))
			abort();
	}
	kt_filter_print(f, out);
	kt_out_reset(out);
	free(copy);
}

/* The filter up to a NUL, then the record. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, 0, size);
	struct kt_err err = { 0 };
	struct kt_filter *f;
	char *text;

	if (!trace) {
		trace = kt_trace_create();
		out = kt_out_create();
		if (kt_trace_add(trace, "tests/data/peer/events-irqs.dat", NULL, &err) < 0)
			abort();
	}
	text = strndup((const char *)data, size);
	f = kt_filter_create(trace);
	if (kt_filter_add(f, text, size & 1, -1, &err) == 0)
		run(f, end ? end + 1 : data, end ? data + size - end - 1 : 0);
	else if (!err.code || !err.msg[0])
		abort();
	kt_filter_destroy(f);
	free(text);
	return 0;
}
