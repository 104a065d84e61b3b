/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gcov.h - included first by tests/error-sites, to count processes that end by _exit(), too */
#ifndef KT_REFUSE_SO		/* refuse.c needs its own first lines */
#include <unistd.h>

void __gcov_dump(void);

static inline void __attribute__((noreturn)) kt_gcov_exit(int status)
{
	__gcov_dump();
	_exit(status);
}

#define _exit kt_gcov_exit
#endif
