/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pages.h - allocate large blocks of memory that are about to be filled */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/**
 * pages_alloc - allocate memory that will be written immediately
 * @size: bytes; not zeroed
 * @soon: bytes at the start that are about to be written
 *
 * The first write to a page of 4 KiB costs a page fault of nearly a microsecond:
 * longer than it takes to decompress the data of that page. Large blocks are therefore
 * placed on pages of 2 MiB if the kernel can provide them.
 * Returns NULL if memory runs out; release with free().
 */
void *pages_alloc(size_t size, size_t soon);

#endif
