/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* proto.h - protocol buffers, written: numbers and length-delimited parts */
#ifndef EXPORT_PROTO_H
#define EXPORT_PROTO_H

#include "base/put.h"

/* Source: protobuf.dev, Encoding. A field is a key, its number and wire type, and a value. */
#define PROTO_VARINT_MAX 10
enum proto_wire { PROTO_VARINT = 0, PROTO_LENGTH = 2 };

static inline char *proto_put_varint(char *p, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*p++ = (char)(value | 0x80);
	*p++ = (char)value;
	return p;
}

/* Negative numbers are sign-extended to 64 bits, whatever their type. */
static inline void proto_number(struct str *s, unsigned int field, uint64_t value)
{
	char *p = put_room(s, 2 * PROTO_VARINT_MAX);

	if (p)
		put_done(s, proto_put_varint(proto_put_varint(p, field << 3 | PROTO_VARINT),
					     value));
}

/* A text, bytes or another message */
static inline void proto_bytes(struct str *s, unsigned int field, const void *bytes, size_t len)
{
	char *p = put_room(s, 2 * PROTO_VARINT_MAX + len);

	if (!p)
		return;
	p = proto_put_varint(proto_put_varint(p, field << 3 | PROTO_LENGTH), len);
	put_done(s, put_bytes(p, bytes, len));
}

static inline void proto_message(struct str *s, unsigned int field, const struct str *message)
{
	proto_bytes(s, field, message->buf, message->len);
	s->failed |= message->failed;
}

static inline void proto_text(struct str *s, unsigned int field, const char *text)
{
	proto_bytes(s, field, text, strlen(text));
}

#endif
