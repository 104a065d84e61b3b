/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bytes.c - append bytes, numbers and options to the file */
#include "write/write.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"

/* The file may have a temporary name until it is complete; messages use the name of the output. */
int writer_error(struct kt_writer *w, int code, struct kt_err *err)
{
	return kt_err_set(err, code, "cannot write %s: %s", w->path, strerror(-code));
}

void writer_on_full(struct kt_writer *w, bool (*make_room)(void *data), void *data)
{
	w->make_room = make_room;
	w->room_data = data;
}

/* After a failed write */
static bool try_again(const struct kt_writer *w, bool *made_room)
{
	if (errno == EINTR)
		return true;
	if ((errno != ENOSPC && errno != EDQUOT) || !w->make_room || *made_room)
		return false;
	*made_room = w->make_room(w->room_data);
	return *made_room;
}

int writer_patch(struct kt_writer *w, uint64_t offset, const void *data, size_t size,
		 struct kt_err *err)
{
	const char *p = data;
	bool made_room = false;
	ssize_t n;

	while (size) {
		n = pwrite(w->fd, p, size, (off_t)offset);
		if (n < 0 && try_again(w, &made_room))
			continue;
		if (n <= 0)
			return writer_error(w, n ? -errno : -EIO, err);
		p += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return 0;
}

int writer_append(struct kt_writer *w, const void *data, size_t size, struct kt_err *err)
{
	int ret = writer_patch(w, w->pos, data, size, err);

	if (ret == 0)
		w->pos += size;
	return ret;
}

int writer_patch_u64(struct kt_writer *w, uint64_t offset, uint64_t v, struct kt_err *err)
{
	char bytes[8];

	store_u64(bytes, v, w->swap);
	return writer_patch(w, offset, bytes, sizeof(bytes), err);
}

int writer_align(struct kt_writer *w, uint64_t to, struct kt_err *err)
{
	uint64_t end = (w->pos + to - 1) / to * to;

	if (ftruncate(w->fd, (off_t)end) < 0)
		return writer_error(w, -errno, err);
	w->pos = end;
	return 0;
}

void writer_put_u16(struct kt_writer *w, struct str *s, uint16_t v)
{
	char *p = str_room(s, sizeof(v));

	if (p) {
		store_u16(p, v, w->swap);
		s->len += sizeof(v);
	}
}

void writer_put_u32(struct kt_writer *w, struct str *s, uint32_t v)
{
	char *p = str_room(s, sizeof(v));

	if (p) {
		store_u32(p, v, w->swap);
		s->len += sizeof(v);
	}
}

void writer_put_u64(struct kt_writer *w, struct str *s, uint64_t v)
{
	char *p = str_room(s, sizeof(v));

	if (p) {
		store_u64(p, v, w->swap);
		s->len += sizeof(v);
	}
}

void writer_put_text(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text) + 1);
}

void writer_put_option(struct kt_writer *w, uint16_t id, const void *data, size_t size)
{
	writer_put_u16(w, &w->options, id);
	writer_put_u32(w, &w->options, (uint32_t)size);
	str_addn(&w->options, data, size);
}
