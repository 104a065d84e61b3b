/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* out.c - text under construction */
#include "base/out.h"

#include <stdlib.h>

/* Each text has its own cache line: threads write to their texts constantly. */
#define CACHE_LINE 64

struct kt_out *kt_out_create(void)
{
	const size_t lines = (sizeof(struct kt_out) + CACHE_LINE - 1) / CACHE_LINE;
	struct kt_out *out = aligned_alloc(CACHE_LINE, lines * CACHE_LINE);

	if (out)
		*out = (struct kt_out){ .text = STR_INIT };
	return out;
}

void kt_out_destroy(struct kt_out *out)
{
	if (!out)
		return;
	str_fini(&out->text);
	free(out);
}

void kt_out_reset(struct kt_out *out)
{
	str_reset(&out->text);
}

const char *kt_out_data(const struct kt_out *out)
{
	return out->text.buf;
}

size_t kt_out_len(const struct kt_out *out)
{
	return out->text.len;
}
