/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bytes.h - integers in memory of either byte order, at any alignment */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define KT_HOST_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* @swap: the bytes are in the other order than the host's */
static inline uint16_t load_u16(const void *p, bool swap)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t load_u32(const void *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t load_u64(const void *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

static inline void store_u16(void *p, uint16_t v, bool swap)
{
	v = swap ? __builtin_bswap16(v) : v;
	memcpy(p, &v, sizeof(v));
}

static inline void store_u32(void *p, uint32_t v, bool swap)
{
	v = swap ? __builtin_bswap32(v) : v;
	memcpy(p, &v, sizeof(v));
}

static inline void store_u64(void *p, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	memcpy(p, &v, sizeof(v));
}

/* @size: 1, 2, 4 or 8; anything else reads as 0 */
static inline uint64_t load_uint(const void *p, unsigned int size, bool swap)
{
	switch (size) {
	case 1: return *(const uint8_t *)p;
	case 2: return load_u16(p, swap);
	case 4: return load_u32(p, swap);
	case 8: return load_u64(p, swap);
	}
	return 0;
}

#endif
