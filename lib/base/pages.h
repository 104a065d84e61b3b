/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pages.h - large pieces of memory that are about to be filled */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/**
 * pages_alloc - memory for what will be written at once
 * @size: bytes; not zeroed
 * @soon: so many of them, from the start on, are about to be written
 *
 * Each page of 4 KiB costs a page fault when first written to, close to a
 * microsecond: that is longer than it takes to decompress what goes there. So
 * large pieces lie on pages of 2 MiB where the kernel has them to give.
 * Returns NULL without memory; free() it.
 */
void *pages_alloc(size_t size, size_t soon);

#endif
