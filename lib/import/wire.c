/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wire.c - read protocol buffers: the fields of a message, each checked against its end */
#include "import/wire.h"

#include "base/bytes.h"

static bool fixed(struct wire *w, size_t size)
{
	uint64_t v = 0;

	if ((size_t)(w->end - w->at) < size) {
		w->failed = true;
		return false;
	}
	v = load_uint(w->at, (unsigned int)size, KT_HOST_BIG);
	w->value = v;
	w->at += size;
	return true;
}

bool wire_next(struct wire *w)
{
	uint64_t key;

	if (w->failed || w->at == w->end || !wire_varint(w, &key))
		return false;
	w->number = (uint32_t)(key >> 3);
	w->type = key & 7;
	w->value = 0;
	w->data = NULL;
	w->size = 0;
	switch (w->type) {
	case WIRE_VARINT:
		return wire_varint(w, &w->value);
	case WIRE_64:
		return fixed(w, 8);
	case WIRE_32:
		return fixed(w, 4);
	case WIRE_LENGTH:
		if (!wire_varint(w, &w->value) || w->value > (uint64_t)(w->end - w->at))
			break;
		w->data = w->at;
		w->size = (size_t)w->value;
		w->at += w->size;
		return true;
	}
	w->failed = true;	/* groups are obsolete */
	return false;
}
