/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* out.c - text under construction */
#include "base/out.h"

#include <stdlib.h>

struct kt_out *kt_out_create(void)
{
	struct kt_out *out = calloc(1, sizeof(*out));

	if (out)
		out->text = (struct str)STR_INIT;
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
