/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_index.c - any rows as the index of an intact file:
 * wrong rows may hide records, and do nothing else */
#include <stdlib.h>

#include <ktrail/filter.h>
#include <ktrail/stream.h>

#include "file/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SAMPLE "tests/data/6.12-function-index.dat"

/* An event that the file lacks and, with @pid, an event that it has, of that task only */
static void narrow(struct kt_stream *s, bool pid)
{
	uint64_t types[KT_FILTER_TYPES_WORDS] = { 0 }, pids[KT_FILTER_TYPES_WORDS] = { 0 };

	types[999 / 64] |= UINT64_C(1) << 999 % 64;
	if (!pid) {
		kt_stream_want_types(s, 0, types);
		return;
	}
	types[0] |= 2;		/* functions */
	pids[0] |= 2;
	kt_stream_want_types(s, 0, types);
	kt_stream_want_pids(s, 0, types, pids);
}

static uint64_t count(struct kt_stream *s)
{
	struct kt_record rec;
	uint64_t nr = 0;

	while (kt_stream_next(s, &rec, NULL) > 0)
		nr++;
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t all;
	struct kt_file *f = kt_file_open(SAMPLE, NULL);
	struct kt_stream *s = kt_stream_create();
	uint64_t nr;

	if (!f || !s)
		abort();
	file_take_summaries(f, data, size);
	if (kt_stream_add(s, f, NULL, NULL) < 0)
		abort();
	if (size % 3)
		narrow(s, size % 3 == 1);
	nr = count(s);
	if (size % 3 == 0 && all && nr != all)
		abort();	/* without a filter, the index must not matter */
	if (size % 3 == 0)
		all = nr;
	kt_stream_rewind(s, NULL);
	if (count(s) != nr)
		abort();
	kt_stream_destroy(s);
	kt_file_close(f);
	return 0;
}
