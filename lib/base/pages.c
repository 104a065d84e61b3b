/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pages.c - allocate large blocks of memory that are about to be filled */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* On most machines; with another size the hint has no effect. */
#define HUGE_PAGE ((size_t)2 << 20)

void *pages_alloc(size_t size, size_t soon)
{
	/* The last huge page is worth its memory if at least half of it will be used. */
	size_t huge = (soon + HUGE_PAGE / 2) / HUGE_PAGE * HUGE_PAGE;
	void *p;

	if (!huge || size > SIZE_MAX - HUGE_PAGE)
		return malloc(size);
	size = size > huge ? size : huge;
	p = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
	if (p)
		madvise(p, huge, MADV_HUGEPAGE);	/* fails on kernels without huge pages */
	return p;
}
