/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wire.h - read protocol buffers: the fields of a message, each checked against its end */
#ifndef IMPORT_WIRE_H
#define IMPORT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Source: protobuf.dev, Encoding */
enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };

struct wire {
	const uint8_t *at, *end;
	bool failed;			/* the message is damaged or cut */
	/* The field that wire_next() has found */
	uint32_t number;
	enum wire_type type;
	uint64_t value;			/* of a number */
	const uint8_t *data;		/* WIRE_LENGTH: @size bytes */
	size_t   size;
};

static inline struct wire wire_of(const void *data, size_t size)
{
	return (struct wire){ .at = data, .end = (const uint8_t *)data + size };
}

/* The message, or packed numbers, in the current field */
static inline struct wire wire_inside(const struct wire *w)
{
	return w->type == WIRE_LENGTH ? wire_of(w->data, w->size) : wire_of(w->at, 0);
}

static inline bool wire_varint(struct wire *w, uint64_t *v)
{
	unsigned int shift;

	*v = 0;
	for (shift = 0; shift < 64 && w->at < w->end; shift += 7) {
		*v |= (uint64_t)(*w->at & 0x7f) << shift;
		if (!(*w->at++ & 0x80))
			return true;
	}
	w->failed = true;
	return false;
}

/* False at the end of the message or of its intact part: see @failed */
bool wire_next(struct wire *w);

#endif
