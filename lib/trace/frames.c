/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* frames.c - the addresses of a recorded kernel stack */
#include "trace/frames.h"

#include "base/bytes.h"

/* The format declares eight; the record holds all, or an address of all ones ends the list. */
size_t frames_read(const struct kt_event *ev, const struct kt_record *rec,
		   uint64_t frames[FRAMES_MAX])
{
	const struct kt_field *f = kt_event_field(ev, "caller");
	const struct kt_file_info *info = kt_file_info(kt_events_file(ev->events));
	uint32_t at = f ? f->offset : UINT32_MAX, size = f ? f->elem_size : 8;
	size_t nr = 0;

	if (size != 4)
		size = 8;
	for (; nr < FRAMES_MAX && at <= rec->size && rec->size - at >= size; at += size) {
		frames[nr] = load_uint(rec->data + at, size, info->big_endian != KT_HOST_BIG);
		if (frames[nr] == (size == 8 ? UINT64_MAX : UINT32_MAX))
			break;
		nr++;
	}
	return nr;
}
