/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* press.c - sub-buffers become a chunk as the file stores it */
#include <errno.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "rec/rec_priv.h"

#define SIZES 8		/* in front of a frame: its bytes, those of the sub-buffers in it */

int rec_press_open(struct press *p, const char *spec, size_t room, struct kt_err *err)
{
	int ret = compress_open(&p->compress, spec, err);

	if (ret < 0 || !p->compress)
		return ret;
	p->room = compress_bound(p->compress, room) + SIZES;
	p->chunk = malloc(p->room);
	return p->chunk ? 0 : kt_err_set(err, -ENOMEM, "no memory to compress");
}

void rec_press_close(struct press *p)
{
	compress_close(p->compress);
	free(p->chunk);
	*p = (struct press){ 0 };
}

size_t rec_press(struct press *p, const char *data, size_t raw)
{
	size_t len = compress_run(p->compress, p->chunk + SIZES, p->room - SIZES, data, raw);

	if (!len)
		return 0;
	store_u32(p->chunk, (uint32_t)len, false);
	store_u32(p->chunk + 4, (uint32_t)raw, false);
	return len + SIZES;
}
